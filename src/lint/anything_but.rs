//! W0012: `anything-but` and absent fields.

use super::site::{Out, Site, note};
use crate::base::Span;
use crate::diagnostic::{Applicability, Code};
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0012: `anything-but` and absent fields

`anything-but` needs a value: it does not match an absent field. And it does not mean “none of”: an array matches as soon as
one of its elements is not excluded.

**Why it matters.** Events without the field are missed, and arrays that contain the excluded value still match.

```bad eventbridge
{"detail": {"state": [{"anything-but": "stopped"}]}}
```

Use instead:

```good eventbridge
{"detail": {"state": [{"anything-but": "stopped"}, {"exists": false}]}}
```

The second pattern also matches events without `state`. There is no “none of” for arrays.
"##;

/// An `anything-but` whose field may be absent or an array.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    let Some(test) = site.tests.iter().find(|test| matches!(test.kind, TestKind::AnythingBut(_))) else { return };
    // Beside those findings this one adds nothing.
    let judged = out.has(Code::AcceptsEverything, site.node.span) || out.has(Code::AlternativesNotAnd, site.node.span);
    if judged || site.is_envelope(out.dialect()) {
        return;
    }
    // A pattern that tests another field of the same object, or absence, was probably written with this in mind.
    let absent = site.tests.iter().any(|test| matches!(test.kind, TestKind::Exists(false)));
    if absent || out.ast().children(site.object as usize).nth(1).is_some() {
        return;
    }
    let end = site.tests.last().map_or(test.span.end, |last| last.span.end);
    let message = format!("`anything-but` does not match if `{}` is absent", site.path());
    out.push(
        note(Code::AnythingButMeaning, test.span, message)
            .label("needs a value")
            .help("an array matches as soon as one of its elements is not excluded")
            .fix("accept absence too", Span::new(end, end), ", {\"exists\": false}", Applicability::Unsafe),
    );
}
