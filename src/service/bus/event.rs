//! An event of a Custom Event Bus: its data, its metadata, and its system metadata.

use std::borrow::Cow;

use crate::event::{Event, EventError, Reader, Scalar, Sink, Text, Want};
use crate::json::{EventErrorKind, Kind, kind_of};
use crate::limit::Limits;

/// A key of a map of metadata, and its value.
type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// An event as a Custom Event Bus delivers it, in three parts: the data as bytes, and two small maps of strings. It is
/// never turned into JSON text.
///
/// ```
/// use eventrie::service::{BusEvent, FilterConfiguration, Subscription, SubscriptionScratch};
/// let filters = r#"{"Filters": [
///     {"Scope": "DATA", "Pattern": "{\"total\": [{\"numeric\": [\">\", 100]}]}"},
///     {"Scope": "METADATA", "Pattern": "{\"tenant\": [\"a\"]}"}
/// ]}"#;
/// let subscriber = Subscription::subscriber(FilterConfiguration::parse(filters)?);
/// let event = BusEvent::new(br#"{"total": 120}"#.as_slice())
///     .metadata("tenant", "a")
///     .system_metadata("ContentType", "application/json");
/// assert!(subscriber.judge(&event, &mut SubscriptionScratch::default())?.matched);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BusEvent<'a> {
    data: Cow<'a, [u8]>,
    metadata: Vec<Pair<'a>>,
    system: Vec<Pair<'a>>,
    pub(super) unknown: Unknown,
}

/// What is not known about an event that is not published yet, or of which only a part was passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Unknown {
    /// Fields at the top level of the data, which the service fills in.
    pub(super) data: Vec<&'static str>,
    /// Keys of the system metadata, which the service fills in.
    pub(super) system: Vec<&'static str>,
    /// Whether only the data is known.
    pub(super) all_but_data: bool,
    /// Whether the data is not known.
    pub(super) all_data: bool,
}

/// Which API call published an event to a Custom Event Bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Publisher {
    /// PutEvents, an AWS service or a partner: the data is the classic envelope, the payload is in `detail`.
    PutEvents,
    /// PutRawEvents: the data is the payload as it was sent.
    PutRawEvents,
    /// The event does not say.
    Unknown,
}

/// What a DATA filter finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Readable {
    /// An object, or text that was meant to be one.
    Object,
    /// JSON that is not an object.
    Other,
    /// Data that no filter reads.
    Opaque,
}

impl<'a> BusEvent<'a> {
    /// An event with this data and no metadata.
    #[must_use]
    pub fn new(data: impl Into<Cow<'a, [u8]>>) -> BusEvent<'a> {
        BusEvent { data: data.into(), ..BusEvent::default() }
    }

    /// Adds a key of the metadata.
    #[must_use]
    pub fn metadata(mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> BusEvent<'a> {
        self.metadata.push((key.into(), value.into()));
        self
    }

    /// Adds a field of the system metadata, such as `ContentType` or `aws:Source`.
    #[must_use]
    pub fn system_metadata(mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) -> BusEvent<'a> {
        self.system.push((key.into(), value.into()));
        self
    }

    /// The data.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// The content type that the event was published with.
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.system_field("ContentType")
    }

    /// Which call made the event, as far as its system metadata says.
    ///
    /// ```
    /// use eventrie::service::{BusEvent, Publisher};
    /// let event = BusEvent::new(b"{}".as_slice()).system_metadata("aws:Source", "shop");
    /// assert_eq!(event.publisher(), Publisher::PutEvents);
    /// ```
    #[must_use]
    pub fn publisher(&self) -> Publisher {
        let named = |key| self.system_field(key).is_some();
        match self.content_type() {
            _ if named("aws:Source") || named("aws:DetailType") => Publisher::PutEvents,
            Some("application/eventbridge+json") => Publisher::PutEvents,
            Some(_) => Publisher::PutRawEvents,
            None => Publisher::Unknown,
        }
    }

    pub(in crate::service) fn system_field(&self, key: &str) -> Option<&str> {
        self.system.iter().rev().find(|(name, _)| name == key).map(|(_, value)| &**value)
    }

    /// Whether all of the event is known.
    pub(in crate::service) fn is_known(&self) -> bool {
        self.unknown == Unknown::default()
    }

    pub(in crate::service) fn has_metadata(&self) -> bool {
        !self.metadata.is_empty()
    }

    /// What a DATA filter finds. Avro and Protobuf are decoded by the service: only decoded data can be read here.
    pub(in crate::service) fn readable(&self, limits: &Limits) -> Result<Readable, EventError> {
        let text = || std::str::from_utf8(&self.data).ok();
        match self.content_type() {
            None | Some("application/json" | "application/eventbridge+json") => {
                let first = self.data.iter().find(|byte| !byte.is_ascii_whitespace());
                if first == Some(&b'{') {
                    return Ok(Readable::Object);
                }
                match text().and_then(|text| kind_of(text, limits)) {
                    Some(_) => Ok(Readable::Other),
                    None => Err(EventError::new(EventErrorKind::Syntax, 0, "the data is not JSON")),
                }
            }
            Some("application/avro" | "application/protobuf") => match text().and_then(|text| kind_of(text, limits)) {
                Some(Kind::Object) => Ok(Readable::Object),
                Some(_) => Ok(Readable::Other),
                None => Err(EventError::foreign(
                    "the data is Avro or Protobuf, which the service decodes before a DATA filter reads it: pass the \
                     decoded JSON",
                )),
            },
            Some(_) => Ok(Readable::Opaque),
        }
    }

    /// Why a filter cannot be evaluated: it tests what is not known about the event.
    pub(in crate::service) fn undecided(&self, dialect_is_data: bool, names: &[Cow<'_, str>]) -> Option<&'static str> {
        let tests = |fields: &[&str]| names.iter().any(|name| fields.iter().any(|field| is_at(name, field)));
        if dialect_is_data {
            if self.unknown.all_data {
                return Some("the data of the event is not known");
            }
            return tests(&self.unknown.data).then_some(
                "the entry is not published yet: pass the `id`, `account`, `region` and `time` that it will have",
            );
        }
        if self.unknown.all_but_data {
            return Some("a payload alone has no metadata: pass the event with its `SystemMetadata`");
        }
        tests(&self.unknown.system)
            .then_some("the entry is not published yet: the service sets this field of the system metadata later")
    }

    /// The event as a target with `WITH_METADATA` receives it.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = b"{\"Data\":".to_vec();
        match std::str::from_utf8(&self.data).ok().and_then(|data| kind_of(data, &Limits::default())) {
            Some(_) => text.extend_from_slice(&self.data),
            None => text.extend_from_slice(b"null"),
        }
        for (name, scope) in [("Metadata", "METADATA"), ("SystemMetadata", "SYSTEM_METADATA")] {
            text.extend_from_slice(format!(",\"{name}\":").as_bytes());
            text.extend_from_slice(&self.part_as_json(scope));
        }
        text.push(b'}');
        text
    }

    /// A part as the JSON that its filters see.
    pub(in crate::service) fn part_as_json(&self, scope: &str) -> Vec<u8> {
        let pairs = match scope {
            "METADATA" => &self.metadata[..],
            "SYSTEM_METADATA" => &self.system[..],
            _ => return self.data.to_vec(),
        };
        let mut text = String::from("{");
        for (key, value) in pairs {
            if text.len() > 1 {
                text.push(',');
            }
            crate::base::text::push_json_string(&mut text, key);
            text.push(':');
            crate::base::text::push_json_string(&mut text, value);
        }
        text.push('}');
        text.into_bytes()
    }
}

/// Whether a path begins with a field.
fn is_at(path: &str, field: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl<'a> From<&'a [u8]> for BusEvent<'a> {
    fn from(data: &'a [u8]) -> BusEvent<'a> {
        BusEvent::new(data)
    }
}

/// The three parts as the one event that combined patterns see.
pub(in crate::service) struct Parts<'e, 'a> {
    pub(in crate::service) event: &'e BusEvent<'a>,
    /// Whether the data is there to be read.
    pub(in crate::service) with_data: bool,
}

impl Event for Parts<'_, '_> {
    fn read<S: Sink>(&self, sink: &mut S, reader: &mut Reader) -> Result<(), EventError> {
        if sink.begin_object() != Want::Read {
            return Ok(());
        }
        for (name, pairs) in [("SYSTEM_METADATA", &self.event.system[..]), ("METADATA", &self.event.metadata[..])] {
            match sink.key(Text::from(name)) {
                Want::Read => {}
                Want::Skip => continue,
                Want::Leave => return end(sink),
                Want::Stop => return Ok(()),
            }
            match sink.begin_object() {
                Want::Read => {}
                Want::Skip | Want::Leave => continue,
                Want::Stop => return Ok(()),
            }
            for (key, value) in pairs {
                match sink.key(Text::from(&**key)) {
                    Want::Read => sink.scalar(Scalar::string(value)),
                    Want::Skip => {}
                    Want::Leave => break,
                    Want::Stop => return Ok(()),
                }
            }
            sink.end_object();
        }
        // Last, since reading it may stop early.
        if self.with_data && sink.key(Text::from("DATA")) == Want::Read {
            self.event.data().read(sink, reader)?;
        }
        end(sink)
    }
}

fn end<S: Sink>(sink: &mut S) -> Result<(), EventError> {
    sink.end_object();
    Ok(())
}
