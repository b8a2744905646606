// Whatever people paste is read as what it is: each text with the rules or events in it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { createServer } from "vite";
import { ROOT } from "../files.mjs";

const server = await createServer({ root: join(ROOT, "wasm", "www"), configFile: false, logLevel: "error", server: { middlewareMode: true, ws: false, watch: null }, optimizeDeps: { noDiscovery: true } });
after(() => server.close());
const { recognize } = await server.ssrLoadModule("/src/recognize.ts");
const { words } = await server.ssrLoadModule("/src/encoded.ts");
const { loose } = await server.ssrLoadModule("/src/loose.ts");
const { check } = await import(join(ROOT, "wasm", "pkg", "eventrie.js"));

const PATTERN = { source: ["shop"], detail: { total: [{ numeric: [">", 100] }] } };
const TEXT = JSON.stringify(PATTERN);
const EVENT = { "detail-type": "Order Placed", source: "shop", detail: { total: 120 } };
const TRAIL = { eventVersion: "1.08", eventSource: "ec2.amazonaws.com", eventName: "RunInstances", eventTime: "2026-03-02T06:14:09Z", awsRegion: "us-east-1" };
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString("base64");

const read = (into, text, dialect = "eventbridge", whole = true) => recognize(typeof text === "string" ? text : JSON.stringify(text), { into, dialect, whole, valid: (pattern) => check(pattern, { dialect }).valid });
/** Of a subscriber the filters for the three parts of an event. */
const rulesOf = (found) => found?.rules?.map(({ name, text }) => [name, found.dialect === "eventsv2" ? text.split("\0").map((part) => (part ? JSON.parse(part) : null)) : JSON.parse(text)]);
const eventsOf = (found) => found?.events?.map((text) => JSON.parse(text));

const RULES = {
  "list-rules": [{ Rules: [{ Name: "a", State: "ENABLED", EventPattern: TEXT }, { Name: "b", State: "DISABLED", EventPattern: TEXT }, { Name: "schedule", ScheduleExpression: "rate(1 day)" }] }, [["a", PATTERN], ["b", PATTERN]], "eventbridge", /list-rules/],
  "describe-rule": [{ Name: "a", Arn: "arn:…", EventPattern: TEXT }, [["a", PATTERN]], "eventbridge", /describe-rule/],
  "a wrapper": [{ EventPattern: PATTERN }, [["rule", PATTERN]], "eventbridge", /EventPattern/],
  "a CloudFormation template": [{ Resources: { Rule: { Type: "AWS::Events::Rule", Properties: { EventPattern: PATTERN } }, Other: { Type: "AWS::SNS::Topic" } } }, [["Rule", PATTERN]], "eventbridge", /CloudFormation/],
  "a subscription in a template": [{ Resources: { Sub: { Type: "AWS::SNS::Subscription", Properties: { FilterPolicyScope: "MessageBody", FilterPolicy: { a: ["b"] } } } } }, [["Sub", { a: ["b"] }]], "sns-body", /CloudFormation/],
  "a mapping in a template": [{ Resources: { M: { Type: "AWS::Lambda::EventSourceMapping", Properties: { EventSourceArn: "arn:aws:kinesis:us-east-1:1:stream/x", FilterCriteria: { Filters: [{ Pattern: '{"data":["x"]}' }, { Pattern: '{"data":["y"]}' }] } } } } }, [["M", { data: ["x"] }], ["M-2", { data: ["y"] }]], "lambda-esm", /CloudFormation/],
  "a SAM function": [{ Resources: { F: { Type: "AWS::Serverless::Function", Properties: { Events: { E: { Type: "EventBridgeRule", Properties: { Pattern: PATTERN } } } } } } }, [["F-E", PATTERN]], "eventbridge", /CloudFormation/],
  "a Terraform plan": [{ terraform_version: "1.9", planned_values: { root_module: { resources: [{ type: "aws_cloudwatch_event_rule", name: "r", values: { name: "orders", event_pattern: TEXT } }] } } }, [["orders", PATTERN]], "eventbridge", /Terraform plan/],
  "a Terraform state": [{ terraform_version: "1.9", resources: [{ type: "aws_sns_topic_subscription", name: "s", instances: [{ attributes: { filter_policy: '{"a":["b"]}' } }] }] }, [["s", { a: ["b"] }]], "sns-attributes", /Terraform/],
  "Terraform's JSON": [{ resource: { aws_cloudwatch_event_rule: { r: { event_pattern: TEXT } } } }, [["r", PATTERN]], "eventbridge", /Terraform's JSON/],
  "Terraform with jsonencode": ['resource "aws_cloudwatch_event_rule" "orders" {\n  name = "orders"\n  event_pattern = jsonencode({\n    source = ["shop"] # ours\n    "detail" = { total = [{ numeric = [">", 100] }] }\n  })\n}\n', [["orders", PATTERN]], "eventbridge", /Terraform/],
  "Terraform with a heredoc": [`resource "aws_cloudwatch_event_rule" "o" {\n  event_pattern = <<-EOF\n    ${TEXT}\n  EOF\n}`, [["o", PATTERN]], "eventbridge", /Terraform/],
  "one argument of Terraform": ['filter_policy = jsonencode({ store = ["a"], price = [{ numeric = [">", 5] }] })', [["rule", { store: ["a"], price: [{ numeric: [">", 5] }] }]], "sns-attributes", /Terraform/],
  "a reference in Terraform": ['event_pattern = jsonencode({ source = ["shop"], account = [var.account, data.aws_caller_identity.me.account_id] })', [["rule", { source: ["shop"], account: ["${var.account}", "${data.aws_caller_identity.me.account_id}"] }]], "eventbridge", /Terraform/],
  "aws events put-rule": [`aws events put-rule \\\n  --name orders --event-pattern '${TEXT}'`, [["orders", PATTERN]], "eventbridge", /aws events put-rule/],
  "aws events put-rule in double quotes": [`$ aws events put-rule --name o --event-pattern "${TEXT.replaceAll('"', '\\"')}"`, [["o", PATTERN]], "eventbridge", /put-rule/],
  "aws sns set-subscription-attributes": [`aws sns set-subscription-attributes --subscription-arn x --attribute-name FilterPolicy --attribute-value '{"a":["b"]}'`, [["policy", { a: ["b"] }]], "sns-attributes", /aws sns/],
  "aws lambda create-event-source-mapping": [`aws lambda create-event-source-mapping --event-source-arn arn:aws:sqs:x:1:q --filter-criteria '{"Filters":[{"Pattern":"{\\"body\\":[\\"x\\"]}"}]}'`, [["filter", { body: ["x"] }]], "lambda-esm", /aws lambda/],
  "filter criteria": [{ Filters: [{ Pattern: '{"body":["x"]}' }] }, [["filter", { body: ["x"] }]], "lambda-esm", /filter criteria/],
  "list-event-source-mappings": [{ EventSourceMappings: [{ EventSourceArn: "arn:aws:dynamodb:x", FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] } }] }, [["mapping-1", { eventName: ["INSERT"] }]], "lambda-esm", /list-event-source-mappings/],
  "describe-pipe": [{ Name: "p", Source: "arn:aws:sqs:x:1:q", SourceParameters: { FilterCriteria: { Filters: [{ Pattern: '{"body":["x"]}' }] } } }, [["p", { body: ["x"] }]], "pipes", /a pipe/],
  "get-subscription-attributes": [{ Attributes: { FilterPolicy: '{"a":["b"]}', FilterPolicyScope: "MessageBody" } }, [["policy", { a: ["b"] }]], "sns-body", /get-subscription-attributes/],
  "a subscriber of a Custom Event Bus": [{ FilterConfiguration: { Filters: [{ Scope: "DATA", Pattern: '{"a":["b"]}' }, { Scope: "METADATA", Pattern: '{"m":["x"]}' }] } }, [["subscriber", [{ a: ["b"] }, { m: ["x"] }, null]]], "eventsv2", /Custom Event Bus/],
  "a subscriber in a template": [{ Resources: { S: { Type: "AWS::EventsV2::Subscriber", Properties: { FilterConfiguration: { Filters: [{ Scope: "SYSTEM_METADATA", Pattern: '{"aws:Source":["shop"]}' }] } } } } }, [["S", [null, null, { "aws:Source": ["shop"] }]]], "eventsv2", /CloudFormation/],
  "two subscribers in a template": [{ Resources: Object.fromEntries(["A", "B"].map((id) => [id, { Type: "AWS::EventsV2::Subscriber", Properties: { FilterConfiguration: { Filters: [{ Scope: "METADATA", Pattern: '{"m":["x"]}' }, { Scope: "DATA", Pattern: '{"a":["b"]}' }] } } }])) }, [["A", [{ a: ["b"] }, { m: ["x"] }, null]], ["B", [{ a: ["b"] }, { m: ["x"] }, null]]], "eventsv2", /CloudFormation/],
  "list-subscribers": [{ Subscribers: [{ Name: "s", FilterConfiguration: { Filters: [{ Scope: "DATA", Pattern: '{"a":["b"]}' }] } }, { Name: "all" }] }, [["s", [{ a: ["b"] }, null, null]]], "eventsv2", /list-subscribers/],
  "aws eventsv2 create-subscriber": [`aws eventsv2 create-subscriber --name orders --filter-configuration '{"Filters":[{"Scope":"DATA","Pattern":"{\\"a\\":[\\"b\\"]}"},{"Scope":"SYSTEM_METADATA","Pattern":"{\\"aws:Source\\":[\\"shop\\"]}"}]}'`, [["orders", [{ a: ["b"] }, null, { "aws:Source": ["shop"] }]]], "eventsv2", /aws eventsv2 create-subscriber/],
  "a subscriber in a Terraform plan": [{ terraform_version: "1.9", planned_values: { root_module: { resources: [{ type: "awscc_eventsv2_subscriber", name: "s", values: { filter_configuration: { filters: [{ scope: "DATA", pattern: '{"a":["b"]}' }, { scope: "METADATA", pattern: '{"m":["x"]}' }] } } }] } } }, [["s", [{ a: ["b"] }, { m: ["x"] }, null]]], "eventsv2", /Terraform plan/],
  "a subscriber in Terraform": ['resource "awscc_eventsv2_subscriber" "orders" {\n  filter_configuration = {\n    filters = [{\n      scope   = "DATA"\n      pattern = jsonencode({ a = ["b"], n = [{ numeric = [">", 5] }] })\n    }, {\n      pattern = <<JSON\n{"aws:Source": ["shop"]}\nJSON\n      scope   = "SYSTEM_METADATA"\n    }]\n  }\n}\n', [["orders", [{ a: ["b"], n: [{ numeric: [">", 5] }] }, null, { "aws:Source": ["shop"] }]]], "eventsv2", /Terraform/],
  "a file of rules": [{ orders: PATTERN, other: { source: ["x"] } }, [["orders", PATTERN], ["other", { source: ["x"] }]], undefined, /file of rules/],
  "Python's repr": ["{'source': ['shop'], 'detail': {'gone': [None], 'ok': [True]}}", [["", { source: ["shop"], detail: { gone: [null], ok: [true] } }]], undefined, /Python's repr/],
  "a JavaScript object": ["{ source: ['shop'], detail: { total: [{ numeric: ['>', 100] }] }, }", [["", PATTERN]], undefined, /JavaScript object/],
  "JSON with comments": ['{\n  // ours\n  "source": ["shop"],\n}', [["", { source: ["shop"] }]], undefined, /comments or trailing commas/],
};

for (const [name, [text, expected, dialect, what]] of Object.entries(RULES)) {
  test(`rules: ${name}`, () => {
    const found = read("rule", text);
    assert.deepEqual(rulesOf(found), expected);
    assert.equal(found.dialect, dialect);
    assert.match(found.what, what);
  });
}

const SENT = { source: "shop", "detail-type": "Order Placed", detail: { total: 120 } };
const EVENTS = {
  "an entry of PutEvents": [{ Source: "shop", DetailType: "Order Placed", Detail: '{"total": 120}' }, [SENT]],
  "a PutEvents request": [{ Entries: [{ Source: "shop", DetailType: "Order Placed", Detail: '{"total": 120}', EventBusName: "b" }] }, [SENT]],
  "entries of PutEvents": [[{ Source: "shop", DetailType: "Order Placed", Detail: '{"total": 120}' }], [SENT]],
  "aws events put-events": [`aws events put-events --entries '[{"Source":"shop","DetailType":"Order Placed","Detail":"{\\"total\\": 120}"}]'`, [SENT]],
  "a CloudTrail file": [{ Records: [TRAIL] }, [{ source: "aws.ec2", "detail-type": "AWS API Call via CloudTrail", detail: TRAIL }]],
  "a CloudTrail record": [TRAIL, [{ source: "aws.ec2", detail: TRAIL }]],
  "lookup-events": [{ Events: [{ EventName: "RunInstances", CloudTrailEvent: JSON.stringify(TRAIL) }] }, [{ source: "aws.ec2", detail: TRAIL }]],
  "SQS messages for Lambda": [{ Records: [{ eventSource: "aws:sqs", body: JSON.stringify(EVENT) }] }, [EVENT]],
  "receive-message": [{ Messages: [{ MessageId: "m", Body: JSON.stringify(EVENT) }] }, [EVENT]],
  "an SNS notification": [{ Type: "Notification", TopicArn: "t", Message: JSON.stringify(EVENT) }, [EVENT]],
  "SNS in SQS": [{ Records: [{ eventSource: "aws:sqs", body: JSON.stringify({ Type: "Notification", Message: JSON.stringify(EVENT) }) }] }, [EVENT]],
  "Kinesis records": [{ Records: [{ eventSource: "aws:kinesis", kinesis: { data: base64(EVENT) } }] }, [EVENT]],
  "filter-log-events": [{ events: [{ timestamp: 1, message: JSON.stringify(EVENT) }] }, [EVENT]],
  "Logs Insights": [{ results: [[{ field: "@timestamp", value: "x" }, { field: "@message", value: JSON.stringify(EVENT) }]] }, [EVENT]],
  "a line of an S3 export": [`2026-03-02T06:14:09.000Z ${JSON.stringify(EVENT)}`, [EVENT]],
  "lines of an S3 export": [`2026-03-02T06:14:09.000Z ${JSON.stringify(EVENT)}\n2026-03-02T06:14:10.000Z ${JSON.stringify(EVENT)}`, [EVENT, EVENT]],
  "a Lambda log line": [`START\t2026\tINFO\tevent: ${JSON.stringify(EVENT)}`, [EVENT]],
  "JSON lines": [`${JSON.stringify(EVENT)}\n${JSON.stringify(EVENT)}\n`, [EVENT, EVENT]],
  "a list": [[EVENT, EVENT], [EVENT, EVENT]],
  "Python's repr": ["{'source': 'shop', 'detail': {'n': Decimal('1.50'), 'gone': None, 'it': \"it's\"}}", [{ source: "shop", detail: { n: 1.5, gone: null, it: "it's" } }]],
};

for (const [name, [text, expected]] of Object.entries(EVENTS)) {
  test(`events: ${name}`, () => {
    const found = eventsOf(read("event", text));
    assert.equal(found?.length, expected.length, JSON.stringify(found));
    for (const [index, wanted] of expected.entries()) for (const [key, value] of Object.entries(wanted)) assert.deepEqual(found[index][key], value, key);
  });
}

test("events of a Custom Event Bus stay what they are", () => {
  const whole = { Data: { total: 5 }, Metadata: { tenant: "a" }, SystemMetadata: { "aws:Source": "shop" } };
  const entry = { Source: "shop", DetailType: "Order Placed", Detail: '{"total": 120}' };
  const raw = { Data: base64({ total: 5 }), SystemMetadata: { ContentType: "application/json" } };
  for (const [text, events] of [[whole, [whole]], [{ EventBusArn: "arn:…", Entries: [entry, entry] }, [entry, entry]], [{ Entries: [raw, raw] }, [raw, raw]]]) {
    const found = read("event", text);
    assert.deepEqual([found.dialect, eventsOf(found)], ["eventsv2", events]);
  }
  assert.equal(read("event", whole, "eventsv2"), null);
  assert.equal(read("event", entry, "eventsv2"), null);
  assert.deepEqual(eventsOf(read("event", { Entries: [entry, entry] }, "eventsv2")), [entry, entry]);
  // The entries of a classic bus.
  assert.equal(read("event", { Entries: [{ ...entry, EventBusName: "b" }] }).dialect, undefined);
});

test("records stay records where records are filtered", () => {
  const record = { eventSource: "aws:sqs", body: "{}" };
  const found = read("event", { Records: [record] }, "lambda-esm");
  assert.deepEqual(eventsOf(found), [record]);
  assert.equal(found.source, "sqs");
  const message = { Type: "Notification", Message: "x", MessageAttributes: { a: { Type: "String", Value: "b" } } };
  assert.equal(read("event", message, "sns-attributes"), null);
});

test("pattern and event that were swapped go where they belong", () => {
  assert.deepEqual(eventsOf(read("rule", EVENT)), [EVENT]);
  assert.deepEqual(rulesOf(read("event", PATTERN))[0][1], PATTERN);
});

test("what belongs in its place is left alone", () => {
  for (const text of [PATTERN, { source: ["x"] }, { detail: { a: ["b"] }, source: ["c"] }, { a: 1 }, "", "{", '{"source": ["x"', "hello", "[1, 2]", { $or: [{ a: [1] }, { b: [2] }] }]) assert.equal(read("rule", text), null, JSON.stringify(text));
  for (const text of [EVENT, { a: 1 }, { Records: 5 }, { events: [] }, { body: "x" }, { detail: { tags: ["a"] } }, "", "{", "null"]) assert.equal(read("event", text), null, JSON.stringify(text));
  // In the middle of a string a piece stays a piece.
  assert.equal(read("rule", "{'a': 1}", "eventbridge", false), null);
  assert.equal(read("event", JSON.stringify(EVENT) + "\n" + JSON.stringify(EVENT), "eventbridge", false), null);
});

test("numbers of a detail keep their spelling", () => {
  const found = read("event", { Source: "s", DetailType: "t", Detail: '{"n": 12345678901234567890, "m": 1.50}' });
  assert.match(found.events[0], /"n": 12345678901234567890/);
  assert.match(found.events[0], /"m": 1\.50/);
});

test("the words of a shell", () => {
  assert.deepEqual(words(`a 'b c' "d \\"e\\" $f" g\\ h 'i'"j"\\\n k`), ["a", "b c", 'd "e" $f', "g h", "ij", "k"]);
});

test("nothing hangs or throws on broken or hostile texts", () => {
  const begun = performance.now();
  for (const text of ["{".repeat(100_000), "[".repeat(50_000), `{"a": "${"\\".repeat(50_001)}`, "'".repeat(10_001), `{a: ${"(".repeat(5_000)}`, `{'a': '${"x".repeat(500_000)}`, "event_pattern = ".repeat(3_000), "aws events put-rule --event-pattern", "aws events put-rule --event-pattern 'x", `jsonencode(${"{a=".repeat(2_000)}`, "<<EOF\n".repeat(2_000), "\u0000", "{/*", "{a:1 b:2}"]) {
    for (const into of ["rule", "event"]) read(into, text);
    loose(text);
  }
  assert.ok(performance.now() - begun < 5_000, `${performance.now() - begun} ms`);
});
