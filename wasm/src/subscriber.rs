//! Subscribers of a Custom Event Bus: filters of up to three scopes, over events in any shape.

use eventrie::diagnostic::Span;
use eventrie::service::{
    BusEvent, ConfigurationError, FilterConfiguration, Input, Subscription, SubscriptionScratch, SubscriptionSet,
};
use wasm_bindgen::prelude::*;

use crate::fault::{self, of_build, of_bytes, of_event, placed};
use crate::object;
use crate::options::{self, Options};
use crate::position::Positions;
use crate::view;

/// Subscribers compiled together.
#[wasm_bindgen]
pub struct Subscribers {
    configurations: Vec<FilterConfiguration>,
    subscriptions: Vec<Subscription>,
    set: SubscriptionSet,
    scratch: SubscriptionScratch,
}

#[wasm_bindgen]
impl Subscribers {
    /// Compiles filter configurations, each as the API writes it; of the options, the dialect does not count.
    ///
    /// # Errors
    /// A `ConfigurationError` or a `BuildError`, with the position of the configuration as `subscriber`.
    #[wasm_bindgen(constructor)]
    pub fn new(configurations: Vec<String>, options: Option<Options>) -> Result<Subscribers, JsValue> {
        let unpublished = options::unpublished(options.as_ref());
        let options = options::read(options.as_ref())?;
        let mut read = Vec::with_capacity(configurations.len());
        for (index, text) in configurations.iter().enumerate() {
            let configuration = FilterConfiguration::parse_with(text, &options);
            read.push(configuration.map_err(|error| placed(of_configuration(&error), "subscriber", index))?);
        }
        let subscribed = |configuration: &FilterConfiguration| {
            Subscription::subscriber(configuration.clone()).unpublished(unpublished.clone())
        };
        let subscriptions: Vec<_> = read.iter().map(subscribed).collect();
        let builder = SubscriptionSet::builder().unpublished(unpublished.clone());
        let set = builder.build(subscriptions.iter().cloned().enumerate()).map_err(|error| {
            let fault = error.build_error().map_or_else(|| fault::plain("BuildError", &error.to_string()), of_build);
            error.subscription().map_or(fault.clone(), |at| placed(fault, "subscriber", at))
        })?;
        Ok(Subscribers { configurations: read, subscriptions, set, scratch: SubscriptionScratch::default() })
    }

    /// The positions of the subscribers that get an event, ascending.
    ///
    /// # Errors
    /// An `EventError`; even if a filter only tests what is not known of the event.
    pub fn matches(&mut self, event: &str) -> Result<Vec<u32>, JsValue> {
        self.judge(event).map_err(|error| of_event(&error, event))
    }

    /// As `matches`, for an event in parts: its data, and keys and values in turn.
    ///
    /// # Errors
    /// As `matches`.
    #[wasm_bindgen(js_name = matchesParts)]
    pub fn matches_parts(
        &mut self,
        data: &[u8],
        metadata: Vec<String>,
        system: Vec<String>,
    ) -> Result<Vec<u32>, JsValue> {
        let event = of_parts(data, &metadata, &system);
        self.judge(&event).map_err(|error| of_bytes(&error, data))
    }

    /// Why one of the subscribers does or does not receive an event.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(unchecked_return_type = "SubscriberReport")]
    pub fn explain(&self, at: usize, event: &str) -> Result<JsValue, JsValue> {
        let Some(subscription) = self.subscriptions.get(at) else { return Ok(JsValue::UNDEFINED) };
        let report = subscription.explain(event).map_err(|error| of_event(&error, event))?;
        object(|json| view::subscriber(json, subscription.patterns(), &report))
    }

    /// As `explain`, for an event in parts.
    ///
    /// # Errors
    /// As `explain`.
    #[wasm_bindgen(js_name = explainParts, unchecked_return_type = "SubscriberReport")]
    pub fn explain_parts(
        &self,
        at: usize,
        data: &[u8],
        metadata: Vec<String>,
        system: Vec<String>,
    ) -> Result<JsValue, JsValue> {
        let Some(subscription) = self.subscriptions.get(at) else { return Ok(JsValue::UNDEFINED) };
        let event = of_parts(data, &metadata, &system);
        let report = subscription.explain(&event).map_err(|error| of_bytes(&error, data))?;
        object(|json| view::subscriber(json, subscription.patterns(), &report))
    }

    /// The filters of one of the subscribers: scope and pattern.
    ///
    /// # Errors
    /// None is known.
    #[wasm_bindgen(unchecked_return_type = "SubscriberFilter[]")]
    pub fn filters(&self, at: usize) -> Result<JsValue, JsValue> {
        let filters = self.subscriptions.get(at).map_or(&[][..], Subscription::patterns);
        object(|json| {
            json.list(filters, |json, filter| {
                json.open('{');
                json.key("scope").string(filter.dialect().scope().unwrap_or_default());
                json.key("pattern").string(filter.source());
                json.close('}');
            });
        })
    }

    /// The configuration as JSON on one line.
    #[must_use]
    pub fn canonical(&self, at: usize) -> Option<String> {
        self.configurations.get(at).map(ToString::to_string)
    }

    /// Likely mistakes in the filters, those between two filters included.
    ///
    /// # Errors
    /// None is known.
    #[wasm_bindgen(unchecked_return_type = "SubscriberFinding[]")]
    pub fn lint(&self, at: usize) -> Result<JsValue, JsValue> {
        let found = self.configurations.get(at).map(FilterConfiguration::lint).unwrap_or_default();
        let sources = self.subscriptions.get(at).map_or(&[][..], Subscription::patterns);
        object(|json| {
            json.list(&found, |json, (filter, finding)| {
                let at = Positions::new(sources.get(*filter).map_or("", |pattern| pattern.source()));
                json.open('{');
                json.key("filter").number(*filter as u64);
                view::finding_fields(json, finding, &at);
                json.close('}');
            });
        })
    }

    /// How many subscribers there are.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn size(&self) -> usize {
        self.set.len()
    }

    /// Bytes that the compiled tables take.
    #[wasm_bindgen(getter, js_name = memoryUsage)]
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        self.set.memory_usage()
    }
}

impl Subscribers {
    fn judge<'a>(&mut self, event: impl Into<Input<'a>>) -> Result<Vec<u32>, eventrie::EventError> {
        let verdict = self.set.judge(event, &mut self.scratch)?;
        Ok(verdict.positions().map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect())
    }
}

fn of_parts<'a>(data: &'a [u8], metadata: &'a [String], system: &'a [String]) -> BusEvent<'a> {
    let mut event = BusEvent::new(data);
    for pair in metadata.chunks_exact(2) {
        if let [key, value] = pair {
            event = event.metadata(key, value);
        }
    }
    for pair in system.chunks_exact(2) {
        if let [key, value] = pair {
            event = event.system_metadata(key, value);
        }
    }
    event
}

/// Every fault of a configuration; those of a pattern with its findings.
fn of_configuration(error: &ConfigurationError) -> JsValue {
    fault::error("ConfigurationError", &error.to_string(), |json| {
        json.open('{');
        json.key("faults").list(error.faults(), |json, fault| {
            let finding = fault.finding(Span { start: 0, end: 0 });
            json.open('{');
            json.key("filter").number_or_null(fault.filter().map(|at| at as u64));
            json.key("message").string(&match (&finding, fault.pattern_error()) {
                (Some(finding), _) => finding.message.clone(),
                (None, Some(error)) => error.findings().first().map(|one| one.message.clone()).unwrap_or_default(),
                (None, None) => fault.to_string(),
            });
            json.key("help").text_or_null(finding.as_ref().and_then(|finding| finding.help.as_deref()));
            json.key("serviceMessage").text_or_null(fault.service_message());
            match fault.pattern_error() {
                Some(error) => {
                    view::findings(json.key("findings"), error.findings(), &Positions::new(error.source()));
                }
                None => json.key("findings").list([], |_, (): ()| {}),
            }
            json.close('}');
        });
        json.key("serviceMessage").text_or_null(error.service_message());
        json.close('}');
    })
}
