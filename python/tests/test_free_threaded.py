"""Free-threaded Python: eight threads on one matcher, without the global interpreter lock."""

import json
import subprocess
import sys
import sysconfig
import threading

import eventrie
import pytest

pytestmark = pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has the GIL; run by a free-threaded one such as 3.14t"
)

THREADS = 8
RULES = {f"rule {n}": {"detail": {"n": [n, {"numeric": [">", 1000 + n]}]}} for n in range(200)}


def together(*works):
    """Runs all at the same time; the first exception is raised."""
    failed, start = [], threading.Barrier(len(works))

    def run(work):
        start.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_the_module_leaves_the_lock_off():
    # In a process of its own: another module of this one may have turned it on.
    program = "import eventrie, sys; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_one_matcher():
    matcher = eventrie.Matcher(RULES)
    events = [{"detail": {"n": n}} for n in range(0, 1400, 7)]
    expected = [matcher.match(event) for event in events]
    assert any(expected) and not all(expected)
    texts = [json.dumps(event) for event in events]

    def work(given):
        for _ in range(20):
            assert [matcher.match(event) for event in given] == expected
            assert matcher.match_many(given) == expected
            assert [matcher.any(event) for event in given] == [bool(names) for names in expected]

    forms = [events, texts, [text.encode() for text in texts]]
    together(*[lambda form=forms[at % 3]: work(form) for at in range(THREADS)])


def test_a_mapping_that_changes_while_it_is_walked():
    matcher = eventrie.Matcher(RULES)
    event, stop = {"detail": {"n": 1}}, threading.Event()

    def change():
        for n in range(20_000):
            event["detail"][f"key {n % 50}"] = n
            event["detail"].pop(f"key {(n + 25) % 50}", None)
        stop.set()

    def read():
        while not stop.is_set():
            try:
                assert "rule 1" in matcher.match(event)
            except RuntimeError as error:
                # What Python itself raises where a dictionary changes under an iteration.
                assert "changed" in str(error)

    together(change, *[read] * (THREADS - 1))


def test_a_live_set_while_rules_change():
    rules = eventrie.LiveMatcher({"always": {"v": [{"exists": True}]}})
    stop = threading.Event()

    def change():
        for _ in range(500):
            rules.insert("sometimes", {"v": [1]})
            rules.remove("sometimes")
        stop.set()

    def read():
        while not stop.is_set():
            found = rules.match('{"v": 1}')
            assert "always" in found and set(found) <= {"always", "sometimes"}

    together(change, *[read] * (THREADS - 1))


def test_a_set_of_subscribers():
    subscribers = eventrie.SubscriptionSet(
        {f"over {n}": eventrie.Subscription.subscriber(data={"n": [{"numeric": [">", n]}]}) for n in range(10)}
    )

    def work():
        for n in range(1_000):
            assert len(subscribers.evaluate(data={"n": n % 12}).names) == min(n % 12, 10)

    together(*[work] * THREADS)
