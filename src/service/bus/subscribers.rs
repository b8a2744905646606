//! The subscribers of a bus, compiled.

use std::borrow::Cow;

use super::combine::{Needs, combine};
use super::event::{BusEvent, Parts, Readable};
use super::shape::{self, Unpublished};
use crate::base::PatternId;
use crate::dialect::Dialect;
use crate::event::{EventError, ReadPolicy};
use crate::limit::{BuildError, Limits};
use crate::matcher::{Matcher, Scratch};
use crate::pattern::Pattern;
use crate::service::outcome::Cause;

/// The subscribers of a bus: one pattern each, over the three parts of an event.
#[derive(Clone, Debug)]
pub(in crate::service) struct Subscribers {
    matcher: Matcher,
    needs: Needs,
    /// Whether each has a DATA filter.
    with_data: Vec<bool>,
    /// Whether all of them have one.
    all_with_data: bool,
    /// The only scope that any filter has, if there is one.
    only: Option<&'static str>,
    limits: Limits,
    unpublished: Unpublished,
}

impl Subscribers {
    pub(in crate::service) fn new<'p>(
        subscribers: impl Iterator<Item = &'p [Pattern]>,
        limits: &Limits,
        policy: ReadPolicy,
        unpublished: Unpublished,
    ) -> Result<Subscribers, BuildError> {
        let (mut needs, mut with_data, mut patterns) = (Needs::default(), Vec::new(), Vec::new());
        let mut scopes: Vec<Option<&'static str>> = Vec::new();
        for filters in subscribers {
            for filter in filters {
                needs.add(filter);
                if !scopes.contains(&filter.dialect().scope()) {
                    scopes.push(filter.dialect().scope());
                }
            }
            with_data.push(filters.iter().any(|filter| filter.dialect() == Dialect::EventsV2Data));
            patterns.push(combine(filters));
        }
        let only = if let [only] = scopes.as_slice() { *only } else { None };
        let matcher = Matcher::builder().limits(limits.clone()).read_policy(policy).build(patterns)?;
        let all_with_data = !with_data.is_empty() && with_data.iter().all(|with_data| *with_data);
        Ok(Subscribers { matcher, needs, with_data, all_with_data, only, limits: limits.clone(), unpublished })
    }

    /// Reads an event from text in any shape.
    pub(in crate::service) fn read(&self, text: &[u8]) -> Result<BusEvent<'static>, EventError> {
        shape::bare(text, &self.unpublished, self.only)
    }

    /// The subscribers that get an event, ascending; or why none does.
    pub(in crate::service) fn judge<'s>(
        &self,
        event: &BusEvent<'_>,
        scratch: &'s mut Scratch,
        found: &'s mut Vec<PatternId>,
    ) -> Result<Result<&'s [PatternId], Cause>, EventError> {
        if let Some(what) = self.undecided(event) {
            return Err(EventError::foreign(what));
        }
        let readable = if self.needs.data { event.readable(&self.limits)? } else { Readable::Opaque };
        let with_data = readable == Readable::Object;
        let ids = self.matcher.positions(Parts { event, with_data }, scratch)?;
        let ids = if with_data || !self.needs.data {
            ids
        } else {
            // `exists: false` is true of data that is not there, but no DATA filter reads this.
            found.clear();
            let has_data = |id: &PatternId| self.with_data.get(id.index()).copied().unwrap_or(true);
            found.extend(ids.iter().copied().filter(|id| !has_data(id)));
            found.as_slice()
        };
        if !ids.is_empty() {
            return Ok(Ok(ids));
        }
        Ok(Err(match readable {
            Readable::Other if self.all_with_data => Cause::DataIsNotAnObject,
            Readable::Opaque if self.all_with_data => Cause::DataIsOpaque,
            _ => Cause::NoPatternMatched,
        }))
    }

    fn undecided(&self, event: &BusEvent<'_>) -> Option<&'static str> {
        if event.is_known() {
            return None;
        }
        let of = |paths: &[String]| paths.iter().map(|path| Cow::Owned(path.clone())).collect::<Vec<_>>();
        if self.needs.metadata && event.unknown.all_but_data {
            return event.undecided(false, &[]);
        }
        if self.needs.data
            && let Some(what) = event.undecided(true, &of(&self.needs.data_paths))
        {
            return Some(what);
        }
        match self.needs.system_paths.is_empty() {
            true => None,
            false => event.undecided(false, &of(&self.needs.system_paths)),
        }
    }

    pub(in crate::service) fn matcher(&self) -> &Matcher {
        &self.matcher
    }
}
