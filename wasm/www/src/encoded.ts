// Text inside text: the arguments of a command line, and base64.

/** The words of a command line, as a POSIX shell reads them. */
export function words(line: string): string[] {
  const found: string[] = [];
  let word: string | null = null;
  const joined = line.replace(/\\\r?\n/g, " ");
  for (let at = 0; at < joined.length; at += 1) {
    const char = joined[at] ?? "";
    if (/\s/.test(char)) {
      if (word !== null) found.push(word);
      word = null;
    } else if (char === "'") {
      const end = joined.indexOf("'", at + 1);
      if (end < 0) break;
      word = (word ?? "") + joined.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      word ??= "";
      for (at += 1; at < joined.length && joined[at] !== '"'; at += 1) {
        if (joined[at] === "\\" && /["\\$`]/.test(joined[at + 1] ?? "")) at += 1;
        word += joined[at];
      }
    } else {
      if (char === "\\") at += 1;
      word = (word ?? "") + (joined[at] ?? "");
    }
  }
  if (word !== null) found.push(word);
  return found;
}

/** The text of base64; null if it is none. */
export function decoded(value: unknown): string | null {
  try {
    return typeof value === "string" ? new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(atob(value), (char) => char.charCodeAt(0))) : null;
  } catch {
    return null;
  }
}
