//! W0001: an operator outside a list, which is read as a field.

use super::site::{Out, Site, shown, warning};
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Word;
use crate::pattern::Pattern;

pub(super) const PAGE: &str = r##"## W0001: an operator is read as a field

An operator works only inside a list. Outside one, its name is the name of a field like any other.

**Why it matters.** The pattern is valid and never matches: nothing sends a field called `numeric`.

```bad eventbridge
{"detail": {"amount": {"numeric": [">", 100]}}}
```

Use instead:

```good eventbridge
{"detail": {"amount": [{"numeric": [">", 100]}]}}
```
"##;

/// `"amount": {"numeric": [">", 100]}`: a field called `numeric`.
pub(super) fn check(sites: &[Site<'_>], out: &mut Out<'_>) {
    for site in sites {
        if Word::from_name(site.last()).is_none() || site.keys.len() < 2 {
            continue;
        }
        let operator = site.last();
        let field = site.keys.get(site.keys.len() - 2).copied().unwrap_or("");
        let Some(node) = out.ast().nodes.get(site.object as usize) else { continue };
        if node.key.is_none() || out.ast().children(site.object as usize).nth(1).is_some() {
            continue;
        }
        let text = node.span.slice(out.source());
        let inner = site.node.span.slice(out.source());
        let single = inner.trim_start_matches('[').trim_end_matches(']').trim();
        // `{"prefix": ["a"]}` as a field is `[{"prefix": "a"}]` as a test.
        let candidates = [format!("[{text}]"), format!("[{}]", text.replacen(inner, single, 1))];
        let replacement = candidates
            .into_iter()
            .find(|candidate| Pattern::parse(&format!("{{\"a\": {candidate}}}"), out.dialect()).is_ok());
        let mut found = warning(
            Code::OperatorAsField,
            site.key_span(),
            format!("`{operator}` is read as the name of a field inside `{}`", shown(field)),
        )
        .label("operators belong inside a list")
        .help(format!(
            "as written, this matches events in which `{}` is an object with a field `{operator}`",
            shown(field)
        ));
        if let Some(replacement) = replacement {
            // An event may have a field of this name.
            found = found.fix("wrap it in `[ ]`", node.span, replacement, Applicability::Unsafe);
        }
        out.push(found);
    }
}
