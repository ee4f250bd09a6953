"""Bounds of time that hold on a slow or busy machine too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

_USUAL = 0.011  # seconds of the processor for the work below, on the machine that the bounds were taken on


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """That a block takes no more of the processor; on a machine that is so many times slower, so many times more.

    A bound in seconds alone fails where somebody else uses the machine.
    """
    start = process_time()
    yield
    taken = process_time() - start
    if taken >= seconds:
        assert taken < seconds * _seconds_of_work() / _USUAL, f"{taken:.2f} s"


def _seconds_of_work() -> float:
    """The shortest of some measurements: what disturbs one of them does not make the machine slow.

    The work makes no lists, whose garbage collection takes as long as what other tests left in memory.
    """
    times: list[float] = []
    for _ in range(5):
        start = process_time()
        sorted({str(number): number for number in range(40_000)}, key=lambda text: text[::-1])
        times.append(process_time() - start)
    return min(times)
