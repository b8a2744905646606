//! Entries that are one `anything-but`: what excludes a scalar tells which of them do not hold, without asking each.

use super::pack::PackBuilder;
use super::{Automaton, Kind, Kinds, List};

/// How an entry excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Excluding {
    /// By whole values.
    Values,
    /// By affixes, letter case, wildcards or blocks of addresses.
    Others,
}

/// The entries of one field that exclude by something else than whole values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sieve {
    /// `Automaton::negative_lists[lists..lists_end]`
    pub(crate) lists: u32,
    pub(crate) lists_end: u32,
    /// The kinds of all that they exclude.
    pub(crate) kinds: Kinds,
    /// What they exclude, as far as it is not decided by look-up.
    pub(crate) pack: u32,
}

/// How a list excludes, if it is one `anything-but` and nothing else.
pub(super) fn of(automaton: &Automaton, list: &List) -> Option<Excluding> {
    let tests = excluded(automaton, list)?;
    let values = tests.iter().filter(|test| automaton.kind(**test).is_value()).count();
    match values {
        0 => Some(Excluding::Others),
        _ if values == tests.len() => Some(Excluding::Values),
        // Seldom enough to be judged one by one.
        _ => None,
    }
}

/// What a list excludes, if it is one `anything-but` and nothing else.
fn excluded<'a>(automaton: &'a Automaton, list: &List) -> Option<&'a [u32]> {
    let [test] = automaton.list_tests.get(list.start as usize..list.end as usize)? else { return None };
    if automaton.kind(*test) != Kind::Not {
        return None;
    }
    let excluded = automaton.list(*automaton.side.get(*test as usize)?)?;
    automaton.list_tests.get(excluded.start as usize..excluded.end as usize)
}

/// Sorts such entries, given with their fields, by what they exclude.
pub(super) fn index(automaton: &mut Automaton, mut entries: Vec<(u32, Excluding, u32)>) {
    entries.sort_unstable();
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for group in entries.chunk_by(|left, right| (left.0, left.1) == (right.0, right.1)) {
        let Some((field, excluding, _)) = group.first().copied() else { continue };
        let first_pair = pairs.len();
        for (_, _, id) in group {
            let tests = automaton.list(*id).and_then(|list| excluded(automaton, list)).unwrap_or(&[]);
            pairs.extend(tests.iter().map(|test| (*test, *id)));
        }
        let lists = automaton.negative_lists.len() as u32;
        automaton.negative_lists.extend(group.iter().map(|entry| entry.2));
        let lists_end = automaton.negative_lists.len() as u32;
        if excluding == Excluding::Values {
            if let Some(field) = automaton.fields.get_mut(field as usize) {
                (field.negative, field.negative_end) = (lists, lists_end);
            }
            continue;
        }
        let mut tests: Vec<u32> = pairs.iter().skip(first_pair).map(|pair| pair.0).collect();
        tests.sort_unstable();
        tests.dedup();
        let mut kinds = Kinds::default();
        tests.iter().for_each(|test| kinds.add(automaton.kind(*test)));
        let pack = PackBuilder::of(automaton, tests.into_iter()).build();
        if let Some(field) = automaton.fields.get_mut(field as usize) {
            field.sieve = automaton.sieves.len() as u32;
        }
        automaton.sieves.push(Sieve { lists, lists_end, kinds, pack: automaton.packs.len() as u32 });
        automaton.packs.push(pack);
    }
    pairs.sort_unstable();
    if !pairs.is_empty() {
        fill_exclusions(automaton, &pairs);
    }
}

/// Writes down for each test which lists exclude it, or which others of its field do not, if these are fewer.
fn fill_exclusions(automaton: &mut Automaton, pairs: &[(u32, u32)]) {
    let mut groups = pairs.chunk_by(|left, right| left.0 == right.0).peekable();
    for test in 0..automaton.tests.len() as u32 {
        let mut fewer = 0;
        if let Some(group) = groups.next_if(|group| group.first().is_some_and(|pair| pair.0 == test)) {
            let field = automaton.tests.owner(test) >> 5;
            let field = automaton.fields.get(field as usize).map_or(0..0, |field| field.negative..field.negative_end);
            let all = automaton.negative_lists.get(field.start as usize..field.end as usize).unwrap_or(&[]);
            if automaton.kind(test).is_value() && group.len() * 2 > all.len() {
                fewer = 1;
                let mut excluding = group.iter().map(|pair| pair.1).peekable();
                let others = all.iter().filter(|list| excluding.next_if(|other| *other == **list).is_none());
                automaton.exclusions.extend(others);
            } else {
                automaton.exclusions.extend(group.iter().map(|pair| pair.1));
            }
        }
        automaton.exclusion_ends.push(automaton.exclusions.len() as u32 * 2 + fewer);
    }
}
