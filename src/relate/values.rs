//! Sets of values: what a list of tests accepts.

use super::effort::Effort;
use super::strings::{Find, Part, Shape, Texts, find};
use crate::base::text::json_string;
use crate::pattern::ast;
use crate::rule::{FoldMode, Test, lower};
use crate::value::{NumberKey, Spelling};

/// What a list accepts: a value of each kind, and absence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values<'p> {
    pub(crate) absent: bool,
    pub(crate) null: bool,
    pub(crate) yes: bool,
    pub(crate) no: bool,
    /// Ascending, disjoint, both ends included.
    pub(crate) numbers: Vec<(NumberKey, NumberKey)>,
    /// Number tokens that cannot be compared: all, or these.
    pub(crate) inexact: bool,
    pub(crate) spellings: Vec<&'p str>,
    pub(crate) texts: Texts<'p>,
}

/// One value, as it is in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    Absent,
    Text(String),
    /// A number, `true`, `false` or `null`, as JSON.
    Value(String),
}

impl Sample {
    /// As JSON; none for absence.
    pub(crate) fn json(&self) -> Option<String> {
        match self {
            Sample::Absent => None,
            Sample::Text(text) => Some(json_string(text)),
            Sample::Value(json) => Some(json.clone()),
        }
    }
}

/// What every value that a test accepts is or contains. Patterns are looked up by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark<'p> {
    /// The string itself.
    Text(&'p [u8]),
    /// A part of the string: at most [`Mark::LONGEST`] bytes.
    Piece(&'p [u8]),
    /// `true`, `false` or `null`.
    Literal(&'p str),
}

impl<'p> Mark<'p> {
    pub(super) const LONGEST: usize = 64;

    fn piece(bytes: &'p [u8]) -> Mark<'p> {
        Mark::Piece(bytes.get(..Mark::LONGEST).unwrap_or(bytes))
    }
}

/// The marks of one test: a string has all of them.
fn marks<'p>(part: &Part<'p>) -> Vec<Mark<'p>> {
    match part {
        Part::Is(Shape::Exact(text)) => vec![Mark::Text(text.as_bytes())],
        Part::Is(Shape::Prefix(text) | Shape::Suffix(text)) if !text.is_empty() => vec![Mark::piece(text.as_bytes())],
        Part::Is(Shape::Form(wildcard)) => {
            let pieces = wildcard.pieces().iter().filter(|piece| !piece.is_empty());
            pieces.map(|piece| Mark::piece(piece)).collect()
        }
        Part::Is(_) | Part::Not(_) => Vec::new(),
    }
}

fn whole() -> (NumberKey, NumberKey) {
    (NumberKey::from_f64(f64::MIN), NumberKey::from_f64(f64::MAX))
}

impl<'p> Values<'p> {
    pub(crate) fn of(tests: impl IntoIterator<Item = &'p ast::Test>) -> Values<'p> {
        let lowered: Vec<Test<'p>> = tests.into_iter().filter_map(|test| lower(&test.kind)).collect();
        Values::of_rule(&lowered)
    }

    /// What a list of lowered tests accepts.
    pub(crate) fn of_rule(tests: &[Test<'p>]) -> Values<'p> {
        let mut all = Values::default();
        for test in tests {
            all.add(test);
        }
        all.numbers = merged(std::mem::take(&mut all.numbers));
        all
    }

    /// Every present value.
    fn present() -> Values<'p> {
        Values {
            absent: false,
            null: true,
            yes: true,
            no: true,
            numbers: vec![whole()],
            inexact: true,
            spellings: Vec::new(),
            texts: Texts::all(),
        }
    }

    pub(crate) fn everything() -> Values<'p> {
        Values { absent: true, ..Values::present() }
    }

    fn add(&mut self, test: &Test<'p>) {
        if let Some(shape) = shape(test) {
            return self.texts.parts.push(Part::Is(shape));
        }
        match test {
            Test::Number(key) => self.numbers.push((*key, *key)),
            Test::Range(low, high) => self.numbers.push((*low, *high)),
            Test::Spelling(spelling) => self.spellings.push(spelling),
            Test::Bool(true) => self.yes = true,
            Test::Bool(false) => self.no = true,
            Test::Null => self.null = true,
            Test::Present => self.join(Values::present()),
            Test::Absent => self.absent = true,
            Test::Not(excluded) => {
                let mut rest = Values::present();
                let points = excluded.iter().filter_map(|one| match one {
                    Test::Number(key) => Some((*key, *key)),
                    _ => None,
                });
                rest.numbers = without(&rest.numbers, &merged(points.collect()));
                let shapes: Vec<Shape<'p>> = excluded.iter().filter_map(shape).collect();
                if !shapes.is_empty() {
                    rest.texts = Texts { parts: vec![Part::Not(shapes)] };
                }
                self.join(rest);
            }
            // Those have a shape.
            Test::Text(_)
            | Test::Address(_)
            | Test::Prefix(_)
            | Test::Suffix(_)
            | Test::Fold(..)
            | Test::Wildcard(..)
            | Test::Block(_) => {}
        }
    }

    fn join(&mut self, other: Values<'p>) {
        self.absent |= other.absent;
        self.null |= other.null;
        self.yes |= other.yes;
        self.no |= other.no;
        self.inexact |= other.inexact;
        self.numbers.extend(other.numbers);
        self.spellings.extend(other.spellings);
        self.texts.parts.extend(other.texts.parts);
    }

    /// The marks of which every accepted value has one: where nothing is accepted but strings, booleans and null. Of each
    /// wildcard the piece that `rarest` picks.
    pub(super) fn required(&self, rarest: impl Fn(&[Mark<'p>]) -> Option<Mark<'p>>) -> Option<Vec<Mark<'p>>> {
        if self.absent || self.inexact || !self.numbers.is_empty() || !self.spellings.is_empty() {
            return None;
        }
        let literals = self.literals().map(|json| Some(Mark::Literal(json)));
        literals.chain(self.texts.parts.iter().map(|part| rarest(&marks(part)))).collect()
    }

    /// All marks of the values that are accepted.
    pub(super) fn marks(&self) -> impl Iterator<Item = Mark<'p>> {
        self.literals().map(Mark::Literal).chain(self.texts.parts.iter().flat_map(marks))
    }

    fn literals(&self) -> impl Iterator<Item = &'p str> {
        let literals: [(bool, &'p str); 3] = [(self.null, "null"), (self.yes, "true"), (self.no, "false")];
        literals.into_iter().filter_map(|(is_accepted, json)| is_accepted.then_some(json))
    }

    /// A value that the list names, or that the literal pieces of one of its tests spell.
    pub(super) fn named(&self) -> Option<Sample> {
        let texts = self.texts.parts.iter().find_map(|part| match part {
            Part::Is(Shape::Exact(text) | Shape::Prefix(text) | Shape::Suffix(text)) => {
                Some(Sample::Text((*text).to_owned()))
            }
            Part::Is(Shape::Form(wildcard)) => String::from_utf8(wildcard.pieces().concat()).ok().map(Sample::Text),
            Part::Is(_) | Part::Not(_) => None,
        });
        texts.or_else(|| self.literals().next().map(|json| Sample::Value(json.to_owned())))
    }

    /// The union.
    pub(crate) fn with(mut self, other: Values<'p>) -> Values<'p> {
        self.join(other);
        self.numbers = merged(std::mem::take(&mut self.numbers));
        self
    }

    /// Whether every number that can be compared is accepted.
    pub(crate) fn has_every_number(&self) -> bool {
        self.numbers == [whole()]
    }

    pub(crate) fn accepts(&self, sample: &Sample) -> bool {
        match sample {
            Sample::Absent => self.absent,
            Sample::Text(text) => self.texts.contains(text),
            Sample::Value(json) => match &**json {
                "null" => self.null,
                "true" => self.yes,
                "false" => self.no,
                token => match Spelling::of(token.as_bytes()).key() {
                    Some(number) => self.accepts_number(number),
                    None => self.accepts_spelling(token),
                },
            },
        }
    }

    pub(super) fn accepts_number(&self, number: NumberKey) -> bool {
        self.numbers.iter().any(|(low, high)| *low <= number && number <= *high)
    }

    fn accepts_spelling(&self, spelling: &str) -> bool {
        self.inexact || self.spellings.contains(&spelling)
    }
}

/// The strings that a test of strings accepts; none if it is no such test.
fn shape<'p>(test: &Test<'p>) -> Option<Shape<'p>> {
    Some(match test {
        Test::Text(text) => Shape::Exact(text),
        Test::Address(address) => Shape::Address(*address),
        Test::Prefix(text) => Shape::Prefix(text),
        Test::Suffix(text) => Shape::Suffix(text),
        Test::Fold(FoldMode::Equals, fold, _) => Shape::FoldEquals(fold),
        Test::Fold(FoldMode::Prefix, fold, _) => Shape::FoldPrefix(fold),
        Test::Fold(FoldMode::Suffix, fold, _) => Shape::FoldSuffix(fold),
        Test::Wildcard(wildcard, _) => Shape::Form(wildcard),
        Test::Block(block) => Shape::Block(*block),
        Test::Number(_)
        | Test::Spelling(_)
        | Test::Bool(_)
        | Test::Null
        | Test::Range(..)
        | Test::Present
        | Test::Absent
        | Test::Not(_) => return None,
    })
}

/// The shortest string that all of `ins` accept and none of `outs`, where one of `ins` accepts only strings that it names: then
/// there is nothing to search for.
fn among_named(ins: &[&Texts<'_>], outs: &[&Texts<'_>], effort: &Effort) -> Option<Find<String>> {
    let named = ins.iter().find_map(|texts| texts.named())?;
    let operands: usize = ins.iter().chain(outs).map(|texts| texts.parts.len()).sum();
    if !effort.take(named.len().saturating_mul(operands)) {
        return Some(Find::Unknown);
    }
    let fits =
        |text: &&str| ins.iter().all(|texts| texts.contains(text)) && !outs.iter().any(|texts| texts.contains(text));
    let shortest = named.into_iter().filter(fits).min_by_key(|text| text.chars().count());
    Some(shortest.map_or(Find::Nothing, |text| Find::Found(text.to_owned())))
}

/// A small value that every one of `inside` accepts and none of `outside`. Absence only if `absence` is allowed.
pub(crate) fn sample(inside: &[&Values<'_>], outside: &[&Values<'_>], absence: bool, effort: &Effort) -> Find<Sample> {
    let all = |test: &dyn Fn(&Values<'_>) -> bool| {
        inside.iter().all(|values| test(values)) && !outside.iter().any(|values| test(values))
    };
    let value = |text: &str| Find::Found(Sample::Value(text.to_owned()));
    if absence && all(&|values| values.absent) {
        return Find::Found(Sample::Absent);
    }
    let mut numbers = vec![whole()];
    for values in inside {
        numbers = common(&numbers, &values.numbers);
    }
    for values in outside {
        numbers = without(&numbers, &values.numbers);
    }
    if let Some(text) = short_number(&numbers) {
        return Find::Found(Sample::Value(text));
    }
    let (ins, outs): (Vec<&Texts<'_>>, Vec<&Texts<'_>>) =
        (inside.iter().map(|values| &values.texts).collect(), outside.iter().map(|values| &values.texts).collect());
    let text = among_named(&ins, &outs, effort).unwrap_or_else(|| find(&ins, &outs, effort));
    if let Find::Found(text) = text {
        return Find::Found(Sample::Text(text));
    }
    if all(&|values| values.null) {
        return value("null");
    }
    if all(&|values| values.yes) {
        return value("true");
    }
    if all(&|values| values.no) {
        return value("false");
    }
    let named = inside.iter().chain(outside).flat_map(|values| values.spellings.iter().copied());
    for spelling in named.chain(["1e999", "2e999"]) {
        if all(&|values| values.accepts_spelling(spelling)) {
            return value(spelling);
        }
    }
    // What remains are numbers that cannot be compared: there is always another spelling if all are accepted.
    match text {
        Find::Unknown => Find::Unknown,
        _ if !numbers.is_empty() => Find::Unknown,
        _ => Find::Nothing,
    }
}

/// Whether everything that `inner` accepts is accepted by `outer`: a proof, a value that is not, or neither.
pub(crate) fn outside(inner: &Values<'_>, outer: &Values<'_>, effort: &Effort) -> Find<Sample> {
    sample(&[inner], &[outer], true, effort)
}

fn merged(mut intervals: Vec<(NumberKey, NumberKey)>) -> Vec<(NumberKey, NumberKey)> {
    intervals.sort_unstable();
    let mut out: Vec<(NumberKey, NumberKey)> = Vec::with_capacity(intervals.len());
    for (low, high) in intervals {
        match out.last_mut() {
            Some(last) if low.bits() <= last.1.bits().saturating_add(1) => last.1 = last.1.max(high),
            _ => out.push((low, high)),
        }
    }
    out
}

fn common(left: &[(NumberKey, NumberKey)], right: &[(NumberKey, NumberKey)]) -> Vec<(NumberKey, NumberKey)> {
    let (mut out, mut left, mut right) = (Vec::new(), left.iter().peekable(), right.iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let (low, high) = (a.0.max(b.0), a.1.min(b.1));
        if low <= high {
            out.push((low, high));
        }
        if a.1 <= b.1 {
            left.next();
        } else {
            right.next();
        }
    }
    out
}

fn without(from: &[(NumberKey, NumberKey)], taken: &[(NumberKey, NumberKey)]) -> Vec<(NumberKey, NumberKey)> {
    let mut out = Vec::new();
    for &(low, high) in from {
        let mut at = low.bits();
        let mut open = true;
        for &(first, last) in taken {
            if last.bits() < at || first > high {
                continue;
            }
            if first.bits() > at {
                out.push((NumberKey::from_bits(at), NumberKey::from_bits(first.bits() - 1)));
            }
            if last >= high {
                open = false;
                break;
            }
            at = last.bits() + 1;
        }
        if open && at <= high.bits() {
            out.push((NumberKey::from_bits(at), high));
        }
    }
    out
}

/// A number in one of the intervals, with few characters.
fn short_number(intervals: &[(NumberKey, NumberKey)]) -> Option<String> {
    let holds = |text: &str| {
        Spelling::of(text.as_bytes())
            .key()
            .is_some_and(|key| intervals.iter().any(|(low, high)| *low <= key && key <= *high))
    };
    if let Some(digit) = (0..10).map(|digit| digit.to_string()).find(|digit| holds(digit)) {
        return Some(digit);
    }
    for (low, high) in intervals {
        let (low, high) = (low.decimal(), high.decimal());
        // With ever fewer digits, the lower end rounded up and the upper one down; the first of the shortest.
        let candidates = (1..=17).rev().flat_map(|count| [rounded(low, count, true), rounded(high, count, false)]);
        if let Some(first) = candidates.filter(|text| holds(text)).min_by_key(String::len) {
            return Some(first);
        }
    }
    None
}

/// A decimal with so many digits at most, as JSON.
fn rounded((negative, mut digits, mut exponent): (bool, u64, i64), count: u32, up: bool) -> String {
    let mut exact = true;
    while digits >= 10_u64.pow(count) {
        exact &= digits % 10 == 0;
        digits /= 10;
        exponent += 1;
    }
    if !exact && up != negative {
        digits += 1;
    }
    let sign = if negative { "-" } else { "" };
    let scientific = format!("{sign}{digits}e{exponent}");
    let digits = digits.to_string();
    let point = digits.len() as i64 + exponent;
    let plain = match usize::try_from(exponent) {
        Ok(zeros) if zeros < 20 => format!("{sign}{digits}{}", "0".repeat(zeros)),
        Err(_) if point > 0 => {
            let (whole, fraction) = digits.split_at_checked(point as usize).unwrap_or((&digits, "0"));
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) if point > -20 => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        _ => return scientific,
    };
    if scientific.len() < plain.len() { scientific } else { plain }
}
