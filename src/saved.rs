//! Compiled matchers as bytes, for processes that live too short to compile, and for the browser.
//!
//! The form is a header (magic, version, settings, length, checksum) and the tables of the automaton one behind the other, all
//! numbers little-endian. Another version of the form is another number; there is no reading of old ones, since compiling
//! the patterns again is always possible.

use std::fmt::{Display, Formatter};

use crate::automaton::{Automaton, Broken, Input};
use crate::base::seeded;
use crate::json::ReadPolicy;
use crate::limit::Limits;
use crate::matcher::Matcher;

/// What saved matchers begin with. The last byte shows damage by what takes them for text.
const MAGIC: [u8; 8] = *b"eventri\xEE";

/// The version of the form. To be raised with every change of a stored table.
const VERSION: u32 = 1;

/// Magic, version, settings, length of the tables, checksum.
const HEADER: usize = 8 + 4 + 4 + 8 + 8;

/// Why bytes could not be loaded as a matcher.
///
/// ```
/// use eventrie::saved::LoadErrorKind;
/// use eventrie::Matcher;
/// let error = Matcher::from_bytes(b"{}").unwrap_err();
/// assert_eq!(error.kind(), LoadErrorKind::NotSaved);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    kind: LoadErrorKind,
    detail: Detail,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Detail {
    Nothing,
    Version(u32),
    Lengths(u64, u64),
    Table(&'static str),
    Limit(usize, usize),
}

/// The kinds of [`LoadError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The bytes do not begin as a saved matcher does.
    NotSaved,
    /// They were saved in another version of the form: the patterns have to be compiled again.
    Version,
    /// There are fewer or more bytes than were saved.
    Length,
    /// The bytes were changed since they were saved.
    Checksum,
    /// The tables make no sense, although the checksum is right: something else wrote them.
    Malformed,
    /// [`Limits::table_bytes`] was reached.
    Limit,
}

impl LoadError {
    fn new(kind: LoadErrorKind, detail: Detail) -> LoadError {
        LoadError { kind, detail }
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> LoadErrorKind {
        self.kind
    }
}

impl From<Broken> for LoadError {
    fn from(broken: Broken) -> LoadError {
        LoadError::new(LoadErrorKind::Malformed, Detail::Table(broken.0))
    }
}

impl std::error::Error for LoadError {}

impl Display for LoadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match (self.kind, &self.detail) {
            (LoadErrorKind::NotSaved, _) => f.write_str("the bytes are no saved matcher"),
            (LoadErrorKind::Version, Detail::Version(version)) => {
                write!(f, "the matcher was saved in version {version} of the form, this is version {VERSION}")
            }
            (LoadErrorKind::Length, Detail::Lengths(found, expected)) => {
                write!(f, "the saved matcher has {found} bytes instead of {expected}")
            }
            (LoadErrorKind::Checksum, _) => f.write_str("the saved matcher was damaged: its checksum differs"),
            (LoadErrorKind::Malformed, Detail::Table(what)) => write!(f, "the saved matcher is malformed: {what}"),
            (LoadErrorKind::Limit, Detail::Limit(taken, limit)) => {
                write!(f, "the tables take {taken} bytes: the limit `table_bytes` is {limit}")
            }
            (_, _) => f.write_str("the saved matcher cannot be loaded"),
        }
    }
}

impl Matcher {
    /// The compiled patterns as bytes, to be loaded by [`Matcher::from_bytes`] of the same version of this library, on any
    /// machine. The [`ReadPolicy`] is part of them, [`Limits`] and the texts of the patterns are not. Linear in the tables.
    ///
    /// ```
    /// use eventrie::{Dialect, Matcher, Pattern, Scratch};
    /// let pattern = Pattern::parse(r#"{"state":["running",{"prefix":"stop"}]}"#, Dialect::EventBridge)?;
    /// let bytes = Matcher::new([pattern])?.to_bytes();
    ///
    /// let matcher = Matcher::from_bytes(&bytes)?;
    /// assert!(matcher.is_match(r#"{"state":"stopped"}"#, &mut Scratch::default())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.memory_usage());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&settings(self.read_policy()).to_le_bytes());
        bytes.extend_from_slice(&[0; 16]);
        self.automaton().save(&mut bytes);
        seal(&mut bytes);
        bytes.shrink_to_fit();
        bytes
    }

    /// Loads what [`Matcher::to_bytes`] saved, with the default [`Limits`]. Several times faster than compiling the patterns;
    /// linear in the bytes, but for sorting.
    ///
    /// Everything is checked, so that bytes from anywhere are either refused or make a matcher that works: it takes memory
    /// in proportion to the bytes, and never panics. What it *means* is up to whoever wrote the bytes, as the checksum is
    /// no signature.
    ///
    /// # Errors
    /// If the bytes are not those of a saved matcher, were saved in another version of the form, are damaged, or reach a
    /// limit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Matcher, LoadError> {
        Matcher::from_bytes_with(bytes, &Limits::default())
    }

    /// Loads what [`Matcher::to_bytes`] saved, with bounds for matching and for the tables.
    ///
    /// ```
    /// use eventrie::saved::LoadErrorKind;
    /// use eventrie::{Limits, Matcher};
    /// let bytes = Matcher::new([])?.to_bytes();
    /// let limits = Limits::default().table_bytes(10);
    /// assert_eq!(Matcher::from_bytes_with(&bytes, &limits).unwrap_err().kind(), LoadErrorKind::Limit);
    /// # Ok::<(), eventrie::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matcher::from_bytes`].
    pub fn from_bytes_with(bytes: &[u8], limits: &Limits) -> Result<Matcher, LoadError> {
        use LoadErrorKind::{Checksum, Length, Limit, Malformed, NotSaved, Version};
        let rest = bytes.strip_prefix(&MAGIC).ok_or(LoadError::new(NotSaved, Detail::Nothing))?;
        let short = || LoadError::new(Length, Detail::Lengths(bytes.len() as u64, HEADER as u64));
        let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let version = u32::from_le_bytes(*version);
        if version != VERSION {
            return Err(LoadError::new(Version, Detail::Version(version)));
        }
        let (settings, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        let (sum, tables) = rest.split_first_chunk::<8>().ok_or_else(short)?;
        let settings = u32::from_le_bytes(*settings);
        let length = u64::from_le_bytes(*length);
        if length != tables.len() as u64 {
            let expected = length.saturating_add(HEADER as u64);
            return Err(LoadError::new(Length, Detail::Lengths(bytes.len() as u64, expected)));
        }
        if u64::from_le_bytes(*sum) != checksum(settings, tables) {
            return Err(LoadError::new(Checksum, Detail::Nothing));
        }
        let policy = meaning(settings).ok_or(LoadError::new(Malformed, Detail::Table("the settings are unknown")))?;
        let mut input = Input::new(tables, seeded(None));
        let automaton = Automaton::load(&mut input, limits)?;
        input.end()?;
        let matcher = Matcher::of(automaton, policy, limits);
        let taken = matcher.memory_usage();
        if taken > limits.table_bytes {
            return Err(LoadError::new(Limit, Detail::Limit(taken, limits.table_bytes)));
        }
        Ok(matcher)
    }
}

fn settings(policy: ReadPolicy) -> u32 {
    match policy {
        ReadPolicy::Whole => 0,
        ReadPolicy::Early => 1,
    }
}

fn meaning(settings: u32) -> Option<ReadPolicy> {
    match settings {
        0 => Some(ReadPolicy::Whole),
        1 => Some(ReadPolicy::Early),
        _ => None,
    }
}

/// Sums up settings and tables. Each word goes into one of four lanes by steps that can be undone, so that whatever changes
/// within eight bytes, and stays within them, is always found; other damage slips through once in 2^64 times.
fn checksum(settings: u32, tables: &[u8]) -> u64 {
    const FACTORS: [u64; 4] =
        [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x85EB_CA77_C2B2_AE63];
    fn step(lane: &mut u64, word: [u8; 8], factor: u64) {
        *lane = (*lane ^ u64::from_le_bytes(word)).wrapping_mul(factor).rotate_left(29);
    }
    let mut lanes = FACTORS.map(|factor| factor ^ u64::from(settings));
    let (words, tail) = tables.as_chunks::<8>();
    let (rows, rest) = words.as_chunks::<4>();
    for row in rows {
        for ((lane, word), factor) in lanes.iter_mut().zip(row).zip(FACTORS) {
            step(lane, *word, factor);
        }
    }
    let mut last = [0; 8];
    last.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
    for ((lane, word), factor) in lanes.iter_mut().zip(rest.iter().chain([&last])).zip(FACTORS) {
        step(lane, *word, factor);
    }
    let length = tables.len() as u64;
    lanes.iter().zip(FACTORS).fold(length, |sum, (lane, factor)| {
        let mixed = (sum ^ lane).wrapping_mul(factor);
        mixed ^ mixed >> 32
    })
}

/// Writes the length and the checksum that belong to the rest, if there is a header to write them in.
pub(crate) fn seal(bytes: &mut [u8]) {
    if let Some((header, tables)) = bytes.split_first_chunk_mut::<HEADER>() {
        let [.., a, b, c, d] = header.first_chunk::<16>().copied().unwrap_or_default();
        let sum = checksum(u32::from_le_bytes([a, b, c, d]), tables);
        let words = [tables.len() as u64, sum].map(u64::to_le_bytes);
        header.iter_mut().skip(16).zip(words.as_flattened()).for_each(|(to, from)| *to = *from);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use proptest::prelude::*;

    use super::{HEADER, LoadErrorKind, VERSION, seal};
    use crate::dialect::Dialect;
    use crate::json::ReadPolicy;
    use crate::matcher::{Matcher, Scratch};
    use crate::pattern::Pattern;

    const EVENTS: [&str; 6] = [
        r#"{"a":"x1","b":{"c":"running","d":7},"ip":"10.0.0.3","n":5}"#,
        r#"{"a":["x2","K","stra\u00dfe.txt"],"b":[{"c":"stopped","d":1},{"c":"x","d":8}],"n":[1,2.5,null]}"#,
        r#"{"a":"prefix/7/logs/x.log","b":{"c":"s12","e":"q"},"n":-3}"#,
        r#"{"a":"ELSE","n":true,"b":{"d":"v3","c":"s3"}}"#,
        r#"{"b.c":"s5","a":"x5","b":{"d":"v5"}}"#,
        r#"{}"#,
    ];

    /// Every kind of test, lists long enough for each way of looking through them, buckets that dispatch.
    fn patterns() -> Vec<Pattern> {
        let mut texts: Vec<String> = [
            r#"{"a":["x1",{"prefix":"pre"},{"suffix":".log"},{"equals-ignore-case":"else"},{"exists":false}]}"#,
            r#"{"a":[{"prefix":{"equals-ignore-case":"PRE"}},{"suffix":{"equals-ignore-case":".TXT"}}]}"#,
            r#"{"a":[{"equals-ignore-case":"stra\u00dfe.txt"},{"prefix":{"equals-ignore-case":"\u212a"}}]}"#,
            r#"{"a":[{"anything-but":["x1","x2"]}],"n":[{"numeric":[">",0,"<",6]},null,true]}"#,
            r#"{"a":[{"anything-but":{"wildcard":"*/logs/*"}}],"b":{"c":[{"exists":true}]}}"#,
            r#"{"ip":[{"cidr":"10.0.0.0/24"},{"cidr":"2001:db8::/32"},"10.0.0.9"],"n":[5,12345678901234567890]}"#,
            r#"{"$or":[{"n":[5]},{"b":{"c":["running"]}}],"a":[{"wildcard":"x*1*"}]}"#,
        ]
        .map(str::to_owned)
        .into();
        let affixes = |kind: &str| (0..12).map(|n| format!(r#"{{"{kind}":"{n}x"}}"#)).collect::<Vec<_>>().join(",");
        texts.push(format!(r#"{{"a":[{},{}]}}"#, affixes("prefix"), affixes("suffix")));
        let wildcards: Vec<_> = (0..12).map(|n| format!(r#"{{"wildcard":"*/{n}/*x.*"}}"#)).collect();
        texts.push(format!(r#"{{"a":[{}]}}"#, wildcards.join(",")));
        let groups: Vec<_> = (0..6).map(|n| format!(r#"{{"$or":[{{"g{n}":[1]}},{{"h{n}":[2]}}]}}"#)).collect();
        texts.push(format!(
            r#"{{{}}}"#,
            groups.iter().enumerate().map(|(n, group)| format!(r#""o{n}":{group}"#)).collect::<Vec<_>>().join(",")
        ));
        for n in 0..40 {
            texts.push(format!(r#"{{"a":["x5"],"b":{{"c":["s{n}"],"d":["v{}",{n}]}}}}"#, n % 7));
            texts.push(format!(r#"{{"b":{{"c":[{{"prefix":"s{n}"}}],"d":[{{"numeric":["=",{n}]}}]}}}}"#));
        }
        texts.iter().map(|text| Pattern::parse(text, Dialect::EventBridge).unwrap()).collect()
    }

    fn matcher() -> &'static Matcher {
        static MATCHER: OnceLock<Matcher> = OnceLock::new();
        MATCHER.get_or_init(|| Matcher::new(patterns()).unwrap())
    }

    fn answers(matcher: &Matcher) -> Vec<Vec<usize>> {
        let mut scratch = Scratch::default();
        let mut ids = |event| {
            matcher
                .matches(event, &mut scratch)
                .map(|ids| ids.iter().map(|id| id.index()).collect())
                .unwrap_or_default()
        };
        EVENTS.iter().map(|event| ids(*event)).collect()
    }

    #[test]
    fn what_is_loaded_is_what_was_saved() {
        let bytes = matcher().to_bytes();
        let loaded = Matcher::from_bytes(&bytes).unwrap();
        assert_eq!(loaded.len(), matcher().len());
        // Hash tables that grew have room left.
        assert!(loaded.memory_usage() <= matcher().memory_usage());
        assert_eq!(answers(&loaded), answers(matcher()));
        assert!(answers(&loaded)[..4].iter().all(|ids| ids.len() > 1), "{:?}", answers(&loaded));
        // The seed of the hash tables differs, and leaves no trace.
        assert_eq!(loaded.to_bytes(), bytes);
        let empty = Matcher::builder().read_policy(ReadPolicy::Early).build([]).unwrap();
        let empty = Matcher::from_bytes(&empty.to_bytes()).unwrap();
        assert!(empty.is_empty() && empty.read_policy() == ReadPolicy::Early);
    }

    #[test]
    fn damage_is_found() {
        let bytes = matcher().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(Matcher::from_bytes(&damaged).is_err(), "byte {at}");
        }
        for length in (0..bytes.len()).step_by(7) {
            assert!(Matcher::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
        let kind = |bytes: &[u8]| Matcher::from_bytes(bytes).unwrap_err().kind();
        assert_eq!(kind(&[bytes.as_slice(), &[0]].concat()), LoadErrorKind::Length);
        let mut other = bytes.clone();
        other[8..12].copy_from_slice(&(VERSION + 1).to_le_bytes());
        assert_eq!(kind(&other), LoadErrorKind::Version);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: crate::testing::cases(2_000), ..ProptestConfig::default() })]

        #[test]
        fn hostile_tables_are_refused_or_harmless(
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..6, any::<u32>()), 1..4),
        ) {
            static SAVED: OnceLock<Vec<u8>> = OnceLock::new();
            let mut bytes = SAVED.get_or_init(|| matcher().to_bytes()).clone();
            let words = (bytes.len() - HEADER) / 4;
            for (place, how, value) in changes {
                let at = HEADER + place.index(words) * 4;
                let word = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
                let new = match how {
                    0 => value,
                    1 => value % 64,
                    2 => word.wrapping_add(1),
                    3 => word.wrapping_sub(1),
                    4 => u32::MAX,
                    _ => word ^ 1 << (value % 32),
                };
                bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
            }
            seal(&mut bytes);
            if let Ok(matcher) = Matcher::from_bytes(&bytes) {
                answers(&matcher);
                prop_assert!(matcher.memory_usage() < 40 * bytes.len());
            }
        }
    }
}
