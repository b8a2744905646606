//! Internet addresses as text, and blocks of them.

use std::net::Ipv6Addr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Family {
    V4,
    V6,
}

/// An address; one of family `V4` lies in the low 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address {
    pub(crate) family: Family,
    pub(crate) bits: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressError {
    /// The text does not have the shape of an address.
    Nonstandard,
    /// It has the shape, but a part is out of range, or there are too many.
    Invalid,
}

impl Address {
    /// Reads `d.d.d.d` (leading zeros allowed) or colon-hexadecimal; a mapped IPv4 address becomes the IPv4 address.
    pub(crate) fn parse(text: &[u8]) -> Result<Address, AddressError> {
        // Most strings show by their first byte that they are not one.
        if !text.first().is_some_and(|byte| byte.is_ascii_hexdigit() || *byte == b':') {
            return Err(AddressError::Nonstandard);
        }
        if text.contains(&b':') && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b':') {
            let address: Ipv6Addr =
                std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).ok_or(AddressError::Invalid)?;
            return Ok(match address.to_ipv4_mapped() {
                Some(mapped) => Address { family: Family::V4, bits: u128::from(mapped.to_bits()) },
                None => Address { family: Family::V6, bits: address.to_bits() },
            });
        }
        let mut parts = text.split(|byte| *byte == b'.');
        let shape = (&mut parts).take(4).filter(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit)).count();
        if shape != 4 || parts.next().is_some() {
            return Err(AddressError::Nonstandard);
        }
        if text.len() > 15 {
            return Err(AddressError::Invalid);
        }
        let mut bits = 0;
        for part in text.split(|byte| *byte == b'.') {
            let value = part.iter().fold(0_u128, |value, digit| value * 10 + u128::from(digit - b'0'));
            if value > 255 {
                return Err(AddressError::Invalid);
            }
            bits = bits << 8 | value;
        }
        Ok(Address { family: Family::V4, bits })
    }
}

/// All addresses of one family from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AddressBlock {
    pub(crate) family: Family,
    pub(crate) low: u128,
    pub(crate) high: u128,
}

/// Why a string is not an address block, in the order in which it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockError {
    NoSlash,
    BitsNotInteger,
    BitsNegative,
    Address(AddressError),
    /// More bits than the family takes; 32 and 128 are too many.
    TooManyBits(Family),
}

impl AddressBlock {
    /// Reads `address/bits`; bits of the host are ignored.
    pub(crate) fn parse(text: &str) -> Result<AddressBlock, BlockError> {
        // As the service's `split`: empty parts at the end do not count.
        let Some((address, bits)) = text.trim_end_matches('/').split_once('/') else { return Err(BlockError::NoSlash) };
        if bits.contains('/') {
            return Err(BlockError::NoSlash);
        }
        let bits: i32 = bits.parse().map_err(|_| BlockError::BitsNotInteger)?;
        let bits = u32::try_from(bits).map_err(|_| BlockError::BitsNegative)?;
        let address = Address::parse(address.as_bytes()).map_err(BlockError::Address)?;
        let width = match address.family {
            Family::V4 => 32,
            Family::V6 => 128,
        };
        if bits >= width {
            return Err(BlockError::TooManyBits(address.family));
        }
        let host = u128::MAX >> (128 - width + bits);
        Ok(AddressBlock { family: address.family, low: address.bits & !host, high: address.bits | host })
    }

    pub(crate) fn contains(&self, address: Address) -> bool {
        self.family == address.family && self.low <= address.bits && address.bits <= self.high
    }

    /// The address part of an operand, for messages.
    pub(crate) fn address_part(text: &str) -> &str {
        text.split('/').next().unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, AddressBlock, AddressError, BlockError, Family};

    fn inside(block: &str, address: &str) -> bool {
        AddressBlock::parse(block).unwrap().contains(Address::parse(address.as_bytes()).unwrap())
    }

    #[test]
    fn spellings_of_one_address() {
        let parse = |text: &str| Address::parse(text.as_bytes());
        assert_eq!(parse("10.0.0.1"), parse("010.000.0.01"));
        assert_eq!(parse("10.0.0.1"), parse("::ffff:0a00:0001"));
        assert_eq!(parse("::1"), parse("0:0:0:0:0:0:0:1"));
        for text in ["10.0.0", "1.2.3.4.5", "a.b.c.d", "", "::ffff:10.0.0.0", "fe80::1%eth0", "1..2.3"] {
            assert_eq!(parse(text), Err(AddressError::Nonstandard), "{text}");
        }
        for text in ["256.0.0.0", "0000010.00.0.0000", ":", "1:2", "12345::"] {
            assert_eq!(parse(text), Err(AddressError::Invalid), "{text}");
        }
    }

    #[test]
    fn blocks() {
        assert!(inside("10.0.0.77/24", "10.0.0.1") && inside("10.0.0.0/24", "::ffff:a00:3"));
        assert!(inside("2001:db8::/32", "2001:DB8:0::1") && inside("10.0.0.0/+08", "10.1.1.1"));
        assert!(inside("0.0.0.0/0", "255.255.255.255") && inside("10.0.0.0/8/", "10.1.1.1"));
        assert!(!inside("0.0.0.0/0", "2001:db8::1") && !inside("::/0", "10.0.0.1"));
        for (text, error) in [
            ("10.0.0.0/32", BlockError::TooManyBits(Family::V4)),
            ("::1/128", BlockError::TooManyBits(Family::V6)),
            ("::ffff:a00:0/104", BlockError::TooManyBits(Family::V4)),
            ("10.0.0.0", BlockError::NoSlash),
            ("10.0.0.0//8", BlockError::NoSlash),
            ("/", BlockError::NoSlash),
            ("10.0.0.0/x", BlockError::BitsNotInteger),
            ("10.0.0.0/-1", BlockError::BitsNegative),
            ("256.0.0.0/8", BlockError::Address(AddressError::Invalid)),
        ] {
            assert_eq!(AddressBlock::parse(text), Err(error), "{text}");
        }
    }
}
