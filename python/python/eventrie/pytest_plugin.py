"""Shows an explanation where ``assert pattern.matches(event)`` or ``assert explanation`` fails, and offers a fixture.

The plugin is active wherever eventrie is installed; ``-p no:eventrie`` turns it off.
"""

from __future__ import annotations

from typing import Any

import pytest

from . import testing
from ._eventrie import Explanation


@pytest.fixture
def eventrie_testing() -> Any:
    """The module ``eventrie.testing``."""
    return testing


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Explains ``assert explanation == …`` and the like by the explanation's own text."""
    for side in (left, right):
        if isinstance(side, Explanation):
            return [f"{left!r} {op} {right!r}", *str(side).splitlines()]
    return None
