//! Places in an event, and why a path leads nowhere.

use super::alike::Similar;
use super::report::{Element, MissKind, NearMiss, Place};
use super::words::{json, plain, quoted};
use crate::base::Span;
use crate::dialect::envelope::DYNAMO_TYPES;
use crate::dialect::{Dialect, Word};
use crate::json::{Kind, Node, Tree};
use crate::limit::Limits;
use crate::pattern::ast::{Test, TestKind};

/// A tree with the way up from each node.
pub(super) struct Map<'t> {
    pub(super) tree: &'t Tree<'t>,
    /// For each node: the node around it, and its index among that node's children.
    above: Vec<(u32, u32)>,
}

/// A pointer of more bytes than this is cut; only hostile events have one.
const LONGEST: usize = 4_096;
/// The most nodes that are read for one path.
const VISITS: usize = 20_000;

impl<'t> Map<'t> {
    pub(super) fn new(tree: &'t Tree<'t>) -> Map<'t> {
        let mut above = Vec::with_capacity(tree.nodes.len());
        let mut open: Vec<(u32, u32, u32)> = Vec::new();
        for (at, node) in tree.nodes.iter().enumerate() {
            while open.last().is_some_and(|(end, _, _)| *end <= at as u32) {
                open.pop();
            }
            match open.last_mut() {
                Some((_, parent, next)) => {
                    above.push((*parent, *next));
                    *next += 1;
                }
                None => above.push((0, 0)),
            }
            if matches!(node.kind, Kind::Object | Kind::Array) {
                open.push((node.end, at as u32, 0));
            }
        }
        Map { tree, above }
    }

    fn node(&self, at: u32) -> Option<&'t Node> {
        self.tree.nodes.get(at as usize)
    }

    /// The nodes from the event to `at`, without the event.
    fn way(&self, mut at: u32) -> Vec<u32> {
        let mut way = Vec::new();
        while at != 0 {
            way.push(at);
            at = self.above.get(at as usize).map_or(0, |above| above.0);
        }
        way.reverse();
        way
    }

    pub(super) fn pointer(&self, at: u32) -> String {
        let mut out = String::new();
        for node in self.way(at) {
            out.push('/');
            match self.node(node).and_then(|node| node.key) {
                Some(key) => out.push_str(&self.tree.string(key).replace('~', "~0").replace('/', "~1")),
                None => out.push_str(&self.index(node).to_string()),
            }
            if out.len() > LONGEST {
                out.push_str("/…");
                break;
            }
        }
        out
    }

    pub(super) fn index(&self, at: u32) -> u32 {
        self.above.get(at as usize).map_or(0, |above| above.1)
    }

    /// The place as people write it: `detail.items[1].sku`.
    pub(super) fn spoken(&self, at: u32) -> String {
        let mut out = String::new();
        for node in self.way(at) {
            match self.node(node).and_then(|node| node.key) {
                Some(key) => {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(&plain(&self.tree.string(key)));
                }
                None => out.push_str(&format!("[{}]", self.index(node))),
            }
            if out.len() > 200 {
                out.push('…');
                break;
            }
        }
        out
    }

    pub(super) fn place(&self, at: u32) -> Place {
        Place { pointer: self.pointer(at), span: self.node(at).map_or_else(Span::default, |node| node.span) }
    }

    pub(super) fn text(&self, at: u32) -> &'t str {
        self.node(at).map_or("", |node| node.span.slice(self.tree.text()))
    }

    /// The array elements around a node, from the outside. Scalars directly in an array are elements here.
    pub(super) fn elements(&self, at: u32) -> Vec<Element> {
        let elements = self.way(at).into_iter().filter(|node| self.node(*node).is_some_and(|node| node.key.is_none()));
        elements
            .map(|node| {
                let array = self.above.get(node as usize).map_or(0, |above| above.0);
                Element { array: self.pointer(array), index: self.index(node) }
            })
            .collect()
    }

    /// Follows steps from a node: how many were taken at most, and the nodes reached with them (arrays opened).
    fn follow(&self, from: u32, steps: &[&str]) -> (usize, Vec<u32>) {
        let (mut best, mut reached, mut visits) = (0, Vec::new(), 0);
        let mut stack = vec![(from, 0)];
        while let Some((at, taken)) = stack.pop() {
            visits += 1;
            let Some(node) = self.node(at).filter(|_| visits < VISITS) else { break };
            let opened = node.kind == Kind::Array && node.end > at + 1;
            if !opened && taken >= best {
                if taken > best {
                    reached.clear();
                    best = taken;
                }
                reached.push(at);
            }
            let before = stack.len();
            for (child, inner) in self.tree.children(at as usize) {
                visits += 1;
                if visits > VISITS {
                    break;
                }
                let child = child as u32;
                match inner.key {
                    None => stack.push((child, taken)),
                    Some(key) => {
                        let name = self.tree.string(key);
                        let wanted = steps.get(taken..).unwrap_or(&[]);
                        if !wanted.first().is_some_and(|first| name.starts_with(first)) {
                            continue;
                        }
                        let count = name.split('.').count();
                        if wanted.len() >= count && name.split('.').zip(wanted).all(|(left, right)| left == *right) {
                            stack.push((child, taken + count));
                        }
                    }
                }
            }
            // The first child is visited first.
            stack.get_mut(before..).unwrap_or(&mut []).reverse();
        }
        (best, reached)
    }
}

/// Why there is no value at the path `steps`.
pub(super) fn absent(map: &Map<'_>, steps: &[&str], tests: &[Test], dialect: Dialect) -> NearMiss {
    let path = plain(&steps.join("."));
    let miss = |kind: MissKind, message: String, help: Option<String>, at: Option<u32>| NearMiss {
        kind,
        test: None,
        message,
        help,
        place: at.map(|at| map.place(at)),
    };
    if let Some((operator, before)) = steps.split_last()
        && Word::from_name(operator).is_some()
        && let Some(field) = before.last()
    {
        let (taken, reached) = map.follow(0, before);
        let leaf = reached.iter().find(|at| map.node(**at).is_some_and(is_scalar));
        if let (true, Some(leaf)) = (taken == before.len(), leaf) {
            return miss(
                MissKind::OperatorAsField,
                format!(
                    "`{operator}` is outside `[ ]`, so it is read as a field name inside `{}`, which is {}",
                    plain(&before.join(".")),
                    json(map.text(*leaf))
                ),
                Some(format!("write {}: [{{\"{operator}\": …}}]", quoted(field))),
                Some(*leaf),
            );
        }
    }
    let (taken, reached) = map.follow(0, steps);
    if taken == steps.len() {
        return at_container(map, &path, reached.first().copied().unwrap_or(0), tests, miss);
    }
    let missing = steps.get(taken).copied().unwrap_or("");
    let rest = steps.get(taken..).unwrap_or(&[]);
    // A key with nearly this name, in any of the objects that were reached.
    let mut wanted = Similar::to(missing);
    for at in reached.iter().take(100) {
        let similar = map.tree.children(*at as usize).find_map(|(child, node)| {
            let name = map.tree.string(node.key?);
            wanted.is(&name).then_some((child as u32, name))
        });
        if let Some((child, name)) = similar {
            return miss(
                MissKind::SimilarKey,
                format!("{} no field `{}`, but it has `{}`", holder(map, *at), plain(missing), plain(&name)),
                Some(format!("field names must match exactly: write {}", quoted(&name))),
                Some(child),
            );
        }
    }
    let stuck = reached.iter().copied().find(|at| *at != 0 && map.node(*at).is_some_and(is_scalar));
    if let Some(at) = stuck {
        return below_scalar(map, at, rest, dialect, miss);
    }
    if let ([name], Some((at, key, value))) = (rest, pair(map, &reached, missing)) {
        let (key, value, name) = (quoted(&key), quoted(&value), quoted(name));
        return miss(
            MissKind::OtherPlace,
            format!("the event has no field `{path}`, but `{}` is {name}: a list of names and values", map.spoken(at)),
            Some(format!("match both in one entry: {{{key}: [{name}], {value}: […]}}")),
            Some(at),
        );
    }
    if let Some(miss) = elsewhere(map, steps, dialect) {
        return miss;
    }
    let at = reached.first().copied().unwrap_or(0);
    let accepts = tests.iter().any(|test| matches!(test.kind, TestKind::Null | TestKind::AnythingBut(_)));
    let help = accepts.then(|| {
        "a missing field matches neither `null` nor `anything-but`: to accept its absence, add {\"exists\": false} to the \
         list"
            .to_owned()
    });
    let message = if at == 0 {
        match map.node(0).is_some_and(|node| node.end == 1) {
            true if dialect == Dialect::EventsV2Metadata => {
                format!("the metadata is empty, so it has no field `{path}`")
            }
            true => format!("the event is empty, so it has no field `{path}`"),
            false => format!("the event has no field `{path}`"),
        }
    } else {
        format!("`{}` has no field `{}`", map.spoken(at), plain(&rest.join(".")))
    };
    miss(MissKind::Missing, message, help, (at != 0).then_some(at))
}

/// Whether the expected name is the value of a member in one of these objects, as in the lists of tags: the
/// place of it, and the keys of both members.
fn pair(map: &Map<'_>, objects: &[u32], name: &str) -> Option<(u32, String, String)> {
    const PAIRS: [(&str, &str); 6] = [
        ("Key", "Value"),
        ("key", "value"),
        ("Name", "Value"),
        ("name", "value"),
        ("TagKey", "TagValue"),
        ("tagKey", "tagValue"),
    ];
    objects.iter().filter(|at| map.node(**at).is_some_and(|node| node.key.is_none())).take(100).find_map(|at| {
        PAIRS.iter().find_map(|(key, value)| {
            let member = |wanted: &str| {
                let mut members = map.tree.children(*at as usize).take(8);
                members.find(|(_, node)| node.key.is_some_and(|key| map.tree.string(key) == wanted))
            };
            let (place, node) = member(key).filter(|_| member(value).is_some())?;
            let is = node.kind == Kind::String && map.tree.string(node.span) == name;
            is.then(|| (place as u32, (*key).to_owned(), (*value).to_owned()))
        })
    })
}

fn is_scalar(node: &Node) -> bool {
    !matches!(node.kind, Kind::Object | Kind::Array)
}

fn holder(map: &Map<'_>, at: u32) -> String {
    if at == 0 { "the event has".to_owned() } else { format!("`{}` has", map.spoken(at)) }
}

/// The path is there, but its value is not a single value.
fn at_container(
    map: &Map<'_>,
    path: &str,
    at: u32,
    tests: &[Test],
    miss: impl Fn(MissKind, String, Option<String>, Option<u32>) -> NearMiss,
) -> NearMiss {
    let keys: Vec<_> = map.tree.children(at as usize).filter_map(|(_, node)| node.key).take(4).collect();
    let last = path.rsplit('.').next().unwrap_or(path);
    match map.node(at).map(|node| node.kind) {
        Some(Kind::Array) => {
            miss(MissKind::IsEmpty, format!("`{path}` is an empty array, which counts as absent"), None, Some(at))
        }
        _ if keys.is_empty() => {
            miss(MissKind::IsEmpty, format!("`{path}` is an empty object, which counts as absent"), None, Some(at))
        }
        _ => {
            let first = keys.first().map(|key| map.tree.string(*key)).unwrap_or_default();
            if keys.len() == 1 && DYNAMO_TYPES.contains(&&*first) {
                return miss(
                    MissKind::IsObject,
                    format!("`{path}` is an object with the key `{first}`: DynamoDB stores each value under its type"),
                    Some(format!("go one level deeper: {}: {{\"{first}\": […]}}", quoted(last))),
                    Some(at),
                );
            }
            let exists = tests.iter().any(|test| matches!(test.kind, TestKind::Exists(true)));
            let why =
                if exists { "but `exists` tests only single values" } else { "but the pattern expects a single value" };
            miss(
                MissKind::IsObject,
                format!("`{path}` is an object, {why}"),
                Some(format!("name a field inside it, such as `{path}.{}`", plain(&first))),
                Some(at),
            )
        }
    }
}

/// The path goes on below a scalar.
fn below_scalar(
    map: &Map<'_>,
    at: u32,
    rest: &[&str],
    dialect: Dialect,
    miss: impl Fn(MissKind, String, Option<String>, Option<u32>) -> NearMiss,
) -> NearMiss {
    let (place, inside) = (map.spoken(at), plain(&rest.join(".")));
    let Some(node) = map.node(at) else { return miss(MissKind::Missing, String::new(), None, None) };
    match node.kind {
        Kind::String => {
            let text = map.tree.string(node.span);
            if text.trim_start().starts_with(['{', '[']) && Tree::parse(text.trim(), &Limits::default()).error.is_none()
            {
                return miss(
                    MissKind::InsideText,
                    format!(
                        "`{place}` is a string that contains JSON; the pattern expects `{inside}` inside it, but strings are not parsed"
                    ),
                    Some(inside_text_help(dialect, &place)),
                    Some(at),
                );
            }
            let help = match dialect {
                Dialect::Pipes | Dialect::Lambda if !place.contains('.') => {
                    let what = match &*place {
                        "body" => "a message whose `body` is plain text never matches, and is deleted from the queue",
                        "data" => {
                            "a Kinesis record with plain text never matches; for MQ, this part of the pattern is ignored"
                        }
                        "key" | "value" => "for plain text from Kafka, this part of the pattern is ignored",
                        _ => "a record with plain text there never matches",
                    };
                    Some(format!(
                        "the pattern expects JSON in `{place}`; {what}. To match plain text, write {}: [\"…\"]",
                        quoted(&place)
                    ))
                }
                _ => None,
            };
            miss(
                MissKind::NotAnObject,
                format!("`{place}` is the string {}, so it has no field `{inside}`", json(map.text(at))),
                help,
                Some(at),
            )
        }
        Kind::Null => {
            miss(MissKind::NullValue, format!("`{place}` is null, so it has no field `{inside}`"), None, Some(at))
        }
        _ => miss(
            MissKind::NotAnObject,
            format!("`{place}` is {}, so it has no field `{inside}`", json(map.text(at))),
            None,
            Some(at),
        ),
    }
}

fn inside_text_help(dialect: Dialect, place: &str) -> String {
    match dialect {
        Dialect::EventBridge | Dialect::EventsV2Data | Dialect::EventsV2EventSource => {
            "send it as an object, not as a string".to_owned()
        }
        Dialect::EventsV2Metadata | Dialect::EventsV2SystemMetadata => {
            "match the whole string: metadata values are strings and are not parsed".to_owned()
        }
        Dialect::SnsAttributes | Dialect::SnsBody => {
            "send an object: SNS parses the message body itself, but not the strings inside it".to_owned()
        }
        Dialect::Pipes | Dialect::Lambda => {
            format!("send an object: the service parses the payload once, and `{place}` is a string inside it")
        }
    }
}

/// The same path under another object, or inside a string that contains JSON.
fn elsewhere(map: &Map<'_>, steps: &[&str], dialect: Dialect) -> Option<NearMiss> {
    let path = plain(&steps.join("."));
    let found = |at: u32, kind: MissKind, message: String, help: String| {
        Some(NearMiss { kind, test: None, message, help: Some(help), place: Some(map.place(at)) })
    };
    // The pattern has too many steps in front.
    for skipped in 1..steps.len().min(8) {
        let rest = steps.get(skipped..)?;
        let (taken, reached) = map.follow(0, rest);
        if taken == rest.len() {
            let (extra, at) = (plain(&steps.get(..skipped)?.join(".")), *reached.first()?);
            return found(
                at,
                MissKind::OtherPlace,
                format!("the event has no field `{extra}`; `{}` is at the top level", map.spoken(at)),
                format!("remove `{extra}` from the pattern{}", envelope(dialect)),
            );
        }
    }
    // It has too few: look below each object whose key is the first step.
    let first = steps.first()?;
    let mut texts = Vec::new();
    for (at, node) in map.tree.nodes.iter().enumerate().skip(1).take(VISITS) {
        let at = at as u32;
        let Some(key) = node.key else { continue };
        let above = map.above.get(at as usize).map_or(0, |above| above.0);
        if above != 0 && key.slice(map.tree.text()).trim_matches('"') == *first {
            let (taken, reached) = map.follow(above, steps);
            if taken == steps.len() {
                let (holder, at) = (map.spoken(above), *reached.first()?);
                return found(
                    at,
                    MissKind::OtherPlace,
                    format!("the event has no field `{path}` at the top level, but `{holder}` has it"),
                    if holder.split('.').any(str::is_empty) {
                        // Inside an empty name, the service accepts only a name.
                        let name = crate::base::text::json_string(&format!("{holder}.{path}"));
                        format!("write the whole path as one name at the top level: {name}")
                    } else {
                        format!("nest it: {}", nested(&holder, first))
                    },
                );
            }
        }
        if node.kind == Kind::String && texts.len() < 10 && node.span.slice(map.tree.text()).starts_with("\"{") {
            texts.push(at);
        }
    }
    for at in texts {
        let node = map.node(at)?;
        let text = map.tree.string(node.span);
        let inner = Tree::parse(text.trim(), &Limits::default());
        if inner.error.is_some() {
            continue;
        }
        let inner = Map::new(&inner);
        let hit = (0..steps.len().min(8)).find(|skipped| {
            let rest = steps.get(*skipped..).unwrap_or(&[]);
            let (taken, _) = inner.follow(0, rest);
            !rest.is_empty() && taken == rest.len()
        });
        if hit.is_some() {
            let place = map.spoken(at);
            let help = match dialect {
                Dialect::Pipes | Dialect::Lambda if !place.contains('.') => {
                    format!("nest it: {}; the service parses it there", nested(&place, first))
                }
                _ => inside_text_help(dialect, &place),
            };
            return found(
                at,
                MissKind::InsideText,
                format!("the event has no field `{path}`, but the JSON in the string `{place}` has it"),
                help,
            );
        }
    }
    None
}

fn nested(holder: &str, first: &str) -> String {
    let keys: Vec<&str> = holder.split(['.', '[']).filter(|key| !key.ends_with(']')).collect();
    let (open, close) =
        (keys.iter().map(|key| format!("{{{}: ", quoted(key))).collect::<String>(), "}".repeat(keys.len()));
    format!("{open}{{{}: …}}{close}", quoted(first))
}

fn envelope(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Lambda | Dialect::Pipes => {
            " (records have `body` for SQS, `data` for Kinesis and MQ, `dynamodb` for DynamoDB, `value` for Kafka)"
        }
        Dialect::SnsBody => " (with the scope `MessageBody`, the policy begins with the fields of the body)",
        Dialect::EventBridge
        | Dialect::SnsAttributes
        | Dialect::EventsV2Data
        | Dialect::EventsV2Metadata
        | Dialect::EventsV2SystemMetadata
        | Dialect::EventsV2EventSource => "",
    }
}
