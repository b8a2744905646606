//! `eventrie infer`

use std::io::Write;

use anyhow::{Context, bail};

use crate::Outcome;
use crate::args::InferArgs;
use crate::events::Events;

/// Most events that are looked at: a sample is enough, and all of them are held at once.
const MOST: usize = 10_000;

pub(crate) fn run(args: &InferArgs) -> anyhow::Result<Outcome> {
    let mut texts = Vec::new();
    Events::open(&args.events).each(|event| {
        let text = std::str::from_utf8(event.text).with_context(|| format!("{}: not valid UTF-8", event.place()))?;
        texts.push((event.place(), text.to_owned()));
        Ok(texts.len() < MOST)
    })?;
    if texts.is_empty() {
        bail!("there are no events to infer a pattern from");
    }
    let inferred = match eventrie::infer(texts.iter().map(|(_, text)| text.as_str()), args.dialect) {
        Ok(inferred) => inferred,
        Err(error) => {
            // Which event it is that cannot be read, the library does not say: ask for each.
            for (place, text) in &texts {
                eventrie::infer([text.as_str()], args.dialect).with_context(|| place.clone())?;
            }
            return Err(error.into());
        }
    };
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
            drop(writeln!(notes, "{sign} {}: {}", choice.path, choice.reason));
        }
    }
    Ok(Outcome::Yes)
}
