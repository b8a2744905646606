//! Hostile files and streams of events, read as the command line reads them.

#[path = "../../files/tests/bounds/shapes.rs"]
mod shapes;

use std::io::Cursor;

use eventrie::diagnostic::{Fix, LineIndex};
use eventrie::{Dialect, Pattern};
use eventrie_files::{Document, EventStream, Expected, SourceFile};

use crate::inputs::{Input, Work};
use shapes::{SHAPES, Shape, Way};

/// Each shape of the files' own tests, and the findings and fixes of the worst rule files.
pub(crate) fn inputs() -> Vec<Input> {
    let mut inputs: Vec<Input> = SHAPES.iter().map(reading).collect();
    let sets = || SHAPES.iter().filter(|shape| shape.way == Way::Rules);
    inputs.extend(sets().map(reporting).chain(sets().filter(is_fixable).map(fixing)));
    inputs
}

fn input(way: &'static str, shape: &'static Shape, make: impl Fn(usize) -> Work + 'static) -> Input {
    let least = 50_000;
    Input {
        way,
        name: shape.name,
        unit: "bytes",
        least,
        measure: |size| size,
        most: 2.2,
        warm: false,
        make: Box::new(make),
    }
}

fn reading(shape: &'static Shape) -> Input {
    let (way, name, expected) = match shape.way {
        Way::Json => ("read JSON", "file.json", Expected::Anything),
        Way::Yaml => ("read YAML", "file.yaml", Expected::Anything),
        Way::Rules => ("read rules", "file.json", Expected::Rules),
        Way::Pattern => ("read one pattern", "file.json", Expected::Pattern),
        Way::Events => return input("split events", shape, |size| splitting((shape.make)(size))),
    };
    input(way, shape, move |size| {
        let mut file = Some(SourceFile::new(name, (shape.make)(size)));
        Box::new(move || {
            let document = file.take().and_then(|file| Document::read(file, expected).ok());
            document.map_or(0, |document| document.patterns().len())
        })
    })
}

fn splitting(text: String) -> Work {
    let mut text = Some(text.into_bytes());
    Box::new(move || {
        let Some(text) = text.take() else { return 0 };
        let Ok(mut stream) = EventStream::from_reader("events", Box::new(Cursor::new(text))) else { return 0 };
        let mut events = 0;
        while let Ok(Some((_, items))) = stream.next_batch() {
            events += items.len();
        }
        events
    })
}

/// Checks every rule of a file and shows what is wrong with it.
fn reporting(shape: &'static Shape) -> Input {
    input("report findings", shape, |size| {
        let document = rules(shape, size);
        Box::new(move || {
            let Some(document) = &document else { return 0 };
            let lines = LineIndex::new(document.file().text());
            let mut shown = 0;
            for found in document.patterns() {
                let Err(error) = Pattern::parse(found.pattern().text(), Dialect::EventBridge) else { continue };
                for finding in error.findings() {
                    shown += found.pattern().in_file(finding).render_in(&lines).to_string().len();
                }
            }
            shown
        })
    })
}

/// Applies every fix that is offered for the rules of a file.
fn fixing(shape: &'static Shape) -> Input {
    input("apply fixes", shape, |size| {
        let document = rules(shape, size);
        Box::new(move || {
            let Some(document) = &document else { return 0 };
            let fixes = fixes(document);
            let fixes: Vec<_> = fixes.iter().map(|(at, fix)| (*at, fix)).collect();
            document.apply(&fixes).text.len()
        })
    })
}

fn is_fixable(shape: &&Shape) -> bool {
    rules(shape, 1_000).is_some_and(|document| !fixes(&document).is_empty())
}

fn rules(shape: &Shape, size: usize) -> Option<Document> {
    Document::read(SourceFile::new("rules.json", (shape.make)(size)), Expected::Rules).ok()
}

fn fixes(document: &Document) -> Vec<(usize, Fix)> {
    let mut fixes = Vec::new();
    for (at, found) in document.patterns().iter().enumerate() {
        if let Err(error) = Pattern::parse(found.pattern().text(), Dialect::EventBridge) {
            fixes.extend(error.findings().iter().filter_map(|finding| Some((at, finding.fix.clone()?))));
        }
    }
    fixes
}
