//! zstd: frames one after another.

use std::io::{self, BufRead, Read};

/// How a packed text begins.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

#[cfg(not(feature = "zstd"))]
pub(super) fn reader<'a>(_: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
    Err(io::Error::other("this build cannot unpack zstd; unpack the file first: zstd -dc FILE"))
}

/// Unpacks every frame, one after the other.
#[cfg(feature = "zstd")]
pub(super) fn reader<'a>(packed: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
    Ok(Box::new(Frames { packed: Some(packed), frame: None }))
}

#[cfg(feature = "zstd")]
struct Frames<R: Read> {
    /// The input between two frames.
    packed: Option<R>,
    frame: Option<ruzstd::decoding::StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>,
}

#[cfg(feature = "zstd")]
impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Nothing read would be taken for the end of a frame.
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(frame) = &mut self.frame {
                match frame.read(buffer)? {
                    0 => self.packed = self.frame.take().map(ruzstd::decoding::StreamingDecoder::into_inner),
                    read => return Ok(read),
                }
            }
            let Some(mut packed) = self.packed.take() else { return Ok(0) };
            if packed.fill_buf()?.is_empty() {
                return Ok(0);
            }
            match ruzstd::decoding::StreamingDecoder::new(packed) {
                Ok(frame) => self.frame = Some(frame),
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
    }
}
