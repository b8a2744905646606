//! Envelopes around events: what people paste or download instead of an event, opened.
//!
//! Events are seen in queues, logs, trails and requests. Each has its own wrapping, and some contain records from which
//! EventBridge makes an event. [`open`] finds the events inside and says what was around them.

mod answer;
mod base64;
mod layer;
mod layers;
mod line;
mod made;
mod quick;
mod received;
mod visit;

use crate::tree::{self, Node};

pub use layer::Layer;
use visit::{Here, LARGEST, Open};

/// How deep envelopes are opened: an event in a notification in a queue message in a log is four levels.
const DEEPEST: usize = 8;
/// An event that was inside something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    text: String,
    pointer: String,
    layers: Vec<Layer>,
    made: Option<String>,
    refused: Option<String>,
    bus: Option<String>,
    unset: Vec<&'static str>,
}

impl Inner {
    /// The event's JSON text: as it was spelled, or as EventBridge builds it from a record.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it was, as a JSON Pointer that also leads into strings that contain JSON.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What was around it, from outside to inside.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Why EventBridge would not accept it: the entry of a request that fails.
    #[must_use]
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// The name of the event bus that the event goes to, if the envelope says so: an entry of PutEvents does.
    #[must_use]
    pub fn bus(&self) -> Option<&str> {
        self.bus.as_deref()
    }

    /// One sentence: what the text was, and what it is read as.
    #[must_use]
    pub fn sentence(&self) -> String {
        let around: Vec<&str> = self.layers.iter().rev().map(|layer| layer.name()).collect();
        let around = around.join(" in ");
        match &self.made {
            Some(made) if self.layers == [Layer::ReceivedMessage] => format!("this is {around}: read as {made}"),
            Some(made) => {
                let unset: Vec<String> = self.unset.iter().map(|name| format!("`{name}`")).collect();
                let later = match unset.as_slice() {
                    [] => String::new(),
                    [one] => format!(" ({one} is not known until it is sent)"),
                    [first @ .., last] => format!(" ({} and {last} are not known until it is sent)", first.join(", ")),
                };
                format!("this is {around}, not an event: read as {made}{later}")
            }
            None if around.is_empty() => format!("found at {}", self.pointer),
            None => format!("unwrapped from {around}"),
        }
    }

    /// The fields that EventBridge sets when an entry of PutEvents is sent, and that this event lacks for now: of `time`, `id`,
    /// `account` and `region`.
    #[must_use]
    pub fn unset(&self) -> &[&'static str] {
        &self.unset
    }

    /// Sets a field of [`unset`](Inner::unset); without effect on others.
    fn set(&mut self, name: &str, value: &str) {
        if self.unset.contains(&name) {
            self.unset.retain(|other| *other != name);
            self.text.pop();
            self.text.push_str(&format!(",\"{name}\":{}}}", serde_json::Value::from(value)));
        }
    }
}

/// What was found in an envelope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opened {
    events: Vec<Inner>,
    skipped: usize,
    is_cut: bool,
    answer: Option<&'static str>,
}

impl Opened {
    /// Sets what EventBridge will set when an entry of PutEvents is sent: of `time`, `id`, `account` and `region` those that an
    /// event lacks.
    ///
    /// ```
    /// use eventrie_files::envelope::{Wanted, open};
    ///
    /// let entry = br#"{"Source":"shop","DetailType":"order","Detail":"{}"}"#;
    /// let mut opened = open(entry, Wanted::Event).unwrap();
    /// assert_eq!(opened.events()[0].unset(), ["time", "id", "account", "region"]);
    /// opened.set("account", "111122223333");
    /// assert_eq!(opened.events()[0].unset(), ["time", "id", "region"]);
    /// assert!(opened.events()[0].text().contains(r#""account":"111122223333""#));
    /// ```
    pub fn set(&mut self, name: &str, value: &str) {
        self.events.iter_mut().for_each(|event| event.set(name, value));
    }

    /// The events, in the order of the text.
    #[must_use]
    pub fn events(&self) -> &[Inner] {
        &self.events
    }

    /// How many messages or payloads contain no JSON object, such as the `START` lines of a function's log.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Why there are no events, if there are none.
    ///
    /// ```
    /// use eventrie_files::envelope::{Wanted, open};
    ///
    /// let answer = br#"{"FailedEntryCount":0,"Entries":[{"EventId":"11710aed-b79e-4468-a20b-bb3c0c3b4860"}]}"#;
    /// let why = open(answer, Wanted::Event).unwrap().why_empty();
    /// assert_eq!(why, Some("this is a response from PutEvents; the events are in the request"));
    /// ```
    #[must_use]
    pub fn why_empty(&self) -> Option<&'static str> {
        match (self.events.is_empty(), self.answer) {
            (false, _) => None,
            (true, Some(answer)) => Some(answer),
            (true, None) => Some("none of the messages inside is a JSON object"),
        }
    }

    /// Whether some were left out because together they are larger than 256 MiB.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// What is looked for inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Events of EventBridge.
    Event,
    /// Messages as SNS delivers them.
    Message,
    /// Records of a queue: only messages as `aws sqs receive-message` prints them are opened.
    Record,
}

/// Opens the envelope around events; none if the text is an event itself, or nothing that is known. Most events are
/// recognized by their first fields, so this costs little in a stream.
///
/// ```
/// use eventrie_files::envelope::{Wanted, open};
///
/// let entry = br#"{"Source":"shop","DetailType":"order","Detail":"{\"total\":5}"}"#;
/// let opened = open(entry, Wanted::Event).unwrap();
/// assert!(opened.events()[0].text().contains(r#""source":"shop","resources":[],"detail":{"total":5}"#));
/// assert!(opened.events()[0].sentence().starts_with("this is a PutEvents entry, not an event"));
/// assert!(open(br#"{"source":"shop","detail-type":"order","detail":{}}"#, Wanted::Event).is_none());
/// ```
#[must_use]
pub fn open(text: &[u8], wanted: Wanted) -> Option<Opened> {
    if !quick::may_be_an_envelope(text) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    let mut opener = Opener { wanted, opened: Opened::default(), bytes: 0 };
    let here = Here { pointer: String::new(), layers: Vec::new() };
    if wanted == Wanted::Record {
        let root = tree::parse_json(text).ok()?;
        for (pointer, message) in received::messages(&root) {
            let here = here.step(&pointer, Some(Layer::ReceivedMessage));
            let made = "the record that a pipe or an event source mapping receives".to_owned();
            opener.push(received::record(message, text), &here, Some(made), None);
        }
        return (!opener.opened.events.is_empty()).then_some(opener.opened);
    }
    let is_open = match tree::parse_json(text) {
        Ok(root) => {
            opener.opened.answer = answer::of(&root);
            opener.opened.answer.is_some() || opener.node(&root, text, &here)
        }
        Err(_) => opener.line(text, &here),
    };
    is_open.then_some(opener.opened)
}

struct Opener {
    wanted: Wanted,
    opened: Opened,
    bytes: usize,
}

impl Opener {
    fn push(&mut self, text: String, here: &Here, made: Option<String>, refused: Option<String>) {
        self.bytes = self.bytes.saturating_add(text.len());
        if self.bytes > LARGEST {
            self.opened.is_cut = true;
            return;
        }
        let Here { pointer, layers } = here.clone();
        self.opened.events.push(Inner { text, pointer, layers, made, refused, bus: None, unset: Vec::new() });
    }

    /// A log line: JSON with words in front of it.
    fn line(&mut self, text: &str, here: &Here) -> bool {
        let Some((json, root)) = line::json(text) else { return false };
        let here = here.step("", Some(Layer::LogLine));
        if !self.node(&root, json, &here) {
            self.push(json.to_owned(), &here, None, None);
        }
        true
    }
}

impl Open for Opener {
    /// A string that contains an event, or one more envelope; if `surely` is false, only those.
    fn text(&mut self, text: &str, here: &Here, surely: bool) -> bool {
        if here.layers.len() >= DEEPEST || self.opened.is_cut {
            return false;
        }
        match tree::parse_json(text) {
            Ok(root) if !root.members().is_empty() || !root.elements().is_empty() || text.trim() == "{}" => {
                if self.node(&root, text, here) {
                    return true;
                }
                let is_event = layer::is_event(&root);
                if surely || is_event {
                    self.push(text.to_owned(), here, None, None);
                }
                surely || is_event
            }
            Ok(_) => self.skip(surely),
            Err(_) => self.line(text, here) || self.skip(surely),
        }
    }

    fn skip(&mut self, surely: bool) -> bool {
        self.opened.skipped += usize::from(surely);
        surely
    }

    /// A value inside an envelope: a string that contains JSON, or JSON itself.
    fn value(&mut self, node: &Node, text: &str, here: &Here, surely: bool) -> bool {
        match node.text() {
            Some(inner) => self.text(inner, here, surely),
            None => self.text(text.get(node.span.clone()).unwrap_or(""), here, surely),
        }
    }

    /// Opens the node, if it is an envelope; `text` is the text that it was read from.
    fn node(&mut self, node: &Node, text: &str, here: &Here) -> bool {
        if here.layers.len() >= DEEPEST || self.opened.is_cut {
            return false;
        }
        if !node.elements().is_empty() && !here.layers.is_empty() {
            return self.elements(node, text, here, "", None);
        }
        if layer::is_event(node) {
            return false;
        }
        if self.wanted == Wanted::Message && layer::is_notification(node) {
            if !here.layers.is_empty() {
                self.push(text.get(node.span.clone()).unwrap_or("").to_owned(), here, None, None);
            }
            return !here.layers.is_empty();
        }
        let made = match self.wanted {
            Wanted::Event => made::event(node, text),
            Wanted::Message | Wanted::Record => None,
        };
        if let Some(made) = made {
            let before = self.opened.events.len();
            self.push(made.text, &here.step("", Some(made.layer)), Some(made.sentence), made.refused);
            if let Some(inner) = self.opened.events.get_mut(before) {
                inner.bus = made.bus;
                inner.unset = made.unset;
            }
            return true;
        }
        layers::open(self, node, text, here)
    }

    /// Each element of a list.
    fn elements(&mut self, list: &Node, text: &str, here: &Here, name: &str, layer: Option<Layer>) -> bool {
        let mut any = false;
        for (at, element) in list.elements().iter().enumerate() {
            let here = here.step(&format!("{name}/{at}"), layer);
            any |= self.node(element, text, &here) || self.value(element, text, &here, true);
        }
        any
    }
}

#[cfg(test)]
mod tests;
