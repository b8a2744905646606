//! The ways of reading against each other and against another parser.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

use std::fmt::Write as _;

use proptest::prelude::*;
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::block::{Level, Tokens};
use super::*;
use crate::limit::{Limit, Limits};

/// Writes down what it hears; wants what the seed decides, or everything.
#[derive(Default)]
struct Recorder {
    log: String,
    seed: Option<u64>,
    /// Where the seed may answer `Stop`, nothing later counts.
    stopped: bool,
}

impl Recorder {
    fn answer(&mut self, name: &[u8], key: bool) -> Want {
        let Some(seed) = self.seed else { return Want::Read };
        let mut hash = seed ^ self.log.len() as u64;
        for byte in name {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        match (hash >> 20) % 16 {
            0..=4 => Want::Skip,
            5 if key => Want::Leave,
            6 if seed % 4 == 0 => {
                self.stopped = true;
                Want::Stop
            }
            _ => Want::Read,
        }
    }
}

impl Sink for Recorder {
    fn key(&mut self, name: Text<'_>) -> Want {
        assert!(!self.stopped);
        let want = self.answer(name.as_bytes(), true);
        write!(self.log, "{:?}:{want:?} ", std::str::from_utf8(name.as_bytes()).unwrap()).unwrap();
        want
    }

    fn scalar(&mut self, value: Scalar<'_>) {
        assert!(!self.stopped);
        match value {
            Scalar::String(text) => write!(self.log, "{:?} ", std::str::from_utf8(text.as_bytes()).unwrap()).unwrap(),
            Scalar::Number(text) => {
                let number: f64 = std::str::from_utf8(text.as_bytes()).unwrap().parse().unwrap();
                write!(self.log, "{number:?} ").unwrap();
            }
            Scalar::Bool(value) => write!(self.log, "{value} ").unwrap(),
            Scalar::Null => self.log.push_str("null "),
        }
    }

    fn begin_object(&mut self) -> Want {
        assert!(!self.stopped);
        let want = self.answer(b"{", false);
        write!(self.log, "{{{want:?} ").unwrap();
        want
    }

    fn end_object(&mut self) {
        assert!(!self.stopped);
        self.log.push_str("} ");
    }

    fn begin_array(&mut self) -> Want {
        assert!(!self.stopped);
        let want = self.answer(b"[", false);
        write!(self.log, "[{want:?} ").unwrap();
        want
    }

    fn end_array(&mut self) {
        assert!(!self.stopped);
        self.log.push_str("] ");
    }
}

/// The log of everything, as `serde_json` hears it.
struct Listener<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for Listener<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Listener<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.push_str("{Read ");
        while let Some(key) = map.next_key::<String>()? {
            write!(self.0, "{key:?}:Read ").unwrap();
            map.next_value_seed(Listener(self.0))?;
        }
        self.0.push_str("} ");
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.push_str("[Read ");
        while seq.next_element_seed(Listener(self.0))?.is_some() {}
        self.0.push_str("] ");
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        write!(self.0, "{text:?} ").unwrap();
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        write!(self.0, "{value} ").unwrap();
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.push_str("null ");
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        write!(self.0, "{:?} ", value as f64).unwrap();
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        write!(self.0, "{:?} ", value as f64).unwrap();
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        write!(self.0, "{value:?} ").unwrap();
        Ok(())
    }
}

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 2 => Just(" "), 1 => Just("\n\t \r"), 1 => Just("                        ")]
}

fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-z]{1,12}",
        2 => "[ -!#-\\[\\]-~]{0,70}",
        2 => prop::sample::select(vec!["é", "€", "😀", "{", "}", "[", "]", ",", ":", "'", "\u{7f}", "true"])
            .prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            r"\n", r"\\", r"\\\\", "\\\"", r"\/", r"\u0041", r"\u00e9", r"\ud83d\ude00", r"\t", r"\b", r"\f", r"\r",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn scalar() -> impl Strategy<Value = String> {
    let exact = prop::sample::select(vec![
        "0",
        "-0",
        "0.0",
        "1",
        "-1",
        "12345678901234567890",
        "1.5",
        "-0.125",
        "1e3",
        "1E-3",
        "1.25e+2",
        "0e0",
        "3.14159265358979",
        "123456789",
        "-122.42200352825247",
        "true",
        "false",
        "null",
    ])
    .prop_map(str::to_owned);
    prop_oneof![3 => exact, 3 => string(), 1 => (-1000_i32..1000).prop_map(|number| number.to_string())]
}

fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec((space(), inner.clone(), space()), 0..6).prop_map(|elements| {
                let elements: Vec<_> = elements.iter().map(|(a, value, b)| format!("{a}{value}{b}")).collect();
                format!("[{}]", elements.join(","))
            }),
            object(inner),
        ]
    })
}

fn object(inner: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop::collection::vec((space(), string(), space(), inner, space()), 0..6).prop_map(|members| {
        let members: Vec<_> =
            members.iter().map(|(a, key, b, value, c)| format!("{a}{key}{b}:{a}{value}{c}")).collect();
        format!("{{{}}}", members.join(","))
    })
}

/// A well-formed event.
fn event() -> impl Strategy<Value = String> {
    (space(), object(value()), space()).prop_map(|(a, object, b)| format!("{a}{object}{b}"))
}

/// An event with some bytes changed, removed or added.
fn mutant() -> impl Strategy<Value = Vec<u8>> {
    const BYTES: &[u8] = b"\"\"\\\\{}[]:,,0123456789-+.eEtrufalsn \n\t\x00\x1f\x7f\x80\xc3\xa9\xe2\xff/bNI";
    let edit = (any::<prop::sample::Index>(), prop::sample::select(BYTES.to_vec()), 0..5_u8);
    (event(), prop::collection::vec(edit, 0..4)).prop_map(|(text, edits)| {
        let mut bytes = text.into_bytes();
        for (index, byte, action) in edits {
            let at = index.index(bytes.len() + 1);
            match action {
                0 | 1 if at < bytes.len() => bytes[at] = byte,
                2 if at < bytes.len() => drop(bytes.remove(at)),
                3 => bytes.truncate(at),
                _ => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let token = prop::sample::select(vec![
        "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "\"a\":", "1", "-", "0", ".", "e", "true", "null", " ", "\\",
        "\\u00", "\n", "{\"a\":", "[1,", "[[", "]]", "é",
    ]);
    prop::collection::vec(token, 0..40).prop_map(|tokens| format!("{{{}", tokens.concat()).into_bytes())
}

type Heard = (Result<(), EventError>, String);

fn read_on(level: Level, short: usize, policy: ReadPolicy, text: &[u8], seed: Option<u64>) -> Heard {
    let mut reader = Reader::new(policy, &Limits::default());
    reader.set_level(level, short);
    let mut recorder = Recorder { seed, ..Recorder::default() };
    let result = reader.read::<_, false>(text, &mut recorder);
    if let Ok(text) = std::str::from_utf8(text) {
        let mut again = Recorder { seed, ..Recorder::default() };
        assert_eq!(reader.read::<_, true>(text.as_bytes(), &mut again), result);
        assert!(result.is_err() || again.log == recorder.log);
    }
    (result, recorder.log)
}

/// Reads on every level, in blocks and in one pass: all find the same fault, and if there is none report the same.
fn read(policy: ReadPolicy, text: &[u8], seed: Option<u64>) -> Heard {
    let first = read_on(Level::Portable, 0, policy, text, seed);
    let shorts: &[usize] = if policy == ReadPolicy::Whole { &[0, usize::MAX] } else { &[0] };
    for (level, short) in Level::available().skip(1).flat_map(|level| shorts.iter().map(move |short| (level, *short))) {
        let (result, log) = read_on(level, short, policy, text, seed);
        assert_eq!(result, first.0, "{level:?}");
        assert!(result.is_err() || log == first.1, "{level:?}: {log} is not {}", first.1);
    }
    first
}

/// The levels answer each by themselves, not by falling back to the portable walk.
fn accepts(level: Level, text: &[u8]) -> bool {
    Tokens::default().read::<false>(level, text, &Limits::default())
}

fn check_faults(text: &[u8]) {
    let (result, _) = read(ReadPolicy::Whole, text, None);
    let accepted = serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
        && std::str::from_utf8(text).is_ok()
        && text.trim_ascii_start().starts_with(b"{");
    assert_eq!(result.is_ok(), accepted, "{result:?}");
    // (Beyond some depth they leave it to the walk in one pass.)
    if text.iter().filter(|byte| matches!(byte, b'{' | b'[')).count() <= 64 {
        for level in Level::available().skip(1) {
            assert_eq!(accepts(level, text), accepted, "{level:?}");
        }
    }
    let tree = Tree::parse_event(text, &Limits::default());
    assert_eq!(result.clone().err(), tree.err());
    if let Err(error) = result {
        assert!(error.offset().unwrap() <= text.len());
        assert_eq!(error.kind() == EventErrorKind::Truncated, error.offset() == Some(text.len()), "{error}");
    }
    // What is refused does not depend on what was requested.
    for seed in 0..4 {
        assert_eq!(read(ReadPolicy::Whole, text, Some(seed)).0.is_ok(), accepted);
    }
    for seed in 0..6 {
        let _ = read(ReadPolicy::Early, text, Some(seed));
    }
    // Reading everything early is reading everything.
    assert_eq!(read(ReadPolicy::Early, text, None).0.is_ok(), accepted);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_is_heard_as_another_parser_hears_it(text in event()) {
        let (result, log) = read(ReadPolicy::Whole, text.as_bytes(), None);
        prop_assert_eq!(result, Ok(()));
        let mut heard = String::new();
        let mut deserializer = serde_json::Deserializer::from_str(&text);
        Listener(&mut heard).deserialize(&mut deserializer).unwrap();
        prop_assert_eq!(&log, &heard);
        let (result, log) = read(ReadPolicy::Early, text.as_bytes(), None);
        prop_assert_eq!(result, Ok(()));
        prop_assert_eq!(&log, &heard);
    }

    #[test]
    fn both_policies_tell_the_same(text in event(), seed in any::<u64>()) {
        let whole = read(ReadPolicy::Whole, text.as_bytes(), Some(seed));
        let early = read(ReadPolicy::Early, text.as_bytes(), Some(seed));
        prop_assert_eq!(whole.0, Ok(()));
        prop_assert_eq!(early.0, Ok(()));
        prop_assert_eq!(whole.1, early.1);
    }

    #[test]
    fn faults_are_found_as_another_parser_finds_them(text in mutant()) {
        check_faults(&text);
    }

    #[test]
    fn faults_are_found_in_token_soup(text in soup()) {
        check_faults(&text);
    }

    #[test]
    fn faults_are_found_at_any_place_of_a_block(text in mutant(), shift in 0..130_usize, pad in 0..70_usize) {
        let mut shifted = vec![b' '; shift];
        shifted.extend_from_slice(&text);
        shifted.resize(shifted.len() + pad, b'\n');
        check_faults(&shifted);
    }

    #[test]
    fn strings_and_numbers_cross_blocks(
        shift in 0..70_usize,
        pieces in prop::collection::vec(prop::sample::select(vec![
            r"\\", r"\", "\\\"", r"\u12aF", r"\u12", r"\n", r"\x", "a", "é", "€", "😀", "\\", "\"", "\",\"", "\t",
            "#", "\"#", "]", "!",
        ]), 0..40),
        number in "-?[0-9]{0,70}(\\.[0-9]{0,70})?([eE][+-]?[0-9]{0,70})?",
    ) {
        check_faults(format!("{}{{\"{}\":{number},\"\":[{number}]}}", " ".repeat(shift), pieces.concat()).as_bytes());
    }

    #[test]
    fn characters_cross_blocks(
        shift in 0..70_usize,
        pieces in prop::collection::vec(prop::sample::select(vec![
            &b"\xc3\xa9"[..], b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"a", b"a", b"a", b"\xe0\xa0\x80", b"\xe0\x9f\xbf",
            b"\xed\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x90\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80",
            b"\xc2\x80", b"\xc1\xbf", b"\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xf5\x80\x80\x80", b"\xdf\xbf", b"\xef\xbf\xbf",
        ]), 0..12),
    ) {
        check_faults(&[&b"{\""[..], &b"x".repeat(shift), &pieces.concat(), b"\":1}"].concat());
    }

    #[test]
    fn no_bytes_are_too_strange(text in prop::collection::vec(any::<u8>(), 0..200), seed in any::<u64>()) {
        check_faults(&text);
        let _ = read(ReadPolicy::Early, &text, Some(seed));
    }
}

#[test]
fn limits_hold_while_reading() {
    let limits = Limits::default().depth(2).number_bytes(3).key_bytes(2).event_bytes(40);
    for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
        let mut reader = Reader::new(policy, &limits);
        let mut fault = |text: &str| {
            let error = reader.read::<_, true>(text.as_bytes(), &mut Recorder::default()).err()?;
            Some((error.limit().unwrap(), error.offset().unwrap()))
        };
        assert_eq!(fault(r#"{"ab":[123]}"#), None);
        assert_eq!(fault(r#"{"ab":[[]]}"#), Some((Limit::Depth, 7)));
        assert_eq!(fault(r#"{"ab":[{}]}"#), Some((Limit::Depth, 7)));
        assert_eq!(fault(r#"{"ab":-123}"#), Some((Limit::NumberBytes, 6)));
        assert_eq!(fault(r#"{ "abc":1}"#), Some((Limit::KeyBytes, 2)));
        assert_eq!(fault(r#"{"\u0061b":1}"#), None);
        assert_eq!(fault(&" ".repeat(41)), Some((Limit::EventBytes, 40)));
    }
    // A megabyte takes the interpreter hours.
    let deep = "{\"a\":".repeat(if cfg!(miri) { 1_100 } else { 200_000 });
    let error = read(ReadPolicy::Whole, deep.as_bytes(), None).0.unwrap_err();
    assert_eq!((error.limit(), error.offset()), (Some(Limit::Depth), Some(5_000)));
}

#[test]
fn an_early_reader_does_not_look_into_what_is_skipped() {
    struct Skips;
    impl Sink for Skips {
        fn key(&mut self, name: Text<'_>) -> Want {
            if name.as_bytes() == b"a" { Want::Read } else { Want::Skip }
        }
        fn scalar(&mut self, _value: Scalar<'_>) {}
        fn begin_object(&mut self) -> Want {
            Want::Read
        }
        fn end_object(&mut self) {}
        fn begin_array(&mut self) -> Want {
            Want::Read
        }
        fn end_array(&mut self) {}
    }
    let broken = br#"{"x":{"y":[tru,"]\"",01,],"z":-},"a":1}"#;
    assert!(Reader::new(ReadPolicy::Whole, &Limits::default()).read::<_, true>(broken, &mut Skips).is_err());
    let mut early = Reader::new(ReadPolicy::Early, &Limits::default());
    assert_eq!(early.read::<_, true>(broken, &mut Skips), Ok(()));
    for cut in [5, 8, 12, 20, 30] {
        let error = early.read::<_, true>(&broken[..cut], &mut Skips).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (EventErrorKind::Truncated, Some(cut)), "{cut}");
    }
}

#[test]
fn events_may_be_cut_anywhere() {
    let text = format!("{{\"a\":[\"{}\",\"b\",{{\"\":\"\\\"\"}},12.5,true]}}", "x".repeat(90));
    // A few places are enough in the interpreter, which takes seconds for each.
    for end in (0..text.len()).step_by(if cfg!(miri) { 13 } else { 1 }) {
        check_faults(&text.as_bytes()[..end]);
        check_faults(format!("{}\"", &text[..end]).as_bytes());
    }
}

#[test]
fn deep_events_are_read_alike() {
    // Around the 64 bits of a block; the interpreter takes a minute for each.
    let depths: Vec<usize> = if cfg!(miri) { vec![65] } else { (60..70).chain([100, 118]).collect() };
    for depth in depths {
        for (begin, end) in [("[", "]"), ("{\"a\":", "}"), ("[{\"b\":[true,", "]}]")] {
            let times = depth / begin.matches(['[', '{']).count();
            let (begins, ends) = (begin.repeat(times), end.repeat(times));
            check_faults(format!("{{\"a\":{begins}0{ends},\"b\":[{{}},[]]}}").as_bytes());
            check_faults(format!("{{\"a\":{begins}0{ends}}},\"b\":1}}").as_bytes());
            for wrong in ["]", "}", "[", ","] {
                let mut text = format!("{{\"a\":{begins}0{ends}}}");
                text.replace_range(text.len() - 3..text.len() - 2, wrong);
                check_faults(text.as_bytes());
            }
        }
    }
    let limits = Limits::default().depth(5);
    for level in Level::available() {
        for policy in [ReadPolicy::Whole, ReadPolicy::Early] {
            let mut reader = Reader::new(policy, &limits);
            reader.set_level(level, 0);
            let mut read = |text: &str| reader.read::<_, true>(text.as_bytes(), &mut Recorder::default());
            let flat = "[],{},[[]],".repeat(40);
            assert_eq!(read(&format!("{{\"a\":[[{flat}[[]]]]}}")), Ok(()));
            let error = read(&format!("{{\"a\":[[{flat}[[[]]]]]}}")).unwrap_err();
            assert_eq!(
                (error.limit(), error.offset()),
                (Some(Limit::Depth), Some(9 + flat.len())),
                "{level:?} {policy:?}"
            );
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "megabytes take hours in the interpreter")]
fn long_events_are_read_alike() {
    let mut text = String::from("{");
    for number in 0..9_000_u32 {
        let padding = "x".repeat((number % 61) as usize);
        write!(text, "\"key{number}\":[{number},{{\"é{padding}\":\"\\n{padding}\"}}, true],").unwrap();
    }
    text.push_str("\"last\":null}");
    assert!(text.len() > 5 * (1 << 16));
    for level in Level::available().skip(1) {
        assert!(accepts(level, text.as_bytes()));
    }
    for seed in [None, Some(1), Some(2), Some(3)] {
        assert_eq!(read(ReadPolicy::Whole, text.as_bytes(), seed).0, Ok(()));
        assert_eq!(read(ReadPolicy::Early, text.as_bytes(), seed).0, Ok(()));
    }
    // A key or number far beyond the limits, after as much text.
    for fault in [format!("\"{}\":1}}", "k".repeat(60_000)), format!("\"n\":{}}}", "1".repeat(2_000))] {
        let text = text.replace("\"last\":null}", &fault);
        let error = read(ReadPolicy::Whole, text.as_bytes(), None).0.unwrap_err();
        assert_eq!(error.kind(), EventErrorKind::Limit);
    }
    // Long values are no faults, and are not left to the portable walk.
    let text = text.replace("null}", &format!("\"{}\"}}", "v".repeat(60_000)));
    assert!(Level::available().skip(1).all(|level| accepts(level, text.as_bytes())));
    // Beyond what the token stream is kept for, the portable walk reads.
    let text = format!("{{\"a\":[{}0]}}", "1,".repeat(3 << 20));
    assert!(Level::available().all(|level| !accepts(level, text.as_bytes())));
    assert_eq!(read_on(Level::default(), 0, ReadPolicy::Whole, text.as_bytes(), Some(1)).0, Ok(()));
}
