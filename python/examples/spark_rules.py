"""Count what each rule matches, over JSON lines, on Spark.

usage: spark_rules.py RULES EVENTS [PARTITIONS]

RULES is a rule file, a template, or what `aws events list-rules` prints; EVENTS is a file or directory of JSON lines, plain or
compressed. `local[2]` below is this machine; on a cluster, leave `.master(…)` out, submit the file with `spark-submit`, install
eventrie on the workers (`--archives` with a packed environment, or the cluster's image), and give a path that all workers see.
"""

from __future__ import annotations

import os
import sys
import time

import eventrie
from eventrie.spark import matching_rules
from pyspark.sql import SparkSession
from pyspark.sql.functions import col, count, explode


def main(rules: str, events: str) -> None:
    matcher = eventrie.Matcher.from_file(rules)
    # Else the workers of this machine run whichever `python3` comes first on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").appName("eventrie").config("spark.ui.enabled", "false").getOrCreate()
    started = time.perf_counter()
    lines = spark.read.text(events)
    found = lines.select(matching_rules(matcher)(col("value")).alias("found")).select("found.*").cache()
    by_rule = found.select(explode("rules").alias("rule")).groupBy("rule").agg(count("*").alias("events"))
    for row in sorted(by_rule.collect(), key=lambda row: -row["events"])[:20]:
        print(f"{row['events']:>10}  {row['rule']}")
    read, broken = found.count(), found.where(col("error").isNotNull()).count()
    seconds = time.perf_counter() - started
    print(f"{read} events, {broken} cannot be read, {len(matcher)} rules, {seconds:.1f} s")
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:3])
