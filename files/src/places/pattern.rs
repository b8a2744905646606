//! Notes the pattern that is at a place: an object, a string that contains one, filter criteria, or both branches of a condition.

use eventrie::Dialect;
use eventrie::diagnostic::{Code, Finding, Severity, Span};
use eventrie::service::Source;

use super::emit::{self, Schema};
use super::found::{MOST, Place, Places};
use super::known::{self, Known};
use crate::path::Path;
use crate::state::About;
use crate::tree::{Node, Value};

/// The rules by which one resource writes its patterns.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) dialect: Dialect,
    pub(super) schema: Schema,
    /// Whether a pattern may be a string, and whether it may be an object.
    pub(super) takes_text: bool,
    pub(super) takes_object: bool,
    /// Whether an absent value is written as null.
    pub(super) null_is_absent: bool,
}

/// What reads the patterns of a document: where it is, and what it found.
pub(super) struct Finder<'a> {
    pub(super) text: &'a str,
    pub(super) is_yaml: bool,
    pub(super) known: &'a Known,
    pub(super) path: Path,
    pub(super) found: Places,
    /// The source of the mapping that is read.
    pub(super) source: Option<Source>,
    /// That of an event of a SAM function, by its type.
    pub(super) of_event: Option<Source>,
    /// What the file says of the rule that is read.
    pub(super) about: About,
}

impl Finder<'_> {
    pub(super) fn inside(&mut self, path: Path, task: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.path, path);
        task(self);
        self.path = outer;
    }

    /// `{"Filters":[{"Pattern":…}]}`, or the same as Terraform spells it, blocks being lists.
    pub(super) fn criteria(&mut self, value: &Node, style: Style) {
        if known::is_no_value(value) {
            return;
        }
        if let Some(branches) = known::branches(value) {
            return branches.into_iter().for_each(|branch| self.criteria(branch, style));
        }
        let blocks = if value.elements().is_empty() { std::slice::from_ref(value) } else { value.elements() };
        for block in blocks {
            let filters = ["Filters", "filter", "filters"].into_iter().find_map(|name| block.get(name));
            let elements = filters.map_or(&[][..], Node::elements);
            if elements.is_empty() && emit::is_hole(filters.unwrap_or(block)) {
                self.unknown();
            } else if elements.is_empty() && !is_null(block) {
                let message = "there are no filters, so every record passes";
                let help = "add a filter, or remove the block";
                self.fault(filters.unwrap_or(block), message, "no filters", help, Severity::Warning);
            }
            for (at, filter) in elements.iter().enumerate() {
                let path = self.path.key("Filters").index(at);
                self.inside(path, |finder| finder.filter(filter, style));
            }
        }
    }

    /// One filter: an object with a `Pattern`.
    fn filter(&mut self, filter: &Node, style: Style) {
        if known::is_no_value(filter) {
            return;
        }
        if let Some(branches) = known::branches(filter) {
            return branches.into_iter().for_each(|branch| self.filter(branch, style));
        }
        if let Value::String(_) | Value::Plain(_) = filter.value
            && !emit::is_hole(filter)
        {
            let help = "write `Pattern:` before it";
            return self.fault(
                filter,
                "a filter must be an object with a `Pattern`",
                "not an object",
                help,
                Severity::Error,
            );
        }
        match ["Pattern", "pattern"].into_iter().find_map(|name| filter.get(name)) {
            None if emit::is_hole(filter) => self.unknown(),
            Some(pattern) if !(style.null_is_absent && is_null(pattern)) => {
                let path = self.path.key("Pattern");
                self.inside(path, |finder| finder.pattern(pattern, style));
            }
            other => {
                let message = "the filter has no `Pattern`, so every record passes";
                let help = "put the filter's JSON text in `Pattern`";
                self.fault(other.unwrap_or(filter), message, "no `Pattern`", help, Severity::Error);
            }
        }
    }

    /// Notes a pattern: an object, a string that has one, or both branches of a condition.
    pub(super) fn pattern(&mut self, value: &Node, style: Style) {
        let branches = known::branches(value);
        let is_conditional = branches.is_some();
        for (at, value) in branches.map_or(vec![value], |branches| branches.to_vec()).into_iter().enumerate() {
            let path = if is_conditional { self.path.key("Fn::If").index(at + 1) } else { self.path.clone() };
            self.inside(path, |finder| finder.chosen(value, style, is_conditional));
        }
    }

    fn chosen(&mut self, value: &Node, style: Style, is_conditional: bool) {
        if known::is_no_value(value) || (style.null_is_absent && is_null(value)) {
            return;
        }
        if let Some(inner) = as_json(value) {
            return self.structure(inner, style, is_conditional);
        }
        match &value.value {
            Value::Map(_) if emit::is_hole(value) => self.text(value, style, is_conditional),
            Value::Map(_) if style.takes_object => self.structure(value, style, is_conditional),
            Value::Map(_) => {
                let message = "the pattern must be a string that contains JSON, found an object";
                let help = "write it as one string, for example in single quotes or after `|`";
                self.fault(value, message, "not a string", help, Severity::Error);
            }
            Value::List(_) if !emit::is_hole(value) => self.structure(value, style, is_conditional),
            Value::String(_) | Value::Plain(_) if value.tag.is_none() && is_null(value) => {
                self.fault(
                    value,
                    "the pattern is empty",
                    "nothing here",
                    "write a pattern, or remove the key",
                    Severity::Error,
                );
            }
            Value::String(_) if value.tag.is_none() && !style.takes_text && !is_reference(value) => {
                let message = "the pattern must be an object, not a string";
                self.fault(value, message, "not an object", "write the object without quotes", Severity::Error);
            }
            Value::String(_) | Value::Plain(_) | Value::List(_) => self.text(value, style, is_conditional),
        }
    }

    /// A pattern that is spelled as a structure; twice if conditions choose inside it.
    fn structure(&mut self, value: &Node, style: Style, is_conditional: bool) {
        let (pattern, chose) = emit::emit(value, self.text, self.known, style.schema, 0);
        let is_conditional = is_conditional || chose;
        self.put(pattern, style.dialect, is_conditional);
        if chose {
            let (pattern, _) = emit::emit(value, self.text, self.known, style.schema, 1);
            self.put(pattern, style.dialect, is_conditional);
        }
        if self.is_yaml {
            self.ambiguous(value);
        }
    }

    /// A pattern that is spelled as a string.
    fn text(&mut self, value: &Node, style: Style, is_conditional: bool) {
        let pattern = emit::text(value, self.text);
        match pattern {
            // A string with nothing but a variable in it.
            Some(pattern) if pattern.text().trim_start().starts_with("${") && pattern.has_holes() => {
                self.unknown();
            }
            Some(pattern) => self.put(pattern, style.dialect, is_conditional),
            None => self.unknown(),
        }
    }

    fn put(&mut self, pattern: crate::Located, dialect: Dialect, is_conditional: bool) {
        let source = self.source.filter(|_| dialect == Dialect::Lambda);
        self.found.patterns.push(Place {
            path: self.path.clone(),
            dialect,
            pattern,
            is_conditional,
            source,
            about: self.about.clone(),
        });
    }

    /// Notes a pattern that is only known when the template is deployed.
    fn unknown(&mut self) {
        if self.found.unknown.len() < MOST {
            self.found.unknown.push(self.path.clone());
        } else {
            self.found.left_out += 1;
        }
    }

    /// Unquoted scalars that YAML 1.1 and 1.2 read differently.
    fn ambiguous(&mut self, value: &Node) {
        match &value.value {
            Value::Plain(text) if value.tag.is_none() && emit::is_ambiguous(text) => {
                let shown = |schema| match emit::plain(text, schema) {
                    text if text.starts_with('"') => format!("the string {text}"),
                    text => text,
                };
                let message = format!(
                    "`{text}` is {} in YAML 1.1 (CloudFormation) and {} in YAML 1.2",
                    shown(Schema::One),
                    shown(Schema::Two)
                );
                let help = format!("quote it to keep the string: '{text}'");
                self.fault(value, message, "read differently", help, Severity::Warning);
            }
            Value::Plain(_) | Value::String(_) => {}
            Value::List(elements) => elements.iter().for_each(|element| self.ambiguous(element)),
            Value::Map(members) => members.iter().for_each(|(_, value)| self.ambiguous(value)),
        }
    }

    pub(super) fn fault(
        &mut self,
        node: &Node,
        message: impl Into<String>,
        label: &str,
        help: impl Into<String>,
        severity: Severity,
    ) {
        if self.found.findings.len() >= MOST {
            self.found.left_out += 1;
            return;
        }
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span::new(offset(node.span.start), offset(node.span.end));
        let mut finding = Finding::new(Code::ShapeNotInDialect, severity, span, message);
        finding.label.message = label.to_owned();
        finding.help = Some(help.into());
        self.found.findings.push((self.path.clone(), finding));
    }
}

fn is_null(node: &Node) -> bool {
    matches!(&node.value, Value::Plain(text) if matches!(text.as_str(), "" | "~" | "null"))
}

/// Whether a string only refers to something that a tool fills in, such as `${file(pattern.yml)}`.
fn is_reference(node: &Node) -> bool {
    node.text().is_some_and(|text| text.trim_start().starts_with("${"))
}

/// What a function turns into JSON text: Pulumi's `fn::toJSON`, CloudFormation's `Fn::ToJsonString`.
fn as_json(node: &Node) -> Option<&Node> {
    match node.members() {
        [(key, value)] if matches!(key.text(), Some("fn::toJSON" | "Fn::ToJsonString")) => Some(value),
        _ => None,
    }
}
