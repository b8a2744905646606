// The answer to what is open: computed, and shown in all that needs no editor.
import type { Finding } from "../../pkg/eventrie.js";
import type { AnswerSide } from "./answer-side.ts";
import { type Answer, answer, type Judged, judge } from "./engine.ts";
import { offers } from "./offers.ts";
import type { Change } from "./remedy.ts";
import type { Rule, State } from "./state.ts";
import { wording } from "./state.ts";

const TITLE = document.title;

export interface Answered {
  judged: Judged;
  result: Answer;
  found: Finding[];
  /** The finding that the verdict speaks of. */
  error: Finding | null;
  empty: { rule: boolean; event: boolean };
}

/** What the buttons of an answer do. */
export interface Edits {
  apply: (change: Pick<Change, "start" | "end" | "replacement">) => void;
  rewrite: (event: string) => void;
}

export function openRule({ rules, rule }: State): Rule {
  return rules[rule] ?? { name: "", text: "" };
}

export function openEvent({ events, event }: State): string {
  return events[event] ?? "";
}

/** Computes the answer to the open rule and the open event, and shows it. */
export function answering(shown: AnswerSide, state: State, { apply, rewrite }: Edits): Answered {
  const { name, text: rule } = openRule(state);
  const event = openEvent(state);
  const judged = judge(rule, state);
  const result = answer(rule, event, state);
  const empty = { rule: !rule.replaceAll("\0", "").trim(), event: !event.trim() };
  const found = empty.rule ? [] : judged.check.findings;
  const error = found.find(({ severity }) => severity === "error") ?? null;
  shown.findings(found.filter((finding) => finding !== error), !error, empty.rule ? null : judged.check.serviceMessage);
  shown.limits(empty.rule ? [] : judged.check.usage);
  const { kind, word } = shown.verdict({ state, rule, result, error, empty, offers: () => offers({ result, error, state, rule, event }, apply, rewrite) });
  document.title = kind === "empty" ? TITLE : `${word} · ${name || wording(state.dialect).rule} · ${TITLE}`;
  return { judged, result, found, error, empty };
}
