"""Match JSON events against Amazon EventBridge patterns and SNS, Pipes and Lambda filters, and explain every answer.

>>> import eventrie
>>> pattern = eventrie.Pattern({"detail": {"state": ["stopped"]}})
>>> print(pattern.explain({"detail": {"state": "Stopped"}}).matched)
False

Events are JSON text (``str`` or ``bytes``, which are not copied) or mappings, which are walked in place. A mapping has already
lost what only JSON text keeps: duplicate keys, and the spelling of numbers (``3.0e2`` has become ``300.0``).
"""

from ._errors import BuildError, ConfigurationError, ConfigurationFault, Error, EventError, LoadError, PatternError
from ._eventrie import (
    Explanation,
    Finding,
    Fix,
    LiveMatcher,
    Matcher,
    Outcome,
    Pattern,
    ReadEvent,
    Subscription,
    SubscriptionReport,
    SubscriptionSet,
    Verdict,
    __version__,
    check_file,
    check_text,
    explain_code,
    infer,
    read_events,
)

__all__ = [
    "BuildError",
    "ConfigurationError",
    "ConfigurationFault",
    "Error",
    "EventError",
    "Explanation",
    "Finding",
    "Fix",
    "LiveMatcher",
    "LoadError",
    "Matcher",
    "Outcome",
    "Pattern",
    "PatternError",
    "ReadEvent",
    "Subscription",
    "SubscriptionReport",
    "SubscriptionSet",
    "Verdict",
    "__version__",
    "check_file",
    "check_text",
    "explain_code",
    "infer",
    "read_events",
]
