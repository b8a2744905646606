"""Assertions, and the pytest plugin."""

import pytest
from eventrie.testing import assert_matches, assert_no_match

pytest_plugins = ["pytester"]


def test_what_holds_passes():
    assert_matches({"a": [1]}, {"a": 1})
    assert_no_match({"a": [1]}, '{"a": 2}')


def test_the_explanation_is_the_message():
    with pytest.raises(AssertionError, match='`a` is "B"'):
        assert_matches({"a": ["b"]}, {"a": "B"})
    with pytest.raises(AssertionError, match="matches the event, and should not"):
        assert_no_match({"a": ["b"]}, {"a": "b"})


def test_pytest_shows_it(pytester):
    pytester.makepyfile(
        """
        from eventrie.testing import assert_matches

        def test_rule(eventrie_testing):
            assert eventrie_testing.assert_matches is assert_matches
            assert_matches({"detail": {"state": ["stopped"]}}, {"detail": {"state": "Stopped"}})
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no match: `detail.state` is *Stopped*"])
