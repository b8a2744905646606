//! The page of each code. They are one text, so that they can be read as a whole too.

use super::Code;

/// All pages, as Markdown.
const PAGES: &str = include_str!("pages.md");

impl Code {
    /// The code's page as Markdown: what it means, why it matters, an example that has it (fenced as `bad`, with the
    /// dialect) and one that has it no more (fenced as `good`).
    ///
    /// ```
    /// use eventrie::diagnostic::Code;
    /// let page = Code::BareValue.page();
    /// assert!(page.starts_with("## E0006: the value of a field is not a list\n"));
    /// assert!(page.contains("```bad eventbridge\n{\"source\": \"aws.ec2\"}\n```"));
    /// ```
    #[must_use]
    pub fn page(self) -> &'static str {
        let find = |text: &'static str| text.find(&format!("## {}: ", self.as_str())).and_then(|at| text.get(at..));
        let Some(page) = find(PAGES) else { return "" };
        let end = page.get(3..).and_then(|rest| rest.find("\n## ")).map_or(page.len(), |end| end + 4);
        page.get(..end).unwrap_or(page).trim_end()
    }

    /// The page's heading without the code.
    ///
    /// ```
    /// assert_eq!(eventrie::diagnostic::Code::EmptyList.title(), "a list with nothing in it");
    /// ```
    #[must_use]
    pub fn title(self) -> &'static str {
        self.page().lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, title)| title)
    }
}
