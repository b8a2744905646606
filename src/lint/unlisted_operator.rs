//! W0102: an operator that the service's documentation does not list.

use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::{Dialect, Operator, Support};
use crate::pattern::ast::{AnythingBut, Test, TestKind};

pub(super) const PAGE: &str = r##"## W0102: an operator that the service does not document

The documentation of the service does not list this operator, and eventrie has no recorded answer of the service.

**Why it matters.** The service may reject the filter when it is deployed.

```bad lambda-esm
{"data": {"key": [{"wildcard": "in/*"}]}}
```

Use instead:

```good lambda-esm
{"data": {"key": [{"prefix": "in/"}]}}
```

Both match the same strings. A wildcard with a `*` in the middle has no documented equivalent.
"##;

pub(super) fn check(test: &Test, dialect: Dialect, notes: &mut Vec<Finding>) {
    for operator in operators(&test.kind).into_iter().flatten() {
        let cell = dialect.support(operator);
        if cell.support == Support::Unlisted {
            let message = format!("it is not documented whether {} accept {}", dialect.title(), operator.title());
            notes.push(
                Finding::new(Code::UnlistedOperator, Severity::Warning, test.span, message)
                    .label("not documented for this service")
                    .help(cell.source),
            );
            return;
        }
    }
}

/// The operator of a test, for the table.
fn operators(kind: &TestKind) -> [Option<Operator>; 2] {
    let one = |operator| [Some(operator), None];
    match kind {
        TestKind::String(_) | TestKind::Number(_) | TestKind::Bool(_) | TestKind::Null => one(Operator::Literal),
        TestKind::Exactly(_) => one(Operator::Exactly),
        TestKind::Prefix(_) => one(Operator::Prefix),
        TestKind::Suffix(_) => one(Operator::Suffix),
        TestKind::PrefixIgnoreCase(_) => one(Operator::PrefixIgnoreCase),
        TestKind::SuffixIgnoreCase(_) => one(Operator::SuffixIgnoreCase),
        TestKind::EqualsIgnoreCase(_) => one(Operator::EqualsIgnoreCase),
        TestKind::Wildcard(_) => one(Operator::Wildcard),
        TestKind::Numeric(_) => one(Operator::Numeric),
        TestKind::Cidr(..) => one(Operator::Cidr),
        TestKind::Exists(_) => one(Operator::Exists),
        TestKind::AnythingBut(excluded) => {
            let (operator, count) = match excluded {
                AnythingBut::Strings(_) | AnythingBut::Numbers(_) => (Operator::AnythingBut, 1),
                AnythingBut::Prefix(operands) => (Operator::AnythingButPrefix, operands.len()),
                AnythingBut::Suffix(operands) => (Operator::AnythingButSuffix, operands.len()),
                AnythingBut::EqualsIgnoreCase(_) => (Operator::AnythingButIgnoreCase, 1),
                AnythingBut::Wildcard(operands) => (Operator::AnythingButWildcard, operands.len()),
            };
            [Some(operator), (count > 1).then_some(Operator::AnythingButList)]
        }
    }
}
