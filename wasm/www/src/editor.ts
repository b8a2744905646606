// The editors: JSON with line numbers, marks for verdicts, and links between the two inputs.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, forEachDiagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, RangeSetBuilder, StateEffect, StateField, Transaction, type TransactionSpec } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder, ViewPlugin, type ViewUpdate, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** A stretch of text that has a verdict; `link` says what it belongs to. */
export interface Mark {
  start: number;
  end: number;
  look: "held" | "missed" | "idle" | "near";
  link: number;
}

export interface Caret {
  start: number;
  end: number;
  text: string;
  severity: string;
}

/** What an answer draws on an input. */
export interface Drawing {
  marks: Mark[];
  diagnostics: Diagnostic[];
  /** Lines of carets; they come when the writer pauses. */
  carets: Caret[];
}

const setMarks = StateEffect.define<Mark[]>();
const setLit = StateEffect.define<ReadonlySet<number>>();
const setCarets = StateEffect.define<Caret[]>();

class CaretWidget extends WidgetType {
  constructor(readonly column: number, readonly caret: Caret, readonly length: number) {
    super();
  }

  override eq(other: CaretWidget): boolean {
    return this.column === other.column && this.length === other.length && this.caret.text === other.caret.text;
  }

  toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = `caret caret-${this.caret.severity}`;
    // The verdict and the findings say the same to screen readers.
    line.setAttribute("aria-hidden", "true");
    line.style.setProperty("--column", String(this.column));
    line.dataset.column = String(this.column);
    const [signs, text] = [document.createElement("span"), document.createElement("span")];
    [signs.className, text.className] = ["caret-signs", "caret-text"];
    signs.textContent = "^".repeat(this.length);
    text.textContent = this.caret.text;
    line.append(signs, " ", text);
    return line;
  }
}

/** With less room than this, in pixels, the words go below the carets. */
const NARROW = 190;

/** Moves each line of carets below the text that it is about: where a line wraps, its column is not where it is seen. */
const aligned = ViewPlugin.define((view) => {
  const place = {
    read: () =>
      [...view.contentDOM.querySelectorAll<HTMLElement>(".caret")].map((element) => {
        const line = view.state.doc.lineAt(view.posAtDOM(element));
        const from = view.coordsAtPos(Math.min(line.from + Number(element.dataset.column), line.to), 1);
        const last = view.coordsAtPos(line.to, -1);
        const box = element.getBoundingClientRect();
        return { element, left: from ? from.left - box.left : null, isLast: !from || !last || Math.abs(from.top - last.top) < 4, width: box.width };
      }),
    write: (found: { element: HTMLElement; left: number | null; isLast: boolean; width: number }[]) => {
      for (const { element, left, isLast, width } of found) {
        // Of a row above the last one, carets would point at other text; the underline shows the place.
        element.classList.toggle("is-above", !isLast);
        element.classList.toggle("is-narrow", left !== null && width - left < NARROW);
        if (left !== null) element.style.setProperty("--left", `${left}px`);
      }
    },
  };
  return {
    update: ({ docChanged, geometryChanged, transactions }: ViewUpdate) => {
      if (docChanged || geometryChanged || transactions.some(({ effects }) => effects.some((effect) => effect.is(setCarets)))) view.requestMeasure(place);
    },
  };
});

interface Shown {
  marks: Mark[];
  lit: ReadonlySet<number>;
  drawn: DecorationSet;
}

const NONE: ReadonlySet<number> = new Set();

function draw(marks: Mark[], lit: ReadonlySet<number>, length: number): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { start, end, look, link } of marks) {
    if (start >= end || end > length) continue;
    const classes = `mark mark-${look}${lit.has(link) ? " lit" : ""}`;
    builder.add(start, end, Decoration.mark({ class: classes, attributes: { "data-link": String(link) } }));
  }
  return builder.finish();
}

const shown = StateField.define<Shown>({
  create: () => ({ marks: [], lit: NONE, drawn: Decoration.none }),
  update(value, transaction) {
    let { marks, lit, drawn } = value;
    let stale = false;
    if (transaction.docChanged) {
      marks = marks.map((mark) => ({ ...mark, start: transaction.changes.mapPos(mark.start, 1), end: transaction.changes.mapPos(mark.end, -1) }));
      drawn = drawn.map(transaction.changes);
    }
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) [marks, stale] = [effect.value, true];
      if (effect.is(setLit)) [lit, stale] = [effect.value, true];
    }
    if (stale) drawn = draw(marks, lit, transaction.newDoc.length);
    return stale || transaction.docChanged ? { marks, lit, drawn } : value;
  },
  provide: (field) => EditorView.decorations.from(field, ({ drawn }) => drawn),
});

const carets = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = transaction.docChanged ? value.map(transaction.changes) : value;
    for (const effect of transaction.effects) {
      if (!effect.is(setCarets)) continue;
      const { newDoc } = transaction;
      const widgets = effect.value.map((caret) => {
        const line = newDoc.lineAt(Math.min(caret.start, newDoc.length));
        const column = Math.min(caret.start, newDoc.length) - line.from;
        const length = Math.max(1, Math.min(caret.end, line.to) - caret.start);
        return Decoration.widget({ widget: new CaretWidget(column, caret, length), side: 1, block: true }).range(line.to);
      });
      next = Decoration.set(widgets, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const style = HighlightStyle.define([
  { tag: tags.propertyName, class: "tok-key" },
  { tag: tags.string, class: "tok-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "tok-atom" },
  { tag: [tags.separator, tags.squareBracket, tags.brace], class: "tok-punctuation" },
]);

export interface EditorOptions {
  parent: HTMLElement;
  label: string;
  text?: string;
  /** What an empty editor says. */
  hint?: string;
  readOnly?: boolean;
  onChange?: (text: string) => void;
  /** The links under the pointer or the cursor. */
  onLink?: (links: ReadonlySet<number>) => void;
  keys?: Extension;
}

export class Editor {
  readonly view: EditorView;
  private readonly hint = new Compartment();
  private hinted: string;
  private caretTimer = 0;
  private pointed: ReadonlySet<number> = NONE;

  constructor({ parent, label, text = "", hint = "", readOnly, onChange, onLink, keys }: EditorOptions) {
    this.hinted = hint;
    const point = (links: ReadonlySet<number>) => {
      if (links.size === 0 && this.pointed.size === 0) return;
      this.pointed = links;
      onLink?.(links);
    };
    // Instead of the text as it was shown so far.
    parent.replaceChildren();
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          keys ?? [],
          readOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [history(), indentOnInput(), lineNumbers()],
          highlightSpecialChars(),
          drawSelection(),
          bracketMatching(),
          indentUnit.of("  "),
          json(),
          syntaxHighlighting(style),
          shown,
          carets,
          aligned,
          this.hint.of(hint ? placeholder(hint) : []),
          keymap.of([...lintKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", tabindex: "0", ...(readOnly ? { "aria-readonly": "true", role: "textbox", "aria-multiline": "true" } : {}) }),
          EditorView.domEventHandlers({
            mousemove: (event) => point(this.linksOf(event.target)),
            mouseleave: () => point(NONE),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(Transaction.userEvent) === "load")) onChange?.(update.state.doc.toString());
            if (update.selectionSet && !update.docChanged && update.view.hasFocus) onLink?.(this.linksAt(update.state.selection.main.head));
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Where the cursor is. */
  get head(): number {
    return this.view.state.selection.main.head;
  }

  /** What an empty editor shows. */
  placeholder(text: string): void {
    if (text === this.hinted) return;
    this.hinted = text;
    this.view.dispatch({ effects: this.hint.reconfigure(placeholder(text)) });
  }

  /** Replaces the whole text, without asking for an answer. */
  load(text: string): void {
    if (text === this.text) return;
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: 0 },
      effects: [setMarks.of([]), setCarets.of([])],
      annotations: Transaction.userEvent.of("load"),
    });
    this.view.scrollDOM.scrollTop = 0;
  }

  /** Replaces a part, as a person would: it can be undone, and is answered. */
  replace(start: number, end: number, insert: string): void {
    this.view.dispatch({ changes: { from: start, to: end, insert }, selection: { anchor: start + insert.length }, userEvent: "input.complete" });
  }

  /** Draws everything at once: each dispatch makes the browser lay out the text again. */
  draw({ marks, diagnostics, carets: lines }: Drawing): void {
    const specs: TransactionSpec[] = [];
    const last = this.view.state.doc.length;
    const within = diagnostics.map((one) => ({ ...one, from: Math.min(one.from, last), to: Math.min(one.to, last) }));
    let before = 0;
    forEachDiagnostic(this.view.state, () => (before += 1));
    if (before || within.length) specs.push(setDiagnostics(this.view.state, within));
    const sorted = [...marks].sort((a, b) => a.start - b.start || b.end - a.end);
    const { marks: drawn } = this.view.state.field(shown);
    const same = (mark: Mark, index: number) => {
      const other = sorted[index];
      return other && mark.start === other.start && mark.end === other.end && mark.look === other.look && mark.link === other.link;
    };
    // Drawing anew is what costs most in a long line; a key seldom changes a verdict.
    if (drawn.length !== sorted.length || !drawn.every(same)) specs.push({ effects: setMarks.of(sorted) });
    window.clearTimeout(this.caretTimer);
    const has = this.view.state.field(carets).size > 0;
    if (!lines.length && has) specs.push({ effects: setCarets.of([]) });
    if (specs.length) this.view.dispatch(...specs);
    if (lines.length) this.caretTimer = window.setTimeout(() => this.view.dispatch({ effects: setCarets.of(lines) }), has ? 0 : 350);
  }

  light(links: ReadonlySet<number>): void {
    const { lit } = this.view.state.field(shown);
    if (lit.size === links.size && [...links].every((link) => lit.has(link))) return;
    this.view.dispatch({ effects: setLit.of(links) });
  }

  /** Shows the first mark of a link, if it is out of sight. */
  reveal(links: ReadonlySet<number>): void {
    const mark = this.view.state.field(shown).marks.find((one) => links.has(one.link));
    if (!mark) return;
    const { from, to } = this.view.viewport;
    const top = this.view.lineBlockAt(mark.start).top;
    const { scrollTop, clientHeight } = this.view.scrollDOM;
    const inSight = mark.start >= from && mark.start <= to && top >= scrollTop && top <= scrollTop + clientHeight - 24;
    if (!inSight) this.view.dispatch({ effects: EditorView.scrollIntoView(mark.start, { y: "center" }) });
  }

  /** Puts the cursor there and takes the focus. */
  visit(start: number, end = start): void {
    const last = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(start, last), head: Math.min(end, last) }, scrollIntoView: true });
    this.view.focus();
  }

  private linksOf(target: EventTarget | null): ReadonlySet<number> {
    const links = new Set<number>();
    for (let at = target instanceof Element ? target.closest("[data-link]") : null; at; at = at.parentElement?.closest("[data-link]") ?? null) {
      links.add(Number(at.getAttribute("data-link")));
    }
    return links;
  }

  private linksAt(place: number): ReadonlySet<number> {
    const { marks } = this.view.state.field(shown);
    return new Set(marks.filter((mark) => mark.start <= place && place <= mark.end).map((mark) => mark.link));
  }
}
