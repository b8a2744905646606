//! Answers for the events of a batch, on as many threads as are allowed, in the order of the text.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::thread;

use eventrie::EventError;
use eventrie::service::{SubscriptionScratch, SubscriptionSet};
use eventrie_files::EventItem;
use eventrie_files::envelope::{Inner, Wanted};

use crate::events::{self, Later, Missing};

/// A thread is worth starting for this many bytes.
const WORTH_A_THREAD: usize = 64 << 10;

/// The answer for one event, or for one record of a function's input.
pub(super) struct Answer {
    pub(super) item: usize,
    pub(super) record: Option<usize>,
    pub(super) range: Range<usize>,
    /// The event, where it was in an envelope.
    pub(super) inner: Option<Inner>,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// The rules from here to there in the list of the part; and why some could not be evaluated.
    Rules(Range<usize>, Option<EventError>),
    /// The same, and the rules that have no answer.
    Partly(Range<usize>, Arc<Missing>),
    Refused(EventError),
    Fault(Cow<'static, str>),
}

/// What one thread answers, with the memory that it uses again for the next batch.
#[derive(Default)]
pub(super) struct Part {
    pub(super) answers: Vec<Answer>,
    /// The rules that match, event after event.
    pub(super) found: Vec<usize>,
    /// The item, what was not read in it, and whether that was all of it.
    pub(super) skipped: Vec<(usize, String, bool)>,
    pub(super) bytes: u64,
    scratch: SubscriptionScratch,
}

/// How events are answered.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) set: &'a SubscriptionSet,
    /// What is opened to find events.
    pub(super) wanted: Option<Wanted>,
    /// What is known of fields that are set later.
    pub(super) later: &'a Later,
    /// Whether reading stops at the first event that cannot be read.
    pub(super) is_strict: bool,
}

/// As many parts as there are threads: the number given, or one per core.
pub(super) fn parts(threads: Option<NonZeroUsize>) -> Vec<Part> {
    let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = threads.map_or_else(cores, NonZeroUsize::get);
    std::iter::repeat_with(Part::default).take(threads).collect()
}

impl Work<'_> {
    /// Answers a batch. The parts, one after the other, have the answers in the order of the text.
    pub(super) fn answer(self, text: &[u8], items: &[EventItem], parts: &mut [Part]) {
        for part in parts.iter_mut() {
            part.answers.clear();
            part.found.clear();
            part.skipped.clear();
            part.bytes = 0;
        }
        let shares = shares(items, parts.len());
        thread::scope(|scope| {
            let mut waiting = shares.into_iter().zip(parts).peekable();
            while let Some((share, part)) = waiting.next() {
                let work = move |part: &mut Part| part.answer(self, text, items, share);
                // The last share is done here; so is everything where threads cannot be started.
                if waiting.peek().is_none() || cfg!(target_family = "wasm") {
                    work(part);
                } else {
                    scope.spawn(move || work(part));
                }
            }
        });
    }
}

/// Consecutive items for each thread, of about as many bytes; fewer shares if there is little to do.
fn shares(items: &[EventItem], threads: usize) -> Vec<Range<usize>> {
    let start = items.first().map_or(0, |item| item.range.start);
    let bytes = items.last().map_or(0, |item| item.range.end).saturating_sub(start);
    let count = threads.min(bytes / WORTH_A_THREAD).max(1);
    let mut shares = Vec::with_capacity(count);
    let mut next = 0;
    for share in 1..=count {
        let end = start + bytes / count * share;
        let after = match share == count {
            true => items.len(),
            false => items.partition_point(|item| item.range.end <= end).max(next),
        };
        shares.push(next..after);
        next = after;
    }
    shares
}

impl Part {
    fn answer(&mut self, work: Work<'_>, text: &[u8], items: &[EventItem], share: Range<usize>) {
        let first = share.start;
        for (at, item) in items.get(share).unwrap_or(&[]).iter().enumerate() {
            let at = first + at;
            let event = text.get(item.range.clone()).unwrap_or(&[]);
            self.bytes += event.len() as u64;
            if let Some(fault) = item.fault {
                let kind = Kind::Fault(fault.into());
                self.answers.push(Answer { item: at, record: None, range: item.range.clone(), inner: None, kind });
            } else if let Some(records) = work.set.inputs(event) {
                for (number, record) in records.into_iter().enumerate() {
                    let range = item.range.start + record.start..item.range.start + record.end;
                    let kind = self.one(work.set, text.get(range.clone()).unwrap_or(&[]));
                    self.answers.push(Answer { item: at, record: Some(number), range, inner: None, kind });
                }
            } else if let Some(opened) = work.wanted.and_then(|wanted| work.later.open(event, wanted)) {
                if let Some(message) = events::left_out(&opened) {
                    self.skipped.push((at, message, opened.events().is_empty()));
                }
                for inner in opened.events() {
                    let kind = match work.later.missing(inner) {
                        Some(missing) if missing.is_all => Kind::Fault(missing.why.clone().into()),
                        Some(missing) => self.partly(work.set, inner.text().as_bytes(), missing),
                        None => self.one(work.set, inner.text().as_bytes()),
                    };
                    let inner = Some(inner.clone());
                    self.answers.push(Answer { item: at, record: None, range: item.range.clone(), inner, kind });
                }
            } else {
                let kind = self.one(work.set, event);
                self.answers.push(Answer { item: at, record: None, range: item.range.clone(), inner: None, kind });
            }
            let last = self.answers.last();
            if work.is_strict && last.is_some_and(|answer| !matches!(answer.kind, Kind::Rules(_, None))) {
                break;
            }
        }
    }

    /// The answer of the rules that have one.
    fn partly(&mut self, set: &SubscriptionSet, event: &[u8], missing: Arc<Missing>) -> Kind {
        match self.one(set, event) {
            Kind::Rules(range, None) => {
                let rest = self.found.split_off(range.start);
                self.found.extend(rest.into_iter().filter(|rule| missing.rules.binary_search(rule).is_err()));
                Kind::Partly(range.start..self.found.len(), missing)
            }
            other => other,
        }
    }

    fn one(&mut self, set: &SubscriptionSet, event: &[u8]) -> Kind {
        let start = self.found.len();
        let found = &mut self.found;
        let judged = set.judge(event, &mut self.scratch).map(|verdict| {
            found.extend(verdict.positions());
            verdict.fault().cloned()
        });
        match judged {
            Ok(fault) => Kind::Rules(start..self.found.len(), fault),
            Err(error) => Kind::Refused(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_every_item_once() {
        for (count, size, threads) in
            [(0, 1, 4), (1, 1, 4), (1, 1 << 20, 4), (1000, 1000, 1), (1000, 1000, 3), (3, 1 << 20, 2), (7, 100_000, 64)]
        {
            let item = |at: usize| EventItem { range: at * size..at * size + size, number: 0, line: 1, fault: None };
            let items: Vec<EventItem> = (0..count).map(item).collect();
            let shares = shares(&items, threads);
            assert!((1..=threads).contains(&shares.len()), "{count} {size} {threads}");
            let all: Vec<usize> = shares.iter().cloned().flatten().collect();
            assert_eq!(all, (0..count).collect::<Vec<_>>(), "{count} {size} {threads}");
            assert!(threads == 1 || count < 100 || shares.len() > 1, "{count} {size} {threads}");
        }
    }
}
