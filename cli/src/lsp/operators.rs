//! What the operators mean, in words, and what is written for each.

use eventrie::Dialect;
use eventrie::dialect::{Cell, Operator, Support};

/// An operator as it is offered and described.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) operator: Operator,
    /// The operand, with a place for the cursor.
    pub(super) operand: &'static str,
    pub(super) description: &'static str,
}

const fn entry(name: &'static str, operator: Operator, operand: &'static str, description: &'static str) -> Entry {
    Entry { name, operator, operand, description }
}

/// The operators of a list, in the order of the documentation.
const ALL: [Entry; 9] = [
    entry("prefix", Operator::Prefix, "\"$0\"", "Matches strings that begin with the operand. Case-sensitive."),
    entry("suffix", Operator::Suffix, "\"$0\"", "Matches strings that end with the operand. Case-sensitive."),
    entry(
        "equals-ignore-case",
        Operator::EqualsIgnoreCase,
        "\"$0\"",
        "Matches the string, ignoring case. Only strings match.",
    ),
    entry(
        "wildcard",
        Operator::Wildcard,
        "\"*$0\"",
        "Matches strings; `*` matches any number of characters, and `\\*` is a literal `*`. Case-sensitive.",
    ),
    entry(
        "anything-but",
        Operator::AnythingBut,
        "[\"$0\"]",
        "Matches values other than these. A field that is missing does not match; list every excluded value in one \
         `anything-but`, because two side by side match everything.",
    ),
    entry(
        "numeric",
        Operator::Numeric,
        "[\">=\", ${0:0}]",
        "Matches numbers in a range: one comparison, or a lower and an upper one, such as `[\">=\", 0, \"<\", 10]`. \
         Strings of digits do not match.",
    ),
    entry(
        "exists",
        Operator::Exists,
        "${0:true}",
        "`true` matches if the field has a value, `false` if it has none. An object is not a value, and neither is an \
         empty array.",
    ),
    entry("cidr", Operator::Cidr, "\"$0/24\"", "Matches IP addresses of the block, IPv4 or IPv6."),
    entry(
        "exactly",
        Operator::Exactly,
        "\"$0\"",
        "Matches this string only, character by character: other spellings of the same IP address do not match.",
    ),
];

const OR: Entry = entry(
    "$or",
    Operator::Or,
    "[{$0}]",
    "Matches if any of the objects in the list matches. Fields next to `$or` must match as well.",
);

/// The operators that a dialect documents, within these others.
pub(super) fn offered(dialect: Dialect, within: &[String]) -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(move |entry| {
        let Some(operator) = nested(entry.operator, within) else { return false };
        entry.name != "exactly" && dialect.support(operator).support == Support::Yes
    })
}

/// `$or`, if the dialect has it.
pub(super) fn or(dialect: Dialect) -> Option<&'static Entry> {
    (dialect.support(Operator::Or).support == Support::Yes).then_some(&OR)
}

/// What an operator is inside others; none if it cannot be there.
fn nested(operator: Operator, within: &[String]) -> Option<Operator> {
    let within: Vec<&str> = within.iter().map(String::as_str).collect();
    match (within.as_slice(), operator) {
        ([], _) => Some(operator),
        (["prefix"], Operator::EqualsIgnoreCase) => Some(Operator::PrefixIgnoreCase),
        (["suffix"], Operator::EqualsIgnoreCase) => Some(Operator::SuffixIgnoreCase),
        (["anything-but"], Operator::Prefix) => Some(Operator::AnythingButPrefix),
        (["anything-but"], Operator::Suffix) => Some(Operator::AnythingButSuffix),
        (["anything-but"], Operator::EqualsIgnoreCase) => Some(Operator::AnythingButIgnoreCase),
        (["anything-but"], Operator::Wildcard) => Some(Operator::AnythingButWildcard),
        _ => None,
    }
}

/// The description of an operator as Markdown, with what the dialect says of it.
pub(super) fn described(name: &str, within: &[String], dialect: Dialect) -> Option<String> {
    let entry = if name == "$or" { &OR } else { ALL.iter().find(|entry| entry.name == name)? };
    let Some(operator) = nested(entry.operator, within) else {
        return Some(format!("**`{name}`** cannot be nested here.\n\n{}", entry.description));
    };
    let Cell { support, source, .. } = dialect.support(operator);
    let answer = match support {
        Support::Yes => format!("`{dialect}` supports it ({source})."),
        Support::No => format!("`{dialect}` does not support it ({source})."),
        _ => format!("It is not documented whether `{dialect}` supports it ({source})."),
    };
    Some(format!("**{}**: {}\n\n{answer}", operator.title(), entry.description))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dialect: Dialect, within: &[&str]) -> Vec<&'static str> {
        let within: Vec<String> = within.iter().map(|word| (*word).to_owned()).collect();
        offered(dialect, &within).map(|entry| entry.name).collect()
    }

    #[test]
    fn only_what_the_dialect_has() {
        assert_eq!(names(Dialect::EventBridge, &[]).len(), 8);
        assert!(!names(Dialect::Pipes, &[]).contains(&"wildcard"));
        assert_eq!(names(Dialect::EventsV2Metadata, &[]), [""; 0]);
        assert_eq!(names(Dialect::EventBridge, &["prefix"]), ["equals-ignore-case"]);
        assert_eq!(names(Dialect::SnsBody, &["prefix"]), [""; 0]);
        let nested = ["prefix", "suffix", "equals-ignore-case", "wildcard"];
        assert_eq!(names(Dialect::EventBridge, &["anything-but"]), nested);
    }

    #[test]
    fn every_operator_is_described() {
        for entry in &ALL {
            let text = described(entry.name, &[], Dialect::EventBridge).unwrap_or_default();
            assert!(text.starts_with(&format!("**`{}`", entry.name)), "{text}");
        }
        assert!(described("wildcard", &[], Dialect::Pipes).is_some_and(|text| text.contains("does not support it")));
        assert!(
            described("cidr", &["prefix".to_owned()], Dialect::EventBridge).is_some_and(|text| text.contains("cannot"))
        );
        assert_eq!(described("prefixx", &[], Dialect::EventBridge), None);
    }
}
