// The page as a whole: inputs in, answers out.
import type { Diagnostic } from "@codemirror/lint";
import { Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { Finding, Inferred } from "../../pkg/eventrie.js";
import { Addresses } from "./addresses.ts";
import { AllAnswers } from "./all-answers.ts";
import type { AnswerSide } from "./answer-side.ts";
import { type Answered, answering, openEvent, openRule } from "./answering.ts";
import { chrome, placeholders } from "./chrome.ts";
import { startCopyAs, startExamples, startKeys } from "./dialogs.ts";
import { announce, byId, copy, toast } from "./dom.ts";
import type { Editor } from "./editor.ts";
import { type Answer, answer, isValid, judge, sample, suggest } from "./engine.ts";
import { EventSide } from "./event-side.ts";
import { partsOf } from "./events.ts";
import { linked, marks } from "./explanation.ts";
import { prettyOr } from "./json-text.ts";
import { hideNotice, showNotice } from "./notice.ts";
import { PatternSide, scopeLooks } from "./pattern-side.ts";
import { type Recognized, recognize } from "./recognize.ts";
import type { Change } from "./remedy.ts";
import { SUBSCRIBER } from "./scopes.ts";
import { blank, converted, counted, type State, wording } from "./state.ts";
import { greeted, store } from "./store.ts";
import { isTemplate, readTemplate } from "./templates.ts";

export class Page {
  private inferred: Inferred | null = null;
  /** Whether it is somebody else's, or an example: then nothing of one's own is overwritten until it is edited. */
  private foreign = true;
  private readonly pattern: PatternSide;
  private readonly event: EventSide;
  private readonly all: AllAnswers;
  readonly addresses: Addresses;

  /** The inputs of `state` are in the editors then, and not yet answered. */
  constructor(
    private readonly shown: AnswerSide,
    public state: State,
  ) {
    const keys = (across: () => boolean) =>
      Prec.high(
        keymap.of([
          { key: "Alt-Enter", run: () => this.fixAtCursor() },
          { key: "Mod-Enter", run: across },
          { key: "Mod-Alt-f", run: () => this.format() },
        ]),
      );
    const hints = placeholders(state);
    this.pattern = new PatternSide({
      text: this.rule.text,
      hint: hints.rule,
      scoped: this.isScoped,
      keys: keys(() => this.cross("pattern")),
      onChange: (text) => this.edited({ rule: text }),
      onLink: (links) => this.light(links, "pattern"),
      onPaste: (event, editor, alone) => this.pasted(event, "rule", editor, alone),
    });
    this.event = new EventSide({
      text: this.eventText,
      hint: hints.event,
      keys: keys(() => this.cross("event")),
      onChange: (text) => this.edited({ event: text }),
      onLink: (links) => this.light(links, "event"),
      onPaste: (event, editor) => this.pasted(event, "event", editor, true),
    });
    this.all = new AllAnswers(
      () => this.state,
      (cell) => this.open({ ...this.state, ...cell }),
      () => this.leave(),
    );
    const page = this;
    this.addresses = new Addresses({
      get state() {
        return page.state;
      },
      get isBlank() {
        return page.all.isEmpty;
      },
      open: (state) => this.openForeign(state),
      update: () => this.update(),
      fresh: () => this.fresh(),
    });
    this.listen();
  }

  private get rule(): State["rules"][number] {
    return openRule(this.state);
  }

  private get eventText(): string {
    return openEvent(this.state);
  }

  private get isScoped(): boolean {
    return this.state.dialect === SUBSCRIBER;
  }

  /** Shows another state as a whole. */
  open(state: State, keep = true): void {
    const before = this.state;
    this.state = state;
    if (keep) this.own();
    if (!keep || before.dialect !== state.dialect || before.source !== state.source || before.rules !== state.rules || before.events !== state.events) this.all.forget();
    this.inferred = null;
    this.pattern.layout(this.isScoped);
    this.pattern.load(this.rule.text);
    this.event.load(this.eventText);
    chrome(state);
    this.hint();
    this.update();
  }

  private hint(): void {
    const { rule, event } = placeholders(this.state);
    this.pattern.placeholder(rule);
    this.event.placeholder(event);
  }

  /** Shows what is somebody else's, or an example. */
  private openForeign(state: State): void {
    this.foreign = true;
    this.open(state, false);
  }

  /** From now on this is the visitor's own work: kept in the browser, and in the address if that contains a link. */
  private own(): void {
    this.foreign = false;
    this.addresses.edited();
  }

  private leave(): void {
    if (!this.foreign) store(this.state);
  }

  private edited({ rule, event }: { rule?: string; event?: string }): void {
    if (rule !== undefined) {
      this.rule.text = rule;
      this.all.forgetRule();
    }
    if (event !== undefined) {
      this.state.events[this.state.event] = event;
      this.all.forgetEvent();
    }
    this.own();
    this.inferred = null;
    // After the editor's own update, but before the browser paints.
    queueMicrotask(() => this.update());
  }

  /** Shows on the editors, and in the lists of all answers, what was answered to the first state. */
  begin(answered: Answered | null): void {
    this.all.forget();
    if (answered) this.drawn(answered);
    else this.update();
  }

  /** Computes and shows the answer to what is open; all others follow when there is time. */
  private update(): void {
    const begun = performance.now();
    const { state } = this;
    this.drawn(answering(this.shown, state, { apply: (change) => this.apply(change), rewrite: (text) => this.rewrite(text) }));
    this.shown.choices(this.inferred);
    // For the browser's timeline; only the last one is kept.
    performance.clearMeasures("answer");
    performance.measure("answer", { start: begun });
  }

  private drawn({ judged, result, found, error, empty }: Answered): void {
    this.all.set(empty.rule || empty.event ? "empty" : judged.check.valid ? result.verdict : "bad-rule");
    this.draw(result, found, error, empty.event);
    this.all.showTabs();
    this.all.defer();
  }

  /** Draws findings and the explanation on both inputs. */
  private draw(result: Answer, found: Finding[], error: Finding | null, noEvent: boolean): void {
    const diagnostics = found.map((finding): Diagnostic => {
      const { start, end, severity, message, label, fix, code } = finding;
      return {
        from: start,
        to: Math.max(end, start),
        severity: severity === "note" ? "info" : severity,
        source: code,
        message: label ? `${message}: ${label}` : message,
        actions: fix ? [{ name: fix.title, apply: () => this.apply(fix) }] : [],
      };
    });
    const errors = found.filter(({ severity }) => severity === "error");
    const carets = errors.map(({ start, end, label, severity }) => ({ start, end, severity, text: label }));
    if (this.isScoped) this.pattern.looks(scopeLooks(this.rule.text, found, noEvent ? null : result));
    this.event.show(result, this.eventText, this.state.dialect);
    const { explanation } = result;
    const drawn = explanation && !noEvent ? marks(explanation, result.seen ?? "") : { pattern: [], event: [] };
    this.pattern.draw({ marks: error ? [] : drawn.pattern, diagnostics, carets });
    const fault = noEvent ? null : result.fault?.place;
    this.event.draw({
      marks: drawn.event,
      diagnostics: fault ? [{ from: fault.start, to: fault.end, severity: "error", message: result.fault?.message ?? "" }] : [],
      carets: fault ? [{ ...fault, severity: "error", text: "" }] : [],
    });
  }

  light(links: ReadonlySet<number>, from: "pattern" | "event" | "list"): void {
    this.pattern.light(links);
    this.event.light(links);
    for (const row of document.querySelectorAll<HTMLElement>("[data-field]")) row.classList.toggle("lit", links.has(Number(row.dataset.field)));
    if (!links.size) return;
    if (from !== "pattern") this.pattern.reveal(links);
    if (from !== "event") this.event.reveal(links);
  }

  /** From a test to the value it tested, and back. */
  private cross(from: "pattern" | "event"): boolean {
    const { explanation } = answer(this.rule.text, this.eventText, this.state);
    if (!explanation) return false;
    const place = (from === "pattern" ? this.pattern : this.event).head;
    const inside = ({ start, end }: { start: number; end: number }) => start <= place && place <= end;
    for (const { field, link } of linked(explanation).values()) {
      const values = [...field.values.map((value) => value.place), ...field.misses.flatMap((miss) => miss.place ?? [])];
      const [hit, to] = from === "pattern" ? [inside(field) || inside(field.key), values[0]] : [values.some(inside), field];
      if (!hit) continue;
      if (to) (from === "pattern" ? this.event : this.pattern).visit(to.start, to.end);
      else toast("This field is not in the event");
      this.light(new Set([link]), "list");
      return true;
    }
    return false;
  }

  visit(start: number, end = start): void {
    this.pattern.visit(start, end);
  }

  rewrite(text: string): void {
    this.event.rewrite(text);
  }

  apply({ start, end, replacement }: Pick<Change, "start" | "end" | "replacement">): void {
    this.pattern.replace(start, end, replacement);
    announce("fix applied");
  }

  private fixAtCursor(): boolean {
    const { findings: found } = judge(this.rule.text, this.state).check;
    const place = this.pattern.head;
    const fixable = found.filter(({ fix }) => fix);
    const chosen = fixable.find(({ start, end }) => start <= place && place <= end) ?? fixable[0];
    if (chosen?.fix) {
      this.apply(chosen.fix);
      return true;
    }
    const offer = document.querySelector<HTMLButtonElement>("#verdict .fix");
    offer?.click();
    return offer !== null;
  }

  private format(): boolean {
    if (this.event.hasFocus) this.event.format();
    else this.pattern.format();
    return true;
  }

  /** Copies the link and the answer as one line of Markdown; the address bar has the link alone. */
  private async share(): Promise<void> {
    const fragment = await this.addresses.link();
    await copy(this.shown.markdown(location.href), fragment.length > 30_000 ? "Copied. The link is long: some programs cut it off" : "Copied the link and the answer, as Markdown");
  }

  private listen(): void {
    const on = (id: string, run: () => void) => byId(id).addEventListener("click", run);
    const dialect = byId<HTMLSelectElement>("dialect");
    dialect.addEventListener("change", () => this.open(converted(this.state, dialect.value as State["dialect"])));
    const source = byId<HTMLSelectElement>("source");
    source.addEventListener("change", () => this.open({ ...this.state, source: source.value as State["source"] }));
    on("rule-add", () => this.addRule());
    on("event-add", () => this.addEvent(""));
    on("rule-remove", () => this.removeRule());
    on("event-remove", () => this.removeEvent());
    on("rule-format", () => this.pattern.format());
    on("event-format", () => this.event.format());
    on("infer", () => this.infer());
    on("sample", () => this.sample());
    on("split", () => this.split());
    on("form-switch", () => this.event.switchForm(() => this.update()));
    on("share", () => void this.share());
    byId<HTMLInputElement>("rule-name").addEventListener("input", ({ target }) => {
      this.rule.name = (target as HTMLInputElement).value;
      this.own();
      this.all.showTabs();
      this.all.defer();
    });
    window.addEventListener("pagehide", () => this.leave());
    // A phone may end a page that is out of sight without another word.
    document.addEventListener("visibilitychange", () => document.hidden && this.leave());
    startExamples((state) => {
      hideNotice();
      this.addresses.leave();
      this.openForeign(state);
    });
    startCopyAs(() => this.state);
    startKeys();
  }

  /** Both inputs empty, for the visitor's own. */
  private fresh(): void {
    greeted();
    hideNotice();
    this.open(blank(this.state), false);
    this.own();
    this.pattern.focus();
  }

  /** Whatever is pasted is read as what it is: rules out of a template, events out of a queue's messages. */
  private pasted(event: ClipboardEvent, into: "rule" | "event", editor: Editor, alone: boolean): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { from, to } = editor.view.state.selection.main;
    const whole = alone && to - from >= editor.text.trimEnd().length;
    const found = recognize(text, { into, dialect: this.state.dialect, whole, valid: (pattern) => isValid(pattern, this.state) });
    if (!found && !isTemplate(text)) return;
    event.preventDefault();
    event.stopPropagation();
    if (found) return this.take(found);
    void readTemplate(text).then((read) => {
      if (read) return this.take(read);
      editor.replace(from, to, text);
      return toast("No pattern was found in this template");
    });
  }

  /** Shows what was pasted as what it is, and says so. */
  private take(found: Recognized): void {
    const before = this.state;
    const rename = (rules: State["rules"]) => rules.map(({ name, text: pattern }) => ({ name: name || this.rule.name, text: pattern }));
    this.open({
      ...this.state,
      dialect: found.dialect ?? before.dialect,
      source: found.source ?? before.source,
      ...(found.rules ? { rules: rename(found.rules), rule: 0 } : {}),
      ...(found.events ? { events: found.events, event: 0 } : {}),
    });
    const words = wording(this.state.dialect);
    const parts = [found.rules ? counted(found.rules.length, words.rule) : "", found.events ? counted(found.events.length, words.event) : ""].filter(Boolean);
    showNotice({ lead: `Read ${parts.join(" and ")} from ${found.what}`.replace(/\.?$/, found.note ? ":" : "."), text: found.note ? `${found.note}.` : "", actions: [{ title: "Undo", run: () => this.open(before, false) }], closed: () => {} });
  }

  private addRule(): void {
    const words = wording(this.state.dialect).rule.toLowerCase();
    const rules = [...this.state.rules, { name: `${words}-${this.state.rules.length + 1}`, text: "" }];
    this.open({ ...this.state, rules, rule: rules.length - 1 });
    this.pattern.visit(0);
  }

  private removeRule(): void {
    const rules = this.state.rules.filter((_, index) => index !== this.state.rule);
    this.open({ ...this.state, rules, rule: Math.max(0, this.state.rule - 1) });
  }

  private addEvent(text: string): void {
    const events = [...this.state.events, text];
    this.open({ ...this.state, events, event: events.length - 1 });
    this.event.focus();
  }

  private removeEvent(): void {
    const events = this.state.events.filter((_, index) => index !== this.state.event);
    this.open({ ...this.state, events, event: Math.max(0, this.state.event - 1) });
  }

  private infer(): void {
    const inferred = suggest(this.state.events, this.state, this.rule.text);
    if (typeof inferred === "string") return toast(`No pattern: ${inferred}`);
    this.pattern.replace(0, this.pattern.text.length, inferred.pattern.split("\0", 1)[0] ?? "");
    queueMicrotask(() => {
      this.inferred = inferred;
      this.update();
    });
  }

  private sample(): void {
    const text = sample(this.rule.text, this.state);
    if (text === null) return toast("No event that this pattern matches was found");
    this.addEvent(text);
  }

  private split(): void {
    const parts = partsOf(this.eventText, this.state.dialect).map(prettyOr);
    const events = [...this.state.events];
    events.splice(this.state.event, 1, ...parts);
    this.open({ ...this.state, events });
  }
}
