// Inputs that are almost JSON, read leniently: Python's repr, JavaScript's objects, JSON with comments, Terraform's objects.

export interface Loose {
  /** What it looks like, with its article. */
  kind: string;
  json: string;
  /** Expressions that only a program could resolve; they became strings. */
  holes: number;
}

class Unreadable extends Error {}

const DEPTH = 500;
const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0", "\n": "" };

class Reader {
  at = 0;
  private python = false;
  private script = false;
  private hcl = false;
  private comments = false;
  private single = false;
  holes = 0;

  constructor(readonly text: string) {}

  get kind(): string {
    if (this.hcl) return "a Terraform object";
    if (this.python) return "Python's repr";
    if (this.script) return "a JavaScript object";
    if (this.comments) return "JSON with comments or trailing commas";
    if (this.single) return "Python's repr or a JavaScript object";
    return "JSON";
  }

  private get char(): string {
    return this.text[this.at] ?? "";
  }

  space(): void {
    for (;;) {
      const [blank = ""] = /^(?:\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)/.exec(this.text.slice(this.at, this.at + 20_000)) ?? [];
      if (!blank) return;
      if (blank.trim()) this.comments = true;
      this.at += blank.length;
    }
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }

  value(depth = 0): string {
    if (depth > DEPTH) throw new Unreadable();
    this.space();
    const { char } = this;
    if (char === "{") return this.object(depth);
    if (char === "[" || char === "(") return this.list(depth, char === "[" ? "]" : ")");
    if (/^[bur]?['"`]/i.test(this.text.slice(this.at, this.at + 2))) return JSON.stringify(this.string());
    const number = this.take(/[-+]?(?:\d[\d_]*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/y);
    if (number !== null) return number.replace(/^\+|_/g, "");
    const decimal = this.take(/Decimal\((['"])-?\d+(?:\.\d+)?\1\)/y);
    if (decimal !== null) return ((this.python = true), decimal.slice(9, -2));
    // A name, a call or a path of names.
    const word = this.take(/[A-Za-z_$][\w$.]*(?:\[[^\]\n]*\])*(?:\([^()\n]*\))?(?:\.[\w.]+)?/y);
    if (word === null) throw new Unreadable();
    switch (word) {
      case "true":
      case "false":
      case "null":
        return word;
      case "True":
      case "False":
      case "None":
        this.python = true;
        return { True: "true", False: "false", None: "null" }[word];
      case "undefined":
        this.script = true;
        return "null";
      default:
        this.holes += 1;
        return JSON.stringify(`\${${word}}`);
    }
  }

  private string(): string {
    if (/[bur]/i.test(this.char)) [this.at, this.python] = [this.at + 1, true];
    const quote = this.char;
    const close = this.text.startsWith(quote.repeat(3), this.at) && quote !== "`" ? quote.repeat(3) : quote;
    if (quote === "'") this.single = true;
    if (quote === "`") this.script = true;
    this.at += close.length;
    let out = "";
    while (!this.text.startsWith(close, this.at)) {
      const { char } = this;
      if (char === "" || (char === "\n" && close === quote && quote !== "`")) throw new Unreadable();
      if (char !== "\\") {
        out += char;
        this.at += 1;
        continue;
      }
      const code = /^\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|U([\da-fA-F]{8}))/.exec(this.text.slice(this.at, this.at + 12));
      if (code) {
        out += String.fromCodePoint(parseInt(code[1] ?? code[2] ?? code[3] ?? code[4] ?? "0", 16));
        this.at += code[0].length;
      } else {
        const next = this.text[this.at + 1] ?? "";
        out += ESCAPES[next] ?? next;
        this.at += 2;
      }
    }
    this.at += close.length;
    return out;
  }

  private list(depth: number, close: string): string {
    if (close === ")") this.python = true;
    this.at += 1;
    const items: string[] = [];
    for (;;) {
      this.space();
      if (this.char === close) break;
      items.push(this.value(depth + 1));
      this.separator(close, false);
    }
    this.at += 1;
    return `[${items.join(",")}]`;
  }

  private object(depth: number): string {
    this.at += 1;
    const entries: string[] = [];
    for (;;) {
      this.space();
      if (this.char === "}") break;
      const quoted = /^[bur]?['"`]/i.test(this.text.slice(this.at, this.at + 2));
      let key: string;
      if (quoted) key = this.string();
      else {
        const word = this.take(/[\w$-]+/y);
        if (word === null) throw new Unreadable();
        key = word;
      }
      this.space();
      const sign = this.take(/:|=>?/y);
      if (sign === null) throw new Unreadable();
      if (sign !== ":") this.hcl = true;
      else if (!quoted) this.script = true;
      entries.push(`${JSON.stringify(key)}:${this.value(depth + 1)}`);
      this.separator("}", this.hcl);
    }
    this.at += 1;
    return `{${entries.join(",")}}`;
  }

  private separator(close: string, lines: boolean): void {
    const before = this.at;
    this.space();
    if (this.char === close) return;
    if (this.char === ",") {
      this.at += 1;
      const [, next] = /^((?:\s|\/\/[^\n]*\n|#[^\n]*\n)*)/.exec(this.text.slice(this.at)) ?? [];
      if (this.text[this.at + (next?.length ?? 0)] === close) this.comments = true;
      return;
    }
    if (lines && this.text.slice(before, this.at).includes("\n")) return;
    throw new Unreadable();
  }
}

/** The object or list at a place of an input, and where it ends; null if it is none, even read leniently. */
export function looseAt(text: string, at: number): (Loose & { end: number }) | null {
  const reader = new Reader(text);
  reader.at = at;
  try {
    reader.space();
    if (!"{[".includes(text[reader.at] ?? "x")) return null;
    const json = reader.value();
    return { kind: reader.kind, json, holes: reader.holes, end: reader.at };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** A whole text that is not JSON but can be read as an object or a list; null if it cannot, or if it is JSON. */
export function loose(text: string): Loose | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    // Then leniently.
  }
  const found = looseAt(text, 0);
  if (!found) return null;
  return /^[\s;]*$/.test(text.slice(found.end)) ? found : null;
}
