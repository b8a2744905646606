//! W0403: a rule that no recorded event matches. Raised by the command line; its page is here with all others.

pub(super) const PAGE: &str = r##"## W0403: a rule that no recorded event matches

`check --events` was given recorded events, and none of them matches the rule.

**Why it matters.** If the recording is long enough, the rule is dead: its source stopped, the event changed its shape, or the pattern never matched.

```bad project
# events.ndjson
{"source": "com.example.shop", "detail-type": "Order Placed", "detail": {"total": 5}}
# rules.json
{"paid": {"source": ["com.example.shop"], "detail-type": ["Order Paid"]}}
```

Compare with the nearest events (`eventrie explain --rules`), and correct the pattern:

```good project
# events.ndjson
{"source": "com.example.shop", "detail-type": "Order Placed", "detail": {"total": 5}}
# rules.json
{"placed": {"source": ["com.example.shop"], "detail-type": ["Order Placed"]}}
```

The two rules are different; only the recording says which one was meant.
"##;
