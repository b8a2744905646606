// Runs the test vectors through a binding, in Node and in the browser alike.

/** The pattern or event of a row as text. */
const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));

const ENVELOPES = [
  "Event pattern is not valid. Reason: ",
  "Invalid parameter: Attributes Reason: FilterPolicy: ",
  "Invalid parameter: FilterPolicy: ",
  "Invalid parameter: Attributes Reason: ",
  "Invalid parameter: ",
];

/** How a row is read: what the engine or the service was seen to answer, it answered before September. */
function optionsOf(row) {
  const seen = row.evidence === "engine" || row.evidence === "recorded";
  const version = row.dialect === "eventbridge" ? { engine: row.version ?? (seen ? "2026-07" : "2026-09") } : { snsVersion: row.version ?? "2026" };
  return { dialect: row.dialect, serviceLimits: true, ...version };
}

/** The first line of an error text of the service, without the envelope around it. */
function wording(message) {
  const line = message.split("\n", 1)[0];
  const envelope = ENVELOPES.find((one) => line.startsWith(one)) ?? "";
  return line.slice(envelope.length);
}

/** Frees what the binding made, whatever comes. */
function using(made, use) {
  try {
    return use(made);
  } finally {
    made.free();
  }
}

/** What the binding answers to a row, in the row's own terms. */
function answer(eventrie, row) {
  const options = optionsOf(row);
  const isRecord = row.dialect === "pipes" || row.dialect === "lambda-esm";
  try {
    if (row.rules) {
      const names = Object.keys(row.rules);
      const sources = names.map((name) => text(row.rules[name]));
      if (row.dialect === "eventsv2") {
        const named = Object.fromEntries(names.map((name, at) => [name, sources[at]]));
        return using(new eventrie.SubscriberSet(named, { serviceLimits: true }), (set) => set.matches(text(row.event)).sort());
      }
      return using(new eventrie.Matcher(sources, options), (matcher) =>
        [...matcher.matches(text(row.event))].map((id) => names[id]).sort(),
      );
    }
    const pattern = text(row.pattern);
    if (row.dialect === "eventsv2") {
      return using(new eventrie.Subscriber(pattern, { serviceLimits: true }), (subscriber) => {
        if (row.expect === "invalid") return "valid";
        const event = text(row.event);
        const matched = subscriber.isMatch(event);
        const together = using(new eventrie.SubscriberSet({ other: {}, this: pattern }), (set) => set.matches(event).includes("this"));
        const explained = subscriber.explain(event).matched;
        if (explained !== matched || together !== matched) return `alone ${matched}, together ${together}, explained ${explained}`;
        return matched ? "match" : "no_match";
      });
    }
    if (row.expect === "invalid" && !isRecord) {
      const check = eventrie.check(pattern, options);
      return check.valid ? "valid" : "invalid";
    }
    if (isRecord) {
      return using(new eventrie.RecordFilter([pattern], row.source ?? "sqs", options), (filter) => {
        if (row.expect === "invalid") return "valid";
        return filter.judge(text(row.event)).passes ? "match" : "no_match";
      });
    }
    if (row.dialect === "sns-attributes" || row.dialect === "sns-body") {
      const message =
        row.dialect === "sns-body"
          ? { Message: text(row.event) }
          : { Message: "", MessageAttributes: row.attributes ?? {} };
      return using(new eventrie.SnsFilter([pattern], options), (filter) =>
        filter.judge(JSON.stringify(message)).passes ? "match" : "no_match",
      );
    }
    const event = text(row.event);
    const matched = using(new eventrie.Matcher([pattern], options), (matcher) => matcher.isMatch(event));
    const explained = using(new eventrie.Pattern(pattern, options), (one) => one.explain(event));
    if (explained.matched !== matched) return `matcher says ${matched}, explanation says ${explained.matched}`;
    return matched ? "match" : "no_match";
  } catch (error) {
    if (["PatternError", "ConfigurationError", "BuildError"].includes(error.name)) return "invalid";
    if (error.name === "EventError") return "bad_event";
    throw error;
  }
}

/** Whether the service's wording of a refusal is the recorded one. */
function worded(eventrie, row) {
  if (row.expect !== "invalid" || !row.error || row.rules) return true;
  if (row.dialect === "pipes" || row.dialect === "lambda-esm") return true;
  if (row.dialect === "eventsv2") {
    try {
      new eventrie.Subscriber(text(row.pattern), { serviceLimits: true }).free();
      return false;
    } catch (error) {
      return wording(error.serviceMessage ?? "") === wording(row.error);
    }
  }
  const options = optionsOf(row);
  const { serviceMessage } = eventrie.check(text(row.pattern), options);
  return wording(serviceMessage ?? "") === wording(row.error);
}

/** The rows of a vector file: an array, or one object per line. */
export function rows(name, content) {
  if (name.endsWith(".jsonl")) return content.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  return JSON.parse(content);
}

/** The rows that are answered otherwise than they say, each with what was answered. */
export function failures(eventrie, all) {
  const failed = [];
  for (const row of all) {
    const got = answer(eventrie, row);
    const same = JSON.stringify(got) === JSON.stringify(row.expect);
    if (!same) failed.push(`${row.id}: expected ${JSON.stringify(row.expect)}, got ${JSON.stringify(got)}`);
    else if (!worded(eventrie, row)) failed.push(`${row.id}: the service's wording is another one`);
  }
  return failed;
}
