//! Compiled matchers as bytes, for processes that live too short to compile, and for the browser.
//!
//! The form is a header (magic, version, settings, length, checksum) and the tables of the automaton one after the other, then keys and
//! patterns if there are any; all numbers little-endian. Another version of the form is another number; there is no reading of old ones, since compiling
//! the patterns again is always possible.

use std::fmt::{Display, Formatter};

use crate::automaton::{Automaton, Broken, Input};
use crate::base::{PatternId, seeded};
use crate::json::ReadPolicy;
use crate::limit::{Limit, Limits};
use crate::matcher::{Keys, Matcher};
use crate::pattern::{ParseOptions, Pattern};

/// What saved matchers begin with. The last byte shows damage by what takes them for text.
const MAGIC: [u8; 8] = *b"eventri\xEE";

/// The version of the form. To be raised with every change of a stored table.
const VERSION: u32 = 2;

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
    Pattern(usize),
}

/// What kind of fault a [`LoadError`] is.
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
    /// The matcher was saved with keys and is loaded without, or the reverse; or its keys are not of this type.
    Keys,
    /// A saved pattern is not one, or reaches a limit.
    Pattern,
}

impl LoadError {
    fn new(kind: LoadErrorKind, detail: Detail) -> LoadError {
        LoadError { kind, detail }
    }

    fn malformed(what: &'static str) -> LoadError {
        LoadError::new(LoadErrorKind::Malformed, Detail::Table(what))
    }

    /// The limit that was reached, if it was one.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        (self.kind == LoadErrorKind::Limit).then_some(Limit::TableBytes)
    }

    /// The kind of the error.
    #[must_use]
    pub fn kind(&self) -> LoadErrorKind {
        self.kind
    }
}

impl From<Broken> for LoadError {
    fn from(broken: Broken) -> LoadError {
        LoadError::malformed(broken.0)
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
            (LoadErrorKind::Keys, Detail::Table(what)) => write!(f, "the saved matcher cannot be loaded: {what}"),
            (LoadErrorKind::Pattern, Detail::Pattern(position)) => {
                write!(f, "the text of pattern {position} in the saved matcher is not a pattern")
            }
            (LoadErrorKind::Malformed, Detail::Table(what)) => write!(f, "the saved matcher is malformed: {what}"),
            (LoadErrorKind::Limit, Detail::Limit(taken, limit)) => {
                write!(f, "the tables take {taken} bytes: the limit `table_bytes` is {limit}")
            }
            (_, _) => f.write_str("the saved matcher cannot be loaded"),
        }
    }
}

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

impl<K: SavedKey> Matcher<K> {
    /// The compiled patterns as bytes, to be loaded by the same version of this library on any machine: with
    /// [`Matcher::from_bytes`] if the keys are positions, otherwise with [`Matcher::keyed_from_bytes`]. The
    /// [`ReadPolicy`], the keys and [kept](crate::MatcherBuilder::keep_patterns) patterns are part of them, [`Limits`] are
    /// not. Linear in the tables.
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
        let keys = self.key_table();
        let mut bytes = Vec::with_capacity(HEADER + self.memory_usage());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        let settings =
            Settings { policy: self.read_policy(), keyed: keys.is_keyed(), patterns: keys.patterns().is_some() };
        bytes.extend_from_slice(&settings.to_word().to_le_bytes());
        bytes.extend_from_slice(&[0; 16]);
        self.automaton().save(&mut bytes);
        if keys.is_keyed() {
            write_word(&mut bytes, keys.list().len());
            let mut key_bytes = Vec::new();
            for (place, key) in keys.list().iter().enumerate() {
                key_bytes.clear();
                key.write(&mut key_bytes);
                write_bytes(&mut bytes, &key_bytes);
                write_word(&mut bytes, keys.range_of(place).len());
            }
        }
        for pattern in keys.patterns().unwrap_or(&[]) {
            write_bytes(&mut bytes, pattern.dialect().name().as_bytes());
            write_bytes(&mut bytes, pattern.source().as_bytes());
        }
        seal(&mut bytes);
        bytes.shrink_to_fit();
        bytes
    }
}

impl<K: SavedKey + Ord> Matcher<K> {
    /// Loads what [`Matcher::to_bytes`] saved of a matcher with keys.
    ///
    /// ```
    /// use eventrie::{Dialect, Limits, Matcher, Pattern, Scratch};
    /// let red = Pattern::parse(r#"{"color":["red"]}"#, Dialect::EventBridge)?;
    /// let matcher = Matcher::builder().keep_patterns(true).build_keyed([("red".to_owned(), red)])?;
    ///
    /// let loaded = Matcher::<String>::keyed_from_bytes(&matcher.to_bytes(), &Limits::default())?;
    /// assert_eq!(loaded.matches(r#"{"color":"red"}"#, &mut Scratch::default())?.to_vec(), ["red"]);
    /// assert!(!loaded.patterns_of(&"red".to_owned())[0].explain(r#"{"color":"blue"}"#)?.matched());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matcher::from_bytes`]; and if the matcher was saved without keys, or with keys of another type or order.
    pub fn keyed_from_bytes(bytes: &[u8], limits: &Limits) -> Result<Matcher<K>, LoadError> {
        let (matcher, settings, mut rest) = load(bytes, limits)?;
        if !settings.keyed {
            let what = "it was saved without keys, which `Matcher::from_bytes` loads";
            return Err(LoadError::new(LoadErrorKind::Keys, Detail::Table(what)));
        }
        let count = rest.word()?;
        let (mut list, mut owners): (Vec<K>, Vec<u32>) = (Vec::new(), Vec::new());
        for place in 0..count {
            let key = K::read(rest.bytes()?);
            let key = key.ok_or(LoadError::new(LoadErrorKind::Keys, Detail::Table("a key is not of this type")))?;
            if list.last().is_some_and(|last| *last >= key) {
                let what = "its keys do not ascend in the order of this type";
                return Err(LoadError::new(LoadErrorKind::Keys, Detail::Table(what)));
            }
            list.push(key);
            let patterns = rest.word()? as usize;
            if patterns == 0 || patterns > matcher.len() - owners.len() {
                return Err(LoadError::malformed("keys and patterns differ in number"));
            }
            owners.resize(owners.len() + patterns, place);
        }
        if owners.len() != matcher.len() {
            return Err(LoadError::malformed("keys and patterns differ in number"));
        }
        let patterns = rest.patterns(settings, matcher.len(), limits)?;
        rest.end()?;
        Ok(matcher.with_keys(Keys::grouped(list, owners, patterns)))
    }
}

impl Matcher {
    /// Loads what [`Matcher::to_bytes`] saved, with the default [`Limits`]. Several times faster than compiling the patterns;
    /// linear in the bytes, but for sorting.
    ///
    /// Everything is checked, so that bytes from anywhere are either refused or make a matcher that works: it takes memory
    /// in proportion to the bytes, and never panics. What it *means* is up to the one who wrote the bytes, as the checksum
    /// is no signature.
    ///
    /// # Errors
    /// If the bytes are not those of a saved matcher, were saved in another version of the form or with keys, are damaged,
    /// or reach a limit.
    pub fn from_bytes(bytes: &[u8]) -> Result<Matcher, LoadError> {
        Matcher::from_bytes_with(bytes, &Limits::default())
    }

    /// Loads what [`Matcher::to_bytes`] saved, with bounds for matching and for the tables.
    ///
    /// ```
    /// use eventrie::{Limit, Limits, Matcher};
    /// let bytes = Matcher::new([])?.to_bytes();
    /// let limits = Limits::default().table_bytes(10);
    /// assert_eq!(Matcher::from_bytes_with(&bytes, &limits).unwrap_err().limit(), Some(Limit::TableBytes));
    /// # Ok::<(), eventrie::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Matcher::from_bytes`].
    pub fn from_bytes_with(bytes: &[u8], limits: &Limits) -> Result<Matcher, LoadError> {
        let (matcher, settings, mut rest) = load(bytes, limits)?;
        if settings.keyed {
            let what = "it was saved with keys, which `Matcher::keyed_from_bytes` loads";
            return Err(LoadError::new(LoadErrorKind::Keys, Detail::Table(what)));
        }
        let patterns = rest.patterns(settings, matcher.len(), limits)?;
        rest.end()?;
        Ok(matcher.with_keys(Keys::positions(patterns)))
    }
}

/// The tables; what follows them is still to be read.
fn load<'b>(bytes: &'b [u8], limits: &Limits) -> Result<(Matcher, Settings, Rest<'b>), LoadError> {
    use LoadErrorKind::{Checksum, Length, Limit, NotSaved, Version};
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
    let settings = Settings::of_word(settings).ok_or(LoadError::malformed("the settings are unknown"))?;
    let mut input = Input::new(tables, seeded(None));
    let automaton = Automaton::load(&mut input, limits)?;
    let rest = Rest(input.rest());
    let matcher = Matcher::of(automaton, settings.policy, limits);
    let taken = matcher.memory_usage();
    if taken > limits.table_bytes {
        return Err(LoadError::new(Limit, Detail::Limit(taken, limits.table_bytes)));
    }
    Ok((matcher, settings, rest))
}

/// What follows the tables: keys and patterns.
struct Rest<'b>(&'b [u8]);

impl<'b> Rest<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], LoadError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or(LoadError::malformed("keys or patterns are cut off"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, LoadError> {
        let word = self.take(4)?.first_chunk().copied().unwrap_or_default();
        Ok(u32::from_le_bytes(word))
    }

    fn bytes(&mut self) -> Result<&'b [u8], LoadError> {
        let length = self.word()?;
        self.take(length as usize)
    }

    fn patterns(
        &mut self,
        settings: Settings,
        count: usize,
        limits: &Limits,
    ) -> Result<Option<Box<[Pattern]>>, LoadError> {
        if !settings.patterns {
            return Ok(None);
        }
        let mut patterns: Vec<Pattern> = Vec::new();
        for position in 0..count {
            let dialect = std::str::from_utf8(self.bytes()?).ok().and_then(|name| name.parse().ok());
            let text = std::str::from_utf8(self.bytes()?).ok();
            let pattern = dialect.zip(text).and_then(|(dialect, text)| {
                let options = ParseOptions::new(dialect).limits(limits.clone());
                Pattern::parse_with(text, &options).ok()
            });
            let pattern = pattern.ok_or(LoadError::new(LoadErrorKind::Pattern, Detail::Pattern(position)))?;
            let same = patterns.first().is_none_or(|first| first.dialect().family() == pattern.dialect().family());
            if !same {
                return Err(LoadError::malformed("patterns of several services are mixed"));
            }
            patterns.push(pattern);
        }
        Ok(Some(patterns.into()))
    }

    fn end(&self) -> Result<(), LoadError> {
        if self.0.is_empty() { Ok(()) } else { Err(LoadError::malformed("there are bytes after the last table")) }
    }
}

fn write_word(to: &mut Vec<u8>, word: usize) {
    // INVARIANT: ids of patterns fit in 32 bits, and so do the lengths of texts that spans point into; a longer key of the
    // caller is cut off by its own length and refused when it is loaded.
    to.extend_from_slice(&u32::try_from(word).unwrap_or(u32::MAX).to_le_bytes());
}

fn write_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    write_word(to, bytes.len());
    to.extend_from_slice(bytes);
}

/// What the header says beside lengths.
#[derive(Clone, Copy)]
struct Settings {
    policy: ReadPolicy,
    keyed: bool,
    patterns: bool,
}

impl Settings {
    fn to_word(self) -> u32 {
        let policy = match self.policy {
            ReadPolicy::Whole => 0,
            ReadPolicy::Early => 1,
        };
        policy | u32::from(self.keyed) << 1 | u32::from(self.patterns) << 2
    }

    fn of_word(word: u32) -> Option<Settings> {
        let policy = if word & 1 == 0 { ReadPolicy::Whole } else { ReadPolicy::Early };
        let bit = |at: u32| word >> at & 1 != 0;
        (word < 8).then_some(Settings { policy, keyed: bit(1), patterns: bit(2) })
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
