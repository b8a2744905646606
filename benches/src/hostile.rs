//! Worst-case shapes: each grows in one number, and states the right answers.

use std::fmt::Write as _;

use crate::random::Random;

/// Patterns and events of one size.
#[derive(Clone, Debug)]
pub struct Case {
    /// The patterns.
    pub patterns: Vec<String>,
    /// The events.
    pub events: Vec<Vec<u8>>,
    /// How many matches there are in all events together.
    pub expected: usize,
}

/// A family of cases.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What the table calls it.
    pub name: &'static str,
    /// What the size counts.
    pub unit: &'static str,
    /// The smallest size; the others are twice, four and eight times it.
    pub least: usize,
    /// Makes the case of a size.
    pub make: fn(usize) -> Case,
}

impl Shape {
    /// Whether its events have duplicate keys that decide. Reading that stops early does not see them.
    #[must_use]
    pub fn needs_whole(&self) -> bool {
        self.name == SCATTERED
    }
}

const SCATTERED: &str = "one key with one-element arrays";

/// All shapes, in the order of the table.
pub const SHAPES: [Shape; 30] = [
    Shape { name: "wildcards with shared beginnings", unit: "patterns", least: 1_000, make: shared_wildcards },
    Shape { name: "wildcards that all stay alive", unit: "patterns", least: 1_000, make: alive_wildcards },
    Shape { name: "wildcards that repeat `*a`", unit: "patterns", least: 1_000, make: repeated_wildcards },
    Shape { name: "one wildcard, a long string", unit: "bytes", least: 10_000, make: long_text },
    Shape { name: "array, all elements match", unit: "elements", least: 500, make: |n| array(n, |_| ('x', 'y'), 1) },
    Shape { name: "array, the last one matches", unit: "elements", least: 500, make: last_element },
    Shape { name: "array, no test matches", unit: "elements", least: 500, make: |n| array(n, |_| ('n', 'n'), 0) },
    Shape { name: "array, half of each element matches", unit: "elements", least: 500, make: halves },
    Shape { name: "array, half of the prefixes match", unit: "elements", least: 500, make: half_prefixes },
    Shape { name: "array, two of three fields match", unit: "elements", least: 500, make: three_fields },
    Shape { name: "array of arrays, halves", unit: "elements", least: 512, make: nested_halves },
    Shape { name: "array under 1,000 patterns", unit: "elements", least: 500, make: array_many },
    Shape { name: "`anything-but` lists that exclude", unit: "patterns", least: 1_250, make: excluding_lists },
    Shape { name: "`anything-but` lists that all match", unit: "patterns", least: 1_250, make: matching_lists },
    Shape { name: "one long `anything-but` list", unit: "values", least: 1_250, make: long_list },
    Shape { name: "nested ranges, near the edge", unit: "patterns", least: 1_250, make: nested_ranges },
    Shape { name: "prefixes of prefixes", unit: "patterns", least: 250, make: nested_prefixes },
    Shape { name: "operands without case", unit: "patterns", least: 1_250, make: caseless },
    Shape { name: "rules with one entry", unit: "patterns", least: 1_250, make: one_entry },
    Shape { name: "`exists: false` beside a value", unit: "patterns", least: 1_250, make: absences },
    Shape { name: "parallel `$or` groups", unit: "groups", least: 8, make: or_groups },
    Shape { name: "nested objects", unit: "levels", least: 120, make: nested_objects },
    Shape { name: "keys that no pattern names", unit: "keys", least: 500, make: unknown_keys },
    Shape { name: "keys with one beginning", unit: "keys", least: 500, make: similar_keys },
    Shape { name: "one key again and again", unit: "keys", least: 500, make: repeated_key },
    Shape { name: SCATTERED, unit: "keys", least: 250, make: scattered },
    Shape { name: "`$or` groups below one array", unit: "combinations", least: 64, make: combinations },
    Shape { name: "paths of one pattern", unit: "paths", least: 32, make: paths },
    Shape { name: "keys of 50,000 bytes", unit: "keys", least: 5, make: long_keys },
    Shape { name: "numbers of 1,000 digits", unit: "numbers", least: 10, make: long_numbers },
];

fn case(patterns: Vec<String>, events: impl IntoIterator<Item = String>, expected: usize) -> Case {
    Case { patterns, events: events.into_iter().map(String::into_bytes).collect(), expected }
}

fn letters(random: &mut Random, alphabet: &[&str], count: usize) -> String {
    (0..count).map(|_| random.pick(alphabet)).collect()
}

/// A common beginning, then short pieces that occur everywhere; only the last piece never does.
#[must_use]
pub fn shared_wildcards(count: usize) -> Case {
    let mut random = Random::new(1);
    let wildcards = (0..count).map(|at| {
        let mut wildcard = String::from("arn:aws:s3:");
        for _ in 0..5 {
            let length = random.between(1, 3);
            let _ = write!(wildcard, "*{}", letters(&mut random, &["a", "b"], length));
        }
        format!(r#"{{"k":[{{"wildcard":"{wildcard}*x{at}*"}}]}}"#)
    });
    let wildcards = wildcards.collect();
    let mut random = Random::new(2);
    case(wildcards, (0..20).map(|_| format!(r#"{{"k":"arn:aws:s3:{}"}}"#, letters(&mut random, &["a", "b"], 30))), 0)
}

/// No beginnings are shared for long, and the text goes through nearly all of every wildcard.
#[must_use]
pub fn alive_wildcards(count: usize) -> Case {
    let mut random = Random::new(3);
    let wildcards = (0..count).map(|at| {
        let mut wildcard = String::new();
        let mut letter = b'a' + random.below(3) as u8;
        while letter <= b'z' {
            let _ = write!(wildcard, "*{}", char::from(letter));
            letter += 1 + random.below(4) as u8;
        }
        format!(r#"{{"k":[{{"wildcard":"{wildcard}*{at:05}*"}}]}}"#)
    });
    case(wildcards.collect(), [String::from(r#"{"k":"abcdefghijklmnopqrstuvwxyz/0123/4567/89"}"#)], 0)
}

/// The classic: many stars around one letter.
#[must_use]
pub fn repeated_wildcards(count: usize) -> Case {
    let wildcards = (0..count).map(|at| format!(r#"{{"k":[{{"wildcard":"{}*x{at}"}}]}}"#, "*a".repeat(1 + at % 9)));
    case(wildcards.collect(), [format!(r#"{{"k":"{}x7"}}"#, "a".repeat(38))], usize::from(count > 7))
}

fn long_text(bytes: usize) -> Case {
    let pattern = r#"{"k":[{"wildcard":"*aab*aab*aab*b"}]}"#.to_owned();
    case(vec![pattern], [format!(r#"{{"k":"{}"}}"#, "a".repeat(bytes))], 0)
}

fn items(count: usize, item: impl Fn(usize) -> String) -> String {
    format!(r#"{{"items":[{}]}}"#, (0..count).map(item).collect::<Vec<_>>().join(","))
}

fn array(count: usize, values: impl Fn(usize) -> (char, char), expected: usize) -> Case {
    let event = items(count, |at| {
        let (left, right) = values(at);
        format!(r#"{{"a":"{left}","b":"{right}","c":{at}}}"#)
    });
    case(vec![r#"{"items":{"a":["x"],"b":["y"]}}"#.to_owned()], [event], expected)
}

fn last_element(count: usize) -> Case {
    array(count, |at| ('x', if at + 1 == count { 'y' } else { 'n' }), 1)
}

fn halves(count: usize) -> Case {
    array(count, |at| if at % 2 == 0 { ('x', 'n') } else { ('n', 'y') }, 0)
}

fn half_prefixes(count: usize) -> Case {
    let pattern = r#"{"items":{"a":[{"prefix":"x"}],"b":[{"prefix":"y"}]}}"#;
    Case { patterns: vec![pattern.to_owned()], ..halves(count) }
}

fn three_fields(count: usize) -> Case {
    let pattern = r#"{"items":{"a":["x"],"b":["y"],"c":["z"]}}"#.to_owned();
    let event = items(count, |at| {
        let value = |place: usize, fits: char| if at % 3 == place { 'n' } else { fits };
        format!(r#"{{"a":"{}","b":"{}","c":"{}"}}"#, value(0, 'x'), value(1, 'y'), value(2, 'z'))
    });
    case(vec![pattern], [event], 0)
}

fn nested_halves(count: usize) -> Case {
    let pattern = r#"{"items":{"rows":{"a":["x"],"b":["y"]},"c":["z"]}}"#.to_owned();
    let row = |at: usize| if at.is_multiple_of(2) { r#"{"a":"x","b":"n"}"# } else { r#"{"a":"n","b":"y"}"# };
    let event =
        items(count / 16, |_| format!(r#"{{"rows":[{}],"c":"z"}}"#, (0..16).map(row).collect::<Vec<_>>().join(",")));
    case(vec![pattern], [event], 0)
}

fn array_many(count: usize) -> Case {
    let patterns = (0..1_000).map(|at| format!(r#"{{"items":{{"a":["x{at}"],"b":["y{at}"]}}}}"#));
    let event = items(count, |at| format!(r#"{{"a":"x{}","b":"y{}"}}"#, at % 1_000, (at + 1) % 1_000));
    case(patterns.collect(), [event], 0)
}

fn excluding_lists(count: usize) -> Case {
    let lists = (0..count).map(|at| format!(r#"{{"k":[{{"anything-but":["x","v{at}","w{at}","u{at}","t{at}"]}}]}}"#));
    case(lists.collect(), [String::from(r#"{"k":"x"}"#)], 0)
}

fn matching_lists(count: usize) -> Case {
    let lists = (0..count).map(|at| format!(r#"{{"k":[{{"anything-but":["x","v{at}","w{at}","u{at}","t{at}"]}}]}}"#));
    case(lists.collect(), [String::from(r#"{"k":"v7"}"#)], count - 1)
}

fn long_list(count: usize) -> Case {
    let values: Vec<_> = (0..count).map(|at| format!("\"v{at}\"")).collect();
    let pattern = format!(r#"{{"k":[{{"anything-but":[{}]}}]}}"#, values.join(","));
    case(vec![pattern], [String::from(r#"{"k":"v7"}"#), String::from(r#"{"k":"x"}"#)], 1)
}

fn nested_ranges(count: usize) -> Case {
    let ranges = (0..count).map(|at| format!(r#"{{"k":[{{"numeric":[">=",{at},"<=",{}]}}]}}"#, 1_000_000 - at));
    case(ranges.collect(), [String::from(r#"{"k":3}"#), String::from(r#"{"k":999997.5}"#)], 7)
}

fn nested_prefixes(count: usize) -> Case {
    let prefixes = (1..=count).map(|at| format!(r#"{{"k":[{{"prefix":"{}"}}]}}"#, "a".repeat(at)));
    case(prefixes.collect(), [format!(r#"{{"k":"aaaaab{}"}}"#, "a".repeat(200))], 5)
}

fn caseless(count: usize) -> Case {
    let operands = (0..count).map(|at| format!(r#"{{"k":[{{"equals-ignore-case":"Straße-{at}"}}]}}"#));
    case(operands.collect(), ["STRASSE-7", "STRAßE-7", "strasse-7"].map(|text| format!(r#"{{"k":"{text}"}}"#)), 2)
}

fn one_entry(count: usize) -> Case {
    let rules = (0..count).map(|at| format!(r#"{{"source":["s"],"account":["a"],"n":[{{"numeric":[">",{at}]}}]}}"#));
    case(rules.collect(), [String::from(r#"{"source":"s","account":"a","n":2.5}"#)], 3)
}

fn absences(count: usize) -> Case {
    let rules = (0..count).map(|at| format!(r#"{{"id":["p{at}"],"gone{at}":[{{"exists":false}}]}}"#));
    case(rules.collect(), [r#"{"id":"p7"}"#, r#"{"id":"p8","gone8":1}"#].map(str::to_owned), 1)
}

fn or_groups(count: usize) -> Case {
    let groups: Vec<_> = (0..count).map(|at| format!(r#""g{at}":{{"$or":[{{"a":["x"]}},{{"b":["x"]}}]}}"#)).collect();
    let event = |last: &str| {
        let values = (0..count).map(|at| format!(r#""g{at}":{{"b":"{}"}}"#, if at + 1 == count { last } else { "x" }));
        format!("{{{}}}", values.collect::<Vec<_>>().join(","))
    };
    case(vec![format!("{{{}}}", groups.join(","))], [event("x"), event("n")], 1)
}

fn nested_objects(levels: usize) -> Case {
    let nest = |inner: &str| format!("{}{inner}{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    case(vec![nest(r#"["x"]"#)], [nest(r#""x""#), nest("1")], 1)
}

fn members(count: usize, key: impl Fn(usize) -> String) -> String {
    let members: Vec<_> = (0..count).map(|at| format!(r#""{}":"x""#, key(at))).collect();
    format!("{{{}}}", members.join(","))
}

fn unknown_keys(count: usize) -> Case {
    case(vec![r#"{"wanted":["x"]}"#.to_owned()], [members(count, |at| format!("other{at}"))], 0)
}

fn similar_keys(count: usize) -> Case {
    let patterns = (0..count).map(|at| format!(r#"{{"a-rather-long-key-{at}":["y"]}}"#));
    case(patterns.collect(), [members(count, |at| format!("a-rather-long-key-{at}"))], 0)
}

fn repeated_key(count: usize) -> Case {
    case(vec![r#"{"k":["y"],"l":["z"]}"#.to_owned()], [members(count, |_| "k".to_owned())], 0)
}

fn long_numbers(count: usize) -> Case {
    let numbers: Vec<_> = (0..count).map(|_| "7".repeat(1_000)).collect();
    case(vec![r#"{"k":[7]}"#.to_owned()], [format!(r#"{{"k":[{}]}}"#, numbers.join(","))], 0)
}

/// Scalars of one path in arrays of different keys of one name, so nearly everything goes together with everything.
fn scattered(count: usize) -> Case {
    let pairs = [r#"{"a":"x"},{"b":"y"}"#, r#"{"b":"y"},{"c":"z"}"#, r#"{"c":"z"},{"a":"x"}"#];
    let arrays: Vec<_> = pairs.iter().cycle().take(count).map(|pair| format!(r#""r":[{pair}]"#)).collect();
    case(vec![r#"{"r":{"a":["x"],"b":["y"],"c":["z"]}}"#.to_owned()], [format!("{{{}}}", arrays.join(","))], 1)
}

/// Groups that share an array cannot be kept apart: so many conjunctions.
fn combinations(count: usize) -> Case {
    let group = |at: u32| format!(r#""g{at}":{{"$or":[{{"a":["x"]}},{{"b":["x"]}}]}}"#);
    let groups: Vec<_> = (0..count.ilog2()).map(group).collect();
    let element = |last: &str| {
        let value = |at: u32| format!(r#""g{at}":{{"b":"{}"}}"#, if at + 1 == count.ilog2() { last } else { "x" });
        format!("{{{}}}", (0..count.ilog2()).map(value).collect::<Vec<_>>().join(","))
    };
    let event = |last: &str| format!(r#"{{"items":[{},{}]}}"#, element("n"), element(last));
    case(vec![format!(r#"{{"items":{{{}}}}}"#, groups.join(","))], [event("x"), event("n")], 1)
}

fn paths(count: usize) -> Case {
    let fields: Vec<_> = (0..count).map(|at| format!(r#""f{at}":["x"]"#)).collect();
    let event = |last: &str| {
        let member = |at: usize| format!(r#""f{at}":"{}""#, if at + 1 == count { last } else { "x" });
        format!("{{{}}}", (0..count).map(member).collect::<Vec<_>>().join(","))
    };
    case(vec![format!("{{{}}}", fields.join(","))], [event("x"), event("n")], 1)
}

fn long_keys(count: usize) -> Case {
    let key = |at: usize| format!("{}{at}", "k".repeat(49_990));
    case(vec![format!(r#"{{"{}":["y"]}}"#, key(0))], [members(count, key)], 0)
}
