//! How the service rates wildcards: the largest number of places that its automaton of one field can be at.
//!
//! The rating is that of the service's own automata, so this builds them: sub-rules share states where their lists
//! begin with tests that mean the same, and the wildcards of one field in one state are one nondeterministic automaton.

use std::rc::Rc;

use super::ast::{AnythingBut, Ast, NodeKind, Operand, Test, TestKind, WildcardOperand, join_path, object_path};
use super::combinations::or_combinations;
use crate::base::{ListMap, ListSet, Span};
use crate::dialect::BusVersion;
use crate::value::{Address, Bound, Family};

/// The most that sub-rules and their fields may multiply to. A pattern of 4,096 characters stays below.
const MOST_ENTRIES: u64 = 1_000_000;
/// The most places that the subset construction of all fields may visit.
const MOST_PLACES: u64 = 4_000_000;

pub(super) fn has_wildcards(ast: &Ast) -> bool {
    ast.tests.iter().any(|test| !wildcards(test).is_empty())
}

/// The complexity of a pattern, or any number above `enough` if it is above; 0 without wildcards. None if rating takes
/// too long.
pub(super) fn of(ast: &Ast, version: BusVersion, enough: u32) -> Option<u32> {
    within(ast, version, enough, MOST_PLACES)
}

/// As [`of`], for a message: with less effort.
pub(super) fn for_message(ast: &Ast, version: BusVersion) -> Option<u32> {
    within(ast, version, u32::MAX, MOST_PLACES / 20)
}

fn within(ast: &Ast, version: BusVersion, enough: u32, mut budget: u64) -> Option<u32> {
    if !has_wildcards(ast) {
        return Some(0);
    }
    let mut rated: ListSet<Additions<'_>> = ListSet::new();
    let mut worst = 0;
    for additions in automata(ast, version)? {
        if rated.contains(&additions) {
            continue;
        }
        let complexity = rate(&additions, enough, &mut budget)?;
        if complexity > enough {
            return Some(complexity);
        }
        worst = worst.max(complexity);
        rated.insert(additions);
    }
    Some(worst)
}

/// The field list whose wildcards alone are rated highest.
pub(super) fn worst_field(ast: &Ast) -> Option<(Span, u32)> {
    let mut budget = MOST_PLACES / 20;
    let mut worst: Option<(Span, u32)> = None;
    for node in &ast.nodes {
        let mut additions = ListMap::new();
        add(&mut additions, ast.tests_of(node));
        if additions.is_empty() {
            continue;
        }
        let complexity = rate(&ascending(additions), u32::MAX, &mut budget).unwrap_or(u32::MAX);
        if worst.is_none_or(|(_, most)| complexity > most) {
            worst = Some((node.span, complexity));
        }
    }
    worst
}

/// The wildcards of one test, ascending and each once: one of `wildcard`, several of `anything-but`.
type Wildcards<'a> = Vec<&'a str>;

/// The tests with wildcards that are one automaton, ascending, each with how often it is added. (A `wildcard` and an
/// `anything-but` are never the same test.)
type Additions<'a> = Vec<((bool, Wildcards<'a>), u32)>;

/// Adds the tests of a list.
fn add<'a>(additions: &mut ListMap<(bool, Wildcards<'a>), u32>, tests: &'a [Test]) {
    for test in tests {
        let mut texts: Wildcards<'a> = wildcards(test).iter().map(|wildcard| &*wildcard.operand.text).collect();
        if !texts.is_empty() {
            texts.sort_unstable();
            texts.dedup();
            let excluded = matches!(test.kind, TestKind::AnythingBut(_));
            let count = additions.entry((excluded, texts), || 0);
            *count = count.saturating_add(1);
        }
    }
}

fn ascending<'a>(additions: ListMap<(bool, Wildcards<'a>), u32>) -> Additions<'a> {
    let mut additions = additions.into_entries();
    additions.sort_unstable();
    additions
}

fn wildcards(test: &Test) -> &[WildcardOperand] {
    match &test.kind {
        TestKind::Wildcard(operand) => std::slice::from_ref(operand),
        TestKind::AnythingBut(AnythingBut::Wildcard(operands)) => operands,
        _ => &[],
    }
}

/// A path as UTF-16 units, by which the service sorts.
type Path = Rc<[u16]>;

/// A sub-rule: paths with the nodes of their lists. Once complete, each path once and ascending.
type Rule = Vec<(Path, usize)>;

/// A state of the service's machine, and the field that is read next.
type Step = (usize, Path);

/// What is added to each automaton. None if there are too many sub-rules.
fn automata(ast: &Ast, version: BusVersion) -> Option<Vec<Additions<'_>>> {
    let fields = ast.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Field { .. })).count() as u64;
    if or_combinations(ast).saturating_mul(fields) > MOST_ENTRIES {
        return None;
    }
    let mut rules = vec![Rule::new()];
    expand(ast, 0, None, &mut rules);
    rules.iter_mut().for_each(complete);

    // A list may lead on to several states, in all of which its sub-rule goes on.
    let mut machines: ListMap<Step, Machine<'_>> = ListMap::new();
    let mut states = 1;
    let mut entries = 0;
    for rule in &rules {
        let lists = || rule.iter().filter_map(|(_, node)| ast.nodes.get(*node)).map(|node| ast.tests_of(node));
        if !lists().any(|tests| tests.iter().any(|test| !wildcards(test).is_empty())) {
            continue;
        }
        let mut current = vec![0];
        for ((path, _), tests) in rule.iter().zip(lists()) {
            let mut next = Vec::new();
            for state in current {
                entries += tests.len() as u64;
                if entries > MOST_ENTRIES {
                    return None;
                }
                let machine = machines.entry((state, Rc::clone(path)), Machine::default);
                add(&mut machine.additions, tests);
                // A test that is new leads where the test before it leads.
                let mut last = None;
                for meaning in tests.iter().flat_map(meanings) {
                    let target = *machine.targets.entry(meaning, || {
                        last.unwrap_or_else(|| {
                            states += 1;
                            states - 1
                        })
                    });
                    last = Some(target);
                    next.push(target);
                }
            }
            next.sort_unstable();
            next.dedup();
            current = next;
        }
    }
    let counted = match version {
        BusVersion::V2026_07 => reached(&machines, states),
        BusVersion::V2026_09 => vec![true; states],
    };
    let counted = |state: usize| counted.get(state).copied().unwrap_or(false);
    let additions = machines.into_entries().into_iter().filter(|((state, _), _)| counted(*state));
    let additions = additions.map(|(_, machine)| ascending(machine.additions));
    Some(additions.filter(|additions| !additions.is_empty()).collect())
}

/// The states that are reached by values, not only by the absence of a field.
fn reached(machines: &ListMap<Step, Machine<'_>>, states: usize) -> Vec<bool> {
    let mut edges = vec![Vec::new(); states];
    for ((state, _), machine) in machines.iter() {
        let values = machine.targets.iter().filter(|(meaning, _)| **meaning != Meaning::Absent);
        if let Some(edges) = edges.get_mut(*state) {
            edges.extend(values.map(|(_, target)| *target));
        }
    }
    let mut reached = vec![false; states];
    let mut waiting = vec![0];
    while let Some(state) = waiting.pop() {
        if let Some(flag) = reached.get_mut(state)
            && !std::mem::replace(flag, true)
        {
            waiting.extend(edges.get(state).into_iter().flatten().copied());
        }
    }
    reached
}

/// What leads on from one field in one state.
#[derive(Default)]
struct Machine<'a> {
    /// The states that tests lead to.
    targets: ListMap<Meaning<'a>, usize>,
    additions: ListMap<(bool, Wildcards<'a>), u32>,
}

/// What distinguishes a test from others; its spelling does not matter.
#[derive(PartialEq, Eq, Hash)]
enum Meaning<'a> {
    /// A string that is no address.
    String(&'a str),
    /// What an event spells without quotes.
    Token(&'a str),
    Addresses(Family, u128, u128),
    /// The ends of a range, and whether they are in it.
    Range(Option<(u64, bool)>, Option<(u64, bool)>),
    Present,
    Absent,
    /// Numbers that `anything-but` excludes, ascending.
    Numbers(Vec<u64>),
    /// An operator and its strings, ascending.
    Operator(&'static str, Vec<&'a str>),
}

/// What a test means to the service's machine; a number is there by its value and by its text.
fn meanings(test: &Test) -> Vec<Meaning<'_>> {
    fn operator<'a>(name: &'static str, operand: &'a Operand) -> Vec<Meaning<'a>> {
        vec![Meaning::Operator(name, vec![&*operand.text])]
    }
    match &test.kind {
        TestKind::String(operand) => vec![match Address::parse(operand.text.as_bytes()) {
            Ok(address) => Meaning::Addresses(address.family, address.bits, address.bits),
            Err(_) => Meaning::String(&operand.text),
        }],
        TestKind::Exactly(operand) => vec![Meaning::String(&operand.text)],
        TestKind::Number(number) => {
            let value = number.key.map(|key| Some((key.bits(), true)));
            value.map(|end| Meaning::Range(end, end)).into_iter().chain([Meaning::Token(&number.spelling)]).collect()
        }
        TestKind::Bool(true) => vec![Meaning::Token("true")],
        TestKind::Bool(false) => vec![Meaning::Token("false")],
        TestKind::Null => vec![Meaning::Token("null")],
        TestKind::Prefix(operand) => operator("prefix", operand),
        TestKind::Suffix(operand) => operator("suffix", operand),
        TestKind::PrefixIgnoreCase(folded) => operator("prefix, any case", &folded.operand),
        TestKind::SuffixIgnoreCase(folded) => operator("suffix, any case", &folded.operand),
        TestKind::EqualsIgnoreCase(folded) => operator("any case", &folded.operand),
        TestKind::Wildcard(wildcard) => operator("wildcard", &wildcard.operand),
        TestKind::Numeric(range) => {
            let end = |bound: &Option<Bound>| bound.as_ref().map(|bound| (bound.key.bits(), bound.inclusive));
            vec![Meaning::Range(end(&range.low), end(&range.high))]
        }
        TestKind::Cidr(_, block) => vec![Meaning::Addresses(block.family, block.low, block.high)],
        TestKind::Exists(true) => vec![Meaning::Present],
        TestKind::Exists(false) => vec![Meaning::Absent],
        TestKind::AnythingBut(excluded) => vec![exclusion(excluded)],
    }
}

/// What `anything-but` means: its operands are a set.
fn exclusion(excluded: &AnythingBut) -> Meaning<'_> {
    fn set<'a>(name: &'static str, texts: impl Iterator<Item = &'a Operand>) -> Meaning<'a> {
        let mut texts: Vec<&str> = texts.map(|operand| &*operand.text).collect();
        texts.sort_unstable();
        texts.dedup();
        Meaning::Operator(name, texts)
    }
    match excluded {
        AnythingBut::Strings(operands) => set("but", operands.iter()),
        AnythingBut::Numbers(numbers) => {
            let mut keys: Vec<u64> = numbers.iter().filter_map(|(_, number)| Some(number.key?.bits())).collect();
            keys.sort_unstable();
            keys.dedup();
            Meaning::Numbers(keys)
        }
        AnythingBut::Prefix(operands) => set("but prefix", operands.iter()),
        AnythingBut::Suffix(operands) => set("but suffix", operands.iter()),
        AnythingBut::EqualsIgnoreCase(folded) => set("but any case", folded.iter().map(|folded| &folded.operand)),
        AnythingBut::Wildcard(wildcards) => set("but wildcard", wildcards.iter().map(|wildcard| &wildcard.operand)),
    }
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
    /// The place of the star after this one, where any byte leads.
    star: Option<u32>,
    /// Whether this is a star: any byte leads back.
    loops: bool,
    /// How many different tests pass through; of the chains that spell the same, all at once.
    weight: u32,
}

/// The complexity of the automaton of some tests: over all sets of places that it can be in at once, the most tests
/// passing through them and through the stars right after them.
fn rate(additions: &Additions<'_>, enough: u32, budget: &mut u64) -> Option<u32> {
    let places = build(additions);
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
    /// A byte that a backslash makes an ordinary one.
    Escaped(u8),
    Star,
}

/// The places of all wildcards, quoted.
///
/// Additions share places up to the first plain byte after the first star. From there each has a chain of its own, and
/// chains that begin at one place and spell the same move together: they are one here, with their number as its weight.
/// The closing quote is one place for each test, wherever it is reached from.
fn build(additions: &Additions<'_>) -> Vec<Place> {
    let mut places = vec![Place { weight: weight(additions.len()), ..Place::default() }];
    let mut shared: ListMap<(u32, Token), u32> = ListMap::new();
    let mut chains: ListMap<(u32, Token), u32> = ListMap::new();
    // The test that passed through a place last: the tests come one after the other.
    let mut last: Vec<usize> = vec![0];
    for (test, ((_, texts), count)) in additions.iter().enumerate() {
        let closing = push(&mut places, Place { weight: 1, ..Place::default() });
        last.push(test);
        for text in texts {
            let (mut at, mut before_star, mut starred, mut sharing) = (0_u32, None, false, true);
            for token in tokens(text) {
                sharing &= !(starred && matches!(token, Token::Byte(_)));
                let known = if sharing { shared.get(&(at, token)) } else { chains.get(&(at, token)) };
                let next = known.copied().unwrap_or_else(|| {
                    let next = push(&mut places, Place { loops: token == Token::Star, ..Place::default() });
                    last.push(usize::MAX);
                    if sharing { &mut shared } else { &mut chains }.insert((at, token), next);
                    next
                });
                lead(&mut places, [Some(at), before_star], token, next);
                before_star = (token == Token::Star).then_some(at);
                starred |= token == Token::Star;
                at = next;
                if let (Some(place), Some(last)) = (places.get_mut(at as usize), last.get_mut(at as usize)) {
                    if !sharing {
                        place.weight = place.weight.saturating_add(*count);
                    } else if *last != test {
                        place.weight = place.weight.saturating_add(1);
                    }
                    *last = test;
                }
            }
            lead(&mut places, [Some(at), before_star], Token::Byte(b'"'), closing);
        }
    }
    places
}

fn weight(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn push(places: &mut Vec<Place>, place: Place) -> u32 {
    places.push(place);
    weight(places.len() - 1)
}

/// Leads from places on to the next.
fn lead(places: &mut [Place], from: [Option<u32>; 2], token: Token, next: u32) {
    for from in from.into_iter().flatten() {
        let Some(place) = places.get_mut(from as usize) else { continue };
        match token {
            Token::Byte(byte) | Token::Escaped(byte) => place.edges.push((byte, next)),
            Token::Star => place.star = Some(next),
        }
    }
}

/// The tokens of a wildcard with its opening quote; the closing one leads to the place of the test.
fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let mut bytes = text.bytes();
    std::iter::once(Token::Byte(b'"')).chain(std::iter::from_fn(move || {
        Some(match bytes.next()? {
            b'*' => Token::Star,
            b'\\' => Token::Escaped(bytes.next()?),
            byte => Token::Byte(byte),
        })
    }))
}

#[cfg(test)]
mod tests {
    use crate::dialect::BusVersion;
    use crate::{Dialect, ParseOptions, Pattern};

    /// The rating of a list of wildcards, or of any list.
    fn list(tests: &str) -> u32 {
        rated(&format!(r#"{{"a":[{tests}]}}"#))
    }

    fn rated(text: &str) -> u32 {
        Pattern::parse(text, Dialect::EventBridge).unwrap().wildcard_complexity().unwrap()
    }

    fn wildcard(text: &str) -> String {
        format!(r#"{{"wildcard":"{text}"}}"#)
    }

    #[test]
    fn one_wildcard() {
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
            assert_eq!(list(&wildcard(text)), complexity, "{text}");
        }
    }

    #[test]
    fn several_in_one_list() {
        let lists = |texts: &[&str]| list(&texts.iter().map(|text| wildcard(text)).collect::<Vec<_>>().join(","));
        assert_eq!(lists(&["*/datasync/*.one", "*/datasync/*.two"]), 8);
        let four = ["*/datasync/*.one", "*/datasync/*.two", "*/datasync/*.three", "*/datasync/*.four"];
        assert_eq!(lists(&four), 16);
        // Each addition of a wildcard has a chain of its own after what is shared.
        assert_eq!(lists(&["*a*"; 4]), 9);
        assert_eq!(lists(&["*a*"; 5]), 11);
        // What comes before the first star, and an escape right after it, is shared.
        assert_eq!(lists(&["ab"; 5]), 1);
        assert_eq!(lists(&["ab*"; 5]), 2);
        assert_eq!(lists(&[r"*\\*"; 5]), 2);
    }

    /// The verdicts of the specification (§12) on lists, with the limit of the service on.
    #[test]
    fn verdicts() {
        let exclusions = |count: u8| {
            let texts: Vec<String> =
                (b'a'..b'a' + count).map(|letter| format!("\"*{}*\"", char::from(letter))).collect();
            format!(r#"{{"anything-but":{{"wildcard":[{}]}}}}"#, texts.join(","))
        };
        let alternatives = |count: u8| {
            let branches: Vec<String> = (0..count).map(|number| format!(r#"{{"z":[{number}]}}"#)).collect();
            format!(r#"{{"a":[{}],"$or":[{}]}}"#, wildcard("*a*"), branches.join(","))
        };
        let one_state = |first: &str, second: &str| {
            format!(
                r#"{{"$or":[{{"a":[{first}],"b":[{},{}]}},{{"a":[{second}],"b":[{},{}]}}]}}"#,
                wildcard("*1*"),
                wildcard("*2*"),
                wildcard("*4*"),
                wildcard("*5*")
            )
        };
        let five = |test: &str| format!(r#"{{"a":[{}]}}"#, [test; 5].join(","));
        for (pattern, accepted) in [
            (format!(r#"{{"a":[{}]}}"#, exclusions(4)), true),
            (format!(r#"{{"a":[{}]}}"#, exclusions(8)), true),
            (format!(r#"{{"a":[{}]}}"#, exclusions(9)), false),
            (five(&wildcard("*a*")), false),
            (five(&exclusions(1)), false),
            (alternatives(4), true),
            (alternatives(5), false),
            (one_state("1", r#"{"numeric":["=",1]}"#), false),
            (one_state("1", "1.0"), false),
            (one_state("1", "2"), true),
            (one_state(r#"{"cidr":"10.0.0.0/8"}"#, r#"{"cidr":"10.9.9.9/8"}"#), false),
            (one_state(r#"{"cidr":"10.0.0.0/8"}"#, r#"{"cidr":"10.0.0.0/9"}"#), true),
            (one_state(r#""10.0.0.1""#, r#""010.0.0.1""#), false),
            (one_state(r#""10.0.0.1""#, r#"{"exactly":"10.0.0.1"}"#), true),
            (one_state(r#"{"anything-but":["x","y"]}"#, r#"{"anything-but":["y","x","y"]}"#), false),
            (one_state(r#"{"anything-but":["x","y"]}"#, r#"{"anything-but":["x"]}"#), true),
            (five(&wildcard("*")), true),
        ] {
            let options = ParseOptions::new(Dialect::EventBridge).service_limits(true);
            let parsed = Pattern::parse_with(&pattern, &options);
            assert_eq!(parsed.is_ok(), accepted, "{pattern}: {}", rated(&pattern));
        }
    }

    #[test]
    fn fields_and_branches() {
        assert_eq!(rated(r#"{"a":["*"]}"#), 0);
        assert_eq!(rated(r#"{"a":[{"wildcard":"*a*"}],"b":[{"wildcard":"*"}]}"#), 3);
        assert_eq!(list(r#"{"anything-but":{"wildcard":["*/datasync/*.one"]}},{"wildcard":"*/datasync/*.two"}"#), 8);
        let branches = r#"[{"a":[{"wildcard":"*/datasync/*.one"}]},{"a":[{"wildcard":"*/datasync/*.two"}]}]"#;
        assert_eq!(rated(&format!(r#"{{"$or":{branches}}}"#)), 8);
        // Different values of an earlier field lead to different automata.
        let apart =
            r#"[{"a":[1],"b":[{"wildcard":"*/datasync/*.one"}]},{"a":[2],"b":[{"wildcard":"*/datasync/*.two"}]}]"#;
        assert_eq!(rated(&format!(r#"{{"$or":{apart}}}"#)), 4);
    }

    #[test]
    fn what_is_reached_by_absence_counts_from_september_on() {
        let absent = r#"{"a":[{"exists":false}],"b":[{"wildcard":"*a*a*a*a*a*"}]}"#;
        let rated = |engine| {
            let options = ParseOptions::new(Dialect::EventBridge).engine(engine);
            Pattern::parse_with(absent, &options).unwrap().wildcard_complexity()
        };
        assert_eq!((rated(BusVersion::V2026_07), rated(BusVersion::V2026_09)), (Some(0), Some(11)));
    }

    #[test]
    fn hostile_wildcards_end() {
        let long = format!("*{}", "ab*ba*aab*".repeat(300));
        let text = format!(r#"{{"a":[{{"wildcard":"{}"}}]}}"#, long.replace("**", "*"));
        let options = ParseOptions::new(Dialect::EventBridge).service_limits(true);
        assert!(Pattern::parse_with(&text, &options).is_err());
    }
}
