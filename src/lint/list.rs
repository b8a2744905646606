//! One list of tests.

use super::{Out, Site, note, quoted, shown, warning};
use crate::base::text::json_string;
use crate::base::{ListMap, Span};
use crate::diagnostic::{Code, Finding};
use crate::dialect::Dialect;
use crate::pattern::ast::{AnythingBut, Operand, Test, TestKind};
use crate::relate::{Find, Values, outside, sample};
use crate::value::{Address, AddressBlock, Family, Spelling};

/// Longer lists are not compared test by test.
const LONG: usize = 64;

pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    let everything = accepts_everything(site, out);
    if !everything {
        alternatives(site, out);
    }
    covered(site, out);
    for test in site.tests {
        one(site, test, out);
    }
    anything_but(site, out);
}

/// A list that shuts nothing out.
fn accepts_everything(site: &Site<'_>, out: &mut Out<'_>) -> bool {
    if site.tests.len() < 2 || site.tests.len() > LONG {
        return false;
    }
    let plain = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(true)));
    let values = Values::of(site.tests);
    let all = Values::everything();
    if sample(&[&all], &[&values], false, &out.effort) != Find::Nothing || (plain && !values.absent) {
        return false;
    }
    let excluded = site.tests.iter().filter(|test| matches!(test.kind, TestKind::AnythingBut(_))).count();
    let message = if values.absent {
        format!("this list accepts everything, also that `{}` is absent", site.path())
    } else {
        format!("this list accepts every value of `{}`", site.path())
    };
    let help = if excluded > 1 {
        "the entries of a list are alternatives (OR): what one `anything-but` shuts out, the other lets in. Put all \
         exclusions into one: {\"anything-but\": [\"a\", \"b\"]}"
    } else if values.absent {
        "leave the field out of the pattern"
    } else {
        "to accept every value write [{\"exists\": true}]"
    };
    let mut found = warning(Code::AcceptsEverything, site.node.span, message).label("nothing is shut out").help(help);
    if let Some(one) = one_exclusion(site.tests, out.source()) {
        found = found.fix("shut all of them out", site.node.span, one, false);
    }
    out.push(found);
    true
}

/// Several exclusions of one kind as one.
fn one_exclusion(tests: &[Test], source: &str) -> Option<String> {
    let (mut kind, mut items) = (None, Vec::new());
    for test in tests {
        let TestKind::AnythingBut(excluded) = &test.kind else { return None };
        let texts =
            |list: &[Operand]| list.iter().map(|operand| operand.span.slice(source).to_owned()).collect::<Vec<_>>();
        let (name, list) = match excluded {
            AnythingBut::Strings(list) => ("strings", texts(list)),
            AnythingBut::Numbers(list) => {
                ("numbers", list.iter().map(|(span, _)| span.slice(source).to_owned()).collect())
            }
            AnythingBut::Prefix(list) => ("prefix", texts(list)),
            AnythingBut::Suffix(list) => ("suffix", texts(list)),
            AnythingBut::EqualsIgnoreCase(list) => {
                ("equals-ignore-case", list.iter().map(|fold| fold.operand.span.slice(source).to_owned()).collect())
            }
            AnythingBut::Wildcard(list) => {
                ("wildcard", list.iter().map(|wildcard| wildcard.operand.span.slice(source).to_owned()).collect())
            }
        };
        if kind.is_some_and(|kind| kind != name) {
            return None;
        }
        kind = Some(name);
        items.extend(list);
    }
    let list = items.join(", ");
    Some(match kind? {
        "strings" | "numbers" => format!("[{{\"anything-but\": [{list}]}}]"),
        name => format!("[{{\"anything-but\": {{\"{name}\": [{list}]}}}}]"),
    })
}

/// Operators side by side that were probably meant to hold together.
fn alternatives(site: &Site<'_>, out: &mut Out<'_>) {
    let tests = site.tests;
    if tests.len() < 2 || tests.len() > LONG {
        return;
    }
    let find = |test: &dyn Fn(&TestKind) -> bool| tests.iter().find(|one| test(&one.kind));
    let prefix = find(&|kind| matches!(kind, TestKind::Prefix(_) | TestKind::PrefixIgnoreCase(_)));
    let suffix = find(&|kind| matches!(kind, TestKind::Suffix(_) | TestKind::SuffixIgnoreCase(_)));
    let above = find(&|kind| matches!(kind, TestKind::Numeric(range) if range.low.is_some() && range.high.is_none()));
    let below = find(&|kind| matches!(kind, TestKind::Numeric(range) if range.low.is_none() && range.high.is_some()));
    let excluding = find(&|kind| matches!(kind, TestKind::AnythingBut(_)));
    let choosing = find(&|kind| {
        matches!(
            kind,
            TestKind::Prefix(_)
                | TestKind::Suffix(_)
                | TestKind::Wildcard(_)
                | TestKind::PrefixIgnoreCase(_)
                | TestKind::SuffixIgnoreCase(_)
                | TestKind::Numeric(_)
                | TestKind::Cidr(..)
        )
    });
    let found = |first: &Test, second: &Test, help: String| {
        let (first, second) = if first.span.start < second.span.start { (first, second) } else { (second, first) };
        warning(
            Code::AlternativesNotAnd,
            second.span,
            format!("these tests of `{}` are alternatives: one of them is enough", site.path()),
        )
        .label("or this")
        .context(first.span, "either this")
        .help(help)
    };
    if let (Some(prefix), Some(suffix)) = (prefix, suffix) {
        let mut finding = found(
            prefix,
            suffix,
            "for a text that begins so and also ends so use one wildcard; two tests of one field cannot be combined with AND"
                .to_owned(),
        );
        if let (TestKind::Prefix(front), TestKind::Suffix(back), 2) = (&prefix.kind, &suffix.kind, tests.len()) {
            let escape = |text: &str| text.replace('\\', "\\\\").replace('*', "\\*");
            let wildcard = json_string(&format!("{}*{}", escape(&front.text), escape(&back.text)));
            let title = "let both hold";
            finding = finding.fix(title, site.node.span, format!("[{{\"wildcard\": {wildcard}}}]"), false);
        }
        out.push(finding);
    } else if let (Some(above), Some(below)) = (above, below) {
        let overlap = matches!((&above.kind, &below.kind), (TestKind::Numeric(low), TestKind::Numeric(high))
            if low.interval().zip(high.interval()).is_some_and(|(low, high)| low.0 <= high.1));
        if overlap {
            let part = |test: &Test| {
                let text = test.span.slice(out.source());
                text.split_once('[')
                    .and_then(|(_, rest)| rest.rsplit_once(']'))
                    .map(|(inner, _)| inner.trim().to_owned())
            };
            let mut finding =
                found(above, below, "together they accept every number; a range has both ends in one list".to_owned());
            if let (Some(low), Some(high)) = (part(above), part(below)) {
                let range = format!("{{\"numeric\": [{low}, {high}]}}");
                if tests.len() == 2 {
                    finding = finding.fix("make one range", site.node.span, format!("[{range}]"), false);
                }
            }
            out.push(finding);
        }
    } else if let (Some(excluding), Some(choosing)) = (excluding, choosing) {
        out.push(found(
            choosing,
            excluding,
            "`anything-but` lets in all the rest, so the other test hardly matters; a value cannot be chosen and shut out in \
             one list. Filter for one of the two here, and for the other where the event is handled"
                .to_owned(),
        ));
    }
}

/// Tests that another test of the list makes superfluous.
fn covered(site: &Site<'_>, out: &mut Out<'_>) {
    let tests = site.tests;
    let drop = |at: usize, by: &Test, out: &mut Out<'_>| {
        let Some(test) = tests.get(at) else { return };
        let source = out.source();
        let by_text = shown(by.span.slice(source));
        let span = match at.checked_sub(1).and_then(|before| tests.get(before)) {
            Some(before) => Span::new(before.span.end, test.span.end),
            None => Span::new(test.span.start, tests.get(1).map_or(test.span.end, |next| next.span.start)),
        };
        let same = by.span.slice(source) == test.span.slice(source);
        let message = if same {
            format!("`{by_text}` is in this list twice")
        } else {
            format!("`{}` adds nothing: `{by_text}` accepts it already", shown(test.span.slice(source)))
        };
        out.push(
            warning(Code::CoveredTest, test.span, message)
                .label("superfluous")
                .context(by.span, if same { "the same" } else { "accepts all that it does" })
                .fix("take it out of the list", span, "", true),
        );
    };
    if tests.len() > LONG {
        let mut seen: ListMap<&str, usize> = ListMap::new();
        for (at, test) in tests.iter().enumerate() {
            if let TestKind::String(operand) = &test.kind
                && let Some(first) = seen.insert(&operand.text, at)
                && let Some(by) = tests.get(first)
            {
                drop(at, by, out);
            }
        }
        return;
    }
    let values: Vec<Values<'_>> = tests.iter().map(|test| Values::of([test])).collect();
    let mut gone = vec![false; tests.len()];
    for (at, own) in values.iter().enumerate() {
        // The first of equal ones stays.
        let by = (0..tests.len()).find(|other| {
            let wide = values.get(*other);
            *other != at
                && !gone.get(*other).copied().unwrap_or(true)
                && wide.is_some_and(|wide| quick(own, wide) && outside(own, wide, &out.effort) == Find::Nothing)
                && (*other < at || wide.is_some_and(|wide| outside(wide, own, &out.effort) != Find::Nothing))
        });
        if let Some(by) = by.and_then(|by| tests.get(by)) {
            if let Some(gone) = gone.get_mut(at) {
                *gone = true;
            }
            drop(at, by, out);
        }
    }
}

/// Whether it can be at all, before the search.
fn quick(own: &Values<'_>, wide: &Values<'_>) -> bool {
    (!own.absent || wide.absent)
        && (!own.null || wide.null)
        && (own.texts.parts.is_empty() || !wide.texts.parts.is_empty())
        && (own.numbers.is_empty() || !wide.numbers.is_empty())
}

fn one(site: &Site<'_>, test: &Test, out: &mut Out<'_>) {
    match &test.kind {
        TestKind::String(operand) | TestKind::Exactly(operand) => {
            star(site, test, operand, "an exact value", out);
            quoted_scalar(site, test, operand, out);
        }
        TestKind::Prefix(operand) => {
            star(site, test, operand, "a prefix", out);
            empty(test, &operand.text, "prefix", out);
        }
        TestKind::Suffix(operand) => {
            star(site, test, operand, "a suffix", out);
            empty(test, &operand.text, "suffix", out);
        }
        TestKind::PrefixIgnoreCase(fold) | TestKind::SuffixIgnoreCase(fold) | TestKind::EqualsIgnoreCase(fold) => {
            if !matches!(test.kind, TestKind::EqualsIgnoreCase(_)) {
                empty(test, &fold.operand.text, "prefix or suffix", out);
            }
            if !fold.fold.equals(fold.operand.text.as_bytes()) {
                out.push(
                    warning(
                        Code::FoldsToNothing,
                        fold.operand.span,
                        format!("without regard to letter case, {} does not match itself", quoted(&fold.operand.text)),
                    )
                    .label("has characters that the service cannot map")
                    .help("the service takes a character outside of the basic plane (such as an emoji) for two `?`, and a few title-case letters for their other forms; compare exactly instead"),
                );
            }
        }
        TestKind::Wildcard(wildcard) if &*wildcard.operand.text == "*" => {
            empty(test, "", "wildcard", out);
        }
        TestKind::Wildcard(wildcard) if wildcard.wildcard.pieces().len() == 1 => {
            out.push(
                note(Code::EmptyOperand, test.span, "a wildcard without `*` is an exact value")
                    .help("write the value itself, or put `*` where anything may stand"),
            );
        }
        TestKind::Numeric(range) if range.interval().is_none() => out.push(
            warning(Code::EmptyInterval, test.span, "no number lies in this range")
                .label("never holds")
                .help("between the two ends there is no number that can be compared exactly"),
        ),
        TestKind::Number(number) if number.key.is_none() => out.push(
            warning(
                Code::InexactLiteral,
                test.span,
                format!("`{}` has more digits than can be compared", shown(&number.spelling)),
            )
            .label("equals only the very same digits")
            .help("numbers are compared as 64-bit floating point (about 16 digits); write fewer digits, or a `numeric` range around the value"),
        ),
        TestKind::Cidr(operand, block) => host_bits(operand, **block, out),
        _ => {}
    }
}

fn star(site: &Site<'_>, test: &Test, operand: &Operand, what: &str, out: &mut Out<'_>) {
    let text = &*operand.text;
    if !text.contains('*') || text.len() < 2 && what != "an exact value" {
        return;
    }
    let mut found = warning(Code::LiteralStar, operand.span, format!("`*` in {what} is an ordinary character"))
        .label(format!("matches only texts with a star in them, in `{}`", site.path()));
    let wildcard = |text: &str| format!("{{\"wildcard\": {}}}", json_string(text));
    let (body, stars) = (text.trim_matches('*'), text.matches('*').count());
    let replacement = match &test.kind {
        TestKind::Prefix(_) if text.ends_with('*') && stars == 1 => {
            Some(("leave the star out", format!("{{\"prefix\": {}}}", json_string(body))))
        }
        TestKind::Suffix(_) if text.starts_with('*') && stars == 1 => {
            Some(("leave the star out", format!("{{\"suffix\": {}}}", json_string(body))))
        }
        TestKind::Prefix(_) | TestKind::Suffix(_) => None,
        _ if text == "*" => Some(("accept every value", "{\"exists\": true}".to_owned())),
        _ => Some(("make it a wildcard", wildcard(&text.replace('\\', "\\\\").replace("**", "*")))),
    };
    if let Some((title, replacement)) = replacement
        && crate::pattern::Pattern::parse(&format!("{{\"a\": [{replacement}]}}"), out.dialect()).is_ok()
    {
        found = found.fix(title, test.span, replacement, false);
    }
    out.push(found);
}

fn empty(test: &Test, text: &str, what: &str, out: &mut Out<'_>) {
    if text.is_empty() {
        out.push(
            warning(
                Code::EmptyOperand,
                test.span,
                match what {
                    "wildcard" => "a lone `*` accepts every text".to_owned(),
                    _ => format!("an empty {what} accepts every text"),
                },
            )
            .label("any text, but no number, true, false or null")
            .help("to accept every value write {\"exists\": true}"),
        );
    }
}

/// `"true"`, `"null"`, `"5"`: texts, where probably the value was meant.
fn quoted_scalar(site: &Site<'_>, test: &Test, operand: &Operand, out: &mut Out<'_>) {
    let text = &*operand.text;
    // The service's own texts and DynamoDB's numbers are in quotes.
    let known = matches!(site.steps(1).first(), Some(&("account" | "version" | "id" | "messageId" | "partitionKey")));
    let dynamo = site.keys.contains(&"dynamodb") || matches!(site.last(), "N" | "NS");
    // Attributes of SNS are texts, and so is all that DynamoDB keeps under these types.
    let texts = out.dialect() == Dialect::SnsAttributes || dynamo && matches!(site.last(), "S" | "SS" | "N" | "NS");
    if texts {
        return;
    }
    if matches!(text, "true" | "false" | "null") {
        let beside = site.tests.iter().any(|other| matches!(other.kind, TestKind::Bool(_) | TestKind::Null));
        if !beside {
            out.push(
                warning(Code::QuotedScalar, operand.span, format!("\"{text}\" is a text, not {text}"))
                    .label("matches only the text in quotes")
                    .help("templates in YAML and their tools like to put quotes around true and false")
                    .fix("take away the quotes", test.span, text.to_owned(), false),
            );
        }
    } else if !known && !dynamo && is_small_number(text) {
        out.push(
            note(Code::QuotedScalar, operand.span, format!("\"{}\" is a text, not a number", shown(text)))
                .label("matches only the text in quotes")
                .fix("take away the quotes", test.span, text.to_owned(), false),
        );
    }
}

/// Numbers that people count or measure with; long ones are ids.
fn is_small_number(text: &str) -> bool {
    text.len() < 10
        && (text == "0" || text.contains('.') || !text.starts_with('0'))
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-')
        && Spelling::of(text.as_bytes()).key().is_some()
        && serde_like_number(text)
}

/// Whether JSON would take the text as a number.
fn serde_like_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    !whole.is_empty()
        && (whole == "0" || !whole.starts_with('0'))
        && whole.bytes().all(|byte| byte.is_ascii_digit())
        && fraction.is_none_or(|fraction| !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit()))
}

fn host_bits(operand: &Operand, block: AddressBlock, out: &mut Out<'_>) {
    let Ok(address) = Address::parse(AddressBlock::address_part(&operand.text).as_bytes()) else { return };
    if address.bits == block.low {
        return;
    }
    let bits = operand.text.rsplit('/').find(|part| !part.is_empty()).unwrap_or("");
    let network = match block.family {
        Family::V4 => std::net::Ipv4Addr::from(u32::try_from(block.low).unwrap_or(0)).to_string(),
        Family::V6 => std::net::Ipv6Addr::from(block.low).to_string(),
    };
    let text = format!("{network}/{bits}");
    if AddressBlock::parse(&text) != Ok(block) {
        return;
    }
    out.push(
        note(Code::HostBits, operand.span, format!("the block begins at `{network}`, not at the address given"))
            .label("the bits behind the mask do not count")
            .fix("write the first address", operand.span, format!("\"{text}\""), true),
    );
}

/// What `anything-but` does not mean.
fn anything_but(site: &Site<'_>, out: &mut Out<'_>) {
    let Some(test) = site.tests.iter().find(|test| matches!(test.kind, TestKind::AnythingBut(_))) else { return };
    if out.has(Code::AnythingButMeaning, Span::new(0, u32::MAX)) {
        return;
    }
    let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
    let list = "of a list it is enough that one element is not shut out";
    let message = if absent {
        format!("`anything-but` is not “none of”: {list}")
    } else {
        format!("`anything-but` needs a value: it does not hold if `{}` is absent; {list}", site.path())
    };
    let mut found: Finding = note(Code::AnythingButMeaning, test.span, message);
    if !absent {
        let end = site.tests.last().map_or(test.span.end, |last| last.span.end);
        found = found.fix("accept absence too", Span::new(end, end), ", {\"exists\": false}", false);
    }
    out.push(found);
}
