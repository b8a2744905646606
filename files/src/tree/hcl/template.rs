//! Strings and heredocs of HCL with interpolations in them, and where each part of their text is written.

use std::ops::Range;

use hcl_edit::Span;
use hcl_edit::expr::Expression;
use hcl_edit::template::Element;

use super::super::{Node, Part, Parts, Spelled, Value};

/// What a template spells: strings and numbers that are known are put where they are used, and what is not known is a
/// `${…}`. None if it has directives, which may leave out or repeat anything.
pub(super) fn read<'a>(
    file: &str,
    elements: impl Iterator<Item = &'a Element>,
    span: Range<usize>,
    resolved: impl Fn(&Expression) -> Option<&'a Expression>,
) -> Option<Node> {
    let (mut text, mut parts) = (String::new(), Vec::new());
    for element in elements {
        let (start, file_span) = (text.len(), element.span().unwrap_or(span.clone()));
        let spelled = match element {
            Element::Literal(literal) => {
                text.push_str(literal);
                Spelled::Escaped
            }
            Element::Interpolation(interpolation) => {
                let raw = file.get(file_span.clone()).unwrap_or("");
                match resolved(&interpolation.expr) {
                    Some(Expression::String(value)) => {
                        text.push_str(value);
                        Spelled::Named
                    }
                    Some(Expression::Number(value)) => {
                        text.push_str(&value.to_string());
                        Spelled::Named
                    }
                    _ => {
                        let is_name =
                            raw.starts_with("${") && !raw.get(2..).is_some_and(|rest| rest.contains(['{', '"']));
                        text.push_str(if is_name { raw } else { "${}" });
                        Spelled::Later
                    }
                }
            }
            Element::Directive(_) => return None,
        };
        parts.push(Part { text: start..text.len(), file: file_span, spelled });
    }
    Some(Node { span, value: Value::String(text), tag: None, parts: Some(Box::new(Parts(parts))) })
}

/// A string without interpolations. Its parts are needed only if it has `$${` or `%%{`, which JSON and YAML do not have.
pub(super) fn string(file: &str, text: &str, span: Range<usize>) -> Node {
    let raw = file.get(span.clone()).unwrap_or("");
    let parts = if raw.starts_with('"') && (raw.contains("$${") || raw.contains("%%{")) {
        let inner = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
        Some(Box::new(Parts(vec![Part { text: 0..text.len(), file: inner, spelled: Spelled::Escaped }])))
    } else {
        None
    };
    Node { span, value: Value::String(text.to_owned()), tag: None, parts }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rule;
    use crate::{Document, Expected, SourceFile};

    /// Where each finding is, and what its fix would put there; then the file after all fixes.
    fn checked(text: &str) -> (Vec<(String, Option<String>)>, String) {
        let document = Document::read(SourceFile::new("main.tf", text), Expected::Anything).unwrap();
        let (mut shown, mut fixes) = (Vec::new(), Vec::new());
        for (at, found) in document.patterns().iter().enumerate() {
            let Err(error) = eventrie::Pattern::parse(found.pattern().text(), found.dialect().unwrap()) else {
                continue;
            };
            for finding in error.findings().iter().filter(|finding| found.pattern().is_sure(finding)) {
                let placed = found.pattern().in_file(finding);
                let span = placed.label.span;
                let fix = placed.fix.map(|fix| {
                    format!("{} → {}", &text[fix.span.start as usize..fix.span.end as usize], fix.replacement)
                });
                fixes.extend(finding.fix.clone().filter(|_| fix.is_some()).map(|fix| (at, fix)));
                shown.push((text[span.start as usize..span.end as usize].to_owned(), fix));
            }
        }
        let fixes: Vec<_> = fixes.iter().map(|(at, fix)| (*at, fix)).collect();
        (shown, document.apply(&fixes).text)
    }

    #[test]
    fn what_comes_after_an_interpolation_has_its_place() {
        let names = "locals {\n  s = \"aws.ec2\"\n  same = \"aws.ec2.as.long\"\n  op = \"prefx\"\n}\nvariable \"v\" {\n  default = 7\n}\n";
        // The pattern, what is found, and what is changed in the file.
        for (pattern, found, changed) in [
            (
                "<<-EOF\n    {\n      \"source\": [\"${local.s}\"],\n      \"detail\": {\n        \"state\": \"stopped\"\n      }\n    }\n  EOF",
                vec![("\"stopped\"", Some("\"stopped\" → [\"stopped\"]"))],
                ("\"stopped\"", "[\"stopped\"]"),
            ),
            (
                "<<EOF\n{\"source\": [\"${local.same}\"], \"detail\": {\"é\": \"x\", \"n\": [${var.v}]}}\nEOF",
                vec![("\"x\"", Some("\"x\" → [\"x\"]"))],
                ("\"x\"", "[\"x\"]"),
            ),
            (
                "\"{\\\"source\\\": [\\\"${local.s}\\\"], \\\"detail\\\": {\\\"a\\\": \\\"x\\\"}}\"",
                vec![("\\\"x\\\"", Some("\\\"x\\\" → [\"x\"]"))],
                ("\\\"x\\\"", "[\\\"x\\\"]"),
            ),
            (
                "\"{\\\"source\\\": \\\"${local.s}\\\", \\\"a\\\": [\\\"$${x}\\\"], \\\"detail\\\": {\\\"b\\\": \\\"x\\\"}}\"",
                vec![
                    ("\\\"${local.s}\\\"", Some("\\\"${local.s}\\\" → [\"${local.s}\"]")),
                    ("\\\"x\\\"", Some("\\\"x\\\" → [\"x\"]")),
                ],
                ("", ""),
            ),
            (
                "\"{\\\"a\\\": [\\\"$${x} %%{\\\"], \\\"detail\\\": {\\\"b\\\": \\\"x\\\"}}\"",
                vec![("\\\"x\\\"", Some("\\\"x\\\" → [\"x\"]"))],
                ("\\\"x\\\"", "[\\\"x\\\"]"),
            ),
            (
                "<<EOF\n{\"source\": \"${local.same}\", \"detail\": {\"a\": [{\"${local.op}\": \"x\"}]}}\nEOF",
                vec![("\"${local.same}\"", Some("\"${local.same}\" → [\"${local.same}\"]")), ("\"${local.op}\"", None)],
                ("\"${local.same}\"", "[\"${local.same}\"]"),
            ),
            (
                "<<EOF\n{\"source\": \"${var.later}\", \"account\": \"${f(\"x\")}\", \"region\": \"x\"}\nEOF",
                vec![
                    ("\"${var.later}\"", Some("\"${var.later}\" → [\"${var.later}\"]")),
                    ("\"${f(\"x\")}\"", Some("\"${f(\"x\")}\" → [\"${f(\"x\")}\"]")),
                    ("\"x\"", Some("\"x\" → [\"x\"]")),
                ],
                ("", ""),
            ),
            (
                "<<EOF\n{\"detail\": ${jsonencode(var.later)}, \"source\": [\"a\", ${f(\"b\")}], \"region\": \"x\"}\nEOF",
                vec![("\"x\"", Some("\"x\" → [\"x\"]"))],
                ("\"x\"", "[\"x\"]"),
            ),
            (
                "<<EOF\n{\"a\": [\"x\"], \"c\": \"$${z}\", \"d\": \"%%{if} $ % $$x\"}\nEOF",
                vec![
                    ("\"$${z}\"", Some("\"$${z}\" → [\"$${z}\"]")),
                    ("\"%%{if} $ % $$x\"", Some("\"%%{if} $ % $$x\" → [\"%%{if} $ % $$x\"]")),
                ],
                ("", ""),
            ),
            (
                "\"{\\\"c\\\": \\\"a$${z}\\\"}\"",
                vec![("\\\"a$${z}\\\"", Some("\\\"a$${z}\\\" → [\"a$${z}\"]"))],
                ("\\\"a$${z}\\\"", "[\\\"a$${z}\\\"]"),
            ),
            (
                "jsonencode({ source = \"$${x}\" })",
                vec![("\"$${x}\"", Some("\"$${x}\" → [\"$${x}\"]"))],
                ("\"$${x}\"", "[\"$${x}\"]"),
            ),
            (
                "jsonencode({ source = \"${local.s}\", detail = { a = [{ \"${local.op}\" = \"x\" }] } })",
                vec![("\"${local.s}\"", Some("\"${local.s}\" → [\"${local.s}\"]")), ("\"${local.op}\"", None)],
                ("\"${local.s}\"", "[\"${local.s}\"]"),
            ),
        ] {
            let text = format!("{names}{}", rule(pattern));
            let (shown, after) = checked(&text);
            let shown: Vec<_> = shown.iter().map(|(at, fix)| (at.as_str(), fix.as_deref())).collect();
            assert_eq!(shown, found, "{pattern}");
            if changed.0.is_empty() {
                let fixed = checked(&after).0;
                assert!(fixed.is_empty(), "{after}{fixed:?}");
            } else {
                assert_eq!(after, text.replacen(changed.0, changed.1, 1), "{pattern}");
            }
        }
    }

    #[test]
    fn an_empty_pattern_is_where_its_literal_is() {
        for pattern in ["\"\"", "<<EOF\nEOF", "<<-EOF\n  EOF"] {
            let text = rule(pattern);
            let (shown, _) = checked(&text);
            assert!(matches!(shown.as_slice(), [(at, None)] if pattern.starts_with(at) && !at.is_empty()), "{shown:?}");
        }
        let text = "Resources: {R: {Type: 'AWS::Events::Rule', Properties: {EventPattern: ''}}}\n";
        let document = Document::read(SourceFile::new("t.yaml", text), Expected::Anything).unwrap();
        let place = document.patterns()[0].pattern().range(eventrie::diagnostic::Span::new(0, 0));
        assert_eq!(&text[place], "''");
    }

    #[test]
    fn directives_are_only_known_later() {
        for pattern in [
            "<<EOF\n{ \"source\": [\"aws.ec2\"], \"detail\": {%{ if true } \"z\": \"q\" %{ endif } }}\nEOF",
            "<<EOF\n%{ if true }{\"source\":\"aws.ec2\"}%{ else }{\"source\":\"aws.s3\"}%{ endif }\nEOF",
            "<<EOF\n{\"source\": \"%{ if true }a%{ endif }\"}\nEOF",
            "<<EOF\n{\"source\": [%{ for s in var.x }\"${s}\",%{ endfor }\"b\"]}\nEOF",
            "\"{\\\"source\\\": \\\"%{ if true }a%{ endif }\\\"}\"",
        ] {
            let document = Document::read(SourceFile::new("main.tf", rule(pattern)), Expected::Anything).unwrap();
            assert!(document.patterns().is_empty(), "{pattern}");
            let notes = document.notes();
            assert!(notes.len() == 1 && notes[0].ends_with("when the template is deployed; not checked"), "{notes:?}");
        }
        let (shown, _) =
            checked(&rule("jsonencode({ source = [\"%{ if true }a%{ endif }\"], detail = { a = \"x\" } })"));
        assert_eq!(shown, [("\"x\"".to_owned(), Some("\"x\" → [\"x\"]".to_owned()))]);
        let (shown, _) = checked(&rule("jsonencode({ source = \"%{ if true }a%{ endif }\" })"));
        assert_eq!(shown, []);
    }
}
