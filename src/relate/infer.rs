//! A pattern from sample events, with the choices explained.

use crate::base::ListMap;
use crate::base::text::json_string as quote;
use crate::dialect::Dialect;
use crate::json::{EventError, Kind, Tree};
use crate::limit::Limits;
use crate::pattern::{ParseOptions, Pattern, PatternError};

/// A pattern proposed for some events, as [`infer`] returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Inferred {
    /// The pattern as JSON text. It matches all the events, and the service accepts it. `{}` if no field is in all
    /// events.
    pub pattern: String,
    /// What was decided about each field of the events, in the order of paths.
    pub choices: Vec<InferredChoice>,
}

/// A field of the events, and why it is in the pattern or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct InferredChoice {
    /// The keys that lead to it, joined with dots.
    pub path: String,
    /// Whether the pattern tests it.
    pub kept: bool,
    /// Why, as a sentence without full stop.
    pub reason: String,
}

/// The event that kept [`infer`] from proposing a pattern, and why.
///
/// ```
/// use eventrie::Dialect;
/// use eventrie::relate::infer;
/// let error = infer([r#"{"a":1}"#, "[]"], Dialect::EventBridge).unwrap_err();
/// assert_eq!(error.event(), 1);
/// assert!(error.to_string().starts_with("event 1: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferError {
    event: usize,
    error: EventError,
}

impl InferError {
    pub(crate) fn new(event: usize, error: EventError) -> InferError {
        InferError { event, error }
    }

    /// The position of the event among those given, from 0.
    #[must_use]
    pub fn event(&self) -> usize {
        self.event
    }

    /// What is wrong with it.
    #[must_use]
    pub fn error(&self) -> &EventError {
        &self.error
    }
}

impl std::fmt::Display for InferError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {}: {}", self.event, self.error)
    }
}

impl std::error::Error for InferError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The most values in a list of the pattern.
const VALUES: usize = 5;

/// Proposes a pattern for events like these. It tests the fields that identify the kind of event, with the values seen,
/// and not those that identify a single event or thing. The events are what patterns see; for messages, records and the parts of
/// other events, use [`Decoder::infer`](crate::service::Decoder::infer).
///
/// # Errors
/// If one of the events is not a JSON object: the error says which.
///
/// ```
/// use eventrie::relate::infer;
/// use eventrie::Dialect;
/// let events = [
///     r#"{"id":"1","source":"shop","detail-type":"Order Placed","detail":{"order":"A-17","state":"new"}}"#,
///     r#"{"id":"2","source":"shop","detail-type":"Order Placed","detail":{"order":"A-18","state":"new"}}"#,
/// ];
/// let inferred = infer(events, Dialect::EventBridge)?;
/// assert_eq!(
///     inferred.pattern,
///     r#"{"source":["shop"],"detail-type":["Order Placed"],"detail":{"state":["new"]}}"#
/// );
/// let order = inferred.choices.iter().find(|choice| choice.path == "detail.order").unwrap();
/// assert_eq!((order.kept, &*order.reason), (false, "it differs from event to event"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn infer<'e>(events: impl IntoIterator<Item = &'e str>, dialect: Dialect) -> Result<Inferred, InferError> {
    let events: Vec<&str> = events.into_iter().collect();
    let matches =
        |pattern: &Pattern, first: usize| events.iter().take(first).all(|event| super::is_match(pattern, event));
    infer_of(events.iter().copied(), dialect, &|_| None, &matches)
}

/// The most bytes of events that are judged to find the fields of a pattern that no event matches, one field at a time.
const JUDGED: usize = 1 << 26;

/// As [`infer`]. `hidden` says why a pattern should not test a path, if so; `matches` whether a pattern matches the first events,
/// as many as the number says.
pub(crate) fn infer_of<'e>(
    events: impl IntoIterator<Item = &'e str>,
    dialect: Dialect,
    hidden: &dyn Fn(&str) -> Option<String>,
    matches: &dyn Fn(&Pattern, usize) -> bool,
) -> Result<Inferred, InferError> {
    let (mut fields, mut count): (ListMap<String, Seen>, usize) = (ListMap::new(), 0);
    let mut sizes: Vec<usize> = Vec::new();
    for event in events {
        let tree =
            Tree::parse_event(event.as_bytes(), &Limits::default()).map_err(|error| InferError::new(count, error))?;
        read(&tree, count, &mut fields);
        sizes.push(event.len());
        count += 1;
    }
    let mut fields: Vec<(String, Seen)> = fields.into_entries();
    fields.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    let mut choices: Vec<InferredChoice> = Vec::new();
    let mut kept: Vec<(String, Vec<String>)> = Vec::new();
    for (path, seen) in &mut fields {
        let (keep, reason) = match hidden(path) {
            Some(reason) => {
                seen.is_hidden = true;
                (false, reason)
            }
            None => decide(path, seen, count, dialect),
        };
        if keep {
            kept.push((path.clone(), seen.values.clone()));
        }
        choices.push(InferredChoice { path: path.clone(), kept: keep, reason });
    }
    // What identifies a kind of event is removed last.
    kept.sort_by_key(|(path, _)| rank(path));
    let options = ParseOptions::new(dialect).service_limits(true);
    let flat = matches!(dialect, Dialect::SnsAttributes | Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata);
    let parse = |kept: &[(String, Vec<String>)]| Pattern::parse_with(&write(kept, flat), &options);
    let in_list = |path: &String| {
        let at = fields.binary_search_by(|(other, _)| other.cmp(path));
        at.ok().and_then(|at| fields.get(at)).is_some_and(|(_, seen)| seen.in_list)
    };
    // One field alone, if nothing else is left.
    let in_all = |field: &&(String, Seen)| field.1.events == count && !field.1.is_hidden;
    let mut others = fields.iter().filter(in_all).take(20);
    let (size, mut judged): (usize, usize) = (sizes.iter().sum(), 0);
    let (mut are_accepted, mut are_matched) = (false, false);
    loop {
        if kept.is_empty() {
            let Some((path, seen)) = others.next() else { break };
            let (values, reason) = match dialect {
                // Its filters cannot test presence.
                Dialect::EventsV2Metadata if seen.values.len() <= VALUES => {
                    (seen.values.clone(), "no field names a kind of event, so only the values of this one are tested")
                }
                _ => (Vec::new(), "no field names a kind of event, so only the presence of this one is tested"),
            };
            kept.push((path.clone(), values));
            choose(&mut choices, path, true, reason);
            continue;
        }
        let pattern = parse(&kept);
        if pattern.as_ref().is_ok_and(|pattern| matches(pattern, count)) {
            break;
        }
        judged += size;
        let why = |pattern: &Result<Pattern, PatternError>| match pattern {
            Ok(_) => "the pattern would miss some of the events with it",
            Err(_) => "the service would reject the pattern with it",
        };
        let are_right = if pattern.is_ok() { &mut are_matched } else { &mut are_accepted };
        if !std::mem::replace(are_right, true) && kept.len() > 1 {
            // First those that are wrong on their own. Events are judged only if they are what is wrong, and as many of them as
            // the work allows.
            let most = JUDGED / kept.len();
            let first = sizes.iter().scan(0_usize, |sum, size| {
                *sum += size;
                (*sum <= most).then_some(())
            });
            let first = if pattern.is_ok() { first.count() } else { 0 };
            kept.retain(|field| {
                let alone = parse(std::slice::from_ref(field));
                let is_right = alone.as_ref().is_ok_and(|alone| first == 0 || matches(alone, first));
                if !is_right {
                    choose(&mut choices, &field.0, false, why(&alone));
                }
                is_right
            });
            continue;
        }
        // Fields of lists of objects can be the same in all events and yet never lie in one object. Of very many fields some at a
        // time exceed what the service takes.
        let mut last: Vec<usize> = (0..kept.len()).collect();
        if pattern.is_ok() && kept.iter().any(|(path, _)| in_list(path)) {
            last.retain(|at| kept.get(*at).is_some_and(|(path, _)| in_list(path)));
        }
        let several = match pattern.is_ok() {
            true if judged <= JUDGED => 1,
            true => last.len() / 2,
            false => last.len() / 8,
        };
        for at in last.into_iter().rev().take(several.max(1)) {
            let (path, _) = kept.remove(at);
            choose(&mut choices, &path, false, why(&pattern));
        }
    }
    Ok(Inferred { pattern: write(&kept, flat), choices })
}

/// Notes whether a field is in the pattern, and why.
fn choose(choices: &mut [InferredChoice], path: &str, kept: bool, reason: &str) {
    // In the order of paths.
    if let Ok(at) = choices.binary_search_by(|choice| choice.path.as_str().cmp(path))
        && let Some(choice) = choices.get_mut(at)
    {
        (choice.kept, choice.reason) = (kept, reason.to_owned());
    }
}

/// What was seen at a path.
#[derive(Default)]
struct Seen {
    /// The different values as JSON, ascending, up to one more than a pattern gets.
    values: Vec<String>,
    /// The number of events that have it, and the last of them.
    events: usize,
    last: Option<usize>,
    in_list: bool,
    texts_only: bool,
    /// Whether the service does not filter on it.
    is_hidden: bool,
}

fn read(tree: &Tree<'_>, event: usize, fields: &mut ListMap<String, Seen>) {
    let mut open: Vec<(u32, usize, bool)> = Vec::new();
    let mut path = String::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        while let Some((end, length, _)) = open.last()
            && *end as usize <= at
        {
            path.truncate(*length);
            open.pop();
        }
        let in_list = open.last().is_some_and(|(_, _, in_list)| *in_list);
        let before = path.len();
        if let Some(key) = node.key {
            if open.len() > 1 {
                path.push('.');
            }
            path.push_str(&tree.string(key));
        }
        match node.kind {
            Kind::Object | Kind::Array => open.push((node.end, before, in_list || node.kind == Kind::Array)),
            _ => {
                if path.len() < 1_000 && fields.len() < 10_000 {
                    let seen = fields.entry(path.clone(), || Seen { texts_only: true, ..Seen::default() });
                    if seen.last != Some(event) {
                        seen.last = Some(event);
                        seen.events += 1;
                    }
                    seen.in_list |= in_list;
                    seen.texts_only &= node.kind == Kind::String;
                    if seen.values.len() <= VALUES {
                        let text = node.span.slice(tree.text());
                        let value =
                            if node.kind == Kind::String { quote(&tree.string(node.span)) } else { text.to_owned() };
                        if let Err(at) = seen.values.binary_search(&value) {
                            seen.values.insert(at, value);
                        }
                    }
                }
                path.truncate(before);
            }
        }
    }
}

/// Names that say of what kind something is.
const KINDS: [&str; 22] = [
    "type",
    "kind",
    "state",
    "status",
    "action",
    "category",
    "class",
    "level",
    "severity",
    "eventName",
    "eventSource",
    "event",
    "operation",
    "outcome",
    "phase",
    "reason",
    "result",
    "channel",
    "environment",
    "env",
    "version",
    "tier",
];

fn decide(path: &str, seen: &Seen, count: usize, dialect: Dialect) -> (bool, String) {
    let says = |text: &str| text.to_owned();
    let last = path.rsplit('.').next().unwrap_or(path);
    if matches!(dialect, Dialect::EventBridge | Dialect::EventsV2EventSource) {
        match path {
            "source" | "account" | "region" if dialect == Dialect::EventsV2EventSource => {
                return (false, says("the event source sets it, so its pattern cannot test it"));
            }
            "source" | "detail-type" if seen.events == count && seen.values.len() <= VALUES => {
                return (true, says("it names the kind of event"));
            }
            "id" | "time" => return (false, says("it is different in every event")),
            "version" => return (false, says("it is the same in every event of every sender")),
            "account" | "region" => {
                return (
                    false,
                    says("it says where the event came from; add it if other accounts or Regions send such events too"),
                );
            }
            "resources" => return (false, says("it names individual resources")),
            _ => {}
        }
    }
    if dialect == Dialect::EventsV2SystemMetadata {
        match path {
            "aws:Source" | "aws:DetailType" if seen.events == count && seen.values.len() <= VALUES => {
                return (true, says("it names the kind of event, and a publisher cannot forge it"));
            }
            "aws:DeliveryType" => return (false, says("it only distinguishes live events from replayed ones")),
            _ => {}
        }
    }
    if dialect == Dialect::Lambda && path.starts_with("kinesis.") {
        return (false, says("filters find it at the top level of the record"));
    }
    if seen.events < count {
        return (false, format!("it is in only {} of {count} events", seen.events));
    }
    if seen.in_list {
        return (false, says("it is inside an array, and array contents usually vary"));
    }
    let values: Vec<&str> = seen.values.iter().map(String::as_str).collect();
    if values.iter().any(|value| looks_like_a_name_of_one(value)) {
        let reason = if values.len() == 1 { "it looks like an identifier" } else { "it differs from event to event" };
        return (false, says(reason));
    }
    let flag = values.iter().all(|value| matches!(*value, "true" | "false"));
    if !seen.texts_only && !flag {
        return (false, says("it is a number or null, which rarely identifies a kind of event"));
    }
    let kind = is_kind(last);
    match (values.len(), count) {
        (1, 1) if kind => (true, says("its name looks like a kind of event, but one event is weak evidence")),
        (1, 1) => (false, says("a single event does not show whether it varies")),
        (1, 2) => (true, "it is the same in both events".to_owned()),
        (1, _) => (true, format!("it is the same in all {count} events")),
        (several, _) if several <= VALUES && (kind || several * 3 <= count) => {
            (true, format!("it has {several} different values in {count} events"))
        }
        _ => (false, says("it differs from event to event")),
    }
}

/// Whether a name says of what kind something is.
fn is_kind(name: &str) -> bool {
    KINDS.iter().any(|kind| {
        name.eq_ignore_ascii_case(kind)
            || name.to_ascii_lowercase().ends_with(&kind.to_ascii_lowercase())
                && name.len() > kind.len()
                && kind.len() > 3
    })
}

/// How much a field says about the kind of event: 0 says the most.
fn rank(path: &str) -> u8 {
    match path {
        "source" | "detail-type" | "aws:Source" | "aws:DetailType" => 0,
        _ if is_kind(path.rsplit('.').next().unwrap_or(path)) => 1,
        _ => 2,
    }
}

/// Ids, times, addresses, long strings.
fn looks_like_a_name_of_one(value: &str) -> bool {
    let text = value.trim_matches('"');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    text.len() > 60
        || text.starts_with("arn:")
        || text.contains("://")
        || (value.starts_with('"') && digits >= 4)
        || (value.starts_with('"') && digits > 0 && digits * 2 >= text.len())
}

/// The pattern of the fields: the envelope first, in its usual order. If it has to be flat, names contain the dots.
fn write(kept: &[(String, Vec<String>)], flat: bool) -> String {
    let rank = |path: &str| match path {
        "source" => 0,
        "detail-type" => 1,
        _ => 2,
    };
    let mut kept: Vec<&(String, Vec<String>)> = kept.iter().collect();
    kept.sort_unstable_by(|left, right| (rank(&left.0), &left.0).cmp(&(rank(&right.0), &right.0)));
    let (mut out, mut open): (String, Vec<&str>) = (String::from("{"), Vec::new());
    let mut first = true;
    for (path, values) in kept {
        // A pattern drops the dot after an empty name, so such a path is one name.
        let whole = flat || path.split('.').any(str::is_empty);
        let mut steps: Vec<&str> = if whole { vec![path] } else { path.split('.').collect() };
        let name = steps.pop().unwrap_or("");
        let common = open.iter().zip(&steps).take_while(|(left, right)| left == right).count();
        for _ in common..open.len() {
            out.push('}');
        }
        open.truncate(common);
        if !first {
            out.push(',');
        }
        for step in steps.iter().skip(common) {
            out.push_str(&quote(step));
            out.push_str(":{");
            open.push(step);
        }
        out.push_str(&quote(name));
        out.push_str(":[");
        if values.is_empty() {
            out.push_str("{\"exists\":true}");
        } else {
            out.push_str(&values.join(","));
        }
        out.push(']');
        first = false;
    }
    for _ in 0..=open.len() {
        out.push('}');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn event(fields: usize, value: &str) -> String {
        let fields: Vec<String> = (0..fields).map(|at| format!(r#""field{at}":"{value}""#)).collect();
        format!(r#"{{"source":"s","detail-type":"d","detail":{{{}}}}}"#, fields.join(","))
    }

    #[test]
    fn the_work_for_too_many_fields_is_linear() {
        let calls = |fields: usize| {
            let (event, calls) = (event(fields, "constant value"), Cell::new(0));
            let matches = |pattern: &Pattern, first: usize| {
                calls.set(calls.get() + first);
                super::super::is_match(pattern, &event)
            };
            let inferred = infer_of([&*event, &*event], Dialect::EventBridge, &|_| None, &matches).unwrap();
            assert!(inferred.pattern.starts_with(r#"{"source":["s"],"detail-type":["d"],"detail":{"#), "{inferred:?}");
            calls.get()
        };
        assert_eq!((calls(300), calls(3_000)), (2, 2));
    }

    #[test]
    fn the_search_for_fields_that_do_not_match_is_bounded() {
        let (event, events) = (event(20, &"x".repeat(50)), 20_000);
        let (size, judged) = (event.len(), Cell::new(0));
        let matches = |_: &Pattern, first: usize| {
            judged.set(judged.get() + first * size);
            first < events
        };
        let inferred = infer_of(vec![&*event; events], Dialect::EventBridge, &|_| None, &matches).unwrap();
        assert_eq!(inferred.pattern, "{}");
        // Each field alone, one removed at a time, then halves; then the presence of 20 fields.
        let most = 2 * JUDGED + (8 + 20) * events * size;
        assert!(judged.get() > JUDGED && judged.get() <= most, "{} of {most}", judged.get());
    }
}
