//! `eventrie infer`

use std::collections::BTreeSet;
use std::io::Write;
use std::iter;

use anyhow::bail;
use eventrie::service::Decoder;
use eventrie_files::envelope::Inner;

use crate::args::InferArgs;
use crate::commands::Outcome;
use crate::events::Events;
use crate::given::event_text;
use crate::judge::check_source;
use crate::shown::{NOTHING_IN_COMMON, complain, harmless};

/// Most events that are read: a sample is enough, and all of them are in memory at once.
const MOST: usize = 10_000;

pub(crate) fn run(args: &InferArgs) -> anyhow::Result<Outcome> {
    check_source(args.language.dialect, args.language.source)?;
    let decoder = Decoder::new(args.language.dialect, args.language.source)?;
    let mut texts = Vec::new();
    let mut told = BTreeSet::new();
    let mut files = args.events.clone();
    let mut text = event_text(&mut files, args.event.as_ref())?;
    // As `match` reads them, the elements of an array are events.
    files.extend(text.take_if(|text| text.trim_start().starts_with('[')));
    let read = Events::given(&files, text, args.language.dialect, args.language.source)?.each(|event| {
        if let Some(sentence) = event.inner().map(Inner::sentence)
            && told.insert(sentence.clone())
        {
            complain(&format!("{}: {sentence}", event.place()));
        }
        // What is wrong is said where the event is.
        let seen = decoder.events(event.text).map_err(|error| anyhow::anyhow!(event.fault(&error).full()))?;
        if let Some(cause) = seen.into_iter().find_map(Result::err) {
            bail!("{}: {cause}", event.place());
        }
        let places = decoder.inputs(event.text).unwrap_or_else(|| iter::once(0..event.text.len()).collect());
        let inputs = places.into_iter().filter_map(|place| event.text.get(place));
        texts.extend(inputs.map(|input| (event.place(), input.to_vec())));
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
