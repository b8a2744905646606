//! W0304: fields that SYSTEM_METADATA does not have, and values that its fields never have (W0008).

use super::site::{Out, Site, quoted, shown, warning};
use crate::base::text::json_string;
use crate::diagnostic::{Applicability, Code};
use crate::dialect::Dialect;
use crate::dialect::envelope::{CONTENT_TYPES, DELIVERY_TYPES, SYSTEM_METADATA};
use crate::pattern::ast::TestKind;
use crate::value::lower_text;

pub(super) const PAGE: &str = r##"## W0304: a field that SYSTEM_METADATA does not have

The service sets `ContentType`, `DeduplicationId`, `EventGroupId`, `aws:EventId`, `aws:IngestionTime`, `aws:SequenceNumber`,
`aws:DeliveryType`, `aws:Source`, `aws:DetailType`, `aws:SchemaId` and `aws:RegistryType`. Names are case-sensitive.

**Why it matters.** The filter is valid and matches nothing.

```bad eventsv2-system-metadata
{"aws:source": ["shop"]}
```

Use instead:

```good eventsv2-system-metadata
{"aws:Source": ["shop"]}
```
"##;

/// A name that is not a field, with the nearest one that is; and impossible values of two fields.
pub(super) fn check(site: &Site<'_>, out: &mut Out<'_>) {
    if out.dialect() != Dialect::EventsV2SystemMetadata {
        return;
    }
    match *site.keys {
        ["aws:DeliveryType"] => values(site, &DELIVERY_TYPES, out),
        ["ContentType"] => values(site, &CONTENT_TYPES, out),
        [name] if SYSTEM_METADATA.contains(&name) => {}
        [name] => {
            let plain = |text: &str| -> String {
                lower_text(text).trim_start_matches("aws:").chars().filter(|char| char.is_alphanumeric()).collect()
            };
            let near = SYSTEM_METADATA.iter().find(|field| plain(field) == plain(name));
            let mut found = warning(
                Code::UnknownSystemField,
                site.key_span(),
                format!("SYSTEM_METADATA has no field `{}`", shown(name)),
            )
            .label("never present");
            found = match near {
                Some(field) => found.help(format!("did you mean `{field}`? Names are case-sensitive")).fix(
                    format!("write `{field}`"),
                    site.key_span(),
                    json_string(field),
                    Applicability::Unsafe,
                ),
                None => found.help(format!("the fields are {}", SYSTEM_METADATA.join(", "))),
            };
            out.push(found);
        }
        [outer, ..] => out.push(
            warning(
                Code::UnknownSystemField,
                site.key_span(),
                format!("`{}` is a string in SYSTEM_METADATA, so it has no fields", shown(outer)),
            )
            .label("never present")
            .help("test the field itself"),
        ),
        [] => {}
    }
}

fn values(site: &Site<'_>, known: &[&str], out: &mut Out<'_>) {
    for test in site.tests {
        let TestKind::String(operand) = &test.kind else { continue };
        if known.contains(&&*operand.text) {
            continue;
        }
        let message = format!("`{}` must be {}, found {}", site.last(), known.join(" or "), quoted(&operand.text));
        let mut found = warning(Code::ImpossibleValue, test.span, message).label("never matches");
        if let Some(meant) = known.iter().find(|value| value.eq_ignore_ascii_case(&operand.text)) {
            found = found.fix(format!("write `{meant}`"), test.span, json_string(meant), Applicability::Unsafe);
        }
        out.push(found);
    }
}
