//! `anything-but` in its forms.

use super::operator::fold;
use super::suggest::{list_of, short};
use super::{Reader, begun, describe};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::{Operator, Support, Word, wording};
use crate::json::{Kind, Node};
use crate::pattern::ast::{AnythingBut, Operand, WildcardOperand};
use crate::value::Wildcard;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Prefix,
    Suffix,
    IgnoreCase,
    Wildcard,
}

impl Inner {
    fn of(name: &str) -> Option<(Inner, Operator)> {
        let word = Word::from_name(name)?;
        let inner = match word {
            Word::Prefix => Inner::Prefix,
            Word::Suffix => Inner::Suffix,
            Word::EqualsIgnoreCase => Inner::IgnoreCase,
            Word::Wildcard => Inner::Wildcard,
            Word::Exactly | Word::Numeric | Word::AnythingBut | Word::Exists | Word::Cidr => return None,
        };
        Some((inner, word.inside_anything_but()?))
    }

    fn not_a_string(self) -> String {
        match self {
            Inner::Prefix | Inner::Suffix => wording::ANYTHING_BUT_AFFIX_NOT_A_STRING.to_owned(),
            Inner::IgnoreCase => wording::ANYTHING_BUT_IGNORE_CASE_NOT_A_STRING.to_owned(),
            Inner::Wildcard => wording::not_a_string("wildcard"),
        }
    }
}

impl Reader<'_> {
    pub(super) fn anything_but(&mut self, at: usize, node: &Node) -> Option<AnythingBut> {
        match node.kind {
            Kind::String => node.closed.then(|| AnythingBut::Strings(vec![self.operand(node)])),
            Kind::Number => {
                let number = self.pattern_number(node.span);
                if number.key.is_none() {
                    // For a bare number the service has one message, without a location.
                    let service = wording::inexact(self.source(node.span));
                    let finding = self.inexact(node.span, node.span.end).service(service, node.span.end).located(0);
                    self.push(finding);
                    return None;
                }
                if let Some(finding) = self.beyond(&number, node.span, node.span.end) {
                    self.push(finding);
                    return None;
                }
                Some(AnythingBut::Numbers(vec![(node.span, number)]))
            }
            Kind::Array => self.excluded_values(at, node),
            Kind::Object => self.excluded_by(at, node),
            Kind::True | Kind::False | Kind::Null => {
                self.not_excludable(node, wording::ANYTHING_BUT_NOT_A_VALUE, 1);
                None
            }
        }
    }

    fn excluded_values(&mut self, at: usize, list: &Node) -> Option<AnythingBut> {
        let (mut strings, mut numbers) = (Vec::new(), Vec::new());
        let mut sound = list.closed;
        let mut first_number = None;
        for (index, node) in self.tree.children(at) {
            let node = *node;
            match node.kind {
                Kind::String => strings.push(self.operand(&node)),
                Kind::Number => {
                    first_number.get_or_insert(node.span);
                    let number = self.pattern_number(node.span);
                    if number.key.is_none() {
                        let finding = self.inexact(node.span, node.span.end);
                        self.push(finding);
                        sound = false;
                    } else if let Some(finding) = self.beyond(&number, node.span, node.span.end) {
                        self.push(finding);
                        sound = false;
                    }
                    numbers.push((node.span, number));
                }
                Kind::Object => {
                    self.operator_in_list(at, list, index, &node);
                    return None;
                }
                Kind::Array | Kind::True | Kind::False | Kind::Null => {
                    self.not_excludable(&node, wording::ANYTHING_BUT_NOT_IN_LIST, 2);
                    return None;
                }
            }
        }
        if !sound {
            return None;
        }
        match (strings.first(), first_number) {
            (Some(_), None) => Some(AnythingBut::Strings(strings)),
            (None, Some(_)) => Some(AnythingBut::Numbers(numbers)),
            (Some(string), Some(number)) => {
                let (odd, other, what) = if strings.len() >= numbers.len() {
                    (number, string.span, "a number among strings")
                } else {
                    (string.span, number, "a string among numbers")
                };
                self.push(
                    self.error(
                        Code::BadAnythingBut,
                        odd,
                        "`anything-but` takes only strings or only numbers, not both",
                    )
                    .label(what)
                    .context(other, "of the other type")
                    .help("quote all values or none")
                    .service(wording::ANYTHING_BUT_MIXED, list.span.end),
                );
                None
            }
            (None, None) => {
                self.push(
                    self.error(Code::BadAnythingBut, list.span, "the list of `anything-but` is empty")
                        .label("excludes nothing")
                        .help("write the values to exclude; to match any value, use `{\"exists\": true}`")
                        .service(wording::ANYTHING_BUT_MIXED, list.span.end),
                );
                None
            }
        }
    }

    fn excluded_by(&mut self, at: usize, node: &Node) -> Option<AnythingBut> {
        let mut children = self.tree.children(at);
        let Some((operand_at, operand)) = children.next() else {
            if node.closed {
                self.push(
                    self.error(Code::BadAnythingBut, node.span, "`anything-but` does not take an empty object")
                        .label("excludes nothing")
                        .help(format!("write what to exclude: a value, a list, or one of {}", list_of(&inner_names())))
                        .service(wording::ANYTHING_BUT_NO_OPERATOR, node.span.end),
                );
            }
            return None;
        };
        let second = children.next().map(|(_, second)| second);
        let (operand, key) = (*operand, operand.key.unwrap_or(operand.span));
        let name = self.tree.string(key);
        let unsupported = || wording::unsupported_inside("anything-but", &name);
        let Some((inner, operator)) = Inner::of(&name) else {
            let mut finding = self
                .error(Code::BadAnythingBut, key, format!("`{}` cannot be nested inside `anything-but`", short(&name)))
                .label("not allowed here")
                .service(unsupported(), begun(&operand));
            finding = finding.help(match &*name {
                "exists" => "to exclude a missing field, write `{\"exists\": true}` without `anything-but`".to_owned(),
                "numeric" => "a range cannot be negated: write both sides, such as `{\"numeric\": [\"<\", 1]}` and \
                     `{\"numeric\": [\">\", 5]}`, as two objects"
                    .to_owned(),
                "anything-but" => "two negations cancel each other out: write the values without them".to_owned(),
                _ => format!("write a value, a list of values, or one of {}", list_of(&inner_names())),
            });
            self.push(finding);
            return None;
        };
        if self.support(operator) == Support::No {
            let service = self.reading.dialect.is_sns().then(unsupported);
            self.push(self.not_in_dialect(key, operator, begun(&operand), service));
            return None;
        }
        let made = match operand.kind {
            Kind::String | Kind::Number => self.inner(inner, &name, &operand, 1).map(|operand| vec![operand]),
            Kind::Array => self.inner_list(inner, &name, operand_at, &operand),
            Kind::Object => {
                self.push(
                    self.error(
                        Code::BadAnythingBut,
                        operand.span,
                        format!("`{name}` inside `anything-but` takes a string or a list of strings"),
                    )
                    .label(describe(&operand))
                    .help("`equals-ignore-case` cannot be nested inside `prefix` or `suffix` within `anything-but`")
                    .service(wording::ANYTHING_BUT_NOT_A_VALUE, begun(&operand)),
                );
                None
            }
            Kind::True | Kind::False | Kind::Null => {
                let old = self.reading.is_old_sns() && inner == Inner::Prefix;
                let service =
                    if old { wording::not_a_string("prefix") } else { wording::ANYTHING_BUT_NOT_A_VALUE.to_owned() };
                self.not_excludable(&operand, &service, 1);
                None
            }
        };
        let made = made.and_then(|operands| self.exclusion(inner, operands, &operand));
        if let Some(second) = second {
            self.several_operators(at, node, second, wording::TOO_MANY_IN_EXPRESSION);
        }
        made
    }

    fn exclusion(&mut self, inner: Inner, operands: Vec<Operand>, node: &Node) -> Option<AnythingBut> {
        Some(match inner {
            Inner::Prefix => AnythingBut::Prefix(operands),
            Inner::Suffix => AnythingBut::Suffix(operands),
            Inner::IgnoreCase => AnythingBut::EqualsIgnoreCase(operands.into_iter().map(fold).collect()),
            Inner::Wildcard => AnythingBut::Wildcard(self.wildcards(operands, node)?),
        })
    }

    /// The service checks the strings of a list when the list is closed, in the order of a hash set.
    fn wildcards(&mut self, operands: Vec<Operand>, node: &Node) -> Option<Vec<WildcardOperand>> {
        let mut bad = Vec::new();
        let mut good = Vec::with_capacity(operands.len());
        for operand in operands {
            match Wildcard::parse(&operand.text) {
                Ok(wildcard) => good.push(WildcardOperand { operand, wildcard }),
                Err(error) => bad.push((operand, error)),
            }
        }
        if bad.is_empty() {
            return Some(good);
        }
        if bad.len() > 1 {
            let texts = good.iter().map(|wildcard| &wildcard.operand).chain(bad.iter().map(|(operand, _)| operand));
            let buckets = hash_buckets(texts);
            bad.sort_unstable_by_key(|(operand, _)| (hash(&operand.text) & (buckets - 1), operand.span.start));
        }
        for (operand, error) in bad {
            let finding = self.bad_wildcard(&operand, error, node.span.end);
            self.push(finding);
        }
        None
    }

    fn inner_list(&mut self, inner: Inner, name: &str, at: usize, list: &Node) -> Option<Vec<Operand>> {
        if inner != Inner::IgnoreCase && self.support(Operator::AnythingButList) == Support::No {
            let service = self.reading.dialect.is_sns().then(|| wording::not_a_string(name));
            self.push(self.not_in_dialect(list.span, Operator::AnythingButList, begun(list), service));
            return None;
        }
        let mut operands = Vec::new();
        for (_, node) in self.tree.children(at) {
            let node = *node;
            operands.push(self.inner(inner, name, &node, 2)?);
        }
        if !list.closed {
            return None;
        }
        if operands.is_empty() {
            self.empty_exclusions(list, name);
            return None;
        }
        Some(operands)
    }

    /// One operand of an operator inside `anything-but`.
    fn inner(&mut self, inner: Inner, name: &str, node: &Node, located: u8) -> Option<Operand> {
        let old = self.reading.is_old_sns();
        if node.kind != Kind::String {
            // The engine of 2024 had only prefixes here, one at a time.
            let service =
                if old && inner == Inner::Prefix { wording::not_a_string("prefix") } else { inner.not_a_string() };
            self.push(
                self.error(Code::BadAnythingBut, node.span, format!("`{name}` inside `anything-but` takes strings"))
                    .label(describe(node))
                    .help("write a string, or a list of strings")
                    .service(service, begun(node))
                    .located(located),
            );
            return None;
        }
        if !node.closed {
            return None;
        }
        let operand = self.operand(node);
        if operand.text.is_empty() && matches!(inner, Inner::Prefix | Inner::Suffix) {
            let service = if old { wording::ANYTHING_BUT_EMPTY_PREFIX_2024 } else { wording::ANYTHING_BUT_EMPTY_AFFIX };
            self.push(
                self.error(Code::BadAnythingBut, node.span, format!("`{name}` inside `anything-but` cannot be empty"))
                    .label("empty")
                    .help(format!(
                        "write at least one character: every string has the empty {name}, so nothing would match"
                    ))
                    .service(service, node.span.end)
                    .located(located),
            );
            return None;
        }
        Some(operand)
    }

    fn not_excludable(&mut self, node: &Node, service: &str, located: u8) {
        let text = self.source(node.span);
        let mut finding = self
            .error(Code::BadAnythingBut, node.span, "`anything-but` excludes only strings and numbers")
            .label(describe(node))
            .service(service, begun(node))
            .located(located);
        finding = match node.kind {
            Kind::True => finding.help("to accept only `false`, write `[false]`"),
            Kind::False => finding.help("to accept only `true`, write `[true]`"),
            Kind::Null => finding.help(format!("list the accepted values: `{text}` cannot be excluded")),
            Kind::Array => finding.help("write all values into one flat list"),
            Kind::Object | Kind::String | Kind::Number => finding,
        };
        self.push(finding);
    }

    /// `{"anything-but": [{"prefix": "a"}]}`: the operator is in a list.
    fn operator_in_list(&mut self, list_at: usize, list: &Node, at: usize, node: &Node) {
        let mut finding = self
            .error(Code::BadAnythingBut, node.span, "the list of `anything-but` cannot contain an operator")
            .label("only strings or numbers belong here")
            .service(wording::ANYTHING_BUT_NOT_IN_LIST, begun(node))
            .located(2);
        let mut operators = self.tree.children(at);
        let named = operators.next().and_then(|(_, operand)| {
            let key = operand.key?;
            Inner::of(&self.tree.string(key)).map(|_| key)
        });
        if let (Some(key), None) = (named, operators.next()) {
            let name = self.tree.string(key);
            finding = finding
                .help(format!("write the operator instead of the list: `{{\"anything-but\": {{\"{name}\": …}}}}`"));
            if self.tree.children(list_at).count() == 1 && list.closed {
                finding = finding.fix("remove the list", list.span, self.source(node.span), Applicability::Safe);
            }
        } else {
            finding = finding.help(format!("write one of {} instead of the list", list_of(&inner_names())));
        }
        self.push(finding);
    }
}

/// The hash that the service's set of quoted strings uses: over UTF-16 units, with the upper half mixed in.
fn hash(text: &str) -> u32 {
    let quote = std::iter::once(u32::from(b'"'));
    let units = quote.clone().chain(text.encode_utf16().map(u32::from)).chain(quote);
    let hash = units.fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit));
    hash ^ (hash >> 16)
}

/// How many buckets that set has: a power of two, at least 16, of which not more than three quarters are filled.
fn hash_buckets<'a>(texts: impl Iterator<Item = &'a Operand>) -> u32 {
    let mut distinct: Vec<&str> = texts.map(|operand| &*operand.text).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let mut buckets = 16_u32;
    while distinct.len() as u64 * 4 > u64::from(buckets) * 3 {
        buckets *= 2;
    }
    buckets
}

/// The operators that `anything-but` takes.
fn inner_names() -> Vec<&'static str> {
    Word::ALL.into_iter().filter(|word| word.inside_anything_but().is_some()).map(Word::name).collect()
}
