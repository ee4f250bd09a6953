"""Many items over several processes: results in the order of the items, and a dead worker costs one item."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeVar

from toolglot.errors import ReadError

T = TypeVar("T")
R = TypeVar("R")

CHUNK = 16  # items that travel together: a file takes about as long as sending one to a worker and back


def default_jobs() -> int:
    """As many workers as cores that this process may use; at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))  # a container may have fewer than the machine
    return os.cpu_count() or 1


def death() -> ReadError:
    """What is said of a file, a part of one, or a record that killed its process."""
    return ReadError("the process that read it was killed or ran out of memory; look at it alone", "worker-died")


def whole(item: T) -> Sequence[T]:
    """An item that cannot be divided."""
    return [item]


def run(
    work: Callable[[T], R],
    items: Iterable[T],
    jobs: int,
    on_crash: Callable[[T], R],
    chunk: int = CHUNK,
    divide: Callable[[T], Sequence[T]] = whole,
) -> Generator[R, None, None]:
    """`work` of every item, in the order of the items, however many processes there are.

    Args:
        work: a function that can be pickled, and that returns its failures instead of raising them. Should it raise
            after all, the exception ends the run.
        items: taken lazily, a bounded number ahead of the results.
        jobs: number of worker processes; 1 works in this process, where nothing can be caught that kills it.
        on_crash: what stands for an item whose worker died; called in this process.
        chunk: items that are sent to a worker at a time.
        divide: the parts of an item, each of which cannot be divided. Of one that kills its process, each part is
            worked on instead, to lose the guilty one and no other. An item without parts is its only one.

    >>> list(run(abs, [-1, 2, -3], jobs=1, on_crash=lambda item: 0))
    [1, 2, 3]
    """
    if jobs <= 1:
        yield from map(work, items)
        return
    from toolglot.verbs.streams.process_pool import run_in_processes  # 13 ms that one process does without

    yield from run_in_processes(work, items, jobs, on_crash, chunk, divide)
