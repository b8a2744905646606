//! What is reported about a pattern: findings with their codes, places and fixes, and how they are shown.

mod caret;
mod position;

pub use crate::base::Span;
use crate::base::text::on_one_line;
pub use crate::base::text::{Visible, is_disturbing};
pub use caret::Rendered;
pub use position::{LineIndex, Position};

use crate::base::{UnknownName, named};

pub(crate) use caret::{Spot, write_lines, write_spots};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Severity {
    /// The pattern is rejected.
    Error,
    /// The pattern is valid, but probably does not do what was intended.
    Warning,
    /// Worth knowing.
    Note,
}

/// A part of the pattern with a short message, which may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
}

/// A change of the pattern text that a tool may offer or apply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Fix {
    /// What the change does, as an imperative: ``wrap it in `[ ]` ``.
    pub title: String,
    /// The part of the text to replace (empty: insert).
    pub span: Span,
    /// What to put there.
    pub replacement: String,
    /// Whether a tool may apply it without asking.
    pub applicability: Applicability,
}

/// Whether a tool may apply a fix without asking. Each finding declares it where it offers the fix.
///
/// ```
/// use eventrie::diagnostic::Applicability;
/// use eventrie::{Dialect, Pattern};
///
/// let error = Pattern::parse(r#"{"state": "running"}"#, Dialect::EventBridge).unwrap_err();
/// let fix = error.findings()[0].fix.as_ref().unwrap();
/// assert_eq!((fix.applicability, fix.is_safe()), (Applicability::Safe, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Applicability {
    /// The pattern is rejected or can match nothing, and this is the only way to read it; or the pattern matches the same
    /// events with the fix as without it.
    Safe,
    /// The fix changes which events a valid pattern matches, or something else may have been meant.
    Unsafe,
}

impl Applicability {
    pub(crate) fn safe_if(is_only_reading: bool) -> Applicability {
        if is_only_reading { Applicability::Safe } else { Applicability::Unsafe }
    }
}

impl Fix {
    /// Whether a tool may apply the fix without asking.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        self.applicability == Applicability::Safe
    }
}

/// One finding about a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Finding {
    /// The stable code.
    pub code: Code,
    /// How serious a finding is.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, the author's text in backticks.
    pub message: String,
    /// Where it is wrong.
    pub label: Label,
    /// Other relevant places, such as the first of two occurrences.
    pub context: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// A change that fixes it.
    pub fix: Option<Fix>,
    /// The service's own wording of the same error, without envelope and location, for people who search for it.
    pub service: Option<String>,
    /// Order of the findings: the offset up to which the service's parser had read when it raised this.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) raised_at: u32,
    /// How many location suffixes the service's parser puts after its message: none, one, or (for a refusal inside
    /// a list that is caught and raised again) two.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) located: u8,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal;)*) => {
        /// The stable code of a finding: `E` codes are errors, `W` codes warnings. A code is never reused.
        ///
        /// ```
        /// use eventrie::diagnostic::Code;
        /// assert_eq!(Code::Syntax.as_str(), "E0001");
        /// assert_eq!("e0001".parse(), Ok(Code::Syntax), "in any case");
        /// assert!(Code::ALL.len() > 20);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $doc])+ $name,)* }

        impl Code {
            /// The stable text, such as `E0001`.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }

            /// All codes, in numeric order.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];
        }
    };
}

codes! {
    /// The text is not JSON.
    Syntax = "E0001";
    /// A limit of the engine or of the service is exceeded.
    LimitExceeded = "E0002";
    /// The pattern is not an object.
    NotAnObject = "E0003";
    /// An object has no members.
    EmptyObject = "E0004";
    /// A list of values is empty.
    EmptyList = "E0005";
    /// The value of a field is neither a list nor an object.
    BareValue = "E0006";
    /// A list inside a list of values.
    NestedList = "E0007";
    /// `{}` where an operator is expected.
    MissingOperator = "E0008";
    /// An operator that does not exist.
    UnknownOperator = "E0009";
    /// More than one operator in one object.
    SeveralOperators = "E0010";
    /// The operand is of the wrong type.
    WrongOperand = "E0011";
    /// A wildcard is malformed.
    BadWildcard = "E0012";
    /// A numeric condition is malformed.
    BadNumeric = "E0013";
    /// A range that no number is in: its lower end is not below its upper end.
    EmptyRange = "E0014";
    /// A number that cannot be compared exactly.
    InexactNumber = "E0015";
    /// `anything-but` cannot take this.
    BadAnythingBut = "E0016";
    /// An address block is malformed.
    BadCidr = "E0017";
    /// `$or` is malformed.
    BadOr = "E0018";
    /// A name that is reserved inside `$or`.
    ReservedName = "E0019";
    /// The dialect does not have this operator.
    NotInDialect = "E0020";
    /// The dialect does not allow this shape (for instance nesting in an attribute policy).
    ShapeNotInDialect = "E0021";
    /// Too many combinations, keys or wildcards for the service.
    TooComplex = "E0022";
    /// A field that the service sets itself, so a pattern cannot test it.
    SetByService = "E0023";
    /// An operator outside a list, which is read as a field.
    OperatorAsField = "W0001";
    /// Tests of one list, which are alternatives where both were probably meant.
    AlternativesNotAnd = "W0002";
    /// A list that accepts every value.
    AcceptsEverything = "W0003";
    /// A test that another test of the list makes redundant.
    CoveredTest = "W0004";
    /// A star where it is an ordinary character.
    LiteralStar = "W0005";
    /// A number, boolean or null in quotes.
    QuotedScalar = "W0006";
    /// A field that no event of the service has.
    UnknownField = "W0007";
    /// A value that the service never sends in this field.
    ImpossibleValue = "W0008";
    /// A test of a field that is an object, or of a field inside one that is not.
    ObjectField = "W0009";
    /// A number where the service has strings.
    NumberAsText = "W0010";
    /// A DynamoDB attribute without its type.
    DynamoType = "W0011";
    /// What `anything-but` does not mean.
    AnythingButMeaning = "W0012";
    /// A list that a later one for the same field replaces.
    ReplacedList = "W0013";
    /// A field name with dots.
    DottedName = "W0014";
    /// An operand that accepts every string, or a wildcard without `*`.
    EmptyOperand = "W0015";
    /// Only the source is tested.
    OnlySource = "W0016";
    /// A range that contains no number.
    EmptyInterval = "W0017";
    /// A branch of an `$or` that another branch makes redundant.
    CoveredBranch = "W0018";
    /// Wildcards that are expensive for the service.
    CostlyWildcard = "W0019";
    /// A limit of the service is near or exceeded.
    NearLimit = "W0020";
    /// Content after the pattern; an error from the engine of September 2026 on.
    TrailingText = "W0021";
    /// A list and one inside an `$or` for the same field.
    BranchOverrides = "W0022";
    /// Absence in an array of objects.
    AbsenceInList = "W0023";
    /// A number with too many digits.
    InexactLiteral = "W0024";
    /// A string that does not match itself when case is ignored.
    FoldsToNothing = "W0025";
    /// An address block that does not begin at the address written.
    HostBits = "W0026";
    /// Messages that do not match are deleted.
    FilteredIsDeleted = "W0027";
    /// A policy that tests only absence.
    NoAttributes = "W0028";
    /// A value that only attributes of one type can have.
    OnlyInArrays = "W0029";
    /// A string that contains an operator.
    OperatorAsText = "W0030";
    /// A value with whitespace or quotes at its edge.
    EdgeSpace = "W0031";
    /// A detail of an S3 event under the wrong name.
    S3Detail = "W0032";
    /// The service's engine answers differently from the plain meaning, which is that of this crate.
    EngineDiffers = "W0101";
    /// The documentation of the service does not list this operator.
    UnlistedOperator = "W0102";
    /// `$or` is a plain field name here.
    PlainOr = "W0103";
    /// An array at the root of a pattern: allowed, but its meaning is not documented.
    RootArray = "W0104";
    /// The releases of the service's engine answer this pattern differently.
    ReleasesDiffer = "W0105";
    /// Of several rules, two that match the same events.
    SameRule = "W0201";
    /// Of several rules, one that only matches what another matches too.
    CoveredRule = "W0202";
    /// A rule that receives no events, whatever its pattern says.
    NeverFires = "W0203";
    /// A DATA filter for events of the other publish API.
    WrongPublishApi = "W0301";
    /// Filters of a subscriber that no event satisfies together.
    FiltersExcludeEachOther = "W0302";
    /// A test of metadata that no string satisfies.
    MetadataIsStrings = "W0303";
    /// A field that SYSTEM_METADATA does not have.
    UnknownSystemField = "W0304";
    /// A field of the data that its publisher can forge.
    ForgeableSource = "W0305";
    /// A metadata key or value that can never be present.
    ImpossibleMetadata = "W0306";
    /// An ignore that hides nothing.
    UnusedIgnore = "W0401";
    /// A source or detail type that the project does not declare.
    UndeclaredName = "W0402";
    /// A rule that no recorded event matches.
    NeverMatched = "W0403";
    /// A field that no recorded event has.
    AbsentField = "W0404";
}

#[cfg(feature = "serde")]
impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Severity {
    /// All severities, most serious first.
    pub const ALL: &'static [Severity] = &[Severity::Error, Severity::Warning, Severity::Note];

    /// The name in lower case, such as `error`.
    ///
    /// ```
    /// use eventrie::diagnostic::Severity;
    /// assert_eq!("warning".parse(), Ok(Severity::Warning));
    /// assert_eq!(Severity::Note.to_string(), "note");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

named!(Severity, "severity");

impl std::str::FromStr for Code {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Code, UnknownName> {
        let found = Code::ALL.iter().find(|code| code.as_str().eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| UnknownName::new("code", text, ["such as E0001"].into_iter()))
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl Finding {
    /// A finding with an empty label and nothing else, for tools that add findings of their own.
    ///
    /// ```
    /// use eventrie::diagnostic::{Code, Finding, Severity, Span};
    /// let mut finding = Finding::new(Code::ShapeNotInDialect, Severity::Error, Span::new(0, 2), "the filter has no `Pattern`");
    /// finding.help = Some("put the filter's JSON text in `Pattern`".to_owned());
    /// assert!(finding.render("{}").to_string().starts_with("error[E0021]: the filter has no `Pattern`\n"));
    /// ```
    #[must_use]
    pub fn new(code: Code, severity: Severity, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity,
            message: on_one_line(message.into()),
            label: Label { span, message: String::new() },
            context: Vec::new(),
            help: None,
            fix: None,
            service: None,
            raised_at: span.end,
            located: 0,
        }
    }

    pub(crate) fn label(mut self, message: impl Into<String>) -> Finding {
        self.label.message = on_one_line(message.into());
        self
    }

    pub(crate) fn context(mut self, span: Span, message: impl Into<String>) -> Finding {
        self.context.push(Label { span, message: on_one_line(message.into()) });
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(on_one_line(help.into()));
        self
    }

    pub(crate) fn fix(
        mut self,
        title: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
        applicability: Applicability,
    ) -> Finding {
        self.fix = Some(Fix { title: on_one_line(title.into()), span, replacement: replacement.into(), applicability });
        self
    }

    pub(crate) fn service(mut self, wording: impl Into<String>, raised_at: u32) -> Finding {
        self.service = Some(wording.into());
        self.raised_at = raised_at;
        self.located = 1;
        self
    }

    /// The service's wording carries this many location suffixes, not one.
    pub(crate) fn located(mut self, times: u8) -> Finding {
        self.located = times;
        self
    }

    /// Whether the service rejects the pattern because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The finding as text with the place in `source` (the text that was parsed) marked by carets.
    ///
    /// ```
    /// use eventrie::{Dialect, Pattern};
    /// let source = r#"{"state": "running"}"#;
    /// let error = Pattern::parse(source, Dialect::EventBridge).unwrap_err();
    /// let text = error.findings()[0].render(source).name("rule.json").to_string();
    /// assert!(text.starts_with("error[E0006]: the value of `state` must be a list of accepted values\n --> rule.json:1:11\n"));
    /// assert!(text.contains("1 | {\"state\": \"running\"}\n  |           ^^^^^^^^^"));
    /// ```
    #[must_use]
    pub fn render<'a>(&'a self, source: &'a str) -> Rendered<'a> {
        Rendered::new(self, source)
    }

    /// As [`render`](Finding::render), for many findings in one text: its lines are found once instead of for each
    /// finding.
    ///
    /// ```
    /// use eventrie::diagnostic::LineIndex;
    /// use eventrie::{Dialect, Pattern};
    /// let source = r#"{"state": "running"}"#;
    /// let lines = LineIndex::new(source);
    /// for finding in Pattern::parse(source, Dialect::EventBridge).unwrap_err().findings() {
    ///     assert_eq!(finding.render_in(&lines).to_string(), finding.render(source).to_string());
    /// }
    /// ```
    #[must_use]
    pub fn render_in<'a>(&'a self, lines: &'a LineIndex<'a>) -> Rendered<'a> {
        Rendered::with_lines(self, lines)
    }
}

/// Nobody reads more, and showing each costs a look at the whole text.
pub(crate) const MOST_FINDINGS: usize = 1_000;

/// Collects diagnostics; only a JSON syntax error ends a parse.
#[derive(Default)]
pub(crate) struct Findings {
    found: Vec<Finding>,
}

impl Findings {
    pub(crate) fn push(&mut self, finding: Finding) {
        self.found.push(finding);
        if self.found.len() >= 2 * MOST_FINDINGS {
            self.shorten();
        }
    }

    /// Keeps the first thousand in token order, those of one token in the order in which they came.
    fn shorten(&mut self) {
        in_order(&mut self.found, |finding| (finding.raised_at, 0));
        self.found.truncate(MOST_FINDINGS);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The findings in token order; of a great many the first thousand.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.shorten();
        self.found
    }
}

/// Sorts findings; those of one key stay as they are. One sort for all keys: findings are large, and so is code that
/// moves them.
pub(crate) fn in_order(found: &mut [Finding], key: fn(&Finding) -> (u32, u32)) {
    found.sort_by_key(key);
}
