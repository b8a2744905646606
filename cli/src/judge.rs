//! Compiled subscriptions, as the command line's options name them.

use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;

use anyhow::bail;
use eventrie::event::ReadPolicy;
use eventrie::service::{
    Cause, Decoder, Source, Subscription, SubscriptionError, SubscriptionScratch, SubscriptionSet, Unpublished, Verdict,
};
use eventrie::{Dialect, EventError, ParseOptions, Pattern};

/// The rules of a file, compiled as subscriptions of their service. Keys are the rules' positions.
pub(crate) struct Judge {
    set: SubscriptionSet,
    scratch: SubscriptionScratch,
}

impl Judge {
    /// Compiles the patterns of each rule, parsed with these options; `name` says what to call a pattern.
    pub(crate) fn new(
        rules: impl IntoIterator<Item = Vec<Pattern>>,
        options: &ParseOptions,
        source: Option<Source>,
        policy: ReadPolicy,
        unpublished: Unpublished,
        name: impl Fn(usize) -> String,
    ) -> anyhow::Result<Judge> {
        let dialect = options.dialect();
        if policy == ReadPolicy::Early && dialect != Dialect::EventBridge {
            bail!("--early requires --dialect eventbridge: messages and records are always read to the end");
        }
        check_source(dialect, source)?;
        let mut subscriptions = Vec::new();
        // The position of each rule's first pattern.
        let mut starts = vec![0];
        for (rule, patterns) in rules.into_iter().enumerate() {
            let start = starts.last().copied().unwrap_or(0);
            starts.push(start + patterns.len());
            let named =
                |error: SubscriptionError| anyhow::anyhow!("{}: {error}", name(start + error.filter().unwrap_or(0)));
            subscriptions.push((rule, Subscription::new(patterns, options, source).map_err(named)?));
        }
        let builder = SubscriptionSet::builder().read_policy(policy).unpublished(unpublished);
        let set = builder.build(subscriptions).map_err(|error| {
            let start = error.subscription().and_then(|rule| starts.get(rule));
            match (start, error.build_error()) {
                (Some(start), Some(cause)) => {
                    anyhow::anyhow!("{}: {cause}", name(start + error.filter().unwrap_or(0)))
                }
                _ => anyhow::anyhow!("{error}"),
            }
        })?;
        Ok(Judge { set, scratch: SubscriptionScratch::default() })
    }

    /// Bytes of the compiled tables.
    pub(crate) fn table_bytes(&self) -> usize {
        self.set.memory_usage()
    }

    /// The records or messages that a string contains, if it is what a function is given; none if the text is one event itself.
    pub(crate) fn records(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        self.set.inputs(text)
    }

    /// The rules that match an event, a message or a record.
    pub(crate) fn judge(&mut self, text: &[u8]) -> Result<Verdict<'_, usize>, EventError> {
        self.set.judge(text, &mut self.scratch)
    }

    /// The set itself.
    pub(crate) fn set(&self) -> &SubscriptionSet {
        &self.set
    }
}

/// What `--entry` says of entries that are not published yet.
pub(crate) fn unpublished(entry: &[String]) -> anyhow::Result<Unpublished> {
    let mut names = BTreeSet::new();
    if let Some(name) = entry.iter().filter_map(|one| one.split('=').next()).find(|name| !names.insert(*name)) {
        bail!("`--entry` sets `{name}` more than once");
    }
    entry.iter().try_fold(Unpublished::default(), |all, one| match one.split_once('=') {
        Some(("id", value)) => Ok(all.id(value)),
        Some(("account", value)) => Ok(all.account(value)),
        Some(("region", value)) => Ok(all.region(value)),
        Some(("time", value)) => Ok(all.time(value)),
        _ => bail!("`--entry` takes id=…, account=…, region=… or time=…, found `{one}`"),
    })
}

/// The events, messages or records in a string, each as the service receives it; or why one of them has no event.
pub(crate) fn inputs(decoder: Decoder, text: &[u8]) -> Result<Result<Vec<&[u8]>, Cause>, EventError> {
    if let Some(cause) = decoder.events(text)?.into_iter().find_map(Result::err) {
        return Ok(Err(cause));
    }
    let places = decoder.inputs(text).unwrap_or_else(|| iter::once(0..text.len()).collect());
    Ok(Ok(places.into_iter().filter_map(|place| text.get(place)).collect()))
}

/// Whether the dialect may have a source, with the message of the command line.
pub(crate) fn check_source(dialect: Dialect, source: Option<Source>) -> anyhow::Result<()> {
    match (dialect, source) {
        (Dialect::Pipes | Dialect::Lambda, None) => {
            bail!("`--source` is required with `--dialect {}` (sqs, kinesis, dynamodb, kafka or mq)", dialect.name())
        }
        (Dialect::Pipes | Dialect::Lambda, Some(_)) | (_, None) => Ok(()),
        (_, Some(_)) => bail!("--source requires --dialect pipes or lambda-esm, not {}", dialect.name()),
    }
}
