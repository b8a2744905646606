//! The words that read as translated do not occur in what a person reads: messages, help, pages, documentation, types,
//! and the comments of all sources.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::prose::{self, Piece};

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
    ("beginnings of codes", "prefixes of codes"),
    ("colour", "color"),
    ("colours", "colors"),
    ("dearer", "more expensive"),
    ("favour", "favor"),
    ("found this instead", "found this"),
    ("folder", "directory"),
    ("folders", "directories"),
    ("fits", "matches"),
    ("goes with", "requires, cannot be used with"),
    ("grey", "gray"),
    ("hardly", "probably does not"),
    ("hold", "match, be satisfied, contain"),
    ("holds", "matches, is satisfied, contains"),
    ("in place of", "instead of"),
    ("inside of", "inside"),
    ("into quotes", "quote it"),
    ("is to stand", "goes, must be, belongs"),
    ("judged as", "read as"),
    ("leave out of", "remove from"),
    ("letter case", "case"),
    ("licence", "license"),
    ("looked at", "tested, read"),
    ("looks at", "tests, reads"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("mends", "fixes"),
    ("neighbour", "neighbor"),
    ("neighbours", "neighbors"),
    ("nothing says", "it is not documented"),
    ("optimisation", "optimization"),
    ("suggests that", "looks like"),
    ("there is no code", "unknown code"),
    ("what becomes of", "what happens to"),
    ("without end", "forever, unbounded"),
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

/// The end of a file's name, a phrase, the words around the places where it is right, and why.
const ALLOWED: &[(&str, &str, &str, &str)] = &[
    ("pattern/syntax.rs", "white space", "only regular white space", "the service's own words"),
    ("files/src/source.rs", "a text", "a text file", "a kind of file"),
    ("www/src/all-answers.ts", "texts", " texts ", "the id of an element of the page"),
];

/// Files whose texts are quoted from the service word by word, and the list itself.
const QUOTED: &[&str] = &["src/dialect/wording.rs", "tests/wording.rs"];

/// Directories that are read, and whether the strings in their sources are read by people. Those of tests are data.
const READ: &[(&str, bool)] = &[
    (".ci", false),
    ("benches", false),
    ("cli/src", true),
    ("cli/tests", false),
    ("datafusion", true),
    ("docs", true),
    ("editors", true),
    ("examples", true),
    ("files/src", true),
    ("files/tests", false),
    ("fuzz", false),
    ("python", true),
    ("python/tests", false),
    ("spec-vectors", true),
    ("src", true),
    ("tests", false),
    ("wasm", true),
    ("wasm/test", false),
];

/// Directories that contain results, data or copies.
const SKIPPED: &[&str] = &[
    "/target/",
    "/node_modules/",
    "/dist/",
    "/pkg/",
    "/readers.js/",
    "/golden/",
    "/data/",
    "/corpus/",
    "/.",
    "/site/",
    "/__pycache__/",
];

#[test]
fn what_people_read_has_none_of_the_replaced_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut comments, mut strings) = (String::new(), 0, 0);
    for file in files(root) {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let text = std::fs::read_to_string(&file).unwrap();
        for piece in seen(&name, &text) {
            *(if piece.is_comment { &mut comments } else { &mut strings }) += piece.text.len();
            report(&name, &piece, &mut found);
        }
    }
    assert!(
        comments > 500_000 && strings > 300_000,
        "only {comments} and {strings} bytes were read: where is the rest?"
    );
    assert!(found.is_empty(), "\n{found}(if a word is right there, add it to ALLOWED with the reason)");
}

/// Writes down each phrase that is not allowed where it occurs.
fn report(name: &str, piece: &Piece, found: &mut String) {
    let seen = format!(" {} ", piece.text.to_lowercase());
    for (phrase, instead) in REPLACED {
        let Some(around) = occurrence(&seen, phrase) else { continue };
        let is_right = |&(file, allowed, words, _): &(&str, &str, &str, &str)| {
            name.ends_with(file) && allowed == *phrase && seen.contains(words)
        };
        if !ALLOWED.iter().any(is_right) {
            writeln!(found, "{name}:{}: “{phrase}” in “{around}”: write {instead}", piece.line).unwrap();
        }
    }
}

#[test]
fn planted_words_are_found() {
    let reported = |name: &str, text: &str| {
        let mut found = String::new();
        seen(name, text).iter().for_each(|piece| report(name, piece, &mut found));
        found
    };
    let source = "// a folder\nuse y;\n/// one\n/// folder\nfn f() {\n    g(\"in the \\\n     folder\");\n}\n";
    assert_eq!(reported("src/x.rs", source).lines().count(), 3);
    assert_eq!(reported("tests/x.rs", source).lines().count(), 2, "the strings of tests are data");
    let module = "#[cfg(test)]\nmod tests {\n    // a folder\n    const A: &str = \"folder\";\n}\n";
    assert!(reported("src/x.rs", module).starts_with("src/x.rs:3: “folder” in"));
    assert!(reported("wasm/www/src/x.ts", "/** The\n * folder. */\n").starts_with("wasm/www/src/x.ts:1: “folder”"));
    assert!(reported("wasm/www/index.html", "<p>A\nfolder</p>").contains("“folder”"));
    assert!(reported("python/python/x.pyi", "def f():\n    \"\"\"A folder.\"\"\"\n").contains(":2: “folder”"));
    assert!(reported("docs/pages/decisions/x.md", "so\nthat").contains("“so that”"));
    assert_eq!(reported("docs/pages/x.md", "the foldering, scaffold-fits, refits, `folder`"), "");
}

/// The files that people read.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for (directory, _) in READ {
        walk(&root.join(directory), &mut all);
    }
    all.extend(std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    for package in ["cli", "files"] {
        all.extend(["README.md", "Cargo.toml"].map(|name| root.join(package).join(name)));
    }
    all.retain(|path| {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        let is_read = prose::language(&name).is_some() || [".md", ".html"].iter().any(|end| name.ends_with(end));
        is_read && !QUOTED.contains(&&*name)
    });
    all.sort();
    all.dedup();
    all
}

fn walk(directory: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{}/", path.to_str().unwrap().replace('\\', "/"));
        let own = &name[directory.to_str().unwrap().len()..];
        if SKIPPED.iter().any(|part| own.contains(part)) {
            continue;
        }
        if path.is_dir() { walk(&path, all) } else { all.push(path) }
    }
}

/// What people see of a file.
fn seen(name: &str, text: &str) -> Vec<Piece> {
    let Some(language) = prose::language(name) else {
        return if name.ends_with(".html") { prose::page(text) } else { prose::paragraphs(text) };
    };
    let mut all = prose::pieces(text, language);
    let within = READ.iter().filter(|(directory, _)| name.starts_with(directory)).max_by_key(|(path, _)| path.len());
    let shows_strings = within.is_some_and(|(_, strings)| *strings)
        && [".rs", ".ts", ".js", ".py", ".pyi"].iter().any(|end| name.ends_with(end))
        && !name.contains("tests");
    // The strings of unit tests are data as well.
    let tests = text.find("#[cfg(test)]\nmod tests {").map_or(usize::MAX, |at| text[..at].matches('\n').count());
    all.retain(|piece| piece.is_comment || shows_strings && piece.line <= tests);
    all
}

/// The first place of a phrase as whole words, with some words around it.
fn occurrence<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    let part =
        |char: Option<char>| char.is_some_and(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '`' | ':'));
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
