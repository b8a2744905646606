//! Reading events: against another parser, with every instruction set, with both policies, and from parsed values.

use std::fmt::{Display, Formatter};

use eventrie::event::{EventErrorKind, ReadPolicy, Reader, Scalar, Sink, Text, Want};
use eventrie::{Dialect, Event as Readable, EventError, Limits, Pattern, testing};

use crate::choices::Choices;
use crate::make::Maker;
use crate::{Case, json, kept, paste};

/// A string, and what of it is requested.
pub(crate) struct Event {
    text: Vec<u8>,
    /// Decides which keys and containers are skipped.
    seed: u8,
}

impl Case for Event {
    fn decode(input: &[u8]) -> Option<Event> {
        let mut choices = Choices::new(input);
        let (mode, seed) = (choices.byte(), choices.byte());
        if mode & 1 == 0 {
            return Some(Event { text: choices.rest().to_vec(), seed });
        }
        let edits: Vec<(usize, u8, u8)> =
            (0..mode >> 1 & 3).map(|_| (choices.wide(), choices.byte(), choices.byte())).collect();
        let pad = if mode & 8 == 0 { 0 } else { choices.below(140) };
        let repeat = if mode & 0xfc == 0xfc { choices.wide() % 2_000 } else { 0 };
        let mut maker = Maker::new(choices);
        let mut text = " ".repeat(pad) + &maker.event();
        if repeat > 0 {
            // Beyond what 16-bit places can count.
            text = format!("{{\"a\":[{}]}}", vec![text.as_str(); (80_000 / text.len()).min(repeat)].join(","));
        }
        let mut text = text.into_bytes();
        for (at, byte, action) in edits {
            let at = at % (text.len() + 1);
            match action % 4 {
                0 if at < text.len() => text[at] = byte,
                1 if at < text.len() => drop(text.remove(at)),
                2 => text.truncate(at),
                _ => text.insert(at, byte),
            }
        }
        Some(Event { text, seed })
    }

    fn check(&self) {
        let text = self.text.as_slice();
        let whole = same_on_all_levels(ReadPolicy::Whole, text, None);
        let early = same_on_all_levels(ReadPolicy::Early, text, None);
        let some = same_on_all_levels(ReadPolicy::Whole, text, Some(self.seed));
        let some_early = same_on_all_levels(ReadPolicy::Early, text, Some(self.seed));
        let explained = pattern().explain(text).map(|explanation| explanation.to_string());
        assert_eq!(explained.err(), whole.0.clone().err(), "the tree and the reader disagree");
        assert_eq!(some.0, whole.0, "what is refused depends on what is asked for");
        match &whole.0 {
            Err(error) => check_error(error, text, &early.0),
            Ok(()) => {
                assert!(json::is_object(text), "accepted, but not a JSON object for serde_json");
                assert_eq!(early.0, Ok(()), "reading all of it early fails");
                assert_eq!(early.1, whole.1, "reading all of it early tells something else");
                assert_eq!(some_early.0, Ok(()), "reading some of it early fails");
                assert_eq!(some_early.1, some.1, "reading some of it early tells something else");
                let text = std::str::from_utf8(text).unwrap();
                if let Some(json) = json::parse(text) {
                    for (seed, told) in [(None, &whole.1), (Some(self.seed), &some.1)] {
                        let mut recorder = Recorder { seed, ..Recorder::default() };
                        json.tell(&mut recorder);
                        assert_eq!(*told, recorder.log, "told something else than serde_json (asking by {seed:?})");
                    }
                    parsed(text);
                }
            }
        }
    }
}

fn check_error(error: &EventError, text: &[u8], early: &Result<(), EventError>) {
    let offset = error.offset().expect("an error in a text has an offset");
    assert!(offset <= text.len(), "the offset {offset} is outside");
    if error.kind() == EventErrorKind::Limit {
        return;
    }
    assert!(!json::is_object(text), "refused, but a JSON object for serde_json: {error}");
    assert!(early.is_err(), "refused, but accepted when all of it is read early: {error}");
    let truncated = error.kind() == EventErrorKind::Truncated;
    assert_eq!(truncated, offset == text.len(), "{error}");
}

/// What another parser made of the text is reported like the text, as far as it can be.
fn parsed(text: &str) {
    let kept = kept::kept(text);
    if !kept.keys || !kept.numbers {
        return;
    }
    let expected = leaves(text);
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        assert_eq!(leaves(&value), expected, "a value of serde_json");
    }
    if let Ok(value) = simd_json::to_borrowed_value(&mut text.as_bytes().to_vec()) {
        assert_eq!(leaves(&value), expected, "a value of simd-json");
    }
    if let Ok(tape) = simd_json::to_tape(&mut text.as_bytes().to_vec()) {
        assert_eq!(leaves(&tape), expected, "a tape of simd-json");
    }
}

fn leaves<E: Readable>(event: E) -> Vec<String> {
    let mut leaves = Leaves::default();
    event.read(&mut leaves, &mut Reader::new(ReadPolicy::Whole, &Limits::default())).unwrap();
    leaves.found.sort();
    leaves.found
}

fn pattern() -> Pattern {
    thread_local! {
        static PATTERN: Pattern = Pattern::parse(r#"{"a":[{"prefix":"ab"}],"b":[1]}"#, Dialect::EventBridge).unwrap();
    }
    PATTERN.with(Pattern::clone)
}

type Heard = (Result<(), EventError>, String);

fn same_on_all_levels(policy: ReadPolicy, text: &[u8], seed: Option<u8>) -> Heard {
    let first = read(0, policy, text, seed);
    for level in 1..testing::levels() {
        let other = read(level, policy, text, seed);
        assert_eq!(other.0, first.0, "level {level} of {policy:?} asking by {seed:?}: another result");
        assert!(other.0.is_err() || other.1 == first.1, "level {level} of {policy:?}: {} is not {}", other.1, first.1);
    }
    first
}

fn read(level: usize, policy: ReadPolicy, text: &[u8], seed: Option<u8>) -> Heard {
    let mut reader = Reader::new(policy, &Limits::default());
    testing::set_level(&mut reader, level);
    let mut recorder = Recorder { seed, ..Recorder::default() };
    let result = text.read(&mut recorder, &mut reader);
    if let Ok(text) = std::str::from_utf8(text) {
        let mut again = Recorder { seed, ..Recorder::default() };
        assert_eq!(text.read(&mut again, &mut reader), result, "level {level} of {policy:?}: text, not bytes");
        assert!(result.is_err() || again.log == recorder.log, "level {level} of {policy:?}: text, not bytes");
    }
    (result, recorder.log)
}

/// Writes down the calls that it receives, and wants only a part if there is a seed.
#[derive(Default)]
struct Recorder {
    seed: Option<u8>,
    told: u64,
    log: String,
}

impl Recorder {
    fn decide(&mut self, key: bool) -> Want {
        let Some(seed) = self.seed else { return Want::Read };
        self.told += 1;
        let mixed = (self.told ^ u64::from(seed) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        match mixed {
            0..=39 => Want::Skip,
            40..=49 if key => Want::Leave,
            50..=54 if key => Want::Stop,
            _ => Want::Read,
        }
    }

    fn note(&mut self, what: &str, text: &[u8]) {
        self.log.push_str(what);
        self.log.push_str(&String::from_utf8_lossy(text));
        self.log.push('\n');
    }
}

impl Sink for Recorder {
    fn key(&mut self, name: Text<'_>) -> Want {
        self.note("key ", name.as_bytes());
        self.decide(true)
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        match value {
            Scalar::String(text) => self.note("string ", text.as_bytes()),
            Scalar::Number(text) => self.note("number ", text.as_bytes()),
            Scalar::Bool(truth) => self.note("bool ", truth.to_string().as_bytes()),
            Scalar::Null => self.note("null", b""),
        }
    }

    fn begin_object(&mut self) -> Want {
        self.note("{", b"");
        // The event itself is always wanted.
        if self.log.len() == 2 { Want::Read } else { self.decide(false) }
    }

    fn end_object(&mut self) {
        self.note("}", b"");
    }

    fn begin_array(&mut self) -> Want {
        self.note("[", b"");
        self.decide(false)
    }

    fn end_array(&mut self) {
        self.note("]", b"");
    }
}

/// All scalars with their paths; numbers by their value.
#[derive(Default)]
struct Leaves {
    path: Vec<String>,
    /// Of each open container the number of elements so far, if it is an array.
    open: Vec<Option<usize>>,
    found: Vec<String>,
}

impl Leaves {
    fn begin(&mut self, array: bool) -> Want {
        self.element();
        self.open.push(array.then_some(0));
        Want::Read
    }

    fn end(&mut self) {
        self.open.pop();
        self.path.pop();
    }

    /// Names the value at hand, if it is an element.
    fn element(&mut self) {
        match self.open.last_mut() {
            Some(Some(count)) => {
                self.path.push(format!("[{count}]"));
                *count += 1;
            }
            Some(None) => {}
            None => self.path.push(String::new()),
        }
    }
}

impl Sink for Leaves {
    fn key(&mut self, name: Text<'_>) -> Want {
        self.path.push(format!("{:?}", String::from_utf8_lossy(name.as_bytes())));
        Want::Read
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        self.element();
        let shown = match value {
            Scalar::Number(text) => {
                let number: f64 = std::str::from_utf8(text.as_bytes()).unwrap().parse().unwrap();
                format!("{:?}", number + 0.0)
            }
            other => format!("{other:?}"),
        };
        self.found.push(format!("{} {shown}", self.path.join("/")));
        self.path.pop();
    }

    fn begin_object(&mut self) -> Want {
        self.begin(false)
    }

    fn end_object(&mut self) {
        self.end();
    }

    fn begin_array(&mut self) -> Want {
        self.begin(true)
    }

    fn end_array(&mut self) {
        self.end();
    }
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (shell, rust) = (paste::shell(&self.text), paste::rust(&self.text));
        writeln!(
            f,
            "printf '%s' {shell} | cargo run -q -p eventrie-cli -- match -e '{{\"a\":[{{\"exists\":true}}]}}' -"
        )?;
        writeln!(f, "let event = {rust};")?;
        write!(f, "// told with the decisions of seed {}, on {} levels", self.seed, testing::levels())
    }
}
