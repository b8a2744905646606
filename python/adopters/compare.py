"""How many answers of an emulator are wrong, before and after it asks eventrie.

usage: compare.py FILE-OR-DIRECTORY…
"""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import rows


def wrong(adopter: ModuleType, given: list[rows.Row]) -> tuple[Counter[str], list[tuple[rows.Row, str]]]:
    """The rows that are answered wrongly, by dialect, with what was answered."""
    count: Counter[str] = Counter()
    found: list[tuple[rows.Row, str]] = []
    for row in given:
        if row.dialect not in adopter.DIALECTS:
            continue
        try:
            answered = adopter.answer(row)
        except Exception as error:  # whatever the emulator raises is a wrong answer of it
            answered = f"{type(error).__name__}: {error}"
        if answered != row.expect:
            count[row.dialect] += 1
            found.append((row, answered))
    return count, found


def main(arguments: list[str]) -> int:
    given = rows.read([Path(argument) for argument in arguments])
    total = Counter(row.dialect for row in given)
    print("| adopter | dialect | rows | wrong before | wrong after |\n| --- | --- | --- | --- | --- |")
    left: list[Any] = []
    for name in ("with_moto", "with_ministack"):
        adopter = importlib.import_module(name)
        before, _ = wrong(adopter, given)
        adopter.patch()
        after, found = wrong(adopter, given)
        for dialect in adopter.DIALECTS:
            print(f"| {adopter.NAME} | {dialect} | {total[dialect]:,} | {before[dialect]:,} | {after[dialect]:,} |")
        left.extend((adopter.NAME, row, answered) for row, answered in found)
    for name, row, answered in left[:50]:
        print(f"{name}: {row.id}: expected {row.expect}, got {answered[:200]}", file=sys.stderr)
    return 0 if not left else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
