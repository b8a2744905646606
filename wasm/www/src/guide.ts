// The pages of findings: `#/` lists them all, `#/E0006` shows one. They are loaded when the first is opened.
import { byId, h, prose } from "./dom.ts";
import { SCOPES } from "./scopes.ts";
import { adopted, DIALECTS } from "./state.ts";

interface Page {
  code: string;
  title: string;
  page: string;
}

let loaded: Promise<Page[]> | null = null;
const pages = (): Promise<Page[]> => (loaded ??= import("./findings.json").then((file) => file.default as Page[]));

const SEVERITY: Record<string, string> = { E: "error", W: "warning", N: "note", I: "note" };

/** Opens a pattern of a page in the tester. */
export type Try = (pattern: string, dialect: string) => void;

export async function showGuide(fragment: string, attempt: Try): Promise<void> {
  const code = fragment.slice(2).toUpperCase();
  const all = await pages();
  const page = all.find((one) => one.code === code);
  document.title = page ? `${page.code}: ${plain(page.title)} · eventrie` : "Findings · eventrie";
  byId("guide").replaceChildren(page ? article(page, all, attempt) : index(all, code));
  window.scrollTo(0, 0);
}

const plain = (text: string): string => text.replaceAll("`", "");

function index(all: Page[], missing: string): HTMLElement {
  const list = h("div", { class: "guide-list" });
  const search = h("input", { type: "search", placeholder: "Search the findings: numeric, quoted, wildcard …", "aria-label": "Search findings", autocomplete: "off" });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter(({ code, title, page }) => words.every((word) => `${code} ${title} ${page}`.toLowerCase().includes(word)));
    list.replaceChildren(
      ...found.map(({ code, title }) => h("a", { class: "guide-entry", href: `#/${code}` }, h("code", {}, code), h("span", {}, prose(title)), h("span", { class: `severity is-${SEVERITY[code[0] ?? ""]}` }, SEVERITY[code[0] ?? ""] ?? ""))),
      ...(found.length ? [] : [h("p", { class: "quiet" }, "No finding contains these words.")]),
    );
  };
  search.addEventListener("input", show);
  show();
  return h("article", {}, back(), h("h2", {}, "Findings"), missing ? h("p", { class: "is-invalid" }, "There is no finding ", h("code", {}, missing), ".") : h("p", { class: "quiet" }, "What can be wrong with a pattern, why it matters, and what to write instead."), search, list);
}

function back(): HTMLElement {
  return h("p", { class: "guide-back" }, h("button", { type: "button", class: "text-button", click: () => (location.hash = "") }, "← Back to the tester"));
}

/** The pages are Markdown of a few forms: a heading, paragraphs, lists, and examples between fences. */
function article({ code, title, page }: Page, all: Page[], attempt: Try): HTMLElement {
  const at = all.findIndex((one) => one.code === code);
  const blocks = page.replace(/^##[^\n]*\n/, "").split(/(^```[^\n]*\n[\s\S]*?\n```$)/m);
  const body = blocks.flatMap((block) => {
    const fence = /^```([^\n]*)\n([\s\S]*?)\n```$/.exec(block);
    if (fence) return [example(fence[1] ?? "", fence[2] ?? "", attempt)];
    return block.split(/\n\s*\n/).filter((paragraph) => paragraph.trim()).map(paragraph);
  });
  const step = (to: Page | undefined, words: (code: string) => string) => (to ? h("a", { href: `#/${to.code}` }, words(to.code)) : h("span"));
  return h(
    "article",
    {},
    back(),
    h("p", { class: "guide-code" }, h("code", {}, code), " ", h("span", { class: `severity is-${SEVERITY[code[0] ?? ""]}` }, SEVERITY[code[0] ?? ""] ?? "")),
    h("h2", {}, prose(title)),
    ...body,
    h("nav", { class: "guide-steps", "aria-label": "Other findings" }, step(all[at - 1], (code) => `← ${code}`), h("a", { href: "#/" }, "All findings"), step(all[at + 1], (code) => `${code} →`)),
  );
}

function paragraph(text: string): HTMLElement {
  const lines = text.trim().split("\n");
  if (lines.every((line) => /^(?:[-*] |\s)/.test(line)) && /^[-*] /.test(lines[0] ?? "")) {
    const items = text.trim().split(/\n(?=[-*] )/).map((item) => item.replace(/^[-*] /, "").replace(/\s*\n\s*/g, " "));
    return h("ul", { class: "guide-items" }, ...items.map((item) => h("li", {}, rich(item))));
  }
  return h("p", {}, rich(lines.join(" ")));
}

function rich(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const [index, part] of text.split(/\*\*(.+?)\*\*/).entries()) {
    if (index % 2) fragment.append(h("strong", {}, prose(part)));
    else for (const [inner, piece] of part.split(/(?<![\w*`])\*(\w[^*`]*\w)\*(?![\w*`])/).entries()) fragment.append(inner % 2 ? h("em", {}, piece) : prose(piece));
  }
  return fragment;
}

function example(info: string, text: string, attempt: Try): HTMLElement {
  const [look = "", name = ""] = info.split(/\s+/);
  const service = adopted(name, text)?.dialect;
  const dialect = DIALECTS.find((one) => one.name === service);
  const open = dialect && h("button", { type: "button", class: "text-button", click: () => attempt(text, name) }, "Open in the tester");
  const label = look === "bad" ? "Bad" : look === "good" ? "Good" : "";
  return h("figure", { class: `example-block is-${look}` }, h("figcaption", {}, h("span", {}, label, dialect && dialect.name !== "eventbridge" ? ` · ${titleOf(name, dialect.title)}` : ""), open || ""), h("pre", { tabindex: "0" }, text));
}

/** What a dialect of an example is called: of a filter its part too. */
function titleOf(name: string, title: string): string {
  const scope = SCOPES.find((one) => one.dialect === name);
  return scope ? `Custom Event Bus · ${scope.title.toLowerCase()}` : title;
}
