//! Where the parts of a document are that a comment can be about.

use std::ops::Range;

use eventrie_files::tree::Node;

/// Where the parts of a document are.
#[derive(Default)]
pub(super) struct Spans {
    /// Every member, value and element that begins somewhere of its own: where it begins and ends, in the order of the
    /// beginnings.
    parts: Vec<(usize, usize)>,
    scalars: Vec<Range<usize>>,
    /// Where the last document ended.
    end: usize,
}

impl Spans {
    /// Takes the parts of a document; those of a file follow each other.
    pub(super) fn take(&mut self, root: &Node, text: &str, is_terraform: bool) {
        // Each with the end of what is before it: a list may be said to begin after its first dash.
        let mut left = vec![(root, root.span.start)];
        // A block of Terraform's language begins before its name; what represents several blocks is the whole file.
        let is_own = |value: &Node| match is_terraform {
            true => value.span != (0..text.len()),
            false => is_scalar(value) || has_brackets(value, text),
        };
        if !is_terraform {
            if has_brackets(root, text) {
                self.parts.push((root.span.start, root.span.end));
            }
            // What is above `---` is about all of the document.
            if let Some(start) = marker(text, self.end, root.span.start) {
                self.parts.push((start, root.span.end));
            }
            self.end = root.span.end;
        }
        while let Some((node, before)) = left.pop() {
            if node.text().is_some() {
                self.scalars.push(node.span.clone());
            }
            let mut end = before;
            for element in node.elements() {
                if is_own(element) {
                    self.parts.push((element.span.start, element.span.end));
                }
                // What is above a dash is about all of its element. An alias is elsewhere.
                let dash = if is_terraform { None } else { dash(text, end, element.span.start) };
                if let Some(dash) = dash {
                    self.parts.push((dash, element.span.end));
                }
                left.push((element, dash.map_or(element.span.start, |dash| dash + 1)));
                end = end.max(element.span.end);
            }
            for (key, value) in node.members() {
                // An alias is elsewhere.
                let end = if value.span.start >= key.span.start { value.span.end } else { key.span.end };
                self.parts.push((key.span.start, end.max(key.span.end)));
                if is_own(value) {
                    self.parts.push((value.span.start, value.span.end));
                }
                let before = if value.span.start >= key.span.start { key.span.end } else { value.span.start };
                left.extend([(key, key.span.start), (value, before)]);
            }
        }
    }

    /// After the last document.
    pub(super) fn finish(&mut self, text: &str, is_terraform: bool) {
        self.parts.sort_unstable();
        self.parts.dedup();
        if is_terraform {
            // What replaces a call has the place of the call.
            let is_string = |span: &Range<usize>| {
                text.get(span.clone()).is_some_and(|raw| raw.starts_with('"') || raw.starts_with("<<"))
            };
            self.scalars.retain(is_string);
        }
        self.scalars.sort_by_key(|span| span.start);
    }

    /// The end of a line, or of what begins there and ends last.
    pub(super) fn end_of_line(&self, line: &Range<usize>) -> usize {
        let begin = self.parts.partition_point(|(part, _)| *part < line.start);
        let parts = self.parts.iter().skip(begin).take_while(|(part, _)| *part < line.end);
        parts.map(|(_, end)| *end).max().unwrap_or(line.end).max(line.end)
    }

    pub(super) fn is_in_scalar(&self, at: usize) -> bool {
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

/// The dash of an element of YAML, which comes first after the end of the element before it, or of the list's key.
fn dash(text: &str, after: usize, element: usize) -> Option<usize> {
    let mut start = after;
    for line in text.get(after..element)?.split_inclusive('\n') {
        let rest = line.trim_start();
        // On the lines above are comments, the end of the list's key, and its anchor or tag.
        if !rest.is_empty() && !rest.starts_with(['#', ':', '&', '!']) {
            return rest.starts_with('-').then_some(start + line.len() - rest.len());
        }
        start += line.len();
    }
    None
}

/// Where the line `---` in front of a document begins.
fn marker(text: &str, after: usize, document: usize) -> Option<usize> {
    let before = text.get(after..document)?;
    let is_marker = |rest: &str| rest.starts_with(|next: char| next.is_whitespace()) || rest.is_empty();
    let starts = before.match_indices("---").map(|(at, _)| at).filter(|at| {
        let is_first = *at == 0 && after == 0;
        (is_first || before.get(..*at).is_some_and(|before| before.ends_with('\n')))
            && before.get(at + 3..).is_some_and(is_marker)
    });
    starts.last().map(|at| after + at)
}
