//! The scalars of an event that lie at a path of the pattern, and the array elements that they lie in.

use super::paths::{PathId, Paths, ROOT};
use crate::json::{Kind, Tree};

/// No trail: not inside an element of any array.
pub(super) const NOWHERE: u32 = 0;

/// A scalar of the event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Its node in the event tree.
    pub(super) node: u32,
    /// The innermost array element (an object or an array) that it lies in.
    pub(super) trail: u32,
}

/// An array element that is an object or an array. Scalars directly in an array are not members of it. Elements are
/// numbered in text order, so those inside one follow it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trail {
    /// The element around this one.
    pub(super) parent: u32,
    /// One past the numbers of the elements inside this one.
    pub(super) end: u32,
    /// The array's number.
    pub(super) array: u32,
    pub(super) index: u32,
}

/// An array that some path leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    pub(super) node: u32,
    /// The numbers of the elements inside, at any depth.
    pub(super) first: u32,
    pub(super) end: u32,
}

#[derive(Debug)]
pub(super) struct Leaves {
    by_path: Vec<Vec<Leaf>>,
    pub(super) trails: Vec<Trail>,
    pub(super) arrays: Vec<Array>,
}

struct Open {
    end: u32,
    path: PathId,
    trail: u32,
    /// For an array: its number, and the index of the next element.
    array: Option<(u32, u32)>,
    /// Whether the container is itself an element, numbered `trail`.
    element: bool,
}

impl Leaves {
    /// Walks the parts of the event that some path leads to.
    pub(super) fn collect(tree: &Tree<'_>, paths: &Paths) -> Leaves {
        let mut leaves =
            Leaves { by_path: vec![Vec::new(); paths.len()], trails: vec![Trail::default()], arrays: Vec::new() };
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(node) = tree.nodes.get(at as usize) {
            while open.last().is_some_and(|frame| frame.end <= at) {
                leaves.close(open.pop());
            }
            let (mut path, mut trail, mut element) = (ROOT, NOWHERE, None);
            if let Some(frame) = open.last_mut() {
                (path, trail) = (frame.path, frame.trail);
                if let Some((array, next)) = &mut frame.array {
                    element = Some((*array, *next));
                    *next += 1;
                } else {
                    match node.key.and_then(|key| paths.follow(path, &tree.string(key))) {
                        Some(child) => path = child,
                        None => {
                            at = node.end;
                            continue;
                        }
                    }
                }
            }
            if !matches!(node.kind, Kind::Object | Kind::Array) {
                if paths.is_named(path)
                    && let Some(list) = leaves.by_path.get_mut(path as usize)
                {
                    list.push(Leaf { node: at, trail });
                }
            } else {
                if let Some((array, index)) = element {
                    leaves.trails.push(Trail { parent: trail, end: 0, array, index });
                    trail = leaves.trails.len() as u32 - 1;
                }
                let array = (node.kind == Kind::Array).then(|| {
                    leaves.arrays.push(Array { node: at, first: leaves.trails.len() as u32, end: 0 });
                    (leaves.arrays.len() as u32 - 1, 0)
                });
                open.push(Open { end: node.end, path, trail, array, element: element.is_some() });
            }
            at += 1;
        }
        while let Some(frame) = open.pop() {
            leaves.close(Some(frame));
        }
        for list in &mut leaves.by_path {
            // Nearly sorted: only scalars directly in an array come after leaves of elements before them.
            list.sort_by_key(|leaf| leaf.trail);
        }
        leaves
    }

    fn close(&mut self, frame: Option<Open>) {
        let Some(frame) = frame else { return };
        let end = self.trails.len() as u32;
        if frame.element
            && let Some(trail) = self.trails.get_mut(frame.trail as usize)
        {
            trail.end = end;
        }
        if let Some(array) = frame.array.and_then(|(array, _)| self.arrays.get_mut(array as usize)) {
            array.end = end;
        }
    }

    /// The leaves at a path, by trail, and in text order within one.
    pub(super) fn at(&self, path: PathId) -> &[Leaf] {
        self.by_path.get(path as usize).map_or(&[], |list| list)
    }

    pub(super) fn trail(&self, trail: u32) -> Trail {
        self.trails.get(trail as usize).copied().unwrap_or_default()
    }

    /// The element `trail` and those around it, from the inside.
    pub(super) fn chain(&self, trail: u32) -> impl Iterator<Item = (u32, Trail)> + '_ {
        let mut at = trail;
        std::iter::from_fn(move || {
            if at == NOWHERE {
                return None;
            }
            let (this, trail) = (at, self.trail(at));
            at = trail.parent;
            Some((this, trail))
        })
    }
}
