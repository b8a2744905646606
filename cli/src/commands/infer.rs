//! `eventrie infer`

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::bail;
use eventrie::Dialect;
use eventrie::service::Decoder;
use eventrie_files::envelope::Inner;
use eventrie_files::tree::{self, Value};
use serde_json::json;

use crate::args::InferArgs;
use crate::commands::Outcome;
use crate::events::{Events, Later};
use crate::given::event_text;
use crate::judge::{check_source, inputs, unpublished};
use crate::shown::{NOTHING_IN_COMMON, complain, harmless};

/// Most events that are read: a sample is enough, and all of them are in memory at once.
const MOST: usize = 10_000;

/// Members of messages as SNS delivers them and of what is around them: an object with one of them is no list of attributes.
const OF_A_MESSAGE: [&str; 7] =
    ["Message", "MessageAttributes", "MessageId", "TopicArn", "MessageStructure", "Sns", "Records"];

/// The message whose attributes are an object of name → value; none if the text is something else.
fn with_attributes(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let root = tree::parse_json(text).ok()?;
    let mut attributes = serde_json::Map::new();
    for (key, node) in root.members() {
        let name = key.text().filter(|name| !OF_A_MESSAGE.contains(name))?;
        let spelled = text.get(node.span.clone())?;
        let (kind, value) = match &node.value {
            // With its escapes, as in a message.
            Value::String(_) => ("String", spelled.strip_prefix('"')?.strip_suffix('"')?),
            Value::Plain(_) if spelled.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                ("Number", spelled)
            }
            Value::Plain(_) | Value::List(_) => ("String.Array", spelled),
            Value::Map(_) => return None,
        };
        attributes.insert(name.to_owned(), json!({"Type": kind, "Value": value}));
    }
    (!attributes.is_empty()).then(|| json!({"MessageAttributes": attributes}).to_string())
}

pub(crate) fn run(args: &InferArgs) -> anyhow::Result<Outcome> {
    check_source(args.language.dialect, args.language.source)?;
    let (entry, dialect) = (&args.language.entry, args.language.dialect);
    unpublished(entry)?;
    if !entry.is_empty() && dialect != Dialect::EventBridge {
        bail!("`infer` takes `--entry` only for the events of rules (`--dialect eventbridge`)");
    }
    let decoder = Decoder::new(dialect, args.language.source)?;
    let mut texts = Vec::new();
    let mut told = BTreeSet::new();
    let mut files = args.events.clone();
    let mut text = event_text(&mut files, args.event.as_ref())?;
    // As `match` reads them, the elements of an array are events.
    files.extend(text.take_if(|text| text.trim_start().starts_with('[')));
    let events = Events::given(&files, text, dialect, args.language.source)?;
    let read = events.later(Later::new(entry, &[], &[])).each(|event| {
        if let Some(sentence) = event.inner().map(Inner::sentence)
            && told.insert(sentence.clone())
        {
            complain(&format!("{}: {sentence}", event.place()));
        }
        let message = if dialect == Dialect::SnsAttributes { with_attributes(event.text) } else { None };
        let text = message.as_deref().map_or(event.text, str::as_bytes);
        // What is wrong is said where the event is.
        let inputs = inputs(decoder, text).map_err(|error| anyhow::anyhow!(event.fault(&error).full()))?;
        let inputs = inputs.map_err(|cause| anyhow::anyhow!("{}: {cause}", event.place()))?;
        texts.extend(inputs.into_iter().map(|input| (event.place(), input.to_vec())));
        Ok(texts.len() < MOST)
    })?;
    if texts.is_empty() {
        bail!("there are no events to infer a pattern from");
    }
    if read.bad > 0 {
        return Ok(Outcome::Trouble);
    }
    let inferred = decoder.infer(texts.iter().map(|(_, text)| text.as_slice()));
    let inferred = inferred.map_err(|error| {
        let place = texts.get(error.event()).map(|(place, _)| place.clone()).unwrap_or_default();
        anyhow::Error::from(error.error().clone()).context(place)
    })?;
    if inferred.pattern == "{}" {
        complain(NOTHING_IN_COMMON);
        return Ok(Outcome::No);
    }
    let mut out = anstream::stdout();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&inferred)?)?;
        return Ok(Outcome::Yes);
    }
    writeln!(out, "{}", inferred.pattern)?;
    if !args.quiet {
        let mut notes = anstream::stderr();
        for choice in &inferred.choices {
            let sign = if choice.kept { '+' } else { '-' };
            drop(writeln!(notes, "{sign} {}: {}", harmless(&choice.path), choice.reason));
        }
    }
    Ok(Outcome::Yes)
}
