//! How the tree of wildcards is made. Sorts, and is linear in their bytes otherwise.

use std::collections::HashMap;

use super::super::Value;
use super::super::affix::{PrefixSet, SuffixSet};
use super::super::packed::Packed;
use super::super::pieces::{PieceId, Pieces};
use super::ids::{BeginningId, QueueId, RootId, TailId};
use super::tree::{Beginning, Piece, Root, Tree};
use crate::base::{Groups, Id, Key, Optional, Table, run_of};
use crate::value::Wildcard;

/// A piece that leads to more beginnings than this is *hot*: they wait for it in a queue from the moment that their parents
/// are reached. At other pieces the beginnings are few enough to look at each of them.
const HOT: usize = 8;

/// A beginning while the tree grows: what it adds a piece to, and which.
type Grown = Option<(BeginningId, PieceId)>;

impl Tree {
    pub(super) fn build(wildcards: &[(&Wildcard, Value)]) -> Tree {
        let (mut exact, mut rows) = (Vec::new(), Vec::new());
        for (wildcard, value) in wildcards {
            match wildcard.pieces() {
                [] => {}
                [only] => exact.push((only.to_vec(), *value)),
                [row @ .., last] => rows.push((row, &**last, *value)),
            }
        }
        rows.sort_unstable();
        let literals = sorted_set(rows.iter().flat_map(|(row, ..)| row.iter().skip(1)).map(|piece| &**piece));
        let numbers: HashMap<&[u8], PieceId> = numbered(&literals).collect();
        let backs = sorted_set(rows.iter().map(|(_, last, _)| *last).filter(|last| !last.is_empty()));
        let back_numbers: HashMap<&[u8], TailId> = numbered(&backs).collect();

        // The tree, each beginning before its children.
        let mut grown: Table<BeginningId, Grown> = Table::new();
        let (mut fronts, mut roots) = (Vec::new(), Table::<RootId, Root>::new());
        let (mut open, mut tails) = (Vec::new(), Vec::new());
        let (mut path, mut before): (Vec<BeginningId>, &[Box<[u8]>]) = (Vec::new(), &[]);
        for (index, (row, last, value)) in rows.iter().enumerate() {
            path.truncate(row.iter().zip(before).take_while(|(piece, before)| piece == before).count());
            for piece in row.iter().skip(path.len()) {
                let beginning = match path.last() {
                    // INVARIANT: all pieces but the first are numbered.
                    Some(parent) => grown.push(numbers.get(&**piece).map(|piece| (*parent, *piece))),
                    None => {
                        let beginning = grown.push(None);
                        // The row for now, its bit later.
                        let root = roots.push(Root { beginning, first_bit: index });
                        fronts.push((piece.to_vec(), root.raw()));
                        beginning
                    }
                };
                path.push(beginning);
            }
            before = row;
            let Some(beginning) = path.last().copied() else { continue };
            match back_numbers.get(last) {
                None => open.push((beginning, *value)),
                Some(tail) => tails.push((beginning, (*tail, *value))),
            }
        }
        roots.push(Root { beginning: grown.next_id(), first_bit: rows.len() });

        let children = || grown.enumerate().filter_map(|(id, grown)| grown.map(|(parent, piece)| (id, parent, piece)));
        let edges = grouped(literals.len(), children().map(|(id, _, piece)| (piece, id)));
        let mut table: Table<PieceId, Piece> = Table::new();
        let (mut kept, mut queues) = (Table::<Id<BeginningId>, BeginningId>::new(), 0);
        for (id, literal) in numbered::<PieceId>(&literals).map(|(literal, id)| (id, literal)) {
            let waiting = &edges[id];
            let mut piece = Piece { length: literal.len(), first_edge: kept.next_id().raw(), queue: Optional::NONE };
            if waiting.len() > HOT {
                piece.queue = Optional::some(QueueId::from_raw(queues));
                queues += 1;
            } else {
                kept.push_all(waiting.iter().copied());
            }
            table.push(piece);
        }
        table.push(Piece { length: 0, first_edge: kept.next_id().raw(), queue: Optional::NONE });
        let hot = children().filter_map(|(id, parent, piece)| Some((parent, (id, table[piece].queue.get()?))));
        let hot = grouped(grown.len(), hot);

        let ends = grouped(backs.len(), tails.iter().map(|(id, (tail, value))| (*tail, (*id, *value))));
        let open = grouped(grown.len(), open.into_iter());
        let mut tails = grouped(grown.len(), tails.into_iter());
        for id in grown.ids() {
            let run = run_of(&tails.ends, id);
            tails.entries[run].sort_unstable();
        }
        let beginning = |id: BeginningId| Beginning {
            first_open: first(&open.ends, id),
            first_hot: first(&hot.ends, id),
            first_tail: first(&tails.ends, id),
            inner: false,
            open_below: false,
        };
        let mut beginnings: Table<BeginningId, Beginning> =
            grown.ids().chain([grown.next_id()]).map(beginning).collect();
        for (id, grown) in grown.enumerate().rev() {
            if let Some((parent, _)) = grown {
                let below = beginnings[id].open_below || !open[id].is_empty();
                let parent = &mut beginnings[*parent];
                (parent.inner, parent.open_below) = (true, parent.open_below || below);
            }
        }
        let packed = (queues > 0).then(|| {
            Packed::build(rows.iter().map(|(row, last, value)| (row.get(1..).unwrap_or_default(), *last, *value)))
        });
        let packed = packed.flatten().map(|(packed, first_bits)| {
            // INVARIANT: there is a bit for each row, and one more.
            roots.iter_mut().for_each(|root| root.first_bit = first_bits.get(root.first_bit).copied().unwrap_or(0));
            packed
        });
        let mut first_end: Table<TailId, u32> = numbered(&backs).map(|(_, tail)| first(&ends.ends, tail)).collect();
        first_end.push(ends.entries.next_id().raw());
        Tree {
            exact: PrefixSet::build(exact),
            fronts: PrefixSet::build(fronts),
            roots,
            backs: SuffixSet::build(backs.iter().zip(0..).map(|(back, number)| (back.to_vec(), number)).collect()),
            pieces: Pieces::build(&literals),
            beginnings,
            parents: grown.iter().map(|grown| grown.map(|(parent, _)| parent).into()).collect(),
            open: open.entries,
            hot: hot.entries,
            tails: tails.entries,
            table,
            edges: kept,
            ends: ends.entries,
            first_end,
            queues: queues as usize,
            packed,
        }
    }
}

/// Where the entries of a group begin; after the last group, where they all end.
fn first<I: Key>(ends: &Table<I, u32>, id: I) -> u32 {
    let before = id.raw().checked_sub(1).map(I::from_raw);
    before.map_or(0, |before| ends[before])
}

/// Items by their group, in the order in which they came.
fn grouped<I: Key + Ord, T>(groups: usize, items: impl Iterator<Item = (I, T)>) -> Groups<I, Id<T>, T> {
    let mut items: Vec<_> = items.collect();
    items.sort_by_key(|(group, _)| *group);
    let mut items = items.into_iter().peekable();
    let mut grouped: Groups<I, Id<T>, T> = Groups::default();
    for group in (0..groups as u32).map(I::from_raw) {
        while let Some((_, item)) = items.next_if(|(other, _)| *other == group) {
            grouped.entries.push(item);
        }
        grouped.end_run();
    }
    grouped
}

/// Strings with their places in the list.
fn numbered<'t, I: Key>(texts: &[&'t [u8]]) -> impl Iterator<Item = (&'t [u8], I)> {
    texts.iter().zip(0..).map(|(text, number)| (*text, I::from_raw(number)))
}

fn sorted_set<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Vec<&'a [u8]> {
    let mut texts: Vec<_> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}
