//! Properties of reading and printing, and hostile strings.

use proptest::prelude::*;

use super::ast::Ast;
use super::{Dialect, ParseOptions, Pattern, PatternError};
use crate::limit::Limits;

/// The tree as text, without places.
fn unplaced(ast: &Ast) -> String {
    let text = format!("{:?}", (&ast.nodes, &ast.tests));
    let mut out = String::new();
    for (number, part) in text.split("Span {").enumerate() {
        let part = if number == 0 { part } else { part.split_once('}').unwrap().1 };
        out.push_str(part);
    }
    out
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(texts).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    let texts =
        &[r#""""#, r#""a""#, r#""é""#, r#""\u00e9\"\\\n""#, r#""10.0.0.1""#, r#""ß😀""#, r#""a.b""#, r#""\u0001""#];
    one_of(texts)
}

fn number() -> impl Strategy<Value = String> {
    one_of(&["0", "-0", "1", "1.50", "3e2", "9007199254740993", "1e400", "-12.25"])
}

fn comparable() -> impl Strategy<Value = String> {
    one_of(&["0", "1.50", "3e2", "-12.25"])
}

fn wildcard() -> impl Strategy<Value = String> {
    one_of(&[r#""*""#, r#""a*b""#, r#""\\*é*""#, r#""\\\\*""#, r#""""#])
}

fn operator() -> impl Strategy<Value = String> {
    let some = |item: BoxedStrategy<String>| {
        prop_oneof![item.clone(), prop::collection::vec(item, 1..3).prop_map(|items| format!("[{}]", items.join(", ")))]
    };
    prop_oneof![
        (one_of(&["exactly", "prefix", "suffix", "equals-ignore-case"]), text())
            .prop_map(|(name, text)| format!(r#"{{"{name}" : {text}}}"#)),
        (one_of(&["prefix", "suffix"]), text())
            .prop_map(|(name, text)| format!(r#"{{"{name}": {{"equals-ignore-case": {text}}}}}"#)),
        wildcard().prop_map(|text| format!(r#"{{"wildcard": {text}}}"#)),
        (one_of(&["=", "<", "<=", ">", ">="]), comparable())
            .prop_map(|(name, number)| format!(r#"{{"numeric": ["{name}", {number}]}}"#)),
        one_of(&[r#"{"numeric": [">", 0, "<=", 5]}"#, r#"{"numeric": [">=", -1.0, "<", 1e3]}"#]),
        one_of(&[r#"{"cidr": "10.0.0.0/8"}"#, r#"{"cidr": "2001:db8::/+032"}"#]),
        one_of(&[r#"{"exists": true}"#, r#"{"exists": false}"#]),
        some(text().boxed()).prop_map(|operand| format!(r#"{{"anything-but": {operand}}}"#)),
        some(comparable().boxed()).prop_map(|operand| format!(r#"{{"anything-but": {operand}}}"#)),
        (one_of(&["prefix", "suffix"]), some(one_of(&[r#""a""#, r#""é\"""#]).boxed()))
            .prop_map(|(name, operand)| format!(r#"{{"anything-but": {{"{name}": {operand}}}}}"#)),
        some(text().boxed()).prop_map(|operand| format!(r#"{{"anything-but": {{"equals-ignore-case": {operand}}}}}"#)),
        some(wildcard().boxed()).prop_map(|operand| format!(r#"{{"anything-but": {{"wildcard": {operand}}}}}"#)),
    ]
}

fn key() -> impl Strategy<Value = String> {
    one_of(&[r#""a""#, r#""b""#, r#""a.b""#, r#""""#, r#""é\n""#, r#""\u0024x""#, r#""detail-type""#])
}

/// An object of a pattern.
fn object() -> impl Strategy<Value = String> {
    let value = prop_oneof![text(), number(), one_of(&["true", "false", "null"]), operator()];
    let list = prop::collection::vec(value, 1..4).prop_map(|values| format!("[{}]", values.join(",")));
    let leaf = (key(), list).prop_map(|(key, list)| format!("{key}:{list}")).boxed();
    let members = |member: BoxedStrategy<String>| {
        prop::collection::vec(member, 1..4).prop_map(|members| format!("{{ {} }}", members.join(" ,\n")))
    };
    members(leaf.clone()).prop_recursive(3, 12, 3, move |inner| {
        let nested = (key(), inner.clone()).prop_map(|(key, object)| format!("{key} : {object}"));
        let group =
            prop::collection::vec(inner, 2..4).prop_map(|branches| format!(r#""$or":[{}]"#, branches.join(",")));
        members(prop_oneof![leaf.clone(), nested, group].boxed())
    })
}

/// What can be called for an error, without a panic; safe changes stay inside the text.
fn exercise(error: &PatternError) {
    // Few messages of the Custom Event Bus are documented.
    let undocumented = error.dialect().name().starts_with("eventsv2");
    assert!(!error.to_string().is_empty() && (undocumented || !error.service_message().is_empty()));
    for finding in error.findings() {
        let Some(fix) = &finding.fix else { continue };
        let (start, end) = (fix.span.start as usize, fix.span.end as usize);
        let mut changed = error.source().to_owned();
        changed.replace_range(start..end, &fix.replacement);
        assert_ne!(changed, error.source(), "{finding:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::testing::cases(500)))]

    #[test]
    fn printing_and_reading_again_gives_the_same_tree(source in object()) {
        let pattern = Pattern::parse(&source, Dialect::EventBridge).unwrap();
        let again = Pattern::parse(&pattern.to_string(), Dialect::EventBridge).unwrap();
        prop_assert_eq!(unplaced(pattern.ast()), unplaced(again.ast()));
        prop_assert_eq!(pattern.to_string(), again.to_string());
    }

    #[test]
    fn any_text_is_answered(tokens in prop::collection::vec(one_of(&[
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"$or\"", "\"prefix\"", "\"numeric\"", "\"anything-but\"", "\"wildcard\"",
        "\"equals-ignore-case\"", "\"cidr\"", "\">\"", "\"<=\"", "\"**\"", "\"\\\\x\"", "\"", "'", "\\", "1", "01", "-", "1e400",
        "true", "tru", "NaN", "\n", "é", "😀", "“", "\u{feff}", "\u{1}", "//", "{\"a\":[", "]}",
    ]), 0..24)) {
        let source = tokens.concat();
        for &dialect in Dialect::ALL {
            let options = ParseOptions::new(dialect).service_limits(true);
            if let Err(error) = Pattern::parse_with(&source, &options) {
                exercise(&error);
            }
        }
    }

    #[test]
    fn a_valid_text_with_a_hole_is_answered(source in object(), cut in 0..200_usize, length in 0..6_usize) {
        let keep = |at: &usize| *at < cut || *at >= cut + length;
        let holed: String = source.chars().enumerate().filter(|(at, _)| keep(at)).map(|(_, char)| char).collect();
        for &dialect in Dialect::ALL {
            if let Err(error) = Pattern::parse(&holed, dialect) {
                exercise(&error);
            }
        }
    }
}

#[test]
fn hostile_texts_are_refused_or_read_without_effort() {
    let limits = Limits::default().pattern_bytes(20 << 20);
    let wide = ParseOptions::new(Dialect::EventBridge).limits(limits);
    let options = ParseOptions::new(Dialect::EventBridge);
    let deep = |open: &str| open.repeat(100_000);
    for text in [deep("{\"a\":"), deep("["), deep("{\"$or\":["), deep("{\"a\":[{\"anything-but\":{\"prefix\":[")] {
        exercise(&Pattern::parse_with(&text, &options).unwrap_err());
        exercise(&Pattern::parse_with(&text, &wide).unwrap_err());
    }
    let list = |count: usize| format!("{{\"a\":[{}\"x\"]}}", "\"abcdefgh\",".repeat(count));
    assert!(Pattern::parse_with(&list(50_000), &options).is_ok());
    exercise(&Pattern::parse_with(&list(1_000_000), &options).unwrap_err());
    assert!(Pattern::parse_with(&list(1_000_000), &wide).is_ok());
    // Of very many mistakes the first ones are shown.
    let wrong = format!("{{\"a\":[{}{{\"prefix\":1}}]}}", "{\"anything_but\":[1]},".repeat(20_000));
    let error = Pattern::parse_with(&wrong, &options).unwrap_err();
    assert_eq!(error.findings().len(), crate::diagnostic::MOST_FINDINGS);
    assert!(error.to_string().ends_with("and 950 more"));
    for text in ["", " ", "\u{feff}{}", "{\"a\":[\"\\ud800\"]}", "null", "{\"a\":[1]}\0"] {
        if let Err(error) = Pattern::parse(text, Dialect::EventBridge) {
            exercise(&error);
        }
    }
}
