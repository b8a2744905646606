//! The subscribers of a bus, compiled.

use std::borrow::Cow;

use super::combine::{Needs, combine};
use super::event::{BusEvent, Parts, Readable};
use super::shape::{self, Unpublished};
use crate::base::PatternId;
use crate::event::{EventError, ReadPolicy};
use crate::limit::{BuildError, Limits};
use crate::matcher::{Matcher, Scratch};
use crate::pattern::Pattern;
use crate::service::outcome::Cause;

/// The subscribers of a bus: one pattern each, over the three parts of an event.
#[derive(Clone, Debug)]
pub(in crate::service) struct Subscribers {
    matcher: Matcher,
    /// What all of them need of an event, and what each does.
    needs: Needs,
    each: Vec<Needs>,
    /// Whether all of them have a DATA filter.
    all_with_data: bool,
    /// The only scope that any filter has, if there is one.
    only: Option<&'static str>,
    limits: Limits,
    unpublished: Unpublished,
}

/// Buffers for the answers of subscribers.
#[derive(Debug, Default)]
pub(in crate::service) struct Answers {
    /// Those that get the event, ascending.
    pub(in crate::service) found: Vec<PatternId>,
    /// The positions of those that cannot be evaluated, ascending.
    pub(in crate::service) undecided: Vec<usize>,
    /// Why the first of them cannot.
    pub(in crate::service) fault: Option<EventError>,
}

impl Answers {
    fn cannot(&mut self, at: usize, why: impl FnOnce() -> EventError) {
        if let Err(place) = self.undecided.binary_search(&at) {
            self.undecided.insert(place, at);
            self.fault.get_or_insert_with(why);
        }
    }
}

impl Subscribers {
    pub(in crate::service) fn new<'p>(
        subscribers: impl Iterator<Item = &'p [Pattern]>,
        limits: &Limits,
        policy: ReadPolicy,
        unpublished: Unpublished,
    ) -> Result<Subscribers, BuildError> {
        let (mut needs, mut each, mut patterns) = (Needs::default(), Vec::new(), Vec::new());
        let mut scopes: Vec<Option<&'static str>> = Vec::new();
        for filters in subscribers {
            let mut own = Needs::default();
            for filter in filters {
                needs.add(filter);
                own.add(filter);
                if !scopes.contains(&filter.dialect().scope()) {
                    scopes.push(filter.dialect().scope());
                }
            }
            each.push(own);
            patterns.push(combine(filters));
        }
        let only = if let [only] = scopes.as_slice() { *only } else { None };
        let matcher = Matcher::builder().limits(limits.clone()).read_policy(policy).build(patterns)?;
        let all_with_data = !each.is_empty() && each.iter().all(|needs| needs.data);
        Ok(Subscribers { matcher, needs, each, all_with_data, only, limits: limits.clone(), unpublished })
    }

    /// Reads an event from text in any shape.
    pub(in crate::service) fn read(&self, text: &[u8]) -> Result<BusEvent<'static>, EventError> {
        shape::bare(text, &self.unpublished, self.only)
    }

    /// Finds the subscribers that receive an event, or why none does. A part of the event that is malformed or not
    /// known only concerns the subscribers that test it.
    ///
    /// # Errors
    /// If no subscriber can be judged.
    pub(in crate::service) fn judge(
        &self,
        event: &BusEvent<'_>,
        scratch: &mut Scratch,
        answers: &mut Answers,
    ) -> Result<Option<Cause>, EventError> {
        answers.undecided.clear();
        answers.fault = None;
        if undecided(event, &self.needs).is_some() {
            for (at, needs) in self.each.iter().enumerate() {
                if let Some(what) = undecided(event, needs) {
                    answers.cannot(at, || EventError::foreign(what));
                }
            }
        }
        let readable = if self.needs.data && !event.unknown.all_data {
            event.readable(&self.limits).unwrap_or_else(|error| {
                self.without_data(answers, &error);
                Readable::Opaque
            })
        } else {
            Readable::Opaque
        };
        let mut with_data = readable == Readable::Object;
        if let Err(error) = self.ask(event, with_data, scratch, &mut answers.found) {
            if !with_data {
                return Err(error);
            }
            self.without_data(answers, &error);
            with_data = false;
            self.ask(event, with_data, scratch, &mut answers.found)?;
        }
        let Answers { found, undecided, fault } = answers;
        if let (Some(fault), true) = (&fault, undecided.len() == self.each.len()) {
            return Err(fault.clone());
        }
        if !undecided.is_empty() || (self.needs.data && !with_data) {
            // `exists: false` is true of data that is not there, but no DATA filter reads this.
            let reads = |id: &PatternId| with_data || !self.each.get(id.index()).is_some_and(|needs| needs.data);
            found.retain(|id| reads(id) && undecided.binary_search(&id.index()).is_err());
        }
        Ok(match readable {
            _ if !found.is_empty() => None,
            _ if !undecided.is_empty() => Some(Cause::Undecided),
            Readable::Other if self.all_with_data => Some(Cause::DataIsNotAnObject),
            Readable::Opaque if self.all_with_data => Some(Cause::DataIsOpaque),
            _ => Some(Cause::NoPatternMatched),
        })
    }

    fn ask(
        &self,
        event: &BusEvent<'_>,
        with_data: bool,
        scratch: &mut Scratch,
        found: &mut Vec<PatternId>,
    ) -> Result<(), EventError> {
        found.clear();
        found.extend_from_slice(self.matcher.positions(Parts { event, with_data }, scratch)?);
        Ok(())
    }

    /// Notes that the data cannot be read.
    fn without_data(&self, answers: &mut Answers, error: &EventError) {
        let with_data = self.each.iter().enumerate().filter(|(_, needs)| needs.data);
        with_data.for_each(|(at, _)| answers.cannot(at, || error.clone()));
    }

    pub(in crate::service) fn matcher(&self) -> &Matcher {
        &self.matcher
    }
}

/// Why subscribers that need this part of an event cannot be evaluated.
fn undecided(event: &BusEvent<'_>, needs: &Needs) -> Option<&'static str> {
    if event.is_known() {
        return None;
    }
    let of = |paths: &[String]| paths.iter().map(|path| Cow::Owned(path.clone())).collect::<Vec<_>>();
    if needs.metadata && event.unknown.all_but_data {
        return event.undecided(false, &[]);
    }
    if needs.data
        && let Some(what) = event.undecided(true, &of(&needs.data_paths))
    {
        return Some(what);
    }
    match needs.system_paths.is_empty() {
        true => None,
        false => event.undecided(false, &of(&needs.system_paths)),
    }
}
