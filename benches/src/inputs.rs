//! Every entry point, with hostile input of any size: preparation is not counted, only the work itself.

use std::hint::black_box;

use eventrie::live::Batch;
use eventrie::service::{AttributeType, SnsMessage, Source, Subscription, SubscriptionScratch};
use eventrie::{Dialect, LiveMatcher, Matcher, ParseOptions, Pattern, Scratch};

use crate::hostile::{Case, SHAPES, Shape};

/// A piece of work, ready to be done once. It returns something, so it is not optimized away.
pub type Work = Box<dyn FnMut() -> usize>;

/// Work that grows in one number.
pub struct Input {
    /// What takes the input.
    pub way: &'static str,
    /// What the input is.
    pub name: &'static str,
    /// What the size counts.
    pub unit: &'static str,
    /// The smallest size; the others are twice, four and eight times it.
    pub least: usize,
    /// The size of the input, if it differs from the size parameter.
    pub measure: fn(usize) -> usize,
    /// How much more work twice the input may be.
    pub most: f64,
    /// Whether it is done once before it is counted, because buffers are used again.
    pub warm: bool,
    /// Makes the work of a size.
    pub make: Box<dyn Fn(usize) -> Work>,
}

/// All entry points: building and matching for each hostile shape, then everything else.
#[must_use]
pub fn all() -> Vec<Input> {
    let mut inputs: Vec<Input> = SHAPES.iter().map(matching).collect();
    inputs.extend(SHAPES.iter().map(building));
    inputs.extend(names());
    inputs.extend(arrays());
    inputs.extend(patterns());
    inputs.extend(answers());
    inputs.extend(sources());
    inputs.extend(sets());
    inputs.extend(crate::files::inputs());
    inputs
}

fn input(
    way: &'static str,
    name: &'static str,
    unit: &'static str,
    least: usize,
    make: impl Fn(usize) -> Work + 'static,
) -> Input {
    Input { way, name, unit, least, measure: |size| size, most: 2.2, warm: false, make: Box::new(make) }
}

fn eventbridge(text: &str) -> Pattern {
    must(Pattern::parse(text, Dialect::EventBridge))
}

/// The inputs are made here: an error is a mistake in this file.
#[allow(clippy::panic, reason = "see above")]
fn must<T, E: std::fmt::Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

fn matcher(patterns: &[String]) -> Matcher {
    must(Matcher::new(patterns.iter().map(|text| eventbridge(text))))
}

/// The work of matching events once. The answers are checked.
fn match_all(Case { patterns, events, expected }: Case) -> Work {
    let (matcher, mut scratch) = (matcher(&patterns), Scratch::default());
    Box::new(move || {
        let found = events.iter().map(|event| must(matcher.matches(event, &mut scratch)).len()).sum();
        assert_eq!(found, expected);
        found
    })
}

fn build_all(patterns: &[String]) -> Work {
    let parsed: Vec<Pattern> = patterns.iter().map(|text| eventbridge(text)).collect();
    Box::new(move || must(Matcher::new(parsed.iter().cloned())).len())
}

fn matching(shape: &Shape) -> Input {
    let make = shape.make;
    let make = move |size| match_all(make(size));
    // Long events are read in another way than short ones: large enough that all sizes are read in one.
    let least =
        if shape.least >= 250 && matches!(shape.unit, "elements" | "keys") { shape.least * 8 } else { shape.least };
    Input { warm: true, ..input("match", shape.name, shape.unit, least, make) }
}

fn building(shape: &Shape) -> Input {
    let make = shape.make;
    let built = input("build", shape.name, shape.unit, shape.least, move |size| build_all(&make(size).patterns));
    match shape.name {
        // Each is as long as its number.
        "prefixes of prefixes" => Input { unit: "bytes", measure: |size| size * size / 2, ..built },
        _ => built,
    }
}

/// Bits of a number as letters that a hash of both ends, folded into one word, would not distinguish.
fn colliding(bits: usize) -> String {
    // Bits 0, 3, 4 and 5 of each letter: 29 bits further there is such a bit again, and ASCII stays ASCII.
    let free = |bit: usize| 1_u64 << (bit / 4 * 8 + [0, 3, 4, 5].get(bit % 4).copied().unwrap_or(0));
    let spread = bits.wrapping_mul(0x9E37_79B1);
    let word = |flip: &dyn Fn(usize) -> u64| {
        let chosen = (0..32).filter(|bit| spread >> bit & 1 == 1).fold(0, |word, bit| word ^ flip(bit));
        (u64::from_le_bytes(*b"@@@@@@@@") ^ chosen).to_le_bytes()
    };
    let text = [word(&|bit| free(bit).rotate_left(29)), word(&free)].concat();
    String::from_utf8_lossy(&text).into_owned()
}

fn names() -> Vec<Input> {
    let object = |count: usize, name: fn(usize) -> String, value: &str| {
        let members: Vec<_> = (0..count).map(|at| format!("{:?}:{value}", name(at))).collect();
        format!("{{{}}}", members.join(","))
    };
    let ends: fn(usize) -> String = |at| format!("the-same-beginning-{at:06}-the-same-end");
    let mut inputs = Vec::new();
    for (name, make) in
        [("names whose ends undo each other", colliding as fn(usize) -> String), ("names with equal ends", ends)]
    {
        let case = move |size: usize| {
            let patterns = (0..size).map(|at| format!("{{{:?}:[\"y\"]}}", make(at))).collect();
            Case { patterns, events: vec![object(size, make, "\"x\"").into_bytes()], expected: 0 }
        };
        inputs.push(input("build", name, "names", 1_000, move |size| build_all(&case(size).patterns)));
        inputs.push(Input { warm: true, ..input("match", name, "names", 4_000, move |size| match_all(case(size))) });
    }
    inputs
}

/// Arrays that alternate between fields, or that contain scalars as well as objects.
fn arrays() -> Vec<Input> {
    let halves = |left: usize, right: usize| {
        let item = |at: usize| if at < left { r#"{"a":"x","b":"n"}"# } else { r#"{"a":"n","b":"x"}"# };
        format!("[{}]", (0..left + right).map(item).collect::<Vec<_>>().join(","))
    };
    let one = |name, pattern: &'static str, event: fn(usize) -> String| {
        let case = move |size| Case {
            patterns: vec![pattern.to_owned()],
            events: vec![event(size).into_bytes()],
            expected: 0,
        };
        Input { warm: true, ..input("match", name, "elements", 2_000, move |size| match_all(case(size))) }
    };
    let two = move |size: usize| format!(r#"{{"e":{},"f":{}}}"#, halves(size, size + 2), halves(size + 1, size + 3));
    let mixed =
        |size: usize| format!(r#"{{"e":[{}]}}"#, vec![r#"{"a":"x","b":"n"},"x",{"a":"n","b":"x"}"#; size].join(","));
    let case = move |size| Case {
        patterns: vec![r#"{"e":{"a":["x"],"b":["x"]},"f":{"a":["x"],"b":["x"]}}"#.to_owned()],
        events: vec![two(size).into_bytes()],
        expected: 0,
    };
    let mut inputs = vec![Input {
        warm: true,
        ..input("match", "two arrays, two fields of each", "elements", 2_000, move |size| match_all(case(size)))
    }];
    inputs.push(one("scalars between objects", r#"{"e":["x"],"e.a":["x"],"e.b":["x"]}"#, mixed));
    inputs.push(one("absent scalars between objects", r#"{"e":[{"exists":false}],"e.a":["x"],"e.b":["x"]}"#, mixed));
    inputs
}

fn listed(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(",")
}

/// Name, unit, smallest size, and what makes the text.
type Text = (&'static str, &'static str, usize, fn(usize) -> String);

/// JSON of patterns.
fn texts() -> Vec<Text> {
    vec![
        ("values in one list", "values", 1_000, |n| format!(r#"{{"a":[{}]}}"#, listed(n, |at| format!("\"v{at}\"")))),
        ("one value again and again", "values", 500, |n| format!(r#"{{"a":[{}]}}"#, listed(n, |_| "\"v\"".to_owned()))),
        ("prefixes in one list", "values", 500, |n| {
            format!(r#"{{"a":[{}]}}"#, listed(n, |at| format!(r#"{{"prefix":"v{at}-"}}"#)))
        }),
        ("ranges in one list", "values", 500, |n| {
            format!(r#"{{"a":[{}]}}"#, listed(n, |at| format!(r#"{{"numeric":[">",{at},"<",{}]}}"#, 2 * n - at)))
        }),
        ("fields", "fields", 500, |n| format!("{{{}}}", listed(n, |at| format!(r#""f{at}":["x"]"#)))),
        ("one path again and again", "fields", 500, |n| format!("{{{}}}", listed(n, |_| r#""f":["x"]"#.to_owned()))),
        ("an operator's name again and again", "fields", 500, |n| {
            format!(r#"{{"a":{{{}}}}}"#, listed(n, |_| r#""prefix":["x"]"#.to_owned()))
        }),
        ("absent fields of one object", "fields", 500, |n| {
            format!(r#"{{"a":{{{}}}}}"#, listed(n, |at| format!(r#""f{at}":[{{"exists":false}}]"#)))
        }),
        ("one path outside and inside `$or`", "fields", 250, |n| {
            let outside = listed(n, |_| r#""f":["x"]"#.to_owned());
            format!(r#"{{{outside},"$or":[{}]}}"#, listed(n, |_| r#"{"f":["x"]}"#.to_owned()))
        }),
        ("nested objects", "levels", 120, |n| format!("{}[1]{}", r#"{"a":"#.repeat(n), "}".repeat(n))),
        ("a wildcard of many stars", "stars", 500, |n| format!(r#"{{"a":[{{"wildcard":"{}"}}]}}"#, "*ab".repeat(n))),
        ("wildcards in one list", "values", 250, |n| {
            format!(r#"{{"a":[{}]}}"#, listed(n, |at| format!(r#"{{"wildcard":"*a*{at}*b"}}"#)))
        }),
        ("alternatives of one `$or`", "alternatives", 100, |n| {
            format!(r#"{{"$or":[{}]}}"#, listed(n, |at| format!(r#"{{"a":["x{at}"],"b":["y"]}}"#)))
        }),
        ("parallel `$or` groups", "groups", 25, |n| {
            format!("{{{}}}", listed(n, |at| format!(r#""g{at}":{{"$or":[{{"a":["x"]}},{{"b":["x"]}}]}}"#)))
        }),
    ]
}

fn patterns() -> Vec<Input> {
    let mut inputs = Vec::new();
    for (name, unit, least, make) in texts() {
        let parse = move |size| -> Work {
            let text = make(size);
            Box::new(move || eventbridge(&text).source().len())
        };
        inputs.push(input("parse", name, unit, least, parse));
        let service = move |size| -> Work {
            let text = make(size);
            let options = ParseOptions::new(Dialect::EventBridge).service_limits(true);
            Box::new(move || Pattern::parse_with(&text, &options).map_or_else(|error| error.findings().len(), |_| 0))
        };
        inputs.push(input("parse, service limits", name, unit, least, service));
        let print = move |size| -> Work {
            let pattern = eventbridge(&make(size));
            Box::new(move || pattern.to_string().len())
        };
        inputs.push(input("print", name, unit, least, print));
        let lint = move |size| -> Work {
            let pattern = eventbridge(&make(size));
            Box::new(move || pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true)).len())
        };
        inputs.push(input("lint", name, unit, least, lint));
        let relate = move |size| -> Work {
            let (left, right) = (eventbridge(&make(size)), eventbridge(&make(size)));
            Box::new(move || usize::from(format!("{:?}{:?}", left.covers(&right), left.overlaps(&right)).len() > 3))
        };
        inputs.push(input("covers, overlaps", name, unit, least, relate));
    }
    let faulty = |size: usize| format!("{{{}}}", listed(size, |at| format!(r#""f{at}":{at}"#)));
    inputs.push(input("parse", "faults", "faults", 500, move |size| {
        let text = faulty(size);
        Box::new(move || Pattern::parse(&text, Dialect::EventBridge).map_or_else(|error| error.findings().len(), |_| 0))
    }));
    inputs.push(input("print", "faults, and the service's message", "faults", 500, move |size| {
        let error = Pattern::parse(&faulty(size), Dialect::EventBridge).err();
        Box::new(move || error.as_ref().map_or(0, |error| error.to_string().len() + error.service_message().len()))
    }));
    inputs.push(input("parse", "a policy of one name again and again", "members", 500, |size| {
        let text = format!("{{{}}}", listed(size, |at| format!(r#""a":["x{at}"]"#)));
        Box::new(move || must(Pattern::parse(&text, Dialect::SnsBody)).source().len())
    }));
    inputs
}

/// Explanations, samples and proposals.
fn answers() -> Vec<Input> {
    let mut inputs = Vec::new();
    for shape in &SHAPES {
        let make = shape.make;
        let explain = move |size| -> Work {
            let Case { patterns, events, .. } = make(size);
            let pattern = eventbridge(patterns.first().map_or("", String::as_str));
            Box::new(move || events.iter().map(|event| must(pattern.explain(event)).to_string().len()).sum())
        };
        inputs.push(input("explain", shape.name, shape.unit, shape.least, explain));
    }
    inputs.push(input("explain", "a string that is nearly the expected one", "bytes", 1_000, |size| {
        let pattern = eventbridge(&format!(r#"{{"a":["{}"]}}"#, "ab".repeat(size / 2)));
        let event = format!(r#"{{"a":"{}"}}"#, "ba".repeat(size / 2));
        Box::new(move || must(pattern.explain(event.as_bytes())).to_string().len())
    }));
    inputs.push(input("explain", "a name that is nearly one of many", "keys", 500, |size| {
        let pattern = eventbridge(r#"{"the-name-that-is-asked-for":["x"]}"#);
        let event = format!("{{{}}}", listed(size, |at| format!(r#""the-name-that-was-asked-{at}":"x""#)));
        Box::new(move || must(pattern.explain(event.as_bytes())).to_string().len())
    }));
    inputs.push(input("explain", "absent fields of one object", "fields", 500, |size| {
        let fields = listed(size, |at| format!(r#""f{at}":[{{"exists":false}}]"#));
        let pattern = eventbridge(&format!(r#"{{"a":{{{fields}}}}}"#));
        Box::new(move || must(pattern.explain(b"{}")).to_string().len())
    }));
    inputs.push(input("infer", "events of one shape", "events", 250, |size| {
        let events: Vec<_> =
            (0..size).map(|at| format!(r#"{{"source":"s","n":{at},"d":[{{"k":"v{at}"}}]}}"#)).collect();
        Box::new(move || {
            let inferred = must(eventrie::relate::infer(events.iter().map(String::as_str), Dialect::EventBridge));
            usize::from(format!("{inferred:?}").len() > 10)
        })
    }));
    inputs
}

fn sources() -> Vec<Input> {
    let mut inputs = vec![
        input("SNS", "attributes", "attributes", 500, |size| {
            let policy = must(Subscription::parse(r#"{"a1":["x"]}"#, &ParseOptions::new(Dialect::SnsAttributes), None));
            let message = (0..size).fold(SnsMessage::new(""), |message, at| {
                message.attribute(format!("a{at}"), AttributeType::Array, r#"["x","\"y"]"#)
            });
            let mut scratch = SubscriptionScratch::default();
            Box::new(move || usize::from(must(policy.judge(&message, &mut scratch)).matched))
        }),
        input("SNS", "a message as text", "attributes", 500, |size| {
            let attributes = listed(size, |at| format!(r#""a{at}":{{"Type":"String","Value":"x"}}"#));
            let text = format!(r#"{{"Message":"m","MessageAttributes":{{{attributes}}}}}"#);
            Box::new(move || must(SnsMessage::parse(text.as_bytes())).body().len())
        }),
        input("records", "one record with a large body", "values", 1_000, |size| {
            let options = ParseOptions::new(Dialect::Lambda);
            let filter = must(Subscription::parse(r#"{"body":{"k":["x"]}}"#, &options, Source::Sqs));
            let record = format!(r#"{{"body":"{{{}}}"}}"#, listed(size, |_| r#"\"k\":\"\\u0041\""#.to_owned()));
            let mut scratch = SubscriptionScratch::default();
            Box::new(move || usize::from(must(filter.judge(&record, &mut scratch)).matched))
        }),
        input("records", "one payload again and again", "payloads", 500, |size| {
            let options = ParseOptions::new(Dialect::Pipes);
            let filter = must(Subscription::parse(r#"{"data":{"k":["x"]}}"#, &options, Source::Mq));
            let record = format!("{{{}}}", listed(size, |_| r#""data":"eyJrIjoieSJ9""#.to_owned()));
            let mut scratch = SubscriptionScratch::default();
            Box::new(move || usize::from(must(filter.judge(&record, &mut scratch)).matched))
        }),
        input("records", "a batch", "records", 500, |size| {
            let text = format!(r#"{{"Records":[{}]}}"#, listed(size, |_| r#"{"body":"x"}"#.to_owned()));
            Box::new(move || must(Source::Sqs.records(&text)).len())
        }),
    ];
    inputs.push(input("filter sets", "filters", "filters", 100, |size| {
        let text = format!(r#"{{"Filters":[{}]}}"#, listed(size, |at| format!(r#"{{"Pattern":"{{\"a\":[{at}]}}"}}"#)));
        Box::new(move || {
            let criteria = must(Subscription::parse(&text, &ParseOptions::new(Dialect::Pipes), Source::Sqs));
            criteria.patterns().len()
        })
    }));
    inputs
}

/// Matchers as bytes, and rule sets that change.
fn sets() -> Vec<Input> {
    let rule =
        |at: usize| eventbridge(&format!(r#"{{"source":["s{}"],"id":["i{at}",{{"prefix":"p{at}-"}}]}}"#, at % 7));
    vec![
        input("save", "rules", "rules", 500, move |size| {
            let matcher = must(Matcher::new((0..size).map(rule)));
            Box::new(move || matcher.to_bytes().len())
        }),
        input("load", "rules", "rules", 500, move |size| {
            let bytes = must(Matcher::new((0..size).map(rule))).to_bytes();
            Box::new(move || must(Matcher::from_bytes(&bytes)).len())
        }),
        // Each rule is compiled again whenever the sets before it have doubled a few times: n log n.
        Input {
            most: 2.5,
            ..input("live", "one insertion after the other", "rules", 250, move |size| {
                let rules: Vec<_> = (0..size).map(rule).collect();
                Box::new(move || {
                    let live = LiveMatcher::new();
                    for (at, rule) in rules.iter().enumerate() {
                        must(live.insert(at, rule.clone()));
                    }
                    live.len()
                })
            })
        },
        Input {
            most: 2.5,
            ..input("live", "one removal after the other", "rules", 250, move |size| {
                let live = LiveMatcher::new();
                let mut batch = Batch::new();
                for at in 0..size {
                    batch.insert(at, rule(at));
                }
                must(live.apply(batch));
                Box::new(move || (0..size).filter(|at| black_box(live.remove(at))).count())
            })
        },
    ]
}
