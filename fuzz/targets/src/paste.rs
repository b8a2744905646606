//! Text in the form in which it can be pasted: into a shell, into Rust, into a vector file.

/// As one word of a shell.
pub(crate) fn shell(bytes: &[u8]) -> String {
    let plain = bytes.iter().all(|byte| *byte >= b' ' && *byte != 0x7f);
    match std::str::from_utf8(bytes) {
        Ok(text) if plain => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let mut out = String::from("$'");
            for byte in bytes {
                match byte {
                    b'\'' | b'\\' => out.extend(['\\', char::from(*byte)]),
                    b' '..=b'~' => out.push(char::from(*byte)),
                    _ => out.push_str(&format!("\\x{byte:02x}")),
                }
            }
            out.push('\'');
            out
        }
    }
}

/// As a literal of Rust.
pub(crate) fn rust(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.chars().all(|char| !char.is_control()) => {
            let mut fence = String::from("#");
            while text.contains(&format!("\"{fence}")) {
                fence.push('#');
            }
            format!("r{fence}\"{text}\"{fence}")
        }
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}

/// A list of strings as an array of Rust.
pub(crate) fn rust_list<T: AsRef<[u8]>>(texts: &[T]) -> String {
    let lines: Vec<String> = texts.iter().map(|text| format!("    {},\n", rust(text.as_ref()))).collect();
    format!("[\n{}]", lines.concat())
}
