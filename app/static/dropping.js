// Files dropped anywhere on a page with a drop zone are sent by its form, as if they had been chosen there.
let depth = 0;

function zone() {
  return document.querySelector("form[data-drop]");
}

function carriesFiles(event) {
  return event.dataTransfer?.types.includes("Files");
}

function mark(on) {
  zone()?.classList.toggle("over", on);
}

function send(form) {
  form.classList.add("busy");
  form.querySelector("[data-drop-status]").textContent = "Reading…";
  form.requestSubmit();
}

export function startDropping() {
  document.addEventListener("dragenter", (event) => {
    if (!zone() || !carriesFiles(event)) return;
    depth += 1;
    mark(true);
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(depth - 1, 0);
    if (!depth) mark(false);
  });
  document.addEventListener("dragover", (event) => {
    if (zone() && carriesFiles(event)) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!zone() || !carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    mark(false);
    const input = zone().querySelector("input[type=file]");
    input.files = event.dataTransfer.files;
    if (input.files.length) send(zone());
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches?.("form[data-drop] input[type=file]") && event.target.files.length) send(event.target.form);
  });
}
