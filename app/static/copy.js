// Copy buttons; the service may run on plain http, where the clipboard needs the old way.
async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function startCopying() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.dataset.copy.startsWith("/") && button.dataset.absolute !== undefined ? new URL(button.dataset.copy, location.href).href : button.dataset.copy;
    await copy(text.replaceAll("{origin}", location.origin));
    const label = button.querySelector(".label") ?? button;
    const before = label.textContent;
    label.textContent = "Copied";
    setTimeout(() => (label.textContent = before), 1500);
  });
}
