// The line above the inputs: what this page is, whose work it shows, what a paste was read as.
import { announce, byId, h, prose } from "./dom.ts";

export interface Notice {
  /** A word or two in front, set apart. */
  lead?: string;
  text: string;
  actions?: { title: string; run: () => void }[];
  kind?: "quiet" | "bad";
  /** What closing it means; without, it cannot be closed. */
  closed?: () => void;
}

export function hideNotice(): void {
  byId("notice").hidden = true;
}

export function showNotice({ lead, text, actions = [], kind = "quiet", closed }: Notice): void {
  const element = byId("notice");
  element.className = `notice is-${kind}`;
  element.replaceChildren(
    h("p", {}, lead ? h("strong", {}, lead) : null, lead ? " " : null, prose(text)),
    ...actions.map(({ title, run }) => h("button", { type: "button", class: "notice-action", click: () => (hideNotice(), run()) }, title)),
    closed ? h("button", { type: "button", class: "icon", "aria-label": "Close this notice", click: () => (hideNotice(), closed()) }, "×") : "",
  );
  element.hidden = false;
  announce(`${lead ?? ""} ${text}`);
}
