"""The console script ``eventrie``: the command line itself."""

from __future__ import annotations

import signal
import sys

from ._eventrie import run


def main() -> int:
    """Runs the command line with the arguments of the process."""
    # Python's own handler would wait until the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["eventrie", *sys.argv[1:]])
