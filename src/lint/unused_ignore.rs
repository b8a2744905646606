//! W0401: an ignore that hides nothing. Raised by the command line; its page is here with all others.

pub(super) const PAGE: &str = r##"## W0401: an ignore that hides nothing

A comment or a `Metadata` entry ignores a code that has no finding there, or that does not exist.

**Why it matters.** The pattern was fixed, or the comment is in the wrong place. If it stays, it hides the next finding of this kind, which nobody has seen.

```bad project
# template.yaml
Resources:
  # eventrie: ignore W0016 we want everything from the shop
  Orders:
    Type: AWS::Events::Rule
    Properties:
      EventPattern:
        source: [com.example.shop]
        detail-type: [OrderPlaced]
```

Remove the comment:

```good project
# template.yaml
Resources:
  Orders:
    Type: AWS::Events::Rule
    Properties:
      EventPattern:
        source: [com.example.shop]
        detail-type: [OrderPlaced]
```
"##;
