//! The shapes in which people have events of a Custom Event Bus: delivered in three parts, a request or an entry of
//! PutEvents or PutRawEvents, or the payload alone.

use std::borrow::Cow;
use std::ops::Range;

use super::event::{BusEvent, Unknown};
use crate::base::text::push_json_string;
use crate::event::EventError;
use crate::json::{EventErrorKind, Kind, Node, Tree};
use crate::limit::Limits;
use crate::service::decode::base64;

/// The fields that the service will fill in for a PutEvents entry that is not published yet. Patterns that test a field
/// not given here cannot be evaluated.
///
/// ```
/// use eventrie::service::{BusEvent, Unpublished};
/// let entry = br#"{"Source": "shop", "DetailType": "order", "Detail": "{\"total\": 5}"}"#;
/// let event = BusEvent::parse(entry, &Unpublished::default().account("123456789012").region("eu-west-1"))?;
/// let data = std::str::from_utf8(event.data())?;
/// assert!(data.ends_with(r#""account":"123456789012","region":"eu-west-1","detail":{"total": 5}}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpublished {
    id: Option<String>,
    account: Option<String>,
    region: Option<String>,
    time: Option<String>,
}

impl Unpublished {
    /// The event's `id`.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Unpublished {
        self.id = Some(id.into());
        self
    }

    /// The account that publishes.
    #[must_use]
    pub fn account(mut self, account: impl Into<String>) -> Unpublished {
        self.account = Some(account.into());
        self
    }

    /// The Region of the bus.
    #[must_use]
    pub fn region(mut self, region: impl Into<String>) -> Unpublished {
        self.region = Some(region.into());
        self
    }

    /// The event's `time`, where the entry has none.
    #[must_use]
    pub fn time(mut self, time: impl Into<String>) -> Unpublished {
        self.time = Some(time.into());
        self
    }
}

/// Keys of the system metadata that the service sets when an event is published.
const SET_LATER: [&str; 5] =
    ["aws:EventId", "aws:IngestionTime", "aws:SequenceNumber", "EventGroupId", "DeduplicationId"];

impl BusEvent<'static> {
    /// Reads an event in any shape: `{"Data", "Metadata"?, "SystemMetadata"}` as a target with `WITH_METADATA` gets it,
    /// an entry of PutEvents (the envelope is made as the service makes it) or of PutRawEvents (`Data` is base64), else
    /// the payload alone, which has only data. For a request, read each entry by itself.
    ///
    /// # Errors
    /// If the text is not a JSON object, or the service would reject the entry.
    ///
    /// ```
    /// use eventrie::service::{BusEvent, Publisher, Unpublished};
    /// let entry = br#"{"Data": "eyJ0b3RhbCI6IDV9", "SystemMetadata": {"ContentType": "application/json"}}"#;
    /// let event = BusEvent::parse(entry, &Unpublished::default())?;
    /// assert_eq!((event.data(), event.publisher()), (br#"{"total": 5}"#.as_slice(), Publisher::PutRawEvents));
    /// # Ok::<(), eventrie::EventError>(())
    /// ```
    pub fn parse(text: &[u8], unpublished: &Unpublished) -> Result<BusEvent<'static>, EventError> {
        bare(text, unpublished, Some("DATA"))
    }
}

/// Reads an event; a string of no known shape is this part of one.
pub(in crate::service) fn bare(
    text: &[u8],
    unpublished: &Unpublished,
    part: Option<&str>,
) -> Result<BusEvent<'static>, EventError> {
    let Ok(tree) = Tree::parse_event(text, &Limits::default()) else {
        // Whether it is malformed matters to DATA filters only.
        return match part {
            Some("METADATA" | "SYSTEM_METADATA") => Tree::parse_event(text, &Limits::default()).map(|_| alone(text)),
            _ => Ok(alone(text)),
        };
    };
    let shape = Shape { tree: &tree };
    if shape.member(0, "Entries").is_some_and(|(_, node)| node.kind == Kind::Array) {
        return Err(shape.refused(0, "this is a request with entries: pass one entry"));
    }
    let parts = shape.has("SystemMetadata") || shape.has("Metadata");
    if (shape.has("Data") || shape.has("DataBase64")) && (parts || shape.only(&["Data", "DataBase64"])) {
        return shape.parts();
    }
    if shape.has("DetailType") || (shape.has("Source") && shape.has("Detail")) || shape.has("EventBusName") {
        return shape.entry(unpublished);
    }
    match part {
        Some(part @ ("METADATA" | "SYSTEM_METADATA")) => {
            let mut event = BusEvent::new(Vec::new());
            for (key, value) in shape.pairs(0)? {
                event = if part == "METADATA" { event.metadata(key, value) } else { event.system_metadata(key, value) };
            }
            event.unknown.all_data = true;
            Ok(event)
        }
        _ => Ok(alone(text)),
    }
}

/// The entries of a request, as places in its text; none if it is not one.
pub(in crate::service) fn entries(text: &[u8]) -> Option<Vec<Range<usize>>> {
    // Most strings are single events, which need not be read twice.
    memchr::memmem::find(text, b"\"Entries\"")?;
    let tree = Tree::parse_event(text, &Limits::default()).ok()?;
    let (list, _) = Shape { tree: &tree }.member(0, "Entries").filter(|(_, node)| node.kind == Kind::Array)?;
    Some(tree.children(list).map(|(_, node)| node.span.start as usize..node.span.end as usize).collect())
}

/// A payload without anything around it.
fn alone(text: &[u8]) -> BusEvent<'static> {
    let mut event = BusEvent::new(text.to_vec());
    event.unknown.all_but_data = true;
    event
}

/// A string that was read.
struct Shape<'s, 't> {
    tree: &'s Tree<'t>,
}

impl Shape<'_, '_> {
    fn member(&self, at: usize, name: &str) -> Option<(usize, &Node)> {
        self.tree.children(at).filter(|(_, node)| node.key.is_some_and(|key| self.tree.string(key) == name)).last()
    }

    fn has(&self, name: &str) -> bool {
        self.member(0, name).is_some()
    }

    fn only(&self, names: &[&str]) -> bool {
        self.tree.children(0).all(|(_, node)| node.key.is_some_and(|key| names.contains(&&*self.tree.string(key))))
    }

    fn string(&self, name: &str) -> Option<String> {
        let (_, node) = self.member(0, name).filter(|(_, node)| node.kind == Kind::String)?;
        Some(self.tree.string(node.span).into_owned())
    }

    fn refused(&self, at: u32, what: &'static str) -> EventError {
        EventError::new(EventErrorKind::Syntax, at as usize, what)
    }

    /// A map of strings to strings.
    fn pairs(&self, at: usize) -> Result<Vec<(String, String)>, EventError> {
        let mut pairs = Vec::new();
        for (_, node) in self.tree.children(at) {
            if node.kind != Kind::String {
                return Err(self.refused(node.span.start, "every value of the metadata must be a string"));
            }
            let key = node.key.map(|key| self.tree.string(key)).unwrap_or_default();
            pairs.push((key.into_owned(), self.tree.string(node.span).into_owned()));
        }
        Ok(pairs)
    }

    fn map(&self, name: &str) -> Result<Vec<(String, String)>, EventError> {
        match self.member(0, name) {
            None => Ok(Vec::new()),
            Some((_, node)) if node.kind == Kind::Null => Ok(Vec::new()),
            Some((at, node)) if node.kind == Kind::Object => self.pairs(at),
            Some((_, node)) => Err(self.refused(node.span.start, "the metadata must be an object of strings")),
        }
    }

    /// An event in three parts, or an entry of PutRawEvents, whose data is base64.
    fn parts(&self) -> Result<BusEvent<'static>, EventError> {
        let (metadata, system) = (self.map("Metadata")?, self.map("SystemMetadata")?);
        // What the service sets distinguishes a delivered event from one that is not published yet.
        let delivered = system.iter().any(|(key, _)| key.starts_with("aws:"));
        let encoded = self.member(0, "DataBase64").or_else(|| {
            let text = self.member(0, "Data").filter(|(_, node)| node.kind == Kind::String);
            text.filter(|_| !delivered)
        });
        let data = match (encoded, self.member(0, "Data")) {
            (Some((_, node)), _) => {
                let mut data = Vec::new();
                if !base64(self.tree.string(node.span).as_bytes(), &mut data) {
                    return Err(self.refused(node.span.start, "the `Data` of a PutRawEvents entry must be base64"));
                }
                data
            }
            (None, Some((_, node))) => node.span.slice(self.tree.text()).as_bytes().to_vec(),
            (None, None) => Vec::new(),
        };
        let mut event = BusEvent::new(data);
        for (key, value) in metadata {
            event = event.metadata(key, value);
        }
        let entry = encoded.is_some() && !delivered;
        for (key, value) in system {
            event = event.system_metadata(key, value);
        }
        if entry {
            event = event.about_to_be_published();
        }
        Ok(event)
    }

    /// A PutEvents entry: the envelope that the service will build from it.
    fn entry(&self, unpublished: &Unpublished) -> Result<BusEvent<'static>, EventError> {
        if let Some((_, node)) = self.member(0, "EventBusName") {
            let what = "`EventBusName` makes this an entry of a classic event bus: match its event with a rule";
            return Err(self.refused(node.span.start, what));
        }
        let (source, detail_type) = (self.string("Source"), self.string("DetailType"));
        let (Some(source), Some(detail_type)) = (source, detail_type) else {
            return Err(self.refused(0, "a PutEvents entry needs `Source` and `DetailType`, both strings"));
        };
        let time = self.string("Time").or_else(|| unpublished.time.clone());
        let mut text = String::from("{\"version\":\"0\"");
        let mut unknown = Unknown::default();
        let mut put = |name: &'static str, value: Option<&String>| match value {
            None => unknown.data.push(name),
            Some(value) => {
                text.push_str(",\"");
                text.push_str(name);
                text.push_str("\":");
                push_json_string(&mut text, value);
            }
        };
        put("id", unpublished.id.as_ref());
        put("detail-type", Some(&detail_type));
        put("source", Some(&source));
        put("time", time.as_ref());
        put("account", unpublished.account.as_ref());
        put("region", unpublished.region.as_ref());
        if let Some((_, node)) = self.member(0, "Resources").filter(|(_, node)| node.kind == Kind::Array) {
            text.push_str(",\"resources\":");
            text.push_str(node.span.slice(self.tree.text()));
        }
        text.push_str(",\"detail\":");
        text.push_str(&self.detail()?);
        text.push('}');
        let mut event = BusEvent::new(text.into_bytes());
        for (key, value) in self.map("SystemMetadata")? {
            event = event.system_metadata(key, value);
        }
        event = event
            .system_metadata("ContentType", "application/eventbridge+json")
            .system_metadata("aws:Source", source)
            .system_metadata("aws:DetailType", detail_type)
            .about_to_be_published();
        event.unknown.data = unknown.data;
        Ok(event)
    }

    /// The detail of an entry of PutEvents: a string that contains an object; a missing one counts as empty.
    fn detail(&self) -> Result<Cow<'_, str>, EventError> {
        let Some((_, node)) = self.member(0, "Detail").filter(|(_, node)| node.kind != Kind::Null) else {
            return Ok(Cow::Borrowed("{}"));
        };
        match node.kind {
            Kind::Object => Ok(Cow::Borrowed(node.span.slice(self.tree.text()))),
            Kind::String => {
                let detail = self.tree.string(node.span);
                match Tree::parse_event(detail.as_bytes(), &Limits::default()) {
                    Ok(_) => Ok(Cow::Owned(detail.into_owned())),
                    Err(_) => Err(self.refused(node.span.start, "`Detail` must contain a JSON object")),
                }
            }
            _ => Err(self.refused(node.span.start, "`Detail` must be a string that contains a JSON object")),
        }
    }
}

impl BusEvent<'static> {
    /// The event as it will be delivered live, as far as that is known.
    fn about_to_be_published(mut self) -> BusEvent<'static> {
        self.unknown.system = SET_LATER.into_iter().filter(|key| self.system_field(key).is_none()).collect();
        self.system_metadata("aws:DeliveryType", "LIVE")
    }
}
