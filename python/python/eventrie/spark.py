"""Matching in Apache Spark: a column of JSON events in, a column of rule names out.

The matcher travels to the workers pickled, and each Python worker loads it once, for all its tasks. Rows move as Arrow
batches, so no row becomes a Python object. A row that cannot be read is null, with its error in a second column; it never
fails the job.
"""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ._eventrie import Matcher, Pattern

if TYPE_CHECKING:
    from pyspark.sql import Column

__all__ = ["event_matches", "matching_rules"]


# What this worker has loaded, oldest first. A worker that meets more sets, such as when rules change, forgets the oldest.
_loaded: dict[str, Matcher] = {}
_KEPT = 4


class _Sent:
    """A matcher that is on its way to the workers. Spark unpickles a function for every task."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher, self.name = matcher, uuid.uuid4().hex
        self.saved: bytes | None = None

    def __reduce__(self) -> tuple[Callable[[str, bytes], Matcher], tuple[str, bytes]]:
        if self.saved is None:
            self.saved = pickle.dumps(self.matcher)
        return _received, (self.name, self.saved)


def _received(name: str, saved: bytes) -> Matcher:
    matcher = _loaded.get(name)
    if matcher is None:
        matcher = _loaded[name] = pickle.loads(saved)
        while len(_loaded) > _KEPT:
            del _loaded[next(iter(_loaded))]
    return matcher


def matching_rules(matcher: Matcher) -> Callable[[Column], Column]:
    """A function from a string or binary column to a column of ``struct<rules: array<string>, error: string>``.

    ``rules`` has the names of the matching patterns. It is null if the event is null or cannot be read; for the latter,
    ``error`` says why.
    """
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    from pyspark.sql.pandas import functions

    # A worker gets a matcher here.
    sent: Any = _Sent(matcher)

    def rules(batches: Any) -> Any:
        for batch in batches:
            yield sent.match_arrow(batch, on_error="struct")

    # Spark derives the kind of function from its annotations.
    rules.__annotations__ = {"batches": Iterator[pa.Array], "return": Iterator[pa.Array]}
    # The overloads of PySpark do not accept a function without annotations.
    arrow_udf: Any = functions.arrow_udf
    function: Callable[[Column], Column] = arrow_udf(rules, "rules array<string>, error string")
    return function


def event_matches(pattern: Pattern) -> Callable[[Column], Column]:
    """A function from a string or binary column to a boolean column: whether ``pattern`` matches. Null if an event cannot be read."""
    matcher = Matcher({"pattern": pattern}, pattern.dialect)
    rules = matching_rules(matcher)

    def matches(column: Column) -> Column:
        from pyspark.sql.functions import size

        return size(rules(column)["rules"]) > 0

    return matches
