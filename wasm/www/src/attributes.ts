// The attributes of an SNS message as a form. It reads and writes the same JSON that the editor shows.
import { h } from "./dom.ts";
import { prettyOr } from "./json-text.ts";

interface Attribute {
  name: string;
  type: string;
  value: string;
}

const TYPES = ["String", "Number", "String.Array", "Binary"];

/** The attributes of an input; null if it is not a flat list of them. */
export function parseAttributes(text: string): Attribute[] | null {
  if (text.trim() === "") return [];
  try {
    let parsed = JSON.parse(text) as Record<string, unknown>;
    const inner = parsed.MessageAttributes;
    if (typeof inner === "object" && inner !== null && typeof (parsed.Message ?? parsed.Type) === "string") parsed = inner as Record<string, unknown>;
    return Object.entries(parsed).map(([name, entry]) => {
      const { Type, DataType, Value, StringValue } = entry as Record<string, unknown>;
      const [type, value] = [Type ?? DataType, Value ?? StringValue ?? ""];
      if (typeof type !== "string" || typeof value !== "string") throw new TypeError("no attribute");
      return { name, type, value };
    });
  } catch {
    return null;
  }
}

function write(attributes: Attribute[]): string {
  const object = Object.fromEntries(attributes.map(({ name, type, value }) => [name, { Type: type, Value: value }]));
  return prettyOr(JSON.stringify(object));
}

/** A form over the text; `change` gets the text that the form now describes. */
export class AttributeForm {
  readonly element = h("div", { class: "attributes" });
  private current: Attribute[] = [];

  constructor(private readonly change: (text: string) => void) {}

  /** Shows an input; false if it is not a list of attributes. */
  show(text: string): boolean {
    const attributes = parseAttributes(text);
    if (!attributes) return false;
    if (JSON.stringify(attributes) !== JSON.stringify(this.current.filter(({ name }) => name !== ""))) {
      this.current = attributes;
      this.render();
    } else if (!this.element.childElementCount) this.render();
    return true;
  }

  private changed(): void {
    this.change(write(this.current.filter(({ name }) => name !== "")));
  }

  private render(): void {
    const rows = this.current.map((attribute, index) => {
      const field = (key: "name" | "value", label: string) =>
        h("input", { "aria-label": `${label} of attribute ${index + 1}`, value: attribute[key], placeholder: label, spellcheck: "false", autocapitalize: "off", input: (event) => this.edit(index, key, (event.target as HTMLInputElement).value) });
      const types = TYPES.includes(attribute.type) ? TYPES : [...TYPES, attribute.type];
      const select = h("select", { "aria-label": `type of attribute ${index + 1}`, change: (event) => this.edit(index, "type", (event.target as HTMLSelectElement).value) }, ...types.map((type) => h("option", { value: type, selected: type === attribute.type }, type)));
      const remove = h("button", { type: "button", class: "icon", "aria-label": `remove attribute ${attribute.name || index + 1}`, click: () => this.remove(index) }, "×");
      return h("div", { class: "attribute" }, field("name", "name"), select, field("value", "value"), remove);
    });
    const add = h("button", { type: "button", class: "text-button", click: () => this.add() }, "+ Add attribute");
    const empty = this.current.length ? null : h("p", { class: "quiet attribute-empty" }, "No attributes. A message without any never matches a filter policy.");
    this.element.replaceChildren(...rows, ...(empty ? [empty] : []), add);
  }

  private edit(index: number, key: keyof Attribute, value: string): void {
    const attribute = this.current[index];
    if (!attribute) return;
    attribute[key] = value;
    this.changed();
  }

  private add(): void {
    this.current.push({ name: "", type: "String", value: "" });
    this.render();
    this.element.querySelector<HTMLInputElement>(".attribute:last-of-type input")?.focus();
  }

  private remove(index: number): void {
    this.current.splice(index, 1);
    this.render();
    this.changed();
    this.element.querySelector<HTMLButtonElement>(".text-button")?.focus();
  }
}
