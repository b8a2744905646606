"""The exceptions of eventrie."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._eventrie import Finding


class Error(ValueError):
    """What every exception of eventrie is."""


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
        #: Every problem in the pattern, in the order of the text.
        self.findings = findings or []
        #: The text of the refusal as the service words it.
        self.service_message = service_message
        #: The pattern's name, where it has one.
        self.name = name


class EventError(Error):
    """An event cannot be read: it is not JSON, not an object, or beyond a limit."""

    def __init__(
        self, message: str, offset: int | None = None, limit: str | None = None, index: int | None = None
    ) -> None:
        super().__init__(message)
        #: The byte at which the event is malformed.
        self.offset = offset
        #: The name of the limit that was reached.
        self.limit = limit
        #: Which event it was, where there were several.
        self.index = index


class BuildError(Error):
    """Patterns cannot be compiled together: a limit was reached."""

    def __init__(self, message: str, limit: str | None = None) -> None:
        super().__init__(message)
        #: The name of the limit that was reached.
        self.limit = limit


class LoadError(Error):
    """The bytes are not a saved matcher, or one of another version."""
