// The side of the answer: the verdict with its buttons, findings, the explanation field by field, the service's limits.
import type { Finding, Inferred, Usage } from "../../pkg/eventrie.js";
import { announce, byId, h, prose } from "./dom.ts";
import { type Answer, fate } from "./engine.ts";
import { type Actions, report, reports, verdictOf } from "./explanation.ts";
import { findings, meters } from "./panels.ts";
import { SUBSCRIBER } from "./scopes.ts";
import { hasRecords, type State, wording } from "./state.ts";
import { type Offer, verdictElements } from "./verdict.ts";

/** Below this share of a limit, nobody has to think of it. */
const LOW = 0.5;
/** Of an event that is longer, changes are tried when the writer pauses. */
const LONG = 20_000;

export interface Situation {
  state: State;
  /** The text of the open rule. */
  rule: string;
  result: Answer;
  error: Finding | null;
  empty: { rule: boolean; event: boolean };
  /** The changes that would make the open event match, or come closer. */
  offers: () => Offer[];
}

export class AnswerSide {
  private spoken = "";
  private sentence = "";
  private offering = 0;

  constructor(private readonly actions: Actions & { apply: (fix: NonNullable<Finding["fix"]>) => void; show: (range: { start: number; end: number }) => void }) {
    const watch = new IntersectionObserver(([entry]) => byId("pill").classList.toggle("is-away", Boolean(entry?.isIntersecting)));
    watch.observe(byId("verdict"));
  }

  /** The answer as one line of Markdown with a link. */
  markdown(link: string): string {
    const sentence = this.sentence.replace(/\s*\n\s*/g, " ").replace(/([*_<\[\]])(?=(?:[^`]*`[^`]*`)*[^`]*$)/g, "\\$1");
    return `[${this.spoken}](${link})${sentence ? `: ${sentence}` : ""}`;
  }

  /** Shows the answer; what it is called in a title. */
  verdict({ state, rule, result, error, empty, offers }: Situation): { kind: string; word: string } {
    const shown = verdictOf(result, error, wording(state.dialect), empty);
    const lost = shown.kind === "no-match" && hasRecords(state.dialect) ? fate(state.source) : null;
    const element = byId("verdict");
    element.className = `verdict is-${shown.kind}`;
    this.sentence = lost && shown.sentence.endsWith(lost) ? shown.sentence.slice(0, -lost.length).replace(/:\s*$/, "") : shown.sentence;
    const { sentence } = this;
    const draw = (offers: Offer[]) => element.replaceChildren(...verdictElements({ ...shown, sentence, notes: result.notes, fate: lost, beware: state.source === "sqs", finding: error, offers }));
    // Trying changes takes a few more answers: on a large event only after the writer pauses.
    const later = (result.seen?.length ?? 0) > LONG && !error;
    draw(shown.kind === "empty" || later ? [] : offers());
    window.clearTimeout(this.offering);
    if (later && shown.kind === "no-match") this.offering = window.setTimeout(() => draw(offers()), 250);
    const pill = byId("pill");
    pill.className = `pill is-${shown.kind}`;
    pill.textContent = shown.word;
    if (this.spoken !== shown.word) announce(`${shown.word}. ${sentence}`);
    this.spoken = shown.word;
    const { explanation } = result;
    byId("fields-section").hidden = !explanation || empty.event;
    if (explanation) byId("fields").replaceChildren(...(state.dialect === SUBSCRIBER ? reports(result.filters, explanation, rule, this.actions) : [report(explanation, rule, this.actions)]));
    return shown;
  }

  /** The findings besides the one that the verdict speaks of, and what AWS answers. */
  findings(others: Finding[], isQuiet: boolean, service: string | null): void {
    byId("findings-title").textContent = isQuiet ? "Worth knowing" : `${others.length} more`;
    byId("findings-section").hidden = others.length === 0;
    byId("findings-section").classList.toggle("is-quiet", isQuiet);
    byId("findings").replaceChildren(...findings(others, ({ fix }) => fix && this.actions.apply(fix), (finding) => this.actions.show(finding)));
    const message = byId("service-message");
    message.hidden = service === null;
    message.replaceChildren(h("span", { class: "quiet" }, "AWS answers "), h("code", {}, service ?? ""));
  }

  limits(usage: Usage[]): void {
    const high = usage.filter(({ used, most }) => used === null || used / most >= LOW);
    const low = usage.filter((one) => !high.includes(one));
    byId("limits-section").hidden = usage.length === 0;
    byId("meters").replaceChildren(...meters(high));
    byId("low-limits").hidden = low.length === 0;
    byId("low-summary").textContent = `${high.length ? "Other limits" : "Limits"} of the service: ${low.length === 1 ? "below half" : `all ${low.length} below half`}`;
    byId("low-meters").replaceChildren(...meters(low));
  }

  /** Why a proposed pattern is as it is. */
  choices(inferred: Inferred | null): void {
    byId("choices-section").hidden = !inferred;
    if (!inferred) return;
    byId("inferred").replaceChildren(
      ...inferred.choices.map(({ path, kept, reason }) => h("li", { class: kept ? "is-kept" : "is-left" }, h("code", {}, path), h("span", {}, kept ? "kept" : "dropped"), h("span", { class: "quiet" }, prose(reason)))),
    );
  }
}
