//! Tables to bytes and back, one table at a time.

use crate::base::{Groups, Id, Key, Optional, Seeded, Table};

/// Stored bytes that are not valid: which part of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) &'static str);

/// An error unless the condition is true.
pub(super) fn require(holds: bool, what: &'static str) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(what)) }
}

/// Stored bytes that are still to be read.
pub(crate) struct Input<'a> {
    rest: &'a [u8],
    /// Of the hash tables: nobody who wrote the bytes can know it.
    pub(super) seeded: Seeded,
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8], seeded: Seeded) -> Input<'a> {
        Input { rest: bytes, seeded }
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Broken> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Broken("a table is cut off"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, Broken> {
        let word = self.take(4)?.try_into().map_err(|_| Broken("a table is cut off"))?;
        Ok(u32::from_le_bytes(word))
    }

    /// What is still to be read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

/// What is stored.
pub(super) trait Stored: Sized {
    fn save(&self, to: &mut Vec<u8>);
    /// Reads it, and checks what can be checked without other tables.
    fn load(from: &mut Input<'_>) -> Result<Self, Broken>;
}

/// An entry of a table, as a few words.
pub(super) trait Flat: Sized {
    fn save_all(entries: &[Self], to: &mut Vec<u8>);
    fn load_all(count: usize, from: &mut Input<'_>) -> Result<Vec<Self>, Broken>;
}

impl<T: Flat> Stored for Vec<T> {
    fn save(&self, to: &mut Vec<u8>) {
        save_entries(self, to);
    }

    fn load(from: &mut Input<'_>) -> Result<Vec<T>, Broken> {
        let count = from.word()?;
        T::load_all(count as usize, from)
    }
}

impl<I: Key, T: Flat> Stored for Table<I, T> {
    fn save(&self, to: &mut Vec<u8>) {
        save_entries(self.as_slice(), to);
    }

    fn load(from: &mut Input<'_>) -> Result<Table<I, T>, Broken> {
        Vec::load(from).map(Table::from)
    }
}

impl<I: Key, J: Key, T: Flat> Stored for Groups<I, J, T> {
    fn save(&self, to: &mut Vec<u8>) {
        self.ends.save(to);
        self.entries.save(to);
    }

    fn load(from: &mut Input<'_>) -> Result<Groups<I, J, T>, Broken> {
        Ok(Groups { ends: Stored::load(from)?, entries: Stored::load(from)? })
    }
}

fn save_entries<T: Flat>(entries: &[T], to: &mut Vec<u8>) {
    // INVARIANT: ids of all tables fit in 32 bits, and so do their lengths.
    to.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    T::save_all(entries, to);
}

impl Flat for u8 {
    fn save_all(entries: &[u8], to: &mut Vec<u8>) {
        to.extend_from_slice(entries);
    }

    fn load_all(count: usize, from: &mut Input<'_>) -> Result<Vec<u8>, Broken> {
        from.take(count).map(<[u8]>::to_vec)
    }
}

/// Which words an entry is stored as, and how it is made of them. Type parameters come first, in brackets.
macro_rules! flat {
    ($([$($of:ident $(: $bound:path)?),*] $type:ty: $count:literal, |$entry:ident| [$($word:expr),*], |[$($name:ident),*]| $make:expr;)*) => {$(
        impl<$($of $(: $bound)?),*> Flat for $type {
            fn save_all(entries: &[$type], to: &mut Vec<u8>) {
                to.reserve(entries.len() * $count * 4);
                for $entry in entries {
                    let words: [u32; $count] = [$($word),*];
                    to.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
                }
            }

            fn load_all(count: usize, from: &mut Input<'_>) -> Result<Vec<$type>, Broken> {
                let bytes = from.take(count.checked_mul($count * 4).ok_or(Broken("a table is cut off"))?)?;
                let entries = bytes.as_chunks::<4>().0.as_chunks::<$count>().0.iter();
                Ok(entries.map(|words| { let [$($name),*] = words.map(u32::from_le_bytes); $make }).collect())
            }
        }
    )*};
}

pub(super) use flat;

flat! {
    [] u32: 1, |word| [*word], |[word]| word;
    [] (u32, u32): 2, |pair| [pair.0, pair.1], |[first, second]| (first, second);
    [T] Id<T>: 1, |id| [id.raw()], |[word]| Id::from_raw(word);
}

impl<T> Stored for Id<T> {
    fn save(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.raw().to_le_bytes());
    }

    fn load(from: &mut Input<'_>) -> Result<Id<T>, Broken> {
        from.word().map(Id::from_raw)
    }
}

impl<T> Stored for Optional<Id<T>> {
    fn save(&self, to: &mut Vec<u8>) {
        to.extend_from_slice(&self.to_word().to_le_bytes());
    }

    fn load(from: &mut Input<'_>) -> Result<Optional<Id<T>>, Broken> {
        from.word().map(Optional::from_word)
    }
}
