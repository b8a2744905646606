//! What was probably meant: messages for shapes that people write by mistake.

use std::borrow::Cow;
use std::sync::Arc;

use super::{AT_END, Reader, begun, describe};
use crate::base::Span;
use crate::base::text::{json_string, shortened};
use crate::diagnostic::{Applicability, Code, Finding, Label};
use crate::dialect::{Operator, Word, wording};
use crate::json::{self, Kind, Tree};
use crate::limit::Limits;

impl Reader<'_> {
    #[cold]
    pub(super) fn not_an_object(&mut self, at: usize) {
        let Some(root) = self.tree.nodes.get(at) else { return };
        let mut finding = self
            .error(Code::NotAnObject, root.span, "a pattern must be an object: `{\"field\": [\"value\"]}`")
            .label(describe(root))
            .service(wording::NOT_AN_OBJECT, begun(root));
        match root.kind {
            Kind::String if root.closed => {
                let text = self.tree.string(root.span);
                if is_object(&text) {
                    finding.message = "expected an object, found a string that contains a pattern".to_owned();
                    finding = finding
                        .help("the pattern was encoded as JSON twice: remove the outer quotes and the backslashes")
                        .fix("unwrap the string", root.span, text, Applicability::Safe);
                }
            }
            Kind::Array => {
                finding =
                    finding.help("write several patterns as several rules, or alternatives within one rule as `$or`");
                let mut elements = self.tree.children(at).map(|(_, element)| element);
                if let (Some(only), None) = (elements.next(), elements.next())
                    && only.kind == Kind::Object
                    && root.closed
                {
                    finding = finding.fix("remove the list", root.span, self.source(only.span), Applicability::Safe);
                }
            }
            Kind::Object | Kind::String | Kind::Number | Kind::True | Kind::False | Kind::Null => {}
        }
        self.push(finding);
    }

    #[cold]
    pub(super) fn too_few_branches(&mut self, at: usize, members: usize) {
        let Some(list) = self.tree.nodes.get(at) else { return };
        let (message, help) = match members {
            0 => ("`$or` has no branches", "write at least two objects, or remove the `$or`"),
            _ => ("`$or` needs at least two branches", "write the fields of the only branch directly, without `$or`"),
        };
        self.push(
            self.error(Code::BadOr, list.span, message)
                .label(if members == 0 { "empty" } else { "only one branch" })
                .help(help)
                .service(wording::OR_TOO_FEW, list.span.end),
        );
    }

    #[cold]
    pub(super) fn or_without_list(&mut self, at: usize, node: &json::Node) {
        let mut finding = self
            .error(Code::BadOr, node.span, "`$or` must be a list of at least two objects")
            .label(describe(node))
            .service(wording::OR_NOT_A_LIST, begun(node));
        let members: Vec<String> = self
            .tree
            .children(at)
            .filter_map(|(_, member)| member.key.map(|key| self.source(key.to(member.span))))
            .map(|member| format!("{{{member}}}"))
            .collect();
        finding = match members.len() {
            0 | 1 => finding.help("write a list of objects: `\"$or\": [{\"a\": [1]}, {\"b\": [2]}]`"),
            _ if node.closed => finding.help("put each alternative into an object of its own").fix(
                "make each field a branch",
                node.span,
                format!("[{}]", members.join(", ")),
                Applicability::Unsafe,
            ),
            _ => finding,
        };
        self.push(finding);
    }

    #[cold]
    pub(super) fn reserved(&mut self, node: &json::Node, key: Span, name: &str) {
        let operator = Word::from_name(name).is_some();
        let mut finding = self
            .error(Code::ReservedName, key, format!("`{name}` cannot be the name of a field inside `$or`"))
            .label(if operator { "this is an operator" } else { "this name is reserved" })
            .service(wording::reserved_inside_or(name), begun(node));
        if operator {
            let field = self.field.map_or("field", |field| self.source(field).trim_matches('"'));
            finding = finding.help(format!(
                "`$or` chooses between fields, so name the field: `{{\"{field}\": [{{\"{name}\": …}}]}}`; to choose \
                 between values of one field, list them in the field, without `$or`"
            ));
        }
        self.push(finding);
    }

    #[cold]
    pub(super) fn bare_value(&mut self, node: &json::Node, key: Span, container: usize) {
        let name = self.tree.string(key);
        let mut finding = self
            .error(
                Code::BareValue,
                node.span,
                format!("the value of `{}` must be a list of accepted values", short(&name)),
            )
            .label(match node.kind {
                Kind::String => "a string outside a list",
                Kind::Number => "a number outside a list",
                Kind::True | Kind::False => "a boolean outside a list",
                Kind::Null | Kind::Object | Kind::Array => "`null` outside a list",
            })
            .service(wording::not_a_list(&name), begun(node));
        let source = self.source(node.span);
        let enclosing = self.tree.nodes.get(container);
        if Word::from_name(&name).is_some() && container > 0 {
            let members = self.tree.children(container).count();
            finding.message = format!("the operator `{name}` must be inside a list");
            finding.label.message = "read as a field of this name".to_owned();
            finding = finding.help("an operator is an object in the list of a field: wrap it in `[ ]`");
            if let Some(object) = enclosing.filter(|object| members == 1 && object.closed && node.closed) {
                let wrapped = format!("[{}]", self.source(object.span));
                finding = finding.fix("wrap it in `[ ]`", object.span, wrapped, Applicability::Safe);
            }
        } else if node.closed {
            let text = self.tree.string(node.span);
            if node.kind == Kind::String && is_object(&text) {
                finding.message = format!("the value of `{}` is a string that contains a pattern", short(&name));
                finding.label.message = "a string, not an object".to_owned();
                // An operator belongs inside a list, an object of fields does not.
                let inner = Tree::parse(&text, &Limits::default());
                let key = inner.children(0).next().and_then(|(_, member)| member.key);
                let operator = key.is_some_and(|key| Word::from_name(&inner.string(key)).is_some());
                let unwrapped = if operator { format!("[{text}]") } else { text.clone().into_owned() };
                finding = finding.help("remove the outer quotes and the backslashes");
                let whole: Arc<str> = format!("{{\"a\": {unwrapped}}}").into();
                if super::read(&Tree::parse(&whole, &Limits::default()), &whole, self.reading).1.is_empty() {
                    finding = finding.fix("unwrap the string", node.span, unwrapped, Applicability::Safe);
                }
            } else {
                finding = finding.help("wrap it in `[ ]`").fix(
                    "wrap it in `[ ]`",
                    node.span,
                    format!("[{source}]"),
                    Applicability::Safe,
                );
            }
        }
        self.push(finding);
    }

    #[cold]
    pub(super) fn nested_list(&mut self, at: usize, node: &json::Node) {
        let mut finding = self
            .error(Code::NestedList, node.span, "a list of values cannot contain another list")
            .label("only values and operators belong here")
            .help("write the values in one flat list: arrays in the event are searched at any depth")
            .service(wording::NOT_A_VALUE, begun(node));
        let inner = self.source(Span::new(node.span.start + 1, node.span.end.saturating_sub(1)));
        if node.closed && self.tree.children(at).next().is_some() {
            finding = finding.fix("remove the inner brackets", node.span, inner.trim(), Applicability::Safe);
        }
        self.push(finding);
    }

    #[cold]
    pub(super) fn unknown_operator(&mut self, object: &json::Node, operand: &json::Node, key: Span, name: &str) {
        let mut finding = self
            .error(Code::UnknownOperator, key, format!("`{}` is not an operator", short(name)))
            .label("unknown operator")
            .service(wording::unknown_operator(name), begun(operand));
        let field = self.field.map(|field| self.tree.string(field)).unwrap_or_default();
        let tidy = tidy(name);
        finding = if let Some(advice) = group_advice(&field) {
            // Said once for the group, not for each of its entries.
            if self.advised == self.field {
                return;
            }
            self.advised = self.field;
            finding.message = format!("`{field}` is not an operator");
            finding.label =
                Label { span: self.field.unwrap_or(key), message: "read as the name of a field".to_owned() };
            finding.context(key, "and this as an operator").help(advice)
        } else if let Some((meant, safe)) = nearest(&tidy) {
            let help = if safe && meant.len() == name.len() {
                format!("`{}` is spelled `{meant}`", short(name))
            } else {
                format!("did you mean `{meant}`?")
            };
            finding.help(help).fix(
                format!("write `{meant}`"),
                key,
                format!("\"{meant}\""),
                Applicability::safe_if(safe),
            )
        } else if let Some(advice) = foreign(&tidy) {
            finding.help(advice)
        } else if matches!(operand.kind, Kind::Array | Kind::Object) && !name.is_empty() {
            let nested = self.source(object.span);
            finding = finding.help(
                "an object inside a list is an operator; to test a field of an object, even of objects in an array, nest \
                 it without the list",
            );
            if object.closed && self.field.is_some() && nested.len() < 200 {
                finding.help = finding.help.map(|help| format!("{help}: `\"{}\": {nested}`", short(&field)));
            }
            finding
        } else {
            finding
                .help(format!("the operators are {}", list_of(&Word::documented().map(Word::name).collect::<Vec<_>>())))
        };
        self.push(finding);
    }

    /// The operator exists, but not in this dialect.
    #[cold]
    pub(super) fn not_in_dialect(
        &self,
        key: Span,
        operator: Operator,
        raised_at: u32,
        service: Option<String>,
    ) -> Finding {
        let dialect = self.reading.dialect;
        let mut finding = self
            .error(Code::NotInDialect, key, format!("{} do not accept {}", dialect.title(), operator.title()))
            .label("not in this dialect")
            .help("the documentation (“Services and their differences”) lists what each service accepts");
        finding.raised_at = raised_at;
        if dialect.is_scope() && matches!(operator, Operator::Wildcard | Operator::AnythingButWildcard) {
            let help = "write `abc*` as a `prefix` and `*abc` as a `suffix`; other wildcards have no equivalent here";
            return finding.help(help).service(wording::NO_WILDCARDS, raised_at).located(0);
        }
        match service {
            Some(wording) => finding.service(wording, raised_at),
            None => finding,
        }
    }

    /// The operand of a string operator is something else.
    #[cold]
    pub(super) fn wrong_text(
        &mut self,
        object: (usize, &json::Node),
        operand: (usize, &json::Node),
        name: &str,
        service_name: &str,
    ) {
        let ((object_at, object), (at, node)) = (object, operand);
        let mut finding = self
            .error(Code::WrongOperand, node.span, format!("`{name}` takes one string"))
            .label(describe(node))
            .service(wording::not_a_string(service_name), begun(node));
        let alone = self.tree.children(object_at).count() == 1 && object.closed;
        match node.kind {
            Kind::Array if node.closed => {
                let elements: Vec<&json::Node> = self.tree.children(at).map(|(_, element)| element).collect();
                if alone && !elements.is_empty() && elements.iter().all(|element| element.kind == Kind::String) {
                    let objects: Vec<String> = elements
                        .iter()
                        .map(|element| format!("{{\"{name}\": {}}}", self.source(element.span)))
                        .collect();
                    let (help, title) = if elements.len() == 1 {
                        ("remove the inner list", "remove the inner list")
                    } else {
                        ("repeat the operator for each string; the entries of a list are alternatives", "repeat it")
                    };
                    finding = finding.help(help).fix(title, object.span, objects.join(", "), Applicability::Safe);
                }
            }
            Kind::Number => {
                let quoted = format!("\"{}\"", self.source(node.span));
                finding = finding
                    .help("quote it; it then matches strings only, not numbers (for those use `numeric`)")
                    .fix("quote it", node.span, quoted, Applicability::Unsafe);
            }
            Kind::True | Kind::False | Kind::Null => {
                finding = finding.help(format!(
                    "to match the value itself, write it without the operator: `[{}]`",
                    self.source(node.span)
                ));
            }
            Kind::Object if name == "wildcard" || name == "equals-ignore-case" => {
                finding = finding.help("operators cannot be nested here");
            }
            Kind::Object | Kind::Array | Kind::String => {}
        }
        self.push(finding);
    }

    /// A second key in an object that contains one operator.
    #[cold]
    pub(super) fn several_operators(&mut self, at: usize, object: &json::Node, second: &json::Node, service: &str) {
        let operands: Vec<(Cow<'_, str>, &json::Node)> = self
            .tree
            .children(at)
            .map(|(_, node)| (node.key.map(|key| self.tree.string(key)).unwrap_or_default(), node))
            .collect();
        let key = second.key.unwrap_or(second.span);
        let mut finding = self
            .error(Code::SeveralOperators, key, "an object in a list must contain exactly one operator")
            .label("unexpected second operator")
            .service(service, begun(second));
        if let Some((_, first)) = operands.first() {
            finding = finding.context(first.key.unwrap_or(first.span), "first operator");
        }
        finding = finding.help(
            "two tests of one field cannot be combined with AND; written as two objects they are alternatives (OR)",
        );
        let text = |name: &str| {
            let mut found = operands.iter().filter(|(operator, _)| operator == name);
            match (found.next(), found.next()) {
                (Some((_, node)), None) if node.kind == Kind::String && node.closed => {
                    Some(self.tree.string(node.span))
                }
                _ => None,
            }
        };
        if let (Some(prefix), Some(suffix), 2) = (text("prefix"), text("suffix"), operands.len())
            && object.closed
        {
            let both = format!("{}*{}", escape_wildcard(&prefix), escape_wildcard(&suffix));
            let wildcard = format!("{{\"wildcard\": {}}}", json_string(&both));
            finding = finding
                .help(
                    "two tests of one field cannot be combined with AND, but one wildcard can say how a string \
                     begins and how it ends",
                )
                .fix("use one wildcard", object.span, wildcard, Applicability::Unsafe);
        } else if operands.len() == 2 && operands.iter().all(|(name, _)| name == "numeric") {
            finding = finding.help("write both ends as one condition: `{\"numeric\": [\">\", 0, \"<=\", 5]}`");
        }
        self.push(finding);
    }

    /// An empty list inside `anything-but`: the service answers with a failure of its own.
    #[cold]
    pub(super) fn empty_exclusions(&mut self, node: &json::Node, name: &str) {
        let mut finding = self
            .error(Code::BadAnythingBut, node.span, format!("the list of `{name}` inside `anything-but` is empty"))
            .label("excludes nothing")
            .help("write the values to exclude; to match any value, use `{\"exists\": true}`");
        finding.raised_at = AT_END;
        self.push(finding);
    }
}

/// Whether the text is a JSON object.
fn is_object(text: &str) -> bool {
    let begins = text.trim_start().starts_with('{');
    begins && {
        let tree = Tree::parse(text, &Limits::default());
        tree.error.is_none() && text.get(tree.end as usize..).is_some_and(|rest| rest.trim().is_empty())
    }
}

/// Not more than one can read at a glance.
pub(super) fn short(text: &str) -> Cow<'_, str> {
    shortened(text, 40)
}

pub(super) fn list_of(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

fn escape_wildcard(text: &str) -> String {
    text.replace('\\', "\\\\").replace('*', "\\*")
}

/// Lower case, with hyphens: `AnythingBut`, `anything_but` and `anything but` are one name.
fn tidy(name: &str) -> String {
    let mut tidy = String::new();
    let mut before = ' ';
    for char in name.chars().take(64) {
        match char {
            '_' | ' ' | '-' => tidy.push('-'),
            _ => {
                if char.is_ascii_uppercase() && before.is_ascii_lowercase() {
                    tidy.push('-');
                }
                tidy.push(char.to_ascii_lowercase());
            }
        }
        before = char;
    }
    match &*tidy {
        "any-thing-but" | "anythingbut" => "anything-but".to_owned(),
        "equalsignorecase" => "equals-ignore-case".to_owned(),
        _ => tidy,
    }
}

/// The operator whose name is nearest, and whether it is surely meant.
fn nearest(tidy: &str) -> Option<(&'static str, bool)> {
    let alias = match tidy {
        "equal-ignore-case" | "equals-ignorecase" | "equal-ignorecase" | "ignore-case" | "iequals" => {
            Some("equals-ignore-case")
        }
        "starts-with" | "start-with" | "startswith" | "begins-with" | "beginswith" | "begin-with" => Some("prefix"),
        "ends-with" | "end-with" | "endswith" => Some("suffix"),
        "not" | "not-in" | "not-equals" | "ne" | "neq" | "anythingbut" | "except" | "none-of" | "nin" => {
            Some("anything-but")
        }
        "exist" | "present" | "is-present" | "has" => Some("exists"),
        "ip" | "ip-address" | "ipaddress" | "subnet" | "ip-range" => Some("cidr"),
        "number" | "num" | "range" | "between" => Some("numeric"),
        "like" | "glob" | "pattern" | "matches" => Some("wildcard"),
        _ => None,
    };
    if let Some(meant) = Word::documented().map(Word::name).find(|operator| *operator == tidy) {
        return Some((meant, true));
    }
    // One letter off is a slip; what is further away may be another language's operator with a meaning of its own.
    let best = Word::documented().map(Word::name).map(|operator| (distance(tidy, operator), operator)).min()?;
    if best.0 == 1 && best.1.len() >= 5 {
        return Some((best.1, true));
    }
    alias.map(|meant| (meant, false)).or((best.0 <= 2 && best.0 * 3 <= best.1.len()).then_some((best.1, false)))
}

/// What to use instead of something that other languages have.
fn foreign(tidy: &str) -> Option<&'static str> {
    Some(match tidy {
        "regex" | "regexp" | "regular-expression" => {
            "regular expressions are not supported; use `{\"wildcard\": \"a*b\"}`, `prefix`, `suffix` or a list of values"
        }
        "contains" | "contain" | "includes" | "include" | "substring" => {
            "to find text anywhere in a string, use `{\"wildcard\": \"*abc*\"}`; to find an element of an array, write its plain value"
        }
        "equals" | "equal" | "eq" | "is" | "in" | "any-of" | "one-of" | "exact" | "value" | "values" | "$in"
        | "$eq" => "write plain values directly in the list, without an operator, `[\"a\", \"b\"]`",
        ">" | ">=" | "<" | "<=" | "=" | "gt" | "gte" | "lt" | "lte" | "ge" | "le" | "greater-than" | "less-than"
        | "min" | "max" | "$gt" | "$gte" | "$lt" | "$lte" => {
            "write comparisons as `{\"numeric\": [\">\", 5]}` or `{\"numeric\": [\">=\", 1, \"<\", 5]}`"
        }
        "==" | "!=" | "<>" | "$ne" | "$not" | "$nin" => {
            "write plain values directly in the list; to exclude values, write `{\"anything-but\": [\"a\", \"b\"]}`"
        }
        "null" | "is-null" | "empty" => {
            "write `[null]` for null, `[\"\"]` for an empty string, `[{\"exists\": false}]` for a missing field"
        }
        "not-exists" | "missing" | "absent" => "write `{\"exists\": false}`",
        "or" | "$or" | "any" => {
            "the entries of a list are alternatives already; `$or` goes where a field name goes, and its list \
             contains objects of fields"
        }
        "and" | "$and" | "all" => {
            "to require both of two fields, name both; tests of one field cannot be combined with AND"
        }
        _ => return None,
    })
}

/// Advice for a field that is meant as a group.
fn group_advice(field: &str) -> Option<&'static str> {
    Some(match field {
        "$and" | "and" | "AND" => {
            "write all fields in one object: a pattern matches only if every field does. Two tests of one field cannot \
             be combined with AND, but one wildcard can test both ends of a string, and one `anything-but` list can \
             exclude several values"
        }
        "or" | "OR" | "$OR" | "$Or" | "$any" | "anyOf" => "write `$or` for a group of alternatives",
        "$not" | "not" | "NOT" | "$nor" => {
            "use `anything-but` to exclude values of one field; a group cannot be negated"
        }
        _ => return None,
    })
}

/// Edits (insert, delete, replace) between two short strings.
pub(super) fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, char) in left.chars().enumerate() {
        let mut diagonal = line;
        let mut before = line + 1;
        for (other, cell) in right.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(char != *other);
            diagonal = *cell;
            before = replaced.min(*cell + 1).min(before + 1);
            *cell = before;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
