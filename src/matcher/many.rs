//! One reading of an event for several matchers: each hears what it wants of it, and nothing is read twice.

use smallvec::SmallVec;

use super::decide;
use super::event::Event;
use super::listen::Listener;
use super::scratch::Scratch;
use super::{Matcher, overflow};
use crate::json::{EventError, ReadPolicy, Scalar, Sink, Text, Want};

/// A matcher, and those of its patterns that do not count any more: one bit each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) matcher: &'a Matcher,
    pub(crate) gone: &'a [u64],
}

/// How many matchers can hear at once: each is one bit of a mask.
pub(crate) const MAX_PARTS: usize = 64;

/// Up to this many listeners live on the stack.
const USUAL: usize = 12;

/// Matches an event against at most [`MAX_PARTS`] parts, all of one policy and with the same limits. `Scratch::hits`
/// then holds part and pattern of each match, both ascending; with `first` it may hold only one of them.
pub(crate) fn run<'a, E: Event>(
    parts: impl ExactSizeIterator<Item = Part<'a>> + Clone,
    event: &E,
    scratch: &mut Scratch,
    first: bool,
) -> Result<(), EventError> {
    scratch.hits.clear();
    let mut rest = parts.clone();
    let (Some(base), 1..) = (rest.next(), parts.len()) else { return Ok(()) };
    if parts.len() == 1 {
        base.matcher.run(event, scratch, first, base.gone)?;
        scratch.hits.extend(scratch.found.iter().map(|id| (0, *id)));
        return Ok(());
    }
    scratch.begin(&base.matcher.automaton, base.matcher.policy, &base.matcher.limits);
    scratch.begin_others(rest.clone().map(|part| &*part.matcher.automaton));
    let Scratch { reader, state, others, open, found, hits } = scratch;
    let early = base.matcher.policy == ReadPolicy::Early;
    let mut listeners: SmallVec<[Listener<'_>; USUAL]> = SmallVec::new();
    listeners.push(Listener::new(&base.matcher.automaton, state, early));
    for (part, state) in rest.zip(others.iter_mut()) {
        listeners.push(Listener::new(&part.matcher.automaton, state, early));
    }
    let all = u64::MAX >> (MAX_PARTS - listeners.len().min(MAX_PARTS));
    open.clear();
    let mut audience = Audience { listeners: &mut listeners, open, all, hearing: all };
    event.read(&mut audience, reader)?;
    if listeners.iter().any(|listener| listener.overflow) {
        return Err(overflow());
    }
    drop(listeners);
    let mut steps = 0;
    let states = std::iter::once(state).chain(others.iter_mut());
    for ((part, state), number) in parts.zip(states).zip(0..) {
        // The limit is one for the event, however many parts there are.
        state.steps = steps;
        found.clear();
        decide::decide(&part.matcher.automaton, state, found, first, part.gone)?;
        steps = state.steps;
        hits.extend(found.iter().map(|id| (number, *id)));
        if first && !hits.is_empty() {
            break;
        }
    }
    Ok(())
}

/// An open object or array, and who is inside: one bit for each listener.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Who hears its end.
    inside: u64,
    /// Who is still asked about its keys.
    asked: u64,
    array: bool,
}

/// Several listeners as one.
struct Audience<'l, 'a> {
    listeners: &'l mut [Listener<'a>],
    open: &'l mut Vec<Open>,
    /// Who has not had enough yet.
    all: u64,
    /// Who hears the value at hand.
    hearing: u64,
}

impl<'a> Audience<'_, 'a> {
    /// Lets each of a mask hear; answers who wants to read on.
    #[inline]
    fn each(&mut self, mut who: u64, mut tell: impl FnMut(&mut Listener<'a>) -> bool) -> u64 {
        let mut yes = 0;
        while who != 0 {
            let number = who.trailing_zeros();
            who &= who - 1;
            if self.listeners.get_mut(number as usize).is_some_and(&mut tell) {
                yes |= 1 << number;
            }
        }
        yes
    }

    #[inline]
    fn begin(&mut self, array: bool) -> Want {
        let inside = self.each(self.hearing & self.all, |listener| {
            let want = if array { listener.begin_array() } else { listener.begin_object() };
            want == Want::Read
        });
        if self.open.is_empty() {
            // Who skips the event itself has had enough.
            self.all = inside;
        }
        if inside == 0 {
            return Want::Skip;
        }
        self.open.push(Open { inside, asked: inside, array });
        self.hearing = inside;
        Want::Read
    }

    #[inline]
    fn end(&mut self, array: bool) {
        let Some(open) = self.open.pop() else { return };
        self.each(open.inside & self.all, |listener| {
            if array {
                listener.end_array();
            } else {
                listener.end_object();
            }
            false
        });
        if let Some(around) = self.open.last().filter(|around| around.array) {
            self.hearing = around.inside;
        }
    }
}

impl Sink for Audience<'_, '_> {
    #[inline]
    fn key(&mut self, name: Text<'_>) -> Want {
        let Some(open) = self.open.last().copied() else { return Want::Skip };
        let (mut left, mut stopped) = (0, 0);
        let (mut who, mut reading) = (open.asked & self.all, 0_u64);
        while who != 0 {
            let bit = who & who.wrapping_neg();
            who ^= bit;
            match self.listeners.get_mut(bit.trailing_zeros() as usize).map(|listener| listener.key(name)) {
                Some(Want::Read) => reading |= bit,
                Some(Want::Skip) => {}
                Some(Want::Leave) => left |= bit,
                Some(Want::Stop) | None => stopped |= bit,
            }
        }
        self.hearing = reading;
        if left | stopped != 0 {
            self.all &= !stopped;
            if let Some(open) = self.open.last_mut() {
                open.asked &= !(left | stopped);
                if self.all == 0 {
                    return Want::Stop;
                }
                if open.asked & self.all == 0 {
                    return Want::Leave;
                }
            }
        }
        if reading == 0 { Want::Skip } else { Want::Read }
    }

    #[inline]
    fn scalar(&mut self, value: Scalar<'_>) {
        self.each(self.hearing & self.all, |listener| {
            listener.scalar(value);
            false
        });
    }

    #[inline]
    fn begin_object(&mut self) -> Want {
        self.begin(false)
    }

    #[inline]
    fn end_object(&mut self) {
        self.end(false);
    }

    #[inline]
    fn begin_array(&mut self) -> Want {
        self.begin(true)
    }

    #[inline]
    fn end_array(&mut self) {
        self.end(true);
    }
}
