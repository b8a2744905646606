//! A pattern without some of its fields.

use super::ast::{Ast, NodeKind};
use super::check::fields;

/// The tree without the lists at, and below, some top-level paths, as if those were satisfied. Objects of which nothing
/// is left go too; an `$or` of which a branch has nothing left is always satisfied, so it goes as a whole.
pub(super) fn without(ast: &Ast, paths: &[&str]) -> Ast {
    let below =
        |path: &str, field: &str| path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let mut kept = vec![true; ast.nodes.len()];
    let mut keep = |at: usize, keep: bool| {
        if let Some(flag) = kept.get_mut(at) {
            *flag = keep;
        }
        keep
    };
    for (path, at) in fields(ast) {
        keep(at, !paths.iter().any(|field| below(&path, field)));
    }
    // Children come after their parents, so from the end each is decided before it is requested.
    for (at, node) in ast.nodes.iter().enumerate().rev() {
        let of = |child: usize| kept.get(child).copied().unwrap_or(false);
        let keep = match node.kind {
            NodeKind::Field { .. } => continue,
            NodeKind::Object => at == 0 || ast.children(at).any(|(child, _)| of(child)),
            NodeKind::Or => ast.children(at).all(|(child, _)| of(child)),
        };
        if let Some(flag) = kept.get_mut(at) {
            *flag = keep;
        }
    }
    let mut made = Ast { nodes: Vec::new(), tests: ast.tests.clone(), trailing: ast.trailing };
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some(node) = ast.nodes.get(at) {
        close(&mut made, &mut open, at);
        if kept.get(at).copied().unwrap_or(false) {
            open.push((made.nodes.len(), node.end as usize));
            made.nodes.push(node.clone());
            at += 1;
        } else {
            at = node.end as usize;
        }
    }
    close(&mut made, &mut open, at);
    made
}

/// Closes the nodes that end at `at`.
fn close(made: &mut Ast, open: &mut Vec<(usize, usize)>, at: usize) {
    while let Some((node, _)) = open.pop_if(|(_, behind)| at >= *behind) {
        let end = u32::try_from(made.nodes.len()).unwrap_or(u32::MAX);
        if let Some(node) = made.nodes.get_mut(node) {
            node.end = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Pattern};

    #[test]
    fn fields_are_taken_out() {
        for (whole, left) in [
            (r#"{"a":[1],"value":["x"]}"#, r#"{"a":[1]}"#),
            (r#"{"value":{"b":{"c":[1]}},"a":{"value":[1]}}"#, r#"{"a":{"value":[1]}}"#),
            (r#"{"value.b":[1],"values":[1]}"#, r#"{"values":[1]}"#),
            (r#"{"value":{"b":[1]}}"#, "{}"),
            (r#"{"$or":[{"value":["x"]},{"a":[1]}],"b":[1]}"#, r#"{"b":[1]}"#),
            (r#"{"$or":[{"value":["x"],"c":[1]},{"a":[1]}]}"#, r#"{"$or":[{"c":[1]},{"a":[1]}]}"#),
            (r#"{"$or":[{"$or":[{"value":[1]},{"a":[1]}]},{"a":[2]}],"b":[1]}"#, r#"{"b":[1]}"#),
        ] {
            let pattern = Pattern::parse(whole, Dialect::Lambda).unwrap();
            assert_eq!(pattern.without_fields(&["value"]).to_string(), left, "{whole}");
        }
    }
}
