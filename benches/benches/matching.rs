//! Criterion's view of the workloads: `cargo bench -p eventrie-bench`, or with a filter, `-- families/exact`.

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use eventrie_bench::hostile::SHAPES;
use eventrie_bench::rivals::{Engine, Rival};
use eventrie_bench::rules::Mix;
use eventrie_bench::{aws, check, city, data, rules};

/// Checks the answers, then times each rival that gives them.
fn rivals(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    rivals: &[Rival],
    patterns: &[String],
    events: &[Vec<u8>],
    expected: Option<usize>,
) {
    group.throughput(Throughput::Bytes(events.iter().map(Vec::len).sum::<usize>() as u64));
    let note = |rival: Rival, note: &str| eprintln!("{name}: {} {note}", rival.name());
    match check::engines(rivals, patterns, events, expected, note) {
        Ok((engines, _)) => engines.into_iter().for_each(|engine| time(group, name, engine, events)),
        Err(error) => {
            eprintln!("{name}: {error}");
            std::process::exit(1);
        }
    }
}

fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, mut engine: Engine, events: &[Vec<u8>]) {
    let id = format!("{name}/{}", engine.rival.name());
    group.bench_function(id, |bencher| bencher.iter(|| std::hint::black_box(engine.total(events))));
}

fn families(criterion: &mut Criterion) {
    let events = data::lots(1_000);
    let mut group = criterion.benchmark_group("families");
    for family in city::families() {
        rivals(&mut group, family.name, &Rival::ALL, &family.patterns, &events, None);
    }
}

fn scale(criterion: &mut Criterion) {
    let events = data::events(1_000);
    let mut group = criterion.benchmark_group("scale");
    for (mix, count) in
        [Mix::Full, Mix::Exact].into_iter().flat_map(|mix| [10, 1_000, 100_000].map(|count| (mix, count)))
    {
        let name = format!("{}_{count}", mix.name());
        let who = [Rival::Skip, Rival::Whole, Rival::Early, Rival::Quamina];
        let who = if count > 10_000 { who.get(..3).unwrap_or(&who) } else { &who };
        rivals(&mut group, &name, who, &data::patterns(mix, count), &events, None);
    }
}

fn adversaries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("adversaries");
    for shape in SHAPES {
        for size in [shape.least, shape.least * 4] {
            let case = (shape.make)(size);
            let name = format!("{}/{size}", shape.name);
            let who: &[Rival] = if shape.needs_whole() { &[Rival::Whole] } else { &[Rival::Whole, Rival::Early] };
            rivals(&mut group, &name, who, &case.patterns, &case.events, Some(case.expected));
        }
    }
}

fn small(criterion: &mut Criterion) {
    let events = aws::small_events(1_000);
    let mut group = criterion.benchmark_group("small");
    rivals(&mut group, "300 bytes", &Rival::ALL, &rules::patterns(Mix::Full, 10), &events, None);
}

fn building(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("building");
    for (mix, count) in [(Mix::Full, 1_000), (Mix::Full, 10_000), (Mix::Exact, 10_000)] {
        let patterns = data::patterns(mix, count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(format!("{}_{count}", mix.name()), |bencher| {
            bencher.iter(|| Engine::new(Rival::Whole, &patterns).map(|engine| engine.memory()));
        });
    }
}

criterion_group!(benches, families, scale, adversaries, small, building);
criterion_main!(benches);
