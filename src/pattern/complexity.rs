//! How costly the service rates wildcards: the largest number of places that its automaton of one field can be at.
//!
//! The rating is that of the service's own automata, so this builds them: sub-rules share states where their lists
//! begin with known tests, and the wildcards of one field in one state are one nondeterministic automaton.

use std::rc::Rc;

use super::ast::{AnythingBut, Ast, NodeKind, Test, TestKind, WildcardOperand, join_path, object_path};
use super::check::or_combinations;
use crate::base::{ListMap, ListSet, Span};
use crate::value::Wildcard;

/// The most that sub-rules and their fields may multiply to. A pattern of 4,096 characters stays below.
const MOST_ENTRIES: u64 = 1_000_000;
/// The most places that the subset construction of all fields may visit.
const MOST_PLACES: u64 = 4_000_000;

pub(super) fn has_wildcards(ast: &Ast) -> bool {
    ast.tests.iter().any(|test| !wildcards(test).is_empty())
}

/// The complexity of a pattern, or any number above `enough` if it is above; 0 without wildcards. None if rating takes
/// too long.
pub(super) fn of(ast: &Ast, enough: u32) -> Option<u32> {
    within(ast, enough, MOST_PLACES)
}

/// As [`of`], for a message: with less effort.
pub(super) fn for_message(ast: &Ast) -> Option<u32> {
    within(ast, u32::MAX, MOST_PLACES / 20)
}

fn within(ast: &Ast, enough: u32, mut budget: u64) -> Option<u32> {
    if !has_wildcards(ast) {
        return Some(0);
    }
    let mut rated: ListMap<Vec<&str>, u32> = ListMap::new();
    let mut worst = 0;
    for texts in automata(ast)? {
        let texts = ascending(texts);
        if rated.contains_key(&texts) {
            continue;
        }
        let complexity = rate(&texts, enough, &mut budget)?;
        if complexity > enough {
            return Some(complexity);
        }
        worst = worst.max(complexity);
        rated.insert(texts, complexity);
    }
    Some(worst)
}

/// The field list whose wildcards alone are rated highest.
pub(super) fn worst_field(ast: &Ast) -> Option<(Span, u32)> {
    let mut budget = MOST_PLACES / 20;
    let mut worst: Option<(Span, u32)> = None;
    for node in &ast.nodes {
        let texts = ascending(ast.tests_of(node).iter().flat_map(wildcards).map(text).collect());
        if texts.is_empty() {
            continue;
        }
        let complexity = rate(&texts, u32::MAX, &mut budget).unwrap_or(u32::MAX);
        if worst.is_none_or(|(_, most)| complexity > most) {
            worst = Some((node.span, complexity));
        }
    }
    worst
}

fn wildcards(test: &Test) -> &[WildcardOperand] {
    match &test.kind {
        TestKind::Wildcard(operand) => std::slice::from_ref(operand),
        TestKind::AnythingBut(AnythingBut::Wildcard(operands)) => operands,
        _ => &[],
    }
}

fn ascending(texts: ListSet<&str>) -> Vec<&str> {
    let mut texts: Vec<&str> = texts.into_keys().collect();
    texts.sort_unstable();
    texts
}

fn text(operand: &WildcardOperand) -> &str {
    &operand.operand.text
}

/// A path as UTF-16 units, by which the service sorts.
type Path = Rc<[u16]>;

/// A sub-rule: paths with the nodes of their lists. Once complete, each path once and ascending.
type Rule = Vec<(Path, usize)>;

/// A state of the service's machine, and the field that is looked at next.
type Step = (usize, Path);

/// The sets of wildcards that are one automaton each. None if there are too many sub-rules.
fn automata(ast: &Ast) -> Option<Vec<ListSet<&str>>> {
    let fields = ast.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Field { .. })).count() as u64;
    if or_combinations(ast).saturating_mul(fields) > MOST_ENTRIES {
        return None;
    }
    let mut rules = vec![Rule::new()];
    expand(ast, 0, None, &mut rules);
    rules.iter_mut().for_each(complete);

    // The states, the automata between them, and which states are reached without the absence of a field.
    let mut machines: ListMap<Step, (ListMap<String, usize>, ListSet<&str>)> = ListMap::new();
    let mut absences: ListMap<Step, usize> = ListMap::new();
    let mut reached = vec![true];
    for rule in &rules {
        let lists = || rule.iter().filter_map(|(_, node)| ast.nodes.get(*node)).map(|node| ast.tests_of(node));
        if !lists().any(|tests| tests.iter().any(|test| !wildcards(test).is_empty())) {
            continue;
        }
        let mut state = 0;
        for ((path, _), tests) in rule.iter().zip(lists()) {
            let at = (state, Rc::clone(path));
            let absent = |test: &Test| matches!(test.kind, TestKind::Exists(false));
            let names: Vec<String> = tests.iter().filter(|test| !absent(test)).map(name).collect();
            let known = machines.get(&at).and_then(|(next, _)| names.iter().find_map(|name| next.get(name).copied()));
            let known = known.or_else(|| tests.iter().any(absent).then(|| absences.get(&at).copied()).flatten());
            let next = known.unwrap_or(reached.len());
            if next == reached.len() {
                reached.push(false);
            }
            if !names.is_empty() {
                if reached.get(state).copied().unwrap_or(false)
                    && let Some(flag) = reached.get_mut(next)
                {
                    *flag = true;
                }
                let (targets, texts) = machines.entry(at.clone(), Default::default);
                for name in names {
                    targets.entry(name, || next);
                }
                texts.extend(tests.iter().flat_map(wildcards).map(text));
            }
            if tests.iter().any(absent) {
                absences.entry(at, || next);
            }
            state = next;
        }
    }
    let counted = |state: usize| reached.get(state).copied().unwrap_or(false);
    Some(
        machines
            .into_entries()
            .into_iter()
            .filter(|((state, _), (_, texts))| counted(*state) && !texts.is_empty())
            .map(|(_, (_, texts))| texts)
            .collect(),
    )
}

/// What tells a test from others.
fn name(test: &Test) -> String {
    let mut name = String::new();
    super::print::kind(&mut name, &test.kind);
    name
}

/// Of several lists for one path the last counts.
fn complete(rule: &mut Rule) {
    rule.sort_by(|left, right| left.0.cmp(&right.0));
    rule.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = later.1;
        }
        same
    });
}

/// The sub-rules of an object: its lists overwrite, its `$or` groups multiply. Recurses as deep as the pattern nests.
fn expand(ast: &Ast, object: usize, path: Option<&str>, rules: &mut Vec<Rule>) {
    for (at, node) in ast.children(object) {
        match (&node.key, node.kind) {
            (_, NodeKind::Or) => {
                let before = std::mem::take(rules);
                for (branch, _) in ast.children(at) {
                    let mut copy = before.clone();
                    expand(ast, branch, path, &mut copy);
                    rules.append(&mut copy);
                }
            }
            (Some(key), NodeKind::Object) => expand(ast, at, Some(&object_path(path, &key.text)), rules),
            (Some(key), NodeKind::Field { .. }) => {
                let path = join_path(path, &key.text);
                let path: Path = path.encode_utf16().collect();
                for rule in rules.iter_mut() {
                    rule.push((Rc::clone(&path), at));
                }
            }
            (None, NodeKind::Object | NodeKind::Field { .. }) => {}
        }
    }
}

/// A place in the automaton of some wildcards.
#[derive(Default)]
struct Place {
    /// Where literal bytes lead.
    edges: Vec<(u8, u32)>,
    /// The place of the star behind this one, where any byte leads.
    star: Option<u32>,
    /// Whether this is a star: any byte leads back.
    loops: bool,
    /// How many wildcards pass through.
    weight: u32,
}

/// The complexity of the automaton of some different wildcards: over all sets of places that it can be in at once, the
/// most wildcards passing through them and through the stars right behind them.
fn rate(texts: &[&str], enough: u32, budget: &mut u64) -> Option<u32> {
    let places = build(texts);
    let place = |at: u32| places.get(at as usize);
    let weight = |at: u32| place(at).map_or(0, |place| place.weight);
    let start: Box<[u32]> = Box::new([0]);
    let mut seen: ListSet<Box<[u32]>> = ListSet::from_iter([start.clone()]);
    let mut waiting = vec![start];
    let mut worst = 0;
    while let Some(set) = waiting.pop() {
        *budget = budget.checked_sub(set.len() as u64)?;
        let mut complexity = 0;
        let mut any = Vec::new();
        let mut edges: Vec<(u8, u32)> = Vec::new();
        for at in &set {
            let Some(here) = place(*at) else { continue };
            complexity += here.weight;
            if let Some(star) = here.star {
                if set.binary_search(&star).is_err() {
                    complexity += weight(star);
                }
                any.push(star);
            }
            if here.loops {
                any.push(*at);
            }
            edges.extend_from_slice(&here.edges);
        }
        worst = worst.max(complexity);
        if worst > enough {
            return Some(worst);
        }
        edges.sort_unstable();
        edges.dedup();
        let mut bytes: Vec<u8> = edges.iter().map(|(byte, _)| *byte).collect();
        bytes.dedup();
        let other = (bytes.len() < 256).then_some(None);
        for byte in bytes.into_iter().map(Some).chain(other) {
            let literal = edges.iter().filter(|(edge, _)| Some(*edge) == byte).map(|(_, to)| *to);
            let mut next: Vec<u32> = any.iter().copied().chain(literal).collect();
            *budget = budget.checked_sub(edges.len() as u64 + next.len() as u64)?;
            next.sort_unstable();
            next.dedup();
            let next = next.into_boxed_slice();
            if !next.is_empty() && !seen.contains(&next) {
                seen.insert(next.clone());
                waiting.push(next);
            }
        }
    }
    Some(worst)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Token {
    Byte(u8),
    Star,
}

/// The places of all wildcards. Texts are quoted; wildcards share places up to and with their first star.
fn build(texts: &[&str]) -> Vec<Place> {
    let mut places = vec![Place::default()];
    let mut shared: ListMap<(u32, Token), u32> = ListMap::new();
    for text in texts {
        let (mut at, mut before_star, mut sharing) = (0_u32, None, true);
        pass(&mut places, at);
        for token in tokens(text) {
            let known = if sharing { shared.get(&(at, token)).copied() } else { None };
            let next = known.unwrap_or_else(|| {
                let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
                places.push(Place { loops: token == Token::Star, ..Place::default() });
                for from in [Some(at), before_star].into_iter().flatten() {
                    if let Some(place) = places.get_mut(from as usize) {
                        match token {
                            Token::Byte(byte) => place.edges.push((byte, next)),
                            Token::Star => place.star = Some(next),
                        }
                    }
                }
                if sharing {
                    shared.insert((at, token), next);
                }
                next
            });
            before_star = (token == Token::Star).then_some(at);
            sharing &= token != Token::Star;
            at = next;
            pass(&mut places, at);
        }
    }
    places
}

fn pass(places: &mut [Place], at: u32) {
    if let Some(place) = places.get_mut(at as usize) {
        place.weight += 1;
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = vec![Token::Byte(b'"')];
    if let Ok(wildcard) = Wildcard::parse(text) {
        for (number, piece) in wildcard.pieces().iter().enumerate() {
            if number > 0 {
                tokens.push(Token::Star);
            }
            tokens.extend(piece.iter().map(|byte| Token::Byte(*byte)));
        }
    }
    tokens.push(Token::Byte(b'"'));
    tokens
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, ParseOptions, Pattern};

    fn rate(texts: &[&str]) -> u32 {
        super::rate(texts, u32::MAX, &mut super::MOST_PLACES.clone()).unwrap()
    }

    #[test]
    fn the_service_rates_so() {
        for (text, complexity) in [
            ("abc", 1),
            ("", 1),
            ("*", 2),
            ("a*", 2),
            ("*a", 2),
            ("*a*", 3),
            ("*/datasync/*.ext", 4),
            ("*a*a*a*a*a", 10),
            ("*a*a*a*a*a*", 11),
            ("/Users/*/dir/dir/dir/dir/dir/doc.txt", 7),
            ("*:*:*:*:*:event-bus/*", 11),
        ] {
            assert_eq!(rate(&[text]), complexity, "{text}");
        }
        assert_eq!(rate(&["*/datasync/*.one", "*/datasync/*.two"]), 8);
        let four = ["*/datasync/*.one", "*/datasync/*.two", "*/datasync/*.three", "*/datasync/*.four"];
        assert_eq!(rate(&four), 16);
    }

    #[test]
    fn fields_and_branches() {
        let rated = |text: &str| Pattern::parse(text, Dialect::EventBridge).unwrap().wildcard_complexity();
        assert_eq!(rated(r#"{"a":["*"]}"#), Some(0));
        assert_eq!(rated(r#"{"a":[{"wildcard":"*a*"}],"b":[{"wildcard":"*"}]}"#), Some(3));
        let list = r#"[{"anything-but":{"wildcard":["*/datasync/*.one"]}},{"wildcard":"*/datasync/*.two"}]"#;
        assert_eq!(rated(&format!(r#"{{"a":{list}}}"#)), Some(8));
        let branches = r#"[{"a":[{"wildcard":"*/datasync/*.one"}]},{"a":[{"wildcard":"*/datasync/*.two"}]}]"#;
        assert_eq!(rated(&format!(r#"{{"$or":{branches}}}"#)), Some(8));
        // Behind different values of an earlier field lie different automata.
        let apart =
            r#"[{"a":[1],"b":[{"wildcard":"*/datasync/*.one"}]},{"a":[2],"b":[{"wildcard":"*/datasync/*.two"}]}]"#;
        assert_eq!(rated(&format!(r#"{{"$or":{apart}}}"#)), Some(4));
        let absent = r#"{"a":[{"exists":false}],"b":[{"wildcard":"*a*a*a*a*a*"}]}"#;
        assert_eq!(rated(absent), Some(0));
    }

    #[test]
    fn hostile_wildcards_end() {
        let long = format!("*{}", "ab*ba*aab*".repeat(300));
        let text = format!(r#"{{"a":[{{"wildcard":"{}"}}]}}"#, long.replace("**", "*"));
        let options = ParseOptions::new(Dialect::EventBridge).service_limits(true);
        assert!(Pattern::parse_with(&text, &options).is_err());
    }
}
