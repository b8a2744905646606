// What is around the inputs and does not change while someone types: choices, titles, labels. And the inputs themselves until the
// editors are there, which take longer to load and to build than an answer.
import { openEvent, openRule } from "./answering.ts";
import { byId, h } from "./dom.ts";
import { SUBSCRIBER } from "./scopes.ts";
import { counted, DIALECTS, hasRecords, SOURCES, type State, wording } from "./state.ts";

/** The choices of services and sources. */
export function startChrome(): void {
  byId("dialect").append(...DIALECTS.map(({ name, title }) => h("option", { value: name }, title)));
  byId("source").append(...SOURCES.map(({ name, title }) => h("option", { value: name }, title)));
}

export function chrome(state: State): void {
  const { dialect, source, rules, events } = state;
  const words = wording(dialect);
  const isScoped = dialect === SUBSCRIBER;
  byId<HTMLSelectElement>("dialect").value = dialect;
  byId<HTMLSelectElement>("source").value = source;
  byId("source-choice").hidden = !hasRecords(dialect);
  byId("rule-title").textContent = words.rule;
  byId("event-title").textContent = words.event;
  byId("rule-add").setAttribute("aria-label", `Add a ${words.rule.toLowerCase()}`);
  byId("event-add").setAttribute("aria-label", `Add another ${words.event.toLowerCase()}`);
  byId("seen-title").textContent = dialect === "sns-attributes" ? "What the policy sees" : isScoped ? "What the filters see" : "What the filter sees";
  byId("event-head").textContent = `In the ${words.event.toLowerCase()}`;
  byId("sample").textContent = `${words.event} that matches`;
  byId("infer").textContent = `${isScoped ? "Data filter" : words.rule} from ${events.length > 1 ? "these" : "this"} ${events.length > 1 ? counted(events.length, words.event) : words.event.toLowerCase()}`;
  byId("rule-remove").hidden = rules.length < 2;
  byId("event-remove").hidden = events.length < 2;
  byId<HTMLInputElement>("rule-name").value = openRule(state).name;
}

/** More than this is not on any screen. */
const SKETCHED = 8_000;

/** Shows both inputs as they are. What is not shown as one text, such as a subscriber or attributes, waits for the editors. */
export function sketch(state: State): void {
  const show = (id: string, text: string) => byId(id).replaceChildren(h("pre", { class: "sketch" }, text.slice(0, SKETCHED)));
  if (state.dialect !== SUBSCRIBER) show("rule-editor", openRule(state).text);
  if (state.dialect !== "sns-attributes") show("event-editor", openEvent(state));
}

/** What the empty editors say. */
export function placeholders({ dialect }: State): { rule: string; event: string } {
  const words = wording(dialect);
  return {
    rule: dialect === SUBSCRIBER ? "Paste the filter configuration here, a template, or the pattern for the data" : `Paste the ${words.rule.toLowerCase()} here: its pattern, a template, or the output of the AWS CLI`,
    event: `Paste the ${words.event.toLowerCase()} here, as you have it`,
  };
}
