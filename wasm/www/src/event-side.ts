// The side of the event: its editor, the form for message attributes, and what the filter sees of it.
import type { Extension } from "@codemirror/state";
import { AttributeForm } from "./attributes.ts";
import { byId, toast } from "./dom.ts";
import { type Drawing, Editor } from "./editor.ts";
import type { Answer } from "./engine.ts";
import { partsOf } from "./events.ts";
import { prettyOr } from "./json-text.ts";
import { SUBSCRIBER } from "./scopes.ts";
import { hasRecords, type Service } from "./state.ts";

/** Of a longer text nobody wants to know at every key how many events it has. */
const SPLIT = 1_000_000;

export interface EventSideOptions {
  text: string;
  /** What the empty editor says. */
  hint: string;
  keys: Extension;
  onChange: (text: string) => void;
  onLink: (links: ReadonlySet<number>) => void;
  /** Before the editor's own handler. */
  onPaste: (event: ClipboardEvent, editor: Editor) => void;
}

export class EventSide {
  private readonly editor: Editor;
  /** Made when it is first needed: most visits do without. */
  private seenEditor: Editor | null = null;
  private readonly attributes: AttributeForm;
  private form = true;
  /** Whether the parts of the event were made of what was pasted. */
  private isMade = false;
  private dialect: Service = "eventbridge";

  constructor(private readonly options: EventSideOptions) {
    const { text, hint, keys, onChange, onLink, onPaste } = options;
    this.editor = new Editor({ parent: byId("event-editor"), label: "Event", text, hint, keys, onChange, onLink });
    this.editor.view.dom.addEventListener("paste", (event) => onPaste(event, this.editor), { capture: true });
    this.attributes = new AttributeForm((text) => {
      this.editor.load(text);
      onChange(text);
    });
    byId("event-form").append(this.attributes.element);
  }

  private get seen(): Editor {
    const { keys, onLink } = this.options;
    return (this.seenEditor ??= new Editor({ parent: byId("seen-editor"), label: "What the filter sees", readOnly: true, keys, onLink }));
  }

  /** Whether explanations are about something else than the text of the event. */
  private get isProjected(): boolean {
    return hasRecords(this.dialect) || this.dialect === "sns-attributes" || this.isMade;
  }

  /** The editor that explanations are drawn in. */
  private get target(): Editor {
    return this.isProjected ? this.seen : this.editor;
  }

  get text(): string {
    return this.editor.text;
  }

  get hasFocus(): boolean {
    return this.editor.view.hasFocus;
  }

  /** Where the cursor is in what explanations are about. */
  get head(): number {
    return this.target.head;
  }

  /** Whether the attributes of a message are shown as a form. */
  get isForm(): boolean {
    return !byId("event-form").hidden;
  }

  load(text: string): void {
    this.isMade = false;
    this.editor.load(text);
  }

  placeholder(text: string): void {
    this.editor.placeholder(text);
  }

  /** What an answer says of the open event. */
  show({ seen }: Answer, text: string, dialect: Service): void {
    this.dialect = dialect;
    this.isMade = dialect === SUBSCRIBER && seen !== null && seen !== text;
    byId("seen").hidden = !this.isProjected || seen === null;
    if (this.isProjected && seen !== null) this.seen.load(seen);
    const attributes = dialect === "sns-attributes";
    const form = attributes && this.form && this.attributes.show(text);
    byId("event-form").hidden = !form;
    byId("event-editor").hidden = form;
    byId("event-format").hidden = form;
    byId("form-switch").hidden = !attributes;
    byId("form-switch").textContent = form ? "As JSON" : "As a form";
    const parts = text.length < SPLIT ? partsOf(text, dialect).length : 0;
    byId("split").hidden = parts === 0;
    byId("split").textContent = `Split into ${parts}`;
  }

  /** Between the form and the text; `redraw` shows the answer again. */
  switchForm(redraw: () => void): void {
    this.form = !this.isForm;
    redraw();
    if (this.form && !this.isForm) toast("This is not a list of message attributes");
  }

  /** Marks are about what explanations are about, diagnostics about the text itself. */
  draw({ marks, diagnostics, carets }: Drawing): void {
    this.editor.draw({ marks: this.isProjected ? [] : marks, diagnostics, carets });
    this.seenEditor?.draw({ marks: this.isProjected ? marks : [], diagnostics: [], carets: [] });
  }

  format(): void {
    this.rewrite(prettyOr(this.editor.text));
  }

  /** Replaces the whole text, as a person would. */
  rewrite(text: string): void {
    if (text !== this.editor.text) this.editor.replace(0, this.editor.text.length, text);
  }

  light(links: ReadonlySet<number>): void {
    this.target.light(links);
  }

  reveal(links: ReadonlySet<number>): void {
    this.target.reveal(links);
  }

  visit(start: number, end = start): void {
    this.target.visit(start, end);
  }

  /** Takes the focus, unless the form is shown. */
  focus(): void {
    if (!this.isForm) this.editor.visit(0);
  }
}
