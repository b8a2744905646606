"""moto: its matchers through their public entry, and the same entry answered by eventrie."""

from __future__ import annotations

import functools
import json
from typing import Any

import eventrie
from moto.events.exceptions import InvalidEventPatternException
from moto.events.models import EventPattern, EventPatternParser
from moto.sns.exceptions import SNSInvalidParameter
from moto.sns.utils import FilterPolicyMatcher

from rows import Row

NAME = "moto"
DIALECTS = ("eventbridge", "sns-attributes", "sns-body")


def answer(row: Row) -> str:
    """The answer of moto to a row."""
    if row.dialect == "eventbridge":
        try:
            pattern = EventPattern.load(row.pattern)
        except InvalidEventPatternException:
            return "invalid"
        return "match" if pattern.matches_event(row.event) else "no_match"
    scope = "MessageAttributes" if row.dialect == "sns-attributes" else "MessageBody"
    try:
        matcher = FilterPolicyMatcher(json.loads(row.pattern), scope)
    except (ValueError, SNSInvalidParameter, FilterPolicyMatcher.CheckException):
        return "invalid"
    attributes = {
        name: {"data_type": given["Type"], "string_value": given["Value"]} for name, given in (row.attributes or {}).items()
    }
    moved = {name: {"Type": given["data_type"], "Value": given["string_value"]} for name, given in attributes.items()}
    return "match" if matcher.matches(moved, json.dumps(row.event)) else "no_match"


@functools.lru_cache(maxsize=1024)
def _pattern(text: str) -> eventrie.Pattern:
    return eventrie.Pattern(text, service_limits=True)


@functools.lru_cache(maxsize=1024)
def _policy(text: str, dialect: str) -> eventrie.Subscription:
    return eventrie.Subscription(text, dialect, service_limits=True)


def _parse(self: Any) -> dict[str, Any]:
    if not self.pattern:
        return {}
    try:
        _pattern(self.pattern)
    except eventrie.PatternError as error:
        raise InvalidEventPatternException(reason=_reason(error)) from None
    parsed: dict[str, Any] = json.loads(self.pattern)
    return parsed


def _reason(error: eventrie.PatternError) -> str:
    """The service's words as moto has them: without its own beginning, the parser's position, and what that says of syntax."""
    first = error.service_message.removeprefix("Event pattern is not valid. Reason: ").splitlines()[0]
    return "Invalid JSON" if error.findings[0].code == "E0001" else first


def _matches_event(self: Any, event: Any) -> bool:
    if not self._pattern:
        return True
    return _pattern(self._raw_pattern).matches(event)


def _init(self: Any, filter_policy: dict[str, Any], filter_policy_scope: str | None) -> None:
    self.filter_policy = filter_policy
    self.filter_policy_scope = filter_policy_scope or "MessageAttributes"
    if self.filter_policy_scope not in ("MessageAttributes", "MessageBody"):
        raise FilterPolicyMatcher.CheckException(f"Unsupported filter_policy_scope: {filter_policy_scope}")
    dialect = "sns-body" if self.filter_policy_scope == "MessageBody" else "sns-attributes"
    try:
        self.subscription = _policy(json.dumps(filter_policy), dialect) if filter_policy else None
    except eventrie.PatternError as error:
        reason = error.service_message.splitlines()[0]
        raise SNSInvalidParameter(reason) from None


def _matches(self: Any, message_attributes: dict[str, Any] | None, message: str) -> bool:
    if self.subscription is None:
        return True
    attributes = {
        name: {"Type": given.get("Type") or given.get("data_type"), "Value": str(given.get("Value") or given.get("string_value"))}
        for name, given in (message_attributes or {}).items()
    }
    outcome = self.subscription.evaluate(body=message, attributes=attributes)
    return bool(outcome.matched)


def patch() -> None:
    """Answers moto's entries by eventrie from now on."""
    EventPatternParser.parse = _parse
    EventPattern.matches_event = _matches_event
    FilterPolicyMatcher.__init__ = _init
    FilterPolicyMatcher.matches = _matches
