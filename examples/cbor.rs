//! Matching events that are not JSON: an [`Event`] over CBOR (RFC 8949), read in place.
//!
//! `cargo run --example cbor`
//!
//! An event only has to report its keys, scalars and brackets in order. It is never turned into JSON, and what the
//! patterns do not test is skipped.

use eventrie::event::{Reader, Scalar, Sink, Text, Want};
use eventrie::{Dialect, Event, EventError, Limit, Matcher, Pattern, Scratch};

/// One CBOR item: a map with text strings as keys.
struct Cbor<'a>(&'a [u8]);

impl Event for Cbor<'_> {
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        let mut bytes = Bytes { rest: self.0, depth: reader.limits().get(Limit::Depth) };
        if !matches!(self.0.first(), Some(0xa0..=0xbb)) {
            return Err(EventError::foreign("the event is not a CBOR map"));
        }
        if bytes.tell(sink, 0)? == Flow::Stopped {
            return Ok(());
        }
        if bytes.rest.is_empty() { Ok(()) } else { Err(EventError::foreign("there are bytes after the CBOR map")) }
    }
}

/// Whether the sink wants more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    Stopped,
}

struct Bytes<'a> {
    rest: &'a [u8],
    depth: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8], EventError> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(EventError::foreign("the CBOR ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// The head of an item: its major type, the five bits after it, and the number that they or the next bytes are.
    fn head(&mut self) -> Result<(u8, u8, u64), EventError> {
        let first = self.take(1)?.iter().copied().next().unwrap_or_default();
        let (major, small) = (first >> 5, first & 31);
        let length = match small {
            0..=23 => return Ok((major, small, u64::from(small))),
            24 => 1,
            25 => 2,
            26 => 4,
            27 => 8,
            _ => return Err(EventError::foreign("CBOR of indefinite length")),
        };
        let number = self.take(length)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        Ok((major, small, number))
    }

    fn text(&mut self, length: u64) -> Result<&'a str, EventError> {
        std::str::from_utf8(self.take(length)?).map_err(|_| EventError::foreign("a CBOR text is not valid UTF-8"))
    }

    /// Reports one item. The depth of the recursion is bounded by the reader's limit.
    fn tell<S: Sink>(&mut self, sink: &mut S, depth: usize) -> Result<Flow, EventError> {
        if depth >= self.depth {
            return Err(EventError::foreign("the CBOR is nested too deeply"));
        }
        let (major, small, number) = self.head()?;
        match (major, small) {
            (0, _) => sink.scalar(Scalar::number(&number.to_string())),
            (1, _) => sink.scalar(Scalar::number(&(-1 - i128::from(number)).to_string())),
            (3, _) => sink.scalar(Scalar::String(Text::from(self.text(number)?))),
            (4, _) => {
                let wanted = sink.begin_array();
                for _ in 0..number {
                    if self.inner(wanted, sink, depth)? == Flow::Stopped {
                        return Ok(Flow::Stopped);
                    }
                }
                if wanted == Want::Read {
                    sink.end_array();
                }
            }
            (5, _) => return self.map(number, sink, depth),
            // A tag says something about the item after it, which is all that patterns can test.
            (6, _) => return self.tell(sink, depth + 1),
            (7, 20 | 21) => sink.scalar(Scalar::Bool(small == 21)),
            (7, 22) => sink.scalar(Scalar::Null),
            (7, 26) => self.float(f64::from(f32::from_bits(number as u32)), sink)?,
            (7, 27) => self.float(f64::from_bits(number), sink)?,
            // Byte strings and the other simple values have no counterpart in patterns.
            (2, _) => drop(self.take(number)?),
            _ => {}
        }
        Ok(Flow::On)
    }

    fn map<S: Sink>(&mut self, count: u64, sink: &mut S, depth: usize) -> Result<Flow, EventError> {
        let wanted = sink.begin_object();
        let mut leaving = wanted != Want::Read;
        for _ in 0..count {
            let (3, _, length) = self.head()? else {
                return Err(EventError::foreign("a key of a CBOR map is not a string"));
            };
            let key = self.text(length)?;
            let want = if leaving { Want::Skip } else { sink.key(Text::from(key)) };
            leaving |= want == Want::Leave;
            if want == Want::Stop || self.inner(want, sink, depth)? == Flow::Stopped {
                return Ok(Flow::Stopped);
            }
        }
        if wanted == Want::Read {
            sink.end_object();
        }
        Ok(Flow::On)
    }

    /// Reports a value if it is wanted, else goes over it.
    fn inner<S: Sink>(&mut self, want: Want, sink: &mut S, depth: usize) -> Result<Flow, EventError> {
        match want {
            Want::Read => self.tell(sink, depth + 1),
            Want::Stop => Ok(Flow::Stopped),
            Want::Skip | Want::Leave => self.tell(&mut Deaf, depth + 1),
        }
    }

    fn float<S: Sink>(&mut self, number: f64, sink: &mut S) -> Result<(), EventError> {
        if !number.is_finite() {
            return Err(EventError::foreign("a CBOR number is not finite"));
        }
        // `{:?}` is the shortest spelling that reads back as the same number, which is also JSON.
        sink.scalar(Scalar::number(&format!("{number:?}")));
        Ok(())
    }
}

/// Hears nothing: for what is skipped.
struct Deaf;

impl Sink for Deaf {
    fn key(&mut self, _: Text<'_>) -> Want {
        Want::Read
    }
    fn scalar(&mut self, _: Scalar<'_>) {}
    fn begin_object(&mut self) -> Want {
        Want::Read
    }
    fn end_object(&mut self) {}
    fn begin_array(&mut self) -> Want {
        Want::Read
    }
    fn end_array(&mut self) {}
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pattern = r#"{"source": ["sensor"], "readings": {"celsius": [{"numeric": [">", 60.5]}], "unit": ["hall"]}}"#;
    let matcher = Matcher::new([Pattern::parse(pattern, Dialect::EventBridge)?])?;
    let mut scratch = Scratch::default();
    // {"source": "sensor", "raw": h'0102', "readings": [{"unit": "hall", "celsius": 61.25}, {"unit": "yard", "celsius": -3}]}
    let hot = b"\xa3\x66source\x66sensor\x63raw\x42\x01\x02\x68readings\x82\
        \xa2\x64unit\x64hall\x67celsius\xfb\x40\x4e\xa0\x00\x00\x00\x00\x00\
        \xa2\x64unit\x64yard\x67celsius\x22";
    assert!(matcher.is_match(Cbor(hot), &mut scratch)?);
    // The same with the two numbers exchanged: no single reading has both.
    let cold = b"\xa2\x66source\x66sensor\x68readings\x82\
        \xa2\x64unit\x64hall\x67celsius\x22\
        \xa2\x64unit\x64yard\x67celsius\xfb\x40\x4e\xa0\x00\x00\x00\x00\x00";
    assert!(!matcher.is_match(Cbor(cold), &mut scratch)?);
    // A cut event is an error wherever the cut is, never an answer.
    for end in 0..hot.len() {
        assert!(matcher.is_match(Cbor(hot.get(..end).unwrap_or(&[])), &mut scratch).is_err());
    }
    println!("the hot event matches, the cold one does not");
    Ok(())
}
