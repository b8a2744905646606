//! Where one event ends and the next begins. Only brackets, strings and line ends are read: whether an event is JSON is
//! for the matcher to decide.

use std::ops::Range;

/// One event of a batch, or a place where there should have been one.
#[derive(Debug, PartialEq, Eq)]
pub struct EventItem {
    /// Where the text is in the batch.
    pub range: Range<usize>,
    /// For lines the number of the line, else of the event; from 0.
    pub number: u64,
    /// The line on which it begins, from 1.
    pub line: u64,
    /// Why there is no event to be read here.
    pub fault: Option<&'static str>,
}

/// How the events of a stream follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One event per line.
    Lines,
    /// Documents that may span lines.
    Documents,
    /// One array; its elements are the events.
    Array,
}

impl Shape {
    /// The shape of a stream, from its first two lines; none if more must be seen first.
    pub(super) fn of(text: &[u8], complete: bool) -> Option<Shape> {
        crate::work::note(text.len());
        let begin = text.iter().position(|byte| !byte.is_ascii_whitespace());
        let Some(begin) = begin else { return complete.then_some(Shape::Lines) };
        let text = text.get(begin..).unwrap_or(&[]);
        let array = match text.first() {
            // `[INFO] …` is a line of a log.
            Some(b'[') if text.get(1).is_some_and(u8::is_ascii_uppercase) => return Some(Shape::Lines),
            Some(b'[') => true,
            Some(b'{') => false,
            _ => return Some(Shape::Lines),
        };
        let Some(end) = memchr::memchr(b'\n', text) else {
            // One line only, or a first line longer than everything that is read.
            return complete.then_some(if array { Shape::Array } else { Shape::Lines });
        };
        let (first, rest) = text.split_at(end);
        match (is_whole(first), array) {
            (true, false) => Some(Shape::Lines),
            (false, true) => Some(Shape::Array),
            (true, true) => match rest.iter().any(|byte| !byte.is_ascii_whitespace()) {
                true => Some(Shape::Lines),
                false => complete.then_some(Shape::Array),
            },
            // A document that goes on, or a line that was cut short? A line with an event of its own decides.
            (false, false) => {
                let rest = rest.get(1..).unwrap_or(&[]);
                let second = match memchr::memchr(b'\n', rest) {
                    Some(end) => rest.get(..end).unwrap_or(&[]),
                    None if complete => rest,
                    None => return None,
                };
                let lines = first.trim_ascii() != b"{" && second.first() == Some(&b'{') && is_whole(second);
                let nothing_more = complete && rest.trim_ascii().is_empty();
                Some(if lines || nothing_more { Shape::Lines } else { Shape::Documents })
            }
        }
    }
}

/// Whether the text is one object or array from its first byte to its last.
fn is_whole(text: &[u8]) -> bool {
    let mut walk = Walk::default();
    let text = text.trim_ascii();
    text.iter().enumerate().all(|(at, byte)| !walk.step(*byte) || at + 1 == text.len()) && walk.depth == 0
}

/// Follows brackets and strings.
#[derive(Debug, Default)]
struct Walk {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Walk {
    /// Takes one byte; whether a bracket closed the outermost level.
    fn step(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

/// Splits a stream that comes in pieces.
#[derive(Debug)]
pub(super) struct Splitter {
    shape: Shape,
    walk: Walk,
    /// How far the unfinished event was read already.
    seen: usize,
    number: u64,
    line: u64,
    array: Place,
}

/// Where in an array the splitter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Before,
    Element,
    Behind,
    Closed,
    Done,
}

impl Splitter {
    pub(super) fn new(shape: Shape) -> Splitter {
        Splitter { shape, walk: Walk::default(), seen: 0, number: 0, line: 1, array: Place::Before }
    }

    pub(super) fn is_array(&self) -> bool {
        self.shape == Shape::Array
    }

    /// Finds the events that lie whole in `text`; `last` says that nothing follows it. Returns how much was used up:
    /// what is left comes again, with more after it.
    pub(super) fn split(&mut self, text: &[u8], last: bool, items: &mut Vec<EventItem>) -> usize {
        match self.shape {
            Shape::Lines => self.lines(text, last, items),
            Shape::Documents | Shape::Array => self.values(text, last, items),
        }
    }

    fn lines(&mut self, text: &[u8], last: bool, items: &mut Vec<EventItem>) -> usize {
        let mut start = 0;
        loop {
            let rest = text.get(start + self.seen..).unwrap_or(&[]);
            let end = match memchr::memchr(b'\n', rest) {
                Some(at) => start + self.seen + at,
                None if last && start < text.len() => text.len(),
                None => {
                    crate::work::note(rest.len());
                    self.seen = text.len() - start;
                    return start;
                }
            };
            crate::work::note(end + 1 - start);
            self.seen = 0;
            let blank = text.get(start..end).is_none_or(|line| line.iter().all(u8::is_ascii_whitespace));
            if !blank {
                items.push(EventItem { range: start..end, number: self.number, line: self.line, fault: None });
            }
            self.number += 1;
            self.line += 1;
            start = (end + 1).min(text.len());
            if start == text.len() {
                return start;
            }
        }
    }

    fn values(&mut self, text: &[u8], last: bool, items: &mut Vec<EventItem>) -> usize {
        let mut start = 0;
        loop {
            // Between events.
            while self.seen == 0 {
                let Some(&byte) = text.get(start) else {
                    if last {
                        self.end_of_text(start, items);
                    }
                    return start;
                };
                if self.array == Place::Done {
                    return text.len();
                }
                match byte {
                    b'\n' => self.line += 1,
                    _ if byte.is_ascii_whitespace() => {}
                    _ if self.shape == Shape::Documents => break,
                    _ if self.between(byte, start, items) => break,
                    _ => {}
                }
                crate::work::note(1);
                start += 1;
            }
            // In one: `seen` bytes of it are known not to end it.
            let bracket = matches!(text.get(start), Some(b'{' | b'['));
            let mut end = None;
            for (at, &byte) in text.iter().enumerate().skip(start + self.seen) {
                let scalar_ends = !bracket && !self.walk.in_string && at > start && self.ends_scalar(byte);
                if scalar_ends {
                    end = Some(at);
                    break;
                }
                crate::work::note(1);
                if self.walk.step(byte) && bracket {
                    end = Some(at + 1);
                    break;
                }
            }
            let end = match end {
                Some(end) => end,
                None if last => text.len(),
                None => {
                    self.seen = text.len() - start;
                    return start;
                }
            };
            self.push(start..end, None, items);
            let lines = text.get(start..end).map_or(0, |event| memchr::memchr_iter(b'\n', event).count());
            self.line += lines as u64;
            self.walk = Walk::default();
            self.seen = 0;
            self.array = Place::Behind;
            start = end;
        }
    }

    fn ends_scalar(&self, byte: u8) -> bool {
        byte.is_ascii_whitespace() || (self.shape == Shape::Array && matches!(byte, b',' | b']'))
    }

    /// Takes a byte between the elements of an array; whether an element begins here.
    fn between(&mut self, byte: u8, at: usize, items: &mut Vec<EventItem>) -> bool {
        match (self.array, byte) {
            (Place::Before, b'[') => self.array = Place::Element,
            (Place::Element | Place::Behind, b']') => self.array = Place::Closed,
            (Place::Behind, b',') => self.array = Place::Element,
            (Place::Behind, _) => {
                self.push(at..at, Some("expected `,` between the events of the array"), items);
                return true;
            }
            (Place::Closed, _) => {
                self.push(at..at, Some("expected the end of the file after the array of events"), items);
                self.array = Place::Done;
            }
            (Place::Before | Place::Element | Place::Done, _) => return true,
        }
        false
    }

    fn end_of_text(&mut self, at: usize, items: &mut Vec<EventItem>) {
        if self.shape == Shape::Array && matches!(self.array, Place::Element | Place::Behind) {
            self.push(at..at, Some("the file ends inside the array of events"), items);
            self.array = Place::Done;
        }
    }

    fn push(&mut self, range: Range<usize>, fault: Option<&'static str>, items: &mut Vec<EventItem>) {
        items.push(EventItem { range, number: self.number, line: self.line, fault });
        self.number += u64::from(fault.is_none());
    }
}
