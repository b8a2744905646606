//! The project's own vectors, each in every way.

use std::collections::BTreeMap;
use std::path::Path;

use eventrie::{Pattern, Scratch};

use crate::modes::{Both, parse};
use crate::row::{Expect, Row, compared, files, folder, read};

/// What a row got instead of what it expects; or nothing.
pub(crate) fn judge(row: &Row, used: &mut Scratch) -> Result<(), String> {
    let mut patterns = Vec::with_capacity(row.patterns.len());
    for (_, text) in &row.patterns {
        match parse(text, &row.options()) {
            Ok(pattern) => {
                let printed = pattern.to_string();
                let again = parse_unlimited(&printed, row).map_err(|error| format!("printed as {printed}: {error}"))?;
                if again.to_string() != printed {
                    return Err(format!("printed as {printed}, then as {again}"));
                }
                patterns.push(pattern);
            }
            Err(error) if row.expect == Expect::Invalid => {
                let message = error.service_message();
                return match &row.error {
                    Some(wanted) if compared(wanted, row.whole_text) != compared(&message, row.whole_text) => {
                        Err(format!(
                            "expected `{}`, got `{}`",
                            compared(wanted, row.whole_text),
                            compared(&message, row.whole_text)
                        ))
                    }
                    _ => Ok(()),
                };
            }
            Err(error) => return Err(format!("refused: {error}")),
        }
    }
    if row.expect == Expect::Invalid {
        return Err("accepted".to_owned());
    }
    let event = row.event.as_deref().ok_or("no event")?;
    let answer = Both::new(&patterns).ask(event, used);
    for (at, pattern) in patterns.iter().enumerate() {
        let explained = pattern.explain(event.as_bytes()).map(|explanation| explanation.matched());
        let agrees = match (&answer, &explained) {
            (Ok(ids), Ok(matched)) => ids.contains(&at) == *matched,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        if !agrees {
            return Err(format!("the matcher says {answer:?}, explain {explained:?}"));
        }
    }
    let came = match (answer, &row.expect) {
        (Err(_), _) => Expect::BadEvent,
        (Ok(ids), Expect::Names(_)) => Expect::Names(ids.iter().map(|id| row.patterns[*id].0.clone()).collect()),
        (Ok(ids), _) if ids.is_empty() => Expect::NoMatch,
        (Ok(_), _) => Expect::Match,
    };
    if came == row.expect { Ok(()) } else { Err(format!("expected {:?}, got {came:?}", row.expect)) }
}

/// Printing may lengthen a string; its meaning is what counts.
fn parse_unlimited(text: &str, row: &Row) -> Result<Pattern, eventrie::PatternError> {
    Pattern::parse_with(text, &row.unlimited())
}

/// Every pattern of a file in one matcher, over every event of the file: the answer is the same as alone.
fn together(rows: &[Row], used: &mut Scratch) -> Vec<String> {
    let mut texts = Vec::new();
    let mut patterns = Vec::new();
    let mut failures = Vec::new();
    for row in rows {
        for (_, text) in &row.patterns {
            if let (Ok(pattern), false) = (parse(text, &row.options()), texts.contains(text)) {
                texts.push(text.clone());
                patterns.push(pattern);
            }
        }
    }
    let all = Both::new(&patterns);
    for row in rows {
        let (Some(event), Expect::Match | Expect::NoMatch) = (&row.event, &row.expect) else { continue };
        let position = texts.iter().position(|text| *text == row.patterns[0].1).unwrap();
        let answer = all.ask(event, used);
        if !answer.as_ref().is_ok_and(|ids| ids.contains(&position) == (row.expect == Expect::Match)) {
            failures.push(format!("{} among {} patterns: {answer:?}", row.id, patterns.len()));
        }
    }
    failures
}

/// Rows of a Custom Event Bus contain whole filter configurations; `tests/bus.rs` runs them.
fn is_of_one_pattern(path: &Path) -> bool {
    !path.components().any(|part| part.as_os_str() == "eventsv2")
}

#[test]
fn every_vector_in_every_way() {
    let mut used = Scratch::default();
    let (mut count, mut failures) = (0, Vec::new());
    for path in files(&folder("spec-vectors")).into_iter().filter(|path| is_of_one_pattern(path)) {
        let rows = read(&path);
        let plain: Vec<Row> = rows.into_iter().filter(is_plain).collect();
        for row in &plain {
            count += 1;
            if let Err(message) = judge(row, &mut used) {
                failures.push(format!("{}: {message}", row.id));
            }
        }
        for &dialect in eventrie::Dialect::ALL {
            let same: Vec<Row> = plain.iter().filter(|row| row.dialect == dialect).cloned().collect();
            failures.extend(together(&same, &mut used));
        }
    }
    assert!(count > 500, "only {count} vectors were found");
    assert!(failures.is_empty(), "{} of {count} fail:\n{}", failures.len(), failures.join("\n"));
}

/// Whether the row's event is JSON as it is, not something that must be unwrapped first.
pub(crate) fn is_plain(row: &Row) -> bool {
    row.dialect == eventrie::Dialect::EventBridge
}

#[test]
fn ids_are_unique_and_name_their_file() {
    let mut seen = BTreeMap::new();
    for path in files(&folder("spec-vectors")).into_iter().filter(|path| is_of_one_pattern(path)) {
        let file = path.strip_prefix(folder("spec-vectors")).unwrap().with_extension("");
        for row in read(&path) {
            assert!(row.id.starts_with(file.to_str().unwrap()), "{} is in {}", row.id, file.display());
            if let Some(other) = seen.insert(row.id.clone(), file.clone()) {
                panic!("{} is in {} and in {}", row.id, file.display(), other.display());
            }
        }
    }
}
