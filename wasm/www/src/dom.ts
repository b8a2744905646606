// Small tools for building elements.

type Child = Node | string | null | false | undefined;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

/** An element with attributes (functions listen to the event of that name) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false && child !== undefined && child !== ""));
  return element;
}

/** The element of the page with this id, which is there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element \`${id}\``);
  return found as T;
}

/** JSON inside a sentence: a string in its quotes, or an object. */
const JSON_INSIDE = /(\{"(?:[^{}]|\{[^{}]*\})*\}|"(?:[^"\\]|\\.)*")/;

/** An input with JSON, and what is in backticks, set as code. */
export function prose(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const parts = text.split(/(`+)(.+?)\1/gs);
  for (let at = 0; at < parts.length; at += 3) {
    for (const [index, part] of (parts[at] ?? "").split(JSON_INSIDE).entries()) if (part) fragment.append(index % 2 ? h("code", {}, part) : part);
    const code = parts[at + 2];
    if (code !== undefined) fragment.append(h("code", {}, code));
  }
  return fragment;
}

/** Says something to people who listen to the page. */
export function announce(text: string): void {
  byId("live").textContent = text;
}

let toastTimer = 0;

/** Shows a short notice for a while. */
export function toast(text: string): void {
  const element = byId("toast");
  element.textContent = text;
  element.hidden = false;
  announce(text);
  window.clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => (element.hidden = true), 2_600);
}

export async function copy(text: string, notice: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission for the clipboard the old way still works.
    const area = h("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(notice);
}
