"""Many patterns: names, files, batches, columns, threads, pickles, live sets."""

import json
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import eventrie
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = json.loads((EXAMPLES / "rules.json").read_text())
EVENTS = [line for line in (EXAMPLES / "events.ndjson").read_text().splitlines() if line.strip()]


@pytest.fixture(scope="module")
def matcher():
    return eventrie.Matcher(RULES)


@pytest.fixture(scope="module")
def expected():
    """The answers of one pattern after another."""
    patterns = {name: eventrie.Pattern(pattern) for name, pattern in RULES.items()}
    return [[name for name, pattern in patterns.items() if pattern.matches(event)] for event in EVENTS]


def test_one_by_one_and_together(matcher, expected):
    assert len(matcher) == len(RULES) and matcher.keys == list(RULES)
    assert any(expected) and not all(expected)
    assert [matcher.match(event) for event in EVENTS] == expected
    assert [matcher.match(json.loads(event)) for event in EVENTS] == expected
    assert [matcher.any(event.encode()) for event in EVENTS] == [bool(names) for names in expected]
    assert matcher.match_many(EVENTS) == expected
    assert matcher.match_many(iter(json.loads(event) for event in EVENTS)) == expected
    assert matcher.match_many([]) == []


def test_many_batches(matcher, expected):
    assert matcher.match_many(EVENTS * 500) == expected * 500


def test_the_event_that_fails_is_named(matcher):
    with pytest.raises(eventrie.EventError) as raised:
        matcher.match_many([*EVENTS, "{", *EVENTS])
    assert raised.value.index == len(EVENTS)


def test_a_file_of_rules(expected):
    matcher = eventrie.Matcher.from_file(EXAMPLES / "rules.json")
    assert [matcher.match(event) for event in EVENTS] == expected
    with pytest.raises(OSError):
        eventrie.Matcher.from_file("does-not-exist.json")


def test_a_bad_pattern_is_named():
    with pytest.raises(eventrie.PatternError, match="broken") as raised:
        eventrie.Matcher({"fine": {"a": [1]}, "broken": {"a": 1}})
    assert raised.value.name == "broken" and raised.value.findings


@pytest.mark.parametrize("patterns", [None, [], "{}", {"a": None}, {1: {"a": [1]}}, {"a": b"{}"}])
def test_patterns_of_the_wrong_type(patterns):
    with pytest.raises(TypeError):
        eventrie.Matcher(patterns)


def test_pickle_keeps_names_answers_and_explanations(matcher, expected):
    again = pickle.loads(pickle.dumps(matcher))
    assert again.match_many(EVENTS) == expected
    name = matcher.keys[0]
    assert str(again.explain(name, EVENTS[0])) == str(matcher.explain(name, EVENTS[0]))
    with pytest.raises(KeyError):
        again.explain("nobody", EVENTS[0])


def test_damaged_bytes_are_refused(matcher):
    load, (data, *rest) = matcher.__reduce__()
    for damaged in (b"", data[:-1], data[:50], data[:60] + b"x" + data[61:]):
        with pytest.raises(eventrie.LoadError):
            load(damaged, *rest)
    with pytest.raises(eventrie.LoadError):
        load(data, ["one name"], ["{}"], rest[2])


def test_threads_share_a_matcher(matcher, expected):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: matcher.match_many(EVENTS * 20), range(32)))
    assert all(answer == expected * 20 for answer in answers)


class TestArrow:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

    @pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"])
    def test_every_kind_of_column(self, matcher, expected, kind):
        pa = self.pa
        column = pa.array([*EVENTS, None], pa.string()).cast(getattr(pa, kind)())
        answer = matcher.match_arrow(column)
        assert answer.type == pa.list_(pa.field("item", pa.string(), nullable=False))
        assert answer.to_pylist() == [*expected, None]

    def test_chunks_and_slices(self, matcher, expected):
        pa = self.pa
        column = pa.chunked_array([EVENTS[:3], EVENTS[3:]])
        assert matcher.match_arrow(column).to_pylist() == expected
        assert matcher.match_arrow(pa.array(EVENTS)[2:]).to_pylist() == expected[2:]
        assert matcher.match_arrow(pa.chunked_array([], pa.string())).to_pylist() == []
        assert matcher.match_arrow(pa.array([], pa.string())).to_pylist() == []

    def test_rows_that_cannot_be_read(self, matcher, expected):
        pa = self.pa
        column = pa.chunked_array([EVENTS, ["{", None, EVENTS[0]]])
        with pytest.raises(eventrie.EventError) as raised:
            matcher.match_arrow(column)
        assert raised.value.index == len(EVENTS)
        assert matcher.match_arrow(column, on_error="null").to_pylist() == [*expected, None, None, expected[0]]
        rows = matcher.match_arrow(column, on_error="struct").to_pylist()
        assert [row["rules"] for row in rows] == [*expected, None, None, expected[0]]
        assert [row["error"] is not None for row in rows] == [*(False for _ in EVENTS), True, False, False]

    def test_more_names_than_arrow_can_hold(self):
        matcher = eventrie.Matcher({"n" * 1_000_000: {"source": ["shop"]}})
        column = self.pa.array(['{"source": "shop"}'] * 2200)
        with pytest.raises(ValueError, match="exceed 2 GB; pass the column in smaller chunks"):
            matcher.match_arrow(column)
        assert len(matcher.match_arrow(column[:10])) == 10

    def test_what_is_no_column_of_text(self, matcher):
        pa = self.pa
        for column in (pa.array([1, 2]), pa.array(["{}"]).dictionary_encode(), ["{}"], None, "{}"):
            with pytest.raises(TypeError, match="column: "):
                matcher.match_arrow(column)
        with pytest.raises(ValueError, match="on_error: "):
            matcher.match_arrow(pa.array(EVENTS), on_error="ignore")


class TestLive:
    def test_changes_are_seen(self):
        rules = eventrie.LiveMatcher({"a": {"source": ["x"]}})
        rules.insert("b", {"detail": {"n": [1]}})
        assert rules.match({"source": "x", "detail": {"n": 1}}) == ["a", "b"]
        rules.replace("a", {"source": ["y"]})
        assert rules.match('{"source": "x", "detail": {"n": 1}}') == ["b"]
        assert rules.remove("b") and not rules.remove("b")
        assert rules.match(b'{"source": "y"}') == ["a"]
        assert len(rules) == 1

    def test_replace_all_says_what_changed(self):
        rules = eventrie.LiveMatcher({"same": {"a": [1]}, "gone": {"a": [2]}, "new text": {"a": [3]}})
        change = rules.replace_all({"same": {"a": [1]}, "new text": {"a": [4]}, "fresh": {"a": [5]}})
        assert change == {"added": ["fresh"], "removed": ["gone"], "changed": ["new text"]}
        assert rules.match({"a": [2, 3, 4]}) == ["new text"]

    def test_a_bad_pattern_changes_nothing(self):
        rules = eventrie.LiveMatcher({"a": {"source": ["x"]}})
        with pytest.raises(eventrie.PatternError):
            rules.replace_all({"b": {"source": "x"}})
        assert rules.match({"source": "x"}) == ["a"]

    def test_readers_while_rules_change(self):
        rules = eventrie.LiveMatcher({"always": {"v": [{"exists": True}]}})
        stop = threading.Event()
        wrong = []

        def read():
            while not stop.is_set():
                found = rules.match('{"v": 1}')
                if "always" not in found or not set(found) <= {"always", "sometimes"}:
                    wrong.append(found)

        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        for _ in range(200):
            rules.insert("sometimes", {"v": [1]})
            rules.remove("sometimes")
        stop.set()
        for reader in readers:
            reader.join()
        assert not wrong


class TestFiles:
    TEMPLATE = "Resources:\n  R:\n    Type: AWS::Events::Rule\n    Properties:\n      EventPattern:\n        source: aws.ec2\n"

    def test_findings_of_a_template(self, tmp_path):
        path = tmp_path / "template.yaml"
        path.write_text(self.TEMPLATE)
        (finding,) = eventrie.check_file(path)
        assert self.TEMPLATE[finding.start : finding.end] == "aws.ec2"
        assert finding.file == str(path) and "R" in finding.name and finding.line == 6
        assert eventrie.check_text(self.TEMPLATE, "t.yaml")[0].message == finding.message

    def test_rules_beside_each_other(self, tmp_path):
        rules = {"all": {"source": ["shop"]}, "orders": {"source": ["shop"], "detail-type": ["order"]}, "same": {"source": ["shop"]}}
        path = tmp_path / "rules.json"
        path.write_text(json.dumps(rules))
        found = {finding.name: finding.message for finding in eventrie.check_file(path)}
        assert found == {
            "orders": "the rule `all` matches every event that `orders` matches",
            "same": "the rules `all` and `same` match the same events",
        }

    @pytest.mark.parametrize(
        "name",
        [
            "data/custom-bus.yaml",
            "situations/listed-rules.json",
            "data/overlapping.json",
            "data/plan.json",
            "data/bus.yaml",
            "data/template.yaml",
            "situations/disabled.yaml",
            "situations/sub.yaml",
            "situations/condition.yaml",
        ],
    )
    def test_findings_are_those_of_the_command_line(self, name):
        path = EXAMPLES.parent / "cli" / "tests" / name
        lines = TestConsole().run("check", "--format", "json", "--level", "note", str(path)).stdout.splitlines()
        expected = [tuple(json.loads(line)[key] for key in ("code", "line", "column", "message", "place")) for line in lines]
        assert expected
        found = [(one.code, one.line, one.column, one.message, one.name) for one in eventrie.check_file(path)]
        assert sorted(found, key=str) == sorted(expected, key=str)

    def test_what_is_no_file_with_patterns(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            eventrie.check_file(tmp_path / "none.yaml")
        broken = tmp_path / "broken.yaml"
        broken.write_text("Resources: [")
        with pytest.raises(ValueError):
            eventrie.check_file(broken)


class TestConsole:
    def run(self, *words, stdin=""):
        return subprocess.run([sys.executable, "-m", "eventrie", *words], input=stdin, capture_output=True, text=True)

    def test_the_command_line_is_the_command_line(self, expected):
        done = self.run("match", "--rules", str(EXAMPLES / "rules.json"), "-", stdin="\n".join(EVENTS))
        assert done.returncode == 0
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert {line["event"]: line["rules"] for line in lines} == {at: names for at, names in enumerate(expected) if names}

    def test_exit_codes_and_help(self):
        assert self.run("check", "-e", '{"detail":{"a":[1]}}').returncode == 0
        assert self.run("check", "-e", '{"a":1}').returncode == 1
        assert self.run("nonsense").returncode == 2
        assert "eventrie" in self.run("--help").stdout


def test_a_worker_loads_a_sent_matcher_once():
    from eventrie import spark

    def travel(sent):
        return pickle.loads(pickle.dumps(sent))

    sets = [spark._Sent(eventrie.Matcher({f"r{n}": {"n": [n]}})) for n in range(spark._KEPT + 2)]
    spark._loaded.clear()
    for n, sent in enumerate(sets):
        loaded = travel(sent)
        assert travel(sent) is loaded
        assert loaded.match({"n": n}) == [f"r{n}"]
    assert len(spark._loaded) == spark._KEPT
    assert travel(sets[0]).match({"n": 0}) == ["r0"]
