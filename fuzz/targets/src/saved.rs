//! Saved matchers: damaged ones are refused or answer somehow, within bounds; others answer as before.

use std::fmt::{Display, Formatter};

use eventrie::event::ReadPolicy;
use eventrie::{Dialect, Limit, Matcher, Pattern, Scratch, testing};

use crate::choices::Choices;
use crate::make::Maker;
use crate::matching::{ids, is_built, limits};
use crate::{Case, paste};

/// A matcher's bytes, what is changed in them, and events.
pub(crate) struct Saved {
    patterns: Vec<String>,
    policy: ReadPolicy,
    changes: Vec<Change>,
    /// Bytes that are loaded as they are, but for the checksum; none if the patterns are saved.
    raw: Option<Vec<u8>>,
    events: Vec<String>,
}

/// A change of the bytes: where, of which kind, and a number for it.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: usize,
    kind: u8,
    value: u32,
}

/// After the magic bytes and the version.
const SETTINGS: usize = 12;

impl Case for Saved {
    fn decode(input: &[u8]) -> Option<Saved> {
        let mut choices = Choices::new(input);
        let mode = choices.byte();
        let policy = if mode & 2 == 0 { ReadPolicy::Whole } else { ReadPolicy::Early };
        if mode & 1 == 0 {
            let events = EVENTS.map(str::to_owned).to_vec();
            let raw = Some(choices.rest().to_vec());
            return Some(Saved { patterns: Vec::new(), policy, changes: Vec::new(), raw, events });
        }
        let change = |choices: &mut Choices<'_>| {
            let (at, kind) = (choices.wide(), choices.byte());
            // Nearly all numbers in the tables are small.
            let value = match kind >> 6 {
                0 => u32::from(choices.byte()),
                1 => u32::from(choices.byte()).wrapping_neg(),
                _ => u32::from_le_bytes([choices.byte(), choices.byte(), choices.byte(), choices.byte()]),
            };
            Change { at, kind, value }
        };
        let changes = (0..mode >> 2 & 7).map(|_| change(&mut choices)).collect();
        let mut maker = Maker::new(choices);
        let patterns = maker.patterns();
        let mut events: Vec<String> = EVENTS.map(str::to_owned).to_vec();
        events.push(maker.event());
        Some(Saved { patterns, policy, changes, raw: None, events })
    }

    fn check(&self) {
        if let Some(raw) = &self.raw {
            let mut bytes = raw.clone();
            testing::seal(&mut bytes);
            return self.load(&bytes);
        }
        let matcher = self.compile();
        let bytes = matcher.to_bytes();
        let loaded = Matcher::from_bytes_with(&bytes, &limits()).unwrap();
        assert_eq!(loaded.to_bytes(), bytes, "what is loaded is saved as something else");
        assert_eq!(loaded.read_policy(), self.policy);
        for event in &self.events {
            let [own, others] = [&matcher, &loaded].map(|by| ids(by.matches(event, &mut Scratch::default())));
            assert_eq!(others, own, "the loaded matcher answers something else for {event}");
        }
        // The same with keys and strings: every second pattern shares the key of the one before it.
        let keyed = self.sources().enumerate().map(|(at, pattern)| (format!("k{}", at / 2), pattern));
        let builder = Matcher::builder().read_policy(self.policy).limits(limits()).keep_patterns(true);
        let keyed = builder.build_keyed(keyed).unwrap();
        let keyed_bytes = keyed.to_bytes();
        let loaded = Matcher::<String>::keyed_from_bytes(&keyed_bytes, &limits()).unwrap();
        assert_eq!(loaded.to_bytes(), keyed_bytes, "what is loaded with keys is saved as something else");
        assert!(loaded.entries().eq(keyed.entries()), "keys and patterns are kept");
        if !self.changes.is_empty() {
            self.load(&self.changed(bytes));
            self.load(&self.changed(keyed_bytes));
        }
    }
}

impl Saved {
    fn compile(&self) -> Matcher {
        Matcher::builder().read_policy(self.policy).limits(limits()).build(self.sources()).unwrap()
    }

    /// The patterns that can be compiled.
    fn sources(&self) -> impl Iterator<Item = Pattern> {
        let patterns = self.patterns.iter().filter_map(|text| Pattern::parse(text, Dialect::EventBridge).ok());
        patterns.filter(is_built)
    }

    /// The bytes with the changes and the right checksum.
    fn changed(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        for Change { at, kind, value } in &self.changes {
            let length = bytes.len();
            if length <= SETTINGS {
                break;
            }
            let at = SETTINGS + at % (length - SETTINGS);
            let word = at & !3;
            let low = value.to_le_bytes()[0];
            match kind % 8 {
                0 => bytes[at] = low,
                1 => bytes[at] ^= 1 << (value % 8),
                2 if word + 4 <= length => bytes[word..word + 4].copy_from_slice(&value.to_le_bytes()),
                3 if word + 4 <= length => {
                    let old = u32::from_le_bytes(bytes[word..word + 4].try_into().unwrap());
                    bytes[word..word + 4].copy_from_slice(&old.wrapping_add(*value).to_le_bytes());
                }
                4 => drop(bytes.drain(at..(at + (*value as usize % 64)).min(length))),
                5 => bytes.truncate(at),
                6 => {
                    let copied = bytes[at..(at + (*value as usize % 64)).min(length)].to_vec();
                    bytes.splice(at..at, copied);
                }
                _ if word + 8 <= length => bytes[word..word + 8].rotate_left(4),
                _ => bytes.push(low),
            }
        }
        testing::seal(&mut bytes);
        bytes
    }

    /// Loads unknown bytes, and matches with what is loaded.
    fn load(&self, bytes: &[u8]) {
        let limits = limits().table_bytes(8 << 20);
        // The same bytes as those of a matcher with keys.
        if let Ok(matcher) = Matcher::<String>::keyed_from_bytes(bytes, &limits) {
            assert!(matcher.memory_usage() <= limits.get(Limit::TableBytes));
            assert!(matcher.keys().is_sorted_by(|left, right| left < right));
            for event in &self.events {
                if let Ok(found) = matcher.matches(event, &mut Scratch::default()) {
                    assert!(found.is_sorted_by(|left, right| left < right), "keys ascend, each once");
                }
            }
            assert_eq!(matcher.entries().count() % matcher.len().max(1), 0, "all patterns are kept, or none");
        }
        let matcher = match Matcher::from_bytes_with(bytes, &limits) {
            Ok(matcher) => matcher,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return;
            }
        };
        assert!(matcher.memory_usage() <= limits.get(Limit::TableBytes));
        // A table of one element is written with its length before it.
        let bound = 64 * bytes.len() + (64 << 10);
        assert!(matcher.memory_usage() <= bound, "{} bytes are loaded as {}", bytes.len(), matcher.memory_usage());
        let mut scratch = Scratch::default();
        for event in &self.events {
            let _ = matcher.is_match(event, &mut scratch);
            if let Ok(found) = matcher.matches(event, &mut scratch) {
                assert!(found.iter().all(|id| id.index() < matcher.len()), "an id is not one of {}", matcher.len());
            }
        }
        let again = Matcher::from_bytes_with(&matcher.to_bytes(), &limits);
        assert!(again.is_ok(), "what was loaded cannot be saved and loaded: {:?}", again.err());
    }
}

const EVENTS: [&str; 5] = [
    "{}",
    r#"{"a":"ab","b":{"c":["x",1,null]},"c":10.0,"d":[{"a":"10.0.0.1"},{"b":true}]}"#,
    r#"{"a":["a","b","ab","","K","10.0.0.9",1,-3,1e400,true,null],"b":["aba","é","v1","v2"]}"#,
    r#"{"a":{"b":{"c":"a"}},"b":[{"c":"a"},{"c":"b"},[{"c":"0123456789abcdef"}]]}"#,
    r#"{"a":"aXbXa.b/ab","a.b":"a","c":[[["b"]]],"a":2}"#,
];

impl Display for Saved {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (policy, events) = (self.policy, paste::rust_list(&self.events));
        let bytes = match &self.raw {
            Some(raw) => {
                let mut bytes = raw.clone();
                testing::seal(&mut bytes);
                bytes
            }
            None => {
                writeln!(f, "// ReadPolicy::{policy:?}, saved, and then {:?}", self.changes)?;
                writeln!(f, "let patterns = {};", paste::rust_list(&self.patterns))?;
                self.changed(self.compile().to_bytes())
            }
        };
        write!(
            f,
            "let events = {events};\nlet bytes = b\"{}\";\nlet matcher = Matcher::from_bytes(bytes).unwrap();\n\
             for event in events {{\n    println!(\"{{:?}}\", matcher.matches(event, &mut Scratch::default()));\n}}",
            bytes.escape_ascii()
        )
    }
}
