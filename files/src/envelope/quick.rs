//! A look at the first fields of an input: most events need no second one.

/// How many bytes are examined; the fields of envelopes are among the first.
const FAR: usize = 4096;

/// Fields by which an object is an event as EventBridge delivers it.
const EVENT: [&[u8]; 2] = [b"detail-type", b"detail"];

/// Fields of envelopes, one of which is among the first fields of each.
const ENVELOPES: [&[u8]; 53] = [
    b"@message",
    b"@ptr",
    b"@timestamp",
    b"Body",
    b"CloudTrailEvent",
    b"Data",
    b"Detail",
    b"DetailType",
    b"Entries",
    b"EventBusName",
    b"EventId",
    b"EventPattern",
    b"EventSource",
    b"EventVersion",
    b"Events",
    b"FailedEntryCount",
    b"MD5OfBody",
    b"MD5OfMessageBody",
    b"Message",
    b"MessageId",
    b"Messages",
    b"ReceiptHandle",
    b"Records",
    b"Record",
    b"Resources",
    b"SequenceNumber",
    b"Sns",
    b"Source",
    b"Time",
    b"Type",
    b"awslogs",
    b"body",
    b"deliveryStreamArn",
    b"detailType",
    b"entries",
    b"eventId",
    b"eventSource",
    b"eventVersion",
    b"events",
    b"ingestionTime",
    b"invocationId",
    b"kinesis",
    b"level",
    b"logEvents",
    b"logStreamName",
    b"message",
    b"messageId",
    b"messageType",
    b"records",
    b"requestContext",
    b"requestPayload",
    b"results",
    b"timestamp",
];

/// Whether the text may be an envelope around events. `false` is certain; `true` is for the opener to decide.
pub(super) fn may_be_an_envelope(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    match text.first() {
        None => false,
        Some(b'{') => keys(text.get(..FAR).unwrap_or(text)),
        Some(_) => true,
    }
}

fn keys(text: &[u8]) -> bool {
    crate::work::note(text.len());
    let (mut depth, mut at, mut is_key) = (0_usize, 0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                let Some(end) = string(text, at + 1) else { return false };
                if depth == 1 && is_key {
                    let key = text.get(at + 1..end).unwrap_or(&[]);
                    if EVENT.contains(&key) {
                        return false;
                    }
                    if ENVELOPES.contains(&key) {
                        return true;
                    }
                }
                is_key = false;
                at = end;
            }
            b'{' | b'[' => {
                depth += 1;
                is_key = depth == 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => is_key = depth == 1,
            _ => {}
        }
        at += 1;
    }
    false
}

/// Where the string that begins here ends.
fn string(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        at += found;
        if text.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::may_be_an_envelope;

    #[test]
    fn the_first_fields_decide() {
        let may = |text: &str| may_be_an_envelope(text.as_bytes());
        assert!(!may(r#"{"version":"0","id":"x","detail-type":"t","Records":[]}"#));
        assert!(!may(r#"{"detail":{"Records":[]},"Records":[]}"#));
        assert!(!may(r#"{"a":{"Records":[]},"b":"Records"}"#));
        assert!(!may(r#"{"a":"\"Records\":"}"#));
        assert!(may(r#" {"Records":[]}"#));
        assert!(may(r#"{"a":[1,{"x":2}],"message":"x"}"#));
        assert!(may("2026-01-01 {}"));
        assert!(!may(""));
        assert!(!may("{\"a"));
    }
}
