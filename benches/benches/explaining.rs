//! What an explanation costs: `cargo bench -p eventrie-bench --bench explaining`. The events have 250 KB, near the most
//! that the service takes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eventrie::explain::closest;
use eventrie::{Dialect, Pattern};

const PATTERN: &str = r#"{"source":["shop"],"detail-type":[{"prefix":"Order"}],"detail":{
    "items":{"sku":["A1"],"qty":[{"numeric":[">",5]}],"price":[{"exists":true}]},
    "state":["new",{"suffix":"ed"}],"$or":[{"a":[1]},{"b":[{"anything-but":"q"}]}]}}"#;

fn parse(text: &str) -> Pattern {
    Pattern::parse(text, Dialect::EventBridge).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(1)
    })
}

/// A list of 4,000 objects; the last one matches if `qty` is large.
fn items(qty: u32, state: &str) -> String {
    let item = |n: u32| {
        let qty = if n == 3_999 { qty } else { n % 5 };
        format!(
            r#"{{"sku":"A{}","qty":{qty},"price":{n}.5,"name":"thing number {n}"}}"#,
            if n == 3_999 { 1 } else { n % 7 }
        )
    };
    let items: Vec<String> = (0..4_000).map(item).collect();
    format!(
        r#"{{"source":"shop","detail-type":"Order Placed","detail":{{"items":[{}],"state":"{state}","b":"r"}}}}"#,
        items.join(",")
    )
}

/// Thousands of fields that no pattern names.
fn flat() -> String {
    let fields: Vec<String> = (0..12_000).map(|n| format!(r#""k{n}":"value {n}""#)).collect();
    format!(r#"{{{},"source":"shop","detail":{{"state":"x"}}}}"#, fields.join(","))
}

fn explaining(criterion: &mut Criterion) {
    let pattern = parse(PATTERN);
    let mut group = criterion.benchmark_group("explain");
    for (name, event, matched) in [
        ("match in a list of 4,000", items(9, "new"), true),
        ("no match in a list of 4,000", items(2, "NEW"), false),
        ("no match among 12,000 fields", flat(), false),
    ] {
        let verdict = pattern.explain(event.as_bytes()).map(|explanation| explanation.matched());
        assert_eq!(verdict, Ok(matched), "{name}");
        group.throughput(Throughput::Bytes(event.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| pattern.explain(event.as_bytes())));
    }
    let rules: Vec<Pattern> = (0..1_000)
        .map(|n| {
            parse(&format!(r#"{{"source":["s{n}"],"detail":{{"state":["x{n}"],"n":[{{"numeric":[">",{n}]}}]}}}}"#))
        })
        .collect();
    let event = br#"{"source":"s5","detail":{"state":"x6","n":3}}"#;
    group.throughput(Throughput::Elements(1_000));
    group.bench_function("closest of 1,000 rules", |bencher| bencher.iter(|| closest(&rules, event, 5)));
    group.bench_function("lint", |bencher| {
        bencher.iter(|| pattern.lint_with(&eventrie::pattern::LintOptions::default().notes(true)))
    });
    group.finish();
}

criterion_group!(benches, explaining);
criterion_main!(benches);
