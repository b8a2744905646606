// The answers of all rules to all events: those of the open tabs at once, all others when there is time.
import { byId } from "./dom.ts";
import { type Verdict, verdict } from "./engine.ts";
import { labelOf } from "./events.ts";
import { type Cell, matrix } from "./panels.ts";
import { type State, wording } from "./state.ts";
import { Tabs } from "./tabs.ts";

/** Milliseconds of a slice of work that leaves frames alone, and of the pause before it. */
const SLICE = 8;
const PAUSE = 30;

export class AllAnswers {
  /** By event and rule; null where it is not computed yet. */
  private verdicts: (Verdict | null)[][] = [];
  private deferred = 0;
  private readonly rules: Tabs;
  private readonly events: Tabs;

  /** `done` is called when everything is computed. */
  constructor(
    private readonly state: () => State,
    private readonly open: (cell: Partial<Cell>) => void,
    private readonly done: () => void,
  ) {
    this.rules = new Tabs(byId("rules"), "rule-editor", (rule) => open({ rule }));
    this.events = new Tabs(byId("events"), "event-editor", (event) => open({ event }));
  }

  get isEmpty(): boolean {
    return this.verdicts.length === 0;
  }

  /** Nothing is known any more. */
  forget(): void {
    const { rules, events } = this.state();
    this.verdicts = events.map(() => rules.map(() => null));
  }

  forgetRule(): void {
    for (const row of this.verdicts) row[this.state().rule] = null;
  }

  forgetEvent(): void {
    const { rules, event } = this.state();
    this.verdicts[event] = rules.map(() => null);
  }

  /** The answer of the open rule to the open event. */
  set(found: Verdict): void {
    const { rule, event } = this.state();
    const row = this.verdicts[event];
    if (row) row[rule] = found;
  }

  showTabs(): void {
    const { rules, events, rule, event, dialect } = this.state();
    const words = wording(dialect);
    this.rules.show(rules.map(({ name }, index) => ({ label: name || `${words.rule} ${index + 1}`, verdict: this.verdicts[event]?.[index] ?? null })), rule);
    this.events.show(events.map((text, index) => ({ label: labelOf(text, index, words.event), verdict: this.verdicts[index]?.[rule] ?? null })), event);
  }

  /** Fills in the answers that nobody waits for, in slices that leave frames alone. */
  defer(): void {
    window.clearTimeout(this.deferred);
    this.deferred = window.setTimeout(() => {
      const until = performance.now() + SLICE;
      const state = this.state();
      for (const [at, row] of this.verdicts.entries()) {
        for (const [column, known] of row.entries()) {
          if (known) continue;
          if (performance.now() > until) return this.defer();
          row[column] = verdict(state.rules[column]?.text ?? "", state.events[at] ?? "", state);
        }
      }
      this.showTabs();
      this.showMatrix();
      this.done();
    }, PAUSE);
  }

  private showMatrix(): void {
    const { rules, events, rule, event, dialect } = this.state();
    // Of a single rule the tabs of the events say it all.
    const many = rules.length > 1;
    byId("matrix-section").hidden = !many;
    byId("texts").classList.toggle("has-matrix", many);
    if (!many) return;
    const words = wording(dialect);
    const matched = this.verdicts.flat().filter((one) => one === "match").length;
    byId("matrix-count").textContent = `${rules.length} × ${events.length}, ${matched} ${matched === 1 ? "match" : "matches"}`;
    const table = matrix(
      rules.map(({ name }, index) => name || `${words.rule} ${index + 1}`),
      events.map((text, index) => labelOf(text, index, words.event)),
      this.verdicts.map((row) => row.map((one) => one ?? "empty")),
      { rule, event },
      (cell) => this.open(cell),
    );
    const scroll = byId("matrix");
    const { scrollLeft, scrollTop } = scroll;
    const focused = scroll.contains(document.activeElement);
    scroll.replaceChildren(table);
    scroll.scrollTo(scrollLeft, scrollTop);
    if (focused) scroll.querySelector<HTMLElement>(".cell.is-open")?.focus();
  }
}
