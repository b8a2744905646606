//! What a file itself says to ignore: comments in YAML and HCL, `Metadata` of a resource in templates.

mod spans;

use std::collections::HashMap;
use std::ops::Range;

use eventrie::diagnostic::{Code, Finding, Severity, Span};
use eventrie_files::Document;
use eventrie_files::tree::{self, Node};

use crate::choose::Selector;
use spans::Spans;

/// What begins an ignore in a comment.
const MARK: &str = "eventrie:";

/// Everything that a file asks to ignore.
#[derive(Debug, Default)]
pub(crate) struct Ignores {
    ignores: Vec<Ignore>,
    effects: Vec<Effect>,
    /// The effect of each word and region.
    known: HashMap<(String, Range<usize>), usize>,
}

/// One code that is ignored in a part of a file.
#[derive(Debug)]
struct Ignore {
    word: String,
    /// Where it is written.
    place: Range<usize>,
    /// None: there is no such code.
    effect: Option<usize>,
}

/// What one or more ignores hide: several comments may say the same about the same part.
#[derive(Debug)]
struct Effect {
    selector: Selector,
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
        spans.finish(text, is_terraform);
        self.comments(text, &spans, is_terraform);
    }

    /// Whether each finding is hidden; what hides one is used. Regions are nested or nearly so, so few of them contain one
    /// byte: the findings are visited in the order of the text, with the regions that are open there.
    pub(crate) fn hides<'a>(&mut self, findings: impl Iterator<Item = &'a Finding>) -> Vec<bool> {
        let mut findings: Vec<(usize, &Finding)> = findings.enumerate().collect();
        let mut hidden = vec![false; findings.len()];
        findings.sort_by_key(|(_, finding)| finding.label.span.start);
        self.known.clear();
        let mut order: Vec<&mut Effect> = self.effects.iter_mut().collect();
        order.sort_by_key(|effect| effect.region.start);
        let (mut later, mut open) = (order.into_iter().peekable(), Vec::new());
        for (number, finding) in findings {
            let at = finding.label.span.start as usize;
            while let Some(effect) = later.next_if(|effect| effect.region.start <= at) {
                open.push(effect);
            }
            open.retain(|effect| at < effect.region.end);
            for effect in open.iter_mut().filter(|effect| effect.selector.has(finding.code)) {
                effect.was_used = true;
                if let Some(hidden) = hidden.get_mut(number) {
                    *hidden = true;
                }
            }
        }
        hidden
    }

    /// The ignores that hide nothing.
    pub(crate) fn unused(&self) -> impl Iterator<Item = Finding> + '_ {
        let effect = |ignore: &Ignore| self.effects.get(ignore.effect?);
        let left = self.ignores.iter().filter(move |ignore| !effect(ignore).is_some_and(|effect| effect.was_used));
        left.map(|ignore| {
            let what = match &ignore.effect {
                Some(_) => format!("this ignore hides nothing: there is no finding `{}` here", ignore.word),
                None if ignore.word.is_empty() => "expected the codes to ignore, such as `W0016`".to_owned(),
                None => format!("unknown code `{}`; nothing is ignored", ignore.word),
            };
            let mut finding = unused(ignore.place.clone(), what);
            finding.label.message = match &ignore.effect {
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
        let (mut start, mut next) = (0, Next::default());
        for line in text.split_inclusive('\n') {
            let at = start;
            start += line.len();
            let Some((mark, begins)) = mark(line, is_terraform) else { continue };
            if spans.is_in_scalar(at + mark) {
                continue;
            }
            let is_alone = line.get(..begins).is_some_and(|before| before.trim().is_empty());
            let region = if is_alone { next.after(start, text, spans, is_terraform) } else { at..start };
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
        let effect = selector.map(|selector| {
            *self.known.entry((word.to_owned(), region.clone())).or_insert_with(|| {
                self.effects.push(Effect { selector, region, was_used: false });
                self.effects.len() - 1
            })
        });
        self.ignores.push(Ignore { word: word.to_owned(), place, effect });
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

/// What comments on lines of their own are about.
#[derive(Default)]
struct Next {
    /// From the end of the first of these comments to the beginning of the line that they are about.
    comments: Range<usize>,
    region: Range<usize>,
}

impl Next {
    /// What the comment that ends here is about: the next line that is not a comment, and all that begins there. Comments
    /// after each other are about the same line, which is found once.
    fn after(&mut self, end: usize, text: &str, spans: &Spans, is_terraform: bool) -> Range<usize> {
        if end < self.comments.start || end > self.comments.end {
            let line = next_line(text, end, is_terraform);
            self.comments = end..line.start;
            self.region = line.start..spans.end_of_line(&line);
        }
        self.region.clone()
    }
}

/// The next line that is not a comment, or the end of the text.
fn next_line(text: &str, after: usize, is_terraform: bool) -> Range<usize> {
    let mut start = after;
    for line in text.get(after..).unwrap_or("").split_inclusive('\n') {
        let end = start + line.len();
        let trimmed = line.trim();
        if !(trimmed.is_empty() || trimmed.starts_with('#') || (is_terraform && trimmed.starts_with("//"))) {
            return start..end;
        }
        start = end;
    }
    start..text.len()
}

#[cfg(test)]
mod tests {
    use eventrie_files::{Expected, SourceFile};

    use super::*;

    #[test]
    fn comments_after_each_other_are_read_once() {
        let text = format!("{}x: y\n", "# a\n".repeat(100));
        let (mut next, spans) = (Next::default(), Spans::default());
        assert_eq!(next.after(4, &text, &spans, false), 400..405);
        for end in (8..=400).step_by(4) {
            assert_eq!(next.after(end, &text, &spans, false), 400..405);
            assert_eq!(next.comments, 4..400, "looked for again from {end}");
        }
    }

    #[test]
    fn ignores_that_say_the_same_have_one_effect() {
        let text = format!("{}source: x\ndetail: {{a: x}}\n", "# eventrie: ignore E0006, W0016\n".repeat(100));
        let document = Document::read(SourceFile::new("rule.yaml", text), Expected::Anything).unwrap();
        let ignores = Ignores::of(&document);
        assert_eq!((ignores.ignores.len(), ignores.effects.len()), (200, 2));
    }
}
