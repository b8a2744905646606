// Light or dark: as the system has it, until someone chooses.
import { byId } from "./dom.ts";

const KEY = "eventrie-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function apply(): void {
  const chosen = stored() ?? (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = chosen;
  const button = byId<HTMLButtonElement>("theme");
  button.setAttribute("aria-label", chosen === "dark" ? "Switch to light" : "Switch to dark");
  button.title = chosen === "dark" ? "Light" : "Dark";
}

export function startTheme(): void {
  apply();
  dark.addEventListener("change", apply);
  byId("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // A browser that keeps nothing still switches for now.
    }
    apply();
    document.documentElement.dataset.theme = next;
  });
}
