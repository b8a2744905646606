//! eventrie for JavaScript: a thin layer over the public interface of the library. Ranges are counted in UTF-16 units,
//! results are plain objects, and errors are thrown as an `Error` that carries the details.
//!
//! The package is built with `node wasm/build.mjs`, which writes `wasm/pkg`. Its own JavaScript (`wasm/npm/api.js`) checks
//! and converts the arguments of callers: only strings and bytes arrive here.

mod fault;
mod json;
mod options;
mod position;
mod source;
mod subscriber;
mod view;

use eventrie::{ParseOptions, Scratch};
use js_sys::JSON;
use wasm_bindgen::prelude::*;

use fault::{of_build, of_bytes, of_event, of_pattern};
use json::Json;
use options::Options;
use position::Positions;
pub use source::{RecordFilter, SnsFilter, attributes_as_event, fate};
pub use subscriber::Subscribers;
use view::Reporter;

/// A plain object, from what `write` writes.
fn object(write: impl FnOnce(&mut Json)) -> Result<JsValue, JsValue> {
    JSON::parse(&Json::of(write))
}

/// The text of UTF-8 bytes; nothing if they are not UTF-8.
#[wasm_bindgen]
#[must_use]
pub fn decoded(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// The `EventError` for an event whose bytes are not UTF-8.
#[wasm_bindgen]
#[must_use]
pub fn undecodable(bytes: &[u8]) -> JsValue {
    let empty = eventrie::Matcher::new([]);
    let fault = empty.map(|matcher| matcher.is_match(bytes, &mut Scratch::default()));
    match fault {
        Ok(Err(fault)) => of_bytes(&fault, bytes),
        _ => fault::plain("EventError", "the bytes are not valid UTF-8"),
    }
}

/// Checks a pattern: never throws for what is wrong with the pattern, but says it.
///
/// # Errors
/// If an option is unknown.
#[wasm_bindgen(unchecked_return_type = "Check")]
pub fn check(pattern: &str, options: Option<Options>) -> Result<JsValue, JsValue> {
    let options = options::read(options.as_ref())?;
    let at = Positions::new(pattern);
    let parsed = eventrie::Pattern::parse_with(pattern, &options);
    object(|json| {
        json.open('{');
        json.key("valid").truth(parsed.is_ok());
        let usage = match &parsed {
            Ok(valid) => {
                view::findings(
                    json.key("findings"),
                    &valid.lint_with(&eventrie::pattern::LintOptions::default().notes(true)),
                    &at,
                );
                json.key("serviceMessage").text_or_null(None);
                json.key("canonical").string(&valid.to_string());
                valid.usage()
            }
            Err(error) => {
                view::findings(json.key("findings"), error.findings(), &at);
                json.key("serviceMessage").string(&error.service_message());
                json.key("canonical").text_or_null(None);
                // What is refused for a limit of the service alone still has numbers to show.
                let lenient = eventrie::Pattern::parse_with(pattern, &ParseOptions::new(options.dialect()));
                lenient.map_or_else(|_| Vec::new(), |pattern| pattern.usage())
            }
        };
        view::meters(json.key("usage"), &usage);
        json.close('}');
    })
}

/// A pattern that was read and found valid.
#[wasm_bindgen]
pub struct Pattern(eventrie::Pattern);

#[wasm_bindgen]
impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A `PatternError` with all that is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(source: &str, options: Option<Options>) -> Result<Pattern, JsValue> {
        let options = options::read(options.as_ref())?;
        eventrie::Pattern::parse_with(source, &options).map(Pattern).map_err(|error| of_pattern(&error))
    }

    /// The text that was parsed.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn source(&self) -> String {
        self.0.source().to_owned()
    }

    /// The pattern as JSON on one line.
    #[wasm_bindgen(js_name = toString)]
    #[must_use]
    pub fn canonical(&self) -> String {
        self.0.to_string()
    }

    /// How much of each limit of the service the pattern takes.
    ///
    /// # Errors
    /// Never in practice.
    #[wasm_bindgen(unchecked_return_type = "Usage[]")]
    pub fn usage(&self) -> Result<JsValue, JsValue> {
        object(|json| view::meters(json, &self.0.usage()))
    }

    /// What is valid but probably not what was intended.
    ///
    /// # Errors
    /// Never in practice.
    #[wasm_bindgen(unchecked_return_type = "Finding[]")]
    pub fn lint(&self) -> Result<JsValue, JsValue> {
        object(|json| {
            view::findings(
                json,
                &self.0.lint_with(&eventrie::pattern::LintOptions::default().notes(true)),
                &Positions::new(self.0.source()),
            )
        })
    }

    /// A smallest event that matches, as JSON text; undefined if there is none, or none was found. For SNS attributes
    /// and for records it is what patterns see of them.
    #[must_use]
    pub fn sample(&self) -> Option<String> {
        self.0.sample()
    }

    /// Whether the pattern matches the event, and why. For SNS attributes and for records, the event is what patterns
    /// see of them (`asEvent`).
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(unchecked_return_type = "Explanation")]
    pub fn explain(&self, event: &str) -> Result<JsValue, JsValue> {
        let explanation = self.0.explain(event.as_bytes()).map_err(|error| of_event(&error, event))?;
        object(|json| Reporter::new(self.0.source(), event).explained(json, &explanation))
    }
}

/// Proposes a pattern for events like these.
///
/// # Errors
/// An `EventError` (with the place of the event as `event`).
#[wasm_bindgen(unchecked_return_type = "Inferred")]
pub fn infer(events: Vec<String>, options: Option<Options>) -> Result<JsValue, JsValue> {
    let options = options::read(options.as_ref())?;
    let inferred = eventrie::relate::infer(events.iter().map(String::as_str), options.dialect());
    let inferred = inferred.map_err(|error| {
        let event = events.get(error.event()).map_or("", String::as_str);
        fault::placed(of_event(error.error(), event), "event", error.event())
    })?;
    object(|json| view::inferred(json, &inferred))
}

/// Many patterns compiled into one automaton.
#[wasm_bindgen]
pub struct Matcher {
    matcher: eventrie::Matcher,
    scratch: Scratch,
}

#[wasm_bindgen]
impl Matcher {
    /// Compiles patterns of one dialect.
    ///
    /// # Errors
    /// A `PatternError` (with the place of the pattern as `pattern`) or a `BuildError`.
    #[wasm_bindgen(constructor)]
    pub fn new(patterns: Vec<String>, options: Option<Options>) -> Result<Matcher, JsValue> {
        let options = options::read(options.as_ref())?;
        let mut read = Vec::with_capacity(patterns.len());
        for (index, source) in patterns.iter().enumerate() {
            let pattern = eventrie::Pattern::parse_with(source, &options);
            read.push(pattern.map_err(|error| fault::placed(of_pattern(&error), "pattern", index))?);
        }
        let matcher = eventrie::Matcher::new(read).map_err(|error| of_build(&error))?;
        Ok(Matcher { matcher, scratch: Scratch::default() })
    }

    /// The places of the patterns that match the event, ascending.
    ///
    /// # Errors
    /// An `EventError`.
    pub fn matches(&mut self, event: &str) -> Result<Vec<u32>, JsValue> {
        let found =
            self.matcher.matches(event.as_bytes(), &mut self.scratch).map_err(|error| of_event(&error, event))?;
        Ok(found.iter().map(|id| u32::try_from(id.index()).unwrap_or(u32::MAX)).collect())
    }

    /// Whether any pattern matches the event.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(js_name = isMatch)]
    pub fn is_match(&mut self, event: &str) -> Result<bool, JsValue> {
        self.matcher.is_match(event.as_bytes(), &mut self.scratch).map_err(|error| of_event(&error, event))
    }

    /// As `matches`, for the bytes of an event.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(js_name = matchesBytes)]
    pub fn matches_bytes(&mut self, event: &[u8]) -> Result<Vec<u32>, JsValue> {
        let found = self.matcher.matches(event, &mut self.scratch).map_err(|error| of_bytes(&error, event))?;
        Ok(found.iter().map(|id| u32::try_from(id.index()).unwrap_or(u32::MAX)).collect())
    }

    /// As `isMatch`, for the bytes of an event.
    ///
    /// # Errors
    /// An `EventError`.
    #[wasm_bindgen(js_name = isMatchBytes)]
    pub fn is_match_bytes(&mut self, event: &[u8]) -> Result<bool, JsValue> {
        self.matcher.is_match(event, &mut self.scratch).map_err(|error| of_bytes(&error, event))
    }

    /// How many patterns there are.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn size(&self) -> usize {
        self.matcher.len()
    }

    /// Bytes that the compiled tables take.
    #[wasm_bindgen(getter, js_name = memoryUsage)]
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        self.matcher.memory_usage()
    }
}
