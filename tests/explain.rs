//! What an explanation says besides its verdict: branches, overriding, elements, and both forms of output.

use std::path::Path;

use eventrie::explain::{FieldReport, MissKind};
use eventrie::{Dialect, Explanation, Pattern};

fn explain(pattern: &str, event: &str) -> Explanation {
    Pattern::parse(pattern, Dialect::EventBridge).unwrap().explain(event.as_bytes()).unwrap()
}

fn field<'e>(explanation: &'e Explanation, path: &str) -> &'e FieldReport {
    explanation.fields().find(|field| field.path == path).unwrap()
}

#[test]
fn each_kind_of_miss() {
    let kind = |pattern: &str, event: &str| {
        let explanation = explain(pattern, event);
        assert!(!explanation.matched(), "{pattern} {event}");
        let field = explanation.fields().find(|field| !field.held).unwrap();
        (field.misses[0].kind, explanation)
    };
    for (pattern, event, expected) in [
        (r#"{"a":["Run"]}"#, r#"{"a":"run"}"#, MissKind::LetterCase),
        (r#"{"a":[{"prefix":"Run"}]}"#, r#"{"a":"running"}"#, MissKind::LetterCase),
        (r#"{"a":[{"wildcard":"R*g"}]}"#, r#"{"a":"running"}"#, MissKind::LetterCase),
        (r#"{"a":["run"]}"#, r#"{"a":"run "}"#, MissKind::WhiteSpace),
        (r#"{"a":["caf\u00e9"]}"#, r#"{"a":"cafe\u0301"}"#, MissKind::UnicodeForm),
        (r#"{"a":["a-b-c"]}"#, r#"{"a":"a–b–c"}"#, MissKind::LookAlike),
        (r#"{"a":["5"]}"#, r#"{"a":5}"#, MissKind::Quoted),
        (r#"{"a":[5]}"#, r#"{"a":"5.0"}"#, MissKind::Quoted),
        (r#"{"a":[true]}"#, r#"{"a":"True"}"#, MissKind::Quoted),
        (r#"{"a":["null"]}"#, r#"{"a":null}"#, MissKind::Quoted),
        (r#"{"a":[{"numeric":[">",1]}]}"#, r#"{"a":"2"}"#, MissKind::Quoted),
        (r#"{"a":[{"prefix":"1"}]}"#, r#"{"a":12}"#, MissKind::OtherType),
        (r#"{"a":["in/*"]}"#, r#"{"a":"in/x"}"#, MissKind::LiteralStar),
        (r#"{"a":[{"prefix":".pdf"}]}"#, r#"{"a":"x.pdf"}"#, MissKind::OtherEnd),
        (r#"{"a":[{"suffix":"in/"}]}"#, r#"{"a":"in/x"}"#, MissKind::OtherEnd),
        (r#"{"a":[{"wildcard":"b*c"}]}"#, r#"{"a":"abcd"}"#, MissKind::OtherEnd),
        (r#"{"a":["recieved"]}"#, r#"{"a":"received"}"#, MissKind::Spelling),
        (r#"{"a":[{"numeric":["<",5]}]}"#, r#"{"a":5}"#, MissKind::Precision),
        (r#"{"a":[0.3]}"#, r#"{"a":0.30000000000000004}"#, MissKind::Precision),
        (r#"{"a":[{"numeric":["<",5]}]}"#, r#"{"a":7}"#, MissKind::OutOfRange),
        (r#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, r#"{"a":"11.0.0.1"}"#, MissKind::Address),
        (r#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, r#"{"a":"::1"}"#, MissKind::Address),
        (r#"{"a":[{"cidr":"10.0.0.0/8"}]}"#, r#"{"a":"host"}"#, MissKind::Address),
        (r#"{"a":[{"anything-but":{"suffix":"z"}}]}"#, r#"{"a":"xyz"}"#, MissKind::Excluded),
        (r#"{"a":[{"exists":false}]}"#, r#"{"a":0}"#, MissKind::Present),
        (r#"{"a":["x"]}"#, r#"{"a":null}"#, MissKind::NullValue),
        (r#"{"a":["x"]}"#, r#"{"a":{"b":"x"}}"#, MissKind::IsObject),
        (r#"{"a":["x"]}"#, r#"{"a":[]}"#, MissKind::IsEmpty),
        (r#"{"a":{"b":["x"]}}"#, r#"{"a":"{\"b\":\"x\"}"}"#, MissKind::InsideText),
        (r#"{"b":["x"]}"#, r#"{"Message":"{\"b\":\"x\"}"}"#, MissKind::InsideText),
        (r#"{"detail":{"userId":["x"]}}"#, r#"{"detail":{"user_id":"x"}}"#, MissKind::SimilarKey),
        (r#"{"state":["x"]}"#, r#"{"detail":{"state":"x"}}"#, MissKind::OtherPlace),
        (r#"{"body":{"state":["x"]}}"#, r#"{"state":"x"}"#, MissKind::OtherPlace),
        (r#"{"a":{"numeric":[">",1]}}"#, r#"{"a":5}"#, MissKind::OperatorAsField),
        (r#"{"a":{"b":["x"]}}"#, r#"{"a":5}"#, MissKind::NotAnObject),
        (r#"{"a":["x"]}"#, r#"{"a":"totally"}"#, MissKind::Different),
        (r#"{"a":["x"]}"#, r#"{"zzz":"x"}"#, MissKind::Missing),
    ] {
        let (found, explanation) = kind(pattern, event);
        assert_eq!(found, expected, "{pattern} {event}\n{explanation}");
    }
}

#[test]
fn branches_have_verdicts_of_their_own() {
    let pattern = r#"{"$or":[{"a":[1],"b":[1]},{"c":[1]},{"d":["x"]}]}"#;
    let explanation = explain(pattern, r#"{"a":1,"b":2,"d":"X"}"#);
    let group = &explanation.root().groups[0];
    assert!(!group.held && group.branches.iter().all(|branch| !branch.held));
    assert!(explanation.summary().contains("branch 3 comes closest: `d` is \"X\""), "{}", explanation.summary());
    let explanation = explain(pattern, r#"{"c":1}"#);
    let held: Vec<bool> = explanation.root().groups[0].branches.iter().map(|branch| branch.held).collect();
    assert_eq!(held, [false, true, false]);
}

#[test]
fn replaced_lists_do_not_count() {
    let explanation = explain(r#"{"a":[1],"a":[2]}"#, r#"{"a":2}"#);
    assert!(explanation.matched());
    let lists: Vec<bool> = explanation.fields().map(|field| field.overridden_by.is_some()).collect();
    assert_eq!(lists, [true, false]);
    let explanation = explain(r#"{"$or":[{"a":[2]},{"b":[3]}],"a":[1]}"#, r#"{"a":1}"#);
    assert!(explanation.matched() && explanation.root().groups[0].held);
    assert!(field(&explanation, "a").overridden_by.is_some());
    let explanation = explain(r#"{"a":[1],"$or":[{"a":[2]},{"b":[3]}]}"#, r#"{"a":2}"#);
    assert!(explanation.matched(), "{explanation}");
}

#[test]
fn a_group_holds_if_a_branch_does() {
    let explanation = explain(r#"{"$or":[{"a":["y"]},{"b":[1]}],"a":["x"]}"#, r#"{"a":"x"}"#);
    let held: Vec<bool> = explanation.root().groups[0].branches.iter().map(|branch| branch.held).collect();
    assert!(explanation.matched());
    assert_eq!(held, [true, false], "{explanation}");
    assert!(!explanation.to_string().contains("array"), "{explanation}");
    let explanation = explain(r#"{"a":["x"],"$or":[{"a":["y"]},{"b":[1]}]}"#, r#"{"a":"y"}"#);
    assert!(explanation.matched() && explanation.root().groups[0].branches[0].held);
    let replaced = &explanation.root().fields[0];
    assert_eq!((replaced.overridden_by.is_some(), replaced.values.len()), (true, 1), "{explanation}");
    // Absent from the element that was chosen, not from all.
    let explanation = explain(r#"{"v":{"a":[1],"b":[{"exists":false}]}}"#, r#"{"v":[{"a":1},{"b":2}]}"#);
    assert!(explanation.matched() && field(&explanation, "v.b").held, "{explanation}");
}

#[test]
fn advice_inside_an_empty_name_is_right() {
    let event = r#"{"":{"d":"x"}}"#;
    let explanation = explain(r#"{"":{"d":[{"exists":true}]}}"#, event);
    assert!(explanation.to_string().contains(r#"at the top level: ".d""#), "{explanation}");
    assert!(explain(r#"{".d":[{"exists":true}]}"#, event).matched());
}

#[test]
fn values_say_where_they_are() {
    let event = r#"{"e":[{"k":["x",{"v":1}]},{"k":[{"v":2}]}]}"#;
    let explanation = explain(r#"{"e":{"k":{"v":[2]}}}"#, event);
    let values = &field(&explanation, "e.k.v").values;
    assert_eq!(values.iter().map(|value| value.held).collect::<Vec<_>>(), [false, true]);
    assert_eq!(values[1].place.pointer, "/e/1/k/0/v");
    assert_eq!(values[1].place.span.slice(event), "2");
    let elements: Vec<(&str, u32)> = values[0].elements.iter().map(|one| (&*one.array, one.index)).collect();
    assert_eq!(elements, [("/e", 0), ("/e/0/k", 1)]);
    let explanation = explain(r#"{"a/b~c":["x"]}"#, r#"{"a/b~c":"y"}"#);
    assert_eq!(field(&explanation, "a/b~c").values[0].place.pointer, "/a~1b~0c");
}

#[test]
fn hostile_names_cannot_disturb_the_output() {
    let explanation = explain(r#"{"a\u001b[31m\u202e":["\u001b"]}"#, r#"{"a\u001b[31m\u202e":"x\u009b"}"#);
    let text = explanation.to_string();
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}') && !text.contains('\u{9b}'), "{text:?}");
    assert!(!explanation.summary().contains('\u{1b}'));
}

#[test]
fn large_things_stay_small() {
    let values: Vec<String> = (0..50_000).map(|n| format!("\"{n}\"")).collect();
    let explanation = explain(r#"{"a":["x"]}"#, &format!("{{\"a\":[{}]}}", values.join(",")));
    let report = field(&explanation, "a");
    assert_eq!(report.value_count, 50_000);
    assert!(report.values.len() <= 20 && report.misses.len() <= 20);
    let deep =
        format!("{}\"a\":[1]{}", "{\"k\":".repeat(900), "}".repeat(900)).replace("{\"k\":\"a\"", "{\"k\":{\"a\"") + "}";
    let pattern = Pattern::parse(&deep, Dialect::EventBridge).unwrap();
    assert!(pattern.explain(br#"{"k":{}}"#).unwrap().fields().all(|field| field.path.len() < 1_100));
}

#[test]
fn texts_and_json() {
    let mut text = String::new();
    for (pattern, event) in [
        (
            "{\n  \"source\": [\"shop\"],\n  \"detail\": {\n    \"state\": [\"new\", {\"prefix\": \"re\"}],\n    \"$or\": [{\"n\": [{\"numeric\": [\">\", 5]}]}, {\"vip\": [true]}]\n  }\n}",
            "{\n  \"source\": \"shop\",\n  \"detail\": {\"state\": \"New\", \"n\": 3, \"vip\": \"true\"}\n}",
        ),
        (
            r#"{"detail":{"items":{"sku":["A1"],"qty":[5]}}}"#,
            r#"{"detail":{"items":[{"sku":"A1","qty":2},{"sku":"B2","qty":5}]}}"#,
        ),
        (r#"{"source":["shop"]}"#, r#"{"source":"shop"}"#),
    ] {
        let explanation = explain(pattern, event);
        text.push_str(&explanation.to_string());
        text.push_str("\n\n");
        #[cfg(feature = "serde")]
        {
            let json = serde_json::to_value(&explanation).unwrap();
            assert_eq!(json["matched"], explanation.matched());
            assert_eq!(json["root"]["fields"].as_array().unwrap().len(), explanation.root().fields.len());
            if let Some(miss) = json["root"]["fields"][1]["misses"].get(0) {
                assert_eq!(miss["kind"], "letter-case");
                assert_eq!(miss["place"]["pointer"], "/detail/state");
                let at = |end: &str| miss["place"]["span"][end].as_u64().unwrap() as usize;
                assert_eq!(&event[at("start")..at("end")], "\"New\"");
            }
        }
    }
    crate::field::snapshot(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain.snap"), &text);
}
