//! Prints the pages of all findings as JSON, `[{"code", "title", "page"}]`, for the pattern tester in the browser. In the
//! module they would be loaded on every visit.

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\0'..'\u{20}' => out.push_str(&format!("\\u{:04x}", u32::from(char))),
            _ => out.push(char),
        }
    }
    out.push('"');
    out
}

fn main() {
    let page = |code: &eventrie::diagnostic::Code| {
        let [name, title, page] = [code.as_str(), code.title(), code.page()].map(quoted);
        format!("{{\"code\":{name},\"title\":{title},\"page\":{page}}}")
    };
    let pages: Vec<String> = eventrie::diagnostic::Code::ALL.iter().map(page).collect();
    println!("[{}]", pages.join(",\n"));
}
