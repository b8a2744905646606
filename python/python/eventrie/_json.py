"""Mappings as JSON text, where text is needed: for patterns, and for the places in an explanation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any


def dumps(value: Mapping[str, Any]) -> str:
    """The JSON text of a mapping, with nested mappings as objects and decimals as numbers."""
    plain = value if isinstance(value, dict) else dict(value)
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, default=_default)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has an escape in JSON, but no UTF-8.
        return json.dumps(plain, allow_nan=False, default=_default)
    return text


def _default(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(
        f"a value of type {type(value).__name__} has no JSON form; convert it to str, int, float, list or dict"
    )
