//! Base64, as Kinesis, Firehose and CloudWatch Logs carry payloads.

use std::io::Read;

/// The bytes that the text represents; none if it is not base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(((bits >> count) & 0xff) as u8);
            bits &= (1 << count) - 1;
        }
    }
    (count != 6).then_some(bytes)
}

/// The text that the payload contains, plain or gzip; none if it is neither text nor packed text.
pub(super) fn payload(text: &str, most: usize) -> Option<String> {
    let bytes = decode(text)?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return String::from_utf8(bytes).ok();
    }
    let mut unpacked = String::new();
    let mut reader = flate2::read::GzDecoder::new(bytes.as_slice()).take(most as u64);
    reader.read_to_string(&mut unpacked).ok()?;
    Some(unpacked)
}

#[cfg(test)]
mod tests {
    use super::{decode, payload};

    #[test]
    fn decodes() {
        assert_eq!(decode("eyJhIjoxfQ==").unwrap(), b"{\"a\":1}");
        assert_eq!(decode("eyJhIjoxfQ").unwrap(), b"{\"a\":1}");
        assert_eq!(decode("").unwrap(), b"");
        for text in ["e", "e!", "{\"a\"}"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(payload("/w==", 100), None);
    }
}
