//! `matching_rules(event)`: which rules of a set match.

use std::fmt::{self, Debug, Formatter};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::arrow::array::{ArrayRef, ListArray, NullBufferBuilder, StringBuilder};
use datafusion_common::arrow::buffer::OffsetBuffer;
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{Result, exec_err, plan_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use eventrie::{Matcher, Scratch};

use crate::events::{self, Texts};
use crate::pool::Pool;

/// The function `matching_rules(event)`: the names of the rules that match, as `List<Utf8>`.
///
/// The rules are compiled before they are registered, and the keys of the matcher are the names. They come in the order of
/// the keys. A second set needs a [name](MatchingRules::named) of its own.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use eventrie::{Dialect, Matcher, Pattern};
/// use eventrie_datafusion::MatchingRules;
///
/// let rules = [("stopped", r#"{"detail": {"state": ["stopped"]}}"#), ("ec2", r#"{"source": ["aws.ec2"]}"#)];
/// let mut patterns = Vec::new();
/// for (name, text) in rules {
///     patterns.push((name, Pattern::parse(text, Dialect::EventBridge)?));
/// }
/// let context = SessionContext::new();
/// context.register_udf(MatchingRules::new(Matcher::keyed(patterns)?).named("alarms").into());
/// // select alarms(event) from events
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MatchingRules<K> {
    name: String,
    signature: Signature,
    set: Arc<Set<K>>,
}

/// What partitions share.
struct Set<K> {
    matcher: Matcher<K>,
    pool: Pool,
}

impl<K: AsRef<str>> MatchingRules<K> {
    /// The function for a set of rules.
    pub fn new(matcher: Matcher<K>) -> MatchingRules<K> {
        MatchingRules {
            name: "matching_rules".to_owned(),
            signature: Signature::user_defined(Volatility::Immutable),
            set: Arc::new(Set { matcher, pool: Pool::default() }),
        }
    }

    /// Another name, for a second set of rules in one context.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> MatchingRules<K> {
        self.name = name.into();
        self
    }

    fn lists(&self, events: &ArrayRef) -> Result<ArrayRef> {
        let events = Texts::new(events)?;
        let mut lists = Lists::new(events.len());
        self.set.pool.with(|scratch| {
            for row in 0..events.len() {
                self.row(events.get(row), scratch, &mut lists)?;
            }
            lists.finish()
        })
    }

    fn row(&self, event: Option<&[u8]>, scratch: &mut Scratch, lists: &mut Lists) -> Result<()> {
        // A malformed event is null, as a null event is.
        let Some(found) = event.and_then(|event| self.set.matcher.matches(event, scratch).ok()) else {
            lists.null();
            return Ok(());
        };
        for name in found {
            lists.name(name.as_ref())?;
        }
        lists.end();
        Ok(())
    }
}

/// A list array that is being built.
struct Lists {
    names: StringBuilder,
    /// Where each row ends.
    ends: Vec<i32>,
    valid: NullBufferBuilder,
    /// Names so far, and their bytes: Arrow counts both with 31 bits.
    count: i32,
    bytes: i32,
}

impl Lists {
    fn new(rows: usize) -> Lists {
        let mut ends = Vec::with_capacity(rows + 1);
        ends.push(0);
        Lists { names: StringBuilder::new(), ends, valid: NullBufferBuilder::new(rows), count: 0, bytes: 0 }
    }

    fn name(&mut self, name: &str) -> Result<()> {
        let bytes = i32::try_from(name.len()).ok().and_then(|more| self.bytes.checked_add(more));
        let (Some(bytes), Some(count)) = (bytes, self.count.checked_add(1)) else {
            return exec_err!("the names of one batch exceed 2 GB; lower `datafusion.execution.batch_size`");
        };
        (self.bytes, self.count) = (bytes, count);
        self.names.append_value(name);
        Ok(())
    }

    fn end(&mut self) {
        self.ends.push(self.count);
        self.valid.append_non_null();
    }

    fn null(&mut self) {
        self.ends.push(self.count);
        self.valid.append_null();
    }

    fn finish(&mut self) -> Result<ArrayRef> {
        let ends = OffsetBuffer::new(std::mem::take(&mut self.ends).into());
        let lists = ListArray::try_new(item(), ends, Arc::new(self.names.finish()), self.valid.finish())?;
        Ok(Arc::new(lists))
    }
}

/// As DataFusion's own functions name and type the items of a list, so lists can be compared and united.
fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Utf8, true))
}

impl<K: AsRef<str> + Send + Sync + 'static> ScalarUDFImpl for MatchingRules<K> {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        match given {
            [event] => Ok(vec![events::coerced(&self.name, "the event", event, true)?]),
            _ => plan_err!("{}: expected one argument, found {}", self.name, given.len()),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::List(item()))
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.as_slice() {
            [event] => events::answered(event, |events| self.lists(events)),
            other => exec_err!("{}: expected one argument, found {}", self.name, other.len()),
        }
    }
}

impl<K> Debug for MatchingRules<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchingRules").field("name", &self.name).field("matcher", &self.set.matcher).finish()
    }
}

/// Equal if the name and the set itself are the same.
impl<K> PartialEq for MatchingRules<K> {
    fn eq(&self, other: &MatchingRules<K>) -> bool {
        self.name == other.name && Arc::ptr_eq(&self.set, &other.set)
    }
}

impl<K> Eq for MatchingRules<K> {}

impl<K> Hash for MatchingRules<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        Arc::as_ptr(&self.set).hash(state);
    }
}
