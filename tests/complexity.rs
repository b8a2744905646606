//! The rows of the engine that the service would reject for their wildcards: which they are, and why, counted by hand.
//!
//! The engine rates wildcards only on request; the service requests it and rejects ratings above 10. By the
//! specification (§12, steps 3 to 6) the patterns below are above: a test is added once for each `$or` combination that
//! arrives through one state, and every addition is a chain of its own from the first byte after the first star on. A
//! reading that admits them would also admit `{"a":[{"wildcard":"*a*"}],"$or":[{"z":[0]},…five of them]}`, which §12
//! lists as rejected.

use std::collections::BTreeSet;

use eventrie::dialect::BusVersion;
use eventrie::{Dialect, ParseOptions, Pattern};

use crate::row::{Expect, folder, read};

/// One pattern above the limit.
struct Counted {
    row: &'static str,
    /// The tests with wildcards that meet in one state, and how often each is added there.
    tests: &'static [&'static str],
    additions: usize,
    /// What of an event's value, after its quote, leads to the worst place.
    after: &'static str,
    /// The places that the automaton is at then: what was read of the wildcard, how many tests or additions pass through.
    places: &'static [(&'static str, u32)],
}

const COUNTED: [Counted; 7] = [
    Counted {
        row: "engine/multi/101/173",
        tests: &[r#"{"wildcard":"*000"}"#],
        additions: 4,
        after: "000",
        places: &[("*", 1), ("*0", 4), ("*00", 4), ("*000", 4)],
    },
    Counted {
        row: "engine/multi/101/1446",
        tests: &[r#"{"wildcard":"1*000"}"#],
        additions: 4,
        after: "1000",
        places: &[("1*", 1), ("1*0", 4), ("1*00", 4), ("1*000", 4)],
    },
    Counted {
        row: "engine/real/101/2172",
        tests: &[r#"{"anything-but":{"wildcard":"*0000"}}"#],
        additions: 4,
        after: "0000",
        places: &[("*", 1), ("*0", 4), ("*00", 4), ("*000", 4), ("*0000", 4)],
    },
    Counted {
        row: "engine/real/101/2754",
        tests: &[r#"{"wildcard":"*3456789012"}"#, r#"{"wildcard":"*123456789012"}"#],
        additions: 3,
        after: "12345678901",
        // Both tests pass through the star; `1` begins the second wildcard once more.
        places: &[("*", 2), ("*345678901", 3), ("*1", 3), ("*12345678901", 3)],
    },
    Counted {
        row: "engine/real/101/3323",
        tests: &[r#"{"wildcard":"12*56789012"}"#],
        additions: 17,
        after: "125",
        places: &[("12*", 1), ("12*5", 17)],
    },
    Counted {
        row: "engine/real/101/4527",
        tests: &[r#"{"wildcard":"20*:db8::7"}"#, r#"{"wildcard":"*b8::7"}"#, r#"{"wildcard":"*:7"}"#],
        additions: 2,
        after: "20:db8:",
        places: &[("20*", 1), ("*", 2), ("20*:", 2), ("20*:db8:", 2), ("*b8:", 2), ("*:", 2)],
    },
    Counted {
        row: "engine/real/101/6802",
        tests: &[r#"{"anything-but":{"wildcard":"*210987654321"}}"#],
        additions: 24,
        after: "21098765432",
        places: &[("*", 1), ("*2", 24), ("*21098765432", 24)],
    },
];

fn rated(text: &str) -> u32 {
    let options = ParseOptions::new(Dialect::EventBridge).engine(BusVersion::V2026_07);
    Pattern::parse_with(text, &options).unwrap().wildcard_complexity().unwrap()
}

/// Whether what was read of a wildcard is a way to read the value so far: the places are not made up.
fn leads(read: &str, value: &str) -> bool {
    match read.split_once('*') {
        Some((before, after)) => {
            value.len() >= before.len() + after.len() && value.starts_with(before) && value.ends_with(after)
        }
        None => read == value,
    }
}

#[test]
fn the_patterns_above_the_limit_by_hand() {
    for one in &COUNTED {
        let by_hand: u32 = one.places.iter().map(|(_, weight)| weight).sum();
        assert!(by_hand > 10, "{}", one.row);
        for (read, _) in one.places {
            assert!(leads(read, one.after), "{}: {read} after {}", one.row, one.after);
        }
        // The same test twice in a list is two additions, as two `$or` combinations are.
        let list = vec![one.tests.join(","); one.additions].join(",");
        assert_eq!(rated(&format!(r#"{{"a":[{list}]}}"#)), by_hand, "{} as one list", one.row);
    }
}

/// Those are all: every other row of the engine runs with the limits of the service, as `spec-vectors/README.md` says.
#[test]
fn only_these_rows_run_without_limits() {
    let mut above = BTreeSet::new();
    for name in ["value", "struct", "or", "orv", "real", "multi"] {
        let mut last = (String::new(), 0);
        for row in read(&folder(&format!("spec-vectors/engine/{name}.jsonl.gz"))) {
            let mut is_above = false;
            for (_, text) in row.patterns.iter().filter(|(_, text)| text.contains("wildcard")) {
                if last.0 != *text {
                    last = (text.clone(), rated(text));
                }
                is_above |= last.1 > 10;
                let one = COUNTED.iter().find(|one| row.id == one.row || row.id.starts_with(&format!("{}.", one.row)));
                if let (Some(one), true) = (one, last.1 > 10) {
                    let by_hand: u32 = one.places.iter().map(|(_, weight)| weight).sum();
                    assert_eq!(last.1, by_hand, "{}", row.id);
                    above.insert(one.row);
                }
            }
            assert_eq!(row.limited, !is_above, "{}", row.id);
            assert!(!matches!(row.expect, Expect::Invalid), "{}", row.id);
        }
    }
    assert_eq!(above.len(), COUNTED.len(), "{above:?}");
}
