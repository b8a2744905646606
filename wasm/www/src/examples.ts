// Where to begin: a tour of what the page shows, the shipped rules and events, and every test vector.
import shippedEvents from "../../../examples/events.ndjson?raw";
import shippedRules from "../../../examples/rules.json";
import type { Source } from "../../pkg/eventrie.js";
import { prettyOr } from "./json-text.ts";
import { joined, ofConfiguration, SUBSCRIBER } from "./scopes.ts";
import { adopted, type Service, type State } from "./state.ts";

export interface Example {
  title: string;
  note: string;
  state: () => State;
}

interface Scene {
  title: string;
  note: string;
  dialect?: Service;
  source?: Source;
  rules: Record<string, string>;
  events: unknown[];
}

const base64 = (value: unknown): string => btoa(JSON.stringify(value));

const envelope = (source: string, type: string, detail: unknown) => ({
  version: "0",
  id: "6a7e8feb-b491-4cf7-a9f1-bf3703467718",
  "detail-type": type,
  source,
  account: "123456789012",
  time: "2026-03-02T06:14:09Z",
  region: "eu-central-1",
  resources: [],
  detail,
});

const SCENES: Scene[] = [
  {
    title: "Almost: a capital letter",
    note: "the nearest miss, in words and on both sides",
    rules: { "ec2-stopped": '{\n  "source": ["aws.ec2"],\n  "detail-type": ["EC2 Instance State-change Notification"],\n  "detail": {\n    "state": ["stopped", "terminated"]\n  }\n}' },
    events: [envelope("aws.ec2", "EC2 Instance State-change Notification", { "instance-id": "i-0aa1bb2cc3dd4ee51", state: "Stopped" })],
  },
  {
    title: "One item must match both fields",
    note: "arrays of objects: no single element matches both",
    rules: { "two-of-a1": '{\n  "source": ["shop.orders"],\n  "detail": {\n    "items": {\n      "sku": ["A1"],\n      "qty": [{ "numeric": [">=", 5] }]\n    }\n  }\n}' },
    events: [
      envelope("shop.orders", "Order Placed", { items: [{ sku: "A1", qty: 2 }, { sku: "B2", qty: 5 }] }),
      envelope("shop.orders", "Order Placed", { items: [{ sku: "A1", qty: 6 }, { sku: "B2", qty: 1 }] }),
    ],
  },
  {
    title: "The tree of $or",
    note: "which branch matches, which comes close",
    rules: {
      "build-slow-or-broken":
        '{\n  "source": ["aws.codebuild"],\n  "detail": {\n    "project-name": [{ "wildcard": "release-*-api" }],\n    "$or": [\n      { "build-status": ["FAILED", "STOPPED"] },\n      { "build-status": ["SUCCEEDED"], "seconds": [{ "numeric": [">", 900] }] },\n      { "phase": [{ "anything-but": ["COMPLETED", "SUBMITTED"] }], "attempt": [{ "exists": true }] }\n    ]\n  }\n}',
    },
    events: [envelope("aws.codebuild", "CodeBuild Build State Change", { "project-name": "release-2026-api", "build-status": "SUCCEEDED", seconds: 842, phase: "COMPLETED" })],
  },
  {
    title: "An invalid pattern",
    note: "carets, the service's own words, and fixes",
    rules: { "orders-over-100": '{\n  "source": "shop.orders",\n  "detail": {\n    "total": [{ "numeric": [">", 100] }],\n    "state": [{ "anything_but": "cancelled" }]\n  }\n}' },
    events: [envelope("shop.orders", "Order Placed", { total: 120.5, state: "paid" })],
  },
  {
    title: "SQS: this message would be deleted",
    note: "the body as the filter sees it",
    dialect: "lambda-esm",
    source: "sqs",
    rules: { "temperature": '{\n  "body": {\n    "sensor": [{ "prefix": "roof-" }],\n    "celsius": [{ "numeric": [">", 30] }]\n  }\n}' },
    events: [
      { messageId: "b3f4c2", body: JSON.stringify({ sensor: "roof-2", celsius: "31.5" }), attributes: { SentTimestamp: "1772431000000" } },
      { messageId: "b3f4c3", body: JSON.stringify({ sensor: "roof-2", celsius: 31.5 }), attributes: { SentTimestamp: "1772431000010" } },
      { messageId: "b3f4c4", body: "31.5 on roof-2", attributes: { SentTimestamp: "1772431000020" } },
    ],
  },
  {
    title: "Kinesis: decoded before filtering",
    note: "base64 made visible",
    dialect: "pipes",
    source: "kinesis",
    rules: { "tyre-pressure": '{\n  "partitionKey": ["fleet-7"],\n  "data": {\n    "metric": ["pressure"],\n    "value": [{ "numeric": ["<", 32] }]\n  }\n}' },
    events: [{ kinesisSchemaVersion: "1.0", partitionKey: "fleet-7", sequenceNumber: "4961", data: base64({ metric: "pressure", value: 28.4, wheel: "FL" }) }],
  },
  {
    title: "DynamoDB: the type letter",
    note: "numbers of items are strings",
    dialect: "lambda-esm",
    source: "dynamodb",
    rules: { "price-drop": '{\n  "eventName": ["MODIFY"],\n  "dynamodb": {\n    "NewImage": {\n      "price": { "N": [{ "numeric": ["<", 20] }] }\n    }\n  }\n}' },
    events: [{ eventID: "1", eventName: "MODIFY", eventSource: "aws:dynamodb", dynamodb: { Keys: { sku: { S: "A1" } }, NewImage: { sku: { S: "A1" }, price: { N: "18.50" } } } }],
  },
  {
    title: "A subscriber that receives nothing",
    note: "Custom Event Bus: three filters, one answer, and which API published the event",
    dialect: SUBSCRIBER,
    rules: {
      "large-orders": joined(['{\n  "detail": {\n    "total": [{ "numeric": [">", 100] }]\n  }\n}', '{\n  "tenant": ["a"]\n}', '{\n  "ContentType": ["application/json"]\n}']),
    },
    events: [
      { Data: { orderId: "o-17", total: 120.5 }, Metadata: { tenant: "a" }, SystemMetadata: { ContentType: "application/json", "aws:EventId": "6a7e8feb-b491-4cf7-a9f1-bf3703467718", "aws:DeliveryType": "LIVE" } },
      { Source: "shop", DetailType: "Order Placed", Detail: JSON.stringify({ orderId: "o-18", total: 240 }) },
    ],
  },
  {
    title: "SNS attributes",
    note: "as a form, with the limits as meters",
    dialect: "sns-attributes",
    rules: { "big-sports-orders": '{\n  "store": ["example_corp"],\n  "event": [{ "anything-but": "order_cancelled" }],\n  "customer_interests": ["rugby", "football", "baseball"],\n  "price_usd": [{ "numeric": [">=", 100] }]\n}' },
    events: [
      {
        store: { Type: "String", Value: "example_corp" },
        event: { Type: "String", Value: "order_placed" },
        customer_interests: { Type: "String.Array", Value: '["soccer", "rugby"]' },
        price_usd: { Type: "Number", Value: "210.75" },
      },
    ],
  },
];

const tour = SCENES.map(
  ({ title, note, dialect, source, rules, events }): Example => ({
    title,
    note,
    state: () => ({
      dialect: dialect ?? "eventbridge",
      source: source ?? "sqs",
      rules: Object.entries(rules).map(([name, text]) => ({ name, text })),
      events: events.map((event) => prettyOr(JSON.stringify(event))),
      rule: 0,
      event: 0,
    }),
  }),
);

const shipped: Example = {
  title: "A whole bus",
  note: `${Object.keys(shippedRules).length} rules, ${shippedEvents.trim().split("\n").length} events, all answers at once`,
  state: () => ({
    dialect: "eventbridge",
    source: "sqs",
    rules: Object.entries(shippedRules).map(([name, pattern]) => ({ name, text: prettyOr(JSON.stringify(pattern)) })),
    events: shippedEvents.trim().split("\n").map(prettyOr),
    rule: 0,
    event: 0,
  }),
};

export const TOUR: Example[] = [...tour, shipped];

export function first(): State {
  return (TOUR[0] as Example).state();
}

interface Row {
  id: string;
  dialect: string;
  pattern?: unknown;
  rules?: Record<string, unknown>;
  event?: unknown;
  source?: Source;
  attributes?: unknown;
  expect: unknown;
  note?: string;
}

const FILES = import.meta.glob<string>("../../../spec-vectors/**/*.{json,jsonl}", { query: "?raw", import: "default" });
let loaded: Promise<Example[]> | null = null;

/** All test vectors, loaded when they are first needed. */
export function vectors(): Promise<Example[]> {
  loaded ??= Promise.all(
    Object.entries(FILES).map(async ([name, load]) => {
      const text = await load();
      const rows = name.endsWith(".jsonl") ? text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line) as Row) : (JSON.parse(text) as Row[]);
      return rows.map(fromVector);
    }),
  ).then((files) => files.flat());
  return loaded;
}

function fromVector(row: Row): Example {
  const text = (value: unknown): string => (typeof value === "string" ? value : prettyOr(JSON.stringify(value)));
  const expect = Array.isArray(row.expect) ? row.expect.join(", ") || "none" : String(row.expect).replace("_", " ");
  return {
    title: row.id,
    note: [expect, row.note].filter(Boolean).join(" · "),
    state: () => {
      const name = row.id.split("/").pop() ?? "rule";
      const event = row.dialect === "sns-attributes" ? text(row.attributes ?? {}) : row.event === null || row.event === undefined ? "{}" : text(row.event);
      const rest = { source: row.source ?? "sqs", events: [event], rule: 0, event: 0 };
      if (row.dialect === SUBSCRIBER) return { ...rest, dialect: SUBSCRIBER, rules: [{ name, text: subscriber(row.pattern) }] };
      const rules = row.rules ? Object.entries(row.rules).map(([name, pattern]) => ({ name, text: text(pattern) })) : filters(text(row.pattern), name);
      const adopt = (pattern: string) => adopted(row.dialect, pattern) ?? { dialect: "eventbridge" as const, text: pattern };
      return { ...rest, dialect: adopt("").dialect, rules: rules.map((rule) => ({ ...rule, text: adopt(rule.text).text })) };
    },
  };
}

/** The filters of a configuration; one that has none is an empty subscriber. */
function subscriber(value: unknown): string {
  const whole: unknown = typeof value === "string" ? parsed(value) : value;
  return ofConfiguration(whole, (pattern) => (typeof pattern === "string" ? prettyOr(pattern) : null)) ?? "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A whole set of filter criteria becomes one rule for each filter. */
export function filters(text: string, name: string): State["rules"] {
  try {
    const { Filters } = JSON.parse(text) as { Filters?: { Pattern?: unknown }[] };
    const patterns = Filters?.map(({ Pattern }) => Pattern);
    if (patterns?.length && patterns.every((pattern) => typeof pattern === "string")) {
      return patterns.map((pattern, index) => ({ name: patterns.length > 1 ? `filter-${index + 1}` : name, text: prettyOr(pattern as string) }));
    }
  } catch {
    // Not JSON: an invalid pattern.
  }
  return [{ name, text }];
}
