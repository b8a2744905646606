//! Filters compiled for the records of one source.
//!
//! A record's payload is a string (SQS) or base64 (Kinesis, Kafka, MQ), and is decoded only if a filter names it. If a
//! filter and a payload are of different kinds, the result depends on the source: queues and streams of AWS drop the
//! record, Kafka and MQ ignore the filter's test of the payload.

use smallvec::SmallVec;

use super::outcome::Cause;
use super::payload::{Payload, Projection};
use crate::base::PatternId;
use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::{Dialect, Source};
use crate::json::{EventError, ReadPolicy};
use crate::limit::{BuildError, Limits};
use crate::matcher::{Matcher, Scratch};
use crate::pattern::{Pattern, PatternError};

/// The kinds of payload that a filter names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// A list right at the payload's field.
    plain: bool,
    /// Fields inside it.
    json: bool,
}

/// A filter, or a filter without the parts that test some payloads.
#[derive(Clone, Copy, Debug)]
struct Variant {
    filter: PatternId,
    /// Which payloads' parts are left out: bit by position in [`Source::payloads`].
    without: u8,
}

/// Filters compiled for the records of one source.
#[derive(Clone, Debug)]
pub(super) struct Records {
    projection: Projection,
    /// What each filter wants of each payload.
    wanted: Vec<SmallVec<[Wanted; 2]>>,
    matcher: Matcher,
    /// By the matcher's pattern.
    variants: Vec<Variant>,
    /// Those with nothing left to test.
    always: Vec<Variant>,
    limits: Limits,
}

/// Buffers for one record.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    text: Vec<u8>,
    payload: Vec<u8>,
    found: Vec<PatternId>,
}

impl Records {
    /// Compiles filters; without a pattern, one that every record passes. Errors name filters.
    pub(super) fn new<'p>(
        filters: impl IntoIterator<Item = Option<&'p Pattern>>,
        dialect: Dialect,
        source: Source,
        limits: &Limits,
        policy: ReadPolicy,
    ) -> Result<Records, BuildError> {
        let payloads = source.payloads();
        let (mut wanted, mut variants, mut always) = (Vec::new(), Vec::new(), Vec::new());
        let mut patterns = Vec::new();
        for (filter, pattern) in filters.into_iter().enumerate() {
            let Some(filter) = PatternId::from_index(filter) else { break };
            let Some(pattern) = pattern else {
                always.push(Variant { filter, without: 0 });
                wanted.push(SmallVec::from_elem(Wanted::default(), payloads.len()));
                continue;
            };
            let wants: SmallVec<[Wanted; 2]> =
                payloads.iter().map(|field| wants(pattern, source, dialect, field)).collect();
            // Each set of payloads that may have to be left out is a variant.
            for without in 0..1_u8 << payloads.len() {
                let left_out = |bit: usize| without & (1 << bit) != 0;
                let named = |bit: usize| wants.get(bit).is_some_and(|wanted| wanted.plain || wanted.json);
                if without != 0 && (!source.lenient() || (0..payloads.len()).any(|bit| left_out(bit) && !named(bit))) {
                    continue;
                }
                let variant = Variant { filter, without };
                let left: Vec<&str> =
                    payloads.iter().enumerate().filter(|(bit, _)| left_out(*bit)).map(|(_, field)| *field).collect();
                let pattern = pattern.without_fields(&left);
                if pattern.is_everything() {
                    always.push(variant);
                } else {
                    variants.push(variant);
                    patterns.push(pattern);
                }
            }
            wanted.push(wants);
        }
        let filter_of = |id: PatternId| variants.get(id.index()).map(|variant| variant.filter);
        let matcher =
            Matcher::builder().limits(limits.clone()).read_policy(policy).build(patterns).map_err(|error| {
                let filter = error.pattern().and_then(filter_of);
                error.of_pattern(filter)
            })?;
        let named = |bit: usize| {
            let names =
                |wants: &SmallVec<[Wanted; 2]>| wants.get(bit).is_some_and(|wanted| wanted.plain || wanted.json);
            wanted.iter().any(names)
        };
        let projection = Projection { source, dialect, named: [named(0), named(1)] };
        Ok(Records { projection, wanted, matcher, variants, always, limits: limits.clone() })
    }

    /// The filters that match a record, ascending; or why none does. The payload is decoded only if a filter names it.
    pub(super) fn judge<'s>(
        &self,
        record: &[u8],
        scratch: &mut Scratch,
        buffers: &'s mut Buffers,
    ) -> Result<Result<&'s [PatternId], Cause>, EventError> {
        let Buffers { text, payload, found } = buffers;
        found.clear();
        let mut states = [Payload::None; 2];
        let projected =
            self.projection.is_needed() && self.projection.project(record, &self.limits, text, payload, &mut states)?;
        let event: &[u8] = if projected { text } else { record };
        // Filters that test nothing still want records to be JSON.
        let ids = self.matcher.positions(event, scratch)?;
        let eligible = |variant: &Variant| self.left_out(variant.filter, &states) == Some(variant.without);
        let matched = ids.iter().filter_map(|id| self.variants.get(id.index()));
        found.extend(matched.chain(&self.always).filter(|variant| eligible(variant)).map(|variant| variant.filter));
        found.sort_unstable();
        found.dedup();
        Ok(if found.is_empty() { Err(self.cause(&states)) } else { Ok(found) })
    }

    /// The event that the patterns see: the record with its payloads decoded where a filter names them.
    pub(super) fn event(&self, record: &[u8]) -> Result<Vec<u8>, EventError> {
        self.projection.event(record, &self.limits)
    }

    pub(super) fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// Which parts of a filter are left out for payloads of these kinds; none if the record is dropped.
    fn left_out(&self, filter: PatternId, states: &[Payload; 2]) -> Option<u8> {
        let mut without = 0;
        for (bit, (wanted, state)) in self.wanted.get(filter.index())?.iter().zip(states).enumerate() {
            let fits = match state {
                Payload::None => true,
                Payload::Plain => wanted.plain || !wanted.json,
                Payload::Json => wanted.json || !wanted.plain,
                Payload::NotText => !wanted.plain && !wanted.json,
            };
            if !fits {
                if !self.projection.source.lenient() {
                    return None;
                }
                without |= 1 << bit;
            }
        }
        Some(without)
    }

    fn cause(&self, states: &[Payload; 2]) -> Cause {
        let mut filters = (0..self.wanted.len()).filter_map(PatternId::from_index);
        let judged = filters.any(|filter| self.left_out(filter, states).is_some());
        match (states.first(), self.projection.source.payloads().first()) {
            (Some(Payload::Plain | Payload::NotText), Some(field)) if !judged => Cause::PayloadIsNotJson { field },
            (Some(Payload::Json), Some(field)) if !judged => Cause::PayloadIsJson { field },
            _ => Cause::NoPatternMatched,
        }
    }
}

/// What a filter wants of a payload.
fn wants(pattern: &Pattern, source: Source, dialect: Dialect, field: &str) -> Wanted {
    let mut wanted = Wanted::default();
    for path in pattern.paths() {
        let path = match path.strip_prefix("kinesis.") {
            Some(inner) if source == Source::Kinesis && dialect == Dialect::Lambda => inner,
            _ => &path,
        };
        if path == field {
            wanted.plain = true;
        } else if path.strip_prefix(field).is_some_and(|rest| rest.starts_with('.')) {
            wanted.json = true;
        }
    }
    wanted
}

/// For streams, the filter's test of the payload must be an object.
pub(super) fn check_shape(pattern: &Pattern, source: Source) -> Result<(), PatternError> {
    let Some(field) = source.json_only() else { return Ok(()) };
    let plain = pattern
        .fields()
        .into_iter()
        .find(|(path, _)| path == field || (source == Source::Kinesis && path.strip_prefix("kinesis.") == Some(field)));
    match plain {
        None => Ok(()),
        Some((_, span)) => {
            let message = format!("for this source, the filter on `{field}` must be an object");
            let finding = Finding::new(Code::ShapeNotInDialect, Severity::Error, span, message)
                .label("a list of plain values")
                .help(format!("the payload is JSON; name a field in it: `{{\"{field}\": {{\"name\": [\"value\"]}}}}`"));
            Err(pattern.refuse(finding))
        }
    }
}
