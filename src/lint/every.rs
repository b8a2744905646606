//! Every check over one pattern, in order.

use super::among::{Selected, proves_source};
use super::site::{Out, Site, sites};
use super::{
    absence_in_list, accepts_everything, alternatives, anything_but, branch_overrides, costly_wildcard, covered_branch,
    covered_test, dotted_name, dynamo_type, edge_space, empty_interval, empty_operand, engine_differs,
    exclusive_filters, filtered_is_deleted, folds_to_nothing, forgeable_source, host_bits, impossible_metadata,
    impossible_value, inexact_literal, literal_star, metadata_is_strings, near_limit, no_attributes, number_as_string,
    object_field, only_in_arrays, only_source, operator_as_field, operator_as_text, plain_or, publish_api,
    quoted_scalar, releases_differ, replaced_list, s3_detail, trailing_text, unknown_field, unknown_system_field,
    unlisted_operator,
};
use crate::base::ListSet;
use crate::diagnostic::{Finding, in_order};
use crate::pattern::Pattern;
use crate::pattern::ast::{NodeKind, Test, TestKind};
use crate::relate::Effort;

/// All findings, with fixes as the checks propose them, and the effort that is left.
pub(super) fn findings(pattern: &Pattern, others: &[&Pattern], effort: Effort) -> (Vec<Finding>, Effort) {
    let mut out = Out { pattern, found: Vec::new(), effort, tops: ListSet::new() };
    service_notes(pattern, &mut out);
    let sites = sites(pattern.ast());
    shape(&sites, &mut out);
    for site in &sites {
        list(site, &mut out);
        fields(site, others, &mut out);
    }
    whole(&sites, others, &mut out);
    let Out { mut found, effort, .. } = out;
    in_order(&mut found, |finding| (finding.label.span.start, finding.code as u32));
    (found, effort)
}

/// What is worth knowing of the service itself.
fn service_notes(pattern: &Pattern, out: &mut Out<'_>) {
    let (ast, dialect) = (pattern.ast(), pattern.dialect());
    for node in &ast.nodes {
        if dialect.is_sns() && matches!(node.kind, NodeKind::Field { .. }) {
            plain_or::check(node, &mut out.found);
        }
        for test in ast.tests_of(node) {
            unlisted_operator::check(test, dialect, &mut out.found);
        }
    }
    engine_differs::check(pattern, &mut out.found);
    releases_differ::check(pattern, &mut out.found);
    in_order(&mut out.found, |note| (note.label.span.start, 0));
}

/// How fields relate to each other.
fn shape(sites: &[Site<'_>], out: &mut Out<'_>) {
    operator_as_field::check(sites, out);
    let counting = replaced_list::check(sites, out);
    branch_overrides::check(&counting, out);
    for site in sites {
        dotted_name::check(site, out);
    }
    object_field::value_and_object(sites, out);
    absence_in_list::check(sites, out);
    covered_branch::check(sites, out);
    trailing_text::check(out);
}

/// One list of tests.
fn list(site: &Site<'_>, out: &mut Out<'_>) {
    if !accepts_everything::check(site, out) {
        alternatives::check(site, out);
    }
    covered_test::check(site, out);
    for test in site.tests {
        one(site, test, out);
    }
    anything_but::check(site, out);
}

/// One test.
fn one(site: &Site<'_>, test: &Test, out: &mut Out<'_>) {
    match &test.kind {
        TestKind::String(operand) | TestKind::Exactly(operand) => {
            if !operator_as_text::check(test, operand, out) {
                literal_star::check(site, test, operand, "an exact value", out);
                quoted_scalar::check(site, test, operand, out);
                if matches!(test.kind, TestKind::String(_)) {
                    edge_space::check(site, test, operand, out);
                }
            }
        }
        TestKind::Prefix(operand) => {
            literal_star::check(site, test, operand, "a prefix", out);
            empty_operand::check(test, &operand.text, "prefix", out);
        }
        TestKind::Suffix(operand) => {
            literal_star::check(site, test, operand, "a suffix", out);
            empty_operand::check(test, &operand.text, "suffix", out);
        }
        TestKind::PrefixIgnoreCase(fold) | TestKind::SuffixIgnoreCase(fold) | TestKind::EqualsIgnoreCase(fold) => {
            if !matches!(test.kind, TestKind::EqualsIgnoreCase(_)) {
                empty_operand::check(test, &fold.operand.text, "prefix or suffix", out);
            }
            if !fold.fold.equals(fold.operand.text.as_bytes()) {
                folds_to_nothing::check(&fold.operand, out);
            }
        }
        TestKind::Wildcard(wildcard) if &*wildcard.operand.text == "*" => {
            empty_operand::check(test, "", "wildcard", out);
        }
        TestKind::Wildcard(wildcard) if wildcard.wildcard.pieces().len() == 1 => empty_operand::no_star(test, out),
        TestKind::Numeric(range) if range.interval().is_none() => empty_interval::check(test, out),
        TestKind::Number(number) if number.key.is_none() => inexact_literal::check(test, &number.spelling, out),
        TestKind::Cidr(operand, block) => host_bits::check(operand, **block, out),
        TestKind::Wildcard(_)
        | TestKind::Numeric(_)
        | TestKind::Number(_)
        | TestKind::Bool(_)
        | TestKind::Null
        | TestKind::Exists(_)
        | TestKind::AnythingBut(_) => {}
    }
}

/// Fields that the service of the pattern is known to have.
fn fields<'p>(site: &Site<'p>, others: &[&Pattern], out: &mut Out<'p>) {
    unknown_field::check(site, out);
    object_field::envelope(site, out);
    impossible_value::event_source(site, out);
    impossible_value::changes(site, out);
    only_in_arrays::check(site, out);
    number_as_string::check(site, out);
    dynamo_type::check(site, out);
    metadata_is_strings::check(site, out);
    impossible_metadata::check(site, out);
    unknown_system_field::check(site, out);
    forgeable_source::check(site, proves_source(others), out);
}

/// The pattern as a whole.
fn whole(sites: &[Site<'_>], others: &[&Pattern], out: &mut Out<'_>) {
    only_source::check(sites, out);
    filtered_is_deleted::check(sites, out);
    no_attributes::check(sites, out);
    s3_detail::check(sites, out);
    let selected = Selected::by(others);
    publish_api::check(sites, selected, out);
    exclusive_filters::check(selected, out);
    costly_wildcard::check(sites, out);
    near_limit::length(out);
    near_limit::keys(sites, out);
    near_limit::fields(sites, out);
    near_limit::combinations(out);
}
