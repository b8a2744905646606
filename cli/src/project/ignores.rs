//! What a file itself says to ignore: comments in YAML and HCL, `Metadata` of a resource in templates.

use std::ops::Range;

use eventrie::diagnostic::{Code, Finding, Severity, Span};
use eventrie_files::Document;
use eventrie_files::tree::{self, Node};

use crate::choose::Selector;

/// What begins an ignore in a comment.
const MARK: &str = "eventrie:";

/// How far before its element a dash may be: a long line must not cost more than a short one.
const FARTHEST_DASH: usize = 256;

/// Everything that a file asks to ignore.
#[derive(Debug, Default)]
pub(crate) struct Ignores {
    ignores: Vec<Ignore>,
}

/// One code that is ignored in a part of a file.
#[derive(Debug)]
struct Ignore {
    /// None: there is no such code.
    selector: Option<Selector>,
    word: String,
    /// Where it is written.
    place: Range<usize>,
    /// The bytes in which it applies.
    region: Range<usize>,
    was_used: bool,
}

impl Ignores {
    /// Reads the ignores of the file.
    pub(crate) fn of(document: &Document) -> Ignores {
        let (name, text) = (document.file().name(), document.file().text());
        let mut found = Ignores::default();
        if !(text.contains("eventrie") && text.contains("ignore")) {
            return found;
        }
        found.read(name, text);
        found.ignores.sort_by_key(|ignore| ignore.place.start);
        found
    }

    fn read(&mut self, name: &str, text: &str) {
        let is_terraform = name.ends_with(".tf") || name.ends_with(".tofu");
        let roots = match (is_terraform, tree::parse_json(text)) {
            (true, _) => tree::parse_hcl(text).map(|root| vec![root]),
            (false, Ok(root)) => {
                return self.metadata(&root);
            }
            (false, Err(_)) => tree::parse_all_yaml(text),
        };
        let Ok(roots) = roots else { return };
        let mut spans = Spans::default();
        for root in &roots {
            self.metadata(root);
            spans.take(root, text, is_terraform);
        }
        spans.parts.sort_unstable();
        spans.parts.dedup();
        if is_terraform {
            // What replaces a call has the place of the call.
            let is_string = |span: &Range<usize>| {
                text.get(span.clone()).is_some_and(|raw| raw.starts_with('"') || raw.starts_with("<<"))
            };
            spans.scalars.retain(is_string);
        }
        spans.scalars.sort_by_key(|span| span.start);
        self.comments(text, &spans, is_terraform);
    }

    /// Whether a finding is hidden; what hides it is used.
    pub(crate) fn hides(&mut self, finding: &Finding) -> bool {
        let (at, mut hides) = (finding.label.span.start as usize, false);
        for ignore in &mut self.ignores {
            let is_it = ignore.selector.as_ref().is_some_and(|selector| selector.has(finding.code));
            if is_it && ignore.region.contains(&at) {
                ignore.was_used = true;
                hides = true;
            }
        }
        hides
    }

    /// The ignores that hide nothing.
    pub(crate) fn unused(&self) -> impl Iterator<Item = Finding> + '_ {
        self.ignores.iter().filter(|ignore| !ignore.was_used).map(|ignore| {
            let what = match &ignore.selector {
                Some(_) => format!("this ignore hides nothing: there is no finding `{}` here", ignore.word),
                None if ignore.word.is_empty() => "expected the codes to ignore, such as `W0016`".to_owned(),
                None => format!("unknown code `{}`; nothing is ignored", ignore.word),
            };
            let mut finding = unused(ignore.place.clone(), what);
            finding.label.message = match &ignore.selector {
                Some(_) => "not found here".to_owned(),
                None => "not a code".to_owned(),
            };
            finding
        })
    }

    /// `Metadata: {eventrie: {ignore: [W0016]}}`: applies to the object that has it, a resource or the whole template.
    fn metadata(&mut self, root: &Node) {
        let mut left = vec![root];
        while let Some(node) = left.pop() {
            left.extend(node.elements());
            left.extend(node.members().iter().map(|(_, value)| value));
            let Some(ignore) = node.get("Metadata").and_then(|data| data.get("eventrie")?.get("ignore")) else {
                continue;
            };
            let alone = std::slice::from_ref(ignore);
            for entry in if ignore.elements().is_empty() { alone } else { ignore.elements() } {
                let Some(text) = entry.text() else { continue };
                let word = text.split([' ', ':', ',']).next().unwrap_or("");
                self.add(word, entry.span.clone(), node.span.clone());
            }
        }
    }

    fn comments(&mut self, text: &str, spans: &Spans, is_terraform: bool) {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let at = start;
            start += line.len();
            let Some((mark, begins)) = mark(line, is_terraform) else { continue };
            if spans.is_in_scalar(at + mark) {
                continue;
            }
            let is_alone = line.get(..begins).is_some_and(|before| before.trim().is_empty());
            let region = if is_alone { next(text, start, spans, is_terraform) } else { at..start };
            let rest = line.get(mark..).unwrap_or("").trim_end().trim_end_matches("*/");
            let mut is_first = true;
            for (offset, word) in words(rest) {
                let is_code = is_code(word);
                if !is_code && !is_first {
                    break;
                }
                let place = at + mark + offset;
                self.add(if is_code { word } else { "" }, place..place + word.len(), region.clone());
                is_first = false;
                if !is_code {
                    break;
                }
            }
            if is_first {
                self.add("", at + begins..at + mark, region);
            }
        }
    }

    fn add(&mut self, word: &str, place: Range<usize>, region: Range<usize>) {
        let selector = if word.is_empty() { None } else { word.parse().ok() };
        self.ignores.push(Ignore { selector, word: word.to_owned(), place, region, was_used: false });
    }
}

/// A finding about an ignore that hides nothing.
pub(crate) fn unused(place: Range<usize>, message: impl Into<String>) -> Finding {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(offset(place.start), offset(place.end.max(place.start + 1)));
    let mut finding = Finding::new(Code::UnusedIgnore, Severity::Warning, span, message);
    finding.label.message = "hides nothing".to_owned();
    finding.help = Some("remove it".to_owned());
    finding
}

/// Where in a line the words after `# eventrie: ignore` begin, and where the comment does.
fn mark(line: &str, is_terraform: bool) -> Option<(usize, usize)> {
    let at = line.find(MARK)?;
    let rest = line.get(at + MARK.len()..)?;
    let word = rest.trim_start().strip_prefix("ignore")?;
    if word.starts_with(|char: char| char.is_alphanumeric() || char == '-') {
        return None;
    }
    let before = line.get(..at)?.trim_end();
    let marks: &[&str] = if is_terraform { &["#", "//", "/*"] } else { &["#"] };
    let begins = marks.iter().find_map(|mark| before.strip_suffix(mark)).map(str::len)?;
    Some((line.len() - word.len(), begins))
}

/// The words of a comment, separated by spaces, commas and colons, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split([' ', '\t', ',', ':']).filter_map(move |word| {
        let place = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((place, word))
    })
}

fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix(['E', 'W', 'e', 'w']);
    digits.is_some_and(|digits| (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a comment on a line of its own is about: the next line that is not a comment, and all that begins there.
fn next(text: &str, after: usize, spans: &Spans, is_terraform: bool) -> Range<usize> {
    let mut start = after;
    for line in text.get(after..).unwrap_or("").split_inclusive('\n') {
        let end = start + line.len();
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || (is_terraform && trimmed.starts_with("//")) {
            start = end;
            continue;
        }
        let begin = spans.parts.partition_point(|(part, _)| *part < start);
        let parts = spans.parts.iter().skip(begin).take_while(|(part, _)| *part < end);
        return start..parts.map(|(_, part_end)| *part_end).max().unwrap_or(end).max(end);
    }
    start..text.len()
}

/// Where the parts of a document are.
#[derive(Default)]
struct Spans {
    /// Every member, value and element that begins somewhere of its own: where it begins and ends, in the order of the
    /// beginnings.
    parts: Vec<(usize, usize)>,
    scalars: Vec<Range<usize>>,
}

impl Spans {
    fn take(&mut self, root: &Node, text: &str, is_terraform: bool) {
        let mut left = vec![root];
        // A block of Terraform's language begins before its name; what represents several blocks is the whole file.
        let is_own = |value: &Node| match is_terraform {
            true => value.span != (0..text.len()),
            false => is_scalar(value) || has_brackets(value, text),
        };
        if !is_terraform && has_brackets(root, text) {
            self.parts.push((root.span.start, root.span.end));
        }
        while let Some(node) = left.pop() {
            if node.text().is_some() {
                self.scalars.push(node.span.clone());
            }
            for element in node.elements() {
                if is_own(element) || is_after_dash(element, text) {
                    self.parts.push((element.span.start, element.span.end));
                }
                left.push(element);
            }
            for (key, value) in node.members() {
                // An alias is elsewhere.
                let end = if value.span.start >= key.span.start { value.span.end } else { key.span.end };
                self.parts.push((key.span.start, end.max(key.span.end)));
                if is_own(value) {
                    self.parts.push((value.span.start, value.span.end));
                }
                left.extend([key, value]);
            }
        }
    }

    fn is_in_scalar(&self, at: usize) -> bool {
        let after = self.scalars.partition_point(|span| span.start <= at);
        // Scalars do not overlap, but the same one may be used twice.
        after.checked_sub(1).and_then(|last| self.scalars.get(last)).is_some_and(|span| at < span.end)
    }
}

fn is_scalar(node: &Node) -> bool {
    node.text().is_some()
}

/// Whether a collection of YAML is in brackets. Without them it begins where its first member or element does: what is
/// above that is about the first one only.
fn has_brackets(node: &Node, text: &str) -> bool {
    !is_scalar(node) && text.get(node.span.start..).is_some_and(|text| text.starts_with(['{', '[']))
}

/// Whether an element of YAML begins on the line of its dash: then what is above that line is about all of it.
fn is_after_dash(element: &Node, text: &str) -> bool {
    let before = text.as_bytes().get(..element.span.start).unwrap_or(&[]);
    before.iter().rev().take(FARTHEST_DASH).find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b'-')
}
