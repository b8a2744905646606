"""The recipes of "Past one machine"."""

import json

import eventrie
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

EVENTS = [json.dumps({"detail": {"n": n}}) for n in range(10)]
EXPECTED = [["even"] if n % 2 == 0 else [] for n in range(10)]


@pytest.fixture(scope="module")
def matcher():
    return eventrie.Matcher({"even": {"detail": {"n": [0, 2, 4, 6, 8]}}})


def test_pandas(matcher):
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pd.DataFrame({"event": EVENTS})
    frame["rules"] = matcher.match_arrow(pa.array(frame["event"])).to_pylist()
    assert list(frame["rules"]) == EXPECTED


def test_polars(matcher):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    frame = pl.DataFrame({"event": EVENTS})
    frame = frame.with_columns(rules=pl.Series(matcher.match_arrow(frame["event"])))
    assert frame["rules"].to_list() == EXPECTED


def test_duckdb(matcher):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    given = pa.table({"id": list(range(10)), "event": EVENTS})
    table = duckdb.sql("select id, event from given").to_arrow_table()
    matched = table.append_column("rules", matcher.match_arrow(table["event"]))
    assert matched["rules"].to_pylist() == EXPECTED
    counted = duckdb.sql("select rule, count(*) from (select unnest(rules) as rule from matched) group by rule")
    assert counted.fetchall() == [("even", 5)]


def test_ray(matcher):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    data = pytest.importorskip("ray.data", reason="Ray's data sets are not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        dataset = data.from_arrow(pa.table({"id": list(range(10)), "event": EVENTS}))
        dataset = dataset.map_batches(
            lambda table: table.append_column("rules", matcher.match_arrow(table["event"])), batch_format="pyarrow"
        )
        rows = sorted(dataset.take_all(), key=lambda row: row["id"])
    finally:
        ray.shutdown()
    assert [list(row["rules"]) for row in rows] == EXPECTED
