//! W0404: a field that no recorded event has. Raised by the command line; its page is here with all others.

pub(super) const PAGE: &str = r##"## W0404: a field that no recorded event has

`check --events` was given recorded events, and the pattern tests a field that none of them has.

**Why it matters.** A misspelled field name is valid, but its test never matches.

```bad project
# events.ndjson
{"source": "com.example.shop", "detail-type": "Order Placed", "detail": {"total": 5}}
# pattern.json
{"source": ["com.example.shop"], "detail": {"$or": [{"totl": [5]}, {"total": [5]}]}}
```

Write the name as the events have it:

```good project
# events.ndjson
{"source": "com.example.shop", "detail-type": "Order Placed", "detail": {"total": 5}}
# pattern.json
{"source": ["com.example.shop"], "detail": {"total": [5]}}
```
"##;
