//! One question, asked in every mode.

use eventrie::event::ReadPolicy;
use eventrie::{EventError, Matcher, ParseOptions, Pattern, PatternError, Scratch};

use crate::kept::kept;

/// Reads a pattern with the service's limits on.
pub(crate) fn parse(text: &str, options: &ParseOptions) -> Result<Pattern, PatternError> {
    Pattern::parse_with(text, options)
}

/// Patterns compiled for both read policies.
pub(crate) struct Both {
    whole: Matcher,
    early: Matcher,
}

/// What matched, as positions; or why there is no answer.
pub(crate) type Answer = Result<Vec<usize>, EventError>;

impl Both {
    pub(crate) fn new(patterns: &[Pattern]) -> Both {
        let build = |policy| Matcher::builder().read_policy(policy).build(patterns.iter().cloned()).unwrap();
        Both { whole: build(ReadPolicy::Whole), early: build(ReadPolicy::Early) }
    }

    /// Asks in all modes, with a fresh and with a used scratch, and checks that every answer is the same.
    pub(crate) fn ask(&self, event: &str, used: &mut Scratch) -> Answer {
        let answer = ids(self.whole.matches(event.as_bytes(), used));
        let same = |way: &str, other: Answer| assert_eq!(other, answer, "{way}: {event}");
        same("fresh scratch", ids(self.whole.matches(event.as_bytes(), &mut Scratch::default())));
        let any = self.whole.is_match(event, used);
        assert_eq!(any.is_ok_and(|any| any), answer.as_ref().is_ok_and(|ids| !ids.is_empty()), "is_match: {event}");
        let Ok(_) = &answer else {
            // Reading early may stop before the fault; it must not fail in another way.
            let _ = self.early.matches(event, used);
            return answer;
        };
        let kept = kept(event);
        if kept.paths {
            same("early", ids(self.early.matches(event, used)));
            same("early, fresh scratch", ids(self.early.matches(event, &mut Scratch::default())));
            assert_eq!(self.early.is_match(event, used).unwrap(), any_of(&answer), "early is_match: {event}");
        } else {
            // A path that is given again after the place where reading stopped is not seen.
            self.early.matches(event, used).unwrap();
        }
        if kept.keys && kept.numbers {
            self.parsed(event, used, &answer, kept.paths);
        }
        answer
    }

    /// `early`: whether reading early must give the same answer, that is, whether no path comes twice.
    fn parsed(&self, event: &str, used: &mut Scratch, answer: &Answer, early: bool) {
        #[cfg(feature = "serde_json")]
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(event) {
            let ways = [("serde_json", &self.whole), ("serde_json, early", &self.early)];
            for (way, matcher) in ways.into_iter().take(1 + usize::from(early)) {
                assert_eq!(&ids(matcher.matches(&value, used)), answer, "{way}: {event}");
            }
        }
        #[cfg(feature = "simd-json-0_17")]
        {
            let mut bytes = event.as_bytes().to_vec();
            if let Ok(value) = simd_json::to_borrowed_value(&mut bytes) {
                let ways = [("simd_json", &self.whole), ("simd_json, early", &self.early)];
                for (way, matcher) in ways.into_iter().take(1 + usize::from(early)) {
                    assert_eq!(&ids(matcher.matches(&value, used)), answer, "{way}: {event}");
                }
            }
            let mut bytes = event.as_bytes().to_vec();
            if let Ok(tape) = simd_json::to_tape(&mut bytes) {
                assert_eq!(&ids(self.whole.matches(&tape, used)), answer, "simd_json tape: {event}");
            }
        }
        let _ = (event, used, answer, early);
    }
}

fn any_of(answer: &Answer) -> bool {
    answer.as_ref().is_ok_and(|ids| !ids.is_empty())
}

fn ids(result: Result<eventrie::Matches<'_>, EventError>) -> Answer {
    let ids: Vec<usize> = result?.iter().map(|id| id.index()).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "ids ascend, without duplicates");
    Ok(ids)
}
