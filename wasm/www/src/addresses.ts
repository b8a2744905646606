// What the address bar says and means: a shared state, a page about a finding, or the tester as it is.
import { byId } from "./dom.ts";
import { first } from "./examples.ts";
import { isGuide } from "./guide-address.ts";
import { hideNotice, showNotice } from "./notice.ts";
import { decode, encode, isLink } from "./permalink.ts";
import { adopted, blank, type State } from "./state.ts";
import { greeted, store, stored, storeLink } from "./store.ts";

/** A link with more state than this is not kept up to date while someone types. */
const LIVE_LINK = 100_000;

export interface Tester {
  readonly state: State;
  /** Whether nothing is shown yet. */
  readonly isBlank: boolean;
  /** Shows a state that is not the visitor's own. */
  open: (state: State) => void;
  /** Shows again what is open. */
  update: () => void;
  /** Both inputs empty, for the visitor's own. */
  fresh: () => void;
}

export class Addresses {
  private relinked = 0;

  constructor(private readonly tester: Tester) {
    window.addEventListener("hashchange", () => void this.arrive(location.hash));
  }

  /** The address has no link any more. */
  clear(): void {
    history.replaceState(null, "", location.pathname + location.search);
  }

  /** The same, if it has one. */
  leave(): void {
    if (isLink(location.hash)) this.clear();
  }

  /** What is open was edited: the old link must not come back with a reload, and the new one follows. */
  edited(): void {
    if (!isLink(location.hash)) return;
    // A reload that the browser began before it learned of the new address comes to the old link all the same, and finds
    // the edits in the store.
    storeLink(location.hash);
    store(this.tester.state);
    this.clear();
    window.clearTimeout(this.relinked);
    this.relinked = window.setTimeout(() => {
      const { state } = this.tester;
      const size = state.rules.reduce((sum, { text }) => sum + text.length, 0) + state.events.reduce((sum, text) => sum + text.length, 0);
      if (size > LIVE_LINK || isGuide(location.hash)) return;
      void encode(state).then((fragment) => isGuide(location.hash) || history.replaceState(null, "", fragment));
    }, 400);
  }

  /** Puts a link to the state into the address bar. */
  async link(): Promise<string> {
    const fragment = await encode(this.tester.state);
    history.replaceState(null, "", fragment);
    return fragment;
  }

  /** Shows what an address leads to. */
  async arrive(fragment: string): Promise<void> {
    const guide = isGuide(fragment);
    byId("tester").hidden = guide;
    byId("guide").hidden = !guide;
    byId("pill").hidden = guide;
    if (guide) return this.guide(fragment);
    if (!isLink(fragment)) {
      if (!this.tester.isBlank) this.tester.update();
      return;
    }
    const shared = await decode(fragment);
    if (shared) {
      storeLink("");
      this.tester.open(shared);
      showNotice({ lead: "Shared with you.", text: "Edit freely: the original link stays as it is, and nothing leaves your browser.", actions: [this.own], closed: () => {} });
    } else {
      this.clear();
      if (this.tester.isBlank) this.tester.open(stored() ?? first());
      showNotice({ kind: "bad", lead: "This link is damaged.", text: `Part of it is missing${fragment.length > 2_000 ? " (some programs cut long links off)" : ""}; ask the sender for the whole link. Below is ${stored() ? "what you had open last" : "an example"}, not what was shared.`, actions: [this.own], closed: () => {} });
    }
  }

  private async guide(fragment: string): Promise<void> {
    hideNotice();
    const { showGuide } = await import("./guide.ts");
    await showGuide(fragment, (pattern, dialect) => {
      location.hash = "";
      const adopt = adopted(dialect, pattern);
      if (!adopt) return;
      hideNotice();
      this.tester.open({ ...blank({ dialect: adopt.dialect, source: this.tester.state.source }), rules: [{ name: "", text: adopt.text }] });
    });
  }

  /** On a first visit: what this is. */
  welcome(): void {
    showNotice({ lead: "Why did my rule not fire?", text: "Paste its pattern and the event: you see which field does not match, and how to fix it. Nothing leaves your browser.", actions: [this.own], closed: greeted });
  }

  private get own(): { title: string; run: () => void } {
    return { title: "Start with mine", run: () => this.tester.fresh() };
  }
}
