"""Subscribers of a Custom Event Bus, one and many."""

import base64
import json
import threading

import eventrie
import pytest
from eventrie import Subscription, SubscriptionSet

LARGE = {"total": [{"numeric": [">", 100]}]}
TENANT = {"tenant": ["a"]}
SHOP = {"aws:Source": ["shop"]}


def configuration(**patterns):
    return {"Filters": [{"Scope": scope, "Pattern": json.dumps(pattern)} for scope, pattern in patterns.items()]}


@pytest.fixture(scope="module")
def subscriber():
    return Subscription.subscriber(data=LARGE, metadata=TENANT, system_metadata=SHOP)


@pytest.mark.parametrize(
    ("total", "tenant", "source", "matched"),
    [(120, "a", "shop", True), (5, "a", "shop", False), (120, "b", "shop", False), (120, "a", "other", False)],
)
def test_every_filter_must_match(subscriber, total, tenant, source, matched):
    parts = {"data": {"total": total}, "metadata": {"tenant": tenant}, "system_metadata": {"aws:Source": source}}
    outcome = subscriber.evaluate(**parts)
    assert outcome.matched is matched and (outcome.cause is None) is matched
    report = subscriber.explain(**parts)
    assert report.matched is matched
    assert sorted(at for at, _ in report.explanations) == [0, 1, 2]
    assert sum(not explanation.matched for _, explanation in report.explanations) == (0 if matched else 1)
    for data in (json.dumps(parts["data"]), json.dumps(parts["data"]).encode()):
        assert subscriber.evaluate(**{**parts, "data": data}).matched is matched
    envelope = {"Data": parts["data"], "Metadata": parts["metadata"], "SystemMetadata": parts["system_metadata"]}
    assert subscriber.evaluate(envelope).matched is matched
    assert subscriber.evaluate(json.dumps(envelope)).matched is matched


def test_the_configuration_of_the_service(subscriber):
    whole = configuration(DATA=LARGE, METADATA=TENANT, SYSTEM_METADATA=SHOP)
    for given in (whole, json.dumps(whole), {"Language": "EVENT_BRIDGE_PATTERN", **whole}):
        assert Subscription.subscriber(given).patterns == subscriber.patterns
    assert len(subscriber.patterns) == 3 and subscriber.dialect == "eventsv2-data"


def test_without_filters_everything_is_delivered():
    for everything in (Subscription.subscriber(), Subscription.subscriber({})):
        assert everything.patterns == []
        assert everything.evaluate(data={"total": 1}) and everything.evaluate('{"total": 1}')


def test_entries():
    raw = {"Data": base64.b64encode(b'{"total": 120}').decode(), "SystemMetadata": {"ContentType": "application/json"}}
    assert Subscription.subscriber(data=LARGE).evaluate(raw)
    entry = {"Source": "shop", "DetailType": "order", "Detail": "{}"}
    there = {"region": ["eu-west-1"]}
    with pytest.raises(eventrie.EventError, match="region"):
        Subscription.subscriber(data=there).evaluate(entry)
    assert Subscription.subscriber(data=there).explain(entry).unjudged
    assert Subscription.subscriber(data=there, unpublished={"region": "eu-west-1"}).evaluate(entry)
    assert not Subscription.subscriber(data=there, unpublished={"region": "us-east-1"}).evaluate(entry)


def test_a_filter_that_cannot_be_judged():
    both = Subscription.subscriber(data={"region": ["eu-west-1"]}, system_metadata=SHOP)
    entry = {"Source": "shop", "DetailType": "order", "Detail": "{}"}
    report = both.explain(entry)
    assert list(report.unjudged) == [0] and [at for at, _ in report.explanations] == [1]
    assert report.summary.startswith("undecided") and str(report).startswith(report.summary)
    # Another filter that does not match decides.
    assert both.explain({**entry, "Source": "other"}).summary.startswith("no match: SYSTEM_METADATA")


def test_data_that_no_filter_reads():
    both = Subscription.subscriber(data=LARGE, metadata=TENANT)
    parts = {"metadata": {"tenant": "a"}, "system_metadata": {"ContentType": "text/plain"}}
    outcome = both.evaluate(data="hello", **parts)
    assert not outcome and "content type" in outcome.cause
    assert both.explain(data="hello", **parts).unjudged[0] in both.explain(data="hello", **parts).summary
    with pytest.raises(eventrie.EventError, match="the data is not JSON"):
        both.evaluate(data="not JSON", metadata={"tenant": "a"})


def test_filters_that_the_service_refuses():
    twice = {"Filters": [{"Scope": "DATA", "Pattern": json.dumps(LARGE)}] * 2}
    with pytest.raises(eventrie.ConfigurationError) as raised:
        Subscription.subscriber(twice)
    assert raised.value.service_message == "Duplicate filter scope: DATA"
    (fault,) = raised.value.faults
    assert fault.filter == 1 and fault.findings == [] and fault.service_message == raised.value.service_message
    text = '{"a": [{"wildcard": "*x"}]}'
    with pytest.raises(eventrie.ConfigurationError) as raised:
        Subscription.subscriber(metadata=TENANT, data=text)
    (fault,) = raised.value.faults
    assert fault.filter == 0 and text[fault.findings[0].start :].startswith('"wildcard"')
    with pytest.raises(eventrie.ConfigurationError, match="SYSTEM_METADATA"):
        Subscription.subscriber({"Filters": [{"Scope": "BODY", "Pattern": "{}"}]})


@pytest.mark.parametrize(
    "keywords",
    [
        {"event": "{}", "data": "{}"},
        {"body": "x", "data": "{}"},
        {"data": 3},
        {"metadata": {"tenant": 1}},
        {"metadata": "tenant"},
        {"payload": "{}"},
        {"data": None},
    ],
)
def test_inputs_of_the_wrong_kind(subscriber, keywords):
    with pytest.raises(TypeError):
        subscriber.evaluate(**keywords)


def test_parameters_of_the_wrong_kind():
    with pytest.raises(TypeError, match="either"):
        Subscription.subscriber({}, data=LARGE)
    with pytest.raises(ValueError, match="unpublished: unknown value 'owner'|unpublished"):
        Subscription.subscriber(data=LARGE, unpublished={"owner": "x"})
    rule = Subscription({"source": ["shop"]})
    with pytest.raises(eventrie.EventError, match="Custom Event Bus"):
        rule.evaluate(data="{}")


class TestSets:
    @pytest.fixture
    def subscribers(self):
        return SubscriptionSet(
            {
                "large": Subscription.subscriber(data=LARGE),
                "ours": Subscription.subscriber(metadata=TENANT),
                "both": Subscription.subscriber(data=LARGE, metadata=TENANT),
                "all": Subscription.subscriber(),
            }
        )

    def test_names_come_in_order(self, subscribers):
        assert subscribers.keys == ["large", "ours", "both", "all"] and len(subscribers) == 4 and "ours" in subscribers
        verdict = subscribers.evaluate(data={"total": 120}, metadata={"tenant": "a"})
        assert verdict and verdict.names == ["large", "ours", "both", "all"] and verdict.undecided == []
        assert subscribers.evaluate(data={"total": 1}, metadata={"tenant": "a"}).names == ["ours", "all"]

    def test_one_broken_part_concerns_only_those_that_test_it(self, subscribers):
        verdict = subscribers.evaluate(data='{"total": ', metadata={"tenant": "a"})
        assert verdict.names == ["ours", "all"] and verdict.undecided == ["large", "both"] and verdict.fault

    def test_as_each_alone(self, subscribers):
        alone = {"large": Subscription.subscriber(data=LARGE), "ours": Subscription.subscriber(metadata=TENANT)}
        for total in (1, 120):
            for tenant in ("a", "b"):
                parts = {"data": {"total": total}, "metadata": {"tenant": tenant}}
                names = subscribers.evaluate(**parts).names
                for name, one in alone.items():
                    assert (name in names) is one.evaluate(**parts).matched
                    assert subscribers.explain(name, **parts).matched is one.evaluate(**parts).matched

    def test_explain_needs_a_name(self, subscribers):
        with pytest.raises(KeyError):
            subscribers.explain("nobody", data="{}")

    def test_other_services(self):
        policies = {kind: Subscription({"kind": [kind]}, "sns-attributes") for kind in ("a", "b")}
        verdict = SubscriptionSet(policies).evaluate(body="", attributes={"kind": "b"})
        assert verdict.names == ["b"]
        missed = SubscriptionSet(policies).evaluate(body="", attributes={"kind": "c"})
        assert not missed and missed.cause and missed.metric == "NumberOfNotificationsFilteredOut-MessageAttributes"

    def test_kinds_do_not_mix(self):
        rule, policy = Subscription({"a": [1]}), Subscription({"a": [1]}, "sns-body")
        with pytest.raises(ValueError, match="policy"):
            SubscriptionSet({"rule": rule, "policy": policy})
        with pytest.raises(TypeError):
            SubscriptionSet({"rule": {"a": [1]}})
        with pytest.raises(eventrie.BuildError):
            SubscriptionSet({"rule": rule}, limits={"table_bytes": 1})

    def test_threads_share_a_set(self, subscribers):
        wrong = []

        def work(total):
            for _ in range(300):
                names = subscribers.evaluate(data={"total": total}, metadata={"tenant": "b"}).names
                if ("large" in names) is not (total > 100):
                    wrong.append(names)

        threads = [threading.Thread(target=work, args=(total,)) for total in (1, 120) * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
