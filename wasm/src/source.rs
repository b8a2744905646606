//! Messages of SNS and records of queues and streams.

use eventrie::service::{
    FilterSet, FilterSetError, Quoting, RecordOutcome, RecordScratch, SnsMessage, SnsOutcome, SnsScratch, Source,
};
use wasm_bindgen::prelude::*;

use crate::fault::{of_build, of_event, of_pattern, placed, plain};
use crate::object;
use crate::options::{self, Options, unknown};

/// What becomes of a message or a record: which patterns it matches, or why it does not pass.
fn outcome(outcome: Result<impl Iterator<Item = usize>, (String, Option<&str>)>) -> Result<JsValue, JsValue> {
    object(|json| {
        json.open('{');
        json.key("passes").truth(outcome.is_ok());
        let (matched, reason) = match outcome {
            Ok(matched) => (Some(matched), None),
            Err(reason) => (None, Some(reason)),
        };
        json.key("matched").list(matched.into_iter().flatten(), |json, place| json.number(place as u64));
        json.key("reason").text_or_null(reason.as_ref().map(|(text, _)| text.as_str()));
        json.key("metric").text_or_null(reason.and_then(|(_, metric)| metric));
        json.close('}');
    })
}

/// The filters of a pipe or an event source mapping, for the records of one source.
#[wasm_bindgen]
pub struct RecordFilter {
    filter: eventrie::service::RecordFilter,
    scratch: RecordScratch,
    size: usize,
}

#[wasm_bindgen]
impl RecordFilter {
    /// Compiles filters; each is a pattern, or a whole set `{"Filters": [{"Pattern": "…"}]}`.
    ///
    /// # Errors
    /// A `PatternError` (with the place of the filter as `pattern`) or a `BuildError`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        filters: Vec<String>,
        #[wasm_bindgen(unchecked_param_type = "Source")] source: &str,
        options: Option<Options>,
    ) -> Result<RecordFilter, JsValue> {
        let options = options::read(options.as_ref())?;
        let source = source.parse::<Source>().map_err(|_| unknown("source of records", source))?;
        let mut patterns = Vec::new();
        for text in &filters {
            let set = FilterSet::parse(text, &options);
            patterns.extend_from_slice(set.map_err(|error| of_set(&error, patterns.len()))?.patterns());
        }
        let set = FilterSet::new(patterns, &options).map_err(|error| of_set(&error, 0))?;
        let filter = eventrie::service::RecordFilter::new(&set, source).map_err(|error| of_set(&error, 0))?;
        Ok(RecordFilter { filter, scratch: RecordScratch::default(), size: set.patterns().len() })
    }

    /// What becomes of a record.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn judge(&mut self, record: &str) -> Result<JsValue, JsValue> {
        let judged = self.filter.judge(record.as_bytes(), &mut self.scratch);
        outcome(match judged.map_err(|error| of_event(&error, record))? {
            RecordOutcome::Matched(filters) => Ok(filters.iter().copied()),
            RecordOutcome::Filtered(reason) => Err((reason.to_string(), None)),
        })
    }

    /// How many filters there are.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// What the patterns see of a record: its payload decoded.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(js_name = asEvent)]
    pub fn as_event(&self, record: &str) -> Result<String, JsValue> {
        let event = self.filter.record_as_event(record.as_bytes()).map_err(|error| of_event(&error, record))?;
        Ok(String::from_utf8_lossy(&event).into_owned())
    }
}

/// The filter policies of a topic's subscriptions, all of one scope.
#[wasm_bindgen]
pub struct SnsFilter {
    filter: eventrie::service::SnsFilter,
    scratch: SnsScratch,
}

#[wasm_bindgen]
impl SnsFilter {
    /// Compiles policies; the options name the scope as dialect, `sns-attributes` or `sns-body`.
    ///
    /// # Errors
    /// A `PatternError` (with the place of the policy as `pattern`) or a `BuildError`.
    #[wasm_bindgen(constructor)]
    pub fn new(policies: Vec<String>, options: Option<Options>) -> Result<SnsFilter, JsValue> {
        let options = options::read(options.as_ref())?;
        let mut read = Vec::with_capacity(policies.len());
        for (index, source) in policies.iter().enumerate() {
            let policy = eventrie::Pattern::parse_with(source, &options);
            read.push(policy.map_err(|error| placed(of_pattern(&error), "pattern", index))?);
        }
        let filter = eventrie::service::SnsFilter::new(read).map_err(|error| of_build(&error))?;
        Ok(SnsFilter { filter, scratch: SnsScratch::default() })
    }

    /// Who gets a message, given as SNS delivers it to queues:
    /// `{"Message": "…", "MessageAttributes": {"name": {"Type": "String", "Value": "…"}}}`.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn judge(&mut self, message: &str) -> Result<JsValue, JsValue> {
        let read = SnsMessage::parse(message.as_bytes()).map_err(|error| of_event(&error, message))?;
        let judged = self.filter.judge(&read, &mut self.scratch).map_err(|error| of_event(&error, message))?;
        outcome(match judged {
            SnsOutcome::Delivered(policies) => Ok(policies.iter().map(|id| id.index())),
            SnsOutcome::FilteredOut(cause) => Err((cause.to_string(), Some(cause.metric()))),
        })
    }
}

/// What policies over attributes see of a message: a JSON object of its attributes. Undefined if it has none that can
/// be seen, or one of them does not make JSON (`judge` says which of the two).
///
/// # Errors
/// An `EventError`.
#[wasm_bindgen(js_name = attributesAsEvent)]
pub fn attributes_as_event(message: &str) -> Result<Option<String>, JsValue> {
    let message = SnsMessage::parse(message.as_bytes()).map_err(|error| of_event(&error, message))?;
    Ok(message.attributes_as_json(Quoting::Strict).ok())
}

/// What becomes of a record of this source that no filter matches.
///
/// # Errors
/// If the source is unknown.
#[wasm_bindgen]
pub fn fate(#[wasm_bindgen(unchecked_param_type = "Source")] source: &str) -> Result<String, JsValue> {
    source.parse().map(|source: Source| source.fate().to_owned()).map_err(|_| unknown("source of records", source))
}

fn of_set(error: &FilterSetError, before: usize) -> JsValue {
    let fault = match (error.pattern_error(), error.build_error()) {
        (Some(pattern), _) => of_pattern(pattern),
        (None, Some(_)) => plain("BuildError", &error.to_string()),
        (None, None) => plain("PatternError", &error.to_string()),
    };
    // None, if it is the set as a whole.
    match error.filter() {
        Some(filter) => placed(fault, "pattern", filter + before),
        None => fault,
    }
}
