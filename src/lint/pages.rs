//! The page of each code: what it means, why it matters, an example that has it, and one that does not.

use super::{
    absence_in_list, absent_field, accepts_everything, alternatives, anything_but, branch_overrides, costly_wildcard,
    covered_branch, covered_rule, covered_test, dotted_name, dynamo_type, edge_space, empty_interval, empty_operand,
    engine_differs, exclusive_filters, filtered_is_deleted, folds_to_nothing, forgeable_source, host_bits,
    impossible_metadata, impossible_value, inexact_literal, literal_star, metadata_is_strings, near_limit, never_fires,
    never_matched, no_attributes, number_as_string, object_field, only_in_arrays, only_source, operator_as_field,
    operator_as_text, plain_or, publish_api, quoted_scalar, releases_differ, replaced_list, s3_detail, same_rule,
    trailing_text, undeclared_name, unknown_field, unknown_system_field, unlisted_operator, unused_ignore,
};
use crate::diagnostic::Code;
use crate::pattern;

impl Code {
    /// The code's page as Markdown: what it means, why it matters, an example that has it (fenced as `bad`, with the
    /// dialect) and one that does not (fenced as `good`).
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// let page = Code::BareValue.page();
    /// assert!(page.starts_with("## E0006: the value of a field is not a list\n"));
    /// assert!(page.contains("```bad eventbridge\n{\"source\": \"shop.orders\"}\n```"));
    /// ```
    #[must_use]
    pub fn page(self) -> &'static str {
        match self {
            Code::OperatorAsField => operator_as_field::PAGE,
            Code::AlternativesNotAnd => alternatives::PAGE,
            Code::AcceptsEverything => accepts_everything::PAGE,
            Code::CoveredTest => covered_test::PAGE,
            Code::LiteralStar => literal_star::PAGE,
            Code::QuotedScalar => quoted_scalar::PAGE,
            Code::UnknownField => unknown_field::PAGE,
            Code::ImpossibleValue => impossible_value::PAGE,
            Code::ObjectField => object_field::PAGE,
            Code::NumberAsText => number_as_string::PAGE,
            Code::DynamoType => dynamo_type::PAGE,
            Code::AnythingButMeaning => anything_but::PAGE,
            Code::ReplacedList => replaced_list::PAGE,
            Code::ReleasesDiffer => releases_differ::PAGE,
            Code::DottedName => dotted_name::PAGE,
            Code::EmptyOperand => empty_operand::PAGE,
            Code::OnlySource => only_source::PAGE,
            Code::EmptyInterval => empty_interval::PAGE,
            Code::CoveredBranch => covered_branch::PAGE,
            Code::CostlyWildcard => costly_wildcard::PAGE,
            Code::NearLimit => near_limit::PAGE,
            Code::TrailingText => trailing_text::PAGE,
            Code::BranchOverrides => branch_overrides::PAGE,
            Code::AbsenceInList => absence_in_list::PAGE,
            Code::InexactLiteral => inexact_literal::PAGE,
            Code::FoldsToNothing => folds_to_nothing::PAGE,
            Code::HostBits => host_bits::PAGE,
            Code::FilteredIsDeleted => filtered_is_deleted::PAGE,
            Code::NoAttributes => no_attributes::PAGE,
            Code::OnlyInArrays => only_in_arrays::PAGE,
            Code::OperatorAsText => operator_as_text::PAGE,
            Code::EdgeSpace => edge_space::PAGE,
            Code::S3Detail => s3_detail::PAGE,
            Code::EngineDiffers => engine_differs::PAGE,
            Code::UnlistedOperator => unlisted_operator::PAGE,
            Code::PlainOr => plain_or::PAGE,
            Code::SameRule => same_rule::PAGE,
            Code::CoveredRule => covered_rule::PAGE,
            Code::NeverFires => never_fires::PAGE,
            Code::WrongPublishApi => publish_api::PAGE,
            Code::FiltersExcludeEachOther => exclusive_filters::PAGE,
            Code::MetadataIsStrings => metadata_is_strings::PAGE,
            Code::UnknownSystemField => unknown_system_field::PAGE,
            Code::ForgeableSource => forgeable_source::PAGE,
            Code::ImpossibleMetadata => impossible_metadata::PAGE,
            Code::UnusedIgnore => unused_ignore::PAGE,
            Code::UndeclaredName => undeclared_name::PAGE,
            Code::NeverMatched => never_matched::PAGE,
            Code::AbsentField => absent_field::PAGE,
            Code::Syntax
            | Code::LimitExceeded
            | Code::NotAnObject
            | Code::EmptyObject
            | Code::EmptyList
            | Code::BareValue
            | Code::NestedList
            | Code::MissingOperator
            | Code::UnknownOperator
            | Code::SeveralOperators
            | Code::WrongOperand
            | Code::BadWildcard
            | Code::BadNumeric
            | Code::EmptyRange
            | Code::InexactNumber
            | Code::BadAnythingBut
            | Code::BadCidr
            | Code::BadOr
            | Code::ReservedName
            | Code::NotInDialect
            | Code::ShapeNotInDialect
            | Code::TooComplex
            | Code::SetByService
            | Code::RootArray => pattern::page(self).unwrap_or(""),
        }
        .trim_end()
    }

    /// The page's heading without the code.
    ///
    /// ```
    /// assert_eq!(eventrie::diagnostic::Code::EmptyList.title(), "an empty list");
    /// ```
    #[must_use]
    pub fn title(self) -> &'static str {
        self.page().lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, title)| title)
    }
}
