"""Spark itself, on two local cores; needs pyspark and Java."""

import json
import shutil
import sys

import eventrie
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")


@pytest.fixture(scope="module")
def spark():
    import os

    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).appName("eventrie").getOrCreate()
    yield session
    session.stop()


def test_rules_by_row_and_errors_in_a_second_column(spark):
    from eventrie.spark import event_matches, matching_rules
    from pyspark.sql.functions import col

    rules = {f"r{n}": {"detail": {"n": [n]}} for n in range(100)}
    matcher = eventrie.Matcher(rules)
    events = [json.dumps({"detail": {"n": n % 150}}) for n in range(3000)]
    rows = [*events, "{", None, "[]"]
    frame = spark.createDataFrame([(at, row) for at, row in enumerate(rows)], "id long, event string")
    found = frame.select("id", matching_rules(matcher)(col("event")).alias("m")).select("id", "m.rules", "m.error")
    answers = sorted(found.collect())
    assert [row.rules for row in answers[:3000]] == matcher.match_many(events)
    assert [row.rules for row in answers[3000:]] == [None, None, None]
    assert [row.error is None for row in answers[3000:]] == [False, True, False]

    pattern = eventrie.Pattern({"detail": {"n": [{"numeric": ["<", 10]}]}})
    matched = frame.select(event_matches(pattern)(col("event")).alias("yes")).collect()
    assert sum(1 for row in matched if row.yes) == sum(1 for event in events if pattern.matches(event))
    assert [row.yes for row in matched][3000:] == [None, None, None]

    counts = found.selectExpr("explode(rules) as rule").groupBy("rule").count().collect()
    assert {row.rule: row["count"] for row in counts} == {f"r{n}": 20 for n in range(100)}
