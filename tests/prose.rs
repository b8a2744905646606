//! What people read in a source file: its comments and its strings, with the lines on which they begin.

/// How a language marks comments and strings.
pub(crate) struct Language {
    line: &'static str,
    block: Option<(&'static str, &'static str)>,
    /// Longer quotes before those that they begin with.
    quotes: &'static [&'static str],
}

const RUST: Language = Language { line: "//", block: None, quotes: &["\""] };
const SCRIPT: Language = Language { line: "//", block: Some(("/*", "*/")), quotes: &["`", "\"", "'"] };
const STYLE: Language = Language { line: "\u{0}", block: Some(("/*", "*/")), quotes: &["\"", "'"] };
const PYTHON: Language = Language { line: "#", block: None, quotes: &["\"\"\"", "'''", "\"", "'"] };
const SETTINGS: Language = Language { line: "#", block: None, quotes: &["\"", "'"] };

/// The language of a file, by the end of its name; none for prose and for files that nobody reads.
pub(crate) fn language(name: &str) -> Option<&'static Language> {
    let end = name.rsplit('.').next().unwrap_or_default();
    Some(match end {
        "rs" => &RUST,
        "ts" | "js" | "mjs" => &SCRIPT,
        "css" => &STYLE,
        "py" | "pyi" => &PYTHON,
        "toml" | "yml" | "yaml" => &SETTINGS,
        _ => return None,
    })
}

/// A paragraph of a comment, or a string.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) line: usize,
    pub(crate) is_comment: bool,
    pub(crate) text: String,
}

/// The paragraphs of comments and the strings of a source. Lines of a comment that follow each other are one paragraph.
pub(crate) fn pieces(text: &str, language: &Language) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    let (mut at, mut line) = (0, 1);
    // The line after the last comment, if the next one can continue its paragraph.
    let mut open = 0;
    while at < text.len() {
        let rest = &text[at..];
        let mut length = rest.chars().next().map_or(1, char::len_utf8);
        if rest.starts_with(language.line) && comment_can_begin(text, at, language) {
            length = rest.find('\n').unwrap_or(rest.len());
            let body = rest[..length].trim_start_matches(['/', '!', '#']);
            // Code in the examples of documentation is no paragraph.
            let fenced = body.trim_start().starts_with("```");
            if body.trim().is_empty() || fenced {
                open = 0;
            } else if let Some(last) = all.last_mut().filter(|last| last.is_comment && open == line) {
                last.text.push(' ');
                last.text.push_str(body.trim());
                open = line + 1;
            } else {
                all.push(Piece { line, is_comment: true, text: body.trim().to_owned() });
                open = line + 1;
            }
        } else if let Some((begin, end)) = language.block.filter(|(begin, _)| rest.starts_with(begin)) {
            let close = rest[begin.len()..].find(end).map_or(rest.len(), |close| begin.len() + close + end.len());
            let body = rest[..close].trim_start_matches(['/', '*']).trim_end_matches(['/', '*']);
            let text = one_line(&body.replace("\n   * ", " ").replace("\n * ", " "));
            all.push(Piece { line, is_comment: true, text });
            length = close;
        } else if std::ptr::eq(language, &RUST) && (rest.starts_with("'\"'") || rest.starts_with("'\\")) {
            length = 3;
        } else if let Some(quote) = language.quotes.iter().find(|quote| rest.starts_with(**quote)) {
            let (string, close) = string(text, at, quote, language);
            if !string.starts_with("INVARIANT") {
                all.push(Piece { line, is_comment: false, text: one_line(&string) });
            }
            length = close;
        }
        line += rest[..length].matches('\n').count();
        at += length;
    }
    all
}

/// A number sign inside a word, and a slash after a colon (as in an address), begin no comment.
fn comment_can_begin(text: &str, at: usize, language: &Language) -> bool {
    let before = text[..at].chars().next_back();
    match language.line {
        "#" => before.is_none_or(char::is_whitespace),
        _ => before != Some(':'),
    }
}

/// The string that begins with `quote`, and the length of its spelling. A string that its line does not end is no string.
fn string(text: &str, at: usize, quote: &str, language: &Language) -> (String, usize) {
    let rest = &text[at..];
    let is_rust = std::ptr::eq(language, &RUST);
    let hashes = if is_rust { text[..at].bytes().rev().take_while(|byte| *byte == b'#').count() } else { 0 };
    let is_raw = is_rust && text[..at - hashes].ends_with('r');
    let end = format!("{quote}{}", "#".repeat(if is_raw { hashes } else { 0 }));
    let bytes = rest.as_bytes();
    let mut close = quote.len();
    while close < rest.len() && !bytes[close..].starts_with(end.as_bytes()) {
        if bytes[close] == b'\n' && !is_rust && matches!(quote, "\"" | "'") {
            return (String::new(), quote.len());
        }
        close += if bytes[close] == b'\\' && !is_raw { 2 } else { 1 };
    }
    let close = (close..=rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
    let string = rest[quote.len()..close].replace("\\\n", " ").replace("\\n", " ");
    (string, (close + end.len()).min(rest.len()))
}

/// The text of a page between its tags, with lines.
pub(crate) fn page(text: &str) -> Vec<Piece> {
    let mut line = 1;
    let mut all = Vec::new();
    for part in text.split('<') {
        let shown = part.split_once('>').map_or(part, |(_, shown)| shown);
        let at = line + part[..part.len() - shown.len()].matches('\n').count();
        all.push(Piece { line: at, is_comment: false, text: one_line(shown) });
        line += part.matches('\n').count();
    }
    all.retain(|piece| !piece.text.is_empty());
    all
}

/// The paragraphs of prose, with lines.
pub(crate) fn paragraphs(text: &str) -> Vec<Piece> {
    let mut line = 1;
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let at = line;
        line += paragraph.matches('\n').count() + 2;
        Piece { line: at, is_comment: false, text: one_line(paragraph) }
    });
    paragraphs.collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn comments_and_strings_are_found() {
    let shown = |text: &str, name: &str| {
        let pieces = pieces(text, language(name).unwrap());
        pieces.iter().map(|piece| format!("{} {}", piece.line, piece.text)).collect::<Vec<_>>()
    };
    let rust = "//! One\n//! two\n\n/// Three `x`.\n///\n/// ```\n/// code\n/// ```\nfn f() { // four\n    g('\"', \"five \\\n        six\", r#\"a \"b\"\"#);\n}\n";
    assert_eq!(shown(rust, "a.rs"), ["1 One two", "4 Three `x`.", "7 code", "9 four", "10 five six", "11 a \"b\""]);
    let script = "// one\n/** Two\n * three. */\nconst a = 'four'; const b = `five ${\n c}`; // https://x/y\nlet d = /\"/;\n\"six\"";
    let expected = ["1 one", "2 Two three.", "4 four", "4 five ${ c}", "5 https://x/y", "6 ", "7 six"];
    assert_eq!(shown(script, "a.mjs"), expected);
    let python = "# one\n# two\ndef f():\n    \"\"\"Three\n    four.\"\"\"\n    return 'a#b' # five\n";
    assert_eq!(shown(python, "a.py"), ["1 one two", "4 Three four.", "6 a#b", "6 five"]);
    assert_eq!(shown("a = 1 # one\n[b#c]\n", "a.toml"), ["1 one"]);
    let page = page("<p>One\ntwo <b>three</b></p>\n<p>four</p>");
    assert_eq!(page.iter().map(|piece| piece.line).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(paragraphs("one\ntwo  three\n\nfour")[1], Piece { line: 4, is_comment: false, text: "four".to_owned() });
}
