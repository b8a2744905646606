//! Malformed events: message, place, help.

use eventrie::{Dialect, Event, EventError, Limit, Limits, Matcher, Pattern, Scratch};

fn error(text: &[u8]) -> EventError {
    let pattern = Pattern::parse(r#"{"a":["x"]}"#, Dialect::EventBridge).unwrap();
    let explained = pattern.explain(text).unwrap_err();
    let matcher = Matcher::new([pattern]).unwrap();
    let matched = matcher.matches(text, &mut Scratch::default()).unwrap_err();
    assert_eq!(explained, matched, "both readers find the same fault");
    explained
}

#[test]
fn message_place_and_help() {
    for (text, message, place, help) in [
        ("{'a': 'x'}", "expected a double-quoted key or `}`, found `'`", (1, 2), "Python's repr"),
        ("{\"a\": True}", "expected a value, found `True`", (1, 7), "Python's repr"),
        ("{\"a\": None}", "expected a value, found `None`", (1, 7), "Python's repr"),
        ("{\n  a: \"x\"\n}", "expected a double-quoted key or `}`, found `a`", (2, 3), "JavaScript object"),
        ("{\"a\": 'x'}", "expected a value, found `'`", (1, 7), "JavaScript object"),
        ("{\"a\": NaN}", "expected a value, found `NaN`", (1, 7), "write `null` or a string"),
        ("{\"a\": 1, // one\n}", "comments are not allowed in JSON", (1, 10), "remove the comments"),
        ("# one\n{\"a\": 1}", "comments are not allowed in JSON", (1, 1), "YAML"),
        ("{\"a\": 1,\n}", "expected another key after `,`, found `}`", (2, 1), "remove the comma"),
        ("{\"a\": [1,]}", "expected another value after `,`, found `]`", (1, 10), "remove the comma"),
        ("{\"a\": }", "expected a value, found `}`", (1, 7), ""),
        ("{\"a\" 1}", "expected `:` between a key and its value, found `1`", (1, 6), ""),
        ("{\"a\": 1 \"b\": 2}", "expected `,` or `}`, found `\"`", (1, 9), ""),
        ("{\"a\": 012}", "a number must not begin with a zero before other digits", (1, 7), ""),
        ("{\"a\": \"x\ty\"}", "expected an escape, found the control character `\\t` in a string", (1, 9), "`\\t`"),
        ("{\"a\": \"\\d\"}", "expected a JSON escape, found `\\d`", (1, 8), "write a backslash as"),
        ("", "expected a JSON object, found nothing", (1, 1), "pass a JSON object"),
        (" \n", "expected a JSON object, found nothing", (2, 1), "pass a JSON object"),
        ("{\"a\": [1,\n", "expected a value, but the event is cut off", (2, 1), ""),
        ("{\"a\": \"xy", "the event is cut off inside a string", (1, 7), ""),
        ("{\"a\":1}\n{\"a\":2}", "expected the end of the event, found `{`", (2, 1), "pass them one at a time"),
        ("[{\"a\":1}]", "expected a JSON object, found an array", (1, 1), "each element"),
        ("\"{\\\"a\\\":1}\"", "expected a JSON object, found a string", (1, 1), "decode the string"),
        ("{\\\"a\\\":1}", "expected a double-quoted key or `}`, found `\\`", (1, 2), "remove the backslashes"),
        ("{“a”:1}", "expected a double-quoted key or `}`, found `“`", (1, 2), "typographic quotes"),
        ("\u{feff}{}", "expected a JSON object, found `\\ufeff`", (1, 1), "byte order mark"),
        ("<html>", "expected a JSON object, found `<`", (1, 1), "XML or HTML"),
        ("a: b", "expected a value, found `a`", (1, 1), "YAML"),
    ] {
        let error = error(text.as_bytes());
        let shown = error.render(text);
        let at = shown.position().unwrap();
        assert_eq!((shown.message(), (at.line, at.column)), (message, place), "{text}");
        assert_eq!(shown.help().is_some(), !help.is_empty(), "{text}: {shown}");
        assert!(shown.help().unwrap_or_default().contains(help), "{text}: {shown}");
        assert!(shown.to_string().starts_with(&format!("error: {message}\n")), "{shown}");
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    let text = b"{\"a\": \"\xc3\xa9\xff\xfe\"}";
    let shown = error(text).render(text).first_line(9).to_string();
    assert_eq!(
        shown,
        "error: the event is not valid UTF-8\n --> line 9, column 9\n  |\n9 | {\"a\": \"é\u{fffd}\u{fffd}\"}\n  |         ^ not UTF-8"
    );
}

#[test]
fn limits_and_errors_without_a_place() {
    let text = "{\"a\": [[[1]]]}";
    let pattern = Pattern::parse(r#"{"a":["x"]}"#, Dialect::EventBridge).unwrap();
    let limited = pattern.explain_with(text, &Limits::default().depth(3)).unwrap_err();
    assert_eq!(limited.limit(), Some(Limit::Depth));
    let shown = limited.render(text).to_string();
    assert!(shown.starts_with("error: objects and arrays are nested too deeply (limit `depth`)\n"), "{shown}");
    assert!(shown.ends_with("  |         ^"), "{shown}");
    let foreign = EventError::foreign("the frame is too short").render("").to_string();
    assert_eq!(foreign, "error: the frame is too short");
    assert_eq!(text.text(), Some(text.as_bytes()));
}

#[test]
fn another_text_than_the_one_read_is_harmless() {
    let error = error(b"{\"a\": tru}");
    for text in ["", "{}", "{\"a\": \"\u{e9}\u{e9}\"}", "\n\n\n\n\n\n\n\n"] {
        assert!(error.render(text).to_string().starts_with("error: "), "{text}");
    }
}
