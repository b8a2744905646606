// JSON as text: laid out anew without touching any token, so duplicate keys and the spelling of numbers stay.

interface Piece {
  /** A whole scalar, or an opening bracket. */
  text: string;
  key: string | null;
  inside: Piece[] | null;
}

/** Widest list that is kept on one line. */
const WIDTH = 72;
const DEPTH = 900;

const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

class Reader {
  at = 0;
  constructor(readonly text: string) {}

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at += found[0].length;
    return found[0];
  }

  punctuation(char: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }

  value(key: string | null, depth: number): Piece | null {
    if (depth > DEPTH) return null;
    this.take(SPACE);
    const open = this.text[this.at];
    if (open !== "{" && open !== "[") {
      const text = this.take(STRING) ?? this.take(SCALAR);
      return text === null ? null : { text, key, inside: null };
    }
    const close = open === "{" ? "}" : "]";
    this.at += 1;
    const inside: Piece[] = [];
    if (this.punctuation(close)) return { text: open, key, inside };
    for (;;) {
      this.take(SPACE);
      const name = open === "{" ? this.take(STRING) : null;
      if (open === "{" && (name === null || !this.punctuation(":"))) return null;
      const entry = this.value(name, depth + 1);
      if (!entry) return null;
      inside.push(entry);
      if (this.punctuation(close)) return { text: open, key, inside };
      if (!this.punctuation(",")) return null;
    }
  }
}

function write(piece: Piece, indent: string): string {
  const head = piece.key === null ? "" : `${piece.key}: `;
  if (!piece.inside) return head + piece.text;
  const line = isShort(piece) ? head + onLine(piece) : "";
  if (line && indent.length + line.length <= WIDTH) return line;
  const deeper = `${indent}  `;
  const inside = piece.inside.map((entry) => deeper + write(entry, deeper));
  return `${head}${piece.text}\n${inside.join(",\n")}\n${indent}${piece.text === "{" ? "}" : "]"}`;
}

/** Whether it may go on one line: a scalar, an array of short values, an object with one member that is not an object. */
function isShort({ text, inside }: Piece): boolean {
  if (!inside || inside.length === 0) return true;
  const [only, second] = inside;
  if (text === "[") return inside.every(isShort);
  return !second && only !== undefined && (!only.inside || (only.text === "[" && only.inside.every((entry) => !entry.inside || isShort(entry))));
}

function onLine(piece: Piece): string {
  const head = (entry: Piece): string => (entry.key === null ? "" : `${entry.key}: `) + onLine(entry);
  if (!piece.inside) return piece.text;
  const inside = piece.inside.map(head).join(", ");
  if (piece.text === "[") return `[${inside}]`;
  return inside ? `{ ${inside} }` : "{}";
}

/** The same JSON, laid out for reading; null if the text is not JSON. */
export function pretty(text: string): string | null {
  const reader = new Reader(text);
  const piece = reader.value(null, 0);
  reader.take(SPACE);
  return piece && reader.at === text.length ? write(piece, "") : null;
}

/** Laid out where that is possible, else as it is. */
export function prettyOr(text: string): string {
  return pretty(text) ?? text;
}

/** Where the values of an object's members are in its text; null if the text is not an object. Of a name that occurs twice the last counts. */
export function members(text: string): Record<string, { start: number; end: number }> | null {
  const reader = new Reader(text);
  if (!reader.punctuation("{")) return null;
  const found: Record<string, { start: number; end: number }> = {};
  for (let first = true; !reader.punctuation("}"); first = false) {
    if (!first && !reader.punctuation(",")) return null;
    reader.take(SPACE);
    const name = reader.take(STRING);
    if (name === null || !reader.punctuation(":")) return null;
    reader.take(SPACE);
    const start = reader.at;
    if (!reader.value(null, 0)) return null;
    found[JSON.parse(name) as string] = { start, end: reader.at };
  }
  reader.take(SPACE);
  return reader.at === text.length ? found : null;
}

/** The values of an input that contains several: JSON lines, or a list of objects. One or none: an empty list. */
export function several(text: string): string[] {
  const found: string[] = [];
  const reader = new Reader(text);
  const list = reader.punctuation("[");
  for (;;) {
    reader.take(SPACE);
    const from = reader.at;
    const piece = reader.value(null, 0);
    if (piece?.text !== "{") return [];
    found.push(text.slice(from, reader.at));
    reader.take(SPACE);
    if (list) {
      if (reader.punctuation("]")) break;
      if (!reader.punctuation(",")) return [];
    } else if (reader.at === text.length) break;
  }
  reader.take(SPACE);
  return reader.at === text.length && (found.length > 1 || list) ? found : [];
}
