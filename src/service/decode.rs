//! Payloads: base64 to bytes.

/// The bytes that base64 text represents, in the standard alphabet, the padding complete or left out. False if the
/// text is not base64; then `out` means nothing.
pub(super) fn base64(text: &[u8], out: &mut Vec<u8>) -> bool {
    out.clear();
    let trimmed = text.strip_suffix(b"=").map_or(text, |text| text.strip_suffix(b"=").unwrap_or(text));
    if trimmed.len() != text.len() && !text.len().is_multiple_of(4) {
        return false;
    }
    out.reserve(trimmed.len() / 4 * 3 + 2);
    for group in trimmed.chunks(4) {
        let mut bits = 0_u32;
        for byte in group {
            let Some(value) = sextet(*byte) else { return false };
            bits = bits << 6 | u32::from(value);
        }
        let [_, first, second, third] = match group.len() {
            4 => bits,
            3 => bits << 6,
            2 => bits << 12,
            _ => return false,
        }
        .to_be_bytes();
        // Four characters are three bytes, three are two, two are one.
        out.extend_from_slice([first, second, third].get(..group.len() - 1).unwrap_or(&[]));
    }
    true
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::base64;
    use crate::json::{Kind, kind_of};
    use crate::limit::Limits;

    #[test]
    fn base64_is_decoded() {
        let mut out = Vec::new();
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm8", "fo"),
            ("Zg", "f"),
            ("Pz8/Pj4+", "???>>>"),
        ] {
            assert!(base64(text.as_bytes(), &mut out), "{text}");
            assert_eq!(out, bytes.as_bytes(), "{text}");
        }
        for text in ["Z", "Zg=", "Z===", "====", "Zm9v=", "Zm 9v", "Zm9v\n", "Zm-_", "=Zg="] {
            assert!(!base64(text.as_bytes(), &mut out), "{text}");
        }
    }

    #[test]
    fn json_is_recognized() {
        let kind = |text| kind_of(text, &Limits::default());
        assert_eq!(kind(" {\"a\": 1}\n"), Some(Kind::Object));
        assert_eq!(kind("[1]"), Some(Kind::Array));
        assert_eq!(kind("12"), Some(Kind::Number));
        for text in ["", " ", "plain", "{\"a\": 1} x", "{\"a\": 1", "12 13", "True"] {
            assert_eq!(kind(text), None, "{text}");
        }
    }
}
