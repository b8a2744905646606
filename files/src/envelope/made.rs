//! Records from which EventBridge makes an event: entries of PutEvents, records of CloudTrail, notifications of S3.

use std::fmt::Write;

use super::layer::{Layer, is_trail_record};
use crate::state::{DEFAULT_BUS, bus_name};
use crate::tree::{self, Node, Value};

/// An event, made as EventBridge makes it.
pub(super) struct Made {
    pub(super) text: String,
    pub(super) layer: Layer,
    /// Completes "read as …".
    pub(super) sentence: String,
    pub(super) refused: Option<String>,
    /// The event bus that it goes to.
    pub(super) bus: Option<String>,
    /// What EventBridge sets later.
    pub(super) unset: Vec<&'static str>,
}

/// The event of a record that is no event itself.
pub(super) fn event(node: &Node, text: &str) -> Option<Made> {
    entry(node, text).or_else(|| trail(node, text)).or_else(|| bucket(node, text))
}

/// Writes the fields of an event, one after the other.
struct Fields<'a> {
    text: &'a str,
    out: String,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str) -> Fields<'a> {
        Fields { text, out: "{\"version\":\"0\"".to_owned() }
    }

    /// The value as it is spelled, if there is one.
    fn copy(&mut self, name: &str, value: Option<&Node>) {
        if let Some(value) = value.and_then(|value| self.text.get(value.span.clone())) {
            let _ = write!(self.out, ",\"{name}\":{value}");
        }
    }

    fn string(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            let _ = write!(self.out, ",\"{name}\":{}", quoted(value));
        }
    }

    fn json(&mut self, name: &str, value: &str) {
        let _ = write!(self.out, ",\"{name}\":{value}");
    }

    fn end(mut self) -> String {
        self.out.push('}');
        self.out
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The JSON text without its line breaks, which are outside its strings.
fn on_one_line(text: &str) -> String {
    text.trim().replace(['\n', '\r'], " ")
}

fn text_of<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    node.get(name).and_then(Node::text)
}

/// The fields that an entry may have.
const ENTRY: [&str; 7] = ["Source", "DetailType", "Detail", "Time", "Resources", "EventBusName", "TraceHeader"];

/// The name as SDKs with lower camel case spell it.
fn lower(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// An entry of PutEvents.
fn entry(node: &Node, text: &str) -> Option<Made> {
    let is_small = node.get("detailType").is_some() && node.get("Source").is_none();
    let names = if is_small { ["source", "detailType", "detail"] } else { ["Source", "DetailType", "Detail"] };
    let is_name = |key: &str| ENTRY.iter().any(|name| if is_small { lower(name) == key } else { *name == key });
    let is_entry = names.iter().filter(|name| node.get(name).is_some()).count() >= 2
        && node.members().iter().all(|(key, _)| key.text().is_some_and(is_name));
    if !is_entry {
        return None;
    }
    let [source_name, type_name, detail_name] = names;
    let get = |name: &str| if is_small { node.get(&lower(name)) } else { node.get(name) };
    let source = text_of(node, source_name);
    let mut refused = names
        .iter()
        .find(|name| node.get(name).is_none())
        .map(|name| format!("EventBridge rejects this entry: `{name}` is required"));
    if source.is_some_and(|source| source.starts_with("aws.")) {
        refused.get_or_insert_with(|| {
            "EventBridge rejects this entry: only AWS services may use a source that begins with `aws.`".to_owned()
        });
    }
    let detail = match node.get(detail_name) {
        None => "{}".to_owned(),
        Some(value) => match &value.value {
            Value::String(inner) if tree::parse_json(inner).is_ok_and(|root| matches!(root.value, Value::Map(_))) => {
                on_one_line(inner)
            }
            Value::Map(_) => {
                refused.get_or_insert_with(|| {
                    "EventBridge rejects this entry: `Detail` must be a string that contains a JSON object".to_owned()
                });
                on_one_line(text.get(value.span.clone())?)
            }
            Value::String(_) | Value::Plain(_) | Value::List(_) => {
                refused.get_or_insert_with(|| {
                    "EventBridge rejects this entry (MalformedDetail): `Detail` must contain a JSON object".to_owned()
                });
                text.get(value.span.clone())?.to_owned()
            }
        },
    };
    let mut fields = Fields::new(text);
    fields.copy("detail-type", node.get(type_name));
    fields.copy("source", node.get(source_name));
    fields.copy("time", get("Time"));
    match get("Resources").filter(|value| matches!(value.value, Value::List(_))) {
        Some(resources) => fields.copy("resources", Some(resources)),
        None => fields.json("resources", "[]"),
    }
    fields.json("detail", &detail);
    let mut unset = vec!["time", "id", "account", "region"];
    if get("Time").is_some() {
        unset.remove(0);
    }
    Some(Made {
        text: fields.end(),
        layer: Layer::PutEventsEntry,
        sentence: "the event that EventBridge builds from it".to_owned(),
        refused,
        unset,
        bus: Some(bus_name(get("EventBusName").and_then(Node::text).unwrap_or(DEFAULT_BUS)).to_owned()),
    })
}

/// A record of CloudTrail, which EventBridge delivers under `detail`.
fn trail(node: &Node, text: &str) -> Option<Made> {
    if !is_trail_record(node) {
        return None;
    }
    let service = text_of(node, "eventSource")?;
    let source = format!("aws.{}", service.strip_suffix(".amazonaws.com")?);
    let kind = match text_of(node, "eventType") {
        Some("AwsServiceEvent") => "AWS Service Event via CloudTrail",
        Some("AwsConsoleSignIn") => "AWS Console Sign In via CloudTrail",
        Some("AwsConsoleAction") => "AWS Console Action via CloudTrail",
        Some("AwsCloudTrailInsight") => "AWS Insight via CloudTrail",
        _ => "AWS API Call via CloudTrail",
    };
    let account = text_of(node, "recipientAccountId")
        .or_else(|| node.get("userIdentity").and_then(|identity| text_of(identity, "accountId")));
    let mut fields = Fields::new(text);
    fields.string("detail-type", Some(kind));
    fields.string("source", Some(&source));
    fields.string("account", account);
    fields.copy("time", node.get("eventTime"));
    fields.copy("region", node.get("awsRegion"));
    fields.json("resources", "[]");
    fields.copy("detail", Some(node));
    Some(Made {
        text: fields.end(),
        layer: Layer::CloudTrailRecord,
        sentence: format!(
            "EventBridge delivers it: under `detail`, with the source `{source}` (from `eventSource`) and the \
             detail-type `{kind}`"
        ),
        refused: None,
        bus: Some(DEFAULT_BUS.to_owned()),
        unset: Vec::new(),
    })
}

/// A record of the notification that a bucket sends.
fn bucket(node: &Node, text: &str) -> Option<Made> {
    let s3 = node.get("s3").filter(|_| text_of(node, "eventSource") == Some("aws:s3"))?;
    let name = text_of(node, "eventName")?;
    let (kind, reason) = match name.split_once(':').unwrap_or((name, "")) {
        ("ObjectCreated", how) => (
            "Object Created",
            match how {
                "Put" => Some("PutObject"),
                "Post" => Some("POST Object"),
                "Copy" => Some("CopyObject"),
                "CompleteMultipartUpload" => Some("CompleteMultipartUpload"),
                _ => None,
            },
        ),
        ("ObjectRemoved", _) => ("Object Deleted", Some("DeleteObject")),
        ("LifecycleExpiration", _) => ("Object Deleted", Some("Lifecycle Expiration")),
        ("ObjectRestore", "Post") => ("Object Restore Initiated", None),
        ("ObjectRestore", "Completed") => ("Object Restore Completed", None),
        ("ObjectRestore", _) => ("Object Restore Expired", None),
        ("LifecycleTransition", _) => ("Object Storage Class Changed", None),
        ("IntelligentTiering", _) => ("Object Access Tier Changed", None),
        ("ObjectTagging", "Delete") => ("Object Tags Deleted", None),
        ("ObjectTagging", _) => ("Object Tags Added", None),
        ("ObjectAcl", _) => ("Object ACL Updated", None),
        _ => return None,
    };
    let (bucket, object) = (s3.get("bucket")?, s3.get("object")?);
    let raw = |node: Option<&Node>| node.and_then(|node| text.get(node.span.clone()));
    let mut inner = format!("{{\"version\":\"0\",\"bucket\":{{\"name\":{}}}", raw(bucket.get("name"))?);
    // In a notification the key is spelled as in a form; in an event it is the key itself.
    let _ = write!(inner, ",\"object\":{{\"key\":{}", quoted(&form_decoded(text_of(object, "key")?)));
    let names = [("size", "size"), ("eTag", "etag"), ("versionId", "version-id"), ("sequencer", "sequencer")];
    for (from, to) in names {
        if let Some(value) = raw(object.get(from)) {
            let _ = write!(inner, ",\"{to}\":{value}");
        }
    }
    inner.push('}');
    let nested = |outer: &str, name: &str| raw(node.get(outer).and_then(|outer| outer.get(name)));
    let more = [
        ("request-id", nested("responseElements", "x-amz-request-id")),
        ("source-ip-address", nested("requestParameters", "sourceIPAddress")),
    ];
    for (name, value) in more {
        if let Some(value) = value {
            let _ = write!(inner, ",\"{name}\":{value}");
        }
    }
    if let Some(reason) = reason {
        let _ = write!(inner, ",\"reason\":{}", quoted(reason));
    }
    inner.push('}');
    let mut fields = Fields::new(text);
    fields.string("detail-type", Some(kind));
    fields.string("source", Some("aws.s3"));
    fields.copy("time", node.get("eventTime"));
    fields.copy("region", node.get("awsRegion"));
    match raw(bucket.get("arn")) {
        Some(arn) => fields.json("resources", &format!("[{arn}]")),
        None => fields.json("resources", "[]"),
    }
    fields.json("detail", &inner);
    Some(Made {
        text: fields.end(),
        layer: Layer::S3Notification,
        sentence: format!(
            "EventBridge delivers it: under `detail`, with the source `aws.s3` and the detail-type `{kind}` \
             (`account` is not known)"
        ),
        refused: None,
        bus: Some(DEFAULT_BUS.to_owned()),
        unset: Vec::new(),
    })
}

/// Text with `+` and `%20` decoded.
fn form_decoded(text: &str) -> String {
    let hex = |byte: Option<&u8>| {
        byte.and_then(|byte| char::from(*byte).to_digit(16)).and_then(|digit| u8::try_from(digit).ok())
    };
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match (byte, hex(bytes.get(at)), hex(bytes.get(at + 1))) {
            (b'+', ..) => out.push(b' '),
            (b'%', Some(high), Some(low)) => {
                out.push(high * 16 + low);
                at += 2;
            }
            _ => out.push(byte),
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
