//! HCL as the tree that its JSON syntax would have: `resource` → type → name → body.
//!
//! `jsonencode(…)` becomes `fn::toJSON`, a conditional becomes `Fn::If`, locals and defaults of variables are put where
//! they are used, and everything else that is only known when it is applied becomes a tagged scalar.

mod template;

use std::collections::HashMap;
use std::ops::Range;

use hcl_edit::Span;
use hcl_edit::expr::{Expression, ObjectKey, TraversalOperator};
use hcl_edit::structure::{Block, Body, Structure};
use hcl_edit::template::Element;

use super::{Malformed, Named, Node, Value};

/// How often a name may lead to the next.
const DEEPEST: usize = 16;
/// The most nodes of one file: a local that is used twice is there twice.
const MOST: usize = 200_000;
/// The tag of what is only known later.
const LATER: &str = "Terraform";

/// Reads a file in Terraform's language.
pub fn parse(text: &str) -> Result<Node, Malformed> {
    let body = hcl_edit::parser::parse_body(text).map_err(|error| Malformed {
        offset: error.location().offset(),
        message: format!("not Terraform: {}", error.message().replace('\n', "; ")),
    })?;
    crate::work::note(text.len());
    let mut reader = Reader { text, names: names(&body), left: MOST };
    Ok(reader.resources(&body))
}

/// Locals and variables with a default.
type Names<'a> = HashMap<(&'static str, &'a str), &'a Expression>;

fn names(body: &Body) -> Names<'_> {
    let mut names = Names::new();
    for block in body.blocks() {
        match (block.ident.as_str(), block.labels.as_slice()) {
            ("locals", []) => {
                for attribute in block.body.attributes() {
                    names.insert(("local", attribute.key.as_str()), &attribute.value);
                }
            }
            ("variable", [name]) => {
                let default = block.body.get_attribute("default").map(|attribute| &attribute.value);
                if let Some(default) = default.filter(|default| !is_empty(default)) {
                    names.insert(("var", name.as_str()), default);
                }
            }
            _ => {}
        }
    }
    names
}

/// Locals and defaults of variables, and where the file mentions them. A default counts as a use: the caller of the
/// module may pass something else of the same type. So is a local that is only a part of a pattern: other files of the
/// module may use it. What is malformed has none.
pub(super) fn named(text: &str) -> Vec<Named> {
    let Ok(body) = hcl_edit::parser::parse_body(text) else { return Vec::new() };
    let mut mentions = mentions(text);
    let named = names(&body).into_iter().filter_map(|((root, name), value)| {
        let span = value.span()?;
        let mut uses = mentions.remove(&(root, name)).unwrap_or_default();
        if root == "var" || is_part(value) {
            uses.push(span.start);
        }
        Some(Named { span, uses })
    });
    named.collect()
}

/// Whether a value can only be a part of a pattern, such as the name of a source.
fn is_part(value: &Expression) -> bool {
    match value {
        Expression::Object(_) | Expression::FuncCall(_) | Expression::HeredocTemplate(_) => false,
        Expression::String(text) => !text.trim_start().starts_with('{'),
        _ => true,
    }
}

/// Where `local.name` and `var.name` are mentioned, in comments as well.
fn mentions(text: &str) -> HashMap<(&'static str, &str), Vec<usize>> {
    let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '-';
    let mut mentions: HashMap<_, Vec<usize>> = HashMap::new();
    for (root, start) in [("local", "local."), ("var", "var.")] {
        for (at, _) in text.match_indices(start) {
            let (before, rest) = (text.get(..at).unwrap_or(""), text.get(at + start.len()..).unwrap_or(""));
            let name = rest.find(|char| !is_word(char)).and_then(|end| rest.get(..end)).unwrap_or(rest);
            if !before.ends_with(|char| is_word(char) || char == '.') {
                mentions.entry((root, name)).or_default().push(at);
            }
        }
    }
    mentions
}

/// Whether the default is there only to make a variable optional.
fn is_empty(default: &Expression) -> bool {
    match default {
        Expression::Null(_) => true,
        Expression::String(text) => text.is_empty(),
        Expression::Array(elements) => elements.is_empty(),
        Expression::Object(members) => members.is_empty(),
        _ => false,
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Locals and variables with a default.
    names: Names<'a>,
    /// How many more nodes may be made.
    left: usize,
}

fn string(text: &str, span: Range<usize>) -> Node {
    Node { span, value: Value::String(text.to_owned()), tag: None, parts: None }
}

fn plain(text: String, span: Range<usize>) -> Node {
    Node { span, value: Value::Plain(text), tag: None, parts: None }
}

fn map(members: Vec<(Node, Node)>, span: Range<usize>) -> Node {
    Node { span, value: Value::Map(members), tag: None, parts: None }
}

fn list(elements: Vec<Node>, span: Range<usize>) -> Node {
    Node { span, value: Value::List(elements), tag: None, parts: None }
}

/// Puts an element into the list of this name.
fn push(lists: &mut Vec<(Node, Vec<Node>)>, key: Node, element: Node) {
    match lists.iter_mut().find(|(name, _)| name.text() == key.text()) {
        Some((_, elements)) => elements.push(element),
        None => lists.push((key, vec![element])),
    }
}

impl<'a> Reader<'a> {
    fn resources(&mut self, body: &'a Body) -> Node {
        // By type, then by name.
        let mut types: Vec<(Node, Vec<(Node, Node)>)> = Vec::new();
        for block in body.get_blocks("resource") {
            let [kind, name] = block.labels.as_slice() else { continue };
            let span = block.span().unwrap_or(0..0);
            let body = self.body(&block.body, span.clone());
            let name = string(name.as_str(), name.span().unwrap_or(span.clone()));
            let kind = string(kind.as_str(), kind.span().unwrap_or(span));
            match types.iter_mut().find(|(other, _)| other.text() == kind.text()) {
                Some((_, names)) => names.push((name, body)),
                None => types.push((kind, vec![(name, body)])),
            }
        }
        let whole = 0..self.text.len();
        let types = types.into_iter().map(|(kind, names)| (kind, map(names, whole.clone()))).collect();
        let mut members = vec![(string("resource", 0..0), map(types, whole.clone()))];
        // The arguments of a module: only those written in this file.
        let mut modules = Vec::new();
        for block in body.get_blocks("module") {
            let [name] = block.labels.as_slice() else { continue };
            let span = block.span().unwrap_or(0..0);
            let name = string(name.as_str(), name.span().unwrap_or(span.clone()));
            modules.push((name, self.body(&block.body, span)));
        }
        if !modules.is_empty() {
            members.push((string("module", 0..0), map(modules, whole.clone())));
        }
        map(members, whole)
    }

    /// The attributes and blocks of a body; blocks are lists, as in Terraform's JSON syntax.
    fn body(&mut self, body: &'a Body, span: Range<usize>) -> Node {
        let (mut members, mut blocks) = (Vec::new(), Vec::new());
        for structure in body {
            match structure {
                Structure::Attribute(attribute) => {
                    let key = string(attribute.key.as_str(), attribute.key.span().unwrap_or(span.clone()));
                    members.push((key, self.value(&attribute.value, 0)));
                }
                Structure::Block(block) => {
                    let (name, place, body) = described(block);
                    let place = place.unwrap_or(span.clone());
                    let value = self.body(body, block.span().unwrap_or(span.clone()));
                    push(&mut blocks, string(name, place), value);
                }
            }
        }
        members.extend(blocks.into_iter().map(|(key, elements)| {
            let span = key.span.clone();
            (key, list(elements, span))
        }));
        map(members, span)
    }

    fn later(&self, span: Range<usize>) -> Node {
        let text = self.text.get(span.clone()).unwrap_or("").to_owned();
        Node { span, value: Value::Plain(text), tag: Some(LATER.into()), parts: None }
    }

    /// A value; `depth` names were followed to it.
    fn value(&mut self, expression: &'a Expression, depth: usize) -> Node {
        let span = expression.span().unwrap_or(0..0);
        if self.left == 0 || depth > DEEPEST {
            return self.later(span);
        }
        self.left -= 1;
        crate::work::note(1);
        match expression {
            Expression::Null(_) => plain("null".to_owned(), span),
            Expression::Bool(value) => plain(value.to_string(), span),
            Expression::Number(value) => plain(value.to_string(), span),
            Expression::String(text) => template::string(self.text, text, span),
            Expression::Array(elements) => {
                let elements = elements.iter().map(|element| self.value(element, depth)).collect();
                list(elements, span)
            }
            Expression::Object(object) => {
                let mut members = Vec::with_capacity(object.len());
                for (key, value) in object {
                    let key = match key {
                        ObjectKey::Ident(name) => string(name.as_str(), name.span().unwrap_or(span.clone())),
                        ObjectKey::Expression(key) => self.value(key, depth),
                    };
                    if key.tag.is_some() || key.text().is_none() {
                        // A name that is not known: then neither is the object.
                        return self.later(span);
                    }
                    members.push((key, self.value(value.expr(), depth)));
                }
                map(members, span)
            }
            Expression::StringTemplate(template) => self.template(template.iter(), span),
            Expression::HeredocTemplate(heredoc) => self.template(heredoc.template.iter(), span),
            Expression::Parenthesis(inner) => self.value(inner.inner(), depth),
            Expression::Conditional(conditional) => {
                let condition = self.later(conditional.cond_expr.span().unwrap_or(span.clone()));
                let branches = [&conditional.true_expr, &conditional.false_expr];
                let [yes, no] = branches.map(|branch| self.value(branch, depth));
                let branches = list(vec![condition, yes, no], span.clone());
                map(vec![(string("Fn::If", span.clone()), branches)], span)
            }
            Expression::FuncCall(call) => {
                let name = call.name.name.as_str();
                let mut arguments = call.args.iter();
                match (name, arguments.next(), arguments.next()) {
                    ("jsonencode", Some(value), None) => {
                        let value = self.value(value, depth);
                        if value.tag.is_some() {
                            return self.later(span);
                        }
                        map(vec![(string("fn::toJSON", span.clone()), value)], span)
                    }
                    ("toset" | "tolist" | "tostring" | "trimspace" | "chomp", Some(value), None) => {
                        self.value(value, depth)
                    }
                    _ => self.later(span),
                }
            }
            Expression::Traversal(_) => match self.resolved(expression) {
                Some(found) => self.value(found, depth + 1),
                None => self.later(span),
            },
            Expression::Variable(_) | Expression::UnaryOp(_) | Expression::BinaryOp(_) | Expression::ForExpr(_) => {
                self.later(span)
            }
        }
    }

    /// What `local.name`, `var.name` and fields of them stand for.
    fn resolved(&self, expression: &Expression) -> Option<&'a Expression> {
        let Expression::Traversal(traversal) = expression else { return None };
        let Expression::Variable(root) = &traversal.expr else { return None };
        let root = match root.as_str() {
            "local" => "local",
            "var" => "var",
            _ => return None,
        };
        let mut operators = traversal.operators.iter();
        let TraversalOperator::GetAttr(name) = operators.next()?.value() else { return None };
        let mut found = *self.names.get(&(root, name.as_str()))?;
        for operator in operators {
            let TraversalOperator::GetAttr(name) = operator.value() else { return None };
            let Expression::Object(object) = found else { return None };
            let is = |key: &ObjectKey| match key {
                ObjectKey::Ident(key) => key.as_str() == name.as_str(),
                ObjectKey::Expression(key) => key.as_str() == Some(name.as_str()),
            };
            found = object.iter().find(|(key, _)| is(key)).map(|(_, value)| value.expr())?;
        }
        Some(found)
    }

    /// A string with parts that are only known later, unless they lead to strings.
    fn template(&self, elements: impl Iterator<Item = &'a Element>, span: Range<usize>) -> Node {
        let read = template::read(self.text, elements, span.clone(), |expression| self.resolved(expression));
        read.unwrap_or_else(|| self.later(span))
    }
}

/// The name of a block and what is in it; what a dynamic block repeats counts once.
fn described(block: &Block) -> (&str, Option<Range<usize>>, &Body) {
    match (block.ident.as_str(), block.labels.as_slice(), block.body.get_blocks("content").next()) {
        ("dynamic", [name], Some(content)) => (name.as_str(), name.span(), &content.body),
        _ => (block.ident.as_str(), block.ident.span(), &block.body),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Expected, SourceFile};

    /// The name, dialect and text of each pattern, with its holes.
    fn patterns(text: &str) -> Vec<(String, &'static str, String)> {
        let document = Document::read(SourceFile::new("main.tf", text), Expected::Anything).unwrap();
        let found = document.patterns().iter().map(|found| {
            let dialect = found.dialect().unwrap().name();
            (document.name_of(found), dialect, found.pattern().text().to_owned())
        });
        found.collect()
    }

    fn one(text: &str) -> String {
        let found = patterns(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].2.clone()
    }

    pub(super) fn rule(pattern: &str) -> String {
        format!("resource \"aws_cloudwatch_event_rule\" \"demo\" {{\n  event_pattern = {pattern}\n}}\n")
    }

    #[test]
    fn spellings_of_a_pattern() {
        let expected = r#"{"source":["my.app"]}"#;
        for pattern in [
            r#"jsonencode({ source = ["my.app"] })"#,
            "jsonencode({\n    \"source\" : [\"my.app\"], # who\n  })",
            r#""{\"source\":[\"my.app\"]}""#,
            r#"(jsonencode({ source = ["my.app"] }))"#,
        ] {
            assert_eq!(one(&rule(pattern)), expected, "{pattern}");
        }
        let heredoc = one(&rule("<<EOF\n{\n  \"source\": [\"my.app\"]\n}\nEOF"));
        assert_eq!(heredoc.trim(), "{\n  \"source\": [\"my.app\"]\n}");
        let indented = one(&rule("<<-JSON\n    {\n      \"source\": [\"my.app\"]\n    }\n  JSON"));
        assert_eq!(indented.trim(), "{\n  \"source\": [\"my.app\"]\n}");
    }

    #[test]
    fn places_map_back() {
        for pattern in [
            r#"jsonencode({ source = "my.app" })"#,
            r#""{\"source\":\"my.app\"}""#,
            "<<EOF\n{\n  \"source\": \"my.app\"\n}\nEOF",
            "<<-EOF\n    {\n      \"source\": \"my.app\"\n    }\n  EOF",
        ] {
            let text = rule(pattern);
            let document = Document::read(SourceFile::new("main.tf", &*text), Expected::Anything).unwrap();
            let found = &document.patterns()[0];
            let error = eventrie::Pattern::parse(found.pattern().text(), found.dialect().unwrap()).unwrap_err();
            let span = found.pattern().in_file(&error.findings()[0]).label.span;
            let shown = &text[span.start as usize..span.end as usize];
            assert!(shown.contains("my.app") && shown.len() <= 12, "{pattern}: {shown}");
        }
    }

    #[test]
    fn locals_and_defaults_are_resolved() {
        let names = "locals {\n  app = \"my.app\"\n  rule = { source = [local.app] }\n  both = [local.app, var.other]\n}\n\
                     variable \"other\" {\n  default = \"my.other\"\n}\nvariable \"later\" {}\nvariable \"empty\" {\n  default = []\n}\n";
        for (pattern, expected) in [
            ("jsonencode(local.rule)", r#"{"source":["my.app"]}"#),
            ("jsonencode({ source = local.both })", r#"{"source":["my.app","my.other"]}"#),
            ("jsonencode({ source = local.rule.source })", r#"{"source":["my.app"]}"#),
            ("\"{\\\"source\\\":[\\\"${local.app}\\\"]}\"", r#"{"source":["my.app"]}"#),
            ("jsonencode({ source = [var.later] })", r#"{"source":["${var.later}"]}"#),
            ("jsonencode({ source = var.empty })", r#"{"source":["${var.empty}"]}"#),
            (
                "jsonencode({ resources = [aws_s3_bucket.b.arn, \"x\"] })",
                r#"{"resources":["${aws_s3_bucket.b.arn}","x"]}"#,
            ),
            ("jsonencode({ source = [for a in var.x : a] })", r#"{"source":["${}"]}"#),
        ] {
            let found = one(&format!("{names}{}", rule(pattern)));
            let found = if pattern.contains("for a") { found.replace("${[for a in var.x : a]}", "${}") } else { found };
            assert_eq!(found, expected, "{pattern}");
        }
        for unknown in
            ["var.later", "jsonencode(var.later)", "templatefile(\"x\", {})", "data.x.y.json", "merge(local.rule, {})"]
        {
            assert_eq!(patterns(&format!("{names}{}", rule(unknown))), [], "{unknown}");
        }
    }

    #[test]
    fn every_resource_that_has_patterns() {
        let text = r#"
resource "aws_sns_topic_subscription" "s" {
  filter_policy_scope = "MessageBody"
  filter_policy       = jsonencode({ a = { b = ["x"] } })
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = aws_sqs_queue.q.arn
  filter_criteria {
    filter { pattern = jsonencode({ body = { a = ["x"] } }) }
    filter { pattern = jsonencode({ body = { b = ["y"] } }) }
  }
}
resource "aws_pipes_pipe" "p" {
  source_parameters {
    filter_criteria {
      filter { pattern = jsonencode({ data = { a = ["x"] } }) }
    }
  }
}
resource "aws_s3_bucket" "b" {
  event_pattern = "not one"
}
resource "aws_cloudwatch_event_rule" "either" {
  event_pattern = var.prod ? jsonencode({ source = ["a"] }) : jsonencode({ source = ["b"] })
}
resource "aws_lambda_event_source_mapping" "dynamic" {
  filter_criteria {
    dynamic "filter" {
      for_each = var.filters
      content { pattern = jsonencode({ body = { kind = [filter.value] } }) }
    }
  }
}
"#;
        let found = patterns(text);
        let mut dialects: Vec<&str> = found.iter().map(|(_, dialect, _)| *dialect).collect();
        dialects.sort_unstable();
        let expected = ["eventbridge", "eventbridge", "lambda-esm", "lambda-esm", "lambda-esm", "pipes", "sns-body"];
        assert_eq!(dialects, expected, "{found:?}");
        assert!(found.iter().any(|(name, ..)| name == "aws_sns_topic_subscription.s.filter_policy"), "{found:?}");
    }

    #[test]
    fn what_modules_are_given() {
        let text = "resource \"aws_sns_topic\" \"t\" {}\nmodule \"cwe\" {\n  source = \"x\"\n  event_pattern = <<P\n{\"source\": [\"a\"]}\nP\n}\n\
                    module \"bridge\" {\n  rules = {\n    orders = { event_pattern = jsonencode({ source = [\"b\"] }) }\n  }\n}\n";
        let found = patterns(text);
        let names: Vec<&str> = found.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(names, ["module.cwe.event_pattern", "module.bridge.rules.orders.event_pattern"], "{found:?}");
        let alone = text.split_once('\n').map_or("", |(_, rest)| rest);
        assert_eq!(patterns(alone).len(), 2);
        assert_eq!(patterns("module \"m\" {\n  event_pattern = var.pattern\n  filter_policy = \"text\"\n}\n"), []);
    }

    #[test]
    fn hostile_files_end() {
        assert!(parse("resource \"a\" {").is_err());
        assert!(parse(&"[".repeat(100_000)).is_err());
        let locals: String = (0..64).map(|at| format!("x{at} = [local.x{}, local.x{}]\n", at + 1, at + 1)).collect();
        let text = format!("locals {{\n{locals}x64 = local.x0\n}}\n{}", rule("jsonencode({ source = local.x0 })"));
        assert!(parse(&text).is_ok());
    }
}
