// The verdict and what can be done about it: one sentence, one help, and a button for each change that was tried.
import type { Finding } from "../../pkg/eventrie.js";
import { h, prose } from "./dom.ts";
import type { Verdict } from "./explanation.ts";
import { codeLink } from "./panels.ts";
import type { Change } from "./remedy.ts";

export interface Offer {
  title: string;
  run: () => void;
}

export interface Shown extends Verdict {
  /** What else is worth knowing. */
  notes: string[];
  /** What happens to a record that does not pass. */
  fate: string | null;
  beware: boolean;
  finding: Finding | null;
  offers: Offer[];
}

/** Offers for changes of the pattern. */
export function offersOf(changes: Change[], apply: (change: Change) => void): Offer[] {
  return changes.map((change) => ({ title: change.title, run: () => apply(change) }));
}

export function verdictElements({ word, sentence, help, notes, fate, beware, finding, offers }: Shown): HTMLElement[] {
  const buttons = offers.map(({ title, run }, index) => h("button", { type: "button", class: index ? "fix" : "fix is-first", click: run }, prose(title)));
  const code = finding ? codeLink(finding.code) : null;
  return [
    h("p", { class: "sentence" }, h("em", {}, word), sentence ? " — " : "", prose(sentence)),
    ...(help ? [h("p", { class: "help" }, prose(help))] : []),
    ...(notes.length ? [h("ul", { class: "notes" }, ...notes.map((note) => h("li", {}, prose(note))))] : []),
    ...(fate ? [h("p", { class: "fate" }, beware ? "Beware: " : "Then ", fate)] : []),
    ...(buttons.length || code ? [h("div", { class: "offers" }, ...buttons, code ? h("a", { class: "code", href: `#/${finding?.code ?? ""}` }, `About ${finding?.code ?? ""}`) : "")] : []),
  ];
}
