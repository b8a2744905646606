//! Sets of strings, and a string that is in one and not in another.
//!
//! Every test of a string but those of addresses is a small automaton over characters. To find a string, all automata run
//! side by side, breadth first, over the characters that some of them names and one that none names; so the first text
//! found is a shortest one, and finding none is a proof.

use std::collections::VecDeque;

use super::effort::Effort;
use crate::base::ListSet;
use crate::value::{Address, AddressBlock, Fold, Wildcard};

/// What a string can be asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape<'p> {
    Exact(&'p str),
    Prefix(&'p str),
    Suffix(&'p str),
    FoldEquals(&'p Fold),
    FoldPrefix(&'p Fold),
    FoldSuffix(&'p Fold),
    Form(&'p Wildcard),
    Address(Address),
    Block(AddressBlock),
}

impl Shape<'_> {
    pub(crate) fn holds(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        match self {
            Shape::Exact(wanted) => text == *wanted,
            Shape::Prefix(wanted) => text.starts_with(wanted),
            Shape::Suffix(wanted) => text.ends_with(wanted),
            Shape::FoldEquals(fold) => fold.equals(bytes),
            Shape::FoldPrefix(fold) => fold.starts(bytes),
            Shape::FoldSuffix(fold) => fold.ends(bytes),
            Shape::Form(wildcard) => wildcard.matches(bytes),
            Shape::Address(address) => Address::parse(bytes) == Ok(*address),
            Shape::Block(block) => Address::parse(bytes).is_ok_and(|address| block.contains(address)),
        }
    }

    fn is_address(&self) -> bool {
        matches!(self, Shape::Address(_) | Shape::Block(_))
    }

    /// The shape with a byte that no text has for each part that can be anything; none for other shapes.
    fn with_gaps(&self) -> Option<Vec<u8>> {
        const GAP: &[u8] = &[0xff];
        Some(match self {
            Shape::Exact(text) => text.as_bytes().to_vec(),
            Shape::Prefix(text) => [text.as_bytes(), GAP].concat(),
            Shape::Suffix(text) => [GAP, text.as_bytes()].concat(),
            Shape::Form(wildcard) => wildcard.pieces().join(GAP),
            _ => return None,
        })
    }

    /// Whether a string with gaps is accepted, and so whatever fills the gaps.
    fn holds_gaps(&self, text: &[u8]) -> bool {
        match self {
            Shape::Exact(wanted) => text == wanted.as_bytes(),
            Shape::Prefix(wanted) => text.starts_with(wanted.as_bytes()),
            Shape::Suffix(wanted) => text.ends_with(wanted.as_bytes()),
            Shape::Form(wildcard) => wildcard.matches(text),
            _ => false,
        }
    }
}

/// A set of strings: the union of its parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Texts<'p> {
    pub(crate) parts: Vec<Part<'p>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part<'p> {
    Is(Shape<'p>),
    /// Every text that is none of these.
    Not(Vec<Shape<'p>>),
}

impl<'p> Texts<'p> {
    pub(crate) fn all() -> Texts<'p> {
        Texts { parts: vec![Part::Not(Vec::new())] }
    }

    /// The strings, where only single ones are accepted.
    pub(super) fn named(&self) -> Option<Vec<&'p str>> {
        let named = self.parts.iter().map(|part| match part {
            Part::Is(Shape::Exact(text)) => Some(*text),
            Part::Is(_) | Part::Not(_) => None,
        });
        named.collect()
    }

    pub(crate) fn contains(&self, text: &str) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Is(shape) => shape.holds(text),
            Part::Not(shapes) => !shapes.iter().any(|shape| shape.holds(text)),
        })
    }

    /// The same of all strings of which the tests of strings say what they say of `text`, and of which it is only known
    /// whether they may be addresses; none if that decides.
    fn contains_surely(&self, text: &str, may_be_address: bool) -> Option<bool> {
        let mut maybe = false;
        for part in &self.parts {
            let (shapes, is) = match part {
                Part::Is(shape) => (std::slice::from_ref(shape), true),
                Part::Not(shapes) => (&**shapes, false),
            };
            let plain = shapes.iter().any(|shape| !shape.is_address() && shape.holds(text));
            let unsure = !plain && may_be_address && shapes.iter().any(Shape::is_address);
            match (unsure, plain == is) {
                (true, _) => maybe = true,
                (false, true) => return Some(true),
                (false, false) => {}
            }
        }
        if maybe { None } else { Some(false) }
    }

    /// A quick proof that `other` has all of these texts: each part is accepted by one of its parts.
    fn are_plainly_in(&self, other: &Texts<'_>) -> bool {
        self.parts.iter().all(|part| {
            let Part::Is(shape) = part else { return false };
            let Some(text) = shape.with_gaps() else { return false };
            other.parts.iter().any(|part| matches!(part, Part::Is(shape) if shape.holds_gaps(&text)))
        })
    }

    fn shapes(&self) -> impl Iterator<Item = &Shape<'p>> {
        self.parts.iter().flat_map(|part| match part {
            Part::Is(shape) => std::slice::from_ref(shape),
            Part::Not(shapes) => shapes,
        })
    }
}

/// The outcome of looking for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Find<T> {
    Found(T),
    /// There is none.
    Nothing,
    /// Too hard to say.
    Unknown,
}

/// So many pairs of parts are compared before a search begins: that takes less than the search.
const FEW: usize = 64;

/// The most characters of operands, states visited, and steps taken in one search.
const OPERANDS: usize = 20_000;
const STATES: usize = 20_000;
const STEPS: usize = 3_000_000;

/// A shortest text in every one of `inside` and in none of `outside`.
pub(crate) fn find(inside: &[&Texts<'_>], outside: &[&Texts<'_>], effort: &Effort) -> Find<String> {
    if let ([inside], [outside]) = (inside, outside)
        && inside.parts.len() * outside.parts.len() <= FEW
        && inside.are_plainly_in(outside)
    {
        return Find::Nothing;
    }
    let wanted = |text: &str| {
        inside.iter().all(|texts| texts.contains(text)) && !outside.iter().any(|texts| texts.contains(text))
    };
    let sets = || inside.iter().chain(outside);
    let mut machine = Machine::default();
    let (mut size, mut addresses) = (0, Vec::new());
    for shape in sets().flat_map(|texts| texts.shapes()) {
        if shape.is_address() {
            addresses.push(*shape);
        } else {
            size += machine.add(shape);
        }
        if size > OPERANDS {
            return Find::Unknown;
        }
    }
    for text in addresses.iter().flat_map(spellings) {
        if wanted(&text) {
            return Find::Found(text);
        }
    }
    // A block inside a block requires nothing more.
    if !addresses.is_empty() && only_addresses(inside, outside) {
        return Find::Nothing;
    }
    // Whether the answer depends on addresses, of which the automata know only the characters.
    let unsure = |text: &str| {
        let sure = |texts: &&Texts<'_>, wanted: bool| texts.contains_surely(text, true) == Some(!wanted);
        !inside.iter().any(|texts| sure(texts, true)) && !outside.iter().any(|texts| sure(texts, false))
    };
    machine.search(&wanted, if addresses.is_empty() { None } else { Some(&unsure) }, effort)
}

/// Whether all that lies inside are addresses, and each block and address is covered by one block or address outside
/// (or an outside set has all strings).
fn only_addresses(inside: &[&Texts<'_>], outside: &[&Texts<'_>]) -> bool {
    let range = |shape: &Shape<'_>| match shape {
        Shape::Address(address) => Some(AddressBlock { family: address.family, low: address.bits, high: address.bits }),
        Shape::Block(block) => Some(*block),
        _ => None,
    };
    let covered = |block: AddressBlock| {
        outside.iter().flat_map(|texts| &texts.parts).any(|part| match part {
            Part::Is(shape) => range(shape).is_some_and(|outer| {
                outer.family == block.family && outer.low <= block.low && block.high <= outer.high
            }),
            Part::Not(shapes) => shapes.is_empty(),
        })
    };
    inside.iter().any(|texts| {
        texts.parts.iter().all(|part| match part {
            Part::Is(shape) => range(shape).is_some_and(covered),
            Part::Not(_) => false,
        })
    })
}

/// Some strings that an address test accepts.
fn spellings(shape: &Shape<'_>) -> Vec<String> {
    let (family, low, high) = match shape {
        Shape::Address(address) => (address.family, address.bits, address.bits),
        Shape::Block(block) => (block.family, block.low, block.high),
        _ => return Vec::new(),
    };
    let mut texts = Vec::new();
    for bits in [low, low.saturating_add(1).min(high), low + (high - low) / 2, high] {
        match family {
            crate::value::Family::V4 => {
                let address = std::net::Ipv4Addr::from(u32::try_from(bits).unwrap_or(u32::MAX));
                texts.push(address.to_string());
                let [a, b, c, d] = address.octets();
                texts.push(format!("{a:03}.{b:03}.{c:03}.{d:03}"));
                texts.push(format!("::ffff:{:x}:{:x}", u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])));
            }
            crate::value::Family::V6 => {
                let segments = std::net::Ipv6Addr::from(bits).segments();
                texts.push(segments.map(|segment| format!("{segment:x}")).join(":"));
                texts.push(segments.map(|segment| format!("{segment:04X}")).join(":"));
            }
        }
    }
    texts
}

/// The automata of several shapes, their states in one numbering. Every first state is active at the beginning.
#[derive(Default)]
struct Machine {
    states: Vec<State>,
    first: Vec<u32>,
    alphabet: ListSet<char>,
}

#[derive(Default)]
struct State {
    /// Stays active on any character.
    stays: bool,
    edges: Vec<(char, u32)>,
}

impl Machine {
    fn push(&mut self) -> u32 {
        self.states.push(State::default());
        self.states.len() as u32 - 1
    }

    fn stay(&mut self, at: u32) {
        if let Some(state) = self.states.get_mut(at as usize) {
            state.stays = true;
        }
    }

    /// From `at` over `text` to `to`, or to a new state.
    fn chain(&mut self, mut at: u32, text: &str, to: Option<u32>) -> u32 {
        let count = text.chars().count();
        for (index, char) in text.chars().enumerate() {
            let target = match to {
                Some(to) if index + 1 == count => to,
                _ => self.push(),
            };
            self.alphabet.insert(char);
            if let Some(state) = self.states.get_mut(at as usize) {
                state.edges.push((char, target));
            }
            at = target;
        }
        at
    }

    fn fold(&mut self, mut at: u32, fold: &Fold) -> u32 {
        for (lower, upper) in fold.units() {
            let (lower, upper) = (String::from_utf8_lossy(lower), String::from_utf8_lossy(upper));
            let end = self.chain(at, &lower, None);
            if upper != lower {
                self.chain(at, &upper, Some(end));
            }
            at = end;
        }
        at
    }

    /// Adds a shape; gives its size.
    fn add(&mut self, shape: &Shape<'_>) -> usize {
        let before = self.states.len();
        let first = self.push();
        self.first.push(first);
        match shape {
            Shape::Exact(text) => _ = self.chain(first, text, None),
            Shape::Prefix(text) => {
                let end = self.chain(first, text, None);
                self.stay(end);
            }
            Shape::Suffix(text) => {
                self.stay(first);
                self.chain(first, text, None);
            }
            Shape::FoldEquals(fold) => _ = self.fold(first, fold),
            Shape::FoldPrefix(fold) => {
                let end = self.fold(first, fold);
                self.stay(end);
            }
            Shape::FoldSuffix(fold) => {
                self.stay(first);
                self.fold(first, fold);
            }
            Shape::Form(wildcard) => {
                let mut at = first;
                for (index, piece) in wildcard.pieces().iter().enumerate() {
                    if index > 0 {
                        self.stay(at);
                    }
                    at = self.chain(at, &String::from_utf8_lossy(piece), None);
                }
            }
            Shape::Address(_) | Shape::Block(_) => {}
        }
        self.states.len() - before
    }

    /// Looks for a string that is wanted. With `unsure`, finding none is no proof if that is true of some strings that may be
    /// addresses.
    fn search(
        &self,
        wanted: &dyn Fn(&str) -> bool,
        unsure: Option<&dyn Fn(&str) -> bool>,
        effort: &Effort,
    ) -> Find<String> {
        let mut alphabet: Vec<char> = self.alphabet.iter().copied().collect();
        alphabet.sort_unstable();
        // One that nothing names represents all others; with addresses, one of theirs for all others of theirs.
        let unnamed = |char: &char| !self.alphabet.contains(char);
        alphabet
            .extend(('a'..='z').rev().chain('\u{21}'..='\u{ffff}').find(|char| unnamed(char) && !in_address(*char)));
        if unsure.is_some() {
            alphabet.extend("0123456789abcdefABCDEF:.".chars().find(unnamed));
        }
        let mut first = self.first.clone();
        first.sort_unstable();
        first.dedup();
        let mut seen: ListSet<(Vec<u32>, Kin)> = ListSet::from_iter([(first.clone(), Kin::Empty)]);
        let (mut queue, mut steps, mut proof) = (VecDeque::from([(first, Kin::Empty, String::new())]), 0, true);
        while let Some((active, kin, text)) = queue.pop_front() {
            // Each text is compared with each operand; most differ early.
            if !effort.take(self.first.len() * (1 + text.len() / 16)) {
                return Find::Unknown;
            }
            if wanted(&text) {
                return Find::Found(text);
            }
            proof = proof && !(kin == Kin::Address && unsure.is_some_and(|unsure| unsure(&text)));
            for char in &alphabet {
                let (mut next, before) = (Vec::new(), steps);
                for at in &active {
                    let Some(state) = self.states.get(*at as usize) else { continue };
                    steps += 1 + state.edges.len();
                    if state.stays {
                        next.push(*at);
                    }
                    next.extend(state.edges.iter().filter(|(on, _)| on == char).map(|(_, target)| *target));
                }
                if steps > STEPS || seen.len() > STATES || !effort.take(steps - before) {
                    return Find::Unknown;
                }
                next.sort_unstable();
                next.dedup();
                let kin = match kin {
                    _ if unsure.is_none() => Kin::Empty,
                    Kin::Empty | Kin::Address if in_address(*char) => Kin::Address,
                    _ => Kin::Other,
                };
                if seen.insert((next.clone(), kin)) {
                    let mut longer = text.clone();
                    longer.push(*char);
                    queue.push_back((next, kin, longer));
                }
            }
        }
        if proof { Find::Nothing } else { Find::Unknown }
    }
}

/// Whether the characters so far can begin an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kin {
    Empty,
    Address,
    Other,
}

fn in_address(char: char) -> bool {
    char.is_ascii_hexdigit() || char == ':' || char == '.'
}

#[cfg(test)]
mod tests {
    use super::{Effort, Find, Part, Shape, Texts};
    use crate::value::{AddressBlock, Fold, Wildcard};

    fn find(inside: &[&Texts<'_>], outside: &[&Texts<'_>]) -> Find<String> {
        super::find(inside, outside, &Effort::new())
    }

    fn is(shape: Shape<'_>) -> Texts<'_> {
        Texts { parts: vec![Part::Is(shape)] }
    }

    #[test]
    fn inclusion_of_shapes() {
        let (form, wide) = (Wildcard::parse("ab*c").unwrap(), Wildcard::parse("*b*").unwrap());
        let (fold, other) = (Fold::new("ABx"), Fold::new("abXyz"));
        let proven: &[(Shape<'_>, Shape<'_>)] = &[
            (Shape::Exact("abc"), Shape::Prefix("ab")),
            (Shape::Prefix("abc"), Shape::Prefix("ab")),
            (Shape::Form(&form), Shape::Form(&wide)),
            (Shape::Form(&form), Shape::Suffix("c")),
            (Shape::FoldPrefix(&other), Shape::FoldPrefix(&fold)),
            (Shape::Exact("aBX"), Shape::FoldEquals(&fold)),
        ];
        for (inner, outer) in proven {
            assert_eq!(find(&[&is(*inner)], &[&is(*outer)]), Find::Nothing, "{inner:?} {outer:?}");
            assert!(!is(*outer).are_plainly_in(&is(*inner)), "{inner:?} {outer:?}");
            let Find::Found(text) = find(&[&is(*outer)], &[&is(*inner)]) else { panic!("{inner:?} {outer:?}") };
            assert!(outer.holds(&text) && !inner.holds(&text));
        }
    }

    #[test]
    fn complements_and_intersections() {
        let not = Texts { parts: vec![Part::Not(vec![Shape::Exact(""), Shape::Exact("z"), Shape::Prefix("y")])] };
        assert_eq!(find(&[&not], &[]), Find::Found("x".to_owned()));
        assert_eq!(find(&[&Texts::all()], &[&Texts::all()]), Find::Nothing);
        let both = find(&[&is(Shape::Prefix("in/")), &is(Shape::Suffix("/in"))], &[]);
        assert_eq!(both, Find::Found("in/in".to_owned()));
        let neither = find(&[&is(Shape::Prefix("a")), &is(Shape::Prefix("b"))], &[]);
        assert_eq!(neither, Find::Nothing);
    }

    #[test]
    fn addresses() {
        let (small, large) = (AddressBlock::parse("10.1.0.0/16").unwrap(), AddressBlock::parse("10.0.0.0/8").unwrap());
        assert_eq!(find(&[&is(Shape::Block(small))], &[&is(Shape::Block(large))]), Find::Nothing);
        assert!(matches!(find(&[&is(Shape::Block(large))], &[&is(Shape::Block(small))]), Find::Found(_)));
        assert_eq!(
            find(&[&is(Shape::Block(small))], &[&is(Shape::Prefix("10."))]),
            Find::Found("010.001.000.000".into())
        );
    }
}
