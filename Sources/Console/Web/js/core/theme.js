// Light or dark: as the system says, until the person chooses.

const KEY = "pushpit.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const isDark = () => document.documentElement.dataset.theme === "dark";

function apply() {
  const chosen = localStorage.getItem(KEY);
  document.documentElement.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
  document.dispatchEvent(new CustomEvent("pushpit:theme"));
}

export function toggle() {
  const next = isDark() ? "light" : "dark";
  if ((next === "dark") === system.matches) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  apply();
}

export function start() {
  system.addEventListener("change", apply);
  apply();
}
