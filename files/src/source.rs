//! A text file and the name it goes by in messages.

use std::io::{self, BufReader, Read};

use crate::{FileError, packed};

/// The longest file that is read whole, so an endless device is an error too.
const LONGEST: u64 = 1 << 30;

/// A text file and the name it goes by in messages.
///
/// ```
/// use eventrie_files::SourceFile;
///
/// let file = SourceFile::decode("pattern.json", b"\xef\xbb\xbf{}".to_vec())?;
/// assert_eq!((file.name(), file.text()), ("pattern.json", "{}"));
/// # Ok::<(), eventrie_files::FileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    name: String,
    text: String,
    /// The name of its directory, where the file's own does not have it.
    directory: Option<String>,
}

impl SourceFile {
    /// Text that is already in memory.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceFile {
        SourceFile { name: name.into(), text: text.into(), directory: None }
    }

    /// The same file with the name of its directory, for names such as `./one.json`, which do not have it: a directory may
    /// say that its files are patterns.
    ///
    /// ```
    /// use eventrie_files::{Document, Expected, SourceFile};
    ///
    /// let file = SourceFile::new("one.json", r#"{"source": "aws.ec2"}"#);
    /// assert!(Document::read(file.clone(), Expected::Anything)?.is_doubtful());
    /// assert!(!Document::read(file.in_directory("patterns"), Expected::Anything)?.is_doubtful());
    /// # Ok::<(), eventrie_files::FileError>(())
    /// ```
    #[must_use]
    pub fn in_directory(mut self, name: impl Into<String>) -> SourceFile {
        self.directory = Some(name.into());
        self
    }

    /// The text of a file: UTF-8, or UTF-16 with its byte order mark, as some shells write it. The mark is not part of
    /// the text.
    ///
    /// # Errors
    /// If the bytes are neither.
    pub fn decode(name: impl Into<String>, bytes: Vec<u8>) -> Result<SourceFile, FileError> {
        let name = name.into();
        match decode(bytes) {
            Ok(text) => Ok(SourceFile::new(name, text)),
            Err(message) => Err(FileError::whole(&name, message)),
        }
    }

    /// Reads and decodes everything that a reader has to offer, at most 1 GiB. gzip and zstd are unpacked first.
    ///
    /// # Errors
    /// If reading fails, if there is more, or if the bytes are not text.
    pub fn from_reader(name: impl Into<String>, reader: impl Read) -> Result<SourceFile, FileError> {
        let name = name.into();
        match read_all(reader, LONGEST) {
            Ok(bytes) => SourceFile::decode(name, bytes),
            Err(error) => Err(FileError::whole(&name, format!("cannot be read: {error}"))),
        }
    }

    /// The name for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name without directories, and that of the directory, if it is known.
    pub(crate) fn names(&self) -> (&str, Option<&str>) {
        let mut parts = self.name.rsplit(['/', '\\']);
        let own = parts.next().unwrap_or("");
        (own, self.directory.as_deref().or_else(|| parts.next()))
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error at a byte of the text.
    pub(crate) fn fault(&self, offset: usize, message: impl Into<String>) -> FileError {
        FileError::at(&self.name, &self.text, offset, message)
    }
}

fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let unit: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        _ => {
            let text = String::from_utf8(bytes)
                .map_err(|error| format!("not valid UTF-8 at byte {}", error.utf8_error().valid_up_to()))?;
            return Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text));
        }
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(units.iter().skip(1).map(|pair| unit(*pair))).collect();
    text.ok().filter(|_| rest.is_empty()).ok_or_else(|| "not valid UTF-16".to_owned())
}

/// All that there is to read, unpacked, if it is not longer than that.
fn read_all(reader: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = packed::unpack(BufReader::new(reader))?.take(longest + 1).read_to_end(&mut bytes)? as u64;
    if read > longest {
        return Err(io::Error::other(format!("it is longer than {longest} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_an_error() {
        assert_eq!(read_all(&b"1234"[..], 4).unwrap(), b"1234");
        assert!(read_all(&b"12345"[..], 4).is_err());
        assert!(read_all(io::repeat(b' '), 1 << 20).is_err());
    }

    #[test]
    fn gzip_is_unpacked_within_the_bound() {
        use std::io::Write;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(b"{\"a\":[1]}").unwrap();
        let packed = packer.finish().unwrap();
        assert_eq!(SourceFile::from_reader("a.gz", &packed[..]).unwrap().text(), "{\"a\":[1]}");
        assert!(read_all(&packed[..], 8).is_err());
        assert!(SourceFile::from_reader("a.gz", &packed[..12]).is_err());
    }

    #[test]
    fn texts_of_other_encodings() {
        let utf16 =
            |unit: fn(u16) -> [u8; 2]| "\u{feff}{\"é\":[\"😀\"]}".encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        for bytes in [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes), "\u{feff}{\"é\":[\"😀\"]}".into()] {
            assert_eq!(decode(bytes).unwrap(), "{\"é\":[\"😀\"]}");
        }
        assert_eq!(decode(vec![0xff, 0xfe, 0x7b]).unwrap_err(), "not valid UTF-16");
        assert_eq!(decode(vec![0xff, 0xfe, 0x00, 0xd8]).unwrap_err(), "not valid UTF-16");
        assert_eq!(decode(vec![0x7b, 0xff]).unwrap_err(), "not valid UTF-8 at byte 1");
    }
}
