//! A pattern as a list of conjunctions, `$or` multiplied out.

use super::paths::ByPath;
use super::values::Values;
use crate::pattern::Pattern;
use crate::pattern::ast::{Ast, NodeKind, join_path, object_path};

/// A conjunction: what each path must have.
pub(super) type Branch<'p> = ByPath<Values<'p>>;

/// More branches, or more bytes of paths, are not looked at.
const BRANCHES: usize = 64;
const PATHS: usize = 1 << 18;

/// Paths with the nodes of their lists; of several for one path the last counts.
type Lists = Vec<(String, usize)>;

/// The branches; none if there are too many.
pub(super) fn branches(pattern: &Pattern) -> Option<Vec<Branch<'_>>> {
    let ast = pattern.ast();
    let mut rules = vec![Lists::new()];
    let mut room = PATHS;
    multiply(ast, 0, None, &mut rules, &mut room)?;
    let values = |at: usize| ast.nodes.get(at).map_or_else(Values::default, |node| Values::of(ast.tests_of(node)));
    let branch =
        |lists: Lists| Branch::from(lists.into_iter().map(|(path, at)| (path, values(at))).collect::<Vec<_>>());
    Some(rules.into_iter().map(branch).collect())
}

/// Recursion follows the nesting of the pattern, which is bounded.
fn multiply(ast: &Ast, object: usize, enclosing: Option<&str>, rules: &mut Vec<Lists>, room: &mut usize) -> Option<()> {
    for (at, node) in ast.children(object) {
        let key = node.key.as_ref().map_or("", |key| &key.text);
        match node.kind {
            NodeKind::Field { .. } => {
                let path = join_path(enclosing, key);
                *room = room.checked_sub((path.len() + 1) * rules.len())?;
                for rule in rules.iter_mut() {
                    rule.push((path.clone(), at));
                }
            }
            NodeKind::Object => {
                let path = object_path(enclosing, key);
                *room = room.checked_sub(path.len() + 1)?;
                multiply(ast, at, Some(&path), rules, room)?;
            }
            NodeKind::Or => {
                let before = std::mem::take(rules);
                for (branch, _) in ast.children(at) {
                    let mut inside = before.clone();
                    *room = room.checked_sub(inside.iter().flatten().map(|(path, _)| path.len() + 1).sum())?;
                    multiply(ast, branch, enclosing, &mut inside, room)?;
                    rules.append(&mut inside);
                    if rules.len() > BRANCHES {
                        return None;
                    }
                }
            }
        }
    }
    Some(())
}
