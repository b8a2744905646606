//! Keys that can be saved with a matcher.

use crate::base::PatternId;

/// A key that can be saved with a matcher and loaded again.
///
/// Implemented for strings, integers and bytes. The order of keys must not change between saving and loading.
///
/// ```
/// use eventrie::saved::SavedKey;
/// #[derive(PartialEq, Eq, PartialOrd, Ord)]
/// struct Tenant(u64);
///
/// impl SavedKey for Tenant {
///     fn write(&self, to: &mut Vec<u8>) {
///         self.0.write(to);
///     }
///     fn read(bytes: &[u8]) -> Option<Tenant> {
///         u64::read(bytes).map(Tenant)
///     }
/// }
/// # let mut bytes = Vec::new();
/// # Tenant(3).write(&mut bytes);
/// # assert!(Tenant::read(&bytes) == Some(Tenant(3)) && Tenant::read(b"x").is_none());
/// ```
pub trait SavedKey: Sized {
    /// Appends the key's bytes.
    fn write(&self, to: &mut Vec<u8>);
    /// The key that these bytes are; none if they are not one.
    fn read(bytes: &[u8]) -> Option<Self>;
}

macro_rules! strings {
    ($($type:ty),*) => {$(
        impl SavedKey for $type {
            fn write(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(self.as_bytes());
            }

            fn read(bytes: &[u8]) -> Option<$type> {
                std::str::from_utf8(bytes).ok().map(Into::into)
            }
        }
    )*};
}
strings!(String, Box<str>, std::rc::Rc<str>, std::sync::Arc<str>);

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl SavedKey for $type {
            fn write(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Option<$type> {
                bytes.try_into().ok().map(<$type>::from_le_bytes)
            }
        }
    )*};
}
integers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);

impl SavedKey for Vec<u8> {
    fn write(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(self);
    }

    fn read(bytes: &[u8]) -> Option<Vec<u8>> {
        Some(bytes.to_vec())
    }
}

impl SavedKey for PatternId {
    fn write(&self, to: &mut Vec<u8>) {
        (self.index() as u64).write(to);
    }

    fn read(bytes: &[u8]) -> Option<PatternId> {
        PatternId::from_index(usize::try_from(u64::read(bytes)?).ok()?)
    }
}
