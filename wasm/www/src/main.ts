// Puts the page together: inputs in, answers out.
import type { Diagnostic } from "@codemirror/lint";
import { type Extension, Prec } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import type { Finding, Inferred, Usage } from "../../pkg/eventrie.js";
import { AttributeForm } from "./attributes.ts";
import { startCopyAs, startExamples, startKeys } from "./dialogs.ts";
import { announce, byId, copy, h, prose, toast } from "./dom.ts";
import { Editor } from "./editor.ts";
import { type Answer, answer, fate, isValid, judge, nearness, sample, start, suggest, type Verdict, verdict } from "./engine.ts";
import { first } from "./examples.ts";
import { linked, marks, report, reports, verdictOf } from "./explanation.ts";
import { isGuide, showGuide } from "./guide.ts";
import { labelOf, partsOf } from "./events.ts";
import { prettyOr } from "./json-text.ts";
import { loose } from "./loose.ts";
import { hideNotice, showNotice } from "./notice.ts";
import { findings, matrix, meters } from "./panels.ts";
import { PatternSide, scopeLooks } from "./pattern-side.ts";
import { decode, encode, isLink } from "./permalink.ts";
import { type Recognized, recognize } from "./recognize.ts";
import { type Change, changes } from "./remedy.ts";
import { isTemplate, readTemplate } from "./templates.ts";
import { moved, SUBSCRIBER } from "./scopes.ts";
import { adopted, blank, converted, counted, DIALECTS, hasRecords, SOURCES, type State, wording } from "./state.ts";
import { greeted, isEdited, store, storeLink, stored } from "./store.ts";
import { Tabs } from "./tabs.ts";
import { startTheme } from "./theme.ts";
import { type Offer, offersOf, verdictElements } from "./verdict.ts";

const TITLE = document.title;
/** Below this share of a limit, nobody has to think of it. */
const LOW = 0.5;
/** A link with more state than this is not kept up to date while someone types. */
const LIVE_LINK = 100_000;

class Page {
  state: State = first();
  /** By event and rule; null where it is not computed yet. */
  private verdicts: (Verdict | null)[][] = [];
  private form = true;
  /** Whether the parts of the open event were made of what was pasted. */
  private isMade = false;
  private inferred: Inferred | null = null;
  private spoken = "";
  private sentence = "";
  private deferred = 0;
  private relinked = 0;
  private offering = 0;
  /** Whether it is somebody else's, or an example: then nothing of one's own is overwritten until it is edited. */
  private foreign = true;
  private readonly pattern: PatternSide;
  private readonly event: Editor;
  /** Made when it is first needed: most visits do without. */
  private seenEditor: Editor | null = null;
  private readonly acrossKeys: Extension;
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
    this.pattern = new PatternSide({
      keys: keys(() => this.cross("pattern")),
      onChange: (text) => this.edited({ rule: text }),
      onLink: (links) => this.light(links, "pattern"),
      onPaste: (event, editor, alone) => this.pasted(event, "rule", editor, alone),
    });
    this.event = new Editor({ parent: byId("event-editor"), label: "Event", keys: keys(() => this.cross("event")), onChange: (text) => this.edited({ event: text }), onLink: (links) => this.light(links, "event") });
    this.acrossKeys = keys(() => this.cross("event"));
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

  private get seen(): Editor {
    return (this.seenEditor ??= new Editor({ parent: byId("seen-editor"), label: "What the filter sees", readOnly: true, keys: this.acrossKeys, onLink: (links) => this.light(links, "event") }));
  }

  /** The text that explanations are drawn on. */
  private get target(): Editor {
    return this.isProjected ? this.seen : this.event;
  }

  private get isProjected(): boolean {
    return hasRecords(this.state.dialect) || this.state.dialect === "sns-attributes" || this.isMade;
  }

  private get isScoped(): boolean {
    return this.state.dialect === SUBSCRIBER;
  }

  /** Shows another state as a whole. */
  open(state: State, keep = true): void {
    const before = this.state;
    this.state = state;
    if (keep) this.own();
    if (!keep || before.dialect !== state.dialect || before.source !== state.source || before.rules !== state.rules || before.events !== state.events) {
      this.verdicts = state.events.map(() => state.rules.map(() => null));
    }
    this.inferred = null;
    this.isMade = false;
    this.pattern.layout(this.isScoped);
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
    byId("seen-title").textContent = dialect === "sns-attributes" ? "What the policy sees" : this.isScoped ? "What the filters see" : "What the filter sees";
    byId("event-head").textContent = `In the ${words.event.toLowerCase()}`;
    byId("sample").textContent = `${words.event} that matches`;
    byId("infer").textContent = `${this.isScoped ? "Data filter" : words.rule} from ${events.length > 1 ? "these" : "this"} ${events.length > 1 ? counted(events.length, words.event) : words.event.toLowerCase()}`;
    this.pattern.placeholder(this.isScoped ? "Paste the filter configuration here, a template, or the pattern for the data" : `Paste the ${words.rule.toLowerCase()} here: its pattern, a template, or the output of the AWS CLI`);
    this.event.placeholder(`Paste the ${words.event.toLowerCase()} here, as you have it`);
    byId("rule-remove").hidden = rules.length < 2;
    byId("event-remove").hidden = events.length < 2;
    byId<HTMLInputElement>("rule-name").value = this.rule.name;
  }

  /** From now on this is the visitor's own work: kept in the browser, and in the address if that contains a link. */
  private own(): void {
    this.foreign = false;
    if (!isLink(location.hash)) return;
    // The old link must not come back with a reload; the new one follows. A reload that the browser began before it
    // learned of the new address comes to the old link all the same, and finds the edits in the store.
    storeLink(location.hash);
    store(this.state);
    history.replaceState(null, "", location.pathname + location.search);
    this.relink();
  }

  private relink(): void {
    window.clearTimeout(this.relinked);
    this.relinked = window.setTimeout(() => {
      const size = this.state.rules.reduce((sum, { text }) => sum + text.length, 0) + this.state.events.reduce((sum, text) => sum + text.length, 0);
      if (size > LIVE_LINK || isGuide(location.hash)) return;
      void encode(this.state).then((fragment) => isGuide(location.hash) || history.replaceState(null, "", fragment));
    }, 400);
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
    this.own();
    this.inferred = null;
    // After the editor's own update, but before the browser paints.
    queueMicrotask(() => this.update());
  }

  /** Computes and shows the answer to what is open; all others follow when there is time. */
  private update(): void {
    const begun = performance.now();
    const judged = judge(this.rule.text, this.state);
    const result = answer(this.rule.text, this.eventText, this.state);
    const row = this.verdicts[this.state.event];
    const empty = { rule: !this.rule.text.replaceAll("\0", "").trim(), event: !this.eventText.trim() };
    if (row) row[this.state.rule] = empty.rule || empty.event ? "empty" : judged.check.valid ? result.verdict : "bad-rule";
    const found = empty.rule ? [] : judged.check.findings;
    this.showFindings(found, empty.rule ? null : judged.check.serviceMessage);
    this.showLimits(empty.rule ? [] : judged.check.usage);
    if (this.isScoped) this.pattern.looks(scopeLooks(this.rule.text, judged.check.findings, empty.event ? null : result));
    this.showSeen(result);
    this.showAnswer(result, found, empty);
    this.showTabs();
    this.defer();
    // For the browser's timeline; only the last one is kept.
    performance.clearMeasures("answer");
    performance.measure("answer", { start: begun });
  }

  private showSeen(result: Answer): void {
    this.isMade = this.isScoped && result.seen !== null && result.seen !== this.eventText;
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
      const parts = partsOf(this.eventText, this.state.dialect);
      byId("split").hidden = parts.length === 0;
      byId("split").textContent = `Split into ${parts.length}`;
    }
  }

  private showLimits(usage: Usage[]): void {
    const high = usage.filter(({ used, most }) => used === null || used / most >= LOW);
    const low = usage.filter((one) => !high.includes(one));
    byId("limits-section").hidden = usage.length === 0;
    byId("meters").replaceChildren(...meters(high));
    byId("low-limits").hidden = low.length === 0;
    byId("low-summary").textContent = `${high.length ? "Other limits" : "Limits"} of the service: ${low.length === 1 ? "below half" : `all ${low.length} below half`}`;
    byId("low-meters").replaceChildren(...meters(low));
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
        actions: fix ? [{ name: fix.title, apply: () => this.apply(fix) }] : [],
      };
    });
    const errors = found.filter(({ severity }) => severity === "error");
    this.pattern.diagnose(diagnostics, errors.map(({ start, end, label, severity }) => ({ start, end, severity, text: label })));
    // The verdict speaks of the first error; what it says is not repeated.
    const others = found.filter((finding) => finding !== errors[0]);
    byId("findings-title").textContent = errors.length ? `${others.length} more` : "Worth knowing";
    byId("findings-section").hidden = others.length === 0;
    byId("findings-section").classList.toggle("is-quiet", errors.length === 0);
    byId("findings").replaceChildren(...findings(others, ({ fix }) => fix && this.apply(fix), ({ start, end }) => this.pattern.visit(start, end)));
    const message = byId("service-message");
    message.hidden = service === null;
    message.replaceChildren(h("span", { class: "quiet" }, "AWS answers "), h("code", {}, service ?? ""));
  }

  /** The changes that would make the open event match, or come closer. */
  private offers(result: Answer, error: Finding | undefined): Offer[] {
    if (error) return error.fix ? offersOf([error.fix], (fix) => this.apply(fix)) : [];
    const almost = result.fault ? loose(this.eventText) : null;
    if (almost) return [{ title: `Rewrite ${almost.kind} as JSON`, run: () => this.event.replace(0, this.event.text.length, prettyOr(almost.json)) }];
    const { explanation, seen } = result;
    if (!explanation || seen === null) return [];
    // Of a subscriber one filter is changed: the first that fails.
    for (const { filter, own } of result.filters) {
      if (!own || own.explanation.matched) continue;
      const setting = { dialect: filter.dialect, source: this.state.source };
      const tried = changes(own.explanation, filter.text, own.part, (text) => nearness(text, own.part, setting));
      return offersOf(tried.map((change) => moved(change, filter.start)), (change) => this.apply(change));
    }
    return offersOf(changes(explanation, this.rule.text, seen, (text) => nearness(text, seen, this.state)), (change) => this.apply(change));
  }

  private showAnswer(result: Answer, found: Finding[], empty: { rule: boolean; event: boolean }): void {
    const words = wording(this.state.dialect);
    const error = found.find(({ severity }) => severity === "error");
    const shown = verdictOf(result, error ?? null, words, empty);
    const lost = shown.kind === "no-match" && hasRecords(this.state.dialect) ? fate(this.state.source) : null;
    const element = byId("verdict");
    element.className = `verdict is-${shown.kind}`;
    const sentence = lost && shown.sentence.endsWith(lost) ? shown.sentence.slice(0, -lost.length).replace(/:\s*$/, "") : shown.sentence;
    const draw = (offers: Offer[]) => element.replaceChildren(...verdictElements({ ...shown, sentence, notes: result.notes, fate: lost, beware: this.state.source === "sqs", finding: error ?? null, offers }));
    // Trying changes takes a few more answers: on a large event only after the writer pauses.
    const later = (result.seen?.length ?? 0) > 20_000 && !error;
    draw(shown.kind === "empty" || later ? [] : this.offers(result, error));
    window.clearTimeout(this.offering);
    if (later && shown.kind === "no-match") this.offering = window.setTimeout(() => draw(this.offers(result, error)), 250);
    const pill = byId("pill");
    pill.className = `pill is-${shown.kind}`;
    pill.textContent = shown.word;
    this.sentence = sentence;
    document.title = shown.kind === "empty" ? TITLE : `${shown.word} · ${this.rule.name || words.rule} · ${TITLE}`;
    if (this.spoken !== shown.word) announce(`${shown.word}. ${sentence}`);
    this.spoken = shown.word;
    const { explanation } = result;
    byId("fields-section").hidden = !explanation || empty.event;
    const drawn = explanation && !empty.event ? marks(explanation, result.seen ?? "") : { pattern: [], event: [] };
    this.pattern.marks(error ? [] : drawn.pattern);
    this.event.marks(this.isProjected ? [] : drawn.event);
    this.seenEditor?.marks(this.isProjected ? drawn.event : []);
    const fault = empty.event ? null : result.fault?.place;
    this.event.diagnose(fault ? [{ from: fault.start, to: fault.end, severity: "error", message: result.fault?.message ?? "" }] : [], fault ? [{ ...fault, severity: "error", text: "" }] : []);
    if (explanation) {
      const actions = { light: (links: ReadonlySet<number>) => this.light(links, "list"), visit: ({ start }: { start: number }) => this.pattern.visit(start) };
      byId("fields").replaceChildren(...(this.isScoped ? reports(result.filters, explanation, this.rule.text, actions) : [report(explanation, this.rule.text, actions)]));
    }
    byId("choices-section").hidden = !this.inferred;
    if (this.inferred) {
      byId("inferred").replaceChildren(
        ...this.inferred.choices.map(({ path, kept, reason }) => h("li", { class: kept ? "is-kept" : "is-left" }, h("code", {}, path), h("span", {}, kept ? "kept" : "dropped"), h("span", { class: "quiet" }, prose(reason)))),
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
      if (!this.foreign) store(this.state);
    }, 30);
  }

  private showMatrix(): void {
    const { rules, events, rule, event } = this.state;
    // Of a single rule the tabs of the events say it all.
    const many = rules.length > 1;
    byId("matrix-section").hidden = !many;
    byId("texts").classList.toggle("has-matrix", many);
    if (!many) return;
    const words = wording(this.state.dialect);
    const matched = this.verdicts.flat().filter((one) => one === "match").length;
    byId("matrix-count").textContent = `${rules.length} × ${events.length}, ${matched} ${matched === 1 ? "match" : "matches"}`;
    const table = matrix(
      rules.map(({ name }, index) => name || `${words.rule} ${index + 1}`),
      events.map((text, index) => labelOf(text, index, words.event)),
      this.verdicts.map((row) => row.map((one) => one ?? "empty")),
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

  /** From a test to the value it tested, and back. */
  private cross(from: "pattern" | "event"): boolean {
    const { explanation } = answer(this.rule.text, this.eventText, this.state);
    if (!explanation) return false;
    const place = (from === "pattern" ? this.pattern : this.target).head;
    const inside = ({ start, end }: { start: number; end: number }) => start <= place && place <= end;
    for (const { field, link } of linked(explanation).values()) {
      const values = [...field.values.map((value) => value.place), ...field.misses.flatMap((miss) => miss.place ?? [])];
      const [hit, to] = from === "pattern" ? [inside(field) || inside(field.key), values[0]] : [values.some(inside), field];
      if (!hit) continue;
      if (to) (from === "pattern" ? this.target : this.pattern).visit(to.start, to.end);
      else toast("This field is not in the event");
      this.light(new Set([link]), "list");
      return true;
    }
    return false;
  }

  private apply({ start, end, replacement }: Pick<Change, "start" | "end" | "replacement">): void {
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
    if (this.event.view.hasFocus) this.formatEvent();
    else this.pattern.format();
    return true;
  }

  /** Copies the link and the answer as one line of Markdown; the address bar has the link alone. */
  private async share(): Promise<void> {
    const fragment = await encode(this.state);
    history.replaceState(null, "", fragment);
    const line = `[${this.spoken}](${location.href})${this.sentence ? `: ${this.sentence.replace(/\s*\n\s*/g, " ").replace(/([*_<\[\]])(?=(?:[^`]*`[^`]*`)*[^`]*$)/g, "\\$1")}` : ""}`;
    await copy(line, fragment.length > 30_000 ? "Copied. The link is long: some programs cut it off" : "Copied the link and the answer, as Markdown");
  }

  private listen(): void {
    const on = (id: string, run: () => void) => byId(id).addEventListener("click", run);
    const dialect = byId<HTMLSelectElement>("dialect");
    dialect.append(...DIALECTS.map(({ name, title }) => h("option", { value: name }, title)));
    dialect.addEventListener("change", () => this.open(converted(this.state, dialect.value as State["dialect"])));
    const source = byId<HTMLSelectElement>("source");
    source.append(...SOURCES.map(({ name, title }) => h("option", { value: name }, title)));
    source.addEventListener("change", () => this.open({ ...this.state, source: source.value as State["source"] }));
    on("rule-add", () => this.addRule());
    on("event-add", () => this.addEvent(""));
    on("rule-remove", () => this.removeRule());
    on("event-remove", () => this.removeEvent());
    on("rule-format", () => this.pattern.format());
    on("event-format", () => this.formatEvent());
    on("infer", () => this.infer());
    on("sample", () => this.sample());
    on("split", () => this.split());
    on("form-switch", () => {
      this.form = byId("event-form").hidden === true;
      this.update();
      if (this.form && byId("event-form").hidden) toast("This is not a list of message attributes");
    });
    on("share", () => void this.share());
    byId<HTMLInputElement>("rule-name").addEventListener("input", ({ target }) => {
      this.rule.name = (target as HTMLInputElement).value;
      this.own();
      this.showTabs();
      this.defer();
    });
    // Before the editor's own handler.
    this.event.view.dom.addEventListener("paste", (event) => this.pasted(event, "event", this.event), { capture: true });
    const leave = () => this.foreign || store(this.state);
    window.addEventListener("pagehide", leave);
    // A phone may end a page that is out of sight without another word.
    document.addEventListener("visibilitychange", () => document.hidden && leave());
    window.addEventListener("hashchange", () => void this.arrive(location.hash));
    startExamples((state) => this.example(state));
    startCopyAs(() => this.state);
    startKeys();
    const watch = new IntersectionObserver(([entry]) => byId("pill").classList.toggle("is-away", Boolean(entry?.isIntersecting)));
    watch.observe(byId("verdict"));
  }

  private example(state: State): void {
    hideNotice();
    if (isLink(location.hash)) history.replaceState(null, "", location.pathname + location.search);
    this.foreign = true;
    this.open(state, false);
  }

  /** Shows what an address leads to: a page about a finding, a shared state, or the tester as it is. */
  async arrive(fragment: string): Promise<void> {
    const guide = isGuide(fragment);
    byId("tester").hidden = guide;
    byId("guide").hidden = !guide;
    byId("pill").hidden = guide;
    if (guide) {
      hideNotice();
      return showGuide(fragment, (pattern, dialect) => {
        location.hash = "";
        const adopt = adopted(dialect, pattern);
        if (adopt) this.example({ ...blank({ dialect: adopt.dialect, source: this.state.source }), rules: [{ name: "", text: adopt.text }] });
      });
    }
    if (!isLink(fragment)) {
      if (this.verdicts.length) this.update();
      return;
    }
    const shared = await decode(fragment);
    if (shared) {
      this.foreign = true;
      storeLink("");
      this.open(shared, false);
      showNotice({ lead: "Shared with you.", text: "Edit freely: the original link stays as it is, and nothing leaves your browser.", actions: [{ title: "Start with mine", run: () => this.fresh() }], closed: () => {} });
    } else {
      history.replaceState(null, "", location.pathname + location.search);
      if (!this.verdicts.length) this.open(stored() ?? first(), false);
      showNotice({ kind: "bad", lead: "This link is damaged.", text: `Part of it is missing${fragment.length > 2_000 ? " (some programs cut long links off)" : ""}; ask for it again. Below is ${stored() ? "what you had open last" : "an example"}, not what was shared.`, actions: [{ title: "Start with mine", run: () => this.fresh() }], closed: () => {} });
    }
  }

  /** Both inputs empty, for the visitor's own. */
  fresh(): void {
    greeted();
    hideNotice();
    this.open(blank(this.state), false);
    this.own();
    this.pattern.focus();
  }

  welcome(): void {
    showNotice({ lead: "Why did my rule not fire?", text: "Paste its pattern and the event: you see which field does not match, and how to fix it. Nothing leaves your browser.", actions: [{ title: "Start with mine", run: () => this.fresh() }], closed: greeted });
  }

  /** Whatever is pasted is read as what it is: rules out of a template, events out of a queue's messages. */
  private pasted(event: ClipboardEvent, into: "rule" | "event", editor: Editor, alone = true): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { from, to } = editor.view.state.selection.main;
    const whole = alone && to - from >= editor.text.trimEnd().length;
    const found = recognize(text, { into, dialect: this.state.dialect, whole, valid: (pattern) => isValid(pattern, this.state) });
    if (found) {
      event.preventDefault();
      event.stopPropagation();
      this.take(found);
    } else if (isTemplate(text)) {
      event.preventDefault();
      event.stopPropagation();
      void readTemplate(text).then((read) => {
        if (read) return this.take(read);
        editor.replace(from, to, text);
        return toast("No pattern was found in this template");
      });
    }
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
    if (byId("event-form").hidden) this.event.visit(0);
  }

  private removeEvent(): void {
    const events = this.state.events.filter((_, index) => index !== this.state.event);
    this.open({ ...this.state, events, event: Math.max(0, this.state.event - 1) });
  }

  private formatEvent(): void {
    const next = prettyOr(this.event.text);
    if (next !== this.event.text) this.event.replace(0, this.event.text.length, next);
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

// Where the time of a visit goes, for the browser's timeline.
performance.mark("script");
startTheme();
if (navigator.serviceWorker?.controller) void import("./styles/fonts.css");
await start();
performance.mark("module");
const page = new Page();
const kept = stored();
const reloaded = performance.getEntriesByType("navigation").some((entry) => (entry as PerformanceNavigationTiming).type === "reload");
if (reloaded && isEdited(location.hash)) history.replaceState(null, "", location.pathname + location.search);
const came = location.hash;
if (!isLink(came)) page.open(kept ?? first(), false);
if (isLink(came) || isGuide(came)) await page.arrive(came);
if (!kept && !came && !greeted.before()) page.welcome();
document.documentElement.dataset.ready = "true";
performance.mark("answered");
// The page's own faces come after the first answer; on later visits they are in the cache, and there at once.
void import("./styles/fonts.css");
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js");
