"""Match JSON events against Amazon EventBridge patterns and SNS, Pipes and Lambda filters, and explain every answer.

>>> import eventrie
>>> pattern = eventrie.Pattern({"detail": {"state": ["stopped"]}})
>>> print(pattern.explain({"detail": {"state": "Stopped"}}).matched)
False

Events are JSON text (``str`` or ``bytes``, which are not copied) or mappings. A mapping is walked as it is; what JSON text
has and a mapping has not is lost there: duplicate keys, and the spelling of numbers (``3.0e2`` is ``300.0``).
"""

from ._errors import BuildError, Error, EventError, LoadError, PatternError
from ._eventrie import (
    Explanation,
    Finding,
    Fix,
    LiveMatcher,
    Matcher,
    Outcome,
    Pattern,
    Subscription,
    SubscriptionReport,
    __version__,
    check_file,
    check_text,
    explain_code,
    infer,
)

__all__ = [
    "BuildError",
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
    "Subscription",
    "SubscriptionReport",
    "__version__",
    "check_file",
    "check_text",
    "explain_code",
    "infer",
]
