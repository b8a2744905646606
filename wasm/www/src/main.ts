// Starts the page. The first answer needs the module and little else: the editors are loaded beside it, and take over the
// inputs when they are there. Marks where the time of a visit goes, for the browser's timeline.
import { AnswerSide } from "./answer-side.ts";
import { type Answered, answering } from "./answering.ts";
import { chrome, sketch, startChrome } from "./chrome.ts";
import { start } from "./engine.ts";
import { first } from "./examples.ts";
import { isGuide } from "./guide-address.ts";
import type { Page } from "./page.ts";
import { isLink } from "./permalink.ts";
import { greeted, isEdited, stored } from "./store.ts";
import { startTheme } from "./theme.ts";

performance.mark("script");
startTheme();
startChrome();
const isKept = Boolean(navigator.serviceWorker?.controller);
if (isKept) void import("./styles/fonts.css");
const module = start();
// On a first visit the module comes first: the network is what takes time.
const editors = (isKept ? Promise.resolve() : module).then(() => import("./page.ts"));
const kept = stored();
const reloaded = performance.getEntriesByType("navigation").some((entry) => (entry as PerformanceNavigationTiming).type === "reload");
if (reloaded && isEdited(location.hash)) history.replaceState(null, "", location.pathname + location.search);
const came = location.hash;
const state = kept ?? first();
const isPlain = !isLink(came) && !isGuide(came);
if (isPlain) {
  chrome(state);
  sketch(state);
}
await module;
performance.mark("module");
// What is pressed before the editors are there is done when they are.
let begun: (page: Page) => void;
const page = new Promise<Page>((resolve) => (begun = resolve));
const later = <T extends unknown[]>(run: (page: Page, ...args: T) => void) => (...args: T) => void page.then((page) => run(page, ...args));
const shown = new AnswerSide({
  light: later((page, links) => page.light(links, "list")),
  visit: later((page, { start }) => page.visit(start)),
  apply: later((page, fix) => page.apply(fix)),
  show: later((page, { start, end }) => page.visit(start, end)),
});
let answered: Answered | null = null;
if (isPlain) {
  answered = answering(shown, state, { apply: later((page, change) => page.apply(change)), rewrite: later((page, text) => page.rewrite(text)) });
  performance.mark("answered");
}
const { Page: Made } = await editors;
const made = new Made(shown, state);
if (!isLink(came)) made.begin(answered);
if (!isPlain) {
  await made.addresses.arrive(came);
  performance.mark("answered");
}
if (!kept && !came && !greeted.before()) made.addresses.welcome();
begun!(made);
document.documentElement.dataset.ready = "true";
performance.mark("ready");
// The page's own faces come after the first answer; on later visits they are in the cache, and there at once.
void import("./styles/fonts.css");
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js");
