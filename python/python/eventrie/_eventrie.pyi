from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal

_Dialect = Literal[
    "eventbridge",
    "pipes",
    "lambda-esm",
    "sns-attributes",
    "sns-body",
    "eventsv2-data",
    "eventsv2-metadata",
    "eventsv2-system-metadata",
    "eventsv2-event-source",
]
_Source = Literal["sqs", "kinesis", "dynamodb", "kafka", "mq"]
_Event = str | bytes | bytearray | memoryview | Mapping[str, Any]
_Pattern = str | Mapping[str, Any] | Pattern

__version__: str

class Fix:
    title: str
    start: int
    end: int
    replacement: str
    safe: bool
    def apply(self, text: str) -> str: ...
    def __hash__(self) -> int: ...

class Finding:
    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    help: str | None
    start: int
    end: int
    line: int
    column: int
    label: str
    fix: Fix | None
    service: str | None
    file: str | None
    name: str | None
    def __hash__(self) -> int: ...

class Explanation:
    matched: bool
    summary: str
    help: str | None
    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __bool__(self) -> bool: ...

class Pattern:
    source: str
    dialect: str
    def __new__(
        cls,
        pattern: str | Mapping[str, Any],
        dialect: _Dialect | str = "eventbridge",
        *,
        service_limits: bool = False,
        strict: bool = False,
        sns_version: Literal["2024", "2026"] | None = None,
        limits: dict[str, int] | None = None,
    ) -> Pattern: ...
    def matches(self, event: _Event) -> bool: ...
    def explain(self, event: _Event) -> Explanation: ...
    def lint(self, *, notes: bool = False) -> list[Finding]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Matcher:
    keys: list[str]
    def __new__(
        cls,
        patterns: Mapping[str, _Pattern],
        dialect: _Dialect | str = "eventbridge",
        *,
        service_limits: bool = False,
        strict: bool = False,
        sns_version: Literal["2024", "2026"] | None = None,
        limits: dict[str, int] | None = None,
    ) -> Matcher: ...
    @classmethod
    def from_file(cls, path: str | PathLike[str], dialect: _Dialect | str = "eventbridge") -> Matcher: ...
    def match(self, event: _Event) -> list[str]: ...
    def any(self, event: _Event) -> bool: ...
    def match_many(self, events: Iterable[_Event]) -> list[list[str]]: ...
    def match_arrow(self, column: Any, *, on_error: Literal["raise", "null", "struct"] = "raise") -> Any: ...
    def explain(self, name: str, event: _Event) -> Explanation: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...

class LiveMatcher:
    def __new__(
        cls,
        patterns: Mapping[str, _Pattern] | None = None,
        dialect: _Dialect | str = "eventbridge",
        *,
        service_limits: bool = False,
        strict: bool = False,
        sns_version: Literal["2024", "2026"] | None = None,
        limits: dict[str, int] | None = None,
    ) -> LiveMatcher: ...
    def insert(self, name: str, pattern: _Pattern) -> None: ...
    def replace(self, name: str, pattern: _Pattern) -> None: ...
    def remove(self, name: str) -> bool: ...
    def replace_all(self, patterns: Mapping[str, _Pattern]) -> dict[str, list[str]]: ...
    def match(self, event: _Event) -> list[str]: ...
    def __len__(self) -> int: ...

class Outcome:
    matched: bool
    cause: str | None
    effect: str
    metric: str | None
    def __bool__(self) -> bool: ...

class SubscriptionReport:
    matched: bool
    summary: str
    event: str | None
    notes: list[str]
    explanations: list[tuple[int, Explanation]]
    unjudged: dict[int, str]

class Subscription:
    dialect: str
    patterns: list[str]
    def __new__(
        cls,
        pattern: str | Mapping[str, Any],
        dialect: _Dialect | str = "eventbridge",
        *,
        source: _Source | None = None,
        service_limits: bool = False,
        strict: bool = False,
        sns_version: Literal["2024", "2026"] | None = None,
        limits: dict[str, int] | None = None,
    ) -> Subscription: ...
    @classmethod
    def subscriber(
        cls,
        configuration: str | Mapping[str, Any] | None = None,
        *,
        data: _Pattern | None = None,
        metadata: _Pattern | None = None,
        system_metadata: _Pattern | None = None,
        unpublished: Mapping[str, str] | None = None,
        service_limits: bool = True,
    ) -> Subscription: ...
    def evaluate(
        self,
        event: _Event | None = None,
        *,
        body: str | Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        data: _Event | None = None,
        metadata: Mapping[str, str] | None = None,
        system_metadata: Mapping[str, str] | None = None,
    ) -> Outcome: ...
    def explain(
        self,
        event: _Event | None = None,
        *,
        body: str | Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        data: _Event | None = None,
        metadata: Mapping[str, str] | None = None,
        system_metadata: Mapping[str, str] | None = None,
    ) -> SubscriptionReport: ...

class Verdict(Outcome):
    names: list[str]
    undecided: list[str]
    fault: str | None

class SubscriptionSet:
    keys: list[str]
    def __new__(
        cls,
        subscriptions: Mapping[str, Subscription],
        *,
        unpublished: Mapping[str, str] | None = None,
        limits: dict[str, int] | None = None,
    ) -> SubscriptionSet: ...
    def evaluate(
        self,
        event: _Event | None = None,
        *,
        body: str | Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        data: _Event | None = None,
        metadata: Mapping[str, str] | None = None,
        system_metadata: Mapping[str, str] | None = None,
    ) -> Verdict: ...
    def explain(
        self,
        name: str,
        event: _Event | None = None,
        *,
        body: str | Mapping[str, Any] | None = None,
        attributes: Mapping[str, Any] | None = None,
        data: _Event | None = None,
        metadata: Mapping[str, str] | None = None,
        system_metadata: Mapping[str, str] | None = None,
    ) -> SubscriptionReport: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...

class ReadEvent:
    text: str
    line: int
    pointer: str
    envelopes: list[str]
    note: str | None
    refused: str | None
    bus: str | None

def read_events(
    events: str | bytes | bytearray | Mapping[str, Any] | PathLike[str],
    dialect: _Dialect | str = "eventbridge",
    *,
    source: _Source | None = None,
) -> list[ReadEvent]: ...
def check_file(path: str | PathLike[str], dialect: _Dialect | str = "eventbridge") -> list[Finding]: ...
def check_text(text: str, name: str = "pattern.json", dialect: _Dialect | str = "eventbridge") -> list[Finding]: ...
def explain_code(code: str) -> str: ...
def infer(events: Iterable[_Event], dialect: _Dialect | str = "eventbridge") -> str: ...
def run(arguments: list[str]) -> int: ...
