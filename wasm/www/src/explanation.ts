// The answer below the inputs: the verdict in a sentence, each field with the values that it tested, the tree of `$or`.
import type { Branch, Explanation, Field, Group } from "../../pkg/eventrie.js";
import { h, prose } from "./dom.ts";
import type { Mark } from "./editor.ts";
import type { Answer } from "./engine.ts";
import type { FilterAnswer } from "./subscriber.ts";

export interface Linked {
  field: Field;
  link: number;
  /** Whether something next to it makes up for its failure: another branch of its `$or` matches. */
  spared: boolean;
}

/** All fields in the order in which they are shown, numbered. */
export function linked(explanation: Explanation): Map<Field, Linked> {
  const all = new Map<Field, Linked>();
  const visit = (branch: Branch, spared: boolean) => {
    for (const field of branch.fields) all.set(field, { field, link: all.size, spared });
    for (const group of branch.groups) for (const inner of group.branches) visit(inner, spared || (group.held && !inner.held));
  };
  visit(explanation.root, false);
  return all;
}

/** Of several verdicts on one place the first of these is shown. */
const ORDER: Mark["look"][] = ["held", "missed", "near", "idle"];

/** What to draw on the two inputs; `text` is the event's. */
export function marks(explanation: Explanation, text: string): { pattern: Mark[]; event: Mark[] } {
  const pattern: Mark[] = [];
  const event: Mark[] = [];
  const looks = new Map<string, Mark["look"]>();
  const see = (start: number, end: number, look: Mark["look"], link: number) => {
    // Of a whole object or list its bracket is enough.
    const until = end - start > 200 || text.slice(start, end).includes("\n") ? start + 1 : end;
    const key = `${start} ${until}`;
    const before = looks.get(key);
    if (!before || ORDER.indexOf(look) < ORDER.indexOf(before)) looks.set(key, look);
    event.push({ start, end: until, look, link });
  };
  for (const { field, link, spared } of linked(explanation).values()) {
    if (field.overriddenBy) continue;
    const failed = field.held || spared ? "idle" : "missed";
    for (const { start, end, held } of field.tests) pattern.push({ start, end, link, look: held ? "held" : failed });
    for (const { place, held } of field.values) see(place.start, place.end, held ? "held" : failed, link);
    const place = field.misses[0]?.place;
    if (place && !field.values.some((value) => value.place.start === place.start)) see(place.start, place.end, "near", link);
  }
  for (const mark of event) mark.look = looks.get(`${mark.start} ${mark.end}`) ?? mark.look;
  return { pattern, event };
}

export interface Actions {
  light: (links: ReadonlySet<number>) => void;
  visit: (field: Field) => void;
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function glyph(held: boolean, words: [string, string] = ["matches", "does not match"]): HTMLElement {
  return h("span", { class: `glyph ${held ? "is-held" : "is-missed"}`, role: "img", "aria-label": held ? words[0] : words[1] }, held ? "✓" : "✗");
}

class Report {
  constructor(private readonly explanation: Explanation, private readonly pattern: string, private readonly actions: Actions, private readonly links: Map<Field, Linked>) {}

  root(): HTMLElement {
    return this.branch(this.explanation.root);
  }

  private branch(branch: Branch): HTMLElement {
    const items: { at: number; element: HTMLElement }[] = branch.fields.map((field) => ({ at: field.start, element: this.field(field) }));
    items.push(...branch.groups.map((group) => ({ at: group.start, element: this.group(group) })));
    items.sort((a, b) => a.at - b.at);
    const conflicts = branch.conflicts.map((conflict) =>
      h("li", { class: "conflict" }, glyph(false, ["", "conflict"]), h("div", {}, h("p", { class: "why" }, prose(conflict.message)), conflict.help && h("p", { class: "help" }, prose(conflict.help)))),
    );
    return h("ul", { class: "fields" }, ...items.map(({ element }) => element), ...conflicts);
  }

  private group(group: Group): HTMLElement {
    const branches = group.branches.map((branch, index) =>
      h("li", { class: `branch ${branch.held ? "is-held" : "is-missed"}` }, h("p", { class: "branch-head" }, glyph(branch.held), `branch ${index + 1}`), this.branch(branch)),
    );
    const held = group.branches.filter((branch) => branch.held).length;
    const head = h("p", { class: "group-head" }, glyph(group.held), h("code", {}, "$or"), h("span", { class: "quiet" }, group.held ? `${held} of ${group.branches.length} branches match` : `none of ${group.branches.length} branches matches`));
    return h("li", { class: "group" }, head, h("ol", { class: "branches" }, ...branches));
  }

  private field(field: Field): HTMLElement {
    const entry = this.links.get(field);
    const link = entry?.link ?? -1;
    const dim = entry?.spared && !field.held ? " is-spared" : "";
    const tests = cut(this.pattern.slice(field.start, field.end).replace(/\s+/g, " "), 90);
    const light = () => this.actions.light(new Set([link]));
    const dark = () => this.actions.light(new Set());
    const button = h(
      "button",
      { type: "button", class: `field ${field.held ? "is-held" : "is-missed"}${dim}`, "data-field": link, mouseenter: light, mouseleave: dark, focus: light, blur: dark, click: () => this.actions.visit(field) },
      glyph(field.held),
      h("span", { class: "path" }, field.path || "(root)"),
      h("span", { class: "saw" }, ...this.saw(field)),
      h("code", { class: "tests" }, tests),
    );
    const [miss] = field.held ? [] : field.misses;
    const parts: (HTMLElement | null)[] = [button];
    if (field.overriddenBy) parts.push(h("p", { class: "why quiet" }, "replaced by a later array for the same path"));
    // What the verdict says above is not said again.
    else if (miss && !this.said(field, miss.message)) parts.push(h("p", { class: "why" }, prose(miss.message)), miss.help && miss.help !== this.explanation.help ? h("p", { class: "help" }, prose(miss.help)) : null);
    return h("li", { class: "field-item" }, ...parts);
  }

  private said(field: Field, message: string): boolean {
    const { summary, patternPlace } = this.explanation;
    if (summary.includes(message)) return true;
    return patternPlace !== null && field.start <= patternPlace.start && patternPlace.end <= field.end;
  }

  private saw(field: Field): (HTMLElement | string)[] {
    const { values, valueCount } = field;
    if (!values.length) return [h("span", { class: "quiet" }, "not in the event")];
    const ordered = [...values].sort((a, b) => Number(b.chosen) - Number(a.chosen) || Number(b.held) - Number(a.held));
    const shown = ordered.slice(0, 3).flatMap(({ text, held }) => [h("code", { class: held ? "is-held" : "" }, cut(text, 48)), " "]);
    return valueCount > 3 ? [...shown, h("span", { class: "quiet" }, `and ${valueCount - 3} more`)] : shown;
  }
}

/** The fields of an explanation as a list. */
export function report(explanation: Explanation, pattern: string, actions: Actions): HTMLElement {
  return new Report(explanation, pattern, actions, linked(explanation)).root();
}

/** The same for each filter of a subscriber; `whole` has the fields of all. */
export function reports(filters: FilterAnswer[], whole: Explanation, pattern: string, actions: Actions): HTMLElement[] {
  const links = linked(whole);
  return filters.map(({ filter, matched, explanation, reason }) =>
    h(
      "section",
      { class: "scope-report" },
      h("h4", {}, reason === null ? glyph(matched) : h("span", { class: "glyph is-open", role: "img", "aria-label": "not judged" }, "?"), filter.title, h("span", { class: "quiet" }, reason === null ? (matched ? "matches" : "does not match") : "not judged")),
      explanation ? new Report(explanation, pattern, actions, links).root() : h("p", { class: "why" }, prose(reason ?? "")),
    ),
  );
}

export interface Verdict {
  kind: "match" | "no-match" | "invalid" | "bad-event" | "undecided" | "empty";
  word: string;
  sentence: string;
  help: string | null;
}

/** The verdict in words. */
export function verdictOf(answer: Answer, invalid: { message: string; help: string | null } | null, words: { rule: string; event: string }, empty: { rule: boolean; event: boolean }): Verdict {
  const [rule, event] = [words.rule.toLowerCase(), words.event.toLowerCase()];
  if (empty.rule && empty.event) return { kind: "empty", word: "Paste what you have", sentence: `the ${rule} on one side, the ${event} on the other`, help: "Outputs of the AWS CLI, templates, Terraform, queue messages and log lines are recognized." };
  if (empty.rule) return { kind: "empty", word: `Paste the ${rule}`, sentence: `to see whether it matches this ${event}`, help: null };
  if (invalid) return { kind: "invalid", word: `Not a valid ${words.rule.toLowerCase()}`, sentence: invalid.message, help: invalid.help };
  if (empty.event) return { kind: "empty", word: `Paste the ${event}`, sentence: `the ${rule} is valid; an ${event} shows what it matches`.replace(/an (?=[^aeiou])/, "a "), help: null };
  if (answer.fault) return { kind: "bad-event", word: "Cannot be read", sentence: answer.fault.message, help: null };
  const { explanation, outcome, verdict } = answer;
  const matched = verdict === "match";
  const [, reason = ""] = /^(?:no match|match|undecided): (.*)$/s.exec(explanation?.summary ?? "") ?? [];
  if (verdict === "undecided") return { kind: "undecided", word: "Undecided", sentence: reason, help: explanation?.help ?? null };
  const word = matched ? "Match" : "No match";
  if (outcome && explanation && outcome.passes !== explanation.matched) {
    const sentence = outcome.passes ? "the filter's fields for the payload are ignored, because the payload has another format; all other fields match" : (outcome.reason ?? reason);
    return { kind: verdict === "match" ? "match" : "no-match", word, sentence, help: null };
  }
  if (!explanation) return { kind: "no-match", word, sentence: outcome?.reason ?? "", help: outcome?.metric ? `counted as \`${outcome.metric}\`` : null };
  // That SNS does not evaluate the policy at all says more than any field.
  if (!matched && outcome?.metric?.endsWith("NoMessageAttributes")) return { kind: "no-match", word, sentence: outcome.reason ?? reason, help: null };
  return { kind: matched ? "match" : "no-match", word, sentence: reason, help: explanation.help };
}
