//! W0203: a rule that receives no events, whatever its pattern says.

use super::site::{note, shown};
use crate::diagnostic::{Code, Finding};
use crate::dialect::Dialect;
use crate::pattern::Pattern;
use crate::pattern::ast::TestKind;

pub(super) const PAGE: &str = r##"## W0203: a rule that receives no events

The rule is disabled; or it is for events of AWS services, which arrive on the default event bus, and is on another bus. In
the examples, `bus` is the rule's event bus.

**Why it matters.** Every test of the pattern succeeds, but the target is never called. Nothing is wrong if the rule is switched
off on purpose, or if a rule on the default bus forwards these events.

```bad rule bus=orders
{"source": ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"]}
```

Put the rule on the bus that its events arrive on, and enable it:

```good rule bus=default
{"source": ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"]}
```
"##;

impl Pattern {
    /// A note on why a rule with this pattern receives no events: it is disabled, or it is only for events of AWS
    /// services and on an event bus where they do not arrive. `bus` is the name of the rule's event bus, if it is
    /// known.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let rule = Pattern::parse(r#"{"source": ["aws.s3"]}"#, Dialect::EventBridge)?;
    /// assert!(rule.lint_deployed(true, None).is_some());
    /// assert!(rule.lint_deployed(false, Some("orders")).is_some());
    /// assert!(rule.lint_deployed(false, Some("default")).is_none());
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    #[must_use]
    pub fn lint_deployed(&self, is_disabled: bool, bus: Option<&str>) -> Option<Finding> {
        if self.dialect() != Dialect::EventBridge {
            return None;
        }
        let ast = self.ast();
        Some(if is_disabled {
            let message = "the rule is disabled, so it receives no events";
            let found = note(Code::NeverFires, ast.nodes.first()?.span, message).label("the pattern is not used");
            found.help("enable the rule, or remove it")
        } else {
            let bus = bus.filter(|bus| *bus != "default" && !bus.starts_with("aws."))?;
            let is_source = |name: &str| name == "source";
            let (_, source) =
                ast.children(0).find(|(_, node)| node.key.as_ref().is_some_and(|key| is_source(&key.text)))?;
            let of_aws = |text: &str| text.starts_with("aws.") && !text.starts_with("aws.partner");
            let tests = ast.tests_of(source);
            let only_aws = tests.iter().all(|test| match &test.kind {
                TestKind::String(text) | TestKind::Prefix(text) | TestKind::Exactly(text) => of_aws(&text.text),
                _ => false,
            });
            if !only_aws || tests.is_empty() {
                return None;
            }
            let message =
                format!("events of AWS services arrive on the default event bus, and this rule is on `{}`", shown(bus));
            let found = note(Code::NeverFires, source.span, message).label("never arrives there by itself");
            found.help("put the rule on the default bus, or forward these events with a rule there")
        })
    }
}
