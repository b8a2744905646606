// The buttons under the verdict: changes that were tried, and make the open event match or come closer.
import type { Finding } from "../../pkg/eventrie.js";
import { type Answer, nearness } from "./engine.ts";
import { prettyOr } from "./json-text.ts";
import { loose } from "./loose.ts";
import { type Change, changes } from "./remedy.ts";
import { moved } from "./scopes.ts";
import type { State } from "./state.ts";
import { type Offer, offersOf } from "./verdict.ts";

interface Judged {
  result: Answer;
  error: Finding | null;
  state: State;
  rule: string;
  event: string;
}

/** `apply` changes the pattern, `rewrite` the event. */
export function offers({ result, error, state, rule, event }: Judged, apply: (change: Pick<Change, "start" | "end" | "replacement">) => void, rewrite: (text: string) => void): Offer[] {
  if (error) return error.fix ? offersOf([error.fix], apply) : [];
  const almost = result.fault ? loose(event) : null;
  if (almost) return [{ title: `Rewrite ${almost.kind} as JSON`, run: () => rewrite(prettyOr(almost.json)) }];
  const { explanation, seen } = result;
  if (!explanation || seen === null) return [];
  // Of a subscriber one filter is changed: the first that fails.
  for (const { filter, own } of result.filters) {
    if (!own || own.explanation.matched) continue;
    const setting = { dialect: filter.dialect, source: state.source };
    const tried = changes(own.explanation, filter.text, own.part, (text) => nearness(text, own.part, setting));
    return offersOf(tried.map((change) => moved(change, filter.start)), apply);
  }
  return offersOf(changes(explanation, rule, seen, (text) => nearness(text, seen, state)), apply);
}
