//! Messages and records: what filters answer, against patterns one by one over the JSON that they are projected to.

use std::fmt::{Display, Formatter};

use eventrie::service::{
    AttributeType, Cause, Quoting, SnsCause, SnsMessage, Source, Subscription, SubscriptionScratch, SubscriptionSet,
};
use eventrie::{Dialect, ParseOptions, Pattern};

use crate::choices::Choices;
use crate::json::{self, Json};
use crate::make::{Maker, quote};
use crate::matching::{is_built, limits};
use crate::{Case, paste, record};

/// Patterns, and something that is not an event yet.
pub(crate) struct Sourced {
    patterns: Vec<String>,
    what: What,
}

enum What {
    /// A message: its body, and name, type and value of each attribute.
    Message {
        body: String,
        attributes: Vec<(String, &'static str, String)>,
        scope: Dialect,
    },
    Record {
        dialect: Dialect,
        source: Source,
        text: String,
    },
    /// Text that is read as a message and as records.
    Raw(Vec<u8>),
}

const TYPES: [&str; 7] = ["String", "Number", "String.Array", "Binary", "Number.int", "String.x", "Number.Array"];

impl Case for Sourced {
    fn decode(input: &[u8]) -> Option<Sourced> {
        let mut choices = Choices::new(input);
        let mode = choices.byte();
        if mode & 3 == 0 {
            let raw = choices.rest().to_vec();
            return Some(Sourced { patterns: vec![r#"{"body":{"a":["x"]}}"#.to_owned()], what: What::Raw(raw) });
        }
        let mut maker = Maker::new(choices);
        if mode & 3 == 1 {
            let scope = if mode & 4 == 0 { Dialect::SnsAttributes } else { Dialect::SnsBody };
            if scope == Dialect::SnsAttributes {
                maker.flat();
            }
            return Some(message(&mut maker, scope));
        }
        let dialect = if mode & 4 == 0 { Dialect::Lambda } else { Dialect::Pipes };
        let source = Source::ALL[usize::from(mode >> 3) % Source::ALL.len()];
        Some(record(&mut maker, dialect, source))
    }

    fn check(&self) {
        match &self.what {
            What::Message { body, attributes, scope } => self.check_message(body, attributes, *scope),
            What::Record { dialect, source, text } => self.check_record(*dialect, *source, text),
            What::Raw(raw) => self.check_raw(raw),
        }
    }
}

fn message(maker: &mut Maker<'_>, scope: Dialect) -> Sourced {
    let count = 1 + maker.choices.below(4);
    let mut patterns: Vec<String> = (0..count).map(|_| maker.pattern()).collect();
    if maker.choices.rarely(30) {
        patterns.push("{}".to_owned());
    }
    let attributes = (0..maker.choices.below(5))
        .map(|_| {
            let (name, kind) = (maker.name().to_owned(), maker.choices.of(&TYPES));
            let value = match maker.choices.below(8) {
                0 => maker.text(),
                1 => maker.number(),
                2 => format!("[{},{}]", quote(&maker.text()), maker.number()),
                3 => maker
                    .choices
                    .of(&[r#"x","a":"y"#, r"\", r"\u00e9", "x\"", "[1,", "1 2", " 1", "{}", "[{\"a\":1}]"])
                    .to_owned(),
                _ if kind.ends_with("Array") => format!("[{},{},null]", quote(&maker.text()), maker.number()),
                _ if kind.starts_with("Number") => maker.number(),
                _ => maker.text(),
            };
            (name, kind, value)
        })
        .collect();
    let body = if maker.choices.rarely(40) { maker.text() } else { maker.event() };
    Sourced { patterns, what: What::Message { body, attributes, scope } }
}

fn record(maker: &mut Maker<'_>, dialect: Dialect, source: Source) -> Sourced {
    let fields: &[&str] = match source {
        Source::Sqs => &["body", "messageId"],
        Source::Kinesis => &["data", "partitionKey", "eventID"],
        Source::DynamoDb => &["dynamodb", "eventName"],
        Source::Kafka => &["value", "key", "topic"],
        _ => &["data", "messageID"],
    };
    let count = 1 + maker.choices.below(3);
    let patterns = (0..count)
        .map(|_| {
            let members: Vec<String> = (0..1 + maker.choices.below(2))
                .map(|_| {
                    let field = maker.choices.of(fields);
                    let inner = maker.pattern();
                    let plain = maker.choices.rarely(90);
                    let value = if plain { format!("[{},{{\"prefix\":\"a\"}}]", quote(&maker.text())) } else { inner };
                    format!("{}:{value}", quote(field))
                })
                .collect();
            format!("{{{}}}", members.join(","))
        })
        .collect();
    let encoded = matches!(source, Source::Kinesis | Source::Kafka | Source::Mq);
    let members: Vec<String> = fields
        .iter()
        .filter_map(|field| {
            let value = match maker.choices.below(8) {
                0 => return None,
                1 => "null".to_owned(),
                2 => maker.event(),
                3 => quote(&maker.text()),
                4 => {
                    let bytes: Vec<u8> = (0..3).map(|_| maker.choices.byte()).collect();
                    quote(&record::base64(&bytes))
                }
                5 if encoded => quote(&record::base64(maker.text().as_bytes())),
                5 => quote(maker.choices.of(&["[1]", "5", "\"x\"", " {} ", "{\"a\":", "null"])),
                _ if source == Source::DynamoDb => maker.event(),
                _ if encoded => quote(&record::base64(maker.event().as_bytes())),
                _ => quote(&maker.event()),
            };
            Some(format!("{}:{value}", quote(field)))
        })
        .collect();
    let mut text = format!("{{{}}}", members.join(","));
    if source == Source::Kinesis && dialect == Dialect::Lambda {
        text = format!("{{\"eventID\":\"ab\",\"kinesis\":{text}}}");
    }
    Sourced { patterns, what: What::Record { dialect, source, text } }
}

impl Sourced {
    fn parsed(&self, dialect: Dialect) -> Vec<Pattern> {
        let patterns = self.patterns.iter().filter_map(|text| Pattern::parse(text, dialect).ok());
        patterns.filter(is_built).collect()
    }

    fn check_message(&self, body: &str, attributes: &[(String, &'static str, String)], scope: Dialect) {
        let patterns = self.parsed(scope);
        let mut message = SnsMessage::new(body);
        for (name, kind, value) in attributes {
            message = message.attribute(name, AttributeType::from_name(kind), value);
        }
        let delivered = SnsMessage::parse(delivered(body, attributes).as_bytes()).unwrap();
        assert_eq!(delivered, message, "read from what is delivered to queues");
        let mut scratch = SubscriptionScratch::default();
        for quoting in [Quoting::Strict, Quoting::Lenient] {
            let projected = message.attributes_as_json(quoting);
            if let Ok(text) = &projected {
                check_projection(text, attributes, quoting);
            }
            let event = if scope == Dialect::SnsBody { Ok(body.to_owned()) } else { projected };
            let expected = expected(&patterns, scope, event);
            let subscriptions = patterns.iter().enumerate().map(|(at, pattern)| {
                (at, Subscription::new([pattern.clone()], &ParseOptions::new(scope), None).unwrap())
            });
            let set = SubscriptionSet::builder().quoting(quoting).build(subscriptions).unwrap();
            let outcome = match set.judge(&message, &mut scratch) {
                Ok(verdict) => match verdict.outcome().cause {
                    None => Ok(verdict.positions().collect()),
                    Some(Cause::Sns(cause)) => Err(cause),
                    // An empty set.
                    Some(_) => continue,
                },
                Err(error) => {
                    assert!(error.limit().is_some(), "a message is an error: {error}");
                    continue;
                }
            };
            if let Some(expected) = expected
                && !patterns.is_empty()
            {
                assert_eq!(outcome, expected, "{quoting:?}: the outcome is not what the patterns say one by one");
            }
        }
    }

    fn check_record(&self, dialect: Dialect, source: Source, text: &str) {
        let options = ParseOptions::new(dialect);
        let patterns = self.parsed(dialect);
        let Ok(filters) = Subscription::new(patterns.iter().cloned(), &options, source) else { return };
        let entries: Vec<String> =
            patterns.iter().map(|pattern| format!("{{\"Pattern\":{}}}", quote(pattern.source()))).collect();
        let read = Subscription::parse(&format!("{{\"Filters\":[{}]}}", entries.join(",")), &options, source).unwrap();
        let sources = |one: &Subscription| one.patterns().iter().map(|one| one.source().to_owned()).collect::<Vec<_>>();
        assert_eq!(sources(&read), sources(&filters), "read from the filter criteria's text");
        let Ok(set) = SubscriptionSet::new([((), filters.clone())]) else { return };
        let mut scratch = SubscriptionScratch::default();
        let verdict = match set.judge(text, &mut scratch) {
            Ok(verdict) => verdict,
            Err(error) => {
                assert!(error.limit().is_some(), "a record is an error: {error}");
                return;
            }
        };
        let found: Vec<usize> = verdict.filters().map(|(_, filter)| filter).collect();
        let event = set.event(text).unwrap().unwrap();
        assert!(json::is_object(&event), "the record stands for {}", String::from_utf8_lossy(&event));
        assert!(found.is_sorted_by(|a, b| a < b) && found.iter().all(|at| *at < patterns.len()), "{found:?}");
        if let (Some(expected), false) = (record::passing(&patterns, dialect, source, text), patterns.is_empty()) {
            let shown = String::from_utf8_lossy(&event);
            assert_eq!(found, expected, "the filters that match (left) are not those of the table (right): {shown}");
        }
        assert_eq!(verdict.is_match(), patterns.is_empty() || !found.is_empty());
        let outcome = filters.judge(text, &mut SubscriptionScratch::default());
        assert_eq!(outcome.as_ref(), Ok(&verdict.outcome()), "a subscription alone answers something else");
        if !verdict.is_match() {
            assert!(verdict.outcome().to_string().ends_with(&source.effect().to_string()));
        }
        // A record alone, in a list, and in what a function is given is the same record.
        let event = format!("{{\"Records\":[{text},{text}],\"records\":{{\"t\":[{text}]}},\"messages\":[{text}]}}");
        let spans = source.records(&event).unwrap();
        assert!(!spans.is_empty() && spans.iter().all(|span| span.slice(&event) == text), "{spans:?}");
    }

    fn check_raw(&self, raw: &[u8]) {
        if let Ok(message) = SnsMessage::parse(raw) {
            for quoting in [Quoting::Strict, Quoting::Lenient] {
                if let Ok(text) = message.attributes_as_json(quoting) {
                    assert!(json::is_object(text.as_bytes()), "attributes are not an object: {text}");
                }
            }
            let options = ParseOptions::new(Dialect::SnsBody);
            let policies = Subscription::new(self.parsed(Dialect::SnsBody), &options, None).unwrap();
            policies.judge(&message, &mut SubscriptionScratch::default()).unwrap();
        }
        for dialect in [Dialect::Lambda, Dialect::Pipes] {
            let options = ParseOptions::new(dialect);
            let text = String::from_utf8_lossy(raw);
            for &source in Source::ALL {
                let read = Subscription::parse(&text, &options, source);
                let own = Subscription::new(self.parsed(dialect), &options, source);
                for filters in [read, own].into_iter().flatten() {
                    let judged = filters.judge(raw, &mut SubscriptionScratch::default());
                    assert!(judged.is_ok() || !json::is_object(raw) || judged.is_err_and(|e| e.limit().is_some()));
                }
            }
        }
        if let Ok(text) = std::str::from_utf8(raw) {
            for &source in Source::ALL {
                for span in source.records(text).unwrap_or_default() {
                    let part = text.get(span.start as usize..span.end as usize);
                    assert!(part.is_some_and(|part| !part.is_empty()), "{span:?} is not a part");
                }
            }
        }
    }
}

/// Which policies let a message pass, evaluated one by one, or why none does; none if one takes too long.
fn expected(
    patterns: &[Pattern],
    scope: Dialect,
    event: Result<String, SnsCause>,
) -> Option<Result<Vec<usize>, SnsCause>> {
    let everything = |at: &usize| patterns[*at].to_string() == "{}";
    let readable = event.and_then(|event| {
        let valid = json::is_object(event.as_bytes());
        if valid { Ok(event) } else { Err(SnsCause::InvalidMessageBody) }
    });
    let (passed, cause) = match readable {
        Ok(event) => {
            let mut passed = Vec::new();
            for (at, pattern) in patterns.iter().enumerate() {
                if pattern.explain_with(event.as_bytes(), &limits()).ok()?.matched() {
                    passed.push(at);
                }
            }
            (passed, if scope == Dialect::SnsBody { SnsCause::MessageBody } else { SnsCause::MessageAttributes })
        }
        Err(cause) => ((0..patterns.len()).filter(everything).collect(), cause),
    };
    Some(if passed.is_empty() { Err(cause) } else { Ok(passed) })
}

/// The event of the attributes has all that are not binary, in order, and no others.
fn check_projection(text: &str, attributes: &[(String, &'static str, String)], quoting: Quoting) {
    assert!(json::is_object(text.as_bytes()), "attributes are not an object: {text}");
    let Some(Json::Object(members)) = json::parse(text) else { return };
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    let all = attributes.iter().filter(|(_, kind, _)| AttributeType::from_name(kind) != AttributeType::Binary);
    let all: Vec<&str> = all.map(|(name, ..)| name.as_str()).collect();
    if quoting == Quoting::Strict {
        assert_eq!(names, all, "the names of {text}");
    } else {
        assert!(names.iter().all(|name| all.contains(name)), "the names of {text}");
    }
}

/// A message as it is delivered to queues.
fn delivered(body: &str, attributes: &[(String, &'static str, String)]) -> String {
    let attributes: Vec<String> = attributes
        .iter()
        .map(|(name, kind, value)| format!("{}:{{\"Type\":\"{kind}\",\"Value\":{}}}", quote(name), quote(value)))
        .collect();
    format!("{{\"Message\":{},\"MessageAttributes\":{{{}}}}}", quote(body), attributes.join(","))
}

impl Display for Sourced {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match &self.what {
            What::Message { body, attributes, scope } => {
                let (text, dialect) = (paste::shell(delivered(body, attributes).as_bytes()), scope.name());
                for pattern in &self.patterns {
                    let pattern = paste::shell(pattern.as_bytes());
                    writeln!(
                        f,
                        "printf '%s' {text} | cargo run -q -p eventrie-cli -- match -d {dialect} -e {pattern}"
                    )?;
                }
                write!(
                    f,
                    "let message = SnsMessage::parse({}).unwrap();",
                    paste::rust(delivered(body, attributes).as_bytes())
                )?;
            }
            What::Record { dialect, source, text } => {
                let (record, dialect, source) = (paste::shell(text.as_bytes()), dialect.name(), source.name());
                for pattern in &self.patterns {
                    let pattern = paste::shell(pattern.as_bytes());
                    writeln!(
                        f,
                        "printf '%s' {record} | cargo run -q -p eventrie-cli -- match -d {dialect} --source {source} -e {pattern}"
                    )?;
                }
                write!(f, "let record = {};", paste::rust(text.as_bytes()))?;
            }
            What::Raw(raw) => write!(f, "let raw = {};", paste::rust(raw))?,
        }
        write!(f, "\nlet patterns = {};", paste::rust_list(&self.patterns))
    }
}
