//! Conjunctions of 5 to 10 tests over events of 20 attributes, as the literature on matching subscriptions has them.
//!
//! Attributes and values follow Zipf's law. Each rule is made of one of a few events, which it then matches. So an event
//! matches at least one rule in as many as there are events, and nearly matches many others. Rules are written as event
//! patterns and as expressions of the crate `a-tree`, with only the operators that both have.

use std::fmt::Write as _;

use crate::random::Random;

/// Attributes that there are: the first have strings, the others integers.
const ATTRIBUTES: usize = 40;
const STRINGS: usize = 24;
/// Attributes that an event has.
const PRESENT: usize = 20;
/// Different strings of an attribute, and the bound of an integer.
const VALUES: usize = 1_000;
const INTEGERS: usize = 10_000;
/// Bounds of ranges are multiples of it.
const ROUND: usize = 100;

/// A value of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// One of the strings of the attribute, by its rank.
    Text(usize),
    /// An integer.
    Integer(usize),
}

/// An event: for each attribute its value, if it has one.
#[derive(Clone, Debug)]
pub struct Event(pub [Option<Value>; ATTRIBUTES]);

/// What one attribute has to be.
#[derive(Clone, Debug)]
pub enum Test {
    /// One of these strings, by rank.
    Among(Vec<usize>),
    /// There, and none of these strings.
    NotAmong(Vec<usize>),
    /// An integer from one to another, both included; without the second one, no less than the first.
    Range(usize, Option<usize>),
}

/// A rule: tests of different attributes, all of which must be satisfied.
#[derive(Clone, Debug)]
pub struct Rule(pub Vec<(usize, Test)>);

/// Makes any number of rules, all about the same events.
#[derive(Clone, Debug)]
pub struct Rules<'e> {
    events: &'e [Event],
    random: Random,
    ranks: Zipf,
    popularity: Zipf,
}

/// Ranks by Zipf's law with exponent 1.
#[derive(Clone, Debug)]
struct Zipf(Vec<f64>);

impl Zipf {
    fn new(count: usize) -> Zipf {
        let mut sum = 0.0;
        Zipf(
            (1..=count)
                .map(|rank| {
                    sum += 1.0 / rank as f64;
                    sum
                })
                .collect(),
        )
    }

    fn draw(&self, random: &mut Random) -> usize {
        let place = random.unit() * self.0.last().copied().unwrap_or(0.0);
        self.0.partition_point(|sum| *sum < place).min(self.0.len() - 1)
    }
}

/// The name of an attribute.
#[must_use]
pub fn name(attribute: usize) -> String {
    format!("{}{attribute:02}", if is_text(attribute) { "name" } else { "size" })
}

/// Whether an attribute has strings; the others have integers.
#[must_use]
pub fn is_text(attribute: usize) -> bool {
    attribute % ATTRIBUTES < STRINGS
}

/// All attributes.
#[must_use]
pub fn attributes() -> std::ops::Range<usize> {
    0..ATTRIBUTES
}

/// A string of an attribute by its rank.
#[must_use]
pub fn text(attribute: usize, rank: usize) -> String {
    format!("value-{attribute:02}-{rank:04}")
}

/// So many events. Rules made of them match one in `count` of them, at the least.
#[must_use]
pub fn events(count: usize) -> Vec<Event> {
    let (mut random, ranks, popularity) = (Random::new(77), Zipf::new(VALUES), Zipf::new(ATTRIBUTES));
    let event = |_| {
        let mut values = [None; ATTRIBUTES];
        let mut present = 0;
        while present < PRESENT {
            // A step through the attributes that mixes both types among the popular ones.
            let attribute = popularity.draw(&mut random) * 7 % ATTRIBUTES;
            if let Some(value @ None) = values.get_mut(attribute) {
                let known = if is_text(attribute) {
                    Value::Text(ranks.draw(&mut random))
                } else {
                    Value::Integer(random.below(INTEGERS))
                };
                *value = Some(known);
                present += 1;
            }
        }
        Event(values)
    };
    (0..count).map(event).collect()
}

impl<'e> Rules<'e> {
    /// Makes rules about these events.
    #[must_use]
    pub fn new(events: &'e [Event]) -> Rules<'e> {
        Rules { events, random: Random::new(78), ranks: Zipf::new(VALUES), popularity: Zipf::new(ATTRIBUTES) }
    }

    fn test(&mut self, value: Value) -> Test {
        let random = &mut self.random;
        match value {
            Value::Text(rank) => match random.below(10) {
                0..7 => Test::Among(vec![rank]),
                7..9 => {
                    let mut among = vec![rank];
                    among.extend((0..random.between(1, 3)).map(|_| self.ranks.draw(random)));
                    among.sort_unstable();
                    among.dedup();
                    Test::Among(among)
                }
                _ => {
                    let mut others: Vec<usize> = (0..2).map(|_| self.ranks.draw(random)).collect();
                    others.sort_unstable();
                    others.dedup();
                    others.retain(|other| *other != rank);
                    if others.is_empty() { Test::Among(vec![rank]) } else { Test::NotAmong(others) }
                }
            },
            Value::Integer(value) => match random.below(10) {
                0..3 => Test::Range(value, Some(value)),
                // Bounds as people write them, round.
                3..7 => {
                    let (low, high) = (value.saturating_sub(random.below(1_000)), value + random.below(1_000));
                    Test::Range(low - low % ROUND, Some(high + ROUND - high % ROUND))
                }
                7..9 => Test::Range(value - value % (5 * ROUND), None),
                _ => Test::Range(0, Some(value + 5 * ROUND - value % (5 * ROUND))),
            },
        }
    }
}

impl Iterator for Rules<'_> {
    type Item = Rule;

    fn next(&mut self) -> Option<Rule> {
        let events: &[Event] = self.events;
        let event = events.get(self.random.below(events.len()))?;
        let count = self.random.between(5, 10);
        let mut tests: Vec<(usize, Test)> = Vec::with_capacity(count);
        while tests.len() < count {
            let attribute = self.popularity.draw(&mut self.random) * 7 % ATTRIBUTES;
            let value = event.0.get(attribute).copied().flatten();
            if let Some(value) = value.filter(|_| tests.iter().all(|(other, _)| *other != attribute)) {
                let test = self.test(value);
                tests.push((attribute, test));
            }
        }
        tests.sort_by_key(|(attribute, _)| *attribute);
        Some(Rule(tests))
    }
}

/// Values in quotes with commas between.
fn quoted(attribute: usize, ranks: &[usize], quote: char) -> String {
    let each = |rank: &usize| format!("{quote}{}{quote}", text(attribute, *rank));
    ranks.iter().map(each).collect::<Vec<_>>().join(",")
}

impl Rule {
    /// As an event pattern.
    #[must_use]
    pub fn pattern(&self) -> String {
        let mut out = String::from("{");
        for (attribute, test) in &self.0 {
            let comma = if out.len() > 1 { "," } else { "" };
            let _ = write!(out, "{comma}\"{}\":[", name(*attribute));
            let _ = match test {
                Test::Among(ranks) => write!(out, "{}]", quoted(*attribute, ranks, '"')),
                Test::NotAmong(ranks) => write!(out, "{{\"anything-but\":[{}]}}]", quoted(*attribute, ranks, '"')),
                Test::Range(low, Some(high)) if low == high => write!(out, "{low}]"),
                Test::Range(low, Some(high)) => write!(out, "{{\"numeric\":[\">=\",{low},\"<=\",{high}]}}]"),
                Test::Range(low, None) => write!(out, "{{\"numeric\":[\">=\",{low}]}}]"),
            };
        }
        out.push('}');
        out
    }

    /// As an expression of the crate `a-tree`.
    #[must_use]
    pub fn expression(&self) -> String {
        let test = |(attribute, test): &(usize, Test)| {
            let name = name(*attribute);
            match test {
                Test::Among(ranks) => match ranks.as_slice() {
                    [rank] => format!("{name} = '{}'", text(*attribute, *rank)),
                    ranks => format!("{name} in [{}]", quoted(*attribute, ranks, '\'')),
                },
                Test::NotAmong(ranks) => format!("{name} not in [{}]", quoted(*attribute, ranks, '\'')),
                Test::Range(low, Some(high)) if low == high => format!("{name} = {low}"),
                Test::Range(low, Some(high)) => format!("{name} >= {low} and {name} <= {high}"),
                Test::Range(low, None) => format!("{name} >= {low}"),
            }
        };
        self.0.iter().map(test).collect::<Vec<_>>().join(" and ")
    }

    /// Whether an event satisfies every test: what a scan does for each rule.
    #[must_use]
    pub fn matches(&self, event: &Event) -> bool {
        self.0.iter().all(|(attribute, test)| match (event.0.get(*attribute), test) {
            (Some(Some(Value::Text(rank))), Test::Among(ranks)) => ranks.contains(rank),
            (Some(Some(Value::Text(rank))), Test::NotAmong(ranks)) => !ranks.contains(rank),
            (Some(Some(Value::Integer(value))), Test::Range(low, high)) => {
                low <= value && high.is_none_or(|high| *value <= high)
            }
            _ => false,
        })
    }
}

impl Event {
    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Vec<u8> {
        let mut out = String::from("{");
        for (attribute, value) in self.0.iter().enumerate() {
            let comma = if out.len() > 1 { "," } else { "" };
            let _ = match value {
                Some(Value::Text(rank)) => write!(out, "{comma}\"{}\":\"{}\"", name(attribute), text(attribute, *rank)),
                Some(Value::Integer(value)) => write!(out, "{comma}\"{}\":{value}", name(attribute)),
                None => Ok(()),
            };
        }
        out.push('}');
        out.into_bytes()
    }
}
