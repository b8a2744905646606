// The open rules as what one pastes into a terminal or a template.
import { configuration, filled, SUBSCRIBER } from "./scopes.ts";
import { hasRecords, type State } from "./state.ts";

export interface Form {
  id: string;
  title: string;
  text: (state: State) => string;
}

/** For a shell: in single quotes. */
const shell = (text: string): string => `'${text.replaceAll("'", () => "'\\''")}'`;
/** For a heredoc of Terraform: escapes what would be a template there. */
const heredoc = (text: string): string => text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
const indent = (text: string, by: string): string => text.replaceAll("\n", () => `\n${by}`);

const identifier = (name: string, fallback: string): string => {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : fallback + joined;
};
const snake = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").replace(/^(?=\d|$)/, "rule_");
const ruleName = (name: string): string => name.replace(/[^.\-_A-Za-z0-9]+/g, "-").slice(0, 64) || "rule";

const open = (state: State) => state.rules[state.rule] ?? { name: "rule", text: "{}" };
const filters = (state: State): string[] => state.rules.map(({ text }) => text);
const criteria = (state: State): string => JSON.stringify({ Filters: filters(state).map((Pattern) => ({ Pattern })) });
const criteriaPretty = (state: State): string => JSON.stringify({ Filters: filters(state).map((Pattern) => ({ Pattern })) }, null, 2);
const scope = (state: State): string => (state.dialect === "sns-body" ? "MessageBody" : "MessageAttributes");

/** The filters of a subscriber of a Custom Event Bus; null for any other service. */
function subscriberFilters(state: State): string | null {
  return state.dialect === SUBSCRIBER ? JSON.stringify(configuration(open(state).text), null, 2) : null;
}

function cli(state: State): string {
  const { name, text } = open(state);
  const filter = subscriberFilters(state);
  if (filter) return `# For --filter-configuration of aws eventsv2 create-subscriber and update-subscriber:\n${shell(filter)}\n`;
  if (state.dialect === "eventsv2-event-source") return `# The pattern in --configuration of aws eventsv2 create-event-source:\n${shell(text)}\n`;
  switch (state.dialect) {
    case "eventbridge":
      return `aws events put-rule \\\n  --name ${ruleName(name)} \\\n  --event-pattern ${shell(text)}\n`;
    case "pipes":
      return `aws pipes update-pipe \\\n  --name "$PIPE_NAME" \\\n  --role-arn "$ROLE_ARN" \\\n  --source-parameters ${shell(`{"FilterCriteria":${criteria(state)}}`)}\n`;
    case "lambda-esm":
      return `aws lambda update-event-source-mapping \\\n  --uuid "$MAPPING_UUID" \\\n  --filter-criteria ${shell(criteria(state))}\n`;
    default:
      return [
        "aws sns set-subscription-attributes \\",
        '  --subscription-arn "$SUBSCRIPTION_ARN" \\',
        "  --attribute-name FilterPolicyScope \\",
        `  --attribute-value ${scope(state)}`,
        "",
        "aws sns set-subscription-attributes \\",
        '  --subscription-arn "$SUBSCRIPTION_ARN" \\',
        "  --attribute-name FilterPolicy \\",
        `  --attribute-value ${shell(text)}\n`,
      ].join("\n");
  }
}

function cloudFormation(state: State): string {
  const { name, text } = open(state);
  const resource = (id: string, type: string, properties: string): string =>
    `{\n  "Resources": {\n    ${JSON.stringify(id)}: {\n      "Type": "${type}",\n      "Properties": {\n        ${properties}\n      }\n    }\n  }\n}\n`;
  const filter = subscriberFilters(state);
  if (filter) return resource(identifier(name, "Subscriber"), "AWS::EventsV2::Subscriber", `"FilterConfiguration": ${indent(filter, "        ")}`);
  switch (state.dialect) {
    case "eventbridge":
      return resource(identifier(name, "Rule"), "AWS::Events::Rule", `"EventPattern": ${indent(text, "        ")}`);
    case "eventsv2-event-source":
      return resource("Source", "AWS::EventsV2::EventSource", `"Configuration": {\n          "AwsServiceEventsConfiguration": {\n            "AwsService": "…",\n            "Pattern": ${JSON.stringify(text)}\n          }\n        }`);
    case "pipes":
      return resource("Pipe", "AWS::Pipes::Pipe", `"RoleArn": "…",\n        "Source": "…",\n        "Target": "…",\n        "SourceParameters": {\n          "FilterCriteria": ${indent(criteriaPretty(state), "          ")}\n        }`);
    case "lambda-esm":
      return resource("Mapping", "AWS::Lambda::EventSourceMapping", `"FunctionName": "…",\n        "EventSourceArn": "…",\n        "FilterCriteria": ${indent(criteriaPretty(state), "        ")}`);
    default:
      return resource("Subscription", "AWS::SNS::Subscription", `"TopicArn": "…",\n        "Protocol": "sqs",\n        "Endpoint": "…",\n        "FilterPolicyScope": "${scope(state)}",\n        "FilterPolicy": ${indent(text, "        ")}`);
  }
}

function terraform(state: State): string {
  const { name, text } = open(state);
  const document = (body: string): string => `<<JSON\n${heredoc(body)}\nJSON`;
  const filter = subscriberFilters(state);
  if (state.dialect === "eventsv2-event-source") return "# The aws provider has no resource for it; use awscc_eventsv2_event_source.\n";
  if (filter) {
    const each = filled(text).map((one) => `{\n      scope   = "${one.scope}"\n      pattern = ${document(one.text)}\n    }`);
    return `# The aws provider has no resource for it; this one is awscc's.\nresource "awscc_eventsv2_subscriber" "${snake(name || "subscriber")}" {\n  filter_configuration = {\n    filters = [${each.join(", ")}]\n  }\n}\n`;
  }
  const blocks = filters(state).map((pattern) => `filter {\n  pattern = ${document(pattern)}\n}`);
  // The body of a heredoc must keep its own indentation, so nothing here is indented further than by hand.
  const criterion = `filter_criteria {\n${blocks.join("\n")}\n}`;
  switch (state.dialect) {
    case "eventbridge":
      return `resource "aws_cloudwatch_event_rule" "${snake(name)}" {\n  name          = "${ruleName(name)}"\n  event_pattern = ${document(text)}\n}\n`;
    case "pipes":
      return `resource "aws_pipes_pipe" "pipe" {\n  name     = "…"\n  role_arn = "…"\n  source   = "…"\n  target   = "…"\n\n  source_parameters {\n${criterion}\n  }\n}\n`;
    case "lambda-esm":
      return `resource "aws_lambda_event_source_mapping" "mapping" {\n  function_name    = "…"\n  event_source_arn = "…"\n\n${criterion}\n}\n`;
    default:
      return `resource "aws_sns_topic_subscription" "subscription" {\n  topic_arn           = "…"\n  protocol            = "sqs"\n  endpoint            = "…"\n  filter_policy_scope = "${scope(state)}"\n  filter_policy       = ${document(text)}\n}\n`;
  }
}

function cdk(state: State): string {
  const { name, text } = open(state);
  const filter = subscriberFilters(state);
  if (state.dialect === "eventsv2-event-source") return `import * as eventsv2 from "aws-cdk-lib/aws-eventsv2";\n\nnew eventsv2.CfnEventSource(this, "Source", {\n  configuration: {\n    awsServiceEventsConfiguration: { awsService: "…", pattern: JSON.stringify(${indent(text, "    ")}) },\n  },\n});\n`;
  if (filter) {
    const each = filled(text).map((one) => `      { scope: "${one.scope}", pattern: JSON.stringify(${indent(one.text, "      ")}) },\n`);
    return `import * as eventsv2 from "aws-cdk-lib/aws-eventsv2";\n\nnew eventsv2.CfnSubscriber(this, "${identifier(name, "Subscriber")}", {\n  filterConfiguration: {\n    filters: [\n${each.join("")}    ],\n  },\n});\n`;
  }
  const list = `[\n${filters(state).map((pattern) => `      { pattern: JSON.stringify(${indent(pattern, "      ")}) },\n`).join("")}    ]`;
  switch (state.dialect) {
    case "eventbridge":
      return `import * as events from "aws-cdk-lib/aws-events";\n\nnew events.CfnRule(this, "${identifier(name, "Rule")}", {\n  eventPattern: ${indent(text, "  ")},\n});\n`;
    case "pipes":
      return `import * as pipes from "aws-cdk-lib/aws-pipes";\n\nnew pipes.CfnPipe(this, "Pipe", {\n  roleArn: "…",\n  source: "…",\n  target: "…",\n  sourceParameters: {\n    filterCriteria: { filters: ${list} },\n  },\n});\n`;
    case "lambda-esm":
      return `import * as lambda from "aws-cdk-lib/aws-lambda";\n\nnew lambda.CfnEventSourceMapping(this, "Mapping", {\n  functionName: "…",\n  eventSourceArn: "…",\n  filterCriteria: { filters: ${list} },\n});\n`;
    default:
      return `import * as sns from "aws-cdk-lib/aws-sns";\n\nnew sns.CfnSubscription(this, "Subscription", {\n  topicArn: "…",\n  protocol: "sqs",\n  endpoint: "…",\n  filterPolicyScope: "${scope(state)}",\n  filterPolicy: ${indent(text, "  ")},\n});\n`;
  }
}

/** The fields that `test-event-pattern` insists on, for events that lack them. */
const REQUIRED = { id: "00000000-0000-0000-0000-000000000000", account: "123456789012", source: "example", time: "2026-01-01T00:00:00Z", region: "us-east-1", resources: [], "detail-type": "example" };

/** The event with what `test-event-pattern` insists on; the text itself, if nothing is missing. */
function complete(event: string): { text: string; added: string[] } {
  try {
    const value = JSON.parse(event) as Record<string, unknown>;
    const added = Object.keys(REQUIRED).filter((key) => !(key in value));
    if (!added.length || typeof value !== "object" || Array.isArray(value)) return { text: event, added: [] };
    const head = JSON.stringify(Object.fromEntries(added.map((key) => [key, REQUIRED[key as keyof typeof REQUIRED]]))).slice(0, -1);
    const rest = event.trim().slice(1);
    return { text: `${head}${/^\s*\}/.test(rest) ? "" : ","}${rest}`, added };
  } catch {
    return { text: event, added: [] };
  }
}

/** Asks AWS itself: only EventBridge has a command for it. */
function ask(state: State): string {
  if (state.dialect !== "eventbridge") return "# AWS has no command that tests this kind of filter without deploying it.\n";
  const { text, added } = complete(state.events[state.event] ?? "{}");
  const note = added.length ? `# The command requires fields that this event lacks; added: ${added.join(", ")}.\n` : "";
  return `${note}aws events test-event-pattern \\\n  --event-pattern ${shell(open(state).text)} \\\n  --event ${shell(text)}\n`;
}

export const FORMS: Form[] = [
  { id: "cli", title: "AWS CLI", text: cli },
  { id: "cloudformation", title: "CloudFormation", text: cloudFormation },
  { id: "terraform", title: "Terraform", text: terraform },
  { id: "cdk", title: "CDK", text: cdk },
  { id: "ask", title: "Ask AWS", text: ask },
];

/** Whether the forms take all rules together. */
export function together(state: State): boolean {
  return hasRecords(state.dialect);
}
