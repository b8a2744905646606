// What this browser keeps between visits: the inputs that were open, and that the page was introduced.
import { sound, type State } from "./state.ts";

const OPEN = "eventrie-open";
const LINK = "eventrie-link";
const GREETED = "eventrie-greeted";
/** More than this is not kept: browsers give a page about 5 MB. */
const MOST = 1_000_000;

/** Keeps what is open; a browser that keeps nothing forgets it. */
export function store(state: State): void {
  try {
    const text = JSON.stringify(state);
    if (text.length < MOST) localStorage.setItem(OPEN, text);
  } catch {
    // Nothing else to do.
  }
}

export function stored(): State | null {
  try {
    return sound(JSON.parse(localStorage.getItem(OPEN) ?? "null"));
  } catch {
    return null;
  }
}

/** Remembers the link that what is open was edited from: a reload may still come to it. */
export function storeLink(fragment: string): void {
  try {
    sessionStorage.setItem(LINK, fragment);
  } catch {
    // Then such a reload shows what was shared.
  }
}

/** Whether what is stored is an edit, made in this tab, of what this link contains. */
export function isEdited(fragment: string): boolean {
  try {
    return sessionStorage.getItem(LINK) === fragment && stored() !== null;
  } catch {
    return false;
  }
}

/** The visitor has seen what this page is. */
export function greeted(): void {
  try {
    localStorage.setItem(GREETED, "1");
  } catch {
    // Then it is said again.
  }
}

greeted.before = (): boolean => {
  try {
    return localStorage.getItem(GREETED) !== null;
  } catch {
    return false;
  }
};
