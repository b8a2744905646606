"""Processor time of rivals that take turns, and the processor's name."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable


def spent() -> float:
    """Processor seconds of this process and of the programs that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def best(rivals: dict[str, Callable[[], object]], turns: int) -> dict[str, float]:
    """The least processor seconds of each; all take a turn before any takes the next, so other work meets all alike."""
    least: dict[str, float] = {}
    for _ in range(turns):
        for name, run in rivals.items():
            before = spent()
            kept = run()
            seconds = spent() - before
            # What a run returns is freed after it is timed, as a program frees its own by ending.
            del kept
            least[name] = min(least.get(name, seconds), seconds)
    return least


def per_call(run: Callable[[], object], least: float = 0.2) -> float:
    """Seconds of one call, from as many calls as take `least` seconds."""
    count = 1
    while True:
        started = time.process_time()
        for _ in range(count):
            run()
        seconds = time.process_time() - started
        if seconds >= least:
            return seconds / count
        count *= 4


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            lines = [line.split(":", 1)[1].strip() for line in file if line.startswith(("model name", "flags"))]
    except OSError:
        import platform

        return platform.processor() or platform.machine()
    shown = [flag for flag in ("avx2", "avx512bw", "avx512_vbmi2") if flag in lines[1].split()]
    return f"{lines[0]}, {os.cpu_count()} threads, {' '.join(shown)}"
