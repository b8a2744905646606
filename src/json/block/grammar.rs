//! The token stream against the grammar, 64 tokens at a time, by arithmetic on bit masks.
//!
//! Only brackets are read one by one: they are matched, and say for each place of the stream whether the innermost
//! container is an object. With that known, what may follow a token depends on that token alone.

#![allow(
    clippy::indexing_slicing,
    reason = "INVARIANT: the depth of nesting is held between bounds that the array is made for; see the loop"
)]

use std::hint;

use super::machine::{Machine, behind};
use super::tokens::{BASE, DEEPEST, OPEN, Tokens};
use crate::limit::Limits;

impl Tokens {
    /// Whether the stream is one object, and no deeper than allowed.
    #[inline(always)]
    pub(super) fn check<M: Machine>(&mut self, machine: M, limits: &Limits) -> bool {
        let count = self.count;
        // The room that `prepare` made; the last block of tokens is read as a whole, and must end with no tokens.
        if let Some(behind) = self.kinds.get_mut(count..count + 64) {
            behind.fill(0);
        }
        let Some(kinds) = self.kinds.get(..count.next_multiple_of(64)) else { return false };
        let Some(closing) = self.closing.get_mut(..kinds.len()) else { return false };
        let Some(open) = self.open.first_chunk_mut::<OPEN>() else { return false };
        if kinds.first() != Some(&b'{') || count == 0 || kinds.get(count - 1) != Some(&b'}') {
            return false;
        }
        let deepest = BASE + limits.depth.min(DEEPEST);
        let mut depth = BASE;
        // Around the whole event there is nothing: a place that no token has.
        open[BASE - 1] = u32::MAX;
        let mut bad = 0_u64;
        let mut unlike = 0_u64;
        // One bit for each open bracket, the innermost lowest: whether it is a brace.
        let mut braces = 0_u64;
        // Of the last block, as below. The first token is due by itself.
        let (mut last_begins, mut last_due, mut last_key_due, mut last_keys) = (0, 1 << 63, 0, 0);
        let (blocks, _) = kinds.as_chunks::<64>();
        let mut first = 0_u32;
        for block in blocks {
            let left = count - first as usize;
            let valid = if left >= 64 { !0 } else { !(!0 << left) };
            let vector = machine.load(block);
            let folded = machine.or(vector, 0x20);
            let begins = machine.equal(folded, b'{');
            let ends = machine.equal(folded, b'}');
            let (begin_object, end_object) = (machine.equal(vector, b'{'), machine.equal(vector, b'}'));
            let colons = machine.equal(vector, b':');
            let commas = machine.equal(vector, b',');
            let strings = machine.equal(vector, b'"');
            let mut brackets = begins | ends;
            if depth + begins.count_ones() as usize > deepest && too_deep(begins, ends, depth, deepest) {
                return false;
            }
            // Most containers have none inside, and most of those begin and end within these tokens: adding the place after
            // each opening bracket to what is no bracket leaves one bit at the next bracket.
            let leaf_ends = (begins << 1).wrapping_add(!brackets) & ends;
            let mut leaf_begins = 0;
            let mut left = leaf_ends;
            while left != 0 {
                let end = left.trailing_zeros();
                left &= left - 1;
                // INVARIANT: there is a bracket before it, else no bit would have come here.
                let begin = (brackets & !(!0 << end)).leading_zeros() ^ 63;
                leaf_begins |= 1 << (begin & 63);
                if let Some(closing) = closing.get_mut((first + begin) as usize) {
                    *closing = first + end;
                }
            }
            brackets ^= leaf_ends | leaf_begins;
            // The same addition once more, for objects alone, has to leave the same ends.
            let (leaf_objects, leaf_object_ends) = (leaf_begins & begin_object, leaf_ends & end_object);
            unlike |= leaf_ends & ((leaf_objects << 1).wrapping_add(!(begins | ends)) ^ end_object);
            // Per place: whether the innermost container after it is an object.
            let mut inside = 0_u64.wrapping_sub(braces & 1);
            while brackets != 0 {
                let place = brackets.trailing_zeros();
                brackets &= brackets - 1;
                let kind = u64::from(block[place as usize & 63]);
                // Of the bytes `{` `}` `[` `]`: whether it closes, and whether it is a brace.
                let (closes, brace) = (kind >> 2 & 1, kind >> 5 & 1);
                // The brackets of a pair must be of one kind.
                unlike |= closes & (braces ^ brace);
                braces = hint::select_unpredictable(closes == 1, braces >> 1, braces << 1 | brace);
                inside ^= (inside ^ 0_u64.wrapping_sub(braces & 1)) & (!0 << place);
                // An opening bracket is entered as the end of the one around it, too, until the true end comes; a closing
                // one is entered as open where the next one overwrites it.
                // INVARIANT of the indexes: `depth` began this block between BASE and BASE + DEEPEST, and changes by one
                // for each of at most 64 brackets, so cutting it changes nothing.
                let token = first + place;
                open[depth & (OPEN - 1)] = token;
                if let Some(closing) = closing.get_mut(open[(depth - 1) & (OPEN - 1)] as usize) {
                    *closing = token;
                }
                depth = depth + 1 - 2 * closes as usize;
            }
            if depth < BASE {
                return false;
            }
            // The difference of two bits are the bits between them, the lower one with them.
            inside &= !leaf_ends.wrapping_sub(leaf_begins);
            inside |= leaf_object_ends.wrapping_sub(leaf_objects);

            // After an opening bracket, a comma and a colon, and nowhere else, a value or key begins (or, after the
            // bracket, the container ends). Where a key is due, it is a string; after keys, and nowhere else, is a
            // colon. That leaves after a value nothing but commas and closing brackets.
            let due = begins | commas | colons;
            let key_due = begin_object | (commas & inside);
            let key_place = behind(key_due, last_key_due);
            let keys = key_place & strings;
            let values = !(ends | commas | colons);
            bad |= ((behind(due, last_due) ^ values) & !(ends & behind(begins, last_begins))) & valid;
            bad |= key_place & !(strings | ends);
            bad |= colons ^ behind(keys, last_keys);
            (last_begins, last_due, last_key_due, last_keys) = (begins, due, key_due, keys);
            first += 64;
        }
        // The first bracket ends with the last token: had it ended before, it would not be entered as open any more.
        bad == 0 && unlike == 0 && depth == BASE && closing.first() == Some(&(count as u32 - 1))
    }
}

/// Whether the nesting passes `deepest` somewhere among these brackets.
#[cold]
fn too_deep(begins: u64, ends: u64, mut depth: usize, deepest: usize) -> bool {
    let mut brackets = begins | ends;
    while brackets != 0 {
        let bracket = brackets & brackets.wrapping_neg();
        brackets ^= bracket;
        if begins & bracket == 0 {
            depth = depth.saturating_sub(1);
        } else {
            depth += 1;
        }
        if depth > deepest {
            return true;
        }
    }
    false
}
