"""The examples in docstrings run, and what the package exports is documented and typed."""

import doctest
import importlib
import re
from pathlib import Path

import eventrie
import pytest

STUB = Path(eventrie.__file__).with_name("_eventrie.pyi").read_text()
NAMES = [name for name in eventrie.__all__ if name != "__version__"]
COMPILED = [name for name in NAMES if getattr(eventrie, name).__module__ != "eventrie._errors"]
EXAMPLES = doctest.DocTestFinder(recurse=False)


def members(name):
    exported = getattr(eventrie, name)
    yield name, exported
    if isinstance(exported, type):
        yield from ((f"{name}.{member}", getattr(exported, member)) for member in vars(exported) if member[0] != "_")


@pytest.mark.parametrize("name", NAMES)
def test_exports(name):
    for place, member in members(name):
        assert place.startswith("ConfigurationFault.") or (member.__doc__ or "").strip(), f"{place} has no docstring"
        for example in EXAMPLES.find(member, place, module=False, globs={"eventrie": eventrie}):
            report = []
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
            runner.run(example, out=report.append)
            assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("name", ["eventrie", "eventrie.testing", "eventrie._errors", "eventrie._json"])
def test_modules(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


def test_the_examples_of_classes_are_found():
    with_examples = [name for name in eventrie.__all__ if ">>>" in (getattr(eventrie, name).__doc__ or "")]
    assert {"Matcher", "Pattern", "Subscription", "SubscriptionSet", "LiveMatcher", "read_events"} <= set(with_examples)


def test_the_stub_has_every_member():
    assert len(COMPILED) > 10
    for name in COMPILED:
        for place, _ in members(name):
            member = place.rpartition(".")[2]
            assert re.search(rf"\b(def |class )?{member}\b", STUB), f"{place} has no type"


def test_the_code_of_the_page():
    page = Path(__file__).parents[2] / "docs" / "pages" / "start" / "python.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(blocks) == 2
    space = {}
    for block in blocks:
        exec(block, space)
    space["handler"]({"Records": [{"body": '{"detail": {"state": "stopped"}}'}]}, None)
