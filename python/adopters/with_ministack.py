"""MiniStack: its three matchers through their entry, and the same entry answered by eventrie."""

from __future__ import annotations

import functools
import json
from typing import Any

import eventrie
from ministack.services import eventbridge, lambda_svc, sns

from rows import Row

NAME = "MiniStack"
DIALECTS = ("eventbridge", "sns-attributes", "sns-body", "lambda-esm")


def answer(row: Row) -> str:
    """The answer of MiniStack to a row."""
    if row.dialect == "eventbridge":
        asked = {"EventPattern": row.pattern, "Event": json.dumps(row.event) if row.event else '{"id":""}'}
        status, _, body = _parts(eventbridge._test_event_pattern(asked))
        if status != 200:
            return "invalid"
        return "match" if json.loads(body)["Result"] else "no_match"
    try:
        return _other(row)
    except eventrie.PatternError:
        # MiniStack has no validation of its own for these; the service refuses the filter when it is created.
        return "invalid"


def _other(row: Row) -> str:
    if row.dialect == "lambda-esm":
        criteria = json.loads(row.pattern) if '"Filters"' in row.pattern else {"Filters": [{"Pattern": row.pattern}]}
        mapping = {"FilterCriteria": criteria, "EventSourceArn": f"arn:aws:{row.source}:us-east-1:1:x"}
        return "match" if lambda_svc._apply_filter_criteria([row.event], mapping) else "no_match"
    scope = "MessageAttributes" if row.dialect == "sns-attributes" else "MessageBody"
    subscription = {"attributes": {"FilterPolicy": row.pattern, "FilterPolicyScope": scope}}
    attributes = {
        name: {"DataType": given["Type"], "StringValue": given["Value"]} for name, given in (row.attributes or {}).items()
    }
    return "match" if sns._matches_filter_policy(subscription, attributes, json.dumps(row.event)) else "no_match"


def _parts(response: Any) -> tuple[int, Any, Any]:
    status, headers, body = response
    return status, headers, body


@functools.lru_cache(maxsize=1024)
def _subscription(text: str, dialect: str, source: str | None = None) -> eventrie.Subscription:
    return eventrie.Subscription(text, dialect, source=source, service_limits=True)


def _event_pattern_error(text: Any) -> str | None:
    if not text:
        return None
    try:
        _subscription(text, "eventbridge")
    except eventrie.PatternError as error:
        # MiniStack writes the beginning itself.
        return (error.service_message or str(error)).removeprefix("Event pattern is not valid. Reason: ")
    return None


def _matches_pattern_view(pattern: Any, view: Any, owner: str = "rule") -> bool:
    if not isinstance(pattern, str):
        return False
    try:
        return bool(_subscription(pattern, "eventbridge").evaluate(view.event_with_detail()))
    except eventrie.Error:
        return False


def _matches_filter_policy(subscription: dict[str, Any], attributes: dict[str, Any], message: str = "") -> bool:
    held = subscription.get("attributes", {})
    if not held.get("FilterPolicy"):
        return True
    dialect = "sns-body" if held.get("FilterPolicyScope") == "MessageBody" else "sns-attributes"
    return bool(_subscription(held["FilterPolicy"], dialect).evaluate(body=message, attributes=attributes))


def _apply_filter_criteria(records: list[dict[str, Any]], mapping: dict[str, Any]) -> list[dict[str, Any]]:
    criteria = mapping.get("FilterCriteria") or {}
    if not criteria.get("Filters"):
        return records
    text = json.dumps(criteria)
    return [record for record in records if _subscription(text, "lambda-esm", _source(record, mapping)).evaluate(record)]


def _source(record: dict[str, Any], mapping: dict[str, Any]) -> str:
    """The service that a record comes from: as the mapping says, or else as the record looks."""
    arn = mapping.get("EventSourceArn")
    if arn:
        service: str = arn.split(":")[2]
        return service
    return next((source for source in ("dynamodb", "kinesis") if source in record), "sqs")


def patch() -> None:
    """Answers MiniStack's entries by eventrie from now on."""
    eventbridge._event_pattern_error = _event_pattern_error
    eventbridge._matches_pattern_view = _matches_pattern_view
    sns._matches_filter_policy = _matches_filter_policy
    lambda_svc._apply_filter_criteria = _apply_filter_criteria
