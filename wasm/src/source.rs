//! Messages of SNS and records of queues and streams.

use eventrie::service::{
    Input, Outcome, Quoting, SnsMessage, Source, Subscription, SubscriptionError, SubscriptionScratch, SubscriptionSet,
};
use eventrie::{EventError, ParseOptions};
use wasm_bindgen::prelude::*;

use crate::fault::{of_build, of_event, of_pattern, placed, plain};
use crate::object;
use crate::options::{self, Options, unknown};

/// Subscriptions of one service compiled together, one for each text of the caller; and which filter of which text each
/// filter is.
struct Compiled {
    set: SubscriptionSet,
    /// How many filters come before those of each text.
    starts: Vec<usize>,
    /// How many filters there are.
    size: usize,
    scratch: SubscriptionScratch,
}

impl Compiled {
    fn new(texts: &[String], options: &ParseOptions, source: Option<Source>) -> Result<Compiled, JsValue> {
        let (mut read, mut starts) = (Vec::with_capacity(texts.len()), vec![0]);
        for text in texts {
            let before = starts.last().copied().unwrap_or(0);
            let subscription = Subscription::parse(text, options, source).map_err(|error| refused(&error, before))?;
            starts.push(before + subscription.patterns().len());
            read.push(subscription);
        }
        // Filters are those of one pipe or mapping, with its limits, however many inputs they come in.
        let read = match source {
            Some(_) => {
                let patterns: Vec<_> = read.iter().flat_map(|one| one.patterns().iter().cloned()).collect();
                starts = vec![0];
                vec![Subscription::new(patterns, options, source).map_err(|error| refused(&error, 0))?]
            }
            None => read,
        };
        let size = read.iter().map(|one| one.patterns().len()).sum();
        let set = SubscriptionSet::new(read.into_iter().enumerate());
        let set = set.map_err(|error| {
            let before = error.subscription().and_then(|at| starts.get(at)).copied().unwrap_or(0);
            refused(&error, before)
        })?;
        Ok(Compiled { set, starts, size, scratch: SubscriptionScratch::default() })
    }

    /// What happens to a message or a record: which patterns it matches, or why it does not pass.
    fn judge<'a>(&mut self, input: impl Into<Input<'a>>) -> Result<Result<JsValue, JsValue>, EventError> {
        let verdict = self.set.judge(input, &mut self.scratch)?;
        let Outcome { matched, cause, .. } = verdict.outcome();
        let place = |(at, filter): (usize, usize)| self.starts.get(at).copied().unwrap_or(0) + filter;
        Ok(object(|json| {
            json.open('{');
            json.key("passes").truth(matched);
            json.key("matched").list(verdict.filters(), |json, at| json.number(place(at) as u64));
            let reason = cause.map(|cause| match cause.metric() {
                Some(_) => cause.to_string(),
                None => verdict.outcome().to_string(),
            });
            json.key("reason").text_or_null(reason.as_deref());
            json.key("metric").text_or_null(cause.and_then(|cause| cause.metric()));
            json.close('}');
        }))
    }
}

/// The filters of a pipe or an event source mapping, for the records of one source.
#[wasm_bindgen]
pub struct RecordFilter(Compiled);

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
        Compiled::new(&filters, &options, Some(source)).map(RecordFilter)
    }

    /// What happens to a record.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn judge(&mut self, record: &str) -> Result<JsValue, JsValue> {
        self.0.judge(record).map_err(|error| of_event(&error, record))?
    }

    /// How many filters there are.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// What the patterns see of a record: its payload decoded.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(js_name = asEvent)]
    pub fn as_event(&self, record: &str) -> Result<String, JsValue> {
        let event = self.0.set.event(record).map_err(|error| of_event(&error, record))?;
        event
            .map(|event| String::from_utf8_lossy(&event).into_owned())
            .map_err(|cause| plain("EventError", &cause.to_string()))
    }
}

/// The filter policies of a topic's subscriptions, all of one scope.
#[wasm_bindgen]
pub struct SnsFilter(Compiled);

#[wasm_bindgen]
impl SnsFilter {
    /// Compiles policies; the options name the scope as dialect, `sns-attributes` or `sns-body`.
    ///
    /// # Errors
    /// A `PatternError` (with the place of the policy as `pattern`) or a `BuildError`.
    #[wasm_bindgen(constructor)]
    pub fn new(policies: Vec<String>, options: Option<Options>) -> Result<SnsFilter, JsValue> {
        let options = options::read(options.as_ref())?;
        Compiled::new(&policies, &options, None).map(SnsFilter)
    }

    /// Who gets a message, given as SNS delivers it to queues:
    /// `{"Message": "…", "MessageAttributes": {"name": {"Type": "String", "Value": "…"}}}`.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn judge(&mut self, message: &str) -> Result<JsValue, JsValue> {
        let read = SnsMessage::parse(message.as_bytes()).map_err(|error| of_event(&error, message))?;
        self.0.judge(&read).map_err(|error| of_event(&error, message))?
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

/// What the service does with a record of this source that no filter matches.
///
/// # Errors
/// If the source is unknown.
#[wasm_bindgen]
pub fn fate(#[wasm_bindgen(unchecked_param_type = "Source")] source: &str) -> Result<String, JsValue> {
    source.parse().map(|source: Source| source.effect().to_string()).map_err(|_| unknown("source of records", source))
}

/// `before` filters come before those that the error counts.
fn refused(error: &SubscriptionError, before: usize) -> JsValue {
    let fault = match (error.pattern_error(), error.build_error()) {
        (Some(pattern), _) => of_pattern(pattern),
        (None, Some(build)) => of_build(build),
        (None, None) => plain("PatternError", &error.to_string()),
    };
    match (error.filter(), error.subscription(), error.pattern_error()) {
        (Some(filter), ..) => placed(fault, "pattern", filter + before),
        // A policy is the only one of its subscription.
        (None, Some(_), _) | (None, None, Some(_)) => placed(fault, "pattern", before),
        (None, None, None) => fault,
    }
}
