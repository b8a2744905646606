//! The server for coding assistants from outside: one JSON-RPC message per line to the program.

use std::io::{BufRead, Write};
use std::path::Path;

use crate::common::running::{Running, Said, Says};
use serde_json::{Value, json};

struct Client {
    program: Running,
    output: Said,
}

impl Client {
    fn start() -> Client {
        let (program, output) = Running::start(&["mcp"], Path::new("."), Says::Output);
        Client { program, output }
    }

    fn raw(&mut self, text: &str) -> Value {
        writeln!(self.program.input(), "{text}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.raw(&json!({"jsonrpc": "2.0", "id": "x", "method": method, "params": params}).to_string());
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!("x")));
        answer
    }

    /// The text and the data of a tool's answer, and whether it is an error.
    fn call(&mut self, name: &str, arguments: Value) -> (String, Value, bool) {
        let answer = self.request("tools/call", json!({"name": name, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text, result["structuredContent"].clone(), result["isError"].as_bool().unwrap())
    }

    fn stop(mut self) {
        self.program.close();
        assert_eq!(self.program.wait(), 0);
    }
}

#[test]
fn a_session_begins() {
    let mut client = Client::start();
    let params =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = client.request("initialize", params);
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answer["result"]["serverInfo"]["name"], "eventrie");
    let future = client.request("initialize", json!({"protocolVersion": "2099-01-01"}));
    assert_eq!(future["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(client.request("server/discover", json!({}))["result"]["supportedVersions"][0], "2026-07-28");
    // A notification has no answer: the next line is that of the next request.
    writeln!(client.program.input(), "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).unwrap();
    let tools = client.request("tools/list", json!({}));
    let names: Vec<&str> =
        tools["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["check", "explain", "match", "infer", "migrate", "explain_code"]);
    assert_eq!(client.request("ping", json!({}))["result"]["resultType"], "complete");
    client.stop();
}

#[test]
fn every_tool() {
    let mut client = Client::start();
    let (text, data, _) = client.call("check", json!({"text": "{\"source\": \"aws.ec2\"}"}));
    assert!(text.contains("error[E0006]"), "{text}");
    assert_eq!(data["findings"][0]["code"], "E0006");
    assert_eq!(data["findings"][0]["fix"]["fixed_text"], "{\"source\": [\"aws.ec2\"]}");
    let template = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: aws.ec2 # all\n";
    let (_, data, _) = client.call("check", json!({"text": template, "language": "yaml"}));
    assert_eq!(data["findings"][0]["line"], 6);
    let fixed = data["findings"][0]["fix"]["fixed_text"].as_str().unwrap();
    assert_eq!(fixed, template.replace("aws.ec2 #", "[aws.ec2] #"));
    assert_eq!(data["findings"][0]["fix"]["safe"], true);

    let pattern = json!({"detail": {"state": ["stopped"]}});
    let (text, data, _) =
        client.call("explain", json!({"pattern": pattern, "event": "{\"detail\": {\"state\": \"Stopped\"}}"}));
    assert_eq!(data["matched"], false);
    assert!(text.starts_with("no match: `detail.state` is \"Stopped\""), "{text}");

    let patterns = json!({"stopped": pattern, "any": "{\"detail\": {\"state\": [{\"exists\": true}]}}"});
    let events = json!([{"detail": {"state": "stopped"}}, {"detail": {}}, "{"]);
    let (text, data, _) = client.call("match", json!({"patterns": patterns, "events": events}));
    assert_eq!(data["events"][0]["matched"], json!(["any", "stopped"]));
    assert_eq!(data["events"][1]["matched"], json!([]));
    assert!(data["events"][2]["error"].is_string(), "{text}");
    // Numbers are compared as they are spelled: 16 digits are more than a double can represent.
    let exact = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"match","arguments":{"patterns":{"n":{"a":[9007199254740993]}},"events":[{"a":9007199254740993},{"a":9007199254740992}]}}}"#;
    let answer = client.raw(exact);
    assert_eq!(answer["result"]["content"][0]["text"], "event 0: n\nevent 1: none\n");

    let events = json!([{"version": "0", "source": "shop", "detail-type": "Order Placed", "detail": {"total": 5}}]);
    let (text, _, _) = client.call("infer", json!({"events": events}));
    assert!(text.contains(r#""detail-type":["Order Placed"]"#), "{text}");

    let (_, data, _) = client.call("migrate", json!({"pattern": {"source": ["shop"], "detail": {"total": [5]}}}));
    let filters = data["FilterConfiguration"]["Filters"].as_array().unwrap();
    assert_eq!(filters.iter().map(|one| &one["Scope"]).collect::<Vec<_>>(), ["SYSTEM_METADATA", "DATA"]);

    let (text, _, _) = client.call("explain_code", json!({"code": "e0006"}));
    assert!(text.starts_with("## E0006: "), "{text}");

    let body = json!({"body": {"kind": ["new"]}});
    let record = json!({"messageId": "1", "body": "{\"kind\":\"old\"}"});
    let arguments = json!({"pattern": body, "event": record, "dialect": "lambda-esm", "source": "sqs"});
    let (_, data, _) = client.call("explain", arguments);
    assert_eq!(data["matched"], false);
    client.stop();
}

#[test]
fn what_is_wrong_is_said() {
    let mut client = Client::start();
    for (name, arguments, expected) in [
        ("explain", json!({"pattern": {"a": 1}, "event": {}}), "error[E0006]"),
        ("explain", json!({"pattern": {"a": [1]}}), "missing field `event`"),
        ("check", json!({"file": "/etc/passwd"}), "unknown field `file`"),
        ("check", json!({"text": 1}), "text: invalid type: integer `1`"),
        ("explain", json!(["{}", "{}"]), "arguments: expected an object"),
        ("explain", json!({"pattern": {"a": [1]}, "event": {}, "dialect": []}), "dialect: invalid type: sequence"),
        ("check", json!({"text": "{}", "dialect": "sqs"}), "dialect: "),
        ("check", json!({"text": "a = [", "language": "terraform"}), "input.tf:1:"),
        ("infer", json!({"events": []}), "there are no events"),
        ("infer", json!({"events": ["x"]}), "event 0"),
        ("infer", json!({"events": [{"a": 1}, {"b": 2}]}), "the events have no field in common"),
        ("infer", json!({"events": [{"a": 1}], "dialect": "eventsv2-system-metadata"}), "event 0 cannot be read: "),
        ("migrate", json!({"pattern": "{}"}), "the pattern is rejected"),
        ("explain_code", json!({"code": "E9999"}), "unknown code `E9999`"),
        ("match", json!({"patterns": {"a": {"b": [1]}}, "events": vec![json!({}); 10_001]}), "the limit is 10000"),
        ("explain", json!({"pattern": {"a": [1]}, "event": {}, "dialect": "pipes"}), "source"),
    ] {
        let (text, _, is_error) = client.call(name, arguments);
        assert!(is_error && text.contains(expected), "{name}: {text}");
    }
    assert_eq!(client.request("tools/call", json!({"name": "rm"}))["error"]["code"], -32602);
    assert_eq!(
        client.request("tools/call", json!(["check"]))["error"]["message"],
        "expected an object with `name` and `arguments`"
    );
    assert_eq!(client.request("resources/list", json!({}))["error"]["code"], -32601);
    assert_eq!(client.raw("{]")["error"]["code"], -32700);
    assert_eq!(client.raw("[1]")["error"]["code"], -32600);
    for broken in ["not json", "[1", &"[".repeat(100_000), "{"] {
        assert_eq!(client.raw(broken)["error"]["code"], -32700);
    }
    // The identifier of a request must not be null.
    for request in [r#"{"id":null,"method":"ping"}"#, r#"{"id":[1],"method":"ping"}"#, r#"{"jsonrpc":"2.0","id":7}"#] {
        let answer = client.raw(request);
        assert_eq!(answer["error"]["code"], -32600, "{request}");
        assert!(answer.get("id").is_some(), "{request}");
    }
    // Answers are no requests: the next line is that of the next request.
    let answer = r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#;
    writeln!(client.program.input(), "{answer}").unwrap();
    assert_eq!(client.request("ping", json!({}))["id"], "x", "and it goes on");
    // A name is no file: nothing but the text is read.
    let (text, data, _) = client.call("check", json!({"text": "/etc/passwd"}));
    assert!(!text.contains("root:"), "{text}");
    assert_eq!(data["patterns"], 1);
    client.stop();
}
