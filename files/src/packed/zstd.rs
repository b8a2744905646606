//! zstd: where a frame begins.

use std::io::{self, BufRead};

#[cfg(feature = "zstd")]
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// How a packed text begins.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

#[cfg(not(feature = "zstd"))]
pub(super) fn reader(_: impl BufRead) -> io::Result<io::Empty> {
    Err(io::Error::other("this build cannot unpack zstd; unpack the file first: zstd -dc FILE"))
}

/// Unpacks every frame.
#[cfg(feature = "zstd")]
pub(super) fn reader(packed: impl BufRead) -> io::Result<impl io::Read> {
    Ok(super::members::Members::new(packed, frame, StreamingDecoder::into_inner))
}

#[cfg(feature = "zstd")]
fn frame<R: BufRead>(mut packed: R) -> io::Result<Option<StreamingDecoder<R, FrameDecoder>>> {
    if packed.fill_buf()?.is_empty() {
        return Ok(None);
    }
    StreamingDecoder::new(packed).map(Some).map_err(|error| io::Error::other(error.to_string()))
}
