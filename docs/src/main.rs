//! Writes the pages of the site, or the man pages, into a directory.
//!
//! `docs site DIRECTORY`: the pages in `docs/pages`, one page for each finding, and the lesson in `DESIGN.md`.
//! `docs man DIRECTORY`: a man page for the program and one for each of its commands.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use eventrie::diagnostic::Code;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["site", directory] => site(Path::new(directory)),
        ["man", directory] => {
            fs::create_dir_all(directory)?;
            Ok(clap_mangen::generate_to(eventrie_cli::command(), directory)?)
        }
        _ => bail!("usage: docs (site | man) DIRECTORY"),
    }
}

fn site(out: &Path) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    copy(&root.join("pages"), out)?;
    let findings = out.join("findings");
    fs::create_dir_all(&findings)?;
    let mut index = String::from(
        "# Findings\n\nEverything that `eventrie check`, the editor and the pattern tester report has a code and a page. \
         `eventrie explain-code E0006` prints the same page.\n\n| code | finding |\n| --- | --- |\n",
    );
    for code in Code::ALL {
        writeln!(index, "| [{code}]({code}.md) | {} |", code.title())?;
        fs::write(findings.join(format!("{code}.md")), finding(*code)?)?;
    }
    fs::write(findings.join("index.md"), index)?;
    let lesson = fs::read_to_string(root.join("../DESIGN.md")).context("DESIGN.md")?;
    fs::write(
        out.join("design.md"),
        lesson
            .replace("](docs/pages/", "](")
            .replace("](benches/", "](https://github.com/eventrie/eventrie/blob/main/benches/"),
    )?;
    Ok(())
}

/// What an example is written in: those of a project are several files.
fn language(fence: &str) -> &'static str {
    if fence.ends_with(" project") { "text" } else { "json" }
}

/// The page of a finding as the site shows it: the fences of its examples say in words what they are.
fn finding(code: Code) -> Result<String> {
    let mut page = String::new();
    for line in code.page().lines() {
        match line.strip_prefix("```").map(|fence| fence.split(' ').next().unwrap_or("")) {
            Some("bad") => writeln!(page, "Found in:\n\n```{}", language(line))?,
            Some("good") => writeln!(page, "Write instead:\n\n```{}", language(line))?,
            _ if line.starts_with("## ") => writeln!(page, "{}", line.strip_prefix('#').unwrap_or(line))?,
            _ => writeln!(page, "{line}")?,
        }
    }
    Ok(page)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let page = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            fs::write(&target, without_hidden_lines(&page))?;
        } else {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// A page without the lines of Rust code that are only for its test: those that start with `# `, as rustdoc has it.
fn without_hidden_lines(page: &str) -> String {
    let (mut shown, mut in_rust) = (String::new(), false);
    for line in page.lines() {
        if line.starts_with("```") {
            in_rust = line.starts_with("```rust");
        }
        if !in_rust || !line.starts_with("# ") {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    shown
}
