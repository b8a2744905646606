//! How operands that are not text are written as bytes.

use crate::value::{Family, NumberKey};

/// An address as the operand of a test.
pub(crate) fn address_operand(family: Family, bits: u128) -> impl Iterator<Item = u8> {
    std::iter::once(family as u8).chain(bits.to_le_bytes())
}

/// The two ends of a range, as the operand of a test keeps them.
pub(crate) fn range_operand(operand: &[u8]) -> Option<(NumberKey, NumberKey)> {
    let (low, high) = operand.split_first_chunk::<8>()?;
    let key = |bytes: &[u8; 8]| NumberKey::from_bits(u64::from_le_bytes(*bytes));
    Some((key(low), key(high.first_chunk()?)))
}

/// The ends of a block, as the operand of a test keeps them.
pub(crate) fn block_operand(operand: &[u8]) -> Option<(Family, u128, u128)> {
    let (family, ends) = operand.split_first()?;
    let (low, high) = ends.split_first_chunk::<16>()?;
    let family = if *family == Family::V4 as u8 { Family::V4 } else { Family::V6 };
    Some((family, u128::from_le_bytes(*low), u128::from_le_bytes(*high.first_chunk()?)))
}
