//! Compiled matchers as bytes, for short-lived processes and for the browser.
//!
//! The form is a header (magic, version, settings, length, checksum) and the tables of the automaton one after the other,
//! then keys and patterns if there are any; all numbers little-endian. Another version of the form is another number; there
//! is no reading of old ones, since compiling the patterns again is always possible.

mod error;
mod form;
mod keys;
#[cfg(test)]
mod tests;

use crate::automaton::{Automaton, Input};
use crate::base::seeded;
use crate::limit::Limits;
use crate::matcher::{Keys, Matcher};
use error::Detail;
pub use error::{LoadError, LoadErrorKind};
pub(crate) use form::seal;
use form::{HEADER, MAGIC, Rest, Settings, VERSION, checksum, write_bytes, write_word};
pub use keys::SavedKey;

impl<K: SavedKey> Matcher<K> {
    /// The compiled patterns as bytes, to be loaded by the same version of this library on any machine: with
    /// [`Matcher::from_bytes`] if the keys are positions, otherwise with [`Matcher::keyed_from_bytes`]. The
    /// [`ReadPolicy`](crate::event::ReadPolicy), the keys and [kept](crate::MatcherBuilder::keep_patterns) patterns are part
    /// of them, [`Limits`] are not. Linear in the tables.
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
    /// Everything is checked, so bytes from anywhere are either refused or make a matcher that works: it takes memory
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
        return Err(LoadError::new(Version, Detail::Version { found: version, expected: VERSION }));
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
