//! Where events come from: files and standard input, gzip, zstd or plain, split into events in constant memory.

use std::io::{self, BufRead, BufReader, Read};

mod split;

pub use split::EventItem;
use split::{Shape, Splitter};

use crate::packed;

/// How much is read at a time. A batch of events is what one such piece contains.
const CHUNK: usize = 1 << 20;
/// The longest single event; a longer one ends the file with an error, so memory stays bounded.
const LONGEST: usize = 1 << 30;

/// One source of events.
pub struct EventStream {
    name: String,
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    filled: usize,
    consumed: usize,
    ended: bool,
    splitter: Option<Splitter>,
    guess: Guess,
    items: Vec<EventItem>,
}

/// What is known of a stream whose shape is not known yet: a slow pipe delivers it byte by byte, and each look must not start over.
#[derive(Default)]
struct Guess {
    /// How many bytes at the beginning are whitespace.
    blank: usize,
    /// How many bytes after that have no line end, or were read.
    searched: usize,
    looks: u32,
}

impl Guess {
    /// The shape of the text so far; `complete` if no more is expected.
    fn shape(&mut self, text: &[u8], complete: bool) -> Option<Shape> {
        let space = text.get(self.blank..).unwrap_or(&[]).iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.blank += space;
        let fresh = text.get(self.searched.max(self.blank)..).unwrap_or(&[]);
        crate::work::note(space + fresh.len());
        let is_new = memchr::memchr(b'\n', fresh).is_some();
        // Text whose shape the first lines do not decide is examined less and less often.
        let is_time = self.looks < 8 || text.len() >= 2 * self.searched;
        let is_worth_it = is_new && is_time;
        if !complete && !is_worth_it {
            if !is_new {
                self.searched = text.len();
            }
            return None;
        }
        self.searched = text.len();
        self.looks += 1;
        Shape::of(text.get(self.blank..).unwrap_or(&[]), complete)
    }
}

impl EventStream {
    /// Events from any reader.
    pub fn from_reader(name: &str, raw: Box<dyn Read>) -> io::Result<EventStream> {
        let mut raw = BufReader::with_capacity(1 << 16, raw);
        let begin = raw.fill_buf()?;
        if begin.starts_with(&[0xff, 0xfe]) || begin.starts_with(&[0xfe, 0xff]) {
            return Err(io::Error::other("the text is UTF-16, events must be UTF-8: iconv -f UTF-16 -t UTF-8"));
        }
        Ok(EventStream {
            name: name.to_owned(),
            reader: packed::unpack(raw)?,
            buffer: Vec::new(),
            filled: 0,
            consumed: 0,
            ended: false,
            splitter: None,
            guess: Guess::default(),
            items: Vec::new(),
        })
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the events are the elements of one array, as far as the text was read.
    pub fn is_array(&self) -> bool {
        self.splitter.as_ref().is_some_and(Splitter::is_array)
    }

    /// The next events, with the text that they lie in; none at the end.
    pub fn next_batch(&mut self) -> io::Result<Option<(&[u8], &[EventItem])>> {
        self.items.clear();
        loop {
            self.make_room();
            self.fill()?;
            let text = self.buffer.get(self.consumed..self.filled).unwrap_or(&[]);
            if self.splitter.is_none() {
                if !self.ended && b"\xef\xbb\xbf".starts_with(text) {
                    continue;
                }
                let bom = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
                let rest = text.get(bom..).unwrap_or(&[]);
                let complete = self.ended || rest.len() >= CHUNK;
                match self.guess.shape(rest, complete) {
                    Some(shape) => {
                        self.consumed += bom;
                        self.splitter = Some(Splitter::new(shape));
                    }
                    None => continue,
                }
            }
            let text = self.buffer.get(self.consumed..self.filled).unwrap_or(&[]);
            if let Some(splitter) = &mut self.splitter {
                let used = splitter.split(text, self.ended, &mut self.items);
                let start = self.consumed;
                self.consumed += used;
                if !self.items.is_empty() {
                    let text = self.buffer.get(start..self.filled).unwrap_or(&[]);
                    return Ok(Some((text, &self.items)));
                }
            }
            if self.ended {
                return Ok(None);
            }
            if self.filled - self.consumed >= LONGEST {
                return Err(io::Error::other("an event is longer than 1 GiB"));
            }
        }
    }

    /// Moves what is left to the front; doubles the buffer when one event fills it.
    fn make_room(&mut self) {
        if self.consumed > 0 {
            crate::work::note(self.filled - self.consumed);
            self.buffer.copy_within(self.consumed..self.filled, 0);
            self.filled -= self.consumed;
            self.consumed = 0;
        }
        if self.buffer.len() < CHUNK {
            self.buffer.resize(CHUNK, 0);
        } else if self.filled == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }

    /// Reads once, so events from a pipe are answered when they come; a file gives a whole buffer.
    fn fill(&mut self) -> io::Result<()> {
        while !self.ended {
            let free = self.buffer.get_mut(self.filled..).unwrap_or(&mut []);
            if free.is_empty() {
                return Ok(());
            }
            match self.reader.read(free) {
                Ok(0) => self.ended = true,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe does.
    struct Drip(Vec<u8>, usize);

    impl Read for Drip {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(byte) = self.0.get(self.1) else { return Ok(0) };
            buffer[0] = *byte;
            self.1 += 1;
            Ok(1)
        }
    }

    fn events(text: &str, drip: bool) -> Vec<(String, u64, u64, Option<&'static str>)> {
        let bytes = text.as_bytes().to_vec();
        let reader: Box<dyn Read> = if drip { Box::new(Drip(bytes, 0)) } else { Box::new(io::Cursor::new(bytes)) };
        let mut input = EventStream::from_reader("t", reader).unwrap();
        let mut found = Vec::new();
        while let Some((text, items)) = input.next_batch().unwrap() {
            for item in items {
                let event = String::from_utf8(text[item.range.clone()].to_vec()).unwrap();
                found.push((event, item.number, item.line, item.fault));
            }
        }
        found
    }

    fn check(text: &str, expected: &[(&str, u64, u64, bool)]) {
        for drip in [false, true] {
            let found = events(text, drip);
            let found: Vec<_> = found.iter().map(|(e, n, l, f)| (e.as_str(), *n, *l, f.is_some())).collect();
            assert_eq!(found, expected, "drip {drip}: {text:?}");
        }
    }

    #[test]
    fn lines() {
        check("{\"a\":1}\n{\"a\":2}\n", &[("{\"a\":1}", 0, 1, false), ("{\"a\":2}", 1, 2, false)]);
        check("{\"a\":1}\r\n\r\n\n{\"a\":2}", &[("{\"a\":1}\r", 0, 1, false), ("{\"a\":2}", 3, 4, false)]);
        check("\u{feff}{}\n{}", &[("{}", 0, 1, false), ("{}", 1, 2, false)]);
        check("", &[]);
        check("\n \n", &[]);
    }

    #[test]
    fn other_encodings_are_refused() {
        for text in [&b"\xff\xfe{\0"[..], b"\xfe\xff\0{"] {
            let error = EventStream::from_reader("t", Box::new(text)).err().unwrap();
            assert!(error.to_string().contains("UTF-16"));
        }
    }

    #[test]
    fn a_cut_first_line_does_not_swallow_the_rest() {
        check("{\"a\":\n{\"a\":2}\n", &[("{\"a\":", 0, 1, false), ("{\"a\":2}", 1, 2, false)]);
        check("{\"a\":1", &[("{\"a\":1", 0, 1, false)]);
        check("nonsense\n{}\n", &[("nonsense", 0, 1, false), ("{}", 1, 2, false)]);
        check("[1]\n{}\n", &[("[1]", 0, 1, false), ("{}", 1, 2, false)]);
    }

    #[test]
    fn one_document_over_several_lines() {
        check("{\n  \"a\": \"}\\\"\"\n}\n", &[("{\n  \"a\": \"}\\\"\"\n}", 0, 1, false)]);
        check("\n{\n\"a\":1\n}\n{\n\"b\":2}", &[("{\n\"a\":1\n}", 0, 2, false), ("{\n\"b\":2}", 1, 5, false)]);
    }

    #[test]
    fn an_array_of_events() {
        check("[{\"a\":1},{\"a\":[2]}]", &[("{\"a\":1}", 0, 1, false), ("{\"a\":[2]}", 1, 1, false)]);
        check("[\n {\"a\":1},\n {\"a\":2}\n]\n", &[("{\"a\":1}", 0, 2, false), ("{\"a\":2}", 1, 3, false)]);
        check("[]", &[]);
        check("[{}, 5, \"x,]\"]", &[("{}", 0, 1, false), ("5", 1, 1, false), ("\"x,]\"", 2, 1, false)]);
        check("[{}", &[("{}", 0, 1, false), ("", 1, 1, true)]);
        check("[{}] {}", &[("{}", 0, 1, false), ("", 1, 1, true)]);
        check("[{} {}]", &[("{}", 0, 1, false), ("", 1, 1, true), ("{}", 1, 1, false)]);
    }
}
