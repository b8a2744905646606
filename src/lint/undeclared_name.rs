//! W0402: a source or detail type that the project does not declare. Raised by what reads the project's settings.

pub(super) const PAGE: &str = r##"## W0402: a source or detail type that the project does not declare

`eventrie.toml` lists the sources of the project's own events, or the detail types of a source, and the pattern tests another one.

**Why it matters.** Nothing checks such names when a rule is deployed: one wrong letter, and the rule never matches.

```bad project
# eventrie.toml
sources = ["com.example.shop"]
# pattern.json
{"source": ["com.example.shp"], "detail-type": ["OrderPlaced"]}
```

Correct the name, or declare it in `eventrie.toml`:

```good project
# eventrie.toml
sources = ["com.example.shop"]
# pattern.json
{"source": ["com.example.shop"], "detail-type": ["OrderPlaced"]}
```
"##;
