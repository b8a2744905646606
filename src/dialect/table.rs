//! The table of dialects as Markdown: operators, limits, and the sources of both.

use std::fmt::Write as _;

use super::dialects::Dialect;
use super::limits;
use super::operators::Operator;

impl Dialect {
    /// The whole table as Markdown: the operators, the limits of the services, and the sources below. The README's
    /// table is this text.
    ///
    /// ```
    /// assert!(eventrie::Dialect::table().contains("| `wildcard` | yes (1) | no (2) | unlisted (11) |"));
    /// ```
    #[must_use]
    pub fn table() -> String {
        let mut text = String::from("| |");
        let mut rule = String::from("|---|");
        for &dialect in Dialect::ALL {
            let _ = write!(text, " {} |", dialect.name());
            rule.push_str("---|");
        }
        let _ = writeln!(text, "\n{rule}");
        let mut sources: Vec<&str> = Vec::new();
        for &operator in Operator::ALL {
            let _ = write!(text, "| {} |", operator.title());
            for &dialect in Dialect::ALL {
                let cell = dialect.support(operator);
                let number = limits::number_of(&mut sources, cell.source);
                let since = if cell.since_2026 { ", not in 2024" } else { "" };
                let _ = write!(text, " {}{since} ({}) |", cell.support.word(), number);
            }
            text.push('\n');
        }
        limits::rows(&mut text, &mut sources);
        text.push('\n');
        for (number, source) in sources.iter().enumerate() {
            let _ = writeln!(text, "{}. {source}", number + 1);
        }
        text
    }
}
