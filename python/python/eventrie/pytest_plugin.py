"""Shows the whole explanation when a comparison with an ``Explanation`` fails, and provides the fixture ``eventrie_testing``.

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
    """Shows the text of the explanation in a failed comparison."""
    for side in (left, right):
        if isinstance(side, Explanation):
            return [f"{left!r} {op} {right!r}", *str(side).splitlines()]
    return None
