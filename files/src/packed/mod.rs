//! Packed input: recognized by its first bytes. Errors are worded for the file, not for the decoder.

mod gzip;
mod members;
mod zstd;

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// Unpacks gzip and zstd; anything else is left as it is.
pub(crate) fn unpack<'a, R: BufRead + 'a>(mut raw: R) -> io::Result<Box<dyn Read + 'a>> {
    let begin = raw.fill_buf()?;
    if begin.starts_with(&gzip::MAGIC) {
        Ok(Box::new(unpacked("gzip", raw, |raw| Ok(gzip::reader(raw)))?))
    } else if begin.starts_with(&zstd::MAGIC) {
        Ok(Box::new(unpacked("zstd", raw, zstd::reader)?))
    } else {
        Ok(Box::new(raw))
    }
}

/// The packed bytes, and whether all of them were read.
struct Source<R> {
    raw: R,
    has_ended: Rc<Cell<bool>>,
}

/// The unpacked bytes.
struct Unpacked<R> {
    form: &'static str,
    unpacked: R,
    has_ended: Rc<Cell<bool>>,
}

/// Unpacks an input in this form.
fn unpacked<R: BufRead, U: Read>(
    form: &'static str,
    raw: R,
    unpack: impl FnOnce(Source<R>) -> io::Result<U>,
) -> io::Result<Unpacked<U>> {
    let has_ended = Rc::new(Cell::new(false));
    let unpacked = unpack(Source { raw, has_ended: Rc::clone(&has_ended) })?;
    Ok(Unpacked { form, unpacked, has_ended })
}

impl<R: BufRead> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.raw.read(buffer)?;
        self.has_ended.set(read == 0 && !buffer.is_empty());
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let bytes = self.raw.fill_buf()?;
        self.has_ended.set(bytes.is_empty());
        Ok(bytes)
    }

    fn consume(&mut self, amount: usize) {
        self.raw.consume(amount);
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.unpacked.read(buffer).map_err(|error| match (error.raw_os_error(), self.has_ended.get()) {
            // The input itself could not be read.
            (Some(_), _) => error,
            (None, true) => io::Error::other(format!("the file ends inside its {} data: it is incomplete", self.form)),
            (None, false) => io::Error::other(format!("not valid {}: {error}", self.form)),
        })
    }
}
