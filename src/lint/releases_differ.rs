//! W0105: the releases of the service's engine answer this pattern differently.

use crate::diagnostic::{Code, Finding, Severity};
use crate::dialect::limits::WILDCARD_COMPLEXITY;
use crate::dialect::{BusVersion, Dialect};
use crate::pattern::Pattern;
use crate::pattern::ast::{AnythingBut, Test, TestKind};

pub(super) const PAGE: &str = r##"## W0105: the releases of the engine differ

This pattern is valid for the engine release that it was checked with (`--engine 2026-07`), and a newer release rejects it:
since release 2.1.0, wildcards that are reached only if another field is missing count towards the complexity of a rule.

**Why it matters.** Which release the service runs is not documented. A rule that deploys today may not deploy tomorrow.

```bad eventbridge engine=2026-07
{"detail": {"a": [{"exists": false}], "path": [{"wildcard": "*a*a*a*a*a*"}]}}
```

Use fewer `*`, or more distinct text after each:

```good eventbridge engine=2026-07
{"detail": {"a": [{"exists": false}], "path": [{"wildcard": "*a*a*a"}]}}
```

The second pattern also matches strings with only three `a`.
"##;

/// Wildcards that only the newer release finds too complex.
pub(super) fn check(pattern: &Pattern, notes: &mut Vec<Finding>) {
    let (read, newest) = (pattern.engine(), BusVersion::V2026_09);
    if pattern.dialect() != Dialect::EventBridge || read == newest {
        return;
    }
    let wildcard =
        |test: &&Test| matches!(test.kind, TestKind::Wildcard(_) | TestKind::AnythingBut(AnythingBut::Wildcard(_)));
    let Some(first) = pattern.ast().tests.iter().find(wildcard) else { return };
    let accepts = |engine| pattern.complexity_in(engine).is_some_and(|rated| rated <= WILDCARD_COMPLEXITY);
    if accepts(newest) || !accepts(read) {
        return;
    }
    notes.push(
        Finding::new(
            Code::ReleasesDiffer,
            Severity::Warning,
            first.span,
            format!("the engine of {newest} rejects this pattern as too complex"),
        )
        .label(format!("not rated by the engine of {read}"))
        .help("use fewer `*`, or more distinct text after each: wildcards that are reached only if another field is missing count now"),
    );
}
