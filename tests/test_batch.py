"""Work over several processes: order, crashes, and what becomes of the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rows import for_each
from systems import needs_proc, needs_signals
from toolglot.verbs.streams import workers
from untyped import untyped


def double(item: int) -> int:
    return 2 * item


def double_or_die(item: int) -> int:
    if item < 0:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows both end a process at once
    return 2 * item


def lost(item: int) -> int:
    return -1_000_000 + item


@for_each("jobs", [1, 3])
@for_each("number", [0, 1, 16, 17, 200])
def test_results_come_in_the_order_of_the_items(jobs: int, number: int) -> None:
    assert list(workers.run(double, range(number), jobs, lost)) == [2 * item for item in range(number)]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 1000), max_size=60), st.sets(st.integers(0, 59), max_size=4), st.integers(1, 20))
def test_a_dead_worker_costs_the_item_that_killed_it(items: list[int], bad: set[int], chunk: int) -> None:
    expected = [2 * item for item in items]
    for index in bad & set(range(len(items))):
        items[index] = -1 - items[index]
        expected[index] = lost(items[index])
    assert list(workers.run(double_or_die, items, 2, lost, chunk)) == expected


def test_items_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    results = workers.run(double, endless(), 2, lost, chunk=1)
    assert [next(results) for _ in range(3)] == [2, 4, 6]
    assert taken <= 3 + 2 * 4
    results.close()


def test_an_exception_ends_the_run() -> None:
    with pytest.raises(TypeError):
        list(workers.run(double, [untyped(None)], 2, lost))


PARENT = """
import os, sys, time
from toolglot.verbs.streams import workers

def slow(item):
    os.write(1, f"{os.getpid()}\\n".encode())  # at once: two of them share the pipe
    time.sleep(60)

list(workers.run(slow, range(4), 2, print, chunk=1))
"""


@needs_proc
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = {int(parent.stdout.readline()) for _ in range(2)}
        parent.kill()
    deadline = time.monotonic() + 40
    while any(Path(f"/proc/{worker}").exists() and not _is_zombie(worker) for worker in workers):
        assert time.monotonic() < deadline, "a worker outlived its parent"
        time.sleep(0.05)


def _is_zombie(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def slow(item: int) -> int:
    time.sleep(0.25)
    return item


def slow_and_enough(item: int) -> int:
    """As `slow`; the fourth item ends the run, when both workers have long begun on the slowest machine."""
    if item == 4:
        os.kill(os.getppid(), signal.SIGUSR1)
    return slow(item)


LONG_CHUNK = 80  # items, which take 20 s


class _Enough(BaseException):
    pass


@needs_signals
def test_a_run_that_is_ended_waits_for_no_chunk() -> None:
    """What the rest of a chunk gives is wanted by nobody any more."""

    def enough(number: int, frame: object) -> None:
        raise _Enough

    before = signal.signal(signal.SIGUSR1, enough)
    started = time.monotonic()
    try:
        with pytest.raises(_Enough):
            list(workers.run(slow_and_enough, range(320), 2, lost, LONG_CHUNK))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() - started < 15  # a chunk takes 20


def test_whoever_has_enough_results_waits_for_no_chunk() -> None:
    results = workers.run(slow, range(64), 2, lost, chunk=1)
    assert next(results) == 0
    rest = workers.run(slow, range(320), 2, lost, LONG_CHUNK)
    started = time.monotonic()
    results.close()
    rest.close()
    assert time.monotonic() - started < 15  # a chunk takes 20


def test_a_second_ctrl_c_leaves_no_pool_half_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter would wait for its workers for ever, or print a traceback at the third."""
    shut_down = ProcessPoolExecutor.shutdown
    presses = 0

    def press_and_shut_down(pool: ProcessPoolExecutor, **options: bool) -> None:
        nonlocal presses
        presses += 1
        signal.raise_signal(signal.SIGINT)  # here, and by no clock: too late it would end the tests themselves
        shut_down(pool, **options)

    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", press_and_shut_down)
    results = workers.run(double, range(64), 2, lost, chunk=1)
    next(results)
    try:
        results.close()
    except KeyboardInterrupt:
        pytest.fail("the pool was interrupted while it shut down")
    assert presses == 1
    assert not active_children()
