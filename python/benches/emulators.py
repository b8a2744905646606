"""One dictionary, one pattern: eventrie beside the matchers of moto and MiniStack.

usage: emulators.py     (in an environment with moto, ministack and eventrie)

Three events and patterns of ordinary size, a match and a mismatch each. The emulators get what their own code hands to their
matchers: a dictionary and a pattern that is already parsed, where they keep it parsed.
"""

from __future__ import annotations

import json
from typing import Any

import eventrie
from ministack.services import eventbridge
from moto.events.models import EventPattern
from turns import per_call, processor

EVENT: dict[str, Any] = {
    "version": "0",
    "id": "3ea7a8d2-31ad-4c4a-9f4e-0b6c4d1e0001",
    "detail-type": "EC2 Instance State-change Notification",
    "source": "aws.ec2",
    "account": "123456789012",
    "time": "2026-03-02T06:14:09Z",
    "region": "eu-central-1",
    "resources": ["arn:aws:ec2:eu-central-1:123456789012:instance/i-0aa1bb2cc3dd4ee51"],
    "detail": {
        "instance-id": "i-0aa1bb2cc3dd4ee51",
        "state": "stopped",
        "cost": 12.5,
        "tags": [{"key": "env", "value": "prod"}, {"key": "team", "value": "core"}],
    },
}

PATTERNS: dict[str, dict[str, Any]] = {
    "one value": {"source": ["aws.ec2"]},
    "three fields": {
        "source": ["aws.ec2"],
        "detail-type": ["EC2 Instance State-change Notification"],
        "detail": {"state": ["stopped", "terminated"]},
    },
    "operators": {
        "source": [{"prefix": "aws."}],
        "detail": {"state": [{"anything-but": ["pending"]}], "cost": [{"numeric": [">", 10, "<=", 20]}]},
    },
    "no match": {"source": ["aws.ec2"], "detail": {"state": ["running"]}},
}


def main() -> None:
    # MiniStack keeps an event as PutEvents got it.
    entry = {
        "Source": EVENT["source"],
        "DetailType": EVENT["detail-type"],
        "Detail": json.dumps(EVENT["detail"]),
        "Resources": EVENT["resources"],
        "Account": EVENT["account"],
        "Region": EVENT["region"],
        "Time": 1772432049,
        "EventId": EVENT["id"],
    }
    view = eventbridge._pattern_event_view(entry)
    text = json.dumps(EVENT)
    print(f"microseconds an event; {processor()}\n")
    print("| pattern | eventrie, dict | eventrie, text | moto | × | MiniStack | × |\n| --- | --- | --- | --- | --- | --- | --- |")
    for name, given in PATTERNS.items():
        pattern = eventrie.Pattern(given)
        moto = EventPattern.load(json.dumps(given))
        written = json.dumps(given)
        answers = (pattern.matches(EVENT), moto.matches_event(EVENT), eventbridge._matches_pattern_view(written, view))
        assert len(set(map(bool, answers))) == 1, (name, answers)
        rivals = {
            "dict": lambda: pattern.matches(EVENT),
            "text": lambda: pattern.matches(text),
            "moto": lambda: moto.matches_event(EVENT),
            "ministack": lambda: eventbridge._matches_pattern_view(written, view),
        }
        turns = [{rival: per_call(run) for rival, run in rivals.items()} for _ in range(5)]
        least = {rival: min(turn[rival] for turn in turns) * 1e6 for rival in rivals}
        ours = least["dict"]
        print(
            f"| {name} | {ours:.2f} | {least['text']:.2f} | {least['moto']:.2f} | {least['moto'] / ours:.1f} "
            f"| {least['ministack']:.2f} | {least['ministack'] / ours:.1f} |"
        )


if __name__ == "__main__":
    main()
