//! Costs, and nearness to the limits of the service.

use super::{Out, Site, warning};
use crate::base::Span;
use crate::diagnostic::Code;
use crate::dialect::limits::{PATTERN_CHARACTERS, RULE_QUOTA, SNS_KEYS, WILDCARD_COMPLEXITY};
use crate::dialect::{Dialect, limits};
use crate::pattern::ast::{AnythingBut, Test, TestKind};

pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    complexity(sites, out);
    length(out);
    keys(sites, out);
    combinations(out);
}

/// Near the number of combinations that the service takes, from three quarters on.
fn combinations(out: &mut Out<'_>) {
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
    let message = format!("the pattern makes {count} combinations; the service takes {most}");
    let span = Span::new(root.start, root.start + 1);
    let found = if count > most {
        warning(Code::NearLimit, span, message)
    } else {
        super::note(Code::NearLimit, span, message)
    };
    out.push(found.label("counted over the whole pattern").help(what));
}

fn complexity(sites: &[Site<'_>], out: &mut Out<'_>) {
    if out.dialect().is_sns() {
        return;
    }
    let wildcard =
        |test: &&Test| matches!(test.kind, TestKind::Wildcard(_) | TestKind::AnythingBut(AnythingBut::Wildcard(_)));
    let wildcard = sites.iter().flat_map(|site| site.tests).find(wildcard);
    let Some(test) = wildcard else { return };
    let (rating, span) = match out.pattern.wildcard_complexity() {
        Some(rating) if rating < 8 => return,
        Some(rating) => (format!("{rating}"), test.span),
        None => ("far above that".to_owned(), test.span),
    };
    out.push(
        warning(
            Code::CostlyWildcard,
            span,
            match out.dialect() {
                Dialect::EventBridge => format!(
                    "the wildcards of this pattern are rated {rating}; the service refuses what is above {WILDCARD_COMPLEXITY}"
                ),
                _ => format!(
                    "the wildcards of this pattern are rated {rating}; of a rule EventBridge refuses what is above \
                     {WILDCARD_COMPLEXITY}, and what is so here is not known"
                ),
            },
        )
        .label("the first of them")
        .help("the rating grows with each `*` behind which the same characters can begin again: use fewer `*`, more distinct text behind each, or several rules"),
    );
}

fn length(out: &mut Out<'_>) {
    let characters = out.source().chars().count();
    let (most, what) = match out.dialect() {
        Dialect::EventBridge if characters > PATTERN_CHARACTERS => {
            (PATTERN_CHARACTERS, "a rule's pattern can have, even with a raised quota")
        }
        Dialect::EventBridge if characters > RULE_QUOTA => {
            (RULE_QUOTA, "a rule's pattern can have, unless the quota was raised")
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
        found = found.help(format!("without white space it has {compact}"));
    }
    out.push(found);
}

fn keys(sites: &[Site<'_>], out: &mut Out<'_>) {
    if !out.dialect().is_sns() {
        return;
    }
    let mut distinct: Vec<String> = sites.iter().map(Site::path).collect();
    distinct.sort_unstable();
    distinct.dedup();
    if let Some(site) = sites.last().filter(|_| distinct.len() >= SNS_KEYS) {
        let count = distinct.len();
        let message = if count > SNS_KEYS {
            format!("the policy names {count} fields; the service refuses more than {SNS_KEYS}")
        } else {
            format!("the policy names {count} fields; that is all that the service takes")
        };
        out.push(super::note(Code::NearLimit, site.key_span(), message));
    }
}
