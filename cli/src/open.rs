//! Files of the file system and standard input.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use anyhow::Context;
use eventrie_files::{EventStream, SourceFile};

use crate::given::is_text;

/// What standard input is called in messages.
pub(crate) const STDIN: &str = "<stdin>";

/// Reads a file with patterns, or standard input for `-`.
pub(crate) fn source(name: &str) -> anyhow::Result<SourceFile> {
    let reader: Box<dyn Read> = match name {
        "-" => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(name).with_context(|| format!("cannot read {name}"))?),
    };
    let file = SourceFile::from_reader(shown(name), reader)?;
    Ok(match unwritten_directory(name) {
        Some(directory) => file.in_directory(directory),
        None => file,
    })
}

/// The name of a file's directory if the file's own does not have it, as in `one.json`, `./one.json` and `../one.json`.
fn unwritten_directory(name: &str) -> Option<String> {
    let parent = Path::new(name).parent().filter(|_| name != "-")?;
    if parent.file_name().is_some() {
        return None;
    }
    let directory = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    Some(directory.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned())
}

/// Opens a file with events, or standard input for `-`. JSON text is used as it is.
pub(crate) fn events(name: &str) -> io::Result<Opened> {
    if is_text(name) && !Path::new(name).exists() {
        return text(name);
    }
    let read = Rc::new(Cell::new(0));
    let reader: Box<dyn Read> = match name {
        "-" => Box::new(Counted(io::stdin().lock(), Rc::clone(&read))),
        _ => Box::new(Counted(File::open(name)?, Rc::clone(&read))),
    };
    Ok(Opened { stream: EventStream::from_reader(shown(name), reader)?, read })
}

/// Opens events that were given as text.
pub(crate) fn text(text: &str) -> io::Result<Opened> {
    let reader = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
    Ok(Opened { stream: EventStream::from_reader("<event>", reader)?, read: Rc::default() })
}

fn shown(name: &str) -> &str {
    if name == "-" { STDIN } else { name }
}

/// A file with events.
pub(crate) struct Opened {
    pub(crate) stream: EventStream,
    read: Rc<Cell<u64>>,
}

impl Opened {
    /// How many bytes of the file were read so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.read.get()
    }
}

/// Counts what was read of a file, before it is unpacked, for the progress bar.
struct Counted<R>(R, Rc<Cell<u64>>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        self.1.set(self.1.get() + read as u64);
        Ok(read)
    }
}
