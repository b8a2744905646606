//! Files and streams that make a careless reader do more than linear work, at any size. Shared by the tests and the
//! benches.

/// How a shape is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As `check file.json`.
    Json,
    /// As `check file.yaml`.
    Yaml,
    /// As `--rules file`.
    Rules,
    /// As `-p file`.
    Pattern,
    /// As the events of `match`.
    Events,
}

/// A hostile input.
pub(crate) struct Shape {
    /// How it is read.
    pub(crate) way: Way,
    /// What it consists of.
    pub(crate) name: &'static str,
    /// Makes an input of about so many bytes.
    pub(crate) make: fn(usize) -> String,
}

const fn shape(way: Way, name: &'static str, make: fn(usize) -> String) -> Shape {
    Shape { way, name, make }
}

/// As many items as there is room for, with commas between them.
fn list(bytes: usize, item: &str) -> String {
    vec![item; bytes / (item.len() + 1) + 1].join(",")
}

/// As many numbered items as there is room for.
fn numbered(bytes: usize, item: impl Fn(usize) -> String) -> String {
    let (mut text, mut number) = (String::new(), 0);
    while text.len() < bytes {
        text.push_str(if number > 0 { "," } else { "" });
        text.push_str(&item(number));
        number += 1;
    }
    text
}

fn lines(bytes: usize, item: impl Fn(usize) -> String) -> String {
    let (mut text, mut number) = (String::new(), 0);
    while text.len() < bytes {
        text.push_str(&item(number));
        text.push('\n');
        number += 1;
    }
    text
}

fn json(inside: &str) -> String {
    format!(r#"{{"AWSTemplateFormatVersion":"x",{inside}}}"#)
}

/// A template with one pattern.
fn one(pattern: &str) -> String {
    format!(
        "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern: {pattern}\n      State: ENABLED\n"
    )
}

fn nested(bytes: usize, depth: usize, inner: &str) -> String {
    let inside = list(bytes, inner);
    format!("{}{inside}{}", "[".repeat(depth), "]".repeat(depth))
}

/// A rule with this pattern, in JSON.
fn rule(pattern: &str) -> String {
    json(&format!(r#""Resources":{{"R":{{"Type":"AWS::Events::Rule","Properties":{{"EventPattern":{pattern}}}}}}}"#))
}

/// All shapes; ten and more of each way.
pub(crate) const SHAPES: &[Shape] = &[
    shape(Way::Json, "a long key around patterns", |n| {
        json(&format!(r#""{}":[{}]"#, "k".repeat(n / 2), list(n / 2, r#"{"EventPattern":{"a":[1]}}"#)))
    }),
    shape(Way::Json, "a long logical id", |n| {
        let patterns = list(n / 2, r#""EventPattern":{"a":1}"#);
        let id = "k".repeat(n / 2);
        json(&format!(r#""Resources":{{"{id}":{{"Type":"AWS::Events::Rule","Properties":{{{patterns}}}}}}}"#))
    }),
    shape(Way::Json, "a long key around a list", |n| {
        json(&format!(r#""{}":[{}]"#, "k".repeat(n / 2), list(n / 2, "0")))
    }),
    shape(Way::Json, "a long name of an element", |n| {
        json(&format!(r#""a":[{{"Name":"{}","b":[{}]}}]"#, "k".repeat(n / 2), list(n / 2, r#"{"Name":"n"}"#)))
    }),
    shape(Way::Json, "members called values", |n| json(&list(n, r#""values":1"#))),
    shape(Way::Json, "policies in one map", |n| json(&format!(r#"{},"x":1"#, list(n, r#""FilterPolicy":{"a":[1]}"#)))),
    shape(Way::Json, "policies of one subscription", |n| {
        let policies = list(n, r#""FilterPolicy":{"a":[1]}"#);
        json(&format!(r#""Resources":{{"R":{{"Type":"AWS::SNS::Subscription","Properties":{{{policies}}}}}}}"#))
    }),
    shape(Way::Json, "properties that do not exist", |n| {
        let policies = list(n, r#""FilterPolicies":1"#);
        json(&format!(r#""Resources":{{"R":{{"Type":"AWS::SNS::Subscription","Properties":{{{policies}}}}}}}"#))
    }),
    shape(Way::Json, "types in one map", |n| json(&list(n, r#""Type":{"Type":"x"}"#))),
    shape(Way::Json, "resources of many kinds", |n| {
        json(&format!(r#""Resources":{{{}}}"#, numbered(n, |at| format!(r#""R{at}":{{"Type":"AWS::S3::Bucket"}}"#))))
    }),
    shape(Way::Json, "many levels, each with a key", |n| {
        let open = format!(r#"{{"Name":"x","{}":"#, "k".repeat(n / 90));
        json(&format!(r#""a":{}{{"EventPattern":{{"a":[1]}}}}{}"#, open.repeat(90), "}".repeat(90)))
    }),
    shape(Way::Json, "shapes at many levels", |n| {
        let open = r#"{"EventPattern":"#.repeat(90);
        json(&format!(r#""a":{open}{{"a":[{}],"b":1}}{}"#, list(n, "1"), "}".repeat(90)))
    }),
    shape(Way::Json, "escapes in a pattern", |n| rule(&format!(r#""{{\"a\":[\"{}\"]}}""#, r"\\n\\t".repeat(n / 6)))),
    shape(Way::Json, "surrogates in a pattern", |n| {
        rule(&format!(r#""{{\"a\":[\"{}\"]}}""#, r"\ud83d\ude00".repeat(n / 12)))
    }),
    shape(Way::Json, "pieces that are joined", |n| {
        rule(&format!(r#"{{"Fn::Join":["",["{{",{}]]}}"#, list(n, r#"{"Ref":"X"}"#)))
    }),
    shape(Way::Json, "holes in a pattern", |n| {
        rule(&format!(r#"{{"Fn::Sub":"{{\"a\":[{}\"\"]}}"}}"#, r#"\"${X}\","#.repeat(n / 9)))
    }),
    shape(Way::Json, "holes that are not closed", |n| {
        rule(&format!(r#"{{"Fn::Sub":"{{\"a\":[\"{}\"]}}"}}"#, "${".repeat(n / 2)))
    }),
    shape(Way::Json, "references in a pattern", |n| rule(&format!(r#"{{"a":[{}]}}"#, list(n, r#"{"Ref":"X"}"#)))),
    shape(Way::Json, "conditions in a pattern", |n| {
        rule(&format!(r#"{{"a":[{}]}}"#, list(n, r#"{"Fn::If":["C",1,{"Ref":"AWS::NoValue"}]}"#)))
    }),
    shape(Way::Json, "conditions inside conditions", |n| {
        let open = r#"{"Fn::If":["C",{"a":[1]},"#.repeat(80);
        rule(&format!("{open}{{\"a\":[{}]}}{}", list(n, "1"), "]}".repeat(80)))
    }),
    shape(Way::Json, "filters", |n| {
        json(&format!(r#""FilterCriteria":{{"Filters":[{}]}}"#, list(n, r#"{"Pattern":"{\"body\":[1]}"}"#)))
    }),
    shape(Way::Json, "filters without patterns", |n| {
        json(&format!(r#""FilterCriteria":{{"Filters":[{}]}}"#, list(n, "{}")))
    }),
    shape(Way::Json, "resources of a plan", |n| {
        let resource = |at| {
            format!(r#"{{"address":"aws_cloudwatch_event_rule.b{at}","values":{{"event_pattern":"{{\"a\":[1]}}"}}}}"#)
        };
        format!(r#"{{"planned_values":{{"root_module":{{"resources":[{}]}}}}}}"#, numbered(n, resource))
    }),
    shape(Way::Yaml, "tags without whitespace", |n| format!("[{}]", list(n, "!a"))),
    shape(Way::Yaml, "anchors without whitespace", |n| format!("[{}]", list(n, "&a"))),
    shape(Way::Yaml, "verbatim tags", |n| format!("[{}]", list(n, "!<a> b"))),
    shape(Way::Yaml, "escapes", |n| one(&format!("\"{}\"", "\\n\\t".repeat(n / 4)))),
    shape(Way::Yaml, "escaped line ends", |n| one(&format!("\"{{{}}}\"", " \\\n        ".repeat(n / 11)))),
    shape(Way::Yaml, "a folded text", |n| {
        one(&format!(">\n        {{\n{}        }}", "        \"a\":\n\n".repeat(n / 14)))
    }),
    shape(Way::Yaml, "single quotes", |n| one(&format!("'{{{}}}'", "''".repeat(n / 2)))),
    shape(Way::Yaml, "a plain scalar over lines", |n| format!("a: b\n{}c: d\n", "  x\n\n".repeat(n / 5))),
    shape(Way::Yaml, "blank lines after nested lists", |n| {
        let lists: String = (0..100).map(|at| format!("{}-\n", " ".repeat(at))).collect();
        format!("a:\n{lists}{}b: 1\n", "\n".repeat(n))
    }),
    shape(Way::Yaml, "letters of many bytes", |n| format!("a: [{}]\n", list(n, "é☃"))),
    shape(Way::Yaml, "merged maps", |n| {
        format!("a: &a {{k: 1}}\nb:\n{}", lines(n, |at| format!("  - {{<<: *a, x{at}: 2}}")))
    }),
    shape(Way::Yaml, "aliases", |n| format!("a: &a x\nb: [{}]\n", list(n, "*a"))),
    shape(Way::Yaml, "comments", |n| format!("a: 1\n{}b: 2\n", "# x\n".repeat(n / 4))),
    shape(Way::Yaml, "line ends of another system", |n| "a:\r\n- b\r\n".to_owned() + &"- c\r\n".repeat(n / 5)),
    shape(Way::Yaml, "patterns of intrinsic functions", |n| one(&format!("{{a: [{}]}}", list(n, "!Ref X")))),
    shape(Way::Yaml, "scalars of two versions", |n| one(&format!("{{a: [{}]}}", list(n, "yes")))),
    shape(Way::Yaml, "documents with patterns", |n| "---\nEventPattern: {a: [x]}\n".repeat(n / 26)),
    shape(Way::Yaml, "documents", |n| "---\na: 1\n".repeat(n / 9)),
    shape(Way::Rules, "rules with mistakes", |n| {
        format!("{{{}}}", numbered(n, |at| format!(r#""r{at}":{{"source":[{{"prefx":"a"}}]}}"#)))
    }),
    shape(Way::Rules, "rules on lines of their own", |n| {
        format!("{{\n{}}}", numbered(n, |at| format!("\"r{at}\":\n{{\"source\":\n\"é\"}}\n")))
    }),
    shape(Way::Rules, "long names", |n| {
        let name = "é".repeat(n / 60);
        format!("{{{}}}", numbered(n, |at| format!(r#""{name}{at}":{{"source":"x"}}"#)))
    }),
    shape(Way::Rules, "one long name", |n| format!(r#"{{"{}":{{"a":1}}}}"#, "x".repeat(n))),
    shape(Way::Rules, "patterns as strings", |n| {
        format!("{{{}}}", numbered(n, |at| format!(r#""r{at}":"{{\"source\":\"x\"}}""#)))
    }),
    shape(Way::Rules, "listed rules", |n| {
        let rule = |at| format!(r#"{{"Name":"r{at}","EventPattern":"{{\"source\":\"x\"}}"}}"#);
        format!(r#"{{"Rules":[{}]}}"#, numbered(n, rule))
    }),
    shape(Way::Rules, "listed rules without patterns", |n| {
        format!("[{}]", numbered(n, |at| format!(r#"{{"Name":"r{at}"}}"#)))
    }),
    shape(Way::Rules, "sets of filters", |n| {
        format!(
            "{{{}}}",
            numbered(n, |at| format!(r#""r{at}":{{"Filters":[{{"Pattern":"{{}}"}},{{"Pattern":"{{}}"}}]}}"#))
        )
    }),
    shape(Way::Rules, "sets without filters", |n| {
        format!("{{{}}}", numbered(n, |at| format!(r#""r{at}":{{"Filters":[]}}"#)))
    }),
    shape(Way::Rules, "members of one rule", |n| format!(r#"{{"r":{{{}}}}}"#, list(n, r#""EventPattern":1"#))),
    shape(Way::Pattern, "brackets", |n| "[".repeat(n)),
    shape(Way::Pattern, "quotes", |n| "\"".repeat(n)),
    shape(Way::Pattern, "backslashes", |n| format!("\"{}\"", "\\".repeat(n))),
    shape(Way::Pattern, "braces", |n| "{}".repeat(n / 2)),
    shape(Way::Pattern, "values that are not lists", |n| format!("{{{}}}", numbered(n, |at| format!(r#""{at}":1"#)))),
    shape(Way::Pattern, "filters without patterns", |n| format!(r#"{{"Filters":[{}]}}"#, list(n, "{}"))),
    shape(Way::Pattern, "filters", |n| format!(r#"{{"Filters":[{}]}}"#, list(n, r#"{"Pattern":"{\"a\":1}"}"#))),
    shape(Way::Pattern, "attributes", |n| format!(r#"{{"Attributes":{{{}}}}}"#, list(n, r#""FilterPolicy":"{}""#))),
    shape(Way::Pattern, "whitespace", |n| format!("{}{{}}", " ".repeat(n))),
    shape(Way::Pattern, "nested lists", |n| format!(r#"{{"a":{}}}"#, nested(n, 150, r#"{"b":1}"#))),
    shape(Way::Pattern, "words", |n| "a ".repeat(n / 2)),
    shape(Way::Events, "brackets", |n| "[".repeat(n)),
    shape(Way::Events, "open objects on lines", |n| "{\n".repeat(n / 2)),
    shape(Way::Events, "blank lines", |n| "\n".repeat(n)),
    shape(Way::Events, "a string that does not end", |n| format!("{{\"{}", "a\n".repeat(n / 2))),
    shape(Way::Events, "backslashes", |n| format!("[\"{}\"]", "\\\\".repeat(n / 2))),
    shape(Way::Events, "commas in an array", |n| format!("[{}]", ",".repeat(n))),
    shape(Way::Events, "elements without commas", |n| format!("[{}]", "{} ".repeat(n / 3))),
    shape(Way::Events, "text after an array", |n| format!("[{{}}]\n{}", "x ".repeat(n / 2))),
    shape(Way::Events, "one long line", |n| format!("{{\"a\":\"{}\"}}\n{{}}", "x".repeat(n))),
    shape(Way::Events, "one document over lines", |n| format!("{{\n\"a\": [\n{}0]}}", "0,\n".repeat(n / 3))),
    shape(Way::Events, "many short events", |n| "{}\n".repeat(n / 3)),
    shape(Way::Events, "whitespace before the first event", |n| format!("{}{{}}", " ".repeat(n))),
];
