"""The processes of `workers.run`, and how they end.

A `multiprocessing.Pool` waits for ever when a worker is killed, by the system for its memory, say, or by a crash in
a parser. `ProcessPoolExecutor` notices; then everything that was under way is done again, one item at a time, so that
the one that kills its worker is known and the others lose nothing. Work must therefore bear being done twice.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice, takewhile
from multiprocessing import get_context, parent_process
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

from toolglot.signals import ENDING

T = TypeVar("T")
R = TypeVar("R")

_STOPS = [signal.SIGINT, *ENDING]
_GARBAGE = 10_000  # objects until a worker looks for garbage: as seldom as in a command, it would heap up for hours
_AHEAD = 4  # chunks a worker that may wait, so that memory stays bounded however many items there are


def run_in_processes(
    work: Callable[[T], R],
    items: Iterable[T],
    jobs: int,
    on_crash: Callable[[T], R],
    chunk: int,
    divide: Callable[[T], Sequence[T]],
) -> Generator[R, None, None]:
    """`work` of every item, in the order of the items, by processes; the arguments are as in `workers.run`."""
    waiting = iter(items)
    chunks = iter(lambda: list(islice(waiting, chunk)), [])
    under_way, futures = deque[list[T]](), deque[Future[list[R]]]()
    suspects = deque[T]()  # one of them may have killed a process: each is done while nothing else is under way
    is_ended = _context().RawValue("b", 0)  # it has no lock that a dead worker could hold
    pool = _pool(jobs, is_ended)
    try:
        while True:
            is_alone = bool(suspects)
            batches = iter([[suspects.popleft()]]) if is_alone else chunks
            try:
                for batch in islice(batches, jobs * _AHEAD - len(futures)):
                    under_way.append(batch)
                    futures.append(pool.submit(_work_chunk, work, batch))
                if not under_way:
                    return
                results = futures.popleft().result()
                under_way.popleft()
            except BrokenProcessPool:
                pool.shutdown(wait=True)
                pool = _pool(jobs, is_ended)
                lost = [item for batch in under_way for item in batch]
                under_way.clear()
                futures.clear()
                if is_alone:
                    [suspect] = lost
                    lost = [*divide(suspect)]
                    if len(lost) < 2:
                        yield on_crash(suspect)
                        continue
                suspects.extendleft(reversed(lost))
            else:
                yield from results
    except BaseException:  # Ctrl-C, or whoever takes the results has enough: nobody waits for the rest of a chunk
        # To kill the workers would be quicker, and half a message of theirs would let the pool wait for ever.
        is_ended.value = True
        raise
    finally:
        with _uninterrupted():
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Whoever presses Ctrl-C again is not heard meanwhile: for a pool half shut the interpreter waits for ever."""
    if current_thread() is not main_thread():  # no other thread is told of signals
        yield
        return
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in _STOPS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _work_chunk(work: Callable[[T], R], batch: list[T]) -> list[R]:
    """In a worker: the results of a chunk, or of its beginning where the run has ended meanwhile."""
    return [work(item) for item in takewhile(lambda item: not _WORKER["is_ended"].value, batch)]


def _context() -> Any:
    """How workers start: a fork has all imported already; elsewhere it is not safe, and a start takes 100 ms."""
    method = "fork" if sys.platform == "linux" else "spawn"
    return get_context(method)


def _pool(jobs: int, is_ended: Any) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, _context(), _begin, (is_ended,))


_WORKER: dict[str, Any] = {}  # in a worker: the flag that says whether its run has ended


def _begin(is_ended: Any) -> None:
    """In a worker: leave the keyboard to the parent, and end with it; the pool alone would wait for ever."""
    gc.freeze()  # to look for garbage among what the parent had would copy all of it, page by page
    gc.set_threshold(_GARBAGE)
    _WORKER["is_ended"] = is_ended
    for number in _STOPS:  # the parent cleans up; what `nohup` ignores stays ignored
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
