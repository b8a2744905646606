//! Prints the tables of the README, and draws the plots:
//!
//! ```text
//! cargo run --profile dist -p eventrie-bench --bin figures -- [--quick] [--large] [--plots DIR] [GROUP…]
//! ```
//!
//! Groups: `reading`, `families`, `scale`, `conjunctions`, `subscribers`, `adversaries`, `small`, `threads`, and `all` of them,
//! which is the default.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use cpu_time::ThreadTime;
use eventrie::service::SubscriptionScratch;
use eventrie_bench::hostile::{self, Case, SHAPES};
use eventrie_bench::measure::{Effort, interleaved, median};
use eventrie_bench::plot::{self, Line};
use eventrie_bench::rivals::{Engine, Rival};
use eventrie_bench::rules::Mix;
use eventrie_bench::subscribers::{self, Delivered, Ways};
use eventrie_bench::{aws, check, city, data, many, rules, small, threads};

const GROUPS: [&str; 8] =
    ["reading", "families", "scale", "conjunctions", "subscribers", "adversaries", "small", "threads"];

struct Options {
    effort: Effort,
    large: bool,
    plots: Option<PathBuf>,
    groups: Vec<String>,
}

impl Options {
    fn read() -> Result<Options, String> {
        let mut options = Options { effort: Effort::FULL, large: false, plots: None, groups: Vec::new() };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => options.effort = Effort::QUICK,
                "--large" => options.large = true,
                "--plots" => options.plots = Some(arguments.next().ok_or("`--plots` wants a directory")?.into()),
                "all" => options.groups.extend(GROUPS.map(str::to_owned)),
                group if GROUPS.contains(&group) => options.groups.push(argument),
                other => return Err(format!("no group or option `{other}`; groups: {}", GROUPS.join(", "))),
            }
        }
        if options.groups.is_empty() {
            options.groups.extend(GROUPS.map(str::to_owned));
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|argument| argument == threads::WORKER) {
        return threads::worker().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS);
    }
    match Options::read().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    println!("{}\n", machine());
    for group in &options.groups {
        match group.as_str() {
            "reading" => reading(options)?,
            "families" => families(options)?,
            "scale" => scale(options)?,
            "conjunctions" => conjunctions(options)?,
            "subscribers" => subscribers(options)?,
            "adversaries" => adversaries(options)?,
            "small" => small(options)?,
            _ => in_threads(options)?,
        }
    }
    Ok(())
}

/// Processor, flags and commit: without them, a number means nothing.
fn machine() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name.to_owned()));
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = output("git", &["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let dirty = output("git", &["status", "--porcelain"]).is_some_and(|status| !status.is_empty());
    let compiler = output("rustc", &["--version"]).unwrap_or_default();
    format!(
        "Processor: {}, {} threads, {}. {compiler}, release profile, {}. Commit {commit}{}.",
        model.unwrap_or_else(|| "unknown".to_owned()),
        std::thread::available_parallelism().map_or(1, usize::from),
        features().join(" "),
        if cfg!(target_feature = "avx2") { "compiled for this processor" } else { "no target flags" },
        if dirty { " with changes" } else { "" },
    )
}

fn features() -> Vec<&'static str> {
    let mut features = vec![std::env::consts::ARCH];
    #[cfg(target_arch = "x86_64")]
    for (name, has) in [
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("avx512bw", std::arch::is_x86_feature_detected!("avx512bw")),
        ("avx512vbmi2", std::arch::is_x86_feature_detected!("avx512vbmi2")),
    ] {
        if has {
            features.push(name);
        }
    }
    features
}

fn rate(nanoseconds: f64) -> String {
    let rate = 1e9 / nanoseconds;
    match rate {
        1e6.. => format!("{:.2} M", rate / 1e6),
        1e4.. => format!("{:.0} k", rate / 1e3),
        1e3.. => format!("{:.1} k", rate / 1e3),
        _ => format!("{rate:.0}"),
    }
}

fn span(nanoseconds: f64) -> String {
    match nanoseconds {
        1e9.. => format!("{:.2} s", nanoseconds / 1e9),
        1e6.. => format!("{:.1} ms", nanoseconds / 1e6),
        1e3.. => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{nanoseconds:.0} ns"),
    }
}

fn bytes(count: usize) -> String {
    match count {
        1_000_000.. => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.0} kB", count as f64 / 1e3),
    }
}

/// Times rivals on one workload: nanoseconds by rival, and notes about those that are not equivalent.
struct Row {
    times: Vec<(Rival, f64)>,
    notes: Vec<(Rival, String)>,
    matches: usize,
}

impl Row {
    fn measure(
        rivals: &[Rival],
        patterns: &[String],
        events: &[Vec<u8>],
        expected: Option<usize>,
        effort: Effort,
    ) -> Result<Row, String> {
        let mut notes = Vec::new();
        let note = |rival, reason: &str| notes.push((rival, reason.to_owned()));
        let (mut engines, matches) = check::engines(rivals, patterns, events, expected, note)?;
        let times = interleaved(&mut engines, events, effort);
        Ok(Row { times: engines.iter().map(|engine| engine.rival).zip(times).collect(), notes, matches })
    }

    fn time(&self, rival: Rival) -> Option<f64> {
        self.times.iter().find(|(timed, _)| *timed == rival).map(|(_, time)| *time)
    }

    fn cell(&self, rival: Rival) -> String {
        let marked = self.notes.iter().any(|(noted, _)| *noted == rival);
        match self.time(rival) {
            Some(time) => format!("{}{}", rate(time), if marked { "*" } else { "" }),
            None if marked => "–*".to_owned(),
            None => "–".to_owned(),
        }
    }

    /// How many times as fast as another.
    fn times_as_fast(&self, rival: Rival, than: Rival) -> String {
        match (self.time(rival), self.time(than)) {
            (Some(rival), Some(than)) => format!("{:.2}", than / rival),
            _ => "–".to_owned(),
        }
    }
}

fn tell_notes(workload: &str, row: &Row) {
    for (rival, note) in &row.notes {
        println!("\\* {} on {workload}: {note}  ", rival.name());
    }
}

/// What is left of matching when nothing is of interest.
fn reading(options: &Options) -> Result<(), String> {
    println!("## Reading alone: the only rule wants a field that no event has\n");
    println!("| events | bytes | serde_json skip | Whole | against skip |");
    println!("| --- | --- | --- | --- | --- |");
    let patterns = [r#"{"no such field":["x"]}"#.to_owned()];
    let indented = |events: &[Vec<u8>]| -> Result<Vec<Vec<u8>>, String> {
        let text = |event: &Vec<u8>| {
            let value: serde_json::Value = serde_json::from_slice(event)?;
            serde_json::to_vec_pretty(&value)
        };
        events.iter().map(|event| text(event).map_err(|error| error.to_string())).collect()
    };
    let events = data::events(4_000);
    for (name, events) in [
        ("indented", indented(&events)?),
        ("AWS-like", events),
        ("city lots", data::lots(4_000)),
        ("small", aws::small_events(4_000)),
    ] {
        let size = events.iter().map(Vec::len).sum::<usize>() / events.len();
        let row = Row::measure(&[Rival::Skip, Rival::Whole], &patterns, &events, Some(0), options.effort)?;
        let time = |rival| row.time(rival).map_or_else(|| "–".to_owned(), span);
        let ratio = row.times_as_fast(Rival::Whole, Rival::Skip);
        println!("| {name} | {size} | {} | {} | {ratio} |", time(Rival::Skip), time(Rival::Whole));
    }
    println!();
    Ok(())
}

fn families(options: &Options) -> Result<(), String> {
    let events = data::lots(if options.effort.turns > 3 { 10_000 } else { 2_000 });
    let size = events.iter().map(Vec::len).sum::<usize>() / events.len();
    println!("## Families: city lots, {size} bytes per event, events per second\n");
    println!("| family | serde_json skip | simd-json tape | quamina | Whole | × skip | Early | × quamina | matches |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut rows = Vec::new();
    for family in city::families() {
        let mut whole = Engine::new(Rival::Whole, &family.patterns)?;
        check::against_explainer(&family.patterns, &events, &mut whole)?;
        let expected = (!data::is_foreign() && events.len() == 10_000).then_some(family.expected);
        let row = Row::measure(&Rival::ALL, &family.patterns, &events, expected, options.effort)
            .map_err(|error| format!("{}: {error}", family.name))?;
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            family.name,
            row.cell(Rival::Skip),
            row.cell(Rival::Tape),
            row.cell(Rival::Quamina),
            row.cell(Rival::Whole),
            row.times_as_fast(Rival::Whole, Rival::Skip),
            row.cell(Rival::Early),
            row.times_as_fast(Rival::Early, Rival::Quamina),
            row.matches
        );
        rows.push((family.name, row));
    }
    println!();
    rows.iter().for_each(|(name, row)| tell_notes(name, row));
    println!();
    Ok(())
}

fn scale(options: &Options) -> Result<(), String> {
    let events = data::events(if options.effort.turns > 3 { 5_000 } else { 1_000 });
    let size = events.iter().map(Vec::len).sum::<usize>() / events.len();
    println!("## Scale: events of AWS services, {size} bytes on average, events per second\n");
    println!("| rules | matches per event | build | tables | serde_json skip | quamina | Whole | × skip | Early |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut lines: Vec<Line> = [
        "eventrie Early, all operators",
        "eventrie Whole, all operators",
        "eventrie Whole, exact values",
        "quamina, all operators",
        "quamina, exact values",
        "serde_json skip",
    ]
    .map(|name| Line { name: name.to_owned(), points: Vec::new() })
    .into();
    let mut notes = Vec::new();
    for mix in [Mix::Full, Mix::Exact] {
        let mut sizes = vec![10, 100, 1_000, 10_000, 100_000];
        if options.large && mix == Mix::Exact {
            sizes.push(400_000);
        }
        for count in sizes {
            let patterns = data::patterns(mix, count);
            let (build, tables) = build(&patterns)?;
            let mut whole = Engine::new(Rival::Whole, &patterns)?;
            check::against_explainer(&patterns, &events, &mut whole)?;
            drop(whole);
            let mut rivals = vec![Rival::Skip, Rival::Whole, Rival::Early];
            // Above, it needs gigabytes and minutes.
            if count <= 10_000 {
                rivals.push(Rival::Quamina);
            }
            let known = !data::is_foreign() && events.len() == 5_000;
            let expected = rules::expected(mix, count).filter(|_| known);
            let row = Row::measure(&rivals, &patterns, &events, expected, options.effort)?;
            let name = format!("{}_{count}", mix.name());
            println!(
                "| {name} | {:.2} | {} | {} | {} | {} | {} | {} | {} |",
                row.matches as f64 / events.len() as f64,
                span(build),
                bytes(tables),
                row.cell(Rival::Skip),
                row.cell(Rival::Quamina),
                row.cell(Rival::Whole),
                row.times_as_fast(Rival::Whole, Rival::Skip),
                row.cell(Rival::Early),
            );
            let drawn = match mix {
                Mix::Full => [(0, Rival::Early), (1, Rival::Whole), (3, Rival::Quamina), (5, Rival::Skip)].as_slice(),
                Mix::Exact => [(2, Rival::Whole), (4, Rival::Quamina)].as_slice(),
            };
            for (line, rival) in drawn {
                if let (Some(line), Some(time)) = (lines.get_mut(*line), row.time(*rival)) {
                    line.points.push((count as f64, 1e9 / time));
                }
            }
            notes.push((name, row));
        }
    }
    println!();
    notes.iter().for_each(|(name, row)| tell_notes(name, row));
    println!();
    draw(options, "rules.svg", "Events per second by number of rules", "rules", &lines)
}

/// Subscribers of a Custom Event Bus, next to the same filters as one pattern each and next to the rules that they come from.
fn subscribers(options: &Options) -> Result<(), String> {
    // Few enough to stay in the cache in any form: this compares matching.
    let events = data::events(100);
    let size = events.iter().map(Vec::len).sum::<usize>() / events.len();
    let rules = data::patterns(Mix::Full, 10_000);
    let words = |error: Box<dyn std::error::Error>| error.to_string();
    let Ways { set, matcher } = subscribers::ways(&rules).map_err(words)?;
    let delivered = subscribers::delivered(&events).map_err(words)?;
    let parse = |rule: &String| eventrie::Pattern::parse(rule, eventrie::Dialect::EventBridge);
    let rules = rules.iter().map(parse).collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let classic = eventrie::Matcher::new(rules).map_err(|error| error.to_string())?;
    let (mut parts, mut text, mut whole) = <(SubscriptionScratch, eventrie::Scratch, eventrie::Scratch)>::default();
    for event in &delivered {
        let own = set.judge(&event.parts, &mut parts).map_err(|error| error.to_string())?;
        let other = matcher.matches(event.text.as_slice(), &mut text).map_err(|error| error.to_string())?;
        let other: Vec<usize> = other.iter().map(|id| id.index()).collect();
        if !own.positions().eq(other.iter().copied()) {
            return Err("subscribers and patterns find something else".to_owned());
        }
    }
    let mut samples = [Vec::new(), Vec::new(), Vec::new()];
    for turn in 0..=options.effort.turns {
        let time = |way: &mut dyn FnMut(&Delivered, &[u8]) -> usize| {
            let (start, used, mut done) = (Instant::now(), ThreadTime::now(), 0_usize);
            while start.elapsed() < options.effort.turn {
                for (delivered, event) in delivered.iter().zip(&events) {
                    std::hint::black_box(way(delivered, event));
                }
                done += delivered.len();
            }
            used.elapsed().as_secs_f64() * 1e9 / done as f64
        };
        let found = [
            time(&mut |event, _| set.judge(&event.parts, &mut parts).map_or(0, |found| found.positions().count())),
            time(&mut |event, _| {
                matcher.matches(event.text.as_slice(), &mut text).map_or(0, |found| found.iter().count())
            }),
            time(&mut |_, event| classic.matches(event, &mut whole).map_or(0, |found| found.iter().count())),
        ];
        if turn > 0 {
            samples.iter_mut().zip(found).for_each(|(samples, found)| samples.push(found));
        }
    }
    let [parts, text, classic] = samples.map(median);
    println!(
        "## Subscribers: 10,000 with a filter in each of three scopes, events of {size} bytes, events per second\n"
    );
    println!("| three parts | the same filters as one pattern each | ratio | the rules they come from (full_10000) |");
    println!("| --- | --- | --- | --- |");
    println!("| {} | {} | {:.2} | {} |\n", rate(parts), rate(text), text / parts, rate(classic));
    Ok(())
}

/// Nanoseconds and bytes of compiling patterns that are parsed already, the median of a few times.
fn build(patterns: &[String]) -> Result<(f64, usize), String> {
    let parse = |pattern: &String| eventrie::Pattern::parse(pattern, eventrie::Dialect::EventBridge);
    let parsed: Vec<_> = patterns.iter().map(parse).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let mut times = Vec::new();
    let mut tables = 0;
    for _ in 0..3 {
        let used = ThreadTime::now();
        let matcher = eventrie::Matcher::new(parsed.iter().cloned()).map_err(|error| error.to_string())?;
        times.push(used.elapsed().as_secs_f64() * 1e9);
        tables = matcher.memory_usage();
    }
    Ok((median(times), tables))
}

fn draw(options: &Options, file: &str, title: &str, across: &str, lines: &[Line]) -> Result<(), String> {
    let Some(directory) = &options.plots else { return Ok(()) };
    let lines: Vec<_> = lines.iter().filter(|line| !line.points.is_empty()).cloned().collect();
    let path = directory.join(file);
    std::fs::create_dir_all(directory)
        .and_then(|()| std::fs::write(&path, plot::logarithmic(title, across, "events per second", &lines)))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn adversaries(options: &Options) -> Result<(), String> {
    println!("## Adversaries: time per event as one number grows\n");
    println!("The last column is the factor for twice the size, over all sizes: 2 is linear, 1 is no growth.\n");
    println!("| shape | unit | sizes | Whole | | | | build | growth |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for shape in SHAPES {
        let mut times = Vec::new();
        let mut cells = String::new();
        let mut built = 0.0;
        for factor in [1, 2, 4, 8] {
            let Case { patterns, events, expected } = (shape.make)(shape.least * factor);
            built = build(&patterns)?.0;
            let row = Row::measure(&[Rival::Whole], &patterns, &events, Some(expected), options.effort)
                .map_err(|error| format!("{}, {}: {error}", shape.name, shape.least * factor))?;
            let time = row.time(Rival::Whole).ok_or("not timed")?;
            times.push(time);
            let _ = write!(cells, " {} |", span(time));
        }
        let growth = match (times.first(), times.last()) {
            (Some(first), Some(last)) => (last / first).powf(1.0 / 3.0),
            _ => f64::NAN,
        };
        println!(
            "| {} | {} | {} … {} |{cells} {} | {growth:.2} |",
            shape.name,
            shape.unit,
            shape.least,
            shape.least * 8,
            span(built)
        );
    }
    println!();
    hostile_wildcards(options)
}

fn hostile_wildcards(options: &Options) -> Result<(), String> {
    println!("## Hostile wildcards on one field, events per second\n");
    println!("| wildcards | shared beginnings | quamina | all alive | quamina |");
    println!("| --- | --- | --- | --- | --- |");
    let mut lines: Vec<Line> =
        ["eventrie, shared beginnings", "eventrie, all alive", "quamina, shared beginnings", "quamina, all alive"]
            .map(|name| Line { name: name.to_owned(), points: Vec::new() })
            .into();
    let mut notes = Vec::new();
    for count in [10, 30, 100, 300, 1_000, 3_000, 10_000] {
        let mut cells = String::new();
        for (place, make) in [hostile::shared_wildcards, hostile::alive_wildcards].into_iter().enumerate() {
            let Case { patterns, events, expected } = make(count);
            let mut rivals = vec![Rival::Whole];
            // Above, building takes it minutes.
            if count <= 1_000 {
                rivals.push(Rival::Quamina);
            }
            let row = Row::measure(&rivals, &patterns, &events, Some(expected), options.effort)?;
            for (rival, line) in [(Rival::Whole, place), (Rival::Quamina, place + 2)] {
                let _ = write!(cells, " {} |", row.cell(rival));
                if let (Some(line), Some(time)) = (lines.get_mut(line), row.time(rival)) {
                    line.points.push((count as f64, 1e9 / time));
                }
            }
            notes.push((count.to_string(), row));
        }
        println!("| {count} |{cells}");
    }
    println!();
    notes.iter().for_each(|(count, row)| tell_notes(count, row));
    println!();
    draw(options, "wildcards.svg", "Events per second by number of hostile wildcards", "wildcards on one field", &lines)
}

fn small(options: &Options) -> Result<(), String> {
    let events = aws::small_events(5_000);
    let size = events.iter().map(Vec::len).sum::<usize>() / events.len();
    let patterns = rules::patterns(Mix::Full, 10);
    println!("## Small events: {size} bytes, 10 rules, time per event\n");
    println!("| serde_json skip | simd-json tape | quamina | Whole | Early |");
    println!("| --- | --- | --- | --- | --- |");
    let row = Row::measure(&Rival::ALL, &patterns, &events, None, options.effort)?;
    let cells: Vec<_> = Rival::ALL.iter().map(|rival| row.time(*rival).map_or_else(|| "–".to_owned(), span)).collect();
    println!("| {} |\n", cells.join(" | "));
    tell_notes("small events", &row);
    println!();
    tiny(options)
}

/// The rows that `quamina` shows of itself, both of its build modes beside both policies of reading.
fn tiny(options: &Options) -> Result<(), String> {
    println!("## Events below 100 bytes, time per event\n");
    println!(
        "| patterns | serde_json skip | quamina | built for speed | Whole | Early | Whole × the faster | Early × the faster |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let rivals = [Rival::Skip, Rival::Quamina, Rival::QuaminaSpeed, Rival::Whole, Rival::Early];
    for small in small::workloads() {
        let mut whole = Engine::new(Rival::Whole, &small.patterns)?;
        check::against_explainer(&small.patterns, &small.events, &mut whole)?;
        let row = Row::measure(&rivals, &small.patterns, &small.events, Some(small.expected), options.effort)
            .map_err(|error| format!("{}: {error}", small.name))?;
        let cells: Vec<_> = rivals.iter().map(|rival| row.time(*rival).map_or_else(|| "–".to_owned(), span)).collect();
        let modes = [Rival::Quamina, Rival::QuaminaSpeed];
        let faster = modes.into_iter().filter_map(|rival| row.time(rival)).reduce(f64::min);
        let ratio = |own| match (row.time(own), faster) {
            (Some(own), Some(faster)) => format!("{:.2}", faster / own),
            _ => "–".to_owned(),
        };
        println!("| {} | {} | {} | {} |", small.name, cells.join(" | "), ratio(Rival::Whole), ratio(Rival::Early));
        tell_notes(small.name, &row);
    }
    println!();
    Ok(())
}

fn in_threads(options: &Options) -> Result<(), String> {
    println!("## Threads: one matcher, and two processes with one each, events per second of processor time\n");
    println!("| rules | one thread | two threads | × one | two processes | threads / processes |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for count in [1_000, 100_000] {
        let rates = threads::rates(count, options.effort)?;
        println!(
            "| {count} | {} | {} | {:.2} | {} | {:.2} |",
            rate(1e9 / rates.one),
            rate(1e9 / rates.threads),
            rates.threads / rates.one,
            rate(1e9 / rates.processes),
            rates.ratio
        );
    }
    println!();
    Ok(())
}

/// Conjunctions of 5 to 10 tests over events of 20 attributes, by the million.
fn conjunctions(options: &Options) -> Result<(), String> {
    println!("## Conjunctions of 5 to 10 tests, values by Zipf's law, events of 20 attributes\n");
    println!(
        "| rules | matches per event | parse | compile | both in two threads | bytes per rule | skip | Whole | × skip | scan |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut sizes = match options.effort.turns {
        ..=3 => vec![(10_000, 1_000)],
        _ => vec![(10_000, 1_000), (100_000, 1_000), (1_000_000, 1_000), (1_000_000, 100)],
    };
    if options.large {
        sizes.push((10_000_000, 1_000));
    }
    for (rules, one_in) in sizes {
        let size = many::Size { rules, one_in, scan: rules <= 1_000_000 };
        let measured = many::measure(size, options.effort.turn)?;
        println!(
            "| {rules} | {:.1} | {} | {} | {} | {:.0} | {} | {} | {:.2} | {} |",
            measured.matches as f64 / measured.events as f64,
            span(measured.parse * 1e9),
            span(measured.compile * 1e9),
            span(measured.in_two * 1e9),
            measured.bytes as f64 / rules as f64,
            span(measured.skip * 1e9),
            span(measured.whole * 1e9),
            measured.skip / measured.whole,
            measured.scan.map_or_else(|| "–".to_owned(), |time| span(time * 1e9)),
        );
    }
    println!();
    Ok(())
}
