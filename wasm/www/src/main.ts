// Puts the page together: texts in, answers out.
import type { Diagnostic } from "@codemirror/lint";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { Finding, Inferred } from "../../pkg/eventrie.js";
import { AttributeForm } from "./attributes.ts";
import { startCopyAs, startExamples, startKeys } from "./dialogs.ts";
import { announce, byId, copy, h, prose, toast } from "./dom.ts";
import { Editor } from "./editor.ts";
import { type Answer, answer, fate, judge, sample, start, suggest, type Verdict, verdict } from "./engine.ts";
import { filters, first } from "./examples.ts";
import { linked, marks, report, verdictOf } from "./explanation.ts";
import { prettyOr, several } from "./json-text.ts";
import { findings, matrix, meters } from "./panels.ts";
import { decode, encode } from "./permalink.ts";
import { DIALECTS, hasRecords, sound, SOURCES, type State, wording } from "./state.ts";
import { Tabs } from "./tabs.ts";
import { startTheme } from "./theme.ts";

const STORED = "eventrie-open";

class Page {
  state: State = first();
  /** By event and rule; null where it is not computed yet. */
  private verdicts: (Verdict | null)[][] = [];
  private form = true;
  private inferred: Inferred | null = null;
  private spoken = "";
  private deferred = 0;
  private readonly pattern: Editor;
  private readonly event: Editor;
  private readonly seen: Editor;
  private readonly attributes: AttributeForm;
  private readonly rules: Tabs;
  private readonly events: Tabs;

  constructor() {
    const keys = (across: () => boolean) =>
      Prec.high(
        keymap.of([
          { key: "Alt-Enter", run: () => this.fixAtCursor() },
          { key: "Mod-Enter", run: across },
          { key: "Mod-Alt-f", run: () => this.format() },
        ]),
      );
    this.pattern = new Editor({ parent: byId("rule-editor"), label: "Pattern", keys: keys(() => this.cross("pattern")), onChange: (text) => this.edited({ rule: text }), onLink: (links) => this.light(links, "pattern") });
    this.event = new Editor({ parent: byId("event-editor"), label: "Event", keys: keys(() => this.cross("event")), onChange: (text) => this.edited({ event: text }), onLink: (links) => this.light(links, "event") });
    this.seen = new Editor({ parent: byId("seen-editor"), label: "What the filter sees", readOnly: true, keys: keys(() => this.cross("event")), onLink: (links) => this.light(links, "event") });
    this.attributes = new AttributeForm((text) => {
      this.event.load(text);
      this.edited({ event: text });
    });
    byId("event-form").append(this.attributes.element);
    this.rules = new Tabs(byId("rules"), "rule-editor", (index) => this.open({ ...this.state, rule: index }));
    this.events = new Tabs(byId("events"), "event-editor", (index) => this.open({ ...this.state, event: index }));
    this.listen();
  }

  private get rule(): State["rules"][number] {
    return this.state.rules[this.state.rule] ?? { name: "", text: "" };
  }

  private get eventText(): string {
    return this.state.events[this.state.event] ?? "";
  }

  /** The text that explanations are drawn on. */
  private get target(): Editor {
    return this.isProjected ? this.seen : this.event;
  }

  private get isProjected(): boolean {
    return hasRecords(this.state.dialect) || this.state.dialect === "sns-attributes";
  }

  /** Shows another state as a whole. */
  open(state: State, keep = true): void {
    const before = this.state;
    this.state = state;
    if (!keep || before.dialect !== state.dialect || before.source !== state.source || before.rules !== state.rules || before.events !== state.events) {
      this.verdicts = state.events.map(() => state.rules.map(() => null));
    }
    this.inferred = null;
    this.pattern.load(this.rule.text);
    this.event.load(this.eventText);
    this.chrome();
    this.update();
  }

  /** What does not change while someone types. */
  private chrome(): void {
    const { dialect, source, rules, events } = this.state;
    const words = wording(dialect);
    byId<HTMLSelectElement>("dialect").value = dialect;
    byId<HTMLSelectElement>("source").value = source;
    byId("source-choice").hidden = !hasRecords(dialect);
    byId("rule-title").textContent = words.rule;
    byId("event-title").textContent = words.event;
    byId("rule-add").setAttribute("aria-label", `Add a ${words.rule.toLowerCase()}`);
    byId("event-add").setAttribute("aria-label", `Add another ${words.event.toLowerCase()}`);
    byId("seen-title").textContent = dialect === "sns-attributes" ? "What the policy sees" : "What the filter sees";
    byId("sample").textContent = `Sample ${words.event.toLowerCase()} for this pattern`;
    byId("infer").textContent = events.length > 1 ? `Pattern from these ${events.length} ${words.event.toLowerCase()}s`.replace("bodys", "bodies") : `Pattern from this ${words.event.toLowerCase()}`;
    byId("rule-remove").hidden = rules.length < 2;
    byId("event-remove").hidden = events.length < 2;
    byId<HTMLInputElement>("rule-name").value = this.rule.name;
  }

  private edited({ rule, event }: { rule?: string; event?: string }): void {
    if (rule !== undefined) {
      this.rule.text = rule;
      for (const row of this.verdicts) row[this.state.rule] = null;
    }
    if (event !== undefined) {
      this.state.events[this.state.event] = event;
      this.verdicts[this.state.event] = this.state.rules.map(() => null);
    }
    this.inferred = null;
    // Behind the editor's own update, but before the browser paints.
    queueMicrotask(() => this.update());
  }

  /** Computes and shows the answer to what is open; all others follow when there is time. */
  private update(): void {
    const begun = performance.now();
    const judged = judge(this.rule.text, this.state);
    const result = answer(this.rule.text, this.eventText, this.state);
    const row = this.verdicts[this.state.event];
    if (row) row[this.state.rule] = judged.check.valid ? result.verdict : "bad-rule";
    this.showFindings(judged.check.findings, judged.check.serviceMessage);
    byId("meters").replaceChildren(...meters(judged.check.usage));
    byId("limits-section").hidden = judged.check.usage.length === 0;
    this.showSeen(result);
    this.showAnswer(result, judged.check.findings);
    this.showTabs();
    this.defer();
    // For whoever looks at the page's timeline; only the last one is kept.
    performance.clearMeasures("answer");
    performance.measure("answer", { start: begun });
  }

  private showSeen(result: Answer): void {
    const attributes = this.state.dialect === "sns-attributes";
    byId("seen").hidden = !this.isProjected || result.seen === null;
    if (this.isProjected && result.seen !== null) this.seen.load(result.seen);
    const form = attributes && this.form && this.attributes.show(this.eventText);
    byId("event-form").hidden = !form;
    byId("event-editor").hidden = form;
    byId("event-format").hidden = form;
    byId("form-switch").hidden = !attributes;
    byId("form-switch").textContent = form ? "As JSON" : "As a form";
    byId("split").hidden = true;
    if (this.eventText.length < 1_000_000) {
      const parts = this.parts();
      byId("split").hidden = parts.length === 0;
      byId("split").textContent = `Split into ${parts.length}`;
    }
  }

  /** The events or records of a text that holds several. */
  private parts(): string[] {
    const text = this.eventText;
    const head = text.trimStart();
    if (this.state.dialect === "eventbridge" || this.state.dialect === "sns-body") {
      // A single object is the usual case; what follows its end is looked for only where its layout hints at more.
      if (head.startsWith("[") || /\}\s*\n\s*\{/.test(text)) return several(text);
      return [];
    }
    if (hasRecords(this.state.dialect)) {
      if (head.startsWith("[")) return several(text);
      const list = /^\{\s*"(?:Records|records|messages)"\s*:\s*(?=\[)/.exec(head);
      if (list) return several(head.slice(list[0].length, head.lastIndexOf("]") + 1));
    }
    return [];
  }

  private showFindings(found: Finding[], service: string | null): void {
    const diagnostics = found.map((finding): Diagnostic => {
      const { start, end, severity, message, label, fix, code } = finding;
      return {
        from: start,
        to: Math.max(end, start),
        severity: severity === "note" ? "info" : severity,
        source: code,
        message: label ? `${message}: ${label}` : message,
        actions: fix ? [{ name: fix.title, apply: () => this.apply(finding) }] : [],
      };
    });
    const carets = found.filter(({ severity }) => severity === "error").map(({ start, end, label, message, severity }) => ({ start, end, severity, text: label || message }));
    this.pattern.diagnose(diagnostics, carets);
    byId("findings-section").hidden = found.length === 0;
    byId("findings-section").classList.toggle("is-quiet", carets.length === 0);
    byId("findings").replaceChildren(...findings(found, (finding) => this.apply(finding), ({ start, end }) => this.pattern.visit(start, end)));
    const message = byId("service-message");
    message.hidden = service === null;
    message.replaceChildren(h("span", { class: "quiet" }, "The service answers "), h("code", {}, service ?? ""));
  }

  private showAnswer(result: Answer, found: Finding[]): void {
    const words = wording(this.state.dialect);
    const error = found.find(({ severity }) => severity === "error");
    const shown = verdictOf(result, error ?? null, words);
    const lost = shown.kind === "no-match" && hasRecords(this.state.dialect) ? fate(this.state.source) : null;
    const element = byId("verdict");
    element.className = `verdict is-${shown.kind}`;
    const sentence = lost && shown.sentence.endsWith(lost) ? shown.sentence.slice(0, -lost.length).replace(/:\s*$/, "") : shown.sentence;
    element.replaceChildren(
      h("p", { class: "sentence" }, h("em", {}, shown.word), sentence ? " — " : "", prose(sentence)),
      ...(shown.help ? [h("p", { class: "help" }, prose(shown.help))] : []),
      ...(lost ? [h("p", { class: "fate" }, this.state.source === "sqs" ? "Beware: " : "Then ", lost)] : []),
    );
    const pill = byId("pill");
    pill.className = `pill is-${shown.kind}`;
    pill.textContent = shown.word;
    if (this.spoken !== shown.word) announce(`${shown.word}. ${sentence}`);
    this.spoken = shown.word;
    const { explanation } = result;
    byId("fields-section").hidden = !explanation;
    const drawn = explanation ? marks(explanation, result.seen ?? "") : { pattern: [], event: [] };
    this.pattern.marks(error ? [] : drawn.pattern);
    this.event.marks(this.target === this.event ? drawn.event : []);
    this.seen.marks(this.target === this.seen ? drawn.event : []);
    const fault = result.fault?.place;
    this.event.diagnose(fault ? [{ from: fault.start, to: fault.end, severity: "error", message: result.fault?.message ?? "" }] : [], fault ? [{ ...fault, severity: "error", text: result.fault?.message ?? "" }] : []);
    if (explanation) {
      const actions = { light: (links: ReadonlySet<number>) => this.light(links, "list"), visit: ({ start }: { start: number }) => this.pattern.visit(start) };
      byId("fields").replaceChildren(report(explanation, this.rule.text, actions));
    }
    byId("choices-section").hidden = !this.inferred;
    if (this.inferred) {
      byId("inferred").replaceChildren(
        ...this.inferred.choices.map(({ path, kept, reason }) => h("li", { class: kept ? "is-kept" : "is-left" }, h("code", {}, path), h("span", {}, kept ? "kept" : "left out"), h("span", { class: "quiet" }, prose(reason)))),
      );
    }
  }

  private showTabs(): void {
    const { rules, events, rule, event } = this.state;
    const words = wording(this.state.dialect);
    this.rules.show(rules.map(({ name }, index) => ({ label: name || `${words.rule} ${index + 1}`, verdict: this.verdicts[event]?.[index] ?? null })), rule);
    this.events.show(events.map((text, index) => ({ label: labelOf(text, index, words.event), verdict: this.verdicts[index]?.[rule] ?? null })), event);
  }

  /** Fills in the answers that nobody waits for, in slices that leave frames alone. */
  private defer(): void {
    window.clearTimeout(this.deferred);
    this.deferred = window.setTimeout(() => {
      const until = performance.now() + 8;
      const { rules, events } = this.state;
      for (const [at, row] of this.verdicts.entries()) {
        for (const [column, known] of row.entries()) {
          if (known) continue;
          if (performance.now() > until) return this.defer();
          row[column] = verdict(rules[column]?.text ?? "", events[at] ?? "", this.state);
        }
      }
      this.showTabs();
      this.showMatrix();
      this.store();
    }, 30);
  }

  private showMatrix(): void {
    const { rules, events, rule, event } = this.state;
    const many = rules.length > 1 || events.length > 1;
    byId("matrix-section").hidden = !many;
    if (!many) return;
    // Many rules need the whole width.
    const section = byId("matrix-section");
    const home = rules.length > 5 ? byId("answer") : byId("side");
    if (section.parentElement !== home) home.append(section);
    const words = wording(this.state.dialect);
    const table = matrix(
      rules.map(({ name }, index) => name || `${words.rule} ${index + 1}`),
      events.map((text, index) => labelOf(text, index, words.event)),
      this.verdicts.map((row) => row.map((one) => one ?? "bad-rule")),
      { rule, event },
      (cell) => this.open({ ...this.state, ...cell }),
    );
    const scroll = byId("matrix");
    const { scrollLeft, scrollTop } = scroll;
    const focused = scroll.contains(document.activeElement);
    scroll.replaceChildren(table);
    scroll.scrollTo(scrollLeft, scrollTop);
    if (focused) scroll.querySelector<HTMLElement>(".cell.is-open")?.focus();
  }

  private light(links: ReadonlySet<number>, from: "pattern" | "event" | "list"): void {
    this.pattern.light(links);
    this.target.light(links);
    for (const row of document.querySelectorAll<HTMLElement>("[data-field]")) row.classList.toggle("lit", links.has(Number(row.dataset.field)));
    if (!links.size) return;
    if (from !== "pattern") this.pattern.reveal(links);
    if (from !== "event") this.target.reveal(links);
  }

  /** From a test to the value it looked at, and back. */
  private cross(from: "pattern" | "event"): boolean {
    const { explanation } = answer(this.rule.text, this.eventText, this.state);
    if (!explanation) return false;
    const here = from === "pattern" ? this.pattern : this.target;
    const place = here.view.state.selection.main.head;
    const inside = ({ start, end }: { start: number; end: number }) => start <= place && place <= end;
    for (const { field, link } of linked(explanation).values()) {
      const values = [...field.values.map((value) => value.place), ...field.misses.flatMap((miss) => miss.place ?? [])];
      const [hit, to] = from === "pattern" ? [inside(field) || inside(field.key), values[0]] : [values.some(inside), field];
      if (!hit) continue;
      if (to) (from === "pattern" ? this.target : this.pattern).visit(to.start, to.end);
      else toast("this field is not in the event");
      this.light(new Set([link]), "list");
      return true;
    }
    return false;
  }

  private apply({ fix }: Finding): void {
    if (!fix) return;
    this.pattern.replace(fix.start, fix.end, fix.replacement);
    this.pattern.view.focus();
    announce("fix applied");
  }

  private fixAtCursor(): boolean {
    const { findings: found } = judge(this.rule.text, this.state).check;
    const place = this.pattern.view.state.selection.main.head;
    const fixable = found.filter(({ fix }) => fix);
    const chosen = fixable.find(({ start, end }) => start <= place && place <= end) ?? fixable[0];
    if (chosen) this.apply(chosen);
    return Boolean(chosen);
  }

  private format(): boolean {
    const inEvent = this.event.view.hasFocus;
    const editor = inEvent ? this.event : this.pattern;
    const next = prettyOr(editor.text);
    if (next !== editor.text) editor.replace(0, editor.text.length, next);
    return true;
  }

  private async share(): Promise<void> {
    const fragment = await encode(this.state);
    history.replaceState(null, "", fragment);
    const note = fragment.length > 30_000 ? "Link copied. It is long: some programs cut links" : "Link copied";
    await copy(location.href, note);
  }

  private store(): void {
    try {
      const text = JSON.stringify(this.state);
      if (text.length < 1_000_000) localStorage.setItem(STORED, text);
    } catch {
      // A browser that keeps nothing forgets it.
    }
  }

  private listen(): void {
    const on = (id: string, run: () => void) => byId(id).addEventListener("click", run);
    const dialect = byId<HTMLSelectElement>("dialect");
    dialect.append(...DIALECTS.map(({ name, title }) => h("option", { value: name }, title)));
    dialect.addEventListener("change", () => this.open({ ...this.state, dialect: dialect.value as State["dialect"] }));
    const source = byId<HTMLSelectElement>("source");
    source.append(...SOURCES.map(({ name, title }) => h("option", { value: name }, title)));
    source.addEventListener("change", () => this.open({ ...this.state, source: source.value as State["source"] }));
    on("rule-add", () => this.addRule());
    on("event-add", () => this.addEvent("{\n  \n}"));
    on("rule-remove", () => this.removeRule());
    on("event-remove", () => this.removeEvent());
    on("rule-format", () => this.formatOf(this.pattern));
    on("event-format", () => this.formatOf(this.event));
    on("infer", () => this.infer());
    on("sample", () => this.sample());
    on("split", () => this.split());
    on("form-switch", () => {
      this.form = byId("event-form").hidden === true;
      this.update();
      if (this.form && byId("event-form").hidden) toast("this text is no list of attributes");
    });
    on("share", () => void this.share());
    byId<HTMLInputElement>("rule-name").addEventListener("input", ({ target }) => {
      this.rule.name = (target as HTMLInputElement).value;
      this.showTabs();
      this.defer();
    });
    this.pattern.view.contentDOM.addEventListener("paste", (event) => this.pasted(event));
    window.addEventListener("hashchange", () => void decode(location.hash).then((state) => state && this.open(state, false)));
    startExamples((state) => this.open(state, false));
    startCopyAs(() => this.state);
    startKeys();
  }

  /** A whole set of filter criteria, pasted, becomes its filters. */
  private pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!hasRecords(this.state.dialect) || !text.includes('"Filters"')) return;
    const found = filters(text, this.rule.name);
    if (found.length === 1 && found[0]?.text === text) return;
    event.preventDefault();
    this.open({ ...this.state, rules: found, rule: 0 });
    toast(`${found.length} filters`);
  }

  private addRule(): void {
    const words = wording(this.state.dialect).rule.toLowerCase();
    const rules = [...this.state.rules, { name: `${words}-${this.state.rules.length + 1}`, text: "{\n  \n}" }];
    this.open({ ...this.state, rules, rule: rules.length - 1 });
    this.pattern.visit(4);
  }

  private removeRule(): void {
    const rules = this.state.rules.filter((_, index) => index !== this.state.rule);
    this.open({ ...this.state, rules, rule: Math.max(0, this.state.rule - 1) });
  }

  private addEvent(text: string): void {
    const events = [...this.state.events, text];
    this.open({ ...this.state, events, event: events.length - 1 });
    if (byId("event-form").hidden) this.event.visit(4);
  }

  private removeEvent(): void {
    const events = this.state.events.filter((_, index) => index !== this.state.event);
    this.open({ ...this.state, events, event: Math.max(0, this.state.event - 1) });
  }

  private formatOf(editor: Editor): void {
    const next = prettyOr(editor.text);
    if (next !== editor.text) editor.replace(0, editor.text.length, next);
  }

  private infer(): void {
    const inferred = suggest(this.state.events, this.state);
    if (typeof inferred === "string") return toast(`no pattern: ${inferred}`);
    this.pattern.replace(0, this.pattern.text.length, inferred.pattern);
    queueMicrotask(() => {
      this.inferred = inferred;
      this.update();
    });
  }

  private sample(): void {
    const text = sample(this.rule.text, this.state);
    if (text === null) return toast("no event was found that this pattern matches");
    this.addEvent(text);
  }

  private split(): void {
    const parts = this.parts().map(prettyOr);
    const events = [...this.state.events];
    events.splice(this.state.event, 1, ...parts);
    this.open({ ...this.state, events });
  }
}

/** What to call an event in a list. */
function labelOf(text: string, index: number, noun: string): string {
  const head = text.slice(0, 2_000);
  for (const key of ["detail-type", "eventName", "messageId", "partitionKey", "topic", "eventID", "messageID"]) {
    const found = new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]{1,60})"`).exec(head)?.[1];
    if (found) return `${index + 1} · ${found}`;
  }
  return `${noun} ${index + 1}`;
}

function stored(): State | null {
  try {
    return sound(JSON.parse(localStorage.getItem(STORED) ?? "null"));
  } catch {
    return null;
  }
}

startTheme();
await start();
const page = new Page();
page.open((await decode(location.hash)) ?? stored() ?? first(), false);
document.documentElement.dataset.ready = "true";
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js");
