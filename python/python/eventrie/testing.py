"""Assertions for tests of patterns; the message of a failure is the explanation.

>>> from eventrie.testing import assert_matches
>>> assert_matches({"source": ["shop"]}, {"source": "shop"})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._eventrie import Explanation, Pattern

__all__ = ["assert_matches", "assert_no_match"]

__tracebackhide__ = True


def assert_matches(
    pattern: str | Mapping[str, Any] | Pattern,
    event: str | bytes | Mapping[str, Any],
    dialect: str = "eventbridge",
) -> None:
    """Fails unless the pattern matches the event; the message explains why it does not."""
    __tracebackhide__ = True
    explanation = _explain(pattern, event, dialect)
    if not explanation.matched:
        raise AssertionError(f"the pattern does not match the event\n{explanation}")


def assert_no_match(
    pattern: str | Mapping[str, Any] | Pattern,
    event: str | bytes | Mapping[str, Any],
    dialect: str = "eventbridge",
) -> None:
    """Fails if the pattern matches the event; the message explains what matches."""
    __tracebackhide__ = True
    explanation = _explain(pattern, event, dialect)
    if explanation.matched:
        raise AssertionError(f"the pattern matches the event, and should not\n{explanation}")


def _explain(
    pattern: str | Mapping[str, Any] | Pattern, event: str | bytes | Mapping[str, Any], dialect: str
) -> Explanation:
    parsed = pattern if isinstance(pattern, Pattern) else Pattern(pattern, dialect)
    return parsed.explain(event)
