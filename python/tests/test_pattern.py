"""One pattern: parsing, matching, explaining, errors."""

import pickle
from collections import OrderedDict, UserDict
from decimal import Decimal
from types import MappingProxyType

import eventrie
import pytest

STOPPED = {"source": ["aws.ec2"], "detail": {"state": ["stopped"]}}
EVENT = '{"source": "aws.ec2", "detail": {"state": "stopped"}}'


@pytest.mark.parametrize("pattern", [STOPPED, '{"source":["aws.ec2"],"detail":{"state":["stopped"]}}', OrderedDict(STOPPED)])
@pytest.mark.parametrize(
    "event",
    [
        EVENT,
        EVENT.encode(),
        bytearray(EVENT.encode()),
        memoryview(EVENT.encode()),
        {"source": "aws.ec2", "detail": {"state": "stopped"}},
        MappingProxyType({"source": "aws.ec2", "detail": UserDict({"state": "stopped"})}),
    ],
    ids=["str", "bytes", "bytearray", "memoryview", "dict", "mapping"],
)
def test_every_form_of_an_event(pattern, event):
    parsed = eventrie.Pattern(pattern)
    assert parsed.matches(event) is True
    assert parsed.explain(event).matched


def test_an_invalid_pattern_has_findings_and_the_services_wording():
    with pytest.raises(eventrie.PatternError) as raised:
        eventrie.Pattern({"source": "aws.ec2"})
    error = raised.value
    assert isinstance(error, ValueError)
    assert [finding.severity for finding in error.findings] == ["error"]
    assert '"source" must be an object or an array' in error.service_message
    assert error.findings[0].code in str(error)
    fix = error.findings[0].fix
    fixed = fix.apply('{"source": "aws.ec2"}')
    assert eventrie.Pattern(fixed).matches({"source": "aws.ec2"})


def test_places_count_characters_not_bytes():
    text = '{"é🚀": ["ok"], "b": 1}'
    with pytest.raises(eventrie.PatternError) as raised:
        eventrie.Pattern(text)
    finding = raised.value.findings[0]
    assert text[finding.start : finding.end] == "1"
    assert (finding.line, finding.column) == (1, text.index("1") + 1)


def test_an_explanation_says_why():
    explanation = eventrie.Pattern(STOPPED).explain({"source": "aws.ec2", "detail": {"state": "Stopped"}})
    assert not explanation
    assert "case" in explanation.summary
    assert explanation.to_dict()["matched"] is False
    assert str(explanation).startswith("no match")


@pytest.mark.parametrize(
    ("value", "pattern", "matched"),
    [
        (3, [3], True),
        (3.0, [{"numeric": ["=", 3]}], True),
        (1e22, [{"numeric": [">", 1e21]}], True),
        (5e-324, [5e-324], True),
        (10**30, [{"numeric": [">", 0]}], True),
        (Decimal("0.10"), [0.1], True),
        (True, [True], True),
        (True, [1], False),
        (None, [None], True),
        ((1, 2), [2], True),
        ([{"x": 1}, {"x": 2}], {"x": [2]}, True),
        ("", [""], True),
    ],
)
def test_values_of_mappings(value, pattern, matched):
    assert eventrie.Pattern({"v": pattern}).matches({"v": value}) is matched


def loop():
    elements = []
    elements.append(elements)
    return {"self": elements}


class Angry(UserDict):
    def items(self):
        raise RuntimeError("angry")


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ("", eventrie.EventError),
        ("[]", eventrie.EventError),
        ("{", eventrie.EventError),
        (b"\xff{}", eventrie.EventError),
        ('{"a": "\ud800"}', eventrie.EventError),
        ({"self": float("nan")}, eventrie.EventError),
        ({"self": float("inf")}, eventrie.EventError),
        ({"self": object()}, TypeError),
        ({"self": {1: 2}}, TypeError),
        ({"x": {1, 2}}, TypeError),
        (loop(), eventrie.EventError),
        ({"self": Angry(x=1)}, RuntimeError),
        (None, TypeError),
        (3, TypeError),
        ([{"a": 1}], TypeError),
    ],
    ids=str,
)
def test_events_that_cannot_be_read(event, error):
    pattern = {"self": {"self": {"x": ["z"], "1": ["z"]}, "x": ["z"], "1": ["z"]}, "x": ["z"], "\ufffd": ["z"]}
    with pytest.raises(error):
        eventrie.Pattern(pattern).matches(event)


def test_a_mapping_that_contains_itself_is_read_as_far_as_the_pattern_goes():
    event = {"x": "z"}
    event["self"] = event
    assert eventrie.Pattern({"self": {"self": {"x": ["z"]}}}).matches(event)
    with pytest.raises(ValueError):
        eventrie.Pattern({"self": {"x": ["z"]}}).explain(event)


def test_half_a_surrogate_pair_is_a_question_mark_as_in_json_text():
    pattern = eventrie.Pattern({"a": ["x?"], "?": [1]})
    event = {"a": "x\ud800", "\udfff": 1}
    assert pattern.matches(event) and pattern.explain(event).matched
    assert pattern.matches('{"a": "x\\ud800", "\\udfff": 1}')
    assert eventrie.Pattern({"a": ["\ud800"]}).matches({"a": "\ud800"})


def test_what_no_pattern_reads_is_not_looked_at_in_a_mapping():
    assert eventrie.Pattern({"a": [1]}).matches({"a": 1, "b": object()})


def test_a_very_deep_mapping_is_an_error_or_an_answer():
    event = pattern = "x"
    for _ in range(100_000):
        event = {"a": event}
    for _ in range(300):
        pattern = {"a": pattern if pattern != "x" else ["x"]}
    try:
        assert eventrie.Pattern(pattern).matches(event) is False
    except eventrie.EventError:
        pass


def test_a_number_too_long_for_python_to_print():
    with pytest.raises(ValueError):
        eventrie.Pattern({"v": [1]}).matches({"v": 10**5000})


def test_a_large_string():
    text = "x" * (256 << 20)
    assert eventrie.Pattern({"v": [{"prefix": "xx"}]}).matches({"v": text})
    assert eventrie.Pattern({"v": [{"suffix": "xx"}]}).matches('{"v": "' + text + '"}')


@pytest.mark.parametrize("pattern", [None, 3, [], b"{}", {"a"}])
def test_a_pattern_of_the_wrong_type(pattern):
    with pytest.raises(TypeError, match="pattern: expected str or a mapping"):
        eventrie.Pattern(pattern)


def test_unknown_names_are_refused_with_what_is_possible():
    with pytest.raises(ValueError, match="dialect: unknown value .* eventbridge"):
        eventrie.Pattern({}, "sqs")
    with pytest.raises(ValueError, match="limits: unknown value .* depth"):
        eventrie.Pattern(STOPPED, limits={"deep": 1})
    with pytest.raises(KeyError):
        eventrie.explain_code("E9999")


def test_limits_are_kept():
    with pytest.raises(eventrie.PatternError):
        eventrie.Pattern(STOPPED, limits={"pattern_bytes": 10})


def test_lint_and_code_pages():
    findings = eventrie.Pattern({"detail": {"state": ["a*b"]}}).lint()
    assert findings and findings[0].severity == "warning"
    assert findings[0].code in eventrie.explain_code(findings[0].code)


def test_patterns_are_equal_hash_and_pickle():
    pattern = eventrie.Pattern(STOPPED, "sns-body", sns_version="2024", strict=True)
    again = pickle.loads(pickle.dumps(pattern))
    assert again == pattern and hash(again) == hash(pattern)
    assert again.dialect == "sns-body" and again.source == pattern.source
    assert again != eventrie.Pattern({"source": ["x"]})


def test_infer_proposes_a_pattern_that_matches():
    events = [{"source": "shop", "detail": {"kind": kind}} for kind in ("a", "b")]
    pattern = eventrie.Pattern(eventrie.infer(events))
    assert all(pattern.matches(event) for event in events)
    with pytest.raises(ValueError):
        eventrie.infer(["not json"])


class Growing(int):
    """A number that changes the dictionary that it is in while it is printed."""

    def __str__(self):
        self.change()
        return "1"


@pytest.mark.parametrize("change", ["grow", "shrink", "exchange"])
def test_a_mapping_that_changes_while_it_is_walked(change):
    pattern = eventrie.Pattern({"z": [1]})
    number = Growing(1)
    event = {"a": number, "b": 1, "c": 1, "z": 1}

    def changing():
        if change != "shrink":
            event[f"new {len(event)}"] = 1
        if change != "grow":
            event.pop("b", None)

    number.change = changing
    # The number is read, or the change is noticed; it is never a panic.
    try:
        eventrie.Matcher({"a": {"a": [1]}, "z": {"z": [1]}}).match(event)
    except RuntimeError as error:
        assert "changed size" in str(error)
    else:
        assert change == "exchange"
    assert pattern.matches({"z": 1})
