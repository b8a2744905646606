"""An emulator's own tests, before and after it asks eventrie.

usage: own_tests.py with_moto DIRECTORY TEST…

DIRECTORY is the unpacked source distribution (`pip download --no-deps --no-binary :all: moto`), TEST a file or directory of tests
in it. The installed package must be of the same version; it is what is tested. Prints how many tests pass each time, and every
test whose outcome differs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent


def outcomes(directory: Path, tests: list[str], options: list[str]) -> dict[str, str]:
    """What became of each test."""
    with tempfile.TemporaryDirectory() as kept:
        report = Path(kept) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *options, *tests]
        environment = os.environ | {"PYTHONPATH": str(HERE)}
        done = subprocess.run(command, cwd=directory, env=environment, stdout=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stdout)
        cases = list(xml.parse(report).getroot().iter("testcase"))
    if not cases:
        sys.exit(f"no test ran: {done.stdout}")
    found = {}
    for case in cases:
        # Two cases can have one name: they are counted apart.
        name = f"{case.get('classname')}::{case.get('name')}"
        while name in found:
            name += "'"
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        found[name] = kinds[0] if kinds else "passed"
    return found


def main(arguments: list[str]) -> int:
    adopter, directory, tests = arguments[0], Path(arguments[1]), arguments[2:]
    name = adopter.removeprefix("with_")
    fixtures = ["-p", f"{name}_fixtures"] if (HERE / f"{name}_fixtures.py").exists() else []
    before = outcomes(directory, tests, fixtures)
    after = outcomes(directory, tests, [*fixtures, "-p", f"patched_{name}"])
    for when, found in (("before", before), ("after", after)):
        count = Counter(found.values())
        print(f"{when}: " + ", ".join(f"{count[kind]} {kind}" for kind in sorted(count)))
    different = [test for test in sorted(before | after) if before.get(test) != after.get(test)]
    for test in different:
        print(f"{test}: {before.get(test, 'absent')}, then {after.get(test, 'absent')}")
    broken = [test for test in different if after.get(test) != "passed"]
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
