// A view that changes in place stays where it was: same scroll position, focus on the same switch.
let before;

function place(element) {
  const group = element.closest?.(".segments, form");
  if (!group) return null;
  return { group: group.getAttribute("aria-label"), card: group.closest(".card")?.id, text: element.textContent, name: element.name };
}

function find({ group, card, text, name }) {
  const groups = [...document.querySelectorAll("#main .segments, #main form")];
  const same = groups.find((one) => one.getAttribute("aria-label") === group && one.closest(".card")?.id === card);
  return same && [...same.querySelectorAll("a, input, select")].find((one) => (name ? one.name === name : one.textContent === text));
}

export function startSwaps() {
  document.addEventListener("htmx:before:swap", (event) => {
    if (!event.detail.tasks.some((task) => task.target?.id === "main")) return;
    before = { top: scrollY, focus: place(document.activeElement), selection: document.activeElement.selectionStart };
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!before) return;
    scrollTo({ top: before.top, behavior: "instant" });
    const element = before.focus && find(before.focus);
    element?.focus({ preventScroll: true });
    if (before.selection != null && element?.setSelectionRange) element.setSelectionRange(before.selection, before.selection);
    before = null;
  });
}
