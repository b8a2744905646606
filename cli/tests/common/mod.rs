//! What the tests of the command line share.

#[cfg(any(feature = "lsp", feature = "mcp", feature = "watch"))]
pub(crate) mod running;
pub(crate) mod scene;

use std::fs;
use std::path::Path;

/// What a command printed, and its exit status.
pub(crate) struct Printed {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

/// Compares a command and everything it printed with `golden/NAME.txt`; `UPDATE_SNAPSHOTS=1` writes the file anew. At most
/// `lines` lines.
pub(crate) fn golden(name: &str, args: &[&str], printed: &Printed, lines: usize) {
    let Printed { out, err, code } = printed;
    let shown: Vec<String> =
        args.iter().map(|arg| if arg.contains(['{', ' ']) { format!("'{arg}'") } else { (*arg).to_owned() }).collect();
    let mut text = format!("$ eventrie {}\n{out}", shown.join(" "));
    if !err.is_empty() {
        text.push_str(&format!("--- standard error\n{err}"));
    }
    text.push_str(&format!("--- exit status {code}\n"));
    assert!(text.lines().count() <= lines, "{name} has {} lines", text.lines().count());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        return fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{} differs; UPDATE_SNAPSHOTS=1 accepts the new text", path.display());
}
