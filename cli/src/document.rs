//! Files with patterns, whose kind is found out from what is in them.

use anyhow::bail;
use eventrie::diagnostic::Position;
use eventrie::{Dialect, Pattern};

use crate::places;
use crate::rules::{self, Rules, SourceFile};
use crate::tree::{self, Malformed, Node};

/// What a file is.
pub(crate) enum Document {
    /// Something with patterns somewhere in it.
    Template(SourceFile, Node),
    /// A rule file, or a pattern.
    Rules(Rules),
}

/// Reads a file of any kind.
pub(crate) fn read(file: SourceFile) -> anyhow::Result<Document> {
    if file.name.ends_with(".tf") {
        bail!("{}: Terraform's own language is not read; check a plan: terraform show -json PLAN", file.name);
    }
    let is_json = file.text.trim_start().starts_with(['{', '[']);
    let is_yaml =
        [".yml", ".yaml"].iter().any(|end| file.name.ends_with(end)) || (file.name.ends_with(".template") && !is_json);
    match tree::parse_json(&file.text) {
        Ok(root) if places::is_rule_file(&root) => rules::parse(file).map(Document::Rules),
        Ok(root) if places::is_template(&root) && !is_pattern(&root, &file.text) => Ok(Document::Template(file, root)),
        Err(_) if is_yaml => match tree::parse_yaml(&file.text) {
            Ok(root) => Ok(Document::Template(file, root)),
            Err(error) => Err(malformed(&file, &error)),
        },
        Err(error) if places::seems_a_template(&file.text) => Err(malformed(&file, &error)),
        Err(_) if !is_json => match tree::parse_yaml(&file.text) {
            Ok(root) if !root.members().is_empty() => Ok(Document::Template(file, root)),
            _ => rules::single(file).map(Document::Rules),
        },
        // What is no JSON is a pattern with mistakes: the library says where. Only YAML on standard input is not.
        _ => rules::single(file).map(Document::Rules),
    }
}

/// Whether what could be a template is a pattern. Texts and numbers stand all over a template, but in a pattern only in
/// lists.
fn is_pattern(root: &Node, text: &str) -> bool {
    root.get("EventPattern").is_none() && Pattern::parse(text, Dialect::EventBridge).is_ok()
}

fn malformed(file: &SourceFile, error: &Malformed) -> anyhow::Error {
    let place = Position::of(&file.text, error.offset);
    anyhow::anyhow!("{}:{}:{}: {}", file.name, place.line, place.column, error.message)
}
