//! Results as JUnit XML.

use std::io::{self, Write};

use super::results::Results;

pub(super) fn write(suites: &[Results], require_coverage: bool, out: &mut dyn Write) -> io::Result<()> {
    let failures = |suite: &Results| {
        suite.cases.iter().filter(|case| !case.failures.is_empty()).count()
            + if require_coverage { suite.uncovered.len() } else { 0 }
    };
    let tests = |suite: &Results| suite.cases.len() + suite.uncovered.len();
    let (all, failed): (usize, usize) = (suites.iter().map(tests).sum(), suites.iter().map(failures).sum());
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"eventrie test\" tests=\"{all}\" failures=\"{failed}\">")?;
    for suite in suites {
        let name = escaped(&suite.name);
        let skipped = if require_coverage { 0 } else { suite.uncovered.len() };
        writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" skipped=\"{skipped}\">",
            tests(suite),
            failures(suite)
        )?;
        for case in &suite.cases {
            let head = format!(
                "    <testcase classname=\"{name}\" name=\"{}\" file=\"{name}\" line=\"{}\"",
                escaped(&case.name),
                case.line
            );
            if case.failures.is_empty() {
                writeln!(out, "{head}/>")?;
                continue;
            }
            writeln!(out, "{head}>")?;
            let first = case.failures.first().map_or("", String::as_str);
            let message = escaped(first.lines().next().unwrap_or(""));
            writeln!(out, "      <failure message=\"{message}\">{}</failure>", escaped(&case.failures.join("\n")))?;
            writeln!(out, "    </testcase>")?;
        }
        for rule in &suite.uncovered {
            writeln!(out, "    <testcase classname=\"{name}\" name=\"covered: {}\">", escaped(rule))?;
            let what = if require_coverage { "failure" } else { "skipped" };
            writeln!(out, "      <{what} message=\"no test event matches this rule\"/>")?;
            writeln!(out, "    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Text in XML, in which some characters cannot be at all.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_leaves_its_attribute() {
        assert_eq!(escaped("a\"<b>&\n\u{1b}"), "a&quot;&lt;b&gt;&amp;&#10;\u{fffd}");
    }
}
