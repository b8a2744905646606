"""Rules for cfn-lint that check every event pattern, filter policy and filter in a template.

usage: cfn-lint --append-rules examples/cfn_lint --include-checks I -- template.yaml

eventrie finds the patterns in the template's text, so every finding has its place in the file. What is known only when the
template is deployed (``!Sub``, ``!Ref``) is left alone. Copy this file, or import its classes from a package of your own.
"""

from __future__ import annotations

from collections.abc import Iterator

import eventrie
from cfnlint.rules import CloudFormationLintRule, RuleMatch
from cfnlint.template import Template


class EventPatternError(CloudFormationLintRule):
    """Patterns that the service refuses."""

    id = "E9010"
    shortdesc = "Event patterns and filters are valid"
    description = "EventBridge, SNS, Pipes and Lambda refuse an invalid pattern, some only when the template is deployed"
    source_url = "https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html"
    tags = ["resources", "events", "sns", "lambda"]
    severity_of_finding = "error"

    def match(self, cfn: Template) -> list[RuleMatch]:
        """The findings of this rule's severity."""
        return list(_matches(cfn.filename, self.severity_of_finding))


class EventPatternWarning(EventPatternError):
    """Patterns that are valid but probably do not do what was intended."""

    id = "W9010"
    shortdesc = "Event patterns and filters do what was intended"
    description = "A valid pattern may match nothing, or more than intended"
    severity_of_finding = "warning"


class EventPatternNote(EventPatternError):
    """What is worth knowing about a valid pattern."""

    id = "I9010"
    shortdesc = "Notes on event patterns and filters"
    description = "What a valid pattern matches that readers may not expect"
    severity_of_finding = "note"


def _matches(name: str, severity: str) -> Iterator[RuleMatch]:
    with open(name, encoding="utf-8") as file:
        text = file.read()
    try:
        findings = eventrie.check_text(text, name)
    except ValueError:
        # cfn-lint reports a template that cannot be read, and one without patterns has nothing to check.
        return
    for finding in findings:
        if finding.severity == severity:
            end = text.count("\n", 0, finding.end), finding.end - text.rfind("\n", 0, finding.end) - 1
            message = f"{finding.message} [{finding.code}]" + (f"; {finding.help}" if finding.help else "")
            # cfn-lint counts these from 0.
            yield RuleMatch([], message, location=(finding.line - 1, finding.column - 1, *end))
