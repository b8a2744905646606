// The side of the pattern: one editor, or for a subscriber of a Custom Event Bus one for each part of an event. To the page it
// is one text; places in it are counted over the inputs of all editors, as `scopes.ts` joins them.
import type { Extension } from "@codemirror/state";
import type { Finding } from "../../pkg/eventrie.js";
import { byId, h } from "./dom.ts";
import { type Drawing, Editor } from "./editor.ts";
import type { Answer } from "./engine.ts";
import { prettyOr } from "./json-text.ts";
import { filtersOf, joined, SCOPES } from "./scopes.ts";

export interface PatternSideOptions {
  text: string;
  /** What the empty editor says. */
  hint: string;
  scoped: boolean;
  keys: Extension;
  onChange: (text: string) => void;
  onLink: (links: ReadonlySet<number>) => void;
  /** Before the editor's own handler. */
  onPaste: (event: ClipboardEvent, editor: Editor, whole: boolean) => void;
}

/** The result of a filter of a subscriber, next to its title. */
export interface ScopeLook {
  look: "is-held" | "is-missed" | "is-invalid" | "is-none";
  glyph: string;
  words: string;
}

/** How each filter of a subscriber fared; without an answer only whether it is valid. */
export function scopeLooks(rule: string, found: Finding[], answer: Answer | null): ScopeLook[] {
  const none: ScopeLook = { look: "is-none", glyph: "", words: "" };
  return filtersOf(rule).map(({ index, text, start }) => {
    if (!text.trim()) return none;
    if (found.some((one) => one.severity === "error" && one.code && one.start >= start && one.start <= start + text.length)) return { look: "is-invalid", glyph: "!", words: "not valid" };
    const fared = answer?.filters.find(({ filter }) => filter.index === index);
    if (!fared) return none;
    if (fared.reason !== null) return { look: "is-invalid", glyph: "?", words: "not judged" };
    return fared.matched ? { look: "is-held", glyph: "✓", words: "matches" } : { look: "is-missed", glyph: "✗", words: "does not match" };
  });
}

export class PatternSide {
  private readonly single: Editor;
  private panes: { editor: Editor; glyph: HTMLElement; words: HTMLElement }[] = [];
  private scoped = false;

  constructor(private readonly options: PatternSideOptions) {
    const { text, hint, scoped } = options;
    this.single = this.make(byId("rule-editor"), "Pattern", scoped ? "" : text, hint);
    this.layout(scoped);
    if (scoped) this.load(text);
  }

  private make(parent: HTMLElement, label: string, text = "", hint = ""): Editor {
    const { keys, onLink, onPaste } = this.options;
    const editor = new Editor({ parent, label, text, hint, keys, onLink, onChange: () => this.options.onChange(this.text) });
    editor.view.dom.addEventListener("paste", (event) => onPaste(event, editor, this.editors.every((one) => one === editor || !one.text.trim())), { capture: true });
    return editor;
  }

  /** One editor, or one for each scope. */
  layout(scoped: boolean): void {
    if (scoped === this.scoped) return;
    this.scoped = scoped;
    byId("rule-editor").hidden = scoped;
    byId("rule-scopes").hidden = !scoped;
    if (!scoped || this.panes.length) return;
    this.panes = SCOPES.map(({ title, hint, scope }) => {
      const [glyph, words, host] = [h("span", { class: "tab-glyph", "aria-hidden": "true" }), h("span", { class: "scope-words" }), h("div", { class: "editor" })];
      byId("rule-scopes").append(h("section", { class: "scope", "data-scope": scope }, h("h3", {}, glyph, title, words, h("span", { class: "quiet scope-hint" }, hint)), host));
      return { editor: this.make(host, `${title} filter`), glyph, words };
    });
  }

  /** What each filter of a subscriber says. */
  looks(looks: readonly ScopeLook[]): void {
    for (const [at, { glyph, words, editor }] of this.panes.entries()) {
      const { look, glyph: sign, words: said } = looks[at] ?? { look: "is-none" as const, glyph: "", words: "" };
      const scope = editor.view.dom.closest<HTMLElement>(".scope");
      if (scope) scope.className = `scope ${look}`;
      glyph.textContent = sign;
      words.textContent = said;
    }
  }

  private get editors(): Editor[] {
    return this.scoped ? this.panes.map(({ editor }) => editor) : [this.single];
  }

  /** The editors with the place where the text of each begins. */
  private *placed(): Generator<{ editor: Editor; start: number; end: number }> {
    let start = 0;
    for (const editor of this.editors) {
      const end = start + editor.view.state.doc.length;
      yield { editor, start, end };
      start = end + 1;
    }
  }

  private at(place: number): { editor: Editor; start: number; end: number } {
    let last = { editor: this.single, start: 0, end: 0 };
    for (const one of this.placed()) {
      last = one;
      if (place <= one.end) break;
    }
    return last;
  }

  get text(): string {
    return this.scoped ? joined(this.editors.map(({ text }) => text)) : this.single.text;
  }

  get head(): number {
    for (const { editor, start } of this.placed()) if (editor.view.hasFocus) return start + editor.head;
    return this.editors[0]?.head ?? 0;
  }

  load(text: string): void {
    const texts = this.scoped ? text.split("\0") : [text];
    for (const [at, editor] of this.editors.entries()) editor.load(texts[at] ?? "");
  }

  /** Replaces a part, as a person would. Of a range over several editors the part in the first is replaced. */
  replace(start: number, end: number, insert: string): void {
    const { editor, start: begin, end: until } = this.at(start);
    editor.replace(start - begin, Math.min(end, until) - begin, insert);
  }

  format(): void {
    for (const editor of this.editors) {
      const next = prettyOr(editor.text);
      if (next !== editor.text) editor.replace(0, editor.text.length, next);
    }
  }

  placeholder(text: string): void {
    if (!this.scoped) return this.single.placeholder(text);
    for (const [at, { editor }] of this.panes.entries()) editor.placeholder(at === 0 ? text : "No filter: everything passes");
  }

  draw({ marks, diagnostics, carets }: Drawing): void {
    for (const { editor, start, end } of this.placed()) {
      const here = (place: number) => place >= start && place <= end;
      const moved = <T extends { start: number; end: number }>(all: T[]) => all.filter((one) => here(one.start)).map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
      editor.draw({ marks: moved(marks), carets: moved(carets), diagnostics: diagnostics.filter(({ from }) => here(from)).map((one) => ({ ...one, from: one.from - start, to: one.to - start })) });
    }
  }

  light(links: ReadonlySet<number>): void {
    for (const editor of this.editors) editor.light(links);
  }

  reveal(links: ReadonlySet<number>): void {
    for (const editor of this.editors) editor.reveal(links);
  }

  visit(start: number, end = start): void {
    const { editor, start: begin } = this.at(start);
    editor.visit(start - begin, end - begin);
  }

  focus(): void {
    this.editors[0]?.view.focus();
  }
}
