//! How the `$or` groups of a pattern multiply out, counted.

use super::ast::{Ast, NodeKind};

/// How many rules without `$or` a pattern is equivalent to.
pub(super) fn or_combinations(ast: &Ast) -> u64 {
    fold(ast, |_, _| 1)
}

/// Multiplies over the members of objects and adds over the branches of `$or`; `leaf` gives the value of a field of
/// so many tests at a depth (from 1).
pub(super) fn fold(ast: &Ast, leaf: impl Fn(u64, u64) -> u64) -> u64 {
    let mut depths = vec![1_u64; ast.nodes.len()];
    for (at, node) in ast.nodes.iter().enumerate() {
        let depth = depths.get(at).copied().unwrap_or(1);
        // The members of an object with a name lie one deeper than the object itself; `$or` and its branches add none.
        let inside = depth + u64::from(node.key.is_some() && node.kind == NodeKind::Object);
        for (child, _) in ast.children(at) {
            if let Some(place) = depths.get_mut(child) {
                *place = inside;
            }
        }
    }
    let mut values = vec![1_u64; ast.nodes.len()];
    for (at, node) in ast.nodes.iter().enumerate().rev() {
        let of = |child: usize| values.get(child).copied().unwrap_or(1);
        let value = match node.kind {
            NodeKind::Field { first, end } => leaf(u64::from(end - first), depths.get(at).copied().unwrap_or(1)),
            NodeKind::Object => ast.children(at).fold(1, |product: u64, (child, _)| product.saturating_mul(of(child))),
            NodeKind::Or => ast.children(at).fold(0, |sum: u64, (child, _)| sum.saturating_add(of(child))),
        };
        if let Some(place) = values.get_mut(at) {
            *place = value;
        }
    }
    values.first().copied().unwrap_or(1)
}
