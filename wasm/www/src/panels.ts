// The panels next to the explanation: findings with their fixes, meters of the service's limits, all answers.
import type { Finding, Usage } from "../../pkg/eventrie.js";
import { h, prose } from "./dom.ts";
import type { Verdict } from "./engine.ts";

/** A link to the page of a finding. */
export function codeLink(code: string): HTMLElement | null {
  return code ? h("a", { class: "code", href: `#/${code}`, title: `About ${code}` }, code) : null;
}

/** What is wrong with the open rule, or worth knowing. */
export function findings(found: Finding[], apply: (finding: Finding) => void, visit: (finding: Finding) => void): HTMLElement[] {
  return found.map((finding) => {
    const { code, severity, message, help, fix } = finding;
    const place = h("button", { type: "button", class: "finding-place", title: "Show in the pattern", click: () => visit(finding) }, h("span", { class: `severity is-${severity}` }, severity));
    return h(
      "li",
      { class: `finding is-${severity}` },
      h("p", { class: "finding-head" }, place, codeLink(code)),
      h("p", { class: "why" }, prose(message)),
      help && h("p", { class: "help" }, prose(help)),
      fix && h("button", { type: "button", class: "fix", click: () => apply(finding) }, prose(fix.title)),
    );
  });
}

const number = new Intl.NumberFormat("en");

/** How full the limits of the service are. */
export function meters(usage: Usage[]): HTMLElement[] {
  return usage.map(({ limit, title, used, most, unit }) => {
    const full = used === null ? 1 : Math.min(1, used / most);
    const over = used === null || used > most;
    const words = `${used === null ? "far more than" : number.format(used)} ${used === null ? number.format(most) : `of ${number.format(most)}`}`;
    const meter = h("div", { class: "bar", role: "meter", "aria-label": title, "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": Math.min(used ?? most, most), "aria-valuetext": `${words} ${unit}` }, h("span", {}));
    meter.style.setProperty("--full", String(full));
    return h("li", { class: `meter${over ? " is-over" : full > 0.8 ? " is-high" : ""}`, "data-limit": limit }, h("span", { class: "meter-title" }, prose(title)), h("span", { class: "meter-number" }, words), meter);
  });
}

export const GLYPHS: Record<Verdict, { glyph: string; words: string; look: string }> = {
  match: { glyph: "✓", words: "match", look: "is-held" },
  "no-match": { glyph: "✗", words: "no match", look: "is-missed" },
  "bad-rule": { glyph: "!", words: "not valid", look: "is-invalid" },
  empty: { glyph: "", words: "nothing to answer yet", look: "is-none" },
  undecided: { glyph: "?", words: "undecided", look: "is-invalid" },
  "bad-event": { glyph: "?", words: "cannot be read", look: "is-invalid" },
};

export interface Cell {
  rule: number;
  event: number;
}

/** The answers of all rules to all events: a row for each rule, a column for each event. */
export function matrix(rules: string[], events: string[], answers: Verdict[][], open: Cell, choose: (cell: Cell) => void): HTMLElement {
  const head = h("tr", {}, h("td", {}), ...events.map((label, event) => h("th", { scope: "col", title: label, class: event === open.event ? "is-open" : "" }, h("span", {}, label))));
  const rows = rules.map((name, rule) => {
    const cells = events.map((label, event) => {
      const { glyph, words, look } = GLYPHS[answers[event]?.[rule] ?? "bad-rule"];
      const here = rule === open.rule && event === open.event;
      return h("td", {}, h("button", { type: "button", class: `cell ${look}${here ? " is-open" : ""}`, title: `${name}, ${label}: ${words}`, "aria-label": `${name}, ${label}: ${words}`, "aria-current": here ? "true" : null, click: () => choose({ rule, event }) }, look === "is-missed" ? "·" : glyph));
    });
    return h("tr", {}, h("th", { scope: "row", title: name, class: rule === open.rule ? "is-open" : "" }, h("span", {}, name)), ...cells);
  });
  return h("table", { class: "matrix" }, h("thead", {}, head), h("tbody", {}, ...rows));
}
