//! The hasher of all tables whose keys come from outside.

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use foldhash::SharedSeed;

/// Hashes with secret words, so nobody outside can choose keys that collide.
pub(crate) type Seeded = foldhash::fast::SeedableRandomState;

/// A hasher of its own for each matcher. Its secrets are the words that are multiplied with what is hashed, which the
/// process draws once, and a start that is drawn anew with each call. A `seed` from the user fixes both: the same tables in
/// every process, and anyone who knows the seed can choose keys that collide.
pub(crate) fn seeded(seed: Option<u64>) -> Seeded {
    static SHARED: LazyLock<SharedSeed> = LazyLock::new(|| SharedSeed::from_u64(random()));
    match seed {
        Some(seed) => Seeded::with_seed(seed, SharedSeed::global_fixed()),
        None => Seeded::with_seed(random(), &SHARED),
    }
}

/// Unpredictable where the platform has randomness: the standard library draws it from the system. (WebAssembly in a
/// browser has none.)
fn random() -> u64 {
    std::hash::RandomState::new().build_hasher().finish()
}

/// The one hash of the tables: an owner (a number that belongs to the identity), and bytes.
#[inline]
pub(crate) fn hash(seeded: &Seeded, owner: u64, bytes: &[u8]) -> u64 {
    let mut hasher = seeded.build_hasher();
    hasher.write_u64(owner);
    hasher.write(bytes);
    hasher.finish()
}
