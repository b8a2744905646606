//! What can be written at the cursor: fields of the envelope, operators that the dialect has, known sources and detail types.
//!
//! While somebody types, the document is rarely complete. So a name is put in at the cursor in each form that the language
//! has, until the document can be read with it: that form shows where in a pattern the cursor is, and how to write a proposal.

use std::ops::Range;

use eventrie::Dialect;
use eventrie_files::tree::{Node, parse_json};
use gen_lsp_types as lsp;

use super::document::{Language, Open, pattern_at};
use super::known;
use super::operators::{self, Entry};
use super::options::Options;
use super::place::{self, Here, Place};
use crate::project::Settings;

/// In a longer document nothing is proposed: it is read several times.
const LONGEST: usize = 1 << 20;
/// The name that is put in.
const MARK: &str = "eventrie-cursor";
/// Where forms have the name and its value.
const NAME: char = '\u{1}';
const VALUE: char = '\u{2}';

/// The forms of a name outside quotes, those of the language first.
const PLAIN_JSON: &[&str] = &["\"\u{1}\"", "\"\u{1}\": \u{2}", "\"\u{1}\",", "\"\u{1}\": \u{2},"];
const PLAIN_YAML: &[&str] = &["\u{1}", "\u{1}: \u{2}", "\u{1},", "\u{1}: \u{2},"];
const PLAIN_HCL: &[&str] = &["\u{1} = \u{2}", "\"\u{1}\"", "\"\u{1}\",", "\"\u{1}\" = \u{2}"];
const PLAIN_ESCAPED: &[&str] = &["\\\"\u{1}\\\"", "\\\"\u{1}\\\": \u{2}", "\\\"\u{1}\\\",", "\\\"\u{1}\\\": \u{2},"];
/// The forms of an operator as a whole.
const OBJECTS: &[&str] = &["{ \u{1} = \u{2} }", "{\"\u{1}\": \u{2}}", "{\\\"\u{1}\\\": \u{2}}"];

/// A form that can be read, with what the cursor is part of.
struct Fit {
    /// The form, and the part of the document that it replaces.
    form: String,
    range: Range<usize>,
    place: Place,
    dialect: Dialect,
    /// The sources that the pattern names.
    sources: Vec<String>,
}

/// What is proposed at byte `offset`.
pub(super) fn complete(open: &mut Open, offset: usize, options: &Options) -> Vec<lsp::CompletionItem> {
    let checked = open.checked(options);
    let (dialect, settings) = (checked.reading().dialect, checked.settings.clone());
    let open = &*open;
    let text = open.text.as_str();
    if text.len() > LONGEST {
        return Vec::new();
    }
    let token = Token::at(text, offset);
    let forms = token.forms(text, open.language()).into_iter();
    let Some(fit) = forms.into_iter().find_map(|(form, range)| fit(open, form, range, dialect)) else {
        return Vec::new();
    };
    let mut items = Items { open, options, fit: &fit, settings: settings.as_deref(), all: Vec::new() };
    match &fit.place.here {
        Here::Field => items.fields(),
        Here::Operator(within) => {
            for entry in operators::offered(fit.dialect, within) {
                items.operator(entry, &fit.form);
            }
        }
        Here::Value(within) => {
            items.values(within);
            if within.is_empty() && token.quote.is_none() {
                let tail = if fit.form.ends_with(',') { "," } else { "" };
                let forms = OBJECTS.iter().map(|form| format!("{form}{tail}"));
                let mut forms = forms.filter_map(|form| self::fit(open, form, fit.range.clone(), dialect));
                if let Some(object) = forms.find(|fit| fit.place.here == Here::Operator(Vec::new())) {
                    for entry in operators::offered(fit.dialect, &[]) {
                        items.operator(entry, &object.form);
                    }
                }
            }
        }
    }
    items.all
}

/// Where the cursor is if the form is put there; none if the document cannot be read so.
fn fit(open: &Open, form: String, range: Range<usize>, dialect: Dialect) -> Option<Fit> {
    let probe = form.replace(NAME, MARK).replace(VALUE, "0");
    let document = open.read(open.text.replaced(&range, &probe)?)?;
    let at = range.start + form.find(NAME)?;
    let (found, _) = pattern_at(&document, at)?;
    let root = parse_json(found.pattern().text()).ok()?;
    let place = place::find(&root, found.pattern().text().find(MARK)?)?;
    let is_name = place.text == MARK && (form.contains(VALUE) != matches!(place.here, Here::Value(_)));
    let dialect = found.dialect().unwrap_or(dialect);
    is_name.then(|| Fit { form, range, place, dialect, sources: sources(&root) })
}

fn sources(root: &Node) -> Vec<String> {
    let source = root.get("source").map_or(&[][..], Node::elements);
    source.iter().filter_map(Node::text).filter(|text| *text != MARK).map(str::to_owned).collect()
}

/// The name that is being written.
struct Token {
    range: Range<usize>,
    /// The quotes around it, and whether they are closed.
    quote: Option<(&'static str, bool)>,
    offset: usize,
}

impl Token {
    fn at(text: &str, offset: usize) -> Token {
        let before = text.get(..offset).unwrap_or("");
        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let before = before.get(line..).unwrap_or("");
        let rest = text.get(offset..).unwrap_or("");
        let rest = rest.lines().next().unwrap_or("");
        let word_end = rest.find(|char| !is_of_a_name(char)).unwrap_or(rest.len());
        let is_escaped = |at: usize| before.get(..at).is_some_and(|text| text.ends_with('\\'));
        if let Some(last) = before.rfind('"') {
            let alike = before.match_indices('"').filter(|(at, _)| is_escaped(*at) == is_escaped(last)).count();
            if alike % 2 == 1 {
                let quote = if is_escaped(last) { "\\\"" } else { "\"" };
                let end = rest.find(quote).filter(|end| {
                    rest.get(..*end).is_some_and(|inner| !inner.contains(['"', ',', '[', ']', '{', '}']))
                });
                let range = line + last + 1..offset + end.unwrap_or(word_end);
                return Token { range, quote: Some((quote, end.is_some())), offset };
            }
        }
        let start = before
            .rfind(|char| !is_of_a_name(char))
            .map_or(0, |at| at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
        Token { range: line + start..offset + word_end, quote: None, offset }
    }

    /// The forms that the name may have, each with what it replaces.
    fn forms(&self, text: &str, language: Language) -> Vec<(String, Range<usize>)> {
        let Some((quote, is_closed)) = self.quote else {
            let is_escaped = text.get(..self.offset).is_some_and(|before| before.ends_with('\\'));
            let own: &[&str] = match language {
                Language::Json => &[],
                Language::Yaml => PLAIN_YAML,
                Language::Hcl => PLAIN_HCL,
            };
            let all = [own, PLAIN_JSON, PLAIN_ESCAPED].into_iter().filter(|_| !is_escaped).flatten();
            return all.map(|form| ((*form).to_owned(), self.range.clone())).collect();
        };
        let mut forms = Vec::new();
        if is_closed {
            forms.push((NAME.to_string(), self.range.clone()));
        }
        let end = self.range.end + if is_closed { quote.len() } else { 0 };
        for after in ["", ": \u{2}", ",", ": \u{2},", " = \u{2}"] {
            forms.push((format!("{NAME}{quote}{after}"), self.range.start..end));
        }
        forms
    }
}

fn is_of_a_name(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '$' | '.')
}

struct Items<'a> {
    open: &'a Open,
    options: &'a Options,
    fit: &'a Fit,
    settings: Option<&'a Settings>,
    all: Vec<lsp::CompletionItem>,
}

impl Items<'_> {
    fn fields(&mut self) {
        if self.fit.place.path.is_empty() {
            let is_set = |name: &str| {
                self.fit.dialect == Dialect::EventsV2EventSource && matches!(name, "source" | "account" | "region")
            };
            for name in self.fit.dialect.envelope_fields().iter().filter(|name| !is_set(name)) {
                let has_fields = matches!(*name, "detail" | "dynamodb" | "body" | "data" | "value" | "kinesis");
                let value = if has_fields { "{$0}" } else { "[$0]" };
                let detail = format!("field of {} events", self.fit.dialect);
                self.push(name, value, &self.fit.form, lsp::CompletionItemKind::Field, detail);
            }
        }
        if let Some(entry) = operators::or(self.fit.dialect) {
            self.operator(entry, &self.fit.form);
        }
    }

    fn operator(&mut self, entry: &Entry, form: &str) {
        let detail = "operator".to_owned();
        self.push(entry.name, entry.operand, form, lsp::CompletionItemKind::Operator, detail);
        if let Some(item) = self.all.last_mut() {
            let text = lsp::MarkupContent::new(lsp::MarkupKind::Markdown, entry.description.to_owned());
            item.documentation = Some(text.into());
        }
    }

    fn values(&mut self, within: &[String]) {
        let path: Vec<&str> = self.fit.place.path.iter().map(String::as_str).collect();
        let within: Vec<&str> = within.iter().map(String::as_str).collect();
        let is_bus = matches!(self.fit.dialect, Dialect::EventBridge | Dialect::EventsV2Data);
        let (values, detail): (Vec<&str>, &str) = match (path.as_slice(), within.as_slice(), self.fit.dialect) {
            (_, ["numeric"], _) => (vec!["<", "<=", "=", ">", ">="], "comparison"),
            (["source"], [] | ["prefix" | "anything-but"], _) if is_bus => (known::sources().collect(), "AWS service"),
            (["aws:Source"], [], Dialect::EventsV2SystemMetadata) => (known::sources().collect(), "AWS service"),
            (["detail-type"], [] | ["anything-but"], _) if is_bus => {
                (known::detail_types(&self.fit.sources), "type of event")
            }
            (["aws:DeliveryType"], [], Dialect::EventsV2SystemMetadata) => (vec!["LIVE", "REPLAY"], "kind of delivery"),
            (["eventName"], [], Dialect::Pipes | Dialect::Lambda) => {
                (vec!["INSERT", "MODIFY", "REMOVE"], "change of a table")
            }
            _ => (Vec::new(), ""),
        };
        let own = self.settings.filter(|_| is_bus && within.is_empty());
        let own: Vec<&str> = match (own, path.as_slice()) {
            (Some(settings), ["source"]) => settings.sources().collect(),
            (Some(settings), ["detail-type"]) => {
                let all = self.fit.sources.iter().flat_map(|source| settings.detail_types(source));
                all.map(String::as_str).collect()
            }
            _ => Vec::new(),
        };
        for value in own {
            self.push(value, "", &self.fit.form, lsp::CompletionItemKind::Value, "eventrie.toml".to_owned());
        }
        for value in values {
            self.push(value, "", &self.fit.form, lsp::CompletionItemKind::Value, detail.to_owned());
        }
    }

    fn push(&mut self, name: &str, value: &str, form: &str, kind: lsp::CompletionItemKind, detail: String) {
        let is_snippet = self.options.has_snippets && form.contains(VALUE);
        let value = if is_snippet { value.to_owned() } else { plain(value) };
        let value = if form.contains("\\\"") { value.replace('"', "\\\"") } else { value };
        let name_in_text = if is_snippet { name.replace('$', "\\$") } else { name.to_owned() };
        // In a snippet a closing brace ends nothing, and the backslashes of escaped quotes are doubled.
        let form = if is_snippet { form.replace('\\', "\\\\") } else { form.to_owned() };
        let value = if is_snippet { value.replace("\\\"", "\\\\\"") } else { value };
        let new_text = form.replace(NAME, &name_in_text).replace(VALUE, &value);
        // A key may be filtered by what is before it in the part that is replaced.
        let lead = form.split(NAME).next().unwrap_or("");
        let is_inside = self.open.text.as_str().get(self.fit.range.clone()).is_some_and(|text| text.starts_with('"'));
        let item = lsp::CompletionItem {
            label: name.to_owned(),
            kind: Some(kind),
            detail: Some(detail),
            filter_text: is_inside.then(|| format!("{lead}{name}")),
            insert_text_format: is_snippet.then_some(lsp::InsertTextFormat::Snippet),
            text_edit: Some(lsp::TextEdit::new(self.open.text.range(self.fit.range.clone()), new_text).into()),
            ..lsp::CompletionItem::default()
        };
        self.all.push(item);
    }
}

/// A value without places for the cursor.
fn plain(value: &str) -> String {
    let mut text = value.replace("$0", "");
    for default in ["0", "true"] {
        text = text.replace(&format!("${{0:{default}}}"), default);
    }
    text
}
