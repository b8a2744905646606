//! What hostile files may cost, counted in bytes read and bytes allocated, never in time.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "../../../tests/alloc.rs"]
mod alloc;
mod shapes;

use std::io::{Cursor, Read};

use eventrie::diagnostic::LineIndex;
use eventrie::{Dialect, Pattern};
use eventrie_files::{Document, EventStream, Expected, SourceFile, counted};
use shapes::{SHAPES, Shape, Way};

/// Reads a few bytes at a time, as a slow pipe gives them.
struct Drip(Cursor<Vec<u8>>);

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(7);
        self.0.read(&mut buffer[..most])
    }
}

fn split(reader: impl Read + 'static) -> usize {
    let mut stream = EventStream::from_reader("events", Box::new(reader)).unwrap();
    let mut events = 0;
    while let Some((_, items)) = stream.next_batch().unwrap() {
        events += items.len();
    }
    events
}

/// Reads as the command line does; the number of patterns or events.
fn read(way: Way, text: &str) -> usize {
    let document = |name: &str, expected: Expected| {
        Document::read(SourceFile::new(name, text), expected).map_or(0, |document| document.patterns().len())
    };
    match way {
        Way::Json => document("file.json", Expected::Anything),
        Way::Yaml => document("file.yaml", Expected::Anything),
        Way::Rules => document("file.json", Expected::Rules),
        Way::Pattern => document("file.json", Expected::Pattern),
        Way::Events => split(Cursor::new(text.as_bytes().to_vec())),
    }
}

/// The work that is counted; where the shape has a fault, it ends there.
fn work(shape: &Shape, bytes: usize) -> (usize, u64) {
    let text = (shape.make)(bytes);
    let (_, work) = counted(|| read(shape.way, &text));
    (text.len(), work)
}

#[test]
fn twice_the_bytes_are_twice_the_work() {
    for shape in SHAPES {
        let (small, large) = (work(shape, 10_000), work(shape, 40_000));
        let growth = (large.1 + 5_000) as f64 / (small.1 + 5_000) as f64;
        let limit = 1.1 * large.0 as f64 / small.0 as f64;
        assert!(growth <= limit, "{:?}, {}: {small:?} and {large:?}", shape.way, shape.name);
        // Nothing is read more than a few times.
        assert!(large.1 <= 12 * large.0 as u64 + 10_000, "{:?}, {}: {large:?}", shape.way, shape.name);
    }
}

#[test]
fn slow_pipes_cost_no_more_than_files() {
    for shape in SHAPES.iter().filter(|shape| shape.way == Way::Events) {
        let work = |bytes: usize| {
            let text = (shape.make)(bytes).into_bytes();
            counted(|| split(Drip(Cursor::new(text)))).1 as f64
        };
        let (small, large) = (work(5_000), work(20_000));
        assert!(large <= 4.4 * small + 20_000.0, "{}: {small} and {large}", shape.name);
    }
}

/// A file takes at most so many bytes for each of its own; a stream of events keeps at most three pieces of 1 MiB, unless
/// one event is longer.
#[test]
fn memory_is_a_multiple_of_the_bytes() {
    for shape in SHAPES {
        let text = (shape.make)(100_000);
        let (each, always) = if shape.way == Way::Events {
            (160, 4 << 20)
        } else {
            (if shape.way == Way::Yaml { 260 } else { 160 }, 1 << 20)
        };
        let peak = alloc::counted(|| read(shape.way, &text)).peak as usize;
        assert!(peak <= each * text.len() + always, "{:?}, {}: {} for {}", shape.way, shape.name, peak, text.len());
    }
}

/// Places, carets and lines of a thousand findings do not walk the file a thousand times.
#[test]
fn findings_are_placed_in_linear_work() {
    let shown = |text: &str| {
        let file = SourceFile::new("rules.json", text);
        let document = Document::read(file.clone(), Expected::Rules).unwrap();
        let lines = LineIndex::new(file.text());
        let mut bytes = 0;
        for found in document.patterns() {
            let Err(error) = Pattern::parse(found.pattern().text(), Dialect::EventBridge) else { continue };
            for finding in error.findings() {
                let text = found.pattern().in_file(finding).render_in(&lines).name(file.name()).to_string();
                assert!(text.contains("rules.json:"), "{text}");
                bytes += text.len() + document.name_of(found).len();
            }
        }
        bytes
    };
    for shape in SHAPES.iter().filter(|shape| shape.way == Way::Rules && shape.name.contains("mistakes")) {
        let (small, large) = (shown(&(shape.make)(50_000)), shown(&(shape.make)(200_000)));
        assert!(small > 10_000 && large < 5 * small, "{}: {small} and {large}", shape.name);
    }
}
