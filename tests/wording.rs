//! The service's wording of refusals, against what was recorded and what its engine says.

use eventrie::Pattern;

use crate::row::{Expect, bare, corpus, first_line};

#[test]
fn the_engines_messages_are_byte_identical() {
    let rows = corpus(&["engine-invalid.jsonl"]);
    let mut different = Vec::new();
    for row in &rows {
        let (source, wanted) = (row.pattern(), row.error.as_deref().unwrap());
        match Pattern::parse_with(source, &row.options()) {
            Err(error) if bare(&error.service_message()) == wanted => {}
            Err(error) => different.push(format!("{source}\n  wanted {wanted}\n  said   {}", error.service_message())),
            Ok(_) => different.push(format!("{source}\n  wanted {wanted}\n  accepted")),
        }
    }
    assert!(different.is_empty(), "{} of {} differ:\n{}", different.len(), rows.len(), different.join("\n"));
    println!("{} messages of the engine are reproduced byte for byte", rows.len());
}

#[test]
fn recorded_messages_are_reproduced() {
    let mut checked = 0;
    for row in corpus(&["eventbridge-recorded.jsonl", "sns-recorded.jsonl", "records-recorded.jsonl"]) {
        let Some(wanted) = &row.error else { continue };
        let error = Pattern::parse_with(row.pattern(), &row.options()).expect_err("refused by the service");
        let said = error.service_message();
        if wanted.contains('\n') {
            assert_eq!(bare(&said), bare(wanted), "{}", row.id);
        } else {
            assert_eq!(first_line(&said), bare(wanted), "{}", row.id);
        }
        checked += 1;
    }
    println!("{checked} recorded messages are reproduced");
}

#[test]
fn what_is_refused_and_what_is_not() {
    for row in corpus(&[
        "eventbridge-recorded.jsonl",
        "sns-recorded.jsonl",
        "records-recorded.jsonl",
        "sns-reported.jsonl",
        "records-reported.jsonl",
        "field-reports.jsonl",
        "engine-value.jsonl",
        "engine-struct.jsonl",
        "engine-or.jsonl",
        "engine-orv.jsonl",
        "engine-real.jsonl",
    ]) {
        if row.pattern().contains("\"Filters\"") {
            continue;
        }
        let result = Pattern::parse_with(row.pattern(), &row.options());
        let said = result.as_ref().err().map(ToString::to_string);
        assert_eq!(result.is_err(), row.expect == Expect::Invalid, "{}: {}\n{said:?}", row.id, row.pattern());
    }
}
