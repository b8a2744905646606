// What people paste: outputs of the AWS CLI, command lines, templates, queue messages, log lines. Each is read as the
// rules or events in it, with a few words on what it was.
import type { Source } from "../../pkg/eventrie.js";
import { prettyOr, several } from "./json-text.ts";
import { loose, looseAt } from "./loose.ts";
import { decoded, words } from "./encoded.ts";
import { ofConfiguration, SUBSCRIBER } from "./scopes.ts";
import type { Rule, Service } from "./state.ts";

export interface Recognized {
  /** What it was, as in "Read 3 rules from …". */
  what: string;
  dialect?: Service;
  source?: Source;
  rules?: Rule[];
  events?: string[];
  /** What else there is to know. */
  note?: string;
}

type Obj = Record<string, unknown>;

const isObject = (value: unknown): value is Obj => typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** A pattern as people write it: an object, or its JSON text. */
function patternOf(value: unknown): string | null {
  if (isObject(value)) return prettyOr(JSON.stringify(value));
  const source = text(value);
  return source !== null && isObject(parsed(source)) ? prettyOr(source) : null;
}

const SOURCES: [RegExp, Source][] = [
  [/:sqs:|aws:sqs|^SQS$/i, "sqs"],
  [/:kinesis:|aws:kinesis|^Kinesis$/i, "kinesis"],
  [/:dynamodb:|aws:dynamodb|^DynamoDB$/i, "dynamodb"],
  [/:kafka:|aws:kafka|SelfManagedKafka|^(?:MSK|SelfManagedKafka)$/i, "kafka"],
  [/:mq:|aws:(?:mq|amq|rmq)|^(?:MQ)$/i, "mq"],
];

function sourceOf(value: unknown): Source | undefined {
  const name = text(value) ?? (isObject(value) ? JSON.stringify(value) : "");
  return SOURCES.find(([sign]) => sign.test(name))?.[1];
}

export interface Found {
  dialect: Service;
  source?: Source;
  name: string;
  text: string;
  disabled?: boolean;
}

/** The rules of the dialect that most of them have, and what was ignored. */
export function collected(what: string, found: Found[]): Recognized | null {
  if (!found.length) return null;
  const count = new Map<Service, number>();
  for (const { dialect } of found) count.set(dialect, (count.get(dialect) ?? 0) + 1);
  const [dialect] = [...count].sort((a, b) => b[1] - a[1])[0] as [Service, number];
  const rules = found.filter((one) => one.dialect === dialect);
  const others = found.length - rules.length;
  const disabled = rules.filter((one) => one.disabled).map(({ name }) => name);
  const notes = [
    others ? `${others} more for other services ${others === 1 ? "was" : "were"} ignored` : "",
    disabled.length ? `disabled, so ${disabled.length === 1 ? "it does" : "they do"} not run: ${disabled.slice(0, 3).join(", ")}${disabled.length > 3 ? " …" : ""}` : "",
  ].filter(Boolean);
  const source = rules.find((one) => one.source)?.source;
  return { what, dialect, ...(source ? { source } : {}), rules: rules.map(({ name, text }) => ({ name, text })), ...(notes.length ? { note: notes.join("; ") } : {}) };
}

const scopeOf = (value: unknown): Service => (value === "MessageBody" ? "sns-body" : "sns-attributes");

/** Filter criteria, by the services' names or by Terraform's. */
function filters(value: unknown, dialect: Service, name: string, source?: Source): Found[] {
  const criteria = Array.isArray(value) ? value[0] : value;
  if (!isObject(criteria)) return [];
  return list(criteria.Filters ?? criteria.filters ?? criteria.filter).flatMap((filter, index) => {
    const found = isObject(filter) ? patternOf(filter.Pattern ?? filter.pattern) : null;
    return found === null ? [] : [{ dialect, ...(source ? { source } : {}), name: index ? `${name}-${index + 1}` : name, text: found }];
  });
}

/** A subscriber of a Custom Event Bus, with all its filters. */
function subscriber(configuration: unknown, name: string): Found[] {
  const found = ofConfiguration(configuration, patternOf);
  return found === null ? [] : [{ dialect: SUBSCRIBER, name, text: found }];
}

const one = (dialect: Service, name: string, value: unknown, rest: Partial<Found> = {}): Found[] => {
  const found = patternOf(value);
  return found === null ? [] : [{ dialect, name, text: found, ...rest }];
};

/** The patterns of one resource of CloudFormation or SAM. */
function resource(id: string, type: unknown, properties: unknown): Found[] {
  const has = isObject(properties) ? properties : {};
  switch (type) {
    case "AWS::Events::Rule":
      return one("eventbridge", text(has.Name) ?? id, has.EventPattern, { disabled: has.State === "DISABLED" });
    case "AWS::EventsV2::Subscriber":
      return subscriber(has.FilterConfiguration, text(has.Name) ?? id);
    case "AWS::Events::Archive":
      return one("eventbridge", id, has.EventPattern);
    case "AWS::SNS::Subscription":
      return one(scopeOf(has.FilterPolicyScope), id, has.FilterPolicy);
    case "AWS::Lambda::EventSourceMapping":
      return filters(has.FilterCriteria, "lambda-esm", id, sourceOf(has.EventSourceArn));
    case "AWS::Pipes::Pipe":
      return filters(isObject(has.SourceParameters) ? has.SourceParameters.FilterCriteria : null, "pipes", id, sourceOf(has.Source));
    case "AWS::Serverless::Function":
    case "AWS::Serverless::StateMachine":
      return Object.entries(isObject(has.Events) ? has.Events : {}).flatMap(([event, value]) => {
        const { Type, Properties } = isObject(value) ? value : { Type: null, Properties: null };
        const inner = isObject(Properties) ? Properties : {};
        if (Type === "SNS") return one(scopeOf(inner.FilterPolicyScope), `${id}-${event}`, inner.FilterPolicy);
        if (inner.FilterCriteria) return filters(inner.FilterCriteria, "lambda-esm", `${id}-${event}`, sourceOf(Type));
        return one("eventbridge", `${id}-${event}`, inner.Pattern, { disabled: inner.State === "DISABLED" || inner.Enabled === false });
      });
    default:
      return [];
  }
}

/** The patterns of one resource of Terraform. */
function block(type: unknown, name: string, values: Obj): Found[] {
  switch (type) {
    case "aws_cloudwatch_event_rule":
      return one("eventbridge", text(values.name) ?? name, values.event_pattern, { disabled: values.state === "DISABLED" || values.is_enabled === false });
    case "aws_cloudwatch_event_archive":
      return one("eventbridge", text(values.name) ?? name, values.event_pattern);
    case "aws_sns_topic_subscription":
      return one(scopeOf(values.filter_policy_scope), name, values.filter_policy);
    case "aws_lambda_event_source_mapping":
      return filters(values.filter_criteria, "lambda-esm", name, sourceOf(values.event_source_arn));
    case "awscc_eventsv2_subscriber":
      return subscriber(values.filter_configuration, text(values.name) ?? name);
    case "aws_pipes_pipe": {
      const parameters = Array.isArray(values.source_parameters) ? values.source_parameters[0] : values.source_parameters;
      return filters(isObject(parameters) ? parameters.filter_criteria : null, "pipes", name, sourceOf(values.source));
    }
    default:
      return [];
  }
}

/** All resources of a Terraform plan or state, wherever they are in it. */
function plan(value: unknown, depth = 0): Found[] {
  if (depth > 40) return [];
  if (Array.isArray(value)) return value.flatMap((inner) => plan(inner, depth + 1));
  if (!isObject(value)) return [];
  const type = text(value.type);
  if (type && /^aws(?:cc)?_/.test(type)) {
    const change = isObject(value.change) ? value.change.after : null;
    const instances = list(value.instances).map((instance) => (isObject(instance) ? instance.attributes : null));
    const found = [value.values, change, ...instances].filter(isObject).flatMap((values) => block(type, text(value.name) ?? type, values));
    if (found.length) return found;
  }
  return Object.entries(value).flatMap(([key, inner]) => (key === "prior_state" || key === "configuration" ? [] : plan(inner, depth + 1)));
}

/** Rules in the outputs of the AWS CLI and in templates. */
function fromRules(value: unknown): Recognized | null {
  if (Array.isArray(value)) {
    const found = value.flatMap((rule, index) => (isObject(rule) && "EventPattern" in rule ? one("eventbridge", text(rule.Name) ?? `rule-${index + 1}`, rule.EventPattern, { disabled: rule.State === "DISABLED" }) : []));
    return collected("a list of rules", found);
  }
  if (!isObject(value)) return null;
  if (Array.isArray(value.Rules)) {
    const inner = fromRules(value.Rules);
    return inner && { ...inner, what: "the output of `aws events list-rules`" };
  }
  if (isObject(value.Resources)) {
    const found = Object.entries(value.Resources).flatMap(([id, entry]) => (isObject(entry) ? resource(id, entry.Type, entry.Properties) : []));
    return collected("a CloudFormation template", found);
  }
  if ("EventPattern" in value) return collected(value.Arn || value.Name ? "the output of `aws events describe-rule`" : "`EventPattern`", one("eventbridge", text(value.Name) ?? "rule", value.EventPattern, { disabled: value.State === "DISABLED" }));
  if ("event_pattern" in value) return collected("`event_pattern`", one("eventbridge", text(value.name) ?? "rule", value.event_pattern));
  if ("FilterPolicy" in value) return collected("a subscription", one(scopeOf(value.FilterPolicyScope), "policy", value.FilterPolicy));
  if (isObject(value.Attributes) && "FilterPolicy" in value.Attributes) return collected("the output of `aws sns get-subscription-attributes`", one(scopeOf(value.Attributes.FilterPolicyScope), "policy", value.Attributes.FilterPolicy));
  if (Array.isArray(value.EventSourceMappings)) {
    const found = value.EventSourceMappings.flatMap((mapping, index) => (isObject(mapping) ? filters(mapping.FilterCriteria, "lambda-esm", `mapping-${index + 1}`, sourceOf(mapping.EventSourceArn)) : []));
    return collected("the output of `aws lambda list-event-source-mappings`", found);
  }
  if (Array.isArray(value.Subscribers)) {
    const found = value.Subscribers.flatMap((each, index) => (isObject(each) ? subscriber(each.FilterConfiguration, text(each.Name) ?? `subscriber-${index + 1}`) : []));
    return collected("the output of `aws eventsv2 list-subscribers`", found);
  }
  const configuration = isObject(value.FilterConfiguration) ? value.FilterConfiguration : list(value.Filters).some((filter) => isObject(filter) && "Scope" in filter) ? value : null;
  if (configuration) return collected("a subscriber of a Custom Event Bus", subscriber(configuration, text(value.Name) ?? "subscriber"));
  if (isObject(value.FilterCriteria)) return collected("an event source mapping", filters(value.FilterCriteria, "lambda-esm", "filter", sourceOf(value.EventSourceArn)));
  if (isObject(value.SourceParameters)) return collected("a pipe", filters(value.SourceParameters.FilterCriteria, "pipes", text(value.Name) ?? "filter", sourceOf(value.Source)));
  if (Array.isArray(value.Filters)) return collected("filter criteria", filters(value, "lambda-esm", "filter"));
  if (value.planned_values || value.resource_changes || (value.terraform_version && (value.values || value.resources))) return collected("a Terraform plan or state", plan({ ...value, ...(value.planned_values ? { resource_changes: null } : {}) }));
  if (isObject(value.resource)) {
    const found = Object.entries(value.resource).flatMap(([type, named]) => (isObject(named) ? Object.entries(named).flatMap(([name, body]) => list(Array.isArray(body) ? body : [body]).filter(isObject).flatMap((values) => block(type, name, values))) : []));
    return collected("Terraform's JSON", found);
  }
  return null;
}

/** Whether every leaf is in a list, as in a pattern; null if there are no leaves. */
function listed(value: unknown, depth = 0): boolean | null {
  if (Array.isArray(value)) return true;
  if (!isObject(value) || depth > 20) return false;
  const all = Object.values(value).map((inner) => listed(inner, depth + 1));
  if (!all.length) return null;
  return all.every((inner) => inner !== false);
}

/** Whether an object is an event as EventBridge delivers it. */
export function isEvent(value: unknown): boolean {
  return isObject(value) && typeof value["detail-type"] === "string" && typeof value.source === "string";
}

/** Whether an object can only be a pattern: all its values are lists, with an operator or under `source` or `detail-type`. */
function isPattern(value: unknown): boolean {
  return isObject(value) && listed(value) === true && (Array.isArray(value.source) || Array.isArray(value["detail-type"]) || /\[\s*\{\s*"(?:prefix|suffix|anything-but|numeric|exists|cidr|wildcard|equals-ignore-case)"/.test(JSON.stringify(value)));
}

/** The event that EventBridge makes of an entry of PutEvents. */
function delivered(entry: Obj): string {
  const detail = text(entry.Detail);
  const resources = list(entry.Resources).filter((arn) => typeof arn === "string");
  const time = text(entry.Time) ?? `${new Date().toISOString().slice(0, 19)}Z`;
  const head = { version: "0", id: "00000000-0000-0000-0000-000000000000", "detail-type": entry.DetailType, source: entry.Source, account: "123456789012", time, region: "us-east-1", resources };
  // The detail keeps its own spelling of numbers.
  const body = detail !== null && parsed(detail) !== undefined ? detail : JSON.stringify(entry.Detail ?? {});
  return prettyOr(`${JSON.stringify(head).slice(0, -1)},"detail":${body}}`);
}

/** A record of CloudTrail as EventBridge delivers it. */
function apiCall(record: Obj): string {
  const service = String(record.eventSource ?? "").replace(/\.amazonaws\.com$/, "");
  const type = record.eventType === "AwsConsoleSignIn" ? "AWS Console Sign In via CloudTrail" : record.eventType === "AwsServiceEvent" ? "AWS Service Event via CloudTrail" : "AWS API Call via CloudTrail";
  const event = { version: "0", id: text(record.eventID) ?? "", "detail-type": type, source: `aws.${service}`, account: text(record.recipientAccountId) ?? "123456789012", time: text(record.eventTime) ?? "", region: text(record.awsRegion) ?? "us-east-1", resources: [], detail: record };
  return prettyOr(JSON.stringify(event));
}

const isTrail = (value: unknown): boolean => isObject(value) && typeof value.eventVersion === "string" && typeof value.eventSource === "string" && typeof value.eventName === "string" && /\.amazonaws\.com$/.test(value.eventSource);
const isEntry = (value: unknown): boolean => isObject(value) && ("DetailType" in value || "Detail" in value) && !("detail-type" in value);

const keep = (value: unknown): string => prettyOr(JSON.stringify(value));

interface Events {
  what: string;
  events: string[];
  source?: Source;
  dialect?: Service;
  note?: string;
}

function each(what: string, values: unknown[], read: (value: unknown) => string | null, rest: Partial<Events> = {}): Events | null {
  const events = values.map(read).filter((event) => event !== null);
  return events.length ? { what, events, ...rest } : null;
}

/** The text of a message or a log line as an event: itself, or what is wrapped in it. */
function inner(value: unknown, dialect: Service): string | null {
  const source = text(value);
  if (source === null) return isObject(value) ? keep(value) : null;
  const whole = parsed(source) ?? parsed(source.slice(Math.max(0, source.indexOf("{")), source.lastIndexOf("}") + 1));
  if (!isObject(whole)) return null;
  return fromEvents(whole, dialect)?.events[0] ?? keep(whole);
}

/** Events of a Custom Event Bus, each as it is: delivered in three parts, or entries of PutEvents and PutRawEvents. */
function fromCustomBus(value: Obj, dialect: Service): Events | null {
  const here = dialect === SUBSCRIBER;
  const to: Partial<Events> = here ? {} : { dialect: SUBSCRIBER };
  const inParts = (one: unknown): boolean => isObject(one) && ("Data" in one || "DataBase64" in one) && (isObject(one.SystemMetadata) || isObject(one.Metadata));
  if (inParts(value)) return here ? null : each("an event of a Custom Event Bus", [value], keep, to);
  const entries = list(value.Entries);
  // `EventBusName` in an entry is that of a classic bus.
  const classic = entries.some((entry) => isObject(entry) && "EventBusName" in entry);
  if (entries.length && entries.every(inParts)) return each("a PutRawEvents request", entries, keep, to);
  if (entries.some(isEntry) && !classic && (here || "EventBusArn" in value)) return each("a PutEvents request", entries, keep, to);
  return null;
}

/** Events in what is wrapped around them. */
function fromEvents(value: unknown, dialect: Service): Events | null {
  const records = dialect === "pipes" || dialect === "lambda-esm";
  if (Array.isArray(value)) {
    if (value.length && value.every(isEntry) && dialect !== SUBSCRIBER) return each("entries of PutEvents", value, (entry) => delivered(entry as Obj), SENT);
    if (value.length && value.every(isTrail)) return each("CloudTrail records", value, (record) => apiCall(record as Obj), TRAIL);
    return value.length && value.every(isObject) ? each("a list", value, (one) => fromEvents(one, dialect)?.events[0] ?? keep(one)) : null;
  }
  if (!isObject(value)) return null;
  const published = fromCustomBus(value, dialect);
  if (published) return published;
  if (isEvent(value)) return null;
  if (Array.isArray(value.Entries) && value.Entries.some(isEntry)) return each("a PutEvents request", value.Entries, (entry) => (isEntry(entry) ? delivered(entry as Obj) : null), SENT);
  if (isEntry(value) && dialect !== SUBSCRIBER && (typeof value.Detail === "string" || isObject(value.Detail))) return each("an entry of PutEvents", [value], (entry) => delivered(entry as Obj), SENT);
  if (isTrail(value) && dialect === "eventbridge") return each("a CloudTrail record", [value], (record) => apiCall(record as Obj), TRAIL);
  if (typeof value.CloudTrailEvent === "string") return each("`CloudTrailEvent`", [parsed(value.CloudTrailEvent)], (record) => (isTrail(record) ? apiCall(record as Obj) : null), TRAIL);
  if (Array.isArray(value.Events) && value.Events.some((event) => isObject(event) && typeof event.CloudTrailEvent === "string")) {
    return each("the output of `aws cloudtrail lookup-events`", value.Events, (event) => (isObject(event) ? (fromEvents(event, dialect)?.events[0] ?? null) : null), TRAIL);
  }
  if (value.Type === "Notification" && typeof value.Message === "string") {
    if (dialect === "sns-attributes") return null;
    const body = inner(value.Message, dialect);
    return body === null ? null : each("an SNS notification", [body], String, { note: "the event is its `Message`" });
  }
  const rows: unknown[] = [value.Records, value.Messages, value.records].map(list).find((found) => found.length) ?? [];
  if (rows.length && rows.every(isObject)) {
    const [first] = rows as [Obj];
    const source = sourceOf(first.eventSource ?? first.EventSource ?? value.eventSource);
    if (rows.every(isTrail)) return each("a CloudTrail file", rows, apiCall as (value: unknown) => string, TRAIL);
    // Records of queues and streams are what pipes and mappings filter.
    if (records && source) return each(`${rows.length === 1 ? "a record" : "records"} of a Lambda event`, rows, keep, { source });
    if (records && "Body" in first) return each("the output of `aws sqs receive-message`", rows, (message) => keep({ messageId: (message as Obj).MessageId, body: (message as Obj).Body, attributes: (message as Obj).Attributes ?? {} }), { source: "sqs" });
    if (isObject(first.Sns)) {
      if (dialect === "sns-attributes") return each("an SNS event for Lambda", rows, (record) => keep((record as { Sns: unknown }).Sns));
      return each("an SNS event for Lambda", rows, (record) => inner((record as { Sns: Obj }).Sns.Message, dialect), { note: "the events are the messages" });
    }
    const bodies = rows.map((row) => row.body ?? row.Body);
    if (bodies.every((body) => typeof body === "string")) return each(`${rows.length === 1 ? "an SQS message" : "SQS messages"}`, bodies, (body) => inner(body, dialect), { note: "the event is the body" });
    if (rows.every((row) => isObject(row.kinesis) || typeof row.data === "string")) return each("Kinesis records", rows, (row) => inner(decoded((row as Obj).data ?? ((row as Obj).kinesis as Obj).data), dialect), { note: "the events are the decoded data" });
    if (rows.every((row) => isObject(row.s3))) return { what: "S3 event notifications", events: rows.map(keep), note: "EventBridge delivers S3 events in another form, with `detail.bucket.name` and `detail.object.key`" };
  }
  if (typeof value.body === "string" && !records && (typeof value.messageId === "string" || typeof value.receiptHandle === "string")) {
    const body = inner(value.body, dialect);
    if (body !== null) return each("an SQS message", [body], String, { note: "the event is its body" });
  }
  if (typeof value.Body === "string" && !records && typeof value.MessageId === "string") {
    const body = inner(value.Body, dialect);
    if (body !== null) return each("an SQS message", [body], String, { note: "the event is its body" });
  }
  if (Array.isArray(value.events) && value.events.every((event) => isObject(event) && "message" in event)) return each("log events", value.events, (event) => inner((event as Obj).message, dialect), { note: "the events are the messages" });
  if (Array.isArray(value.results)) {
    const messages = value.results.flatMap((row) => list(row).filter((field): field is Obj => isObject(field) && field.field === "@message").map((field) => field.value));
    if (messages.length) return each("a result of Logs Insights", messages, (message) => inner(message, dialect), { note: "the events are the messages" });
  }
  return null;
}

const SENT = { note: "shown as EventBridge delivers them" };
const TRAIL = { note: "shown as EventBridge delivers them, under `detail`" };

/** A command line of the AWS CLI. */
function command(source: string, dialect: Service): Recognized | null {
  if (!/^\s*(?:\$\s+)?aws\s+(?:events|eventsv2|sns|lambda|pipes)\b/.test(source)) return null;
  const all = words(source);
  const start = all.indexOf("aws");
  const option = (name: string): string | undefined => {
    const at = all.indexOf(name);
    return at >= 0 ? all[at + 1] : all.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  };
  const what = `\`${all.slice(start, start + 3).join(" ")}\``;
  const pattern = option("--event-pattern");
  const event = option("--event");
  if (pattern !== undefined) {
    const found = collected(what, [{ dialect: "eventbridge", name: option("--name") ?? "rule", text: prettyOr(pattern), disabled: option("--state") === "DISABLED" }]);
    return found && { ...found, ...(event === undefined ? {} : { events: [prettyOr(event)] }) };
  }
  const entries = option("--entries");
  if (entries !== undefined) {
    const found = fromEvents(parsed(entries), dialect);
    return found && { ...found, what };
  }
  const scope = all.includes("FilterPolicyScope") ? scopeOf(option("--attribute-value")) : (option("--filter-policy-scope") ? scopeOf(option("--filter-policy-scope")) : undefined);
  const policy = option("--attribute-name") === "FilterPolicy" ? option("--attribute-value") : undefined;
  const attributes = parsed(option("--attributes") ?? "");
  if (isObject(attributes) && "FilterPolicy" in attributes) return collected(what, one(scopeOf(attributes.FilterPolicyScope), "policy", attributes.FilterPolicy));
  if (policy !== undefined) return { what, dialect: scope ?? (dialect === "sns-body" ? "sns-body" : "sns-attributes"), rules: [{ name: "policy", text: prettyOr(policy) }] };
  const configuration = option("--filter-configuration");
  if (configuration !== undefined) return collected(what, subscriber(parsed(configuration), option("--name") ?? "subscriber"));
  const criteria = option("--filter-criteria");
  if (criteria !== undefined) return collected(what, filters(parsed(criteria), "lambda-esm", "filter", sourceOf(option("--event-source-arn"))));
  const parameters = parsed(option("--source-parameters") ?? "");
  if (isObject(parameters)) return collected(what, filters(parameters.FilterCriteria, "pipes", option("--name") ?? "filter", sourceOf(option("--source"))));
  return null;
}

/** The text of the innermost braces around a place, as far as that can be said without reading the whole. */
function within(source: string, place: number): string {
  const start = source.lastIndexOf("{", place) + 1;
  const rest = source.slice(place);
  // The pattern itself has braces: what follows it is searched for the other argument alone.
  const next = /^[\s\S]*?\n?[ \t]*(?:\}\s*,\s*\{|\}\s*\])/.exec(rest)?.[0] ?? rest;
  return source.slice(start, place) + next;
}

const ARGUMENTS: Record<string, Service> = { event_pattern: "eventbridge", filter_policy: "sns-attributes", pattern: "lambda-esm" };

/** Terraform's language: the arguments that contain patterns, as `jsonencode(…)`, a heredoc or a string. */
function hcl(source: string): Recognized | null {
  const found: Found[] = [];
  const subscribers = new Map<string, unknown[]>();
  let holes = 0;
  for (const match of source.matchAll(/(?:^|[\n{])[ \t]*(event_pattern|filter_policy|pattern)[ \t]*=[ \t]*/g)) {
    const [all, argument = ""] = match;
    const at = match.index + all.length;
    const rest = source.slice(at);
    const before = source.slice(0, match.index);
    const resources = [...before.matchAll(/resource\s+"(aws(?:cc)?_\w+)"\s+"([\w-]+)"/g)];
    const [, type = "", name = "rule"] = resources.at(-1) ?? [];
    const around = before.slice(resources.at(-1)?.index ?? 0) + rest.slice(0, 4_000).split(/\nresource\s/, 1)[0];
    let json: string | null = null;
    const encoded = /^jsonencode\(/.exec(rest);
    const heredoc = /^<<[-~]?\s*(\w+)\r?\n([\s\S]*?)\n[ \t]*\1\b/.exec(rest);
    const quoted = /^"((?:[^"\\\n]|\\.)*)"/.exec(rest);
    if (encoded) {
      const object = looseAt(source, at + encoded[0].length);
      json = object?.json ?? null;
      holes += object?.holes ?? 0;
    } else if (heredoc) json = heredoc[2] ?? null;
    else if (quoted) json = text(parsed(quoted[0]));
    if (json === null) continue;
    const dialect: Service = type === "aws_pipes_pipe" ? "pipes" : argument === "filter_policy" && /filter_policy_scope\s*=\s*"MessageBody"/.test(around) ? "sns-body" : (ARGUMENTS[argument] ?? "eventbridge");
    if (type === "awscc_eventsv2_subscriber") {
      const scope = /\bscope\s*=\s*"(\w+)"/.exec(within(source, match.index))?.[1];
      subscribers.set(name, [...(subscribers.get(name) ?? []), { scope, pattern: json }]);
      continue;
    }
    const label = /\bname\s*=\s*"([^"$]+)"/.exec(around.slice(0, 2_000))?.[1];
    found.push({ dialect, name: (dialect === "eventbridge" ? label : undefined) ?? name, text: prettyOr(json.trim()), disabled: dialect === "eventbridge" && /state\s*=\s*"DISABLED"|is_enabled\s*=\s*false/.test(around) });
  }
  for (const [name, filters] of subscribers) found.push(...subscriber({ filters }, name));
  const result = collected("Terraform", found);
  if (!result || !holes) return result;
  const note = `${holes} reference${holes === 1 ? "" : "s"} such as \`\${var.name}\` ${holes === 1 ? "is" : "are"} kept as text`;
  return { ...result, note: [result.note, note].filter(Boolean).join("; ") };
}

/** Fields that events and records have at the top level: an object that has one is a pattern itself. */
const ENVELOPE = new Set(["version", "id", "detail-type", "source", "account", "time", "region", "resources", "detail", "body", "data", "dynamodb", "kinesis", "attributes", "messageAttributes", "value", "key", "eventName"]);

/** Several rules in one object, by name, as rule files have them. */
function named(value: unknown, valid: (pattern: string) => boolean): Recognized | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  if (entries.some(([name]) => ENVELOPE.has(name))) return null;
  if (entries.length < 2 || !entries.every(([, pattern]) => isObject(pattern) && listed(pattern) === true)) return null;
  const found = entries.map(([name, pattern]) => ({ name, text: keep(pattern) }));
  return entries.every(([, pattern]) => isPattern(pattern)) && found.every(({ text }) => valid(text)) ? { what: "a file of rules", rules: found } : null;
}

export interface Place {
  into: "rule" | "event";
  dialect: Service;
  /** Whether the text replaces everything that was there. */
  whole: boolean;
  /** Whether an input is a valid pattern. */
  valid: (pattern: string) => boolean;
}

/** What a pasted text is; null if it is just what belongs in that place. */
export function recognize(source: string, { into, dialect, whole, valid }: Place): Recognized | null {
  const trimmed = source.trim();
  if (!trimmed || trimmed.length > 8_000_000) return null;
  const line = command(trimmed, dialect);
  if (line) return line;
  const value = parsed(trimmed);
  if (value === undefined) {
    const written = hcl(trimmed);
    if (written) return written;
    if (!whole) return null;
    const parts = several(trimmed);
    if (parts.length > 1) {
      const inner = parts.map((part) => fromEvents(parsed(part), dialect)?.events ?? [prettyOr(part)]);
      return into === "event" ? { what: `${parts.length} lines of JSON`, events: inner.flat() } : null;
    }
    const almost = loose(trimmed);
    if (almost) {
      const again = recognize(almost.json, { into, dialect, whole, valid });
      const one = prettyOr(almost.json);
      return again ? { ...again, what: `${again.what}, written as ${almost.kind}` } : { what: almost.kind, ...(into === "rule" ? { rules: [{ name: "", text: one }] } : { events: [one] }), note: "rewritten as JSON" };
    }
    // A log line: something, then JSON.
    const logged = /^[^{[]{1,400}(\{[\s\S]*\})\s*$/.exec(trimmed);
    const found = logged ? inner(logged[1], dialect) : null;
    if (into === "event" && found !== null) return { what: "a log line", events: [found] };
    // Several such lines.
    const lines = trimmed.split("\n").filter((row) => row.trim()).map((row) => inner(row, dialect));
    if (into === "event" && lines.length > 1 && lines.every((row) => row !== null)) return { what: `${lines.length} log lines`, events: lines };
    return null;
  }
  const rules = fromRules(value);
  if (rules) return rules;
  const events = fromEvents(value, dialect);
  if (events) return events;
  if (into === "rule") {
    const several = named(value, valid);
    if (several) return several;
    if (whole && isEvent(value)) return { what: "an event", events: [prettyOr(trimmed)], note: "it was placed next to the pattern, where events go" };
  } else if (whole && isPattern(value)) return { what: "a pattern", rules: [{ name: "", text: prettyOr(trimmed) }], note: "it was placed next to the event, where patterns go" };
  return null;
}
