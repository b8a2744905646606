//! The words that read as translated do not occur in what a person reads: string literals of all packages, the help of
//! the command line, pages, and the types of the npm and Python packages.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A word or phrase, and what to write.
const REPLACED: &[(&str, &str)] = &[
    ("a text", "a string"),
    ("also if", "even if"),
    ("also none", "including none"),
    ("also the empty", "including the empty"),
    ("ask for", "expect, test, read"),
    ("asked for", "expected, tested, read"),
    ("asks for", "expects, tests, reads"),
    ("behaviour", "behavior"),
    ("behind", "after (in time or in a line)"),
    ("colour", "color"),
    ("colours", "colors"),
    ("dearer", "more expensive"),
    ("found this instead", "found this"),
    ("folder", "directory"),
    ("folders", "directories"),
    ("fits", "matches"),
    ("hardly", "probably does not"),
    ("hold", "match, be satisfied, contain"),
    ("holds", "matches, is satisfied, contains"),
    ("in place of", "instead of"),
    ("inside of", "inside"),
    ("into quotes", "quote it"),
    ("is to stand", "goes, must be, belongs"),
    ("leave out of", "remove from"),
    ("letter case", "case"),
    ("licence", "license"),
    ("looked at", "tested, read"),
    ("looks at", "tests, reads"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("mends", "fixes"),
    ("a line each", "one per line"),
    ("object a line", "object per line"),
    ("one a line", "one per line"),
    ("event a line", "event per line"),
    ("outside of", "outside"),
    ("passed over", "skipped"),
    ("shut out", "excluded"),
    ("shuts out", "excludes"),
    ("so that", "to …, or a new sentence"),
    ("stands", "is, goes, must be, belongs"),
    ("superfluous", "redundant"),
    ("take away", "remove"),
    ("take out", "remove"),
    ("tell", "report, distinguish"),
    ("tells", "reports, passes"),
    ("texts", "strings"),
    ("told", "reported, passed, called"),
    ("too much", "what exceeds the limit"),
    ("truth value", "boolean"),
    ("truth values", "booleans"),
    ("upper and lower case", "case"),
    ("white space", "whitespace"),
    ("who means to", "an attacker who"),
    ("whoever", "anyone who"),
];

/// The end of a file's name, a phrase, the words around one place where it is right, and why.
const ALLOWED: &[(&str, &str, &str, &str)] = &[
    ("pattern/syntax.rs", "white space", "only regular white space", "the service's own words"),
    ("DESIGN.md", "hold", "readers hold on to", "to hold on to: to keep alive"),
];

/// Files of texts that are quoted from the service word by word.
const QUOTED: &[&str] = &["src/dialect/wording.rs"];

#[test]
fn what_people_read_has_none_of_the_replaced_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut read) = (String::new(), 0);
    for file in files(root) {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = std::fs::read_to_string(&file).unwrap();
        for (line, seen) in seen(&name, &text) {
            read += seen.len();
            let seen = format!(" {} ", seen.to_lowercase());
            for (phrase, instead) in REPLACED {
                let Some(around) = occurrence(&seen, phrase) else { continue };
                let right = |&&(file, allowed, words, _): &&(&str, &str, &str, &str)| {
                    name.ends_with(file) && allowed == *phrase && seen.contains(words)
                };
                if ALLOWED.iter().find(right).is_none() {
                    writeln!(found, "{name}:{line}: “{phrase}” in “{around}”: write {instead}").unwrap();
                }
            }
        }
    }
    assert!(read > 200_000, "only {read} bytes were read: the files are elsewhere now");
    assert!(found.is_empty(), "\n{found}(if a word is right there, add it to ALLOWED with the reason)");
}

#[test]
fn words_are_found_in_strings_and_whole() {
    let source = "// a folder\n/// the folder\nfn f() {\n    g('\"', \"in the \\\n     folder\");\n}\n#[cfg(test)]\nmod tests {\n    \
                  const A: &str = \"folder\";\n}\n";
    let strings = seen("src/x.rs", source);
    assert_eq!(strings, [(4, "in the folder".to_owned())]);
    assert!(occurrence(" in the folder ", "folder").is_some());
    assert!(occurrence(" the foldering, scaffold-fits, refits ", "fits").is_none());
    assert_eq!(seen("cli/src/args.rs", "/// Reads a folder\n"), [(1, "Reads a folder".to_owned())]);
    assert_eq!(seen("docs/a.md", "one\ntwo  three"), [(1, "one two three".to_owned())]);
}

/// The files that people read, or that have strings that they read.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for part in [
        "src",
        "files/src",
        "cli/src",
        "wasm/src",
        "python/src",
        "python/python",
        "datafusion/src",
        "docs/pages",
        "wasm/npm",
    ] {
        walk(&root.join(part), &mut all);
    }
    let pages =
        ["README", "DESIGN", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT", "RELEASING", "cli/README", "files/README"];
    all.extend(pages.iter().map(|page| root.join(format!("{page}.md"))));
    all.extend(["python/README.md", "datafusion/README.md"].map(|page| root.join(page)));
    all.retain(|path| {
        let name = path.to_str().unwrap().replace('\\', "/");
        let read = [".rs", ".md", ".d.ts", ".pyi"].iter().any(|end| name.ends_with(end));
        // Decisions are history, and the list of the crate's items is generated.
        let other = ["/decisions/", "docs/pages/api.md", "/tests/", "tests.rs", "/node_modules/"];
        read && !other.iter().chain(QUOTED).any(|part| name.contains(part))
    });
    all.sort();
    all
}

fn walk(directory: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, all) } else { all.push(path) }
    }
}

/// What a person sees of a file: paragraphs of pages and of documentation of types, strings of sources; with lines.
fn seen(name: &str, text: &str) -> Vec<(usize, String)> {
    if !name.ends_with(".rs") {
        let mut line = 1;
        let paragraphs = text.split("\n\n").map(|paragraph| {
            let at = line;
            line += paragraph.matches('\n').count() + 2;
            (at, paragraph.replace("\n   * ", " ").split_whitespace().collect::<Vec<_>>().join(" "))
        });
        return paragraphs.collect();
    }
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let mut all = strings(text);
    if name.starts_with("cli/src/args") {
        let help = text.lines().enumerate().filter_map(|(at, line)| Some((at + 1, line.trim().strip_prefix("/// ")?)));
        all.extend(help.map(|(at, line)| (at, line.to_owned())));
    }
    // Invariants are written for those who read the code.
    all.retain(|(_, string)| !string.starts_with("INVARIANT"));
    all
}

/// The string literals of a Rust source, continued lines as one.
fn strings(text: &str) -> Vec<(usize, String)> {
    let (mut all, mut at, mut line) = (Vec::new(), 0, 1);
    let bytes = text.as_bytes();
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let mut length = 1;
        if rest.starts_with(b"//") {
            length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"'\"'") || rest.starts_with(b"'\\") {
            length = 3;
        } else if rest[0] == b'"' {
            let hashes = text[..at].bytes().rev().take_while(|byte| *byte == b'#').count();
            let raw = text[..at - hashes].ends_with('r');
            let end = format!("\"{}", if raw { "#".repeat(hashes) } else { String::new() });
            let mut close = 1;
            while close < rest.len() && !rest[close..].starts_with(end.as_bytes()) {
                close += if rest[close] == b'\\' && !raw { 2 } else { 1 };
            }
            let string = text[at + 1..(at + close).min(text.len())].replace("\\\n", " ").replace("\\n", " ");
            all.push((line, string.split_whitespace().collect::<Vec<_>>().join(" ")));
            length = close + end.len();
        }
        line += rest.iter().take(length).filter(|byte| **byte == b'\n').count();
        at += length;
    }
    all
}

/// The first place of a phrase as whole words, with some words around it.
fn occurrence<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let part = |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '`'));
    text.match_indices(phrase).find_map(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        if part(before.chars().next_back()) || part(after.chars().next()) {
            return None;
        }
        let start = before.char_indices().rev().nth(30).map_or(0, |(at, _)| at);
        let end = after.char_indices().nth(30).map_or(text.len(), |(end, _)| at + phrase.len() + end);
        text.get(start..end)
    })
}
