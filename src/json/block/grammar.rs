//! The token stream against the grammar, 64 tokens at a time, by arithmetic on bit masks.
//!
//! Only brackets are looked at one by one: they are matched, and tell for each place of the stream whether the innermost
//! container is an object. With that known, what may follow a token depends on that token alone.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: the depth of nesting is held between bounds that the array is made for; see the loop"
)]

use super::Tokens;
use super::machine::Machine;
use crate::limit::Limits;

/// Where the stack of open brackets begins. It cannot fall below zero before it is looked at, once per 64 tokens.
const BASE: usize = 66;
/// The room it needs: beyond the deepest nesting, another 64 before it is looked at.
pub(super) const OPEN: usize = BASE + Limits::MAX_DEPTH + 66;

impl Tokens {
    /// Whether the stream is one object, and no deeper than allowed.
    #[inline(always)]
    pub(super) fn check<M: Machine>(&mut self, machine: M, limits: &Limits) -> bool {
        let count = self.count;
        // The room that `prepare` made; the last block of tokens is looked at as a whole.
        let Some(kinds) = self.kinds.get(..count.next_multiple_of(64)) else { return false };
        let Some(closing) = self.closing.get_mut(..kinds.len()) else { return false };
        let Some(open) = self.open.first_chunk_mut::<OPEN>() else { return false };
        if kinds.first() != Some(&b'{') || count == 0 || kinds.get(count - 1) != Some(&b'}') {
            return false;
        }
        let deepest = BASE + limits.depth();
        let mut depth = BASE;
        let mut ends = 0_u32;
        // All ones while the innermost container is an object.
        let mut object = 0_u64;
        let mut bad = 0_u64;
        // Of the token before: 1 if it is an opening brace, and so on.
        let (mut open_object, mut open_array, mut colon, mut key, mut comma_object, mut value_due, mut value_end) =
            (0_u64, 0_u64, 0_u64, 0_u64, 0_u64, 0_u64, 0_u64);

        let (blocks, _) = kinds.as_chunks::<64>();
        let mut first = 0_usize;
        for block in blocks {
            let left = count - first;
            let valid = if left >= 64 { !0 } else { !(!0 << left) };
            let vector = machine.load(block);
            let begin_object = machine.equal(vector, b'{') & valid;
            let end_object = machine.equal(vector, b'}') & valid;
            let begin_array = machine.equal(vector, b'[') & valid;
            let end_array = machine.equal(vector, b']') & valid;
            let colons = machine.equal(vector, b':') & valid;
            let commas = machine.equal(vector, b',') & valid;
            let strings = machine.equal(vector, b'"') & valid;
            let ends_here = end_object | end_array;
            let objects = begin_object | end_object;
            let mut brackets = objects | begin_array | end_array;
            let others = valid & !(brackets | colons | commas | strings);

            // Per place: whether the innermost container behind it is an object.
            let mut inside = object;
            let mut peak = depth;
            while brackets != 0 {
                let place = brackets.trailing_zeros();
                brackets &= brackets - 1;
                let token = first as u32 + place;
                let end = (ends_here >> place) as usize & 1;
                let entry = token << 1 | (objects >> place) as u32 & 1;
                // INVARIANT of the indexes below: `depth` began this block between BASE and BASE + MAX_DEPTH, and has
                // changed by at most one for each of at most 64 brackets. Entries hold tokens of this stream.
                depth -= end;
                let slot = &mut open[depth];
                let entry = if end == 1 { *slot } else { entry };
                // The kinds of bracket must be those of one pair.
                bad |= u64::from(entry ^ (objects >> place) as u32) & 1;
                *slot = entry;
                depth += 1 - end;
                if let Some(closing) = closing.get_mut((entry >> 1) as usize) {
                    *closing = token;
                }
                peak = peak.max(depth);
                ends += u32::from(depth == BASE);
                let now = 0_u64.wrapping_sub(u64::from(open[depth - 1] & 1));
                inside ^= (inside ^ now) & (!0 << place);
            }
            if depth < BASE || peak > deepest {
                return false;
            }
            object = 0_u64.wrapping_sub(inside >> 63);

            let commas_object = commas & inside;
            let behind_open_object = begin_object << 1 | open_object;
            let behind_open_array = begin_array << 1 | open_array;
            let behind_comma_object = commas_object << 1 | comma_object;
            let keys = strings & (behind_open_object | behind_comma_object);
            let due = (commas & !inside) | colons;
            let behind_due = due << 1 | value_due;
            let values = (strings & !keys) | others | ends_here;
            let behind_value = values << 1 | value_end;
            let begins = strings | others | begin_object | begin_array;
            bad |= colons ^ ((keys << 1 | key) & valid);
            bad |= behind_open_object & !(strings | end_object) & valid;
            bad |= behind_comma_object & !strings & valid;
            bad |= behind_open_array & !(begins | end_array) & valid;
            bad |= behind_due & !begins & valid;
            bad |= behind_value & !(commas | ends_here) & valid;

            open_object = begin_object >> 63;
            open_array = begin_array >> 63;
            comma_object = commas_object >> 63;
            value_due = due >> 63;
            value_end = values >> 63;
            key = keys >> 63;
            first += 64;
        }
        // The object ends exactly once, with the last token.
        bad == 0 && depth == BASE && ends == 1
    }
}
