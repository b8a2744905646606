//! `event_matches(pattern, event)`: whether one pattern matches.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::arrow::array::{ArrayRef, BooleanArray};
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use eventrie::{Matcher, ParseOptions};

use crate::compiled::Compiled;
use crate::events::{self, Texts};
use crate::pool::Pool;

/// The function `event_matches(pattern, event)`: whether the pattern matches the event, as `Boolean`.
///
/// The default reads EventBridge patterns; [`EventMatches::new`] takes another dialect, and
/// [`named`](EventMatches::named) gives it another name.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use eventrie::{Dialect, ParseOptions};
/// use eventrie_datafusion::EventMatches;
///
/// let context = SessionContext::new();
/// context.register_udf(EventMatches::default().into());
/// context.register_udf(EventMatches::new(ParseOptions::new(Dialect::SnsBody)).named("policy_matches").into());
/// // select event from events where event_matches('{"source": ["shop"]}', event)
/// ```
#[derive(Debug)]
pub struct EventMatches {
    name: String,
    signature: Signature,
    shared: Arc<Shared>,
}

/// What plans and partitions share.
#[derive(Debug)]
struct Shared {
    compiled: Compiled,
    pool: Pool,
}

impl Default for EventMatches {
    fn default() -> EventMatches {
        EventMatches::new(ParseOptions::default())
    }
}

impl EventMatches {
    /// The function for patterns of a dialect, with its limits.
    #[must_use]
    pub fn new(options: ParseOptions) -> EventMatches {
        EventMatches {
            name: "event_matches".to_owned(),
            signature: Signature::user_defined(Volatility::Immutable),
            shared: Arc::new(Shared { compiled: Compiled::new(options), pool: Pool::default() }),
        }
    }

    /// Another name, for a second dialect in one context.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> EventMatches {
        self.name = name.into();
        self
    }

    /// One pattern for all rows.
    fn one(&self, pattern: &str, events: &ArrayRef) -> Result<BooleanArray> {
        let matcher = self.shared.compiled.get(pattern).or_else(|error| exec_err!("{}: {error}", self.name))?;
        let events = Texts::new(events)?;
        Ok(self.shared.pool.with(|scratch| {
            // A malformed event is null, as a null event is.
            let rows = (0..events.len()).map(|row| matcher.is_match(events.get(row)?, scratch).ok());
            rows.collect()
        }))
    }

    /// A pattern for each row; equal neighbors are looked up once.
    fn each(&self, patterns: &ArrayRef, events: &ArrayRef) -> Result<BooleanArray> {
        let (patterns, events) = (Texts::new(patterns)?, Texts::new(events)?);
        let mut last: Option<(&[u8], Arc<Matcher>)> = None;
        self.shared.pool.with(|scratch| {
            let rows = (0..events.len()).map(|row| {
                let Some(text) = patterns.get(row) else { return Ok(None) };
                let matcher = match &last {
                    Some((known, matcher)) if *known == text => matcher,
                    _ => &last.insert((text, self.pattern_of(row, text)?)).1,
                };
                Ok(events.get(row).and_then(|event| matcher.is_match(event, scratch).ok()))
            });
            rows.collect()
        })
    }

    fn pattern_of(&self, row: usize, text: &[u8]) -> Result<Arc<Matcher>> {
        let text = String::from_utf8_lossy(text);
        let compiled = self.shared.compiled.get(&text);
        compiled.or_else(|error| exec_err!("{}: the pattern in row {row} of a batch is invalid\n{error}", self.name))
    }
}

impl ScalarUDFImpl for EventMatches {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        match given {
            [pattern, event] => Ok(vec![
                events::coerced(&self.name, "the pattern", pattern, false)?,
                events::coerced(&self.name, "the event", event, true)?,
            ]),
            _ => plan_err!("{}: expected a pattern and an event, found {} arguments", self.name, given.len()),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    /// Compiles a literal pattern, so an invalid one is a planning error.
    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        if let Some(Some(pattern)) = args.scalar_arguments.first()
            && let Some(Some(text)) = pattern.try_as_str()
        {
            self.shared.compiled.get(text).or_else(|error| plan_err!("{}: {error}", self.name))?;
        }
        Ok(Arc::new(Field::new(&self.name, DataType::Boolean, true)))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let [pattern, event] = args.args.as_slice() else {
            return exec_err!("{}: expected a pattern and an event, found {} arguments", self.name, args.args.len());
        };
        match (pattern, event) {
            (ColumnarValue::Scalar(pattern), event) => {
                let Some(text) = pattern.try_as_str().flatten() else {
                    return Ok(ColumnarValue::Scalar(ScalarValue::Boolean(None)));
                };
                events::answered(event, |events| Ok(Arc::new(self.one(text, events)?)))
            }
            (ColumnarValue::Array(patterns), event) => {
                Ok(ColumnarValue::Array(Arc::new(self.each(patterns, &event.to_array(rows)?)?)))
            }
        }
    }
}

/// Equal if the name and what is shared are the same.
impl PartialEq for EventMatches {
    fn eq(&self, other: &EventMatches) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.shared, &other.shared)
    }
}

impl Eq for EventMatches {}

impl Hash for EventMatches {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        Arc::as_ptr(&self.shared).hash(state);
    }
}
