//! Filter sets: the patterns of a pipe or an event source mapping, of which one must match.

use std::fmt::{Display, Formatter};

use crate::base::Span;
use crate::dialect::Dialect;
use crate::dialect::limits::MOST_FILTERS;
use crate::json::{Kind, Tree};
use crate::limit::{BuildError, Limits};
use crate::pattern::{ParseOptions, Pattern, PatternError};

/// The filter criteria of a pipe or an event source mapping: patterns of which one must match. Without any, every
/// record passes.
///
/// ```
/// use eventrie::service::FilterSet;
/// use eventrie::{Dialect, ParseOptions};
/// let text = r#"{"Filters": [{"Pattern": "{\"body\": {\"kind\": [\"a\"]}}"}, {"Pattern": "{\"body\": [\"b\"]}"}]}"#;
/// let filters = FilterSet::parse(text, &ParseOptions::new(Dialect::Lambda))?;
/// assert_eq!(filters.patterns().len(), 2);
/// # Ok::<(), eventrie::service::FilterSetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FilterSet {
    patterns: Vec<Pattern>,
    dialect: Dialect,
}

/// Why a filter set is refused, by itself or for a source.
///
/// ```
/// use eventrie::service::FilterSet;
/// use eventrie::{Dialect, ParseOptions};
/// let text = r#"{"Filters": [{"Pattern": "{\"body\": [1]}"}, {"Pattern": "{\"body\": 1}"}]}"#;
/// let error = FilterSet::parse(text, &ParseOptions::new(Dialect::Pipes)).unwrap_err();
/// assert_eq!(error.filter(), Some(1));
/// assert!(error.pattern_error().is_some());
/// assert!(error.to_string().starts_with("filter 1: error[E0006]: "));
/// ```
#[derive(Clone, Debug)]
pub struct FilterSetError {
    filter: Option<usize>,
    kind: Kinds,
}

#[derive(Clone, Debug)]
enum Kinds {
    Shape(String),
    Pattern(PatternError),
    Build(BuildError),
}

impl FilterSet {
    /// Reads `{"Filters": [{"Pattern": "…"}, …]}`, or a single pattern.
    ///
    /// # Errors
    /// If the text has neither form, a pattern is refused, or (with
    /// [`service_limits`](ParseOptions::service_limits)) there are more filters than the service takes.
    pub fn parse(text: &str, options: &ParseOptions) -> Result<FilterSet, FilterSetError> {
        match list(text, options.engine_limits())? {
            None => {
                let pattern = Pattern::parse_with(text, options);
                FilterSet::new([pattern.map_err(|error| FilterSetError::pattern(0, error))?], options)
            }
            Some(sources) => {
                // The number is judged first, since it does not depend on what the patterns say.
                too_many(sources.len(), options)?;
                let patterns = sources.iter().enumerate().map(|(filter, source)| {
                    Pattern::parse_with(source, options).map_err(|error| FilterSetError::pattern(filter, error))
                });
                FilterSet::new(patterns.collect::<Result<Vec<Pattern>, FilterSetError>>()?, options)
            }
        }
    }

    /// A set of patterns that were read already.
    ///
    /// # Errors
    /// If a pattern is not of the dialect that `options` name, or there are more than the service takes.
    ///
    /// ```
    /// use eventrie::service::FilterSet;
    /// use eventrie::{Dialect, ParseOptions, Pattern};
    /// let options = ParseOptions::new(Dialect::Pipes).service_limits(true);
    /// let pattern = Pattern::parse(r#"{"body": ["x"]}"#, Dialect::Pipes)?;
    /// assert!(FilterSet::new(vec![pattern.clone(); 5], &options).is_ok());
    /// assert!(FilterSet::new(vec![pattern; 6], &options).is_err());
    /// # Ok::<(), eventrie::PatternError>(())
    /// ```
    pub fn new(
        patterns: impl IntoIterator<Item = Pattern>,
        options: &ParseOptions,
    ) -> Result<FilterSet, FilterSetError> {
        let (patterns, dialect): (Vec<Pattern>, _) = (patterns.into_iter().collect(), options.dialect());
        too_many(patterns.len(), options)?;
        if let Some(filter) = patterns.iter().position(|pattern| pattern.dialect() != dialect) {
            return Err(FilterSetError {
                filter: Some(filter),
                kind: Kinds::Shape(format!("the pattern is not of the dialect `{}`", dialect.name())),
            });
        }
        Ok(FilterSet { patterns, dialect })
    }

    /// The patterns, in the order of the text.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The dialect of all patterns.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }
}

fn too_many(count: usize, options: &ParseOptions) -> Result<(), FilterSetError> {
    let most = options.most_filters().unwrap_or(MOST_FILTERS);
    if options.has_service_limits() && count > most {
        let text = format!("there are {count} filters, the service takes {most}");
        return Err(FilterSetError::shape(text));
    }
    Ok(())
}

/// The texts of the patterns of a filter set; none if the text is not one.
fn list(text: &str, limits: &Limits) -> Result<Option<Vec<String>>, FilterSetError> {
    let tree = Tree::parse(text, limits);
    let mut members = tree.children(0);
    let list = match (members.next(), members.next(), tree.nodes.first()) {
        (Some((at, node)), None, Some(root)) if root.kind == Kind::Object && tree.error.is_none() => {
            let named = node.key.is_some_and(|key| tree.string(key) == "Filters");
            // `{"Filters": ["x"]}` could be a pattern over a field of this name.
            let entries = tree.children(at).all(|(_, entry)| entry.kind == Kind::Object);
            (named && node.kind == Kind::Array && entries).then_some(at)
        }
        _ => None,
    };
    let Some(list) = list else { return Ok(None) };
    let mut sources = Vec::new();
    for (filter, (at, _)) in tree.children(list).enumerate() {
        let named = |key: Option<Span>| key.is_some_and(|key| tree.string(key) == "Pattern");
        let refused = |text: &str| FilterSetError { filter: Some(filter), kind: Kinds::Shape(text.to_owned()) };
        match tree.children(at).find(|(_, member)| named(member.key)) {
            Some((_, member)) if member.kind == Kind::String => sources.push(tree.string(member.span).into_owned()),
            Some(_) => return Err(refused("`Pattern` must be a string that holds the pattern's JSON text")),
            None => return Err(refused("`Pattern` is missing")),
        }
    }
    Ok(Some(sources))
}

impl FilterSetError {
    fn shape(text: String) -> FilterSetError {
        FilterSetError { filter: None, kind: Kinds::Shape(text) }
    }

    pub(super) fn pattern(filter: usize, error: PatternError) -> FilterSetError {
        FilterSetError { filter: Some(filter), kind: Kinds::Pattern(error) }
    }

    pub(super) fn build(filter: Option<usize>, error: BuildError) -> FilterSetError {
        FilterSetError { filter, kind: Kinds::Build(error) }
    }

    /// Which filter is to blame, from 0; none if it is the set as a whole.
    #[must_use]
    pub fn filter(&self) -> Option<usize> {
        self.filter
    }

    /// What is wrong with the pattern, if that is the cause.
    #[must_use]
    pub fn pattern_error(&self) -> Option<&PatternError> {
        match &self.kind {
            Kinds::Pattern(error) => Some(error),
            Kinds::Shape(_) | Kinds::Build(_) => None,
        }
    }

    /// Why the patterns cannot be compiled, if that is the cause.
    ///
    /// ```
    /// use eventrie::event::ReadPolicy;
    /// use eventrie::service::{FilterSet, RecordFilter, Source};
    /// use eventrie::{Dialect, Limit, Limits, ParseOptions};
    /// let filters = FilterSet::parse(r#"{"body": ["x"]}"#, &ParseOptions::new(Dialect::Lambda))?;
    /// let limits = Limits::default().table_bytes(1);
    /// let error = RecordFilter::with(&filters, Source::Sqs, &limits, ReadPolicy::Whole).unwrap_err();
    /// assert_eq!(error.build_error().and_then(|error| error.limit()), Some(Limit::TableBytes));
    /// # Ok::<(), eventrie::service::FilterSetError>(())
    /// ```
    #[must_use]
    pub fn build_error(&self) -> Option<&BuildError> {
        match &self.kind {
            Kinds::Build(error) => Some(error),
            Kinds::Shape(_) | Kinds::Pattern(_) => None,
        }
    }
}

impl Display for FilterSetError {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if let Some(filter) = self.filter {
            write!(f, "filter {filter}: ")?;
        }
        match &self.kind {
            Kinds::Shape(text) => f.write_str(text),
            Kinds::Pattern(error) => error.fmt(f),
            Kinds::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FilterSetError {}
