//! `numeric`: one comparison, or a lower and an upper one.

use super::suggest::short;
use super::{Reader, begun, describe};
use crate::base::Span;
use crate::diagnostic::{Applicability, Code, Finding};
use crate::dialect::wording;
use crate::json::{Kind, Node, kind_of};
use crate::limit::Limits;
use crate::value::{Bound, NumberKey, NumericRange, PatternNumber, Spelling};

/// The elements that matter: two comparisons with their numbers, and one too many.
const MOST: usize = 5;

impl Reader<'_> {
    pub(super) fn numeric(&mut self, at: usize, list: &Node) -> Option<NumericRange> {
        if list.kind != Kind::Array {
            self.not_a_comparison(list);
            return None;
        }
        let mut items: [Option<Node>; MOST] = [None; MOST];
        for (item, (_, node)) in items.iter_mut().zip(self.tree.children(at)) {
            *item = Some(*node);
        }
        let [first, second, third, fourth, fifth] = items;
        let operator = self.comparison(list, first.as_ref(), second.as_ref())?;
        let low = self.number(list, second.as_ref(), operator)?;
        if !matches!(operator, ">" | ">=") {
            if let Some(third) = third {
                self.behind_upper(at, list, operator, &third);
                return None;
            }
            let bound = self.bound(list, &low, operator)?;
            return Some(match operator {
                "=" => NumericRange { equals: true, low: Some(bound.clone()), high: Some(bound) },
                _ => NumericRange { equals: false, low: None, high: Some(bound) },
            });
        }
        let Some(third) = third else {
            let bound = self.bound(list, &low, operator)?;
            return Some(NumericRange { equals: false, low: Some(bound), high: None });
        };
        let upper = self.upper(&third)?;
        let high = self.number(list, fourth.as_ref(), upper)?;
        if let Some(fifth) = fifth {
            self.push(
                self.error(Code::BadNumeric, fifth.span, "`numeric` takes at most two comparisons")
                    .label("unexpected third comparison")
                    .help("write each further range as another object in the list; a range has one lower and one upper end")
                    .service(wording::NUMERIC_TOO_MANY_TERMS, begun(&fifth)),
            );
            return None;
        }
        let (low, high) = match (self.bound(list, &low, operator), self.bound(list, &high, upper)) {
            (Some(low), Some(high)) => (low, high),
            _ => return None,
        };
        if low.key >= high.key {
            self.empty_range(list, &low, &high);
            return None;
        }
        Some(NumericRange { equals: false, low: Some(low), high: Some(high) })
    }

    /// The first operator.
    fn comparison(&mut self, list: &Node, first: Option<&Node>, second: Option<&Node>) -> Option<&'static str> {
        let Some(first) = first else {
            if list.closed {
                self.push(
                    self.error(
                        Code::BadNumeric,
                        list.span,
                        "expected a comparison inside `numeric`, found an empty list",
                    )
                    .label("empty")
                    .help("write an operator and a number: `[\">\", 5]`")
                    .service(wording::NUMERIC_ENDS, list.span.end),
                );
            }
            return None;
        };
        if first.kind != Kind::String {
            let token = self.token(first);
            let mut finding = self
                .error(Code::BadNumeric, first.span, "expected a comparison operator at the start of the list")
                .label(describe(first))
                .help("write an operator and a number: `[\">\", 5]`")
                .service(wording::numeric_invalid_member(token), begun(first));
            if let (Kind::Number, None, true) = (first.kind, second, list.closed) {
                let both = format!("[\"=\", {}]", self.source(first.span));
                finding = finding.fix("compare for equality", list.span, both, Applicability::Unsafe);
            }
            self.push(finding);
            return None;
        }
        if !first.closed {
            return None;
        }
        let name = self.tree.string_of(first, first.span);
        match &*name {
            "=" => return Some("="),
            "<" => return Some("<"),
            "<=" => return Some("<="),
            ">" => return Some(">"),
            ">=" => return Some(">="),
            _ => {}
        }
        let raised_at = match second {
            Some(second) => begun(second),
            None if list.closed => list.span.end,
            None => return None,
        };
        let finding = self
            .error(Code::BadNumeric, first.span, format!("`{}` is not a comparison", short(&name)))
            .label("not a comparison")
            .service(wording::numeric_unknown_operator(&name), raised_at);
        let finding = self.correct(finding, first, &name, &["=", "<", "<=", ">", ">="]);
        self.push(finding);
        None
    }

    /// The second operator.
    fn upper(&mut self, node: &Node) -> Option<&'static str> {
        if node.kind != Kind::String {
            let token = self.token(node);
            self.push(
                self.error(Code::BadNumeric, node.span, "expected `<` or `<=` as the second comparison")
                    .label(describe(node))
                    .help("write a range as `[\">=\", 1, \"<\", 5]`")
                    .service(wording::numeric_bad_value(token), begun(node)),
            );
            return None;
        }
        if !node.closed {
            return None;
        }
        let name = self.tree.string_of(node, node.span);
        match &*name {
            "<" => return Some("<"),
            "<=" => return Some("<="),
            _ => {}
        }
        let lower = matches!(&*name, ">" | ">=");
        let finding = self
            .error(Code::BadNumeric, node.span, format!("`{}` cannot be the upper end of a range", short(&name)))
            .label(if lower { "a second lower end" } else { "must be `<` or `<=`" })
            .help("write a range with its lower end first: `[\">=\", 1, \"<\", 5]`")
            .service(wording::numeric_bad_operator(&name), node.span.end);
        let finding = if lower { finding } else { self.correct(finding, node, &name, &["<", "<="]) };
        self.push(finding);
        None
    }

    /// Adds what was probably meant with an operator that does not exist.
    fn correct(&self, finding: Finding, node: &Node, name: &str, possible: &[&str]) -> Finding {
        let meant = match name.trim().to_ascii_lowercase().as_str() {
            "==" | "===" | "eq" | "equals" => "=",
            "=>" | "gte" | "ge" | "≥" => ">=",
            "=<" | "lte" | "le" | "≤" => "<=",
            "gt" => ">",
            "lt" => "<",
            "=" | "<" | "<=" | ">" | ">=" => name.trim(),
            "!=" | "<>" | "ne" => {
                return finding.help("to exclude numbers write `{\"anything-but\": [5]}` instead of `numeric`");
            }
            _ => "",
        };
        if possible.contains(&meant) {
            let help = format!("`{}` is written `{meant}`", short(name));
            return finding.help(help).fix(
                format!("write `{meant}`"),
                node.span,
                format!("\"{meant}\""),
                Applicability::Safe,
            );
        }
        match finding.help {
            Some(_) => finding,
            None => finding.help("the comparisons are `=`, `<`, `<=`, `>` and `>=`"),
        }
    }

    /// The number after an operator.
    fn number(&mut self, list: &Node, node: Option<&Node>, operator: &str) -> Option<Node> {
        let Some(node) = node else {
            if list.closed {
                self.push(
                    self.error(Code::BadNumeric, list.span, format!("expected a number after `{operator}`"))
                        .label("a number is missing")
                        .help(format!("write `[\"{operator}\", 5]`"))
                        .service(wording::numeric_not_a_number(operator), list.span.end),
                );
            }
            return None;
        };
        if node.kind == Kind::Number {
            return Some(*node);
        }
        let mut finding = self
            .error(Code::BadNumeric, node.span, format!("expected a number after `{operator}`"))
            .label(describe(node))
            .service(wording::numeric_not_a_number(operator), begun(node));
        if node.kind == Kind::String && node.closed {
            let text = self.tree.string(node.span);
            let text = text.trim();
            if kind_of(text, &Limits::default()) == Some(Kind::Number) {
                finding = finding.help("write the number without quotes").fix(
                    "remove the quotes",
                    node.span,
                    text,
                    Applicability::Safe,
                );
            }
        }
        self.push(finding);
        None
    }

    /// Something after a comparison that cannot have a second one.
    fn behind_upper(&mut self, at: usize, list: &Node, operator: &str, third: &Node) {
        let mut finding = self
            .error(Code::BadNumeric, third.span, format!("`{operator}` cannot be followed by another comparison"))
            .label("unexpected comparison")
            .service(wording::TOO_MANY_IN_EXPRESSION, begun(third));
        let items: Vec<&str> = self.tree.children(at).map(|(_, item)| self.source(item.span)).collect();
        finding = match items.as_slice() {
            [upper, high, lower @ ("\">\"" | "\">=\""), low] if operator != "=" && list.closed => {
                match (self.key_of(low), self.key_of(high)) {
                    (Some(least), Some(most)) if least < most => {
                        finding.help("write the lower end of the range first").fix(
                            "swap the two ends",
                            list.span,
                            format!("[{lower}, {low}, {upper}, {high}]"),
                            Applicability::Safe,
                        )
                    }
                    (Some(least), Some(most)) if least == most && (*upper, *lower) == ("\"<=\"", "\">=\"") => finding
                        .help("write `=` to match exactly one number")
                        .fix("compare for equality", list.span, format!("[\"=\", {low}]"), Applicability::Safe),
                    // Both sides would be every number.
                    (Some(least), Some(most)) if least == most && (*upper, *lower) != ("\"<\"", "\">\"") => {
                        finding.help("write the larger number as the upper end, or `=` to match one number")
                    }
                    // Nothing is below the one and above the other: the two sides outside a range were meant.
                    (Some(_), Some(_)) => finding.help(format!(
                        "to match both sides, write one object for each: {{\"numeric\": [{upper}, {high}]}}, \
                         {{\"numeric\": [{lower}, {low}]}}"
                    )),
                    _ => finding.help("write the lower end of the range first"),
                }
            }
            _ => finding.help("write a range with its lower end first: `[\">=\", 1, \"<\", 5]`"),
        };
        self.push(finding);
    }

    /// The number of a token, if it is one that is compared.
    fn key_of(&self, token: &str) -> Option<NumberKey> {
        Spelling::of(token.as_bytes()).key()
    }

    /// A comparable number of the list. The service reads the numbers only when the list is closed.
    fn bound(&mut self, list: &Node, node: &Node, operator: &str) -> Option<Bound> {
        let number = self.pattern_number(node.span);
        if list.closed
            && let Some(finding) = self.beyond(&number, node.span, list.span.end)
        {
            self.push(finding);
            return None;
        }
        match number.key {
            Some(key) => Some(Bound { number, key, inclusive: operator.ends_with('='), span: node.span }),
            None => {
                if list.closed {
                    let finding = self.inexact(node.span, list.span.end);
                    self.push(finding);
                }
                None
            }
        }
    }

    /// A number that the engine of SNS in 2024 does not compare.
    pub(super) fn beyond(&self, number: &PatternNumber, span: Span, raised_at: u32) -> Option<Finding> {
        const MOST: f64 = 5e9;
        let value = number.key?.to_f64();
        (self.reading.is_old_sns() && value.abs() > MOST).then(|| {
            self.error(
                Code::InexactNumber,
                span,
                "SNS of 2024 compares only numbers from -5,000,000,000 to 5,000,000,000",
            )
            .label("outside the range")
            .help("use a number in this range; SNS of 2026 has no such limit")
            .service(wording::NUMERIC_BEYOND, raised_at)
        })
    }

    /// A number that cannot be compared.
    #[cold]
    pub(super) fn inexact(&self, span: Span, raised_at: u32) -> Finding {
        let text = self.source(span);
        let (message, service) = if Spelling::of(text.as_bytes()) == Spelling::HugeExponent {
            ("the exponent of this number is too large", wording::NUMBER_EXCEEDS_LIMITS.to_owned())
        } else {
            ("this number cannot be compared exactly", wording::inexact(text))
        };
        self.error(Code::InexactNumber, span, message)
            .label("too many digits for 64-bit floating point")
            .help(
                "use at most 15 significant digits, which 64-bit floating point always represents exactly; as a \
                 plain value, without an operator, this number matches its own spelling",
            )
            .service(service, raised_at)
    }

    fn empty_range(&mut self, list: &Node, low: &Bound, high: &Bound) {
        if !list.closed {
            return;
        }
        let equal = low.key == high.key;
        let mut finding = self
            .error(
                Code::EmptyRange,
                list.span,
                format!(
                    "the lower end `{}` is not below the upper end `{}`",
                    short(&low.number.spelling),
                    short(&high.number.spelling)
                ),
            )
            .label("no number is in this range")
            .context(low.span, "lower end")
            .context(high.span, "upper end")
            .service(wording::NUMERIC_EMPTY_RANGE, list.span.end);
        finding =
            if equal && low.inclusive && high.inclusive {
                let both = format!("[\"=\", {}]", low.number.spelling);
                finding.help("write `=` to match exactly one number").fix(
                    "compare for equality",
                    list.span,
                    both,
                    Applicability::Safe,
                )
            } else if equal {
                finding.help("write the larger number as the upper end, or `=` to match one number")
            } else {
                let (above, below) = (if low.inclusive { ">=" } else { ">" }, if high.inclusive { "<=" } else { "<" });
                let turned = format!("[\"{above}\", {}, \"{below}\", {}]", high.number.spelling, low.number.spelling);
                finding
                    .help("swap the two ends; to match everything outside a range, write one object for each side")
                    .fix("swap the two ends", list.span, turned, Applicability::Unsafe)
            };
        self.push(finding);
    }

    fn not_a_comparison(&mut self, node: &Node) {
        let mut finding = self
            .error(Code::WrongOperand, node.span, "`numeric` takes a list of an operator and a number")
            .label(describe(node))
            .help("write `{\"numeric\": [\">\", 5]}`")
            .service(wording::NUMERIC_NOT_A_LIST, begun(node));
        if node.kind == Kind::Number {
            let list = format!("[\"=\", {}]", self.source(node.span));
            finding = finding
                .help("write `[\"=\", …]`, or the plain number in the field's list, without `numeric`")
                .fix("compare for equality", node.span, list, Applicability::Safe);
        }
        self.push(finding);
    }

    /// The token as the service's parser names it.
    fn token(&self, node: &Node) -> &str {
        match node.kind {
            Kind::Object => "{",
            Kind::Array => "[",
            Kind::String | Kind::Number | Kind::True | Kind::False | Kind::Null => self.source(node.span),
        }
    }
}
