//! Operators: the objects in a field's list.

use super::suggest::short;
use super::{Reader, begun, describe};
use crate::base::Span;
use crate::diagnostic::{Applicability, Code, Finding};
use crate::dialect::{Operator, Support, Word, wording};
use crate::json::{Kind, Node};
use crate::pattern::ast::{FoldOperand, Operand, TestKind, WildcardOperand};
use crate::value::{AddressBlock, AddressError, BlockError, End, Family, Fold, Wildcard, WildcardError};

impl Reader<'_> {
    /// Reads the operator in the object at `at`.
    pub(super) fn operator(&mut self, at: usize, object: &Node) -> Option<TestKind> {
        let mut children = self.tree.children(at);
        let Some((operand_at, operand)) = children.next() else {
            if object.closed {
                self.push(
                    self.error(Code::MissingOperator, object.span, "expected an operator in the object, found nothing")
                        .label("empty object")
                        .help("write an operator, such as `{\"exists\": true}` or `{\"prefix\": \"a\"}`, or a plain value")
                        .service(wording::NO_OPERATOR, object.span.end),
                );
            }
            return None;
        };
        let second = children.next().map(|(_, second)| second);
        let (operand, key) = (*operand, operand.key.unwrap_or(operand.span));
        let name = match operand.key {
            Some(key) => self.tree.string_of(&operand, key),
            None => self.tree.string(key),
        };
        if self.no_operators(object, key, &name) {
            return None;
        }
        let (whole, inner) = ((at, object), (operand_at, &operand));
        let mut too_many = wording::ONE_KEY;
        let Some(word) = Word::from_name(&name) else {
            self.unknown_operator(object, &operand, key, &name);
            return None;
        };
        let kind = match word {
            Word::Exactly => {
                self.allowed(Operator::Exactly, key, &operand);
                self.text(whole, inner, "exactly", "exact").map(TestKind::Exactly)
            }
            Word::Prefix => self.affix(whole, inner, End::Front),
            Word::Suffix => self.affix(whole, inner, End::Back),
            Word::EqualsIgnoreCase => self
                .text(whole, inner, "equals-ignore-case", "equals-ignore-case")
                .map(|operand| TestKind::EqualsIgnoreCase(Box::new(fold(operand)))),
            Word::Wildcard => {
                self.allowed(Operator::Wildcard, key, &operand);
                let operand = self.text(whole, inner, "wildcard", "wildcard");
                operand.and_then(|operand| {
                    let raised_at = operand.span.end;
                    self.wildcard(operand, raised_at).map(TestKind::Wildcard)
                })
            }
            Word::Numeric => {
                too_many = wording::TOO_MANY_IN_EXPRESSION;
                self.numeric(operand_at, &operand).map(|range| TestKind::Numeric(Box::new(range)))
            }
            Word::AnythingBut => {
                too_many = wording::TOO_MANY_IN_EXPRESSION;
                self.anything_but(operand_at, &operand).map(TestKind::AnythingBut)
            }
            Word::Exists => self.exists(&operand),
            Word::Cidr => {
                self.allowed(Operator::Cidr, key, &operand);
                self.text(whole, inner, "cidr", "prefix")
                    .and_then(|operand| self.cidr(object, operand, second.is_none()))
            }
        };
        if let Some(second) = second {
            self.several_operators(at, object, second, too_many);
        }
        kind
    }

    /// Notes it if the dialect does not have an operator of the first level.
    fn allowed(&mut self, operator: Operator, key: Span, operand: &Node) {
        if self.support(operator) == Support::No {
            let name = self.tree.string(key);
            let service = self.reading.dialect.is_sns().then(|| format!("Unrecognized match type {name}"));
            self.push(self.not_in_dialect(key, operator, begun(operand), service));
        }
    }

    /// The operand of an operator that takes one string; the service may have another name for it.
    fn text(
        &mut self,
        object: (usize, &Node),
        operand: (usize, &Node),
        name: &str,
        service_name: &str,
    ) -> Option<Operand> {
        if operand.1.kind == Kind::String {
            return operand.1.closed.then(|| self.operand(operand.1));
        }
        self.wrong_text(object, operand, name, service_name);
        None
    }

    fn affix(&mut self, object: (usize, &Node), operand: (usize, &Node), end: End) -> Option<TestKind> {
        let (at, node) = operand;
        let name = match end {
            End::Front => "prefix",
            End::Back => "suffix",
        };
        if node.kind != Kind::Object {
            let operand = self.text(object, operand, name, name)?;
            return Some(match end {
                End::Front => TestKind::Prefix(operand),
                End::Back => TestKind::Suffix(operand),
            });
        }
        let (operator, title, feature) = match end {
            End::Front => ("Prefix", "`prefix`", Operator::PrefixIgnoreCase),
            End::Back => ("Suffix", "`suffix`", Operator::SuffixIgnoreCase),
        };
        if self.support(feature) == Support::No {
            let service = self.reading.dialect.is_sns().then(|| wording::not_a_string(name));
            self.push(self.not_in_dialect(node.span, feature, begun(node), service));
            return None;
        }
        let mut children = self.tree.children(at);
        let Some((inner_at, inner)) = children.next() else {
            if node.closed {
                self.push(
                    self.error(Code::WrongOperand, node.span, format!("{title} does not take an empty object"))
                        .label("empty object")
                        .help(format!("write a string, or `{{\"{name}\": {{\"equals-ignore-case\": \"…\"}}}}`"))
                        .service(wording::no_operator_inside(operator), node.span.end),
                );
            }
            return None;
        };
        let second = children.next().map(|(_, second)| second);
        let (inner, key) = (*inner, inner.key.unwrap_or(inner.span));
        let inner_name = self.tree.string(key);
        if inner_name != "equals-ignore-case" {
            self.push(
                self.error(
                    Code::WrongOperand,
                    key,
                    format!("`{}` cannot be nested inside {title}", short(&inner_name)),
                )
                .label("not allowed here")
                .help("write a string, or `{\"equals-ignore-case\": \"…\"}`")
                .service(wording::unsupported_inside(name, &inner_name), begun(&inner)),
            );
            return None;
        }
        let operand = self.text((at, node), (inner_at, &inner), "equals-ignore-case", "equals-ignore-case");
        if let Some(second) = second {
            self.several_operators(at, node, second, wording::ONE_KEY);
        }
        operand.map(|operand| {
            let folded = Box::new(fold(operand));
            match end {
                End::Front => TestKind::PrefixIgnoreCase(folded),
                End::Back => TestKind::SuffixIgnoreCase(folded),
            }
        })
    }

    fn exists(&mut self, operand: &Node) -> Option<TestKind> {
        match operand.kind {
            Kind::True => return Some(TestKind::Exists(true)),
            Kind::False => return Some(TestKind::Exists(false)),
            Kind::Object | Kind::Array | Kind::String | Kind::Number | Kind::Null => {}
        }
        let mut finding = self
            .error(Code::WrongOperand, operand.span, "`exists` takes `true` or `false`")
            .label(describe(operand))
            .service(wording::EXISTS_NOT_BOOLEAN, begun(operand));
        if operand.kind == Kind::String && operand.closed {
            let text = self.tree.string(operand.span).trim().to_ascii_lowercase();
            if let "true" | "false" = &*text {
                finding = finding
                    .help("write it without the quotes (templates in YAML may turn booleans into strings)")
                    .fix("remove the quotes", operand.span, text, Applicability::Safe);
            }
        }
        self.push(finding);
        None
    }

    /// A wildcard; `raised_at` says when the service checks it.
    pub(super) fn wildcard(&mut self, operand: Operand, raised_at: u32) -> Option<WildcardOperand> {
        let error = match Wildcard::parse(&operand.text) {
            Ok(wildcard) => return Some(WildcardOperand { operand, wildcard }),
            Err(error) => error,
        };
        let finding = self.bad_wildcard(&operand, error, raised_at);
        self.push(finding);
        None
    }

    #[cold]
    pub(super) fn bad_wildcard(&self, operand: &Operand, error: WildcardError, raised_at: u32) -> Finding {
        let text = &*operand.text;
        match error {
            WildcardError::Consecutive { position } => {
                let stars = text.bytes().skip(position - 1).take_while(|byte| *byte == b'*').count();
                let span = self.inside(operand.span, position - 1, stars);
                self.error(Code::BadWildcard, span, "a wildcard cannot contain several `*` in a row")
                    .label("one is enough")
                    .help("`*` matches any string, including slashes; there is no `**` as in file globs")
                    .fix("write one `*`", span, "*", Applicability::Safe)
                    .service(wording::consecutive_wildcards(position), raised_at)
            }
            WildcardError::Escape { position } => {
                let span = self.inside(operand.span, position - 1, 1);
                let doubled = format!("{0}{0}", self.source(span));
                self.error(Code::BadWildcard, span, "expected `*` or a second backslash after the backslash")
                    .label("escapes nothing")
                    .help(
                        "to match a literal `*`, write a backslash before it; to match a backslash, write two, \
                         which are four in JSON",
                    )
                    .fix("double it", span, doubled, Applicability::Unsafe)
                    .service(wording::invalid_escape(position), raised_at)
            }
        }
    }

    /// The place of some bytes of a string's value in the text of the pattern.
    fn inside(&self, literal: Span, offset: usize, length: usize) -> Span {
        let raw = self.source(literal);
        let mut places = Vec::new();
        let (mut at, mut value) = (1, 0);
        while at + 1 < raw.len() && value <= offset + length {
            let rest = raw.get(at..).unwrap_or("");
            let (taken, made) = match rest.as_bytes() {
                [b'\\', b'u', ..] => {
                    let pair = rest.len() >= 12 && rest.get(6..8) == Some("\\u");
                    let decoded = self.tree_value(rest.get(..6).unwrap_or(""));
                    let high = rest
                        .get(2..4)
                        .is_some_and(|hex| u8::from_str_radix(hex, 16).is_ok_and(|byte| (0xd8..0xdc).contains(&byte)));
                    if high && pair { (12, 4) } else { (6, decoded) }
                }
                [b'\\', ..] => (2, 1),
                _ => rest.chars().next().map_or((1, 1), |char| (char.len_utf8(), char.len_utf8())),
            };
            places.push((value, at));
            value += made;
            at += taken;
        }
        places.push((value, at));
        let find = |wanted: usize| {
            places.iter().find(|(value, _)| *value >= wanted).map_or(raw.len().saturating_sub(1), |(_, at)| *at)
        };
        let base = literal.start;
        let start = base + u32::try_from(find(offset)).unwrap_or(0);
        let end = base + u32::try_from(find(offset + length)).unwrap_or(0);
        Span::new(start, end)
    }

    /// How many bytes an escape represents.
    fn tree_value(&self, escape: &str) -> usize {
        let code = escape.get(2..6).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        code.and_then(char::from_u32).map_or(1, char::len_utf8)
    }

    fn cidr(&mut self, object: &Node, operand: Operand, alone: bool) -> Option<TestKind> {
        let error = match AddressBlock::parse(&operand.text) {
            Ok(block) => return Some(TestKind::Cidr(operand, Box::new(block))),
            Err(error) => error,
        };
        let text = &*operand.text;
        let address = AddressBlock::address_part(text);
        let (message, help, service) = match error {
            BlockError::NoSlash if text.contains('/') => (
                format!("`{}` is not an address block", short(text)),
                "write an address, one slash and the number of leading bits: `10.0.0.0/8`",
                wording::CIDR_NO_SLASH.to_owned(),
            ),
            BlockError::NoSlash => (
                "expected a slash and the number of leading bits after the address".to_owned(),
                "write `10.0.0.0/8`, or a plain value for a single address: `[\"10.0.0.1\"]`",
                wording::CIDR_NO_SLASH.to_owned(),
            ),
            BlockError::BitsNotInteger => (
                format!("`{}` is not a number of bits", short(text.split('/').nth(1).unwrap_or(""))),
                "write the number of bits after the slash: `10.0.0.0/8`",
                wording::CIDR_BITS_NOT_INTEGER.to_owned(),
            ),
            BlockError::BitsNegative => (
                "the number of bits is negative".to_owned(),
                "write how many leading bits the addresses of the block share: `10.0.0.0/8`",
                wording::CIDR_BITS_NEGATIVE.to_owned(),
            ),
            BlockError::TooManyBits(Family::V4) => (
                "an IPv4 block has at most 31 bits".to_owned(),
                "write a single address as a plain value: every spelling of it matches",
                wording::CIDR_BITS_V4.to_owned(),
            ),
            BlockError::TooManyBits(Family::V6) => (
                "an IPv6 block has at most 127 bits".to_owned(),
                "write a single address as a plain value: every spelling of it matches",
                wording::CIDR_BITS_V6.to_owned(),
            ),
            BlockError::Address(AddressError::Nonstandard) => (
                format!("`{}` is not an address", short(address)),
                "write four decimal numbers with dots, or hexadecimal groups with colons",
                wording::nonstandard_address(address),
            ),
            BlockError::Address(AddressError::Invalid) => (
                format!("`{}` is not a valid address", short(address)),
                "each of four decimal numbers is at most 255; IPv6 has eight groups, with at most one `::`",
                wording::invalid_address(address),
            ),
        };
        let mut finding = self
            .error(Code::BadCidr, operand.span, message)
            .label("not an address block")
            .help(help)
            .service(service, operand.span.end)
            .located(0);
        let single = matches!(
            (error, text.split_once('/').map(|(_, bits)| bits)),
            (BlockError::NoSlash, None)
                | (BlockError::TooManyBits(Family::V4), Some("32"))
                | (BlockError::TooManyBits(Family::V6), Some("128"))
        );
        if single && alone && object.closed && crate::value::Address::parse(address.as_bytes()).is_ok() {
            finding =
                finding.fix("write the address as a value", object.span, format!("\"{address}\""), Applicability::Safe);
        }
        self.push(finding);
        None
    }
}

pub(super) fn fold(operand: Operand) -> FoldOperand {
    let fold = Fold::new(&operand.text);
    FoldOperand { operand, fold }
}
