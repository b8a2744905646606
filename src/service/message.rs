//! Messages of SNS: attributes as an event, bodies, and why a subscription receives nothing.

use crate::base::text::push_json_string;
use crate::json::{EventError, EventErrorKind, Kind, Tree, kind_of};
use crate::limit::Limits;

/// The type of a message attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AttributeType {
    /// `String`
    String,
    /// `Number`
    Number,
    /// `String.Array` (and `Number.Array`): the value is JSON text.
    Array,
    /// `Binary`: not seen by policies.
    Binary,
}

impl AttributeType {
    /// The type with this name. For custom types such as `Number.int`, the part before the dot counts.
    ///
    /// ```
    /// use eventrie::service::AttributeType;
    /// assert_eq!(AttributeType::from_name("String.Array"), AttributeType::Array);
    /// assert_eq!(AttributeType::from_name("Number.int"), AttributeType::Number);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> AttributeType {
        match name.split_once('.') {
            Some(("String" | "Number", "Array")) => AttributeType::Array,
            _ => match name.split('.').next() {
                Some("Number") => AttributeType::Number,
                Some("Binary") => AttributeType::Binary,
                _ => AttributeType::String,
            },
        }
    }
}

/// How the values of `String` attributes become JSON.
///
/// ```
/// use eventrie::service::{AttributeType, Quoting, SnsCause, SnsMessage};
/// let message = SnsMessage::new("").attribute("say", AttributeType::String, r#"a "quote""#);
/// assert_eq!(message.attributes_as_json(Quoting::Strict), Err(SnsCause::InvalidAttributes));
/// assert_eq!(message.attributes_as_json(Quoting::Lenient).unwrap(), r#"{"say":"a \"quote\""}"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Quoting {
    /// As the service does: the value goes between quotes as it is, so a quote or a backslash in it must have been
    /// escaped by the publisher; else the attributes are invalid, and no policy matches.
    #[default]
    Strict,
    /// The value is the text itself. Numbers and arrays that are not JSON are left out; a message without any attribute
    /// left has no attributes.
    Lenient,
}

/// An SNS message: its body and attributes.
///
/// ```
/// use eventrie::service::{AttributeType, Quoting, SnsMessage};
/// let message = SnsMessage::new("hello")
///     .attribute("store", AttributeType::String, "example_corp")
///     .attribute("price", AttributeType::Number, "210.75");
/// assert_eq!(message.attributes_as_json(Quoting::Strict).unwrap(), r#"{"store":"example_corp","price":210.75}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnsMessage {
    body: String,
    attributes: Vec<Attribute>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Attribute {
    name: String,
    kind: AttributeType,
    value: String,
}

/// Whether a string without a `Message` is the body itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    No,
    Body,
}

/// Why an SNS message is filtered out, as the service counts it in its metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SnsCause {
    /// There are no message attributes (or only binary ones), and the policy is over attributes.
    NoMessageAttributes,
    /// An attribute's value does not make valid JSON.
    InvalidAttributes,
    /// The body is not a JSON object, and the policy is over the body.
    InvalidMessageBody,
    /// The policy over the attributes does not match.
    MessageAttributes,
    /// The policy over the body does not match.
    MessageBody,
}

impl SnsCause {
    /// The service's metric that counts it, in addition to the sum `NumberOfNotificationsFilteredOut`.
    ///
    /// ```
    /// use eventrie::service::SnsCause;
    /// assert_eq!(SnsCause::NoMessageAttributes.metric(), "NumberOfNotificationsFilteredOut-NoMessageAttributes");
    /// ```
    #[must_use]
    pub fn metric(self) -> &'static str {
        match self {
            SnsCause::NoMessageAttributes => "NumberOfNotificationsFilteredOut-NoMessageAttributes",
            SnsCause::InvalidAttributes => "NumberOfNotificationsFilteredOut-InvalidAttributes",
            SnsCause::InvalidMessageBody => "NumberOfNotificationsFilteredOut-InvalidMessageBody",
            SnsCause::MessageAttributes => "NumberOfNotificationsFilteredOut-MessageAttributes",
            SnsCause::MessageBody => "NumberOfNotificationsFilteredOut-MessageBody",
        }
    }
}

impl std::fmt::Display for SnsCause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SnsCause::NoMessageAttributes => {
                "the message has no attributes, so no policy on attributes matches it, not even one with `exists: false`"
            }
            SnsCause::InvalidAttributes => {
                "the value of an attribute is not valid JSON text: quotes and backslashes in it must be escaped, a \
                 number must be one, an array must be JSON"
            }
            SnsCause::InvalidMessageBody => "the body is not a JSON object, and the policy is over the body",
            SnsCause::MessageAttributes => "the policy does not match the attributes",
            SnsCause::MessageBody => "the policy does not match the body",
        })
    }
}

impl SnsMessage {
    /// A message without attributes.
    #[must_use]
    pub fn new(body: impl Into<String>) -> SnsMessage {
        SnsMessage { body: body.into(), attributes: Vec::new() }
    }

    /// Adds an attribute; the value of a binary one is ignored.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<String>, kind: AttributeType, value: impl Into<String>) -> SnsMessage {
        self.attributes.push(Attribute { name: name.into(), kind, value: value.into() });
        self
    }

    /// Reads a message as SNS delivers it to queues:
    /// `{"Message": "…", "MessageAttributes": {"name": {"Type": "String", "Value": "…"}}}`. Other members do not matter.
    ///
    /// # Errors
    /// If the text is not such an object.
    ///
    /// ```
    /// use eventrie::service::SnsMessage;
    /// let text = r#"{"Message": "hi", "MessageAttributes": {"n": {"Type": "Number", "Value": "1"}}}"#;
    /// assert_eq!(SnsMessage::parse(text.as_bytes())?.body(), "hi");
    /// # Ok::<(), eventrie::EventError>(())
    /// ```
    pub fn parse(text: &[u8]) -> Result<SnsMessage, EventError> {
        SnsMessage::read(text, Bare::No)
    }

    /// As [`SnsMessage::parse`]; the text may also be the body itself.
    pub(super) fn read(text: &[u8], bare: Bare) -> Result<SnsMessage, EventError> {
        let tree = Tree::parse_event(text, &Limits::default())?;
        let named = |at: usize, name: &str| {
            tree.children(at).filter(|(_, node)| node.key.is_some_and(|key| tree.string(key) == name)).last()
        };
        let string = |at: usize, name: &str| {
            let (_, node) = named(at, name).filter(|(_, node)| node.kind == Kind::String)?;
            Some(tree.string(node.span).into_owned())
        };
        let mut message = SnsMessage::new(match string(0, "Message") {
            Some(body) => body,
            None if bare == Bare::Body && named(0, "Message").is_none() => tree.text().to_owned(),
            None => String::new(),
        });
        let Some((list, node)) = named(0, "MessageAttributes").filter(|(_, node)| node.kind != Kind::Null) else {
            return Ok(message);
        };
        let refused = |at: u32, what| EventError::new(EventErrorKind::Syntax, at as usize, what);
        if node.kind != Kind::Object {
            return Err(refused(node.span.start, "`MessageAttributes` is not an object"));
        }
        for (at, node) in tree.children(list) {
            let name = node.key.map(|key| tree.string(key)).unwrap_or_default();
            let kind = string(at, "Type").or_else(|| string(at, "DataType"));
            let Some(kind) = kind else {
                return Err(refused(node.span.start, "a message attribute has no `Type`"));
            };
            let value = string(at, "Value").or_else(|| string(at, "StringValue")).unwrap_or_default();
            message = message.attribute(name, AttributeType::from_name(&kind), value);
        }
        Ok(message)
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The names of the attributes.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.attributes.iter().map(|attribute| attribute.name.as_str())
    }

    /// The event that policies over attributes see: a JSON object of the attributes, without binary ones.
    ///
    /// # Errors
    /// If there are no attributes, or (with [`Quoting::Strict`]) one of them does not make JSON.
    pub fn attributes_as_json(&self, quoting: Quoting) -> Result<String, SnsCause> {
        let mut text = String::new();
        self.project(quoting, &mut text).map(|()| text)
    }

    pub(super) fn project(&self, quoting: Quoting, text: &mut String) -> Result<(), SnsCause> {
        text.clear();
        text.push('{');
        let limits = Limits::default();
        for Attribute { name, kind, value } in &self.attributes {
            let sound = match kind {
                AttributeType::Binary => continue,
                AttributeType::String => quoting == Quoting::Lenient || is_inside_of_string(value, &limits),
                AttributeType::Number => kind_of(value, &limits) == Some(Kind::Number),
                AttributeType::Array => kind_of(value, &limits).is_some(),
            };
            if !sound {
                match quoting {
                    Quoting::Strict => return Err(SnsCause::InvalidAttributes),
                    Quoting::Lenient => continue,
                }
            }
            if text.len() > 1 {
                text.push(',');
            }
            push_json_string(text, name);
            text.push(':');
            match (kind, quoting) {
                (AttributeType::String, Quoting::Lenient) => push_json_string(text, value),
                (AttributeType::String, Quoting::Strict) => {
                    text.push('"');
                    text.push_str(value);
                    text.push('"');
                }
                _ => text.push_str(value),
            }
        }
        // Attributes that are left out are as if they were not there: what policies see is the text.
        let none = text.len() == 1;
        text.push('}');
        if none { Err(SnsCause::NoMessageAttributes) } else { Ok(()) }
    }
}

/// Whether the text between quotes is a JSON string.
fn is_inside_of_string(text: &str, limits: &Limits) -> bool {
    let plain = |byte: u8| byte >= 0x20 && byte != b'"' && byte != b'\\';
    text.bytes().all(plain) || {
        let quoted = format!("\"{text}\"");
        kind_of(&quoted, limits) == Some(Kind::String)
    }
}
