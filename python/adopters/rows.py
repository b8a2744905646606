"""Reads vectors: one pattern, one event, one expected answer each."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Row:
    """One vector."""

    id: str
    dialect: str
    pattern: str
    event: dict[str, Any]
    expect: str
    source: str | None
    attributes: dict[str, Any] | None
    version: str | None


class _Lost(Exception):
    """A dictionary does not represent what the text says."""


def read(paths: list[Path]) -> list[Row]:
    """All rows of the files and directories that have one pattern and an event that a dictionary can represent."""
    rows = []
    for path in paths:
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.suffix in (".json", ".jsonl", ".gz"):
                rows.extend(row for given in _given(file) if (row := _row(given)) is not None)
    return rows


def _given(file: Path) -> Iterator[dict[str, Any]]:
    text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
    if text.lstrip().startswith("["):
        yield from json.loads(text)
    else:
        for line in text.splitlines():
            if line.strip():
                yield json.loads(line)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Lost
    return found


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value) or Decimal(repr(value)) != Decimal(text):
        raise _Lost
    return value


def _row(given: dict[str, Any]) -> Row | None:
    if "pattern" not in given or given["expect"] not in ("match", "no_match", "invalid"):
        return None
    pattern, event = given["pattern"], given.get("event")
    if isinstance(event, str):
        try:
            event = json.loads(event, object_pairs_hook=_pairs, parse_float=_float)
        except (ValueError, _Lost, RecursionError):
            return None
    if event is None:
        event = {}
    if not isinstance(event, dict):
        return None
    return Row(
        id=given.get("id", ""),
        dialect=given["dialect"],
        pattern=pattern if isinstance(pattern, str) else json.dumps(pattern),
        event=event,
        expect=given["expect"],
        source=given.get("source"),
        attributes=given.get("attributes"),
        version=given.get("version"),
    )
