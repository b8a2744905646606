//! Records of queues and streams, as pipes and event source mappings filter them.
//!
//! A record's payload is text (SQS) or base64 (Kinesis, Kafka, MQ), and is looked into only if it is JSON and a filter
//! asks for it. What happens if the filter and the payload are of different kinds depends on the source: queues and
//! streams of AWS drop the record, Kafka and MQ leave the payload's part of the filter out.

use std::fmt::{Display, Formatter};

use smallvec::SmallVec;

use super::decode::base64;
use super::filters::{FilterSet, FilterSetError};
use crate::base::Span;
use crate::base::text::push_json_string;
use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::{Dialect, Source};
use crate::json::{EventError, Kind, Node, ReadPolicy, Tree, kind_of};
use crate::limit::Limits;
use crate::matcher::{Matcher, Scratch};
use crate::pattern::{Pattern, PatternError};

/// The kinds of payload that a filter names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// A list right at the payload's field.
    plain: bool,
    /// Fields inside of it.
    json: bool,
}

/// What a payload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Payload {
    /// There is none, or it is JSON within the record already.
    None,
    Plain,
    Json,
    NotText,
}

/// A filter, or a filter without the parts that look at some payloads.
#[derive(Clone, Copy, Debug)]
struct Variant {
    filter: usize,
    /// Which payloads' parts are left out: bit by position in [`Source::payloads`].
    without: u8,
}

/// A filter set compiled for the records of one source.
///
/// ```
/// use eventrie::service::{FilterSet, RecordFilter, RecordOutcome, RecordReason, RecordScratch, Source};
/// use eventrie::{Dialect, ParseOptions};
/// let filters = FilterSet::parse(r#"{"body": {"kind": ["a"]}}"#, &ParseOptions::new(Dialect::Lambda))?;
/// let filter = RecordFilter::new(&filters, Source::Sqs)?;
/// let mut scratch = RecordScratch::default();
/// assert!(filter.judge(br#"{"body": "{\"kind\": \"a\"}"}"#, &mut scratch)?.is_match());
/// let outcome = filter.judge(br#"{"body": "kind a"}"#, &mut scratch)?;
/// let RecordOutcome::Filtered(reason) = outcome else { panic!("it matched") };
/// assert_eq!(reason, RecordReason::NotJson { source: Source::Sqs, field: "body" });
/// assert_eq!(reason.to_string(), "`body` is not JSON, but the filter looks into it: the message is deleted from the queue");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordFilter {
    source: Source,
    dialect: Dialect,
    /// What each filter wants of each payload.
    wanted: Vec<SmallVec<[Wanted; 2]>>,
    matcher: Matcher,
    /// By pattern id.
    variants: Vec<Variant>,
    /// Those of which nothing is left.
    always: Vec<Variant>,
    limits: Limits,
}

/// Buffers for [`RecordFilter::judge`]: one per thread, used again.
#[derive(Debug, Default)]
pub struct RecordScratch {
    scratch: Scratch,
    text: Vec<u8>,
    payload: Vec<u8>,
    found: Vec<usize>,
}

/// What becomes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOutcome<'s> {
    /// These filters match, ascending (none, if there are no filters at all: then every record passes).
    Matched(&'s [usize]),
    /// No filter matches.
    Filtered(RecordReason),
}

impl RecordOutcome<'_> {
    /// Whether the record passes.
    #[must_use]
    pub fn is_match(&self) -> bool {
        matches!(self, RecordOutcome::Matched(_))
    }
}

/// Why a record does not pass. Printed, it says what becomes of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RecordReason {
    /// No filter's pattern matches.
    NoPatternMatched {
        /// Where the record came from.
        source: Source,
    },
    /// The payload is not JSON, but all filters look into it.
    NotJson {
        /// Where the record came from.
        source: Source,
        /// The payload's field.
        field: &'static str,
    },
    /// The payload is JSON, but all filters take it as plain text.
    IsJson {
        /// Where the record came from.
        source: Source,
        /// The payload's field.
        field: &'static str,
    },
}

impl Display for RecordReason {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let source = match self {
            RecordReason::NoPatternMatched { source } => {
                f.write_str("no pattern matched")?;
                source
            }
            RecordReason::NotJson { source, field } => {
                write!(f, "`{field}` is not JSON, but the filter looks into it")?;
                source
            }
            RecordReason::IsJson { source, field } => {
                write!(f, "`{field}` is JSON, but the filter takes it as plain text")?;
                source
            }
        };
        write!(f, ": {}", source.fate())
    }
}

impl RecordFilter {
    /// Compiles a filter set for a source.
    ///
    /// # Errors
    /// If a filter does not fit the source (for streams the payload's part must be an object), or a limit is reached.
    ///
    /// ```
    /// use eventrie::service::{FilterSet, RecordFilter, Source};
    /// use eventrie::{Dialect, ParseOptions};
    /// let filters = FilterSet::parse(r#"{"data": ["text"]}"#, &ParseOptions::new(Dialect::Pipes))?;
    /// let error = RecordFilter::new(&filters, Source::Kinesis).unwrap_err();
    /// assert_eq!(error.filter(), Some(0));
    /// assert!(error.to_string().contains("must be an object"));
    /// # Ok::<(), eventrie::service::FilterSetError>(())
    /// ```
    pub fn new(filters: &FilterSet, source: Source) -> Result<RecordFilter, FilterSetError> {
        RecordFilter::with(filters, source, &Limits::default(), ReadPolicy::default())
    }

    /// As [`RecordFilter::new`], with other limits for building and for records, and another policy of reading.
    ///
    /// ```
    /// use eventrie::event::ReadPolicy;
    /// use eventrie::service::{FilterSet, RecordFilter, RecordScratch, Source};
    /// use eventrie::{Dialect, Limits, ParseOptions};
    /// let filters = FilterSet::parse(r#"{"body": ["x"]}"#, &ParseOptions::new(Dialect::Lambda))?;
    /// let limits = Limits::default().event_bytes(10);
    /// let filter = RecordFilter::with(&filters, Source::Sqs, &limits, ReadPolicy::Whole)?;
    /// assert!(filter.judge(br#"{"body": "x"}"#, &mut RecordScratch::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`RecordFilter::new`].
    pub fn with(
        filters: &FilterSet,
        source: Source,
        limits: &Limits,
        policy: ReadPolicy,
    ) -> Result<RecordFilter, FilterSetError> {
        let (dialect, payloads) = (filters.dialect(), source.payloads());
        let (mut wanted, mut variants, mut always) = (Vec::new(), Vec::new(), Vec::new());
        let mut patterns = Vec::new();
        for (filter, pattern) in filters.patterns().iter().enumerate() {
            check_shape(pattern, source).map_err(|error| FilterSetError::pattern(filter, error))?;
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
        let mut builder = Matcher::builder();
        builder.limits(limits.clone()).read_policy(policy);
        for pattern in patterns {
            builder.add(pattern);
        }
        let matcher = builder.build().map_err(|error| {
            let filter = error.pattern().and_then(|id| variants.get(id.index())).map(|variant| variant.filter);
            FilterSetError::build(filter, error)
        })?;
        Ok(RecordFilter { source, dialect, wanted, matcher, variants, always, limits: limits.clone() })
    }

    /// The filters that match a record, or why none does. The payload is decoded only if a filter names it.
    ///
    /// # Errors
    /// If the record is not a JSON object, or a limit is reached.
    pub fn judge<'s>(&self, record: &[u8], scratch: &'s mut RecordScratch) -> Result<RecordOutcome<'s>, EventError> {
        let RecordScratch { scratch, text, payload, found } = scratch;
        found.clear();
        let mut states = [Payload::None; 2];
        let projected = self.needs_projection() && self.project(record, text, payload, &mut states)?;
        let event: &[u8] = if projected { text } else { record };
        // A filter set without filters still wants records to be JSON.
        let ids = self.matcher.matches(event, scratch)?;
        if self.wanted.is_empty() {
            return Ok(RecordOutcome::Matched(found));
        }
        let eligible = |variant: &Variant| self.left_out(variant.filter, &states) == Some(variant.without);
        let matched = ids.iter().filter_map(|id| self.variants.get(id.index()));
        found.extend(matched.chain(&self.always).filter(|variant| eligible(variant)).map(|variant| variant.filter));
        found.sort_unstable();
        found.dedup();
        Ok(if found.is_empty() { RecordOutcome::Filtered(self.reason(&states)) } else { RecordOutcome::Matched(found) })
    }

    /// The event that the patterns see: the record with its payloads decoded where a filter names them.
    ///
    /// # Errors
    /// If the record is not a JSON object.
    ///
    /// ```
    /// use eventrie::service::{FilterSet, RecordFilter, Source};
    /// use eventrie::{Dialect, ParseOptions};
    /// let filters = FilterSet::parse(r#"{"data": {"city": ["Oslo"]}}"#, &ParseOptions::new(Dialect::Pipes))?;
    /// let filter = RecordFilter::new(&filters, Source::Kinesis)?;
    /// let event = filter.record_as_event(br#"{"partitionKey": "1", "data": "eyJjaXR5IjoiT3NsbyJ9"}"#)?;
    /// assert_eq!(event, br#"{"partitionKey": "1", "data": {"city":"Oslo"}}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record_as_event(&self, record: &[u8]) -> Result<Vec<u8>, EventError> {
        let (mut text, mut payload) = (Vec::new(), Vec::new());
        let projected =
            self.needs_projection() && self.project(record, &mut text, &mut payload, &mut [Payload::None; 2])?;
        Ok(if projected { text } else { record.to_vec() })
    }

    /// The compiled patterns. Its ids are not the filters: a filter may be compiled more than once.
    #[must_use]
    pub fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    /// Where the records come from.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    fn nested_kinesis(&self) -> bool {
        self.source == Source::Kinesis && self.dialect == Dialect::Lambda
    }

    fn names(&self, bit: usize) -> bool {
        self.wanted.iter().any(|wants| wants.get(bit).is_some_and(|wanted| wanted.plain || wanted.json))
    }

    fn needs_projection(&self) -> bool {
        !self.wanted.is_empty()
            && (self.nested_kinesis() || (0..self.source.payloads().len()).any(|bit| self.names(bit)))
    }

    /// Which parts of a filter are left out for payloads of these kinds; none if the record is dropped.
    fn left_out(&self, filter: usize, states: &[Payload; 2]) -> Option<u8> {
        let mut without = 0;
        for (bit, (wanted, state)) in self.wanted.get(filter)?.iter().zip(states).enumerate() {
            let fits = match state {
                Payload::None => true,
                Payload::Plain => wanted.plain || !wanted.json,
                Payload::Json => wanted.json || !wanted.plain,
                Payload::NotText => !wanted.plain && !wanted.json,
            };
            if !fits {
                if !self.source.lenient() {
                    return None;
                }
                without |= 1 << bit;
            }
        }
        Some(without)
    }

    fn reason(&self, states: &[Payload; 2]) -> RecordReason {
        let source = self.source;
        let judged = (0..self.wanted.len()).any(|filter| self.left_out(filter, states).is_some());
        match (states.first(), source.payloads().first()) {
            (Some(Payload::Plain | Payload::NotText), Some(field)) if !judged => {
                RecordReason::NotJson { source, field }
            }
            (Some(Payload::Json), Some(field)) if !judged => RecordReason::IsJson { source, field },
            _ => RecordReason::NoPatternMatched { source },
        }
    }

    /// Writes the event that patterns see. False if that is the record itself.
    fn project(
        &self,
        record: &[u8],
        text: &mut Vec<u8>,
        payload: &mut Vec<u8>,
        states: &mut [Payload; 2],
    ) -> Result<bool, EventError> {
        let tree = Tree::parse_event(record, &self.limits)?;
        let mut editor = Editor {
            tree: &tree,
            source: self.source,
            limits: &self.limits,
            payload,
            edits: SmallVec::new(),
            made: Vec::new(),
        };
        let mut hoisted = None;
        for (at, node) in tree.children(0) {
            let Some(key) = node.key.map(|key| tree.string(key)) else { continue };
            if key == "kinesis" && self.nested_kinesis() && node.kind == Kind::Object {
                hoisted = Some(*node);
                for (_, inner) in tree.children(at) {
                    let data = inner.key.is_some_and(|key| tree.string(key) == "data");
                    if data && self.names(0) {
                        states[0] = editor.decode(inner);
                    }
                }
            }
            for (bit, (field, state)) in self.source.payloads().iter().zip(states.iter_mut()).enumerate() {
                if key == *field && self.names(bit) {
                    *state = editor.decode(node);
                }
            }
        }
        let Editor { edits, made, .. } = editor;
        if edits.is_empty() && hoisted.is_none() {
            return Ok(false);
        }
        let copy = |text: &mut Vec<u8>, from: u32, to: u32| {
            let mut at = from;
            for edit in edits.iter().filter(|edit| from <= edit.span.start && edit.span.end <= to) {
                text.extend_from_slice(bytes(record, at, edit.span.start));
                text.extend_from_slice(made.get(edit.from..edit.to).unwrap_or(&[]));
                at = edit.span.end;
            }
            text.extend_from_slice(bytes(record, at, to));
        };
        text.clear();
        let root = tree.nodes.first().map_or(Span::default(), |root| root.span);
        let mut start = root.start;
        if let Some(inner) = hoisted {
            let empty = inner.span.len() <= 2
                || bytes(record, inner.span.start + 1, inner.span.end - 1).trim_ascii().is_empty();
            if !empty {
                text.push(b'{');
                copy(text, inner.span.start + 1, inner.span.end - 1);
                text.push(b',');
                start += 1;
            }
        }
        copy(text, start, root.end);
        Ok(true)
    }
}

fn bytes(text: &[u8], from: u32, to: u32) -> &[u8] {
    text.get(from as usize..to as usize).unwrap_or(&[])
}

struct Edit {
    span: Span,
    /// Where the new text stands among all that was made.
    from: usize,
    to: usize,
}

struct Editor<'a, 't> {
    tree: &'a Tree<'t>,
    source: Source,
    limits: &'a Limits,
    payload: &'a mut Vec<u8>,
    edits: SmallVec<[Edit; 4]>,
    made: Vec<u8>,
}

impl Editor<'_, '_> {
    /// Decodes the payload in a string, and notes what stands in its place.
    fn decode(&mut self, node: &Node) -> Payload {
        if node.kind != Kind::String {
            return match node.kind {
                // Somebody has decoded it already.
                Kind::Object => Payload::Json,
                _ => Payload::None,
            };
        }
        let raw = self.tree.string(node.span);
        let decoded = if self.source == Source::Sqs {
            Some(&*raw)
        } else if base64(raw.as_bytes(), self.payload) {
            std::str::from_utf8(self.payload).ok()
        } else {
            None
        };
        let Some(decoded) = decoded else { return Payload::NotText };
        let from = self.made.len();
        let kind = kind_of(decoded, self.limits);
        match kind {
            Some(Kind::Object) => self.made.extend_from_slice(decoded.trim().as_bytes()),
            // Lists and scalars are JSON, but a filter that looks into the payload finds nothing in them.
            Some(_) => self.made.extend_from_slice(b"{}"),
            None if self.source == Source::Sqs => return Payload::Plain,
            None => {
                let mut quoted = String::with_capacity(decoded.len() + 2);
                push_json_string(&mut quoted, decoded);
                self.made.extend_from_slice(quoted.as_bytes());
            }
        }
        self.edits.push(Edit { span: node.span, from, to: self.made.len() });
        if kind.is_some() { Payload::Json } else { Payload::Plain }
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

/// For streams the payload's part of a filter must be an object.
fn check_shape(pattern: &Pattern, source: Source) -> Result<(), PatternError> {
    let Some(field) = source.json_only() else { return Ok(()) };
    let plain = pattern
        .fields()
        .into_iter()
        .find(|(path, _)| path == field || (source == Source::Kinesis && path.strip_prefix("kinesis.") == Some(field)));
    match plain {
        None => Ok(()),
        Some((_, span)) => {
            let message = format!("for this source the filter of `{field}` must be an object");
            let finding = Finding::new(Code::ShapeNotInDialect, Severity::Error, span, message)
                .label("a list of plain values")
                .help(format!(
                    "the payload is JSON, so name a field in it: `{{\"{field}\": {{\"name\": [\"value\"]}}}}`"
                ));
            Err(pattern.refuse(finding))
        }
    }
}
