//! Pattern sets and events: the matcher, in every mode, against the explainer.

use std::fmt::{Display, Formatter};

use eventrie::event::{EventErrorKind, ReadPolicy, Reader, Sink};
use eventrie::relate::{Covers, Overlaps};
use eventrie::{Dialect, Event, EventError, Limit, Limits, LiveMatcher, Matcher, Matches, Pattern, Scratch, testing};

use crate::choices::Choices;
use crate::make::Maker;
use crate::{Case, kept, paste};

/// Patterns, and events to match them against.
pub(crate) struct Matching {
    pub(crate) dialect: Dialect,
    pub(crate) patterns: Vec<String>,
    pub(crate) events: Vec<Vec<u8>>,
}

impl Case for Matching {
    fn decode(input: &[u8]) -> Option<Matching> {
        let mut choices = Choices::new(input);
        let mode = choices.byte();
        let dialect = match mode >> 4 {
            1 => Dialect::Pipes,
            2 => Dialect::Lambda,
            3 => Dialect::SnsBody,
            4 => Dialect::SnsAttributes,
            _ => Dialect::EventBridge,
        };
        if mode & 1 == 0 { Matching::of_texts(dialect, choices.rest()) } else { Some(Matching::made(dialect, choices)) }
    }

    fn check(&self) {
        let patterns: Vec<Pattern> =
            self.patterns.iter().filter_map(|text| Pattern::parse(text, self.dialect).ok()).filter(is_built).collect();
        let asked = Asked::new(&patterns);
        let mut used = Scratch::default();
        for event in &self.events {
            asked.check(event, &mut used);
        }
        check_relations(&patterns, &self.events);
    }
}

impl Matching {
    /// `pattern NUL pattern NUL NUL event NUL event`
    fn of_texts(dialect: Dialect, input: &[u8]) -> Option<Matching> {
        let mut parts = input.split(|byte| *byte == 0).map(<[u8]>::to_vec);
        let patterns: Vec<Vec<u8>> = parts.by_ref().take_while(|part| !part.is_empty()).take(50).collect();
        let patterns = patterns.into_iter().map(String::from_utf8).collect::<Result<Vec<_>, _>>().ok()?;
        let events: Vec<Vec<u8>> = parts.take(20).collect();
        (!patterns.is_empty() && !events.is_empty()).then_some(Matching { dialect, patterns, events })
    }

    fn made(dialect: Dialect, choices: Choices<'_>) -> Matching {
        let mut maker = Maker::new(choices);
        if dialect == Dialect::SnsAttributes {
            maker.flat();
        }
        let patterns = maker.patterns();
        let mut events = vec![maker.event().into_bytes()];
        let samples: Vec<String> = patterns
            .iter()
            .take(3)
            .filter_map(|text| Pattern::parse(text, dialect).ok())
            .filter_map(|pattern| pattern.sample())
            .collect();
        events.extend(samples.iter().map(|sample| maker.around(sample).into_bytes()));
        for _ in 0..maker.choices.below(3) {
            events.push(maker.event().into_bytes());
        }
        Matching { dialect, patterns, events }
    }

    /// The form in which [`Case::decode`] reads strings.
    pub(crate) fn encode(dialect: Dialect, patterns: &[String], events: &[String]) -> Vec<u8> {
        let dialect = match dialect {
            Dialect::Pipes => 1,
            Dialect::Lambda => 2,
            Dialect::SnsBody => 3,
            Dialect::SnsAttributes => 4,
            _ => 0,
        };
        let mut out = vec![dialect << 4];
        out.extend_from_slice(patterns.join("\0").as_bytes());
        out.extend_from_slice(b"\0\0");
        out.extend_from_slice(events.join("\0").as_bytes());
        out
    }
}

/// Limits low enough for a case to end soon.
pub(crate) fn limits() -> Limits {
    Limits::default().join_steps(20_000).table_bytes(64 << 20).or_combinations(200)
}

fn build(patterns: &[Pattern], policy: ReadPolicy) -> Matcher {
    let builder = Matcher::builder().read_policy(policy).limits(limits());
    builder
        .build(patterns.iter().cloned())
        .unwrap_or_else(|error| panic!("each alone is compiled, but not all together: {error}"))
}

/// Whether the pattern is compiled; what is not has reached a limit.
pub(crate) fn is_built(pattern: &Pattern) -> bool {
    match Matcher::builder().limits(limits()).build([pattern.clone()]) {
        Ok(_) => true,
        Err(error) => {
            assert!(error.limit().is_some(), "not compiled for another cause than a limit: {error}");
            false
        }
    }
}

/// Which patterns match, or why there is no answer.
type Answer = Result<Vec<usize>, EventError>;

pub(crate) fn ids(found: Result<Matches<'_>, EventError>) -> Answer {
    let ids: Vec<usize> = found?.iter().map(|id| id.index()).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "ids ascend, without duplicates: {ids:?}");
    Ok(ids)
}

/// Patterns compiled in every way.
struct Asked<'p> {
    patterns: &'p [Pattern],
    whole: Matcher,
    early: Matcher,
    alone: Vec<Matcher>,
    live: LiveMatcher<usize>,
}

impl<'p> Asked<'p> {
    fn new(patterns: &'p [Pattern]) -> Asked<'p> {
        let live = LiveMatcher::builder().limits(limits()).merge_ratio(1).build();
        for (at, pattern) in patterns.iter().enumerate() {
            live.insert(at, pattern.clone()).unwrap();
        }
        // The first and the last few: with many patterns all are alike.
        let few = patterns.iter().take(8).chain(patterns.iter().skip(8).rev().take(2));
        Asked {
            patterns,
            whole: build(patterns, ReadPolicy::Whole),
            early: build(patterns, ReadPolicy::Early),
            alone: few.map(|pattern| build(std::slice::from_ref(pattern), ReadPolicy::Whole)).collect(),
            live,
        }
    }

    /// What the explainer says; none if deciding takes too long.
    fn explained(&self, event: &[u8]) -> Option<Answer> {
        let mut matched = Vec::new();
        for (at, pattern) in self.patterns.iter().enumerate() {
            match pattern.explain_with(event, &limits()) {
                Ok(explanation) => {
                    assert_eq!(explanation.nearness() == 1_000, explanation.matched(), "nearness of {pattern}");
                    if at < 3 {
                        assert!(!explanation.to_string().is_empty());
                    }
                    if explanation.matched() {
                        matched.push(at);
                    }
                }
                Err(error) if error.limit() == Some(Limit::JoinSteps) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(matched))
    }

    fn check(&self, event: &[u8], used: &mut Scratch) {
        let whole = ids(self.whole.matches(event, used));
        if whole.as_ref().is_err_and(|error| error.limit() == Some(Limit::JoinSteps)) {
            return;
        }
        if self.patterns.is_empty() {
            return;
        }
        let shown = String::from_utf8_lossy(event);
        let Some(answer) = self.explained(event) else { return };
        let same = |way: &str, other: &Answer| {
            // The explainer may reach its bound where the matcher does not, and the other way around.
            if !other.as_ref().is_err_and(|error| error.limit() == Some(Limit::JoinSteps)) {
                assert_eq!(*other, answer, "{way} (left) is not what explain says (right) for {shown}");
            }
        };
        same("all together", &whole);
        let matched = answer.as_ref().is_ok_and(|ids| !ids.is_empty());
        same("fresh scratch", &ids(self.whole.matches(event, &mut Scratch::default())));
        for level in 0..testing::levels() {
            same(&format!("level {level}"), &ids(self.whole.matches(AtLevel(event, level), used)));
        }
        for (number, alone) in self.alone.iter().enumerate() {
            let at = if number < 8 { number } else { self.patterns.len() - 1 - (number - 8) };
            match (ids(alone.matches(event, used)), &answer) {
                (Ok(found), Ok(ids)) => {
                    assert_eq!(!found.is_empty(), ids.contains(&at), "alone: {} for {shown}", self.patterns[at]);
                }
                (found, answer) => assert_eq!(found.is_err(), answer.is_err(), "alone, for {shown}"),
            }
        }
        let live = self.live.snapshot();
        same("live", &live.matches(event, used).map(|keys| keys.copied().collect()));
        if let Ok(any) = self.whole.is_match(event, used) {
            assert_eq!(any, matched, "is_match for {shown}");
        }
        let Ok(text) = std::str::from_utf8(event) else { return };
        same("as text", &ids(self.whole.matches(text, used)));
        if answer.is_err() {
            // Reading early may stop before the fault; it must not fail in another way.
            let _ = self.early.matches(event, used);
            return;
        }
        let kept = kept::kept(text);
        let early = ids(self.early.matches(event, used));
        if kept.paths {
            same("early", &early);
            for level in 0..testing::levels() {
                let found = ids(self.early.matches(AtLevel(event, level), &mut Scratch::default()));
                same(&format!("early, level {level}"), &found);
            }
            if let Ok(any) = self.early.is_match(text, used) {
                assert_eq!(any, matched, "early is_match for {shown}");
            }
        } else if let Err(error) = early {
            // A path that is given again after the place where reading stopped is not seen.
            assert_eq!(error.kind(), EventErrorKind::Limit, "early fails on a valid event: {error}: {shown}");
        }
        if kept.keys && kept.numbers {
            self.parsed(text, used, kept.paths, same);
        }
    }

    fn parsed(&self, text: &str, used: &mut Scratch, early: bool, same: impl Fn(&str, &Answer)) {
        let ways = [("", &self.whole), (", early", &self.early)];
        let ways = &ways[..1 + usize::from(early)];
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
            ways.iter().for_each(|(way, by)| same(&format!("serde_json{way}"), &ids(by.matches(&value, used))));
        }
        if let Ok(value) = simd_json::to_borrowed_value(&mut text.as_bytes().to_vec()) {
            ways.iter().for_each(|(way, by)| same(&format!("simd_json{way}"), &ids(by.matches(&value, used))));
        }
        if let Ok(tape) = simd_json::to_tape(&mut text.as_bytes().to_vec()) {
            same("simd_json tape", &ids(self.whole.matches(&tape, used)));
        }
    }
}

/// An event that is read with other instructions than the best there are.
struct AtLevel<'e>(&'e [u8], usize);

impl Event for AtLevel<'_> {
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        testing::set_level(reader, self.1);
        let told = self.0.read(sink, reader);
        testing::set_level(reader, testing::levels() - 1);
        told
    }
}

/// What is said about pairs of patterns is true for these events, and for those that are given as proof.
fn check_relations(patterns: &[Pattern], events: &[Vec<u8>]) {
    let is_match = |pattern: &Pattern, event: &[u8]| pattern.explain(event).is_ok_and(|found| found.matched());
    let few = &patterns[..patterns.len().min(3)];
    for pattern in few {
        if let Some(sample) = pattern.sample() {
            assert!(is_match(pattern, sample.as_bytes()), "the sample {sample} does not match {pattern}");
        }
    }
    for (at, one) in few.iter().enumerate() {
        for (beside, other) in few.iter().enumerate() {
            let (covers, overlaps) = (one.covers(other), one.overlaps(other));
            assert!(at != beside || !matches!(covers, Covers::No { .. }), "{one} does not cover itself: {covers:?}");
            for event in events {
                let shown = String::from_utf8_lossy(event);
                let (by_one, by_other) = (is_match(one, event), is_match(other, event));
                assert!(covers != Covers::Yes || !by_other || by_one, "{one} does not cover {other}: {shown}");
                assert!(overlaps != Overlaps::No || !(by_one && by_other), "{one} overlaps with {other}: {shown}");
            }
            if let Covers::No { event } = &covers {
                assert!(is_match(other, event.as_bytes()) && !is_match(one, event.as_bytes()), "{one} {other} {event}");
            }
            if let Overlaps::Yes { event } | Overlaps::OnlyWithLists { event } = &overlaps {
                assert!(is_match(other, event.as_bytes()) && is_match(one, event.as_bytes()), "{one} {other} {event}");
            }
        }
    }
}

impl Display for Matching {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let dialect = self.dialect.name();
        for (pattern, event) in self.patterns.iter().zip(self.events.iter().cycle()).take(4) {
            let (pattern, event) = (paste::shell(pattern.as_bytes()), paste::shell(event));
            writeln!(f, "cargo run -q -p eventrie-cli -- explain -d {dialect} -e {pattern} -E {event}")?;
        }
        writeln!(f, "let dialect = {dialect:?}.parse::<Dialect>().unwrap();")?;
        writeln!(f, "let patterns = {};", paste::rust_list(&self.patterns))?;
        writeln!(f, "let events = {};", paste::rust_list(&self.events))?;
        f.write_str(
            "let parsed: Vec<Pattern> = patterns.iter().filter_map(|text| Pattern::parse(text, dialect).ok()).collect();\n\
             let matcher = Matcher::new(parsed.clone()).unwrap();\n\
             for event in events {\n    \
                 let explained = parsed.iter().map(|pattern| pattern.explain(event.as_ref()).map(|found| found.matched()));\n    \
                 println!(\"{event:?} {:?} {:?}\", matcher.matches(event, &mut Scratch::default()), explained.collect::<Vec<_>>());\n\
             }",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If almost no patterns were valid, or almost none matched, the target would say little.
    #[test]
    fn patterns_and_events_meet() {
        let mut state = 7_u64;
        let (mut made, mut valid, mut pairs, mut matched) = (0, 0, 0, 0);
        for _ in 0..150 {
            let mut input = vec![1];
            for _ in 0..60 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                input.extend_from_slice(&state.to_le_bytes());
            }
            let case = Matching::decode(&input).unwrap();
            made += case.patterns.len();
            let patterns = case.patterns.iter().filter_map(|text| Pattern::parse(text, case.dialect).ok());
            for pattern in patterns.take(6) {
                valid += 1;
                for event in &case.events {
                    pairs += 1;
                    matched += usize::from(pattern.explain(event).unwrap().matched());
                }
            }
        }
        println!("{made} made, {valid} of the first six each valid, {matched} of {pairs} pairs match");
        assert!(valid > 300, "{valid} of {made} patterns are valid");
        assert!(matched * 12 > pairs && matched * 2 < pairs, "{matched} of {pairs} pairs match");
    }
}
