//! How the work grows with the input, in instructions: `growth` does each piece of work at four sizes, under a counter
//! (see `gate/growth`), and says what it did; `growth --table SAID COUNTS` prints the table of what was counted.

use std::process::ExitCode;

use eventrie_bench::inputs;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--table", said, counts] => match table(said, counts) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
        words => {
            work(words);
            ExitCode::SUCCESS
        }
    }
}

/// Does everything, or what has one of these words in its name.
fn work(words: &[&str]) {
    for input in inputs::all() {
        let name = format!("{}: {}", input.way, input.name);
        if !words.is_empty() && !words.iter().any(|word| name.contains(word)) {
            continue;
        }
        for size in [1, 2, 4, 8].map(|factor| input.least * factor) {
            let mut work = (input.make)(size);
            if input.warm {
                work();
            }
            std::hint::black_box(counted(&mut *work));
            println!("{name}\t{}\t{}\t{}", input.unit, (input.measure)(size), input.most);
        }
    }
}

/// What is counted.
#[inline(never)]
fn counted(work: &mut dyn FnMut() -> usize) -> usize {
    work()
}

struct Row<'a> {
    name: &'a str,
    unit: &'a str,
    /// What twice the input may cost, on average over three doublings.
    most: f64,
    /// Sizes and counts.
    points: Vec<(f64, f64)>,
}

/// Whether nothing grows too fast. One count per line, in the order of the names.
fn table(said: &str, counts: &str) -> Result<bool, String> {
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let (said, counts) = (read(said)?, read(counts)?);
    let counts: Vec<f64> = counts.lines().filter_map(|line| line.trim().parse().ok()).collect();
    if said.lines().count() != counts.len() {
        return Err(format!("{} pieces of work, but {} counts", said.lines().count(), counts.len()));
    }
    let mut rows: Vec<Row> = Vec::new();
    for (line, count) in said.lines().zip(counts) {
        let mut parts = line.split('\t');
        let (name, unit) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let mut number = || parts.next().and_then(|size| size.parse().ok()).ok_or("a line without a size");
        let (size, most) = (number()?, number()?);
        match rows.last_mut().filter(|row| row.name == name) {
            Some(row) => row.points.push((size, count)),
            None => rows.push(Row { name, unit, most, points: vec![(size, count)] }),
        }
    }
    println!("| work | unit | sizes | instructions | for twice the input | at worst |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut fine = true;
    for Row { name, unit, most, points } in &rows {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        let doublings = (last.0 / first.0).log2();
        let growth = (last.1 / first.1).powf(1.0 / doublings);
        let worst = points.windows(2).filter_map(|pair| match pair {
            [(_, before), (_, after)] => Some(after / before),
            _ => None,
        });
        let worst = worst.fold(0.0, f64::max);
        fine &= growth <= *most;
        let mark = if growth <= *most { "" } else { " (!)" };
        println!(
            "| {name} | {unit} | {} … {} | {} … {} | {growth:.2}{mark} | {worst:.2} |",
            first.0,
            last.0,
            short(first.1),
            short(last.1)
        );
    }
    Ok(fine)
}

fn short(count: f64) -> String {
    match count {
        count if count < 1e4 => format!("{count:.0}"),
        count if count < 1e6 => format!("{:.0} k", count / 1e3),
        count if count < 1e7 => format!("{:.1} M", count / 1e6),
        count => format!("{:.0} M", count / 1e6),
    }
}
