//! Skips to the end of a value, by its quotes and brackets alone.

use super::machine::Machine;
use super::scan;

/// See [`Finder::container_end`](crate::json::strings::Finder::container_end).
#[inline(always)]
pub(super) fn container<M: Machine>(machine: M, text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 1;
    let mut escaped = 0;
    let mut in_string_before = 0_u64;
    let mut base = at;
    let mut last = [b' '; 64];
    loop {
        let rest = text.get(base..)?;
        let bytes = match rest.first_chunk::<64>() {
            Some(bytes) => bytes,
            None if rest.is_empty() => return None,
            None => {
                last.get_mut(..rest.len())?.copy_from_slice(rest);
                &last
            }
        };
        let vector = machine.load(bytes);
        let quote = machine.equal(vector, b'"');
        let backslash = machine.equal(vector, b'\\');
        let quotes = if backslash | escaped == 0 { quote } else { quote & !scan::escapes(backslash, &mut escaped) };
        let in_string = machine.running_xor(quotes) ^ in_string_before;
        if backslash & !in_string != 0 {
            // Outside strings a backslash escapes nothing. No event has that; the walk over bytes decides what follows.
            return None;
        }
        in_string_before = 0_u64.wrapping_sub(in_string >> 63);
        let braces = machine.or(vector, 0x20);
        let begins = machine.equal(braces, b'{') & !in_string;
        let mut ends = machine.equal(braces, b'}') & !in_string;
        if (ends.count_ones() as usize) < depth {
            depth = depth + begins.count_ones() as usize - ends.count_ones() as usize;
        } else {
            // The end may lie in this block: where so many brackets have closed as were open or opened before.
            let mut closed = 0;
            while ends != 0 {
                let place = ends.trailing_zeros();
                closed += 1;
                let opened = (begins & ((1_u64 << place) - 1)).count_ones() as usize;
                if depth + opened == closed {
                    return Some(base + place as usize + 1);
                }
                ends &= ends - 1;
            }
            depth = depth + begins.count_ones() as usize - closed;
        }
        base += 64;
    }
}
