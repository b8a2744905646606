//! Likely mistakes in valid patterns: one file for each finding, with its page.

mod absence_in_list;
mod accepts_everything;
mod alternatives;
mod among;
mod anything_but;
mod beside;
mod branch_overrides;
mod costly_wildcard;
mod covered_branch;
mod covered_rule;
mod covered_test;
mod dotted_name;
mod dynamo_type;
mod edge_space;
mod empty_interval;
mod empty_operand;
mod engine_differs;
mod exclusive_filters;
mod filtered_is_deleted;
mod fixes;
mod folds_to_nothing;
mod forgeable_source;
mod host_bits;
mod impossible_metadata;
mod impossible_value;
mod inexact_literal;
mod literal_star;
mod metadata_is_strings;
mod near_limit;
mod no_attributes;
mod number_as_string;
mod object_field;
mod only_in_arrays;
mod only_source;
mod operator_as_field;
mod operator_as_text;
mod pages;
mod plain_or;
mod publish_api;
mod quoted_scalar;
mod releases_differ;
mod replaced_list;
mod s3_detail;
mod same_rule;
mod site;
mod trailing_text;
mod unknown_field;
mod unknown_system_field;
mod unlisted_operator;

use crate::base::ListSet;
use crate::diagnostic::{Finding, Severity, in_order};
use crate::pattern::ast::{NodeKind, Test, TestKind};
use crate::pattern::{LintOptions, Pattern};
use crate::relate::Effort;
use among::{Selected, proves_source};
use site::{Out, Site, sites};

impl Pattern {
    /// The likely mistakes in this valid pattern, in text order: tests that never or always match, signs that something else
    /// was meant, and places where the service's engine answers differently. Each finding has a code; its page is
    /// [`Code::page`]. Notes
    /// are given if they are [asked for](Pattern::lint_with). There are at most a thousand, and of a pattern with a million names in its paths only the first
    /// fields are checked.
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"detail":{"amount":{"numeric":[">",100]}}}"#, Dialect::EventBridge)?;
    /// let found = pattern.lint();
    /// assert_eq!(found[0].code, Code::OperatorAsField);
    /// assert_eq!(found[0].fix.as_ref().unwrap().replacement, r#"[{"numeric":[">",100]}]"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lint(&self) -> Vec<Finding> {
        self.lint_with(&LintOptions::default())
    }

    /// As [`Pattern::lint`], with options.
    ///
    /// ```
    /// use eventrie::pattern::LintOptions;
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"store":["a"]}"#, Dialect::SnsAttributes)?;
    /// let notes = pattern.lint_with(&LintOptions::default().notes(true));
    /// assert!(notes.len() >= pattern.lint().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lint_with(&self, options: &LintOptions) -> Vec<Finding> {
        let mut found = self.lint_among(&[]);
        found.retain(|finding| options.has_notes() || finding.severity != Severity::Note);
        found
    }

    /// The likely mistakes in this filter as one of several of a subscriber on a Custom Event Bus, where every filter must
    /// match: those of [`lint`](Pattern::lint), notes, and what the other filters make of it. The filter itself may be among
    /// `others`.
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// use eventrie::{Dialect, Pattern};
    /// let data = Pattern::parse(r#"{"state":["paid"]}"#, Dialect::EventsV2Data)?;
    /// let system = Pattern::parse(r#"{"aws:Source":["shop"]}"#, Dialect::EventsV2SystemMetadata)?;
    /// assert_eq!(data.lint_among(&[&system])[0].code, Code::WrongPublishApi);
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    #[must_use]
    pub fn lint_among(&self, others: &[&Pattern]) -> Vec<Finding> {
        let (mut found, effort) = findings(self, others, Effort::new());
        fixes::keep_right(self, others, &mut found, effort);
        found
    }
}

/// All findings, with fixes as the checks propose them, and the effort that is left.
fn findings(pattern: &Pattern, others: &[&Pattern], effort: Effort) -> (Vec<Finding>, Effort) {
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
    near_limit::combinations(out);
}
