//! Likely mistakes in valid patterns: one file for each finding, with its page.

mod absence_in_list;
mod absent_field;
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
mod every;
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
mod never_fires;
mod never_matched;
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
mod undeclared_name;
mod unknown_field;
mod unknown_system_field;
mod unlisted_operator;
mod unused_ignore;

use crate::diagnostic::{Finding, Severity};
use crate::pattern::{LintOptions, Pattern};
use crate::relate::Effort;

impl Pattern {
    /// The likely mistakes in this valid pattern, in text order: tests that never or always match, signs that something else
    /// was meant, and places where the service's engine answers differently. Each finding has a code; its page is
    /// [`Code::page`](crate::diagnostic::Code::page). Notes
    /// are given if they are [requested](Pattern::lint_with). There are at most a thousand, and of a pattern with a million names in its paths only the first
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
        let (mut found, effort) = every::findings(self, others, Effort::new());
        fixes::keep_right(self, others, &mut found, effort);
        found
    }
}
