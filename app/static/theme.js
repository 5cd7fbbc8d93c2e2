// Light or dark: the cookie's choice, else the system's. Tells charts when it changes.
const system = matchMedia("(prefers-color-scheme: dark)");
const root = document.documentElement;

export function theme() {
  const chosen = root.dataset.theme;
  return chosen === "auto" ? (system.matches ? "dark" : "light") : chosen;
}

function announce() {
  const next = theme() === "dark" ? "light" : "dark";
  for (const button of document.querySelectorAll("[data-theme-form] button")) button.value = next;
  document.dispatchEvent(new CustomEvent("roofladder:theme"));
}

export function startTheme() {
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-theme-form]")) return;
    event.preventDefault();
    const chosen = theme() === "dark" ? "light" : "dark";
    root.dataset.theme = chosen;
    document.cookie = `theme=${chosen}; path=/; max-age=31536000; samesite=lax`;
    announce();
  });
  system.addEventListener("change", announce);
}
