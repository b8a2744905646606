//! Events one by one, for the commands that say something about each.

mod fault;
mod later;

use std::path::Path;

use eventrie::Dialect;
use eventrie::service::Source;
use eventrie_files::envelope::{Inner, Opened, Wanted};

pub(crate) use fault::Fault;
pub(crate) use later::{Later, Missing};

use crate::directory;
use crate::open;
use crate::shown::complain;

/// What files with events are called; a directory of them is read file by file.
const ENDS: [&str; 7] = ["json", "ndjson", "jsonl", "log", "txt", "gz", "zst"];

/// What is said of an array without elements.
pub(crate) const EMPTY_ARRAY: &str = "the array has no events";

/// Files with events, or one event as text.
pub(crate) struct Events {
    names: Vec<String>,
    text: Option<String>,
    wanted: Option<Wanted>,
    later: Later,
}

/// One event and where it is.
pub(crate) struct One<'a> {
    pub(crate) text: &'a [u8],
    name: &'a str,
    line: u64,
    /// The text of the line before the event, if it is short.
    lead: Option<&'a [u8]>,
    inner: Option<&'a Inner>,
    unanswered: &'a [usize],
}

impl One<'_> {
    /// `file:line`, and the place in the envelope around the event.
    pub(crate) fn place(&self) -> String {
        let at = match self.line {
            0 => self.name.to_owned(),
            line => format!("{}:{line}", self.name),
        };
        match self.inner.map(Inner::pointer).filter(|pointer| !pointer.is_empty()) {
            Some(pointer) => format!("{at} {pointer}"),
            None => at,
        }
    }

    /// The file that the event is in as it is: its name, its text from the beginning of a line on, how much of this is before
    /// the event, and the number of the line.
    pub(crate) fn in_file(&self) -> Option<(&str, String, usize, u32)> {
        let lead = self.lead.filter(|_| self.inner.is_none())?;
        let text = String::from_utf8([lead, self.text].concat()).ok()?;
        Some((self.name, text, lead.len(), u32::try_from(self.line).ok()?))
    }

    /// The envelope that the event was in.
    pub(crate) fn inner(&self) -> Option<&Inner> {
        self.inner
    }

    /// The rules that have no answer for it, ascending, as was reported.
    pub(crate) fn unanswered(&self) -> &[usize] {
        self.unanswered
    }

    /// An event that could not be read.
    pub(crate) fn fault(&self, error: &eventrie::EventError) -> Fault {
        let name = match self.inner.map(Inner::pointer).filter(|pointer| !pointer.is_empty()) {
            Some(pointer) => format!("{} {pointer}", self.name),
            None => self.name.to_owned(),
        };
        Fault::new(&name, self.line.max(1), self.text, error)
    }
}

/// How reading went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Read {
    /// The text of each event that was returned.
    pub(crate) events: u64,
    /// Events and files that could not be read; each was reported.
    pub(crate) bad: u64,
}

/// What the envelopes of a dialect's events may contain.
pub(crate) fn wanted(dialect: Dialect, source: Option<Source>) -> Option<Wanted> {
    match dialect {
        Dialect::EventBridge => Some(Wanted::Event),
        Dialect::Pipes | Dialect::Lambda if source == Some(Source::Sqs) => Some(Wanted::Record),
        Dialect::SnsAttributes | Dialect::SnsBody => Some(Wanted::Message),
        _ => None,
    }
}

/// The names of files with events, those in directories one by one; standard input if there are none.
pub(crate) fn names(given: &[String]) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for name in given {
        match Path::new(name).is_dir() {
            true => directory::collect(Path::new(name), &ENDS, &mut names)?,
            false => names.push(name.clone()),
        }
    }
    if given.is_empty() {
        names.push("-".to_owned());
    }
    Ok(names)
}

/// What to say of an envelope in which nothing could be read, or not everything.
pub(crate) fn left_out(opened: &Opened) -> Option<String> {
    let count = opened.skipped();
    if let Some(why) = opened.why_empty() {
        return Some(format!("no events found: {why}"));
    }
    match (count, opened.is_cut()) {
        (_, true) => Some("more than 256 MiB of events in one document; the rest is skipped".to_owned()),
        (0, _) => None,
        (1, _) => Some("1 message inside is not JSON; skipped".to_owned()),
        _ => Some(format!("{count} messages inside are not JSON; skipped")),
    }
}

/// Whether the text is `[]`.
fn is_empty_array(text: &str) -> bool {
    let inner = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inner.is_some_and(|inner| inner.trim().is_empty())
}

/// The longest part of a line that is read for an event in it: all events of a file may be on one line.
const LEAD: usize = 1 << 12;

/// What is before an event on its line; none if that is long, or not in the batch. `is_new` says that the batch has all of the
/// line.
fn lead(text: &[u8], start: usize, is_new: bool) -> Option<&[u8]> {
    let before = text.get(start.saturating_sub(LEAD)..start)?;
    let at = match memchr::memrchr2(b'\n', b'\r', before) {
        Some(end) => end + 1,
        None if is_new && before.len() == start => 0,
        None => return None,
    };
    before.get(at..)
}

impl Events {
    /// The events of files and of the files in directories; of standard input, if there are none.
    pub(crate) fn open(given: &[String], dialect: Dialect, source: Option<Source>) -> anyhow::Result<Events> {
        Ok(Events { names: names(given)?, text: None, wanted: wanted(dialect, source), later: Later::default() })
    }

    /// The same or, if there is one, the event that was given as text.
    pub(crate) fn given(
        files: &[String],
        text: Option<String>,
        dialect: Dialect,
        source: Option<Source>,
    ) -> anyhow::Result<Events> {
        match text {
            Some(_) => Ok(Events { names: Vec::new(), text, wanted: wanted(dialect, source), later: Later::default() }),
            None => Events::open(files, dialect, source),
        }
    }

    /// With what is known of fields that are set later.
    pub(crate) fn later(self, later: Later) -> Events {
        Events { later, ..self }
    }

    /// Hands each event to `take`, until that says that it is enough. What cannot be read is reported, and reading goes
    /// on with what follows.
    pub(crate) fn each(&self, mut take: impl FnMut(&One<'_>) -> anyhow::Result<bool>) -> anyhow::Result<Read> {
        let (mut read, mut is_reported) = (Read::default(), false);
        if let Some(text) = &self.text {
            if is_empty_array(text) {
                complain(&format!("<event>: {EMPTY_ARRAY}"));
                read.bad += 1;
                return Ok(read);
            }
            self.texts((text.as_bytes(), None), "<event>", 0, &mut read, &mut take)?;
            return Ok(read);
        }
        for name in &self.names {
            let before = read.events + read.bad;
            let input = open::events(name).map_err(|error| anyhow::anyhow!("{name}: {error}"));
            let mut input = match input {
                Ok(input) => input.stream,
                Err(error) => {
                    complain(&error.to_string());
                    read.bad += 1;
                    continue;
                }
            };
            let shown = input.name().to_owned();
            // The line that the batch before ended on.
            let mut last: Option<u64> = None;
            loop {
                let (text, items) = match input.next_batch() {
                    Ok(Some(batch)) => batch,
                    Ok(None) => break,
                    Err(error) => {
                        complain(&format!("{shown}: {error}"));
                        read.bad += 1;
                        break;
                    }
                };
                let last = last.replace(items.last().map_or(0, |item| item.line));
                for item in items {
                    if let Some(fault) = item.fault {
                        complain(&format!("{shown}:{}: {fault}", item.line));
                        read.bad += 1;
                        continue;
                    }
                    let lead = lead(text, item.range.start, last.is_none_or(|last| last < item.line));
                    let text = text.get(item.range.clone()).unwrap_or(&[]);
                    if !self.texts((text, lead), &shown, item.line, &mut read, &mut take)? {
                        return Ok(read);
                    }
                }
            }
            if read.events + read.bad > before {
                continue;
            }
            let is_array = input.is_array();
            is_reported |= is_array;
            match (is_array, &**name) {
                (true, _) => complain(&format!("{shown}: {EMPTY_ARRAY}")),
                (false, "-") => {}
                (false, name) => complain(&format!("{name}: the file is empty; no events were read")),
            }
            read.bad += u64::from(is_array || name != "-");
        }
        if read.events + read.bad == 0 && !is_reported {
            complain("no events were read");
        }
        Ok(read)
    }

    /// One text: an event, or an envelope around several. Whether to go on.
    pub(crate) fn texts(
        &self,
        (text, lead): (&[u8], Option<&[u8]>),
        name: &str,
        line: u64,
        read: &mut Read,
        take: &mut impl FnMut(&One<'_>) -> anyhow::Result<bool>,
    ) -> anyhow::Result<bool> {
        let Some(opened) = self.wanted.and_then(|wanted| self.later.open(text, wanted)) else {
            read.events += 1;
            return take(&One { text, name, line, lead, inner: None, unanswered: &[] });
        };
        if let Some(message) = left_out(&opened) {
            complain(&format!("{name}:{line}: {message}"));
            read.bad += u64::from(opened.events().is_empty());
        }
        for inner in opened.events() {
            let missing = self.later.missing(inner);
            let unanswered = missing.as_ref().map_or(&[][..], |missing| missing.rules.as_slice());
            let text = inner.text().as_bytes();
            let one = One { text, name, line, lead: None, inner: Some(inner), unanswered };
            if let Some(missing) = &missing {
                complain(&format!("{}: {}", one.place(), missing.why));
                read.bad += 1;
                if missing.is_all {
                    continue;
                }
            }
            read.events += 1;
            if !take(&one)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
