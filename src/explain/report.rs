//! What an explanation consists of.

use crate::base::Span;
use crate::pattern::Pattern;

/// Why a pattern does or does not match an event: the verdict of each test, field and `$or` branch, the values that
/// were tested, and the nearest miss of what failed.
///
/// Its `Display` is prose with carets below the pattern and the event; with the feature `serde` it serializes to JSON
/// of a stable form.
///
/// ```
/// use eventrie::explain::MissKind;
/// use eventrie::{Dialect, Pattern};
/// let pattern = Pattern::parse(r#"{"detail":{"state":["running"]}}"#, Dialect::EventBridge)?;
/// let explanation = pattern.explain(br#"{"detail":{"state":"Running"}}"#)?;
/// assert!(!explanation.matched());
/// assert_eq!(
///     explanation.summary(),
///     r#"no match: `detail.state` is "Running", but the pattern expects "running": they differ only in case"#
/// );
/// let field = explanation.fields().next().unwrap();
/// assert_eq!(field.misses[0].kind, MissKind::LetterCase);
/// assert_eq!(field.values[0].place.pointer, "/detail/state");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    pub(super) pattern: Pattern,
    /// The event's text around what is shown of it.
    pub(super) event: Box<str>,
    pub(super) matched: bool,
    pub(super) summary: String,
    pub(super) help: Option<String>,
    /// The places of pattern and event that the summary is about.
    pub(super) pattern_place: Option<Span>,
    pub(super) event_place: Option<Place>,
    pub(super) root: BranchReport,
    pub(super) nearness: u32,
}

impl Explanation {
    /// Of an event that has no text to point at.
    pub(super) fn without_text(self) -> Explanation {
        Explanation { event: Box::default(), ..self }
    }

    /// Whether the pattern matches the event.
    #[must_use]
    pub fn matched(&self) -> bool {
        self.matched
    }

    /// One sentence: the verdict and its main cause.
    #[must_use]
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// What to do about the main cause, if there is advice.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The place in the pattern that the summary is about, if it is about one.
    #[must_use]
    pub fn pattern_place(&self) -> Option<Span> {
        self.pattern_place
    }

    /// The place in the event that the summary is about, if it is about one.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"a":["x"],"b":["y"]}"#, Dialect::EventBridge)?;
    /// let event = r#"{"a":"x","b":"Y"}"#;
    /// let explanation = pattern.explain(event.as_bytes())?;
    /// assert_eq!(explanation.event_place().map(|place| place.span.slice(event)), Some("\"Y\""));
    /// assert_eq!(explanation.pattern_place().map(|span| span.slice(pattern.source())), Some("[\"y\"]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn event_place(&self) -> Option<&Place> {
        self.event_place.as_ref()
    }

    /// The pattern that was explained.
    #[must_use]
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The whole pattern as a branch: its fields and `$or` groups.
    #[must_use]
    pub fn root(&self) -> &BranchReport {
        &self.root
    }

    /// How close the event comes to a match, in thousandths: 1,000 is a match. A field that matches, or nearly, counts
    /// more than one that is missing. In an `$or`, the closest branch counts.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let pattern = Pattern::parse(r#"{"a":["x"],"b":["y"]}"#, Dialect::EventBridge)?;
    /// assert_eq!(pattern.explain(br#"{"a":"x","b":"y"}"#)?.nearness(), 1_000);
    /// assert!(pattern.explain(br#"{"a":"x","b":"z"}"#)?.nearness() > pattern.explain(br#"{"a":"x"}"#)?.nearness());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearness(&self) -> u32 {
        self.nearness
    }

    /// All fields in text order, including those inside `$or` branches.
    pub fn fields(&self) -> impl Iterator<Item = &FieldReport> {
        let mut all = Vec::new();
        self.root.collect(&mut all);
        all.sort_unstable_by_key(|field| field.span.start);
        all.into_iter()
    }
}

/// A conjunction: the pattern itself, or one branch of an `$or`. Fields of nested objects are here too, with their
/// whole paths.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct BranchReport {
    /// The object in the pattern.
    pub span: Span,
    /// Whether everything inside matches together.
    pub held: bool,
    /// The fields, in text order.
    pub fields: Vec<FieldReport>,
    /// The `$or` groups, in text order.
    pub groups: Vec<GroupReport>,
    /// Fields that match, but not in the same element of an array.
    pub conflicts: Vec<Conflict>,
}

impl BranchReport {
    pub(super) fn collect<'r>(&'r self, all: &mut Vec<&'r FieldReport>) {
        all.extend(&self.fields);
        for branch in self.groups.iter().flat_map(|group| &group.branches) {
            branch.collect(all);
        }
    }
}

/// An `$or` of the pattern and the verdicts of its branches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GroupReport {
    /// The list of branches in the pattern.
    pub span: Span,
    /// Whether a branch matches.
    pub held: bool,
    /// The branches, in text order. Inside more than 64 groups, they only have a verdict.
    pub branches: Vec<BranchReport>,
}

/// A field of the pattern and the verdicts of its tests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct FieldReport {
    /// The keys that lead to it, joined with dots.
    pub path: String,
    /// The field's list of tests in the pattern.
    pub span: Span,
    /// The field's key in the pattern.
    pub key: Span,
    /// Whether a value of the event (or its absence) satisfies the list, taken by itself.
    pub held: bool,
    /// The later list for the same path that replaces this one.
    pub overridden_by: Option<Span>,
    /// The tests, in text order.
    pub tests: Vec<TestReport>,
    /// The first values of the event that were read, in text order.
    pub values: Vec<SeenValue>,
    /// How many values there are in all.
    pub value_count: usize,
    /// Why it failed, nearest miss first.
    pub misses: Vec<NearMiss>,
}

/// One test of a field's list, and whether the event satisfies it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TestReport {
    /// The entry in the pattern.
    pub span: Span,
    /// Whether some value (or the absence of one) satisfies it, taken by itself.
    pub held: bool,
}

/// A value of the event at a field's path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SeenValue {
    /// Where it is.
    pub place: Place,
    /// Its JSON text, cut if it is long.
    pub text: String,
    /// Whether it satisfies a test of the field.
    pub held: bool,
    /// Whether it is one of the values that together make the pattern match.
    pub chosen: bool,
    /// The array elements around it, from the outside.
    pub elements: Vec<Element>,
}

/// A place in an event: its span and its JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// JSON pointer (RFC 6901).
    pub pointer: String,
    /// The bytes of the event's text; of an event without text, those of its JSON without whitespace.
    pub span: Span,
}

/// An element of an array in the event.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Element {
    /// JSON pointer to the array.
    pub array: String,
    /// The index in it, from 0.
    pub index: u32,
}

/// Fields that match one by one, but not in the same element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Conflict {
    /// The lists in the pattern.
    pub spans: Vec<Span>,
    /// The paths.
    pub paths: Vec<String>,
    /// A sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Why a field failed: what was there instead, or where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct NearMiss {
    /// The kind.
    pub kind: MissKind,
    /// The test that nearly matched, if it is one of several.
    pub test: Option<Span>,
    /// A sentence, lower case and without full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The value or key of the event that it is about.
    pub place: Option<Place>,
}

/// What kind of miss a [`NearMiss`] is, nearest first.
///
/// ```
/// use eventrie::explain::MissKind;
/// assert!(MissKind::LetterCase < MissKind::Missing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum MissKind {
    /// The strings differ only in case.
    LetterCase,
    /// The strings differ only in whitespace or invisible characters.
    WhiteSpace,
    /// The strings look the same, but use different Unicode normalization forms.
    UnicodeForm,
    /// The strings look the same, but some characters differ.
    LookAlike,
    /// The event or the pattern has a number or boolean in quotes, the other has it without.
    Quoted,
    /// Another type of value.
    OtherType,
    /// The literal contains `*`, which is a literal character outside `wildcard`.
    LiteralStar,
    /// The affix is there, but at the other end or in the middle.
    OtherEnd,
    /// A few characters differ.
    Spelling,
    /// The number is at the edge of the range or has more digits than can be compared.
    Precision,
    /// The number is outside the range.
    OutOfRange,
    /// The address is outside the block or of the other family, or the string is not an address.
    Address,
    /// The value is one that `anything-but` excludes.
    Excluded,
    /// The value is there, but must be absent.
    Present,
    /// `null` is there instead of a value.
    NullValue,
    /// An object is there, where the pattern expects a single value.
    IsObject,
    /// An empty array or object is there; it counts as absent.
    IsEmpty,
    /// A string is there that contains JSON, in which the pattern's path continues.
    InsideText,
    /// A key with nearly this name is there.
    SimilarKey,
    /// The same path is there, but elsewhere in the event.
    OtherPlace,
    /// An operator is outside a list and is read as a field name.
    OperatorAsField,
    /// A single value is there, where the pattern goes deeper.
    NotAnObject,
    /// The value is another one.
    Different,
    /// The field is not in the event.
    Missing,
}

impl MissKind {
    /// The name of the kind, in lower case and with hyphens: what the feature `serde` writes.
    ///
    /// ```
    /// assert_eq!(eventrie::explain::MissKind::LetterCase.name(), "letter-case");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MissKind::LetterCase => "letter-case",
            MissKind::WhiteSpace => "white-space",
            MissKind::UnicodeForm => "unicode-form",
            MissKind::LookAlike => "look-alike",
            MissKind::Quoted => "quoted",
            MissKind::OtherType => "other-type",
            MissKind::LiteralStar => "literal-star",
            MissKind::OtherEnd => "other-end",
            MissKind::Spelling => "spelling",
            MissKind::Precision => "precision",
            MissKind::OutOfRange => "out-of-range",
            MissKind::Address => "address",
            MissKind::Excluded => "excluded",
            MissKind::Present => "present",
            MissKind::NullValue => "null-value",
            MissKind::IsObject => "is-object",
            MissKind::IsEmpty => "is-empty",
            MissKind::InsideText => "inside-text",
            MissKind::SimilarKey => "similar-key",
            MissKind::OtherPlace => "other-place",
            MissKind::OperatorAsField => "operator-as-field",
            MissKind::NotAnObject => "not-an-object",
            MissKind::Different => "different",
            MissKind::Missing => "missing",
        }
    }

    /// How near this is to holding, in thousandths.
    pub(super) fn nearness(self) -> u32 {
        match self {
            MissKind::LetterCase | MissKind::WhiteSpace | MissKind::UnicodeForm | MissKind::LookAlike => 900,
            MissKind::Quoted | MissKind::LiteralStar | MissKind::Spelling | MissKind::Precision => 850,
            MissKind::OtherEnd | MissKind::OtherType | MissKind::InsideText | MissKind::OperatorAsField => 700,
            MissKind::SimilarKey | MissKind::OtherPlace => 600,
            MissKind::OutOfRange | MissKind::Address | MissKind::Excluded | MissKind::Present => 400,
            MissKind::NullValue | MissKind::IsObject | MissKind::IsEmpty | MissKind::NotAnObject => 350,
            MissKind::Different => 300,
            MissKind::Missing => 0,
        }
    }
}
