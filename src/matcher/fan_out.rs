//! One reading of an event for several matchers.

use std::sync::Arc;

use smallvec::SmallVec;

use super::decide::{self, Wanted};
use super::observed::{ArrayId, Element, ElementId};
use super::receive::Receiver;
use super::scratch::Scratch;
use super::walk::{Receive, Walk};
use super::{Matcher, overflow};
use crate::automaton::{FieldId, FieldTrie};
use crate::base::{Optional, Table};
use crate::event::Event;
use crate::json::{EventError, Scalar};

/// A matcher, and those of its patterns that do not count any more: one bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) matcher: &'a Matcher,
    pub(crate) gone: &'a [u64],
}

/// For each field the one of a matcher.
type FieldMap = Table<FieldId, Optional<FieldId>>;

/// What several matchers receive together.
#[derive(Clone, Debug)]
pub(crate) struct FanOut {
    /// The fields of all of them. Those of the first come first, in their order.
    trie: Arc<FieldTrie>,
    /// For each matcher its identity, and which of its fields each field is.
    maps: Vec<(u64, Arc<FieldMap>)>,
}

impl FanOut {
    /// The fields of some matchers; what was found out for `before`, similar matchers, need not be found out again.
    pub(crate) fn new<'a>(before: Option<&FanOut>, matchers: impl Iterator<Item = &'a Matcher> + Clone) -> FanOut {
        let base = matchers.clone().next().map(|matcher| &*matcher.automaton);
        let others: usize = matchers.clone().skip(1).map(|matcher| matcher.automaton.trie.fields()).sum();
        let bound = base.map_or(0, |base| base.trie.fields()) + 2 * others + 64;
        let usable = before.filter(|fan| {
            let same = fan.maps.first().map(|map| map.0) == base.map(|base| base.identity);
            same && fan.trie.fields() <= bound
        });
        let mut fan = FanOut { trie: Arc::default(), maps: Vec::new() };
        match (usable, base) {
            (Some(before), _) => fan.trie = Arc::clone(&before.trie),
            (None, Some(base)) => fan.trie = Arc::new(base.trie.clone()),
            (None, None) => {}
        }
        for automaton in matchers.map(|matcher| &*matcher.automaton) {
            let known = usable.and_then(|fan| fan.maps.iter().find(|map| map.0 == automaton.identity));
            let map = known.map(|map| Arc::clone(&map.1)).or_else(|| fan.trie.align(&automaton.trie).map(Arc::new));
            let map = map.unwrap_or_else(|| {
                fan.trie = Arc::new(fan.trie.extended(&automaton.trie));
                // INVARIANT: a trie has all paths of what it was extended with.
                Arc::new(fan.trie.align(&automaton.trie).unwrap_or_else(|| unreachable!("extended with these paths")))
            });
            fan.maps.push((automaton.identity, map));
        }
        fan
    }

    /// Bytes on the heap.
    pub(crate) fn memory_usage(&self) -> usize {
        self.trie.memory_usage() + self.maps.iter().map(|map| size_of_val(map.1.as_slice())).sum::<usize>()
    }
}

/// Up to this many receivers live on the stack.
const USUAL: usize = 8;

/// Matches an event against parts, all of one policy and with the same limits, in the order in which `fan` has them.
/// `Scratch::hits` then contains part and pattern of each match, both ascending; only one if any match is enough.
pub(crate) fn run<'a, E: Event>(
    fan: &FanOut,
    parts: impl ExactSizeIterator<Item = Target<'a>> + Clone,
    event: &E,
    scratch: &mut Scratch,
    wanted: Wanted,
) -> Result<(), EventError> {
    scratch.hits.clear();
    let mut rest = parts.clone();
    let Some(base) = rest.next() else { return Ok(()) };
    if parts.len() == 1 {
        base.matcher.run(event, scratch, wanted, base.gone)?;
        scratch.hits.extend(scratch.found.iter().map(|id| (0, *id)));
        return Ok(());
    }
    scratch.begin(&base.matcher.automaton, base.matcher.policy, &base.matcher.limits);
    scratch.begin_others(rest.map(|part| &*part.matcher.automaton));
    let Scratch { reader, state, others, path, found, hits } = scratch;
    let mut receivers: SmallVec<[(Receiver<'_>, &FieldMap); USUAL]> = SmallVec::new();
    let states = std::iter::once(&mut *state).chain(others.iter_mut());
    for ((part, state), map) in parts.clone().zip(states).zip(&fan.maps) {
        receivers.push((Receiver::new(&part.matcher.automaton, state), &*map.1));
    }
    let mut walk = Walk::new(&fan.trie, path, base.matcher.policy, Several(&mut receivers));
    event.read(&mut walk, reader)?;
    if receivers.iter().any(|(receiver, _)| receiver.overflow) {
        return Err(overflow());
    }
    drop(receivers);
    let mut steps = 0;
    let states = std::iter::once(state).chain(others.iter_mut());
    for ((part, state), number) in parts.zip(states).zip(0..) {
        // The limit is one for the event, however many parts there are.
        state.search.steps = steps;
        found.clear();
        decide::decide(&part.matcher.automaton, state, found, wanted, part.gone)?;
        steps = state.search.steps;
        hits.extend(found.iter().map(|id| (number, *id)));
        if wanted == Wanted::Any && !hits.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Several receivers as one. Each learns of all elements and arrays, so these have the same numbers for all.
struct Several<'l, 'a>(&'l mut [(Receiver<'a>, &'a FieldMap)]);

impl Receive for Several<'_, '_> {
    #[inline]
    fn leaf(&mut self, field: FieldId, element: ElementId, value: Scalar<'_>) {
        for (receiver, map) in &mut *self.0 {
            // A map is as long as the trie was when it was made: later fields are those of newer matchers.
            if let Some(own) = map.checked(field).and_then(|own| own.get()) {
                receiver.leaf(own, element, value);
            }
        }
    }

    #[inline]
    fn begin_element(&mut self, parent: ElementId, array: ArrayId) -> ElementId {
        self.0.iter_mut().fold(Element::OUTSIDE, |_, (receiver, _)| receiver.begin_element(parent, array))
    }

    #[inline]
    fn end_element(&mut self, element: ElementId) {
        self.0.iter_mut().for_each(|(receiver, _)| receiver.end_element(element));
    }

    #[inline]
    fn begin_array(&mut self) -> ArrayId {
        self.0.iter_mut().fold(ArrayId::FIRST, |_, (receiver, _)| receiver.begin_array())
    }

    #[inline]
    fn direct(&mut self, array: ArrayId) {
        self.0.iter_mut().for_each(|(receiver, _)| receiver.direct(array));
    }

    #[inline]
    fn end_array(&mut self, array: ArrayId) {
        self.0.iter_mut().for_each(|(receiver, _)| receiver.end_array(array));
    }
}
