//! What becomes of the text of one event, message or record, for each kind of source.

use std::ops::Range;

use anyhow::bail;
use eventrie::event::ReadPolicy;
use eventrie::service::{
    FilterSet, RecordFilter, RecordOutcome, RecordScratch, SnsFilter, SnsMessage, SnsOutcome, SnsScratch, Source,
};
use eventrie::{BuildError, Dialect, EventError, Matcher, ParseOptions, Pattern, Scratch};
use serde_json::value::RawValue;

use crate::members::Members;

/// Compiled patterns, with what has to be done to a text before they see it.
pub(crate) enum Judge {
    Events { matcher: Matcher, scratch: Scratch },
    Messages { filter: SnsFilter, dialect: Dialect, scratch: SnsScratch },
    Records { filter: RecordFilter, scratch: RecordScratch },
}

impl Judge {
    /// Compiles patterns that were parsed with these options.
    pub(crate) fn new(
        patterns: Vec<Pattern>,
        options: &ParseOptions,
        source: Option<Source>,
        policy: ReadPolicy,
        name: impl Fn(usize) -> String,
    ) -> anyhow::Result<Judge> {
        let named = |error: BuildError| match error.pattern() {
            Some(id) => anyhow::anyhow!("{}: {error}", name(id.index())),
            None => anyhow::anyhow!("{error}"),
        };
        let dialect = options.dialect();
        if policy == ReadPolicy::Early && dialect != Dialect::EventBridge {
            bail!("--early goes with --dialect eventbridge: messages and records are read whole");
        }
        match (dialect, source) {
            (Dialect::SnsAttributes | Dialect::SnsBody, None) => {
                let filter = SnsFilter::new(patterns).map_err(named)?;
                Ok(Judge::Messages { filter, dialect, scratch: SnsScratch::default() })
            }
            (Dialect::Pipes | Dialect::Lambda, Some(source)) => {
                let filters = FilterSet::new(patterns, options)?;
                let filter = RecordFilter::new(&filters, source).map_err(|error| match error.filter() {
                    Some(at) => anyhow::anyhow!("{}: {error}", name(at)),
                    None => anyhow::anyhow!("{error}"),
                })?;
                Ok(Judge::Records { filter, scratch: RecordScratch::default() })
            }
            (Dialect::Pipes | Dialect::Lambda, None) => bail!(
                "records differ from source to source: say which with --source sqs, kinesis, dynamodb, kafka or mq"
            ),
            (_, Some(_)) => bail!("--source goes with --dialect pipes or lambda-esm, not with {}", dialect.name()),
            (_, None) => {
                let mut builder = Matcher::builder();
                builder.read_policy(policy);
                for pattern in patterns {
                    builder.add(pattern);
                }
                let matcher = builder.build().map_err(named)?;
                Ok(Judge::Events { matcher, scratch: Scratch::default() })
            }
        }
    }

    /// Bytes of the compiled tables.
    pub(crate) fn table_bytes(&self) -> usize {
        match self {
            Judge::Events { matcher, .. } => matcher.memory_usage(),
            Judge::Messages { filter, .. } => filter.matcher().memory_usage(),
            Judge::Records { filter, .. } => filter.matcher().memory_usage(),
        }
    }

    /// The records or messages that a text holds, if it is what a function is given; none if the text is one event itself.
    pub(crate) fn records(&self, text: &[u8]) -> Option<Vec<Range<usize>>> {
        match self {
            Judge::Events { .. } => None,
            Judge::Messages { .. } => messages(text),
            Judge::Records { filter, .. } => records(text, filter.source()),
        }
    }

    /// Hands the positions of the patterns that match to `take`.
    pub(crate) fn judge(&mut self, text: &[u8], take: impl FnMut(usize)) -> Result<(), EventError> {
        match self {
            Judge::Events { matcher, scratch } => {
                matcher.matches(text, scratch)?.iter().map(|id| id.index()).for_each(take);
            }
            Judge::Messages { filter, dialect, scratch } => {
                if let SnsOutcome::Delivered(ids) = filter.judge(&message(text, *dialect)?, scratch)? {
                    ids.iter().map(|id| id.index()).for_each(take);
                }
            }
            Judge::Records { filter, scratch } => match filter.judge(text, scratch)? {
                // Without filters every record passes.
                RecordOutcome::Matched([]) => [0].into_iter().for_each(take),
                RecordOutcome::Matched(filters) => filters.iter().copied().for_each(take),
                RecordOutcome::Filtered(_) => {}
            },
        }
        Ok(())
    }
}

/// The messages in `{"Records":[{"Sns":{…}}]}`.
pub(crate) fn messages(text: &[u8]) -> Option<Vec<Range<usize>>> {
    // Told by the beginning: messages come by the thousand, and such events one by one.
    if !text.get(..200.min(text.len()))?.windows(9).any(|window| window == b"\"Records\"") {
        return None;
    }
    let records: Vec<&RawValue> = serde_json::from_str(member(text, "Records")?).ok()?;
    let messages = records.iter().map(|record| {
        let message = member(record.get().as_bytes(), "Sns")?;
        let start = (message.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        Some(start..start + message.len())
    });
    messages.collect()
}

/// The records in what a function is given; none if the text is one itself.
pub(crate) fn records(text: &[u8], source: Source) -> Option<Vec<Range<usize>>> {
    let text = std::str::from_utf8(text).ok()?;
    let spans = source.records(text).ok()?;
    let whole = matches!(spans.as_slice(), [span] if span.slice(text).len() == text.trim().len());
    (!whole).then(|| spans.iter().map(|span| span.start as usize..span.end as usize).collect())
}

/// The last member of this name, as it is spelled.
pub(crate) fn member<'t>(text: &'t [u8], name: &str) -> Option<&'t str> {
    let Members(members) = serde_json::from_slice(text).ok()?;
    members.into_iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.get())
}

/// The message in a text; for policies over bodies the text may be the body itself.
pub(crate) fn message(text: &[u8], dialect: Dialect) -> Result<SnsMessage, EventError> {
    let message = SnsMessage::parse(text)?;
    let is_body = dialect == Dialect::SnsBody && message.body().is_empty() && member(text, "Message").is_none();
    let body = std::str::from_utf8(text).ok().filter(|_| is_body);
    Ok(body.map_or(message, SnsMessage::new))
}
