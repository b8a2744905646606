// A row of tabs, each with the verdict on its rule or event.
import { h } from "./dom.ts";
import type { Verdict } from "./engine.ts";
import { GLYPHS } from "./panels.ts";

export interface Tab {
  label: string;
  verdict: Verdict | null;
}

export class Tabs {
  constructor(private readonly element: HTMLElement, private readonly panel: string, private readonly choose: (index: number) => void) {
    element.addEventListener("keydown", (event) => this.key(event));
  }

  show(tabs: Tab[], open: number): void {
    const { element } = this;
    const focused = element.contains(document.activeElement);
    // The same tabs only change their looks: what is pressed or focused stays.
    const same = element.childElementCount === tabs.length;
    const buttons = tabs.map(({ label, verdict }, index) => {
      const { glyph, words, look } = verdict ? GLYPHS[verdict] : { glyph: "", words: "", look: "is-none" };
      const kept = same ? (element.children[index] as HTMLButtonElement) : null;
      const button = kept ?? h("button", { type: "button", role: "tab", "aria-controls": this.panel, click: () => this.choose(index) }, h("span", { class: "tab-glyph", "aria-hidden": "true" }), h("span", { class: "tab-label" }), h("span", { class: "off-screen" }));
      const [mark, text, spoken] = button.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
      button.className = `tab ${look}`;
      button.setAttribute("aria-selected", String(index === open));
      button.tabIndex = index === open ? 0 : -1;
      if (mark.textContent !== glyph) mark.textContent = glyph;
      if (text.textContent !== label) text.textContent = label;
      spoken.textContent = words ? `, ${words}` : "";
      return button;
    });
    if (!same) element.replaceChildren(...buttons);
    const chosen = buttons[open];
    if (!same || focused) {
      if (focused) chosen?.focus();
      if (chosen) element.scrollLeft = Math.max(0, chosen.offsetLeft - element.offsetLeft - 40);
    }
  }

  private key(event: KeyboardEvent): void {
    const tabs = [...this.element.children] as HTMLElement[];
    const at = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    tabs[index]?.focus();
    this.choose(index);
  }
}
