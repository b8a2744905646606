"""Events as people have them."""

import base64
import gzip
import json
import warnings

import eventrie
import pytest

EVENT = {"source": "shop", "detail-type": "order", "detail": {"total": 5}}
ENTRY = {"Source": "shop", "DetailType": "order", "Detail": '{"total": 5}', "EventBusName": "orders"}
PATTERN = eventrie.Pattern({"source": ["shop"], "detail": {"total": [5]}})


def texts(*arguments, **keywords):
    return [event.text for event in eventrie.read_events(*arguments, **keywords)]


@pytest.mark.parametrize(
    "given",
    [
        '{"a": 1}\n{"a": 2}\n',
        b'{"a": 1}\r\n\r\n{"a": 2}',
        '[{"a": 1}, {"a": 2}]',
        '  {"a": 1}\n\t{"a": 2} ',
        bytearray(b'{"a": 1}\n{"a": 2}'),
        gzip.compress(b'{"a": 1}\n{"a": 2}\n'),
    ],
)
def test_plain_events(given):
    assert texts(given) == ['{"a": 1}', '{"a": 2}']


def test_documents_on_several_lines():
    assert [json.loads(text) for text in texts('{\n "a": 1\n}\n{\n "a": 2\n}')] == [{"a": 1}, {"a": 2}]


def test_nothing():
    assert eventrie.read_events("") == [] == eventrie.read_events("  \n\n")


def test_lines_are_counted():
    events = eventrie.read_events('\n{"a": 1}\n\n{"a": 2}')
    assert [event.line for event in events] == [2, 4]
    assert all(event.note is None and event.envelopes == [] and event.pointer == "" for event in events)


def test_put_events():
    first, second = eventrie.read_events({"Entries": [ENTRY, {**ENTRY, "Detail": "not JSON"}]})
    assert PATTERN.matches(first.text) and first.bus == "orders" and first.refused is None
    assert first.pointer == "/Entries/0" and first.envelopes == ["a PutEvents request", "a PutEvents entry"]
    assert second.refused and "PutEvents entry" in second.note
    # The methods that match open no envelope.
    assert not PATTERN.matches({"Entries": [ENTRY]})


def test_what_a_function_is_given():
    notification = {"Type": "Notification", "TopicArn": "arn:aws:sns:::t", "Message": json.dumps(EVENT)}
    batch = {"Records": [{"messageId": "1", "body": json.dumps(notification), "eventSource": "aws:sqs"}]}
    for given in (batch, json.dumps(batch), json.dumps(batch).encode()):
        (event,) = eventrie.read_events(given)
        assert json.loads(event.text) == EVENT and PATTERN.matches(event.text)
        assert event.envelopes[-2:] == ["an SQS message", "an SNS notification"]
        assert event.note.startswith("unwrapped from an SNS notification in an SQS message")


def test_kinesis():
    data = base64.b64encode(json.dumps(EVENT).encode()).decode()
    given = {"Records": [{"eventSource": "aws:kinesis", "kinesis": {"partitionKey": "1", "data": data}}]}
    assert [json.loads(text) for text in texts(given)] == [EVENT]


def test_messages_and_records():
    notification = {"Type": "Notification", "TopicArn": "t", "Message": '{"kind": "a"}'}
    (message,) = texts({"Records": [{"messageId": "1", "body": json.dumps(notification), "eventSource": "aws:sqs"}]}, "sns-body")
    assert json.loads(message) == notification
    assert eventrie.Subscription({"kind": ["a"]}, "sns-body").evaluate(message)
    received = {"Messages": [{"MessageId": "1", "ReceiptHandle": "r", "MD5OfBody": "m", "Body": '{"kind": "a"}'}]}
    (record,) = texts(received, "lambda-esm", source="sqs")
    assert eventrie.Subscription({"body": {"kind": ["a"]}}, "lambda-esm", source="sqs").evaluate(record)


def test_a_file(tmp_path):
    path = tmp_path / "events.ndjson.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n'))
    assert texts(path) == ['{"a": 1}']
    with pytest.raises(FileNotFoundError):
        eventrie.read_events(tmp_path / "none.json")
    with pytest.raises(OSError):
        eventrie.read_events(tmp_path)


def test_what_cannot_be_read():
    with pytest.raises(eventrie.EventError, match="line 2") as raised:
        eventrie.read_events('[{"a": 1},\n{"a": 2} {"a": 3}]')
    assert raised.value.index is not None
    with pytest.raises(eventrie.EventError, match="UTF-8"):
        eventrie.read_events(b'{"a": "\xff"}')
    with pytest.raises(eventrie.EventError):
        eventrie.read_events(gzip.compress(b'{"a": 1}\n' * 1000)[:-20])
    with pytest.raises(TypeError):
        eventrie.read_events(3)
    with pytest.raises(ValueError, match="source: "):
        eventrie.read_events("{}", source="email")


def test_messages_that_are_not_json():
    log = {"events": [{"timestamp": 1, "message": "START RequestId: 1"}, {"timestamp": 2, "message": json.dumps(EVENT)}]}
    with pytest.warns(UserWarning, match="line 1: 1 message inside is not JSON; skipped"):
        (event,) = eventrie.read_events(log)
    assert json.loads(event.text) == EVENT
    log["events"].pop()
    with pytest.raises(eventrie.EventError, match="none of the messages"):
        eventrie.read_events(log)


def test_warnings_as_errors_lose_nothing_else():
    log = {"events": [{"timestamp": 1, "message": "START"}, {"timestamp": 2, "message": json.dumps(EVENT)}]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            eventrie.read_events(log)
