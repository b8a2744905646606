"""Events a second of `match_many` and `match_arrow` beside the command line, on one core.

usage: speed.py PROGRAM RULES EVENTS [TURNS]

PROGRAM is the command line as a program of its own (`cargo build --profile dist -p eventrie-cli --features full`), RULES a rule file,
EVENTS a file of JSON lines. The command line reads the file, matches on one thread and writes its answers to a file that is
thrown away; `match_many` reads the same file line by line, and makes a list of names for each event; `match_arrow` gets a column
that is in memory. Processor time counts, starting the program and compiling the rules do not: both are measured with an
empty file and subtracted. The best of all turns is printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import eventrie
import pyarrow as pa
from turns import best, processor


def main(program: str, rules: str, events: str, turns: str = "7") -> None:
    matcher = eventrie.Matcher.from_file(rules)
    lines = Path(events).read_bytes().splitlines()
    column = pa.array(lines, pa.binary())
    texts = pa.array([line.decode() for line in lines])
    check(program, rules, events, matcher, lines, texts)

    def command_line(file: str) -> None:
        with tempfile.TemporaryFile() as thrown_away:
            subprocess.run([program, "match", "-j", "1", "--rules", rules, file], stdout=thrown_away, stderr=subprocess.DEVNULL, check=False)

    def many() -> object:
        with open(events, "rb") as file:
            return matcher.match_many(file)

    least = best(
        {
            "nothing": lambda: command_line("/dev/null"),
            "command line": lambda: command_line(events),
            "match_many, a file": many,
            "match_many, a list": lambda: matcher.match_many(lines),
            "match_arrow, string": lambda: matcher.match_arrow(texts),
            "match_arrow, binary": lambda: matcher.match_arrow(column),
            "match, one by one": lambda: [matcher.match(line) for line in lines],
        },
        int(turns),
    )
    nothing = least.pop("nothing")
    least["command line"] -= nothing
    print(f"{len(lines)} events, {len(matcher)} rules; Python {sys.version.split()[0]}; {processor()}")
    print(f"starting the command line and compiling: {nothing * 1e3:.0f} ms\n")
    print("| | events a second and core | of the command line |\n| --- | --- | --- |")
    for name, seconds in least.items():
        print(f"| {name} | {len(lines) / seconds / 1e3:.0f} k | {least['command line'] / seconds:.2f} |")


def check(program: str, rules: str, events: str, matcher: eventrie.Matcher, lines: list[bytes], texts: object) -> None:
    """Stops unless all give the same answers."""
    printed = subprocess.run([program, "match", "--rules", rules, events], capture_output=True, check=False).stdout
    expected: list[list[str]] = [[] for _ in lines]
    for answer in map(json.loads, printed.splitlines()):
        expected[answer["event"]] = answer["rules"]
    assert any(expected), "no rule matches"
    assert matcher.match_many(lines) == expected
    assert matcher.match_arrow(texts).to_pylist() == expected


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
