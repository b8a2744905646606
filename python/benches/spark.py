"""Spark on two cores of this machine beside the command line: the same answers, events a second and core, memory.

usage: spark.py PROGRAM RULES EVENTS

PROGRAM is the command line as a program of its own (`cargo build --profile dist -p eventrie-cli --features full`), RULES a rule file,
EVENTS a file of JSON lines, to which one line that is no JSON is added. Needs pyspark, pyarrow, pandas, psutil and Java.

Every answer is compared, by event. Then both read the text file and throw the answers away; the processor time of all processes
counts. Beside matching, two jobs show what is Spark's own: one that only reads the lines, and one whose Arrow function answers every
row with no rules without reading it. The jobs take turns, so the JVM has compiled itself before the least is taken.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import eventrie
import psutil  # type: ignore[import-untyped, unused-ignore]
import pyarrow as pa
import pyarrow.parquet as pq
from eventrie.spark import matching_rules
from turns import processor, spent

BAD = b'{"source": "cut'
TURNS = 4


class Processes:
    """Peak memory of Spark's processes, sampled while they work, and the processor time of all that live."""

    def __init__(self, jvm: psutil.Process) -> None:
        self.jvm, self.ended = jvm, False
        self.peaks: dict[tuple[str, int], int] = {}
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self) -> None:
        while not self.ended:
            for process in self.all():
                try:
                    kind = "JVM" if process == self.jvm else "Python worker"
                    key = (kind, process.pid)
                    self.peaks[key] = max(self.peaks.get(key, 0), process.memory_info().rss)
                except psutil.Error:
                    continue
            time.sleep(0.2)

    def all(self) -> list[psutil.Process]:
        return [self.jvm, *self.jvm.children(recursive=True)]

    def seconds(self) -> tuple[float, float]:
        """Processor seconds of the JVM and of its workers, ended ones included."""
        jvm, workers = 0.0, 0.0
        for process in self.all():
            try:
                times = process.cpu_times()
            except psutil.Error:
                continue
            own, ended = times.user + times.system, times.children_user + times.children_system
            jvm, workers = (own, workers + ended) if process == self.jvm else (jvm, workers + own + ended)
        return jvm, workers


def unread() -> Callable[[Any], Any]:
    """A function with the type of `matching_rules` that answers every row with no rules."""
    from pyspark.sql.pandas import functions

    def rules(batches: Any) -> Any:
        for batch in batches:
            offsets = pa.array([0] * (len(batch) + 1), pa.int32())
            lists = pa.ListArray.from_arrays(offsets, pa.array([], pa.string()))
            yield pa.StructArray.from_arrays([lists, pa.nulls(len(batch), pa.string())], ["rules", "error"])

    rules.__annotations__ = {"batches": Iterator[pa.Array], "return": Iterator[pa.Array]}
    arrow_udf: Any = functions.arrow_udf
    function: Callable[[Any], Any] = arrow_udf(rules, "rules array<string>, error string")
    return function


def main(program: str, rules: str, given: str) -> None:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col

    matcher = eventrie.Matcher.from_file(rules)
    lines = Path(given).read_bytes().splitlines()
    lines.append(BAD)
    with tempfile.TemporaryDirectory() as kept:
        events, table, answers = Path(kept, "events.json"), Path(kept, "events.parquet"), Path(kept, "answers")
        events.write_bytes(b"\n".join(lines) + b"\n")
        column = pa.array([line.decode() for line in lines])
        numbered = pa.table({"event": pa.array(range(len(lines))), "text": column})
        pq.write_table(numbered, table, row_group_size=len(lines) // 8)
        command = [program, "match", "-j", "1", "--rules", rules, str(events)]
        printed = subprocess.run(command, capture_output=True, check=False).stdout
        command_line = []
        for _ in range(3):
            before = spent()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            command_line.append(spent() - before)

        started = time.perf_counter()
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        jvm = next(child for child in psutil.Process().children(recursive=True) if "java" in child.name())
        processes = Processes(jvm)
        found = matching_rules(matcher)
        frame = spark.read.parquet(str(table)).select("event", found(col("text")).alias("found"))
        frame.select("event", "found.*").write.parquet(str(answers))
        print(f"{len(lines)} events, {len(matcher)} rules; PySpark {spark.version}; {processor()}")
        print(f"first job, with the start of Spark: {time.perf_counter() - started:.1f} s")
        compare(pq.read_table(answers), printed, len(lines))

        def answered(function: Callable[[Any], Any]) -> Any:
            return spark.read.text(str(events)).select(function(col("value")).alias("found")).select("found.*")

        jobs = {
            "Spark, lines only": spark.read.text(str(events)),
            "Spark, no matching": answered(unread()),
            "Spark": answered(found),
        }
        least: dict[str, tuple[float, float, float]] = {}
        for _ in range(TURNS):
            for name, rows in jobs.items():
                begun, started = processes.seconds(), time.perf_counter()
                rows.write.format("noop").mode("overwrite").save()
                clock, after = time.perf_counter() - started, processes.seconds()
                spent_now = (after[0] - begun[0], after[1] - begun[1], clock)
                least[name] = min(least.get(name, spent_now), spent_now, key=lambda one: one[0] + one[1])
        processes.ended = True
        ours = min(command_line)
        print(f"command line: {ours:.2f} s of one core, {len(lines) / ours / 1e3:.0f} k events a second and core")
        for name, (jvm_seconds, workers, clock) in least.items():
            total = jvm_seconds + workers
            print(f"{name}: {total:.2f} s of processor time (JVM {jvm_seconds:.2f}, workers {workers:.2f})", end="")
            print(f", {len(lines) / total / 1e3:.0f} k events a second and core", end="")
            print(f" ({ours / total:.2f} of the command line), {clock:.2f} s on the clock")
        added = least["Spark"][1] - least["Spark, no matching"][1]
        print(f"matching adds {added:.2f} s to the workers: {ours / added:.2f} of the command line")
        for (kind, _), bytes_ in sorted(processes.peaks.items(), key=lambda peak: -peak[1])[:4]:
            print(f"{kind}: {bytes_ / 1e6:.0f} MB at most")
        spark.stop()


def compare(table: Any, printed: bytes, count: int) -> None:
    """Stops unless every event has the same rules as the command line printed, and the bad line is null with its error."""
    rows = table.sort_by("event").to_pylist()
    assert [row["event"] for row in rows] == list(range(count))
    *good, bad = rows
    assert bad["rules"] is None and bad["error"], bad
    assert all(row["error"] is None for row in good)
    lines = [
        json.dumps({"event": row["event"], "rules": row["rules"]}, separators=(",", ":")) for row in good if row["rules"]
    ]
    digests = [hashlib.sha256("\n".join(text).encode()).hexdigest() for text in (lines, printed.decode().splitlines())]
    assert lines and digests[0] == digests[1], digests
    matches = sum(len(row["rules"]) for row in good)
    print(f"the same answers: {matches} matches in {len(lines)} events, SHA-256 {digests[0][:16]}…")
    print(f"the bad line: rules null, error {bad['error']!r}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
