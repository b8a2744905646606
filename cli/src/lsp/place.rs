//! What a byte of a pattern is part of: the name of a field, the name of an operator, a value.

use eventrie_files::tree::{Node, Value};

/// A place in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The fields that lead there.
    pub(super) path: Vec<String>,
    pub(super) here: Here,
    /// The bytes of the name or value, in the pattern's text.
    pub(super) span: std::ops::Range<usize>,
    /// The name or the value.
    pub(super) text: String,
}

/// What is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Here {
    /// The name of a field, or `$or`.
    Field,
    /// A name inside a list, which an operator has, within these others.
    Operator(Vec<String>),
    /// A value in a list or an operand, within these operators.
    Value(Vec<String>),
}

/// What byte `offset` of a pattern is part of.
pub(super) fn find(root: &Node, offset: usize) -> Option<Place> {
    fields(root, offset, &mut Vec::new())
}

fn is_at(node: &Node, offset: usize) -> bool {
    (node.span.start..=node.span.end).contains(&offset)
}

fn fields(node: &Node, offset: usize, path: &mut Vec<String>) -> Option<Place> {
    for (key, value) in node.members() {
        let name = key.text().unwrap_or("");
        if is_at(key, offset) {
            return Some(place(path, Here::Field, key));
        }
        if !is_at(value, offset) {
            continue;
        }
        if name == "$or" {
            return value.elements().iter().find(|one| is_at(one, offset)).and_then(|one| fields(one, offset, path));
        }
        path.push(name.to_owned());
        return match &value.value {
            Value::Map(_) => fields(value, offset, path),
            Value::List(elements) => elements
                .iter()
                .find(|one| is_at(one, offset))
                .and_then(|one| values(one, offset, path, &mut Vec::new())),
            Value::String(_) | Value::Plain(_) => Some(place(path, Here::Value(Vec::new()), value)),
        };
    }
    None
}

/// Below a list: names are operators.
fn values(node: &Node, offset: usize, path: &[String], within: &mut Vec<String>) -> Option<Place> {
    match &node.value {
        Value::Map(members) => {
            for (key, value) in members {
                if is_at(key, offset) {
                    return Some(place(path, Here::Operator(within.clone()), key));
                }
                if is_at(value, offset) {
                    within.push(key.text().unwrap_or("").to_owned());
                    return values(value, offset, path, within);
                }
            }
            None
        }
        Value::List(elements) => {
            elements.iter().find(|one| is_at(one, offset)).and_then(|one| values(one, offset, path, within))
        }
        Value::String(_) | Value::Plain(_) => Some(place(path, Here::Value(within.clone()), node)),
    }
}

fn place(path: &[String], here: Here, node: &Node) -> Place {
    Place { path: path.to_vec(), here, span: node.span.clone(), text: node.text().unwrap_or("").to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use eventrie_files::tree::parse_json;

    fn at(text: &str) -> Option<(String, Here)> {
        let offset = text.find('|').unwrap();
        let root = parse_json(&text.replace('|', "")).unwrap();
        find(&root, offset).map(|place| (place.path.join("."), place.here))
    }

    #[test]
    fn names_and_values() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let found = |path: &str, here| Some((path.to_owned(), here));
        assert_eq!(at(r#"{"so|urce":["x"]}"#), found("", Here::Field));
        assert_eq!(at(r#"{"detail":{"prefix|":["x"]}}"#), found("detail", Here::Field));
        assert_eq!(at(r#"{"$or":[{"a":[1]},{"b":{"|c":[1]}}]}"#), found("b", Here::Field));
        assert_eq!(at(r#"{"a":{"b":["|x"]}}"#), found("a.b", Here::Value(vec![])));
        assert_eq!(at(r#"{"a":[{"pre|fix":"x"}]}"#), found("a", Here::Operator(vec![])));
        assert_eq!(at(r#"{"a":[{"prefix":"x|"}]}"#), found("a", Here::Value(words(&["prefix"]))));
        let nested = found("a", Here::Operator(words(&["anything-but"])));
        assert_eq!(at(r#"{"a":[{"anything-but":{"suf|fix":"x"}}]}"#), nested);
        assert_eq!(at(r#"{"a":[{"numeric":["|<",1]}]}"#), found("a", Here::Value(words(&["numeric"]))));
        assert_eq!(at(r#"{"a":[1]  |  }"#), None);
    }
}
