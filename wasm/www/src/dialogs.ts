// The dialogs: examples, inputs to copy, keys.
import { FORMS, together } from "./copy-as.ts";
import { byId, copy, h } from "./dom.ts";
import { type Example, TOUR, vectors } from "./examples.ts";
import { type State, wording } from "./state.ts";

/** Opens with its button, closes with its own, with Escape, and with a click outside it. */
function dialog(id: string, opener: string, opened: () => void): HTMLDialogElement {
  const element = byId<HTMLDialogElement>(id);
  byId(opener).addEventListener("click", () => {
    opened();
    element.showModal();
  });
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  return element;
}

export function startKeys(): void {
  dialog("keys-dialog", "keys-open", () => {});
}

/** The most vectors that are listed at once. */
const LISTED = 60;

export function startExamples(open: (state: State) => void): void {
  const search = byId<HTMLInputElement>("examples-search");
  const list = byId("examples-list");
  const item = (example: Example) =>
    h("button", { type: "button", class: "example", click: () => (element.close(), open(example.state())) }, h("span", { class: "example-title" }, example.title), h("span", { class: "quiet" }, example.note));
  const show = async () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = ({ title, note }: Example) => words.every((word) => `${title} ${note}`.toLowerCase().includes(word));
    const tour = TOUR.filter(matching).map(item);
    if (!words.length) return list.replaceChildren(...tour);
    const found = (await vectors()).filter(matching);
    const more = found.length > LISTED ? [h("p", { class: "quiet" }, `${found.length - LISTED} more vectors match; add a word`)] : [];
    const none = tour.length + found.length ? [] : [h("p", { class: "quiet" }, "No example contains these words.")];
    return list.replaceChildren(...tour, ...(found.length ? [h("h3", {}, "Test vectors")] : []), ...found.slice(0, LISTED).map(item), ...more, ...none);
  };
  search.addEventListener("input", () => void show());
  const element = dialog("examples-dialog", "examples-open", () => {
    search.value = "";
    void show();
  });
}

export function startCopyAs(state: () => State): void {
  const tabs = byId("copy-tabs");
  const text = byId("copy-text");
  let open = FORMS[0];
  const show = () => {
    text.textContent = open?.text(state()) ?? "";
    for (const tab of tabs.children) {
      const here = tab.id === `copy-${open?.id}`;
      tab.setAttribute("aria-selected", String(here));
      (tab as HTMLElement).tabIndex = here ? 0 : -1;
    }
    const { rules, dialect } = state();
    const noun = wording(dialect).rule.toLowerCase();
    byId("copy-note").textContent = rules.length > 1 ? (together(state()) ? `all ${rules.length} ${noun}s` : `the open ${noun} only`) : "";
  };
  tabs.append(
    ...FORMS.map((form) =>
      h("button", { type: "button", role: "tab", class: "tab", id: `copy-${form.id}`, "aria-controls": "copy-text", click: () => ((open = form), show()) }, h("span", { class: "tab-label" }, form.title)),
    ),
  );
  tabs.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step || !open) return;
    open = FORMS[(FORMS.indexOf(open) + step + FORMS.length) % FORMS.length];
    show();
    byId(`copy-${open?.id}`).focus();
  });
  byId("copy-do").addEventListener("click", () => void copy(text.textContent ?? "", "Copied"));
  dialog("copy-dialog", "copy-open", show);
}
