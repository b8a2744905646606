"""The exceptions of eventrie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._eventrie import Finding


class Error(ValueError):
    """The base class of all exceptions of eventrie."""


class PatternError(Error):
    """A pattern is invalid. ``str()`` shows every finding with its place."""

    def __init__(
        self,
        message: str,
        findings: list[Finding] | None = None,
        service_message: str = "",
        name: str | None = None,
    ) -> None:
        super().__init__(message)
        #: Every problem in the pattern, in the order of its text.
        self.findings = findings or []
        #: The error as the service words it.
        self.service_message = service_message
        #: The pattern's name, if it has one.
        self.name = name


class ConfigurationFault(NamedTuple):
    """One fault in the filters of a subscriber."""

    #: The position of the filter, from 0; None if the fault is in the configuration as a whole.
    filter: int | None
    #: What is wrong, as readable text.
    message: str
    #: The error as the service words it; None where its wording is not documented.
    service_message: str | None
    #: The findings in the filter's pattern, with places in the text of that pattern.
    findings: list[Finding]


class ConfigurationError(Error):
    """The service would reject the filters of a subscriber. ``str()`` shows every fault."""

    def __init__(
        self,
        message: str,
        faults: Sequence[tuple[int | None, str, str | None, list[Finding]]] = (),
        service_message: str | None = None,
    ) -> None:
        super().__init__(message)
        #: Every fault, in the order of the text.
        self.faults = [ConfigurationFault(*fault) for fault in faults]
        #: The error as the service words it; None where its wording is not documented.
        self.service_message = service_message


class EventError(Error):
    """An event cannot be read: it is not JSON, is not an object, or exceeds a limit."""

    def __init__(
        self, message: str, offset: int | None = None, limit: str | None = None, index: int | None = None
    ) -> None:
        super().__init__(message)
        #: The byte offset at which the event is malformed.
        self.offset = offset
        #: The name of the limit that was exceeded.
        self.limit = limit
        #: The position of the event among several, from 0.
        self.index = index


class BuildError(Error):
    """The patterns cannot be compiled together because a limit was exceeded."""

    def __init__(self, message: str, limit: str | None = None) -> None:
        super().__init__(message)
        #: The name of the limit that was exceeded.
        self.limit = limit


class LoadError(Error):
    """The bytes are not a saved matcher, or one of an unsupported version."""
