"""What services do with an input."""

import base64
import json

import eventrie
import pytest


def test_a_rule():
    rule = eventrie.Subscription({"source": ["shop"]})
    assert rule.evaluate({"source": "shop"}).matched
    outcome = rule.evaluate('{"source": "other"}')
    assert not outcome and outcome.cause and outcome.metric is None
    assert "no match" in str(rule.explain({"source": "other"}))


@pytest.mark.parametrize(
    ("attributes", "matched", "metric"),
    [
        ({"store": "a"}, True, None),
        ({"store": {"DataType": "String", "StringValue": "a"}}, True, None),
        ({"store": {"Type": "String", "Value": "b"}}, False, "NumberOfNotificationsFilteredOut-MessageAttributes"),
        ({"store": ["x", "a"]}, True, None),
        ({"store": {"DataType": "Binary", "BinaryValue": b"a"}}, False, "NumberOfNotificationsFilteredOut-NoMessageAttributes"),
        ({}, False, "NumberOfNotificationsFilteredOut-NoMessageAttributes"),
        (None, False, "NumberOfNotificationsFilteredOut-NoMessageAttributes"),
    ],
)
def test_sns_attributes(attributes, matched, metric):
    policy = eventrie.Subscription({"store": ["a"]}, "sns-attributes")
    outcome = policy.evaluate(body="hello", attributes=attributes)
    assert (outcome.matched, outcome.metric) == (matched, metric)


def test_sns_numbers_and_body():
    policy = eventrie.Subscription({"price": [{"numeric": [">", 10]}]}, "sns-attributes")
    assert policy.evaluate(body="", attributes={"price": 12})
    body = eventrie.Subscription({"kind": ["a"]}, "sns-body")
    assert body.evaluate(body='{"kind": "a"}')
    assert body.evaluate(body="text").metric == "NumberOfNotificationsFilteredOut-InvalidMessageBody"


def test_records():
    filters = {"Filters": [{"Pattern": json.dumps({"data": {"city": ["Oslo"]}})}]}
    pipe = eventrie.Subscription(filters, "pipes", source="kinesis")
    data = base64.b64encode(b'{"city": "Paris"}').decode()
    report = pipe.explain({"partitionKey": "1", "data": data})
    assert not report.matched and '"Paris"' in report.summary and '"city":"Paris"' in report.event.replace(" ", "")
    assert pipe.evaluate({"data": data}).effect == "the record is skipped"


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="source"):
        eventrie.Subscription({"body": ["a"]}, "lambda-esm")
    with pytest.raises(ValueError, match="source: unknown value"):
        eventrie.Subscription({"body": ["a"]}, "lambda-esm", source="email")
    with pytest.raises(eventrie.PatternError):
        eventrie.Subscription({"a": "b"}, "sns-body")
    policy = eventrie.Subscription({"store": ["a"]}, "sns-attributes")
    for arguments in ({}, {"event": "{}", "body": "x"}, {"body": 3}, {"attributes": "store"}):
        with pytest.raises(TypeError):
            policy.evaluate(**arguments)


def test_a_verdict_is_an_outcome():
    policies = eventrie.SubscriptionSet({name: eventrie.Subscription({"store": [name]}, "sns-attributes") for name in "ab"})
    passed = policies.evaluate(body="", attributes={"store": "a"})
    assert isinstance(passed, eventrie.Verdict) and isinstance(passed, eventrie.Outcome)
    assert passed and passed.names == ["a"] and passed.cause is None and repr(passed) == '<Verdict ["a"]>'
    one = eventrie.Subscription({"store": ["a"]}, "sns-attributes")
    for attributes in ({"store": "c"}, {}):
        refused = policies.evaluate(body="", attributes=attributes)
        outcome = one.evaluate(body="", attributes=attributes)
        assert not refused and refused.names == []
        assert (refused.cause, refused.effect, refused.metric) == (outcome.cause, outcome.effect, outcome.metric)
        assert repr(refused) == repr(outcome).replace("<Outcome", "<Verdict")


@pytest.mark.parametrize("make", [eventrie.Matcher, eventrie.LiveMatcher, eventrie.SubscriptionSet])
@pytest.mark.parametrize("given", [3, "{}", [("a", {})], {1: {"a": [1]}}, {"a": 3}])
def test_named_patterns_are_a_mapping(make, given):
    with pytest.raises(TypeError, match="expected"):
        make(given)
