//! What a file is, by its name and its contents: the names that documents have are in `places/shape`.

use eventrie::{Dialect, Pattern};

use crate::tree::{self, Malformed, Node};
use crate::{FileError, SourceFile, places};

/// What a file is, by its name and contents, with the tree that was read on the way.
pub(crate) struct Shape {
    pub(crate) is: Is,
    pub(crate) is_yaml: bool,
}

/// What a file is.
pub(crate) enum Is {
    Template(Vec<Node>),
    Rules(Node),
    Pattern(Option<Node>),
    Foreign(&'static str),
}

/// Words in the name of a file with patterns, which it then is even if nothing in it is a list of tests.
const NAMED: [&str; 5] = ["pattern", "rule", "policy", "policies", "filter"];

/// Whether the name of the file has such a word.
pub(crate) fn is_named(file: &SourceFile) -> bool {
    has_word(file.names().0)
}

/// Whether the name of the file has such a word, or that of its directory.
pub(crate) fn is_named_somewhere(file: &SourceFile) -> bool {
    let (own, directory) = file.names();
    has_word(own) || directory.is_some_and(has_word)
}

fn has_word(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    NAMED.iter().any(|word| name.contains(word))
}

/// A pattern with more values outside lists than this, and no field of events, is not a pattern.
const MOST_STRAY_VALUES: usize = 20;

/// What the file is; malformed templates are errors.
pub(crate) fn recognize(file: &SourceFile) -> Result<Shape, FileError> {
    let (name, text) = (file.name(), file.text());
    if tree::is_terraform(name) {
        return terraform(file);
    }
    let is_json = text.trim_start().starts_with(['{', '[']);
    let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml") || (name.ends_with(".template") && !is_json);
    let json = |is| Ok(Shape { is, is_yaml: false });
    match tree::parse_json(text) {
        Ok(root) if places::is_rule_file(&root) => json(Is::Rules(root)),
        Ok(root) if places::is_template(&root) && !is_pattern(&root, text) => json(Is::Template(vec![root])),
        Ok(root) => json(tell(root)),
        Err(_) if is_yaml => match tree::parse_all_yaml(text) {
            Ok(roots) => Ok(Shape { is: of_yaml(roots), is_yaml: true }),
            Err(error) => Err(in_file(file, error)),
        },
        Err(error) if places::seems_a_template(text) => Err(in_file(file, error)),
        // What is not JSON is a pattern with mistakes: the library says where. Only YAML on standard input is not.
        Err(_) if is_json => json(Is::Pattern(None)),
        Err(_) => match tree::parse_all_yaml(text) {
            Ok(roots) if roots.iter().any(|root| !root.members().is_empty()) => {
                Ok(Shape { is: of_yaml(roots), is_yaml: true })
            }
            Ok(_) | Err(_) => json(Is::Pattern(None)),
        },
    }
}

#[cfg(feature = "hcl")]
fn terraform(file: &SourceFile) -> Result<Shape, FileError> {
    let root = tree::parse_hcl(file.text()).map_err(|error| in_file(file, error))?;
    Ok(Shape { is: Is::Template(vec![root]), is_yaml: false })
}

#[cfg(not(feature = "hcl"))]
fn terraform(file: &SourceFile) -> Result<Shape, FileError> {
    let message = "this build cannot read HCL; check a plan instead: terraform show -json PLAN";
    Err(FileError::whole(file.name(), message))
}

/// What documents of YAML are.
fn of_yaml(mut roots: Vec<Node>) -> Is {
    if roots.len() == 1
        && let Some(root) = roots.pop_if(|root| {
            places::is_rule_file(root) || (places::has_only_event_fields(root) && !places::is_template(root))
        })
    {
        return if places::is_rule_file(&root) { Is::Rules(root) } else { tell(root) };
    }
    Is::Template(roots)
}

/// A pattern, or what is surely none.
fn tell(root: Node) -> Is {
    if places::is_event(&root) {
        return Is::Foreign("this is an event, not a pattern; `eventrie infer` proposes a pattern for it");
    }
    if places::is_build_metadata(&root) {
        return Is::Foreign("this is metadata of a cloud assembly; the patterns are in its templates");
    }
    if !places::has_event_fields(&root) && places::stray_values(&root) > MOST_STRAY_VALUES {
        return Is::Foreign("this is neither a pattern nor a kind of file known to contain patterns");
    }
    Is::Pattern(Some(root))
}

/// Whether what could be a template is a pattern. Strings and numbers are all over a template, but in a pattern only in
/// lists.
fn is_pattern(root: &Node, text: &str) -> bool {
    root.get("EventPattern").is_none() && Pattern::parse(text, Dialect::EventBridge).is_ok()
}

/// A fault of the text as an error of the file.
pub(crate) fn in_file(file: &SourceFile, error: Malformed) -> FileError {
    file.fault(error.offset, error.message)
}
