//! W0020: a limit of the service is near or exceeded.

use super::site::{Out, Site, note, warning};
use crate::base::Span;
use crate::diagnostic::Code;
use crate::dialect::limits::{PATHS, PATTERN_CHARACTERS, RULE_QUOTA, SNS_KEYS};
use crate::dialect::{Dialect, limits};

pub(super) const PAGE: &str = r##"## W0020: near a limit, or above it

The pattern of a rule may have 2,048 characters (4,096 if the quota was raised), a filter's pattern 4,096, a pattern may
name 256 fields that must all match, and a filter policy five.

**Why it matters.** The next change may make the service reject the pattern.

```bad sns-attributes
{"a": ["1"], "b": ["1"], "c": ["1"], "d": ["1"], "e": ["1"]}
```

Use fewer fields, or several subscriptions:

```good sns-attributes
{"kind": ["a1-b1-c1"], "d": ["1"], "e": ["1"]}
```

The second policy expects the sender to combine three attributes into one.
"##;

/// At least three quarters of the combinations that the service accepts.
pub(super) fn combinations(out: &mut Out<'_>) {
    let (count, most) = out.pattern.combinations();
    if count * 4 < most * 3 {
        return;
    }
    let Some(root) = out.ast().nodes.first().map(|node| node.span) else { return };
    let what = if out.dialect().is_sns() {
        "the lists multiply (each counts its entries times its depth), and the branches of `$or` add up"
    } else {
        "the branches of parallel `$or` groups multiply"
    };
    let message = format!("the pattern has {count} combinations; the service accepts at most {most}");
    let span = Span::new(root.start, root.start + 1);
    let found =
        if count > most { warning(Code::NearLimit, span, message) } else { note(Code::NearLimit, span, message) };
    out.push(found.label("counted over the whole pattern").help(what));
}

pub(super) fn length(out: &mut Out<'_>) {
    let characters = out.source().chars().count();
    let (most, what) = match out.dialect() {
        Dialect::EventBridge if characters > PATTERN_CHARACTERS => {
            (PATTERN_CHARACTERS, "a rule's pattern may have, even with a raised quota")
        }
        Dialect::EventBridge if characters > RULE_QUOTA => {
            (RULE_QUOTA, "a rule's pattern may have, unless the quota was raised")
        }
        dialect => match limits::characters(dialect) {
            Some(most) if characters > most => (most, "this service accepts"),
            _ => return,
        },
    };
    let end = out.source().len() as u32;
    let compact = out.pattern.to_string().chars().count();
    let mut found = warning(
        Code::NearLimit,
        Span::new(end.saturating_sub(1), end),
        format!("the pattern has {characters} characters, more than the {most} that {what}"),
    )
    .label("the end of the pattern");
    if compact <= most {
        found = found.help(format!("without whitespace it has {compact} characters"));
    }
    out.push(found);
}

pub(super) fn keys(sites: &[Site<'_>], out: &mut Out<'_>) {
    if !out.dialect().is_sns() {
        return;
    }
    let mut distinct: Vec<String> = sites.iter().map(Site::path).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if let Some(site) = sites.last().filter(|_| distinct.len() >= SNS_KEYS) {
        let count = distinct.len();
        let message = if count > SNS_KEYS {
            format!("the policy names {count} fields; SNS rejects more than {SNS_KEYS}")
        } else {
            format!("the policy names {count} fields, the most that SNS allows")
        };
        out.push(note(Code::NearLimit, site.key_span(), message));
    }
}

/// More fields that must all match than the engine accepts. Those of `$or` are not counted.
pub(super) fn fields(sites: &[Site<'_>], out: &mut Out<'_>) {
    if out.dialect().is_sns() || sites.len() <= PATHS {
        return;
    }
    let mut distinct: Vec<String> = sites.iter().filter(|site| site.branch == 0).map(Site::path).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if let Some(site) = sites.last().filter(|_| distinct.len() > PATHS) {
        let count = distinct.len();
        let message =
            format!("the pattern names {count} fields that must all match; the engine accepts {PATHS} at most");
        out.push(warning(Code::NearLimit, site.key_span(), message).help("test fewer fields, or split the rule"));
    }
}
