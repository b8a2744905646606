//! The page of a finding as text for a terminal: what its Markdown means, without the marks.

/// The longest line, as in the help of the commands.
const WIDTH: usize = 100;
/// Removed where output has no styles.
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// A page with a bold heading, wrapped paragraphs and indented examples.
pub(crate) fn rendered(page: &str) -> String {
    let mut out = String::new();
    let mut lines = page.trim().lines().peekable();
    while let Some(line) = lines.next() {
        if line.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        if let Some(heading) = line.strip_prefix("## ") {
            out.push_str(&format!("{BOLD}{heading}{PLAIN}\n"));
        } else if let Some(info) = line.strip_prefix("```") {
            introduce(&mut out, info);
            for code in lines.by_ref().take_while(|line| *line != "```") {
                out.push_str(if code.is_empty() { "" } else { "    " });
                out.push_str(code);
                out.push('\n');
            }
        } else {
            let mut paragraph = line.to_owned();
            while let Some(next) = lines.next_if(|line| !line.is_empty() && !line.starts_with("```")) {
                paragraph.push(' ');
                paragraph.push_str(next);
            }
            wrap(&mut out, &paragraph);
        }
    }
    out
}

/// Says before an example what it is, and for which service and settings, if that is not a rule of EventBridge.
fn introduce(out: &mut String, info: &str) {
    let usual = ["bad", "good", "eventbridge", "rules", "rule", "subscriber", "project"];
    let special: Vec<&str> = info.split(' ').filter(|word| !usual.contains(word)).collect();
    let special = if special.is_empty() { String::new() } else { format!(" ({})", special.join(", ")) };
    if out.ends_with(":\n\n") {
        out.insert_str(out.len() - 3, &special);
    } else {
        out.push_str(&format!("For example{special}:\n\n"));
    }
}

/// Adds a paragraph in lines, with emphasis instead of asterisks.
fn wrap(out: &mut String, paragraph: &str) {
    let mut width = 0;
    for word in emphasized(paragraph).split_inclusive(' ') {
        let (word, length) =
            (word.trim_end(), anstream::adapter::strip_str(word.trim_end()).to_string().chars().count());
        if width > 0 && width + 1 + length > WIDTH {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
            width += 1;
        }
        out.push_str(word);
        width += length;
    }
    out.push('\n');
}

/// Strong text becomes bold, and emphasis plain; asterisks in code stay.
fn emphasized(paragraph: &str) -> String {
    let mut out = String::new();
    let mut is_bold = false;
    for (at, part) in paragraph.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        if at % 2 == 1 {
            out.push_str(part);
            continue;
        }
        for (at, piece) in part.split("**").enumerate() {
            if at > 0 {
                is_bold = !is_bold;
                out.push_str(if is_bold { BOLD } else { PLAIN });
            }
            out.push_str(&piece.replace('*', ""));
        }
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use eventrie::diagnostic::Code;

    use super::rendered;

    #[test]
    fn every_page_is_plain_text() {
        for code in Code::ALL {
            let text = anstream::adapter::strip_str(&rendered(code.page())).to_string();
            assert!(text.starts_with(&format!("{code}: ")), "{text}");
            assert!(!text.contains("```") && !text.contains("## ") && !text.contains("**Why"), "{text}");
            assert!(text.contains("\nWhy it matters. "), "{text}");
            let is_long = |line: &&str| line.chars().count() > super::WIDTH && !line.starts_with("    ");
            assert_eq!(text.lines().find(is_long), None, "{code}");
        }
        let text = anstream::adapter::strip_str(&rendered(Code::ALL.first().unwrap().page())).to_string();
        assert!(
            text.contains("\nFor example:\n\n    {\"source\": [\"shop.orders\",]}\n\nUse instead:\n\n    {"),
            "{text}"
        );
    }

    #[test]
    fn examples_name_their_service() {
        let text = rendered(
            "## A\n\nUse *this* `*` or `**`.\n\n```bad pipes\n{}\n```\n\nUse:\n\n```good sns-body x=1\n{}\n\n[]\n```\n",
        );
        let text = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(
            text,
            "A\n\nUse this `*` or `**`.\n\nFor example (pipes):\n\n    {}\n\nUse (sns-body, x=1):\n\n    {}\n\n    []\n"
        );
    }
}
