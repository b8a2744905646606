//! The paths that a pattern names, as a trie of steps (keys split at dots: a dotted key is nesting, on both sides).
//!
//! Whole paths are never written out: many fields below one long key would need more text than memory has room for.

use crate::base::ListMap;
use crate::pattern::ast::{Ast, NodeKind};

/// A node of the trie; the path that leads to it. `ROOT` is no path.
pub(super) type PathId = u32;
pub(super) const ROOT: PathId = 0;

#[derive(Debug, Default)]
pub(super) struct Paths {
    steps: Vec<Step>,
}

#[derive(Debug, Default)]
struct Step {
    parent: PathId,
    text: Box<str>,
    /// Whether some field of the pattern has this path.
    named: bool,
    /// Place in the order in which paths are decided.
    rank: u32,
    children: ListMap<Box<str>, PathId>,
}

impl Paths {
    pub(super) fn new() -> Paths {
        Paths { steps: vec![Step::default()] }
    }

    /// The path of an object that is member `key` of an object at `enclosing`.
    pub(super) fn join(&mut self, enclosing: PathId, key: &str) -> PathId {
        key.split('.').fold(enclosing, |at, step| self.child_or_new(at, step))
    }

    /// The path of a leaf list that is member `key` of an object at `enclosing`. Where that path is the empty text, the
    /// service's compiler takes the key alone; its event reader always writes the dot.
    pub(super) fn join_leaf(&mut self, enclosing: PathId, key: &str) -> PathId {
        let empty = self.steps.get(enclosing as usize).is_some_and(|step| step.parent == ROOT && step.text.is_empty());
        let path = self.join(if empty { ROOT } else { enclosing }, key);
        if let Some(step) = self.steps.get_mut(path as usize) {
            step.named = true;
        }
        path
    }

    fn child_or_new(&mut self, at: PathId, step: &str) -> PathId {
        let next = self.steps.len() as PathId;
        let Some(parent) = self.steps.get_mut(at as usize) else { return ROOT };
        if let Some(child) = parent.children.get(step) {
            return *child;
        }
        parent.children.insert(step.into(), next);
        self.steps.push(Step { parent: at, text: step.into(), ..Step::default() });
        next
    }

    pub(super) fn is_named(&self, path: PathId) -> bool {
        self.steps.get(path as usize).is_some_and(|step| step.named)
    }

    /// Where the event's key leads from `at`, if any path goes on there.
    pub(super) fn follow(&self, at: PathId, key: &str) -> Option<PathId> {
        key.split('.').try_fold(at, |at, step| self.steps.get(at as usize)?.children.get(step).copied())
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(super) fn rank(&self, path: PathId) -> u32 {
        self.steps.get(path as usize).map_or(0, |step| step.rank)
    }

    /// Numbers the paths in the order of their full names by UTF-16 units, which is the order in which the service decides them.
    ///
    /// Below one node all names share what leads there; the rest of a name is a step, or a step, a dot and more. So
    /// the node's children sort by step and by step with dot, and what is after the dot stays together.
    pub(super) fn order(&mut self) {
        let mut rank = 0;
        // An entry is a path to be numbered, or one whose inside is to be opened.
        let mut stack = vec![(ROOT, true)];
        while let Some((path, open)) = stack.pop() {
            if !open {
                if let Some(step) = self.steps.get_mut(path as usize) {
                    step.rank = rank;
                    rank += 1;
                }
                continue;
            }
            let Some(step) = self.steps.get(path as usize) else { continue };
            let mut entries: Vec<(Vec<u16>, PathId, bool)> = Vec::with_capacity(step.children.len() * 2);
            for (text, child) in step.children.iter() {
                let mut units: Vec<u16> = text.encode_utf16().collect();
                entries.push((units.clone(), *child, false));
                units.push(u16::from(b'.'));
                entries.push((units, *child, true));
            }
            entries.sort_unstable_by(|left, right| right.cmp(left));
            stack.extend(entries.into_iter().map(|(_, child, open)| (child, open)));
        }
    }

    /// The steps of a path, from the top.
    pub(super) fn steps(&self, path: PathId) -> Vec<&str> {
        let (mut steps, mut at) = (Vec::new(), path);
        while at != ROOT {
            let Some(step) = self.steps.get(at as usize) else { break };
            steps.push(&*step.text);
            at = step.parent;
        }
        steps.reverse();
        steps
    }

    /// The path as text. One of more than `longest` bytes is shown by its end.
    pub(super) fn text(&self, path: PathId, longest: usize) -> String {
        let (mut steps, mut at, mut length) = (Vec::new(), path, 0);
        while at != ROOT {
            let Some(step) = self.steps.get(at as usize) else { break };
            length += step.text.len() + 1;
            if length > longest && !steps.is_empty() {
                steps.push("…");
                break;
            }
            steps.push(&*step.text);
            at = step.parent;
        }
        steps.reverse();
        steps.join(".")
    }
}

/// The fields of a conjunction and its `$or` groups, in text order; plain nesting is resolved into paths.
#[derive(Clone, Debug)]
pub(super) struct Conjunction {
    /// The object of the pattern.
    pub(super) node: u32,
    pub(super) items: Vec<Item>,
}

#[derive(Clone, Debug)]
pub(super) enum Item {
    Field(Field),
    Group(Group),
}

/// A leaf list of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) node: u32,
    pub(super) path: PathId,
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) node: u32,
    pub(super) branches: Vec<Conjunction>,
}

impl Item {
    /// Calls `visit` for each field inside, in text order.
    pub(super) fn fields(&self, visit: &mut dyn FnMut(Field)) {
        match self {
            Item::Field(field) => visit(*field),
            Item::Group(group) => {
                for branch in &group.branches {
                    for item in &branch.items {
                        item.fields(visit);
                    }
                }
            }
        }
    }
}

impl Conjunction {
    /// The conjunction without the lists that later ones replace.
    pub(super) fn without(&self, replaced: &dyn Fn(PathId) -> bool) -> Conjunction {
        let kept = self.items.iter().filter_map(|item| match item {
            Item::Field(field) => (!replaced(field.path)).then_some(Item::Field(*field)),
            Item::Group(group) => {
                let branches = group.branches.iter().map(|branch| branch.without(replaced)).collect();
                Some(Item::Group(Group { node: group.node, branches }))
            }
        });
        Conjunction { node: self.node, items: kept.collect() }
    }
}

/// The whole pattern as a conjunction, and its paths in order.
pub(super) fn plan(ast: &Ast) -> (Conjunction, Paths) {
    let mut paths = Paths::new();
    let mut items = Vec::new();
    members(ast, 0, ROOT, &mut paths, &mut items);
    paths.order();
    (Conjunction { node: 0, items }, paths)
}

/// Recursion follows the nesting of the pattern, which is bounded.
fn members(ast: &Ast, object: usize, enclosing: PathId, paths: &mut Paths, items: &mut Vec<Item>) {
    for (index, node) in ast.children(object) {
        match node.kind {
            NodeKind::Or => {
                let mut branches = Vec::new();
                for (branch, _) in ast.children(index) {
                    let mut inside = Vec::new();
                    members(ast, branch, enclosing, paths, &mut inside);
                    branches.push(Conjunction { node: branch as u32, items: inside });
                }
                items.push(Item::Group(Group { node: index as u32, branches }));
            }
            NodeKind::Object => {
                let path = paths.join(enclosing, node.key.as_ref().map_or("", |key| &key.text));
                members(ast, index, path, paths, items);
            }
            NodeKind::Field { .. } => {
                let path = paths.join_leaf(enclosing, node.key.as_ref().map_or("", |key| &key.text));
                items.push(Item::Field(Field { node: index as u32, path }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Paths, ROOT};

    #[test]
    fn the_order_is_that_of_whole_texts_by_utf16_units() {
        let texts =
            ["a", "a.b", "a-b", "a-b.c", "a.b.c", "ab", "", ".a", "a.", "a..b", "\u{ffff}", "😀", "\u{e000}.x", "a!"];
        let mut paths = Paths::new();
        let mut named: Vec<_> = texts.iter().map(|text| (paths.join(ROOT, text), *text)).collect();
        paths.order();
        named.sort_by_key(|(path, _)| paths.rank(*path));
        let mut sorted = texts;
        sorted.sort_by(|left, right| left.encode_utf16().cmp(right.encode_utf16()));
        assert_eq!(named.iter().map(|(_, text)| *text).collect::<Vec<_>>(), sorted);
        for (path, text) in named {
            assert_eq!(paths.text(path, 100), text);
        }
    }
}
