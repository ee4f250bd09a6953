"""The processes of `workers.run`, and how they end.

A `multiprocessing.Pool` waits for ever when a worker is killed, by the system for its memory, say, or by a crash in
a parser. `ProcessPoolExecutor` notices; then everything that was under way is done again, one item a process, so that
the one that kills its worker is known and the others lose nothing. Work must therefore bear being done twice.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
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
    work: Callable[[T], R], items: Iterable[T], jobs: int, on_crash: Callable[[T], Iterable[R]], chunk: int
) -> Generator[R, None, None]:
    """`work` of every item, in the order of the items, by processes; the arguments are as in `workers.run`.

    Args:
        on_crash: the results that stand for an item whose worker died.
    """
    waiting = iter(items)
    under_way: deque[tuple[list[T], Future[list[R]]]] = deque()
    is_ended = _shared_flag()
    pool = _pool(jobs, is_ended)
    try:
        while True:
            try:
                while len(under_way) < jobs * _AHEAD:
                    batch = list(islice(waiting, chunk))
                    if not batch:
                        break
                    under_way.append((batch, _submit(pool, work, batch)))
                if not under_way:
                    return
                results = under_way[0][1].result()
            except BrokenProcessPool:
                pool.shutdown(wait=True)
                pool = _pool(jobs, is_ended)
                for batch, future in list(under_way):
                    yield from _save_chunk(work, batch, future, on_crash)
                under_way.clear()
            else:
                under_way.popleft()
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


def _submit(pool: ProcessPoolExecutor, work: Callable[[T], R], batch: list[T]) -> Future[list[R]]:
    """The future of a chunk; one that has failed already where the pool was found to be broken."""
    try:
        return pool.submit(_work_chunk, work, batch)
    except BrokenProcessPool as error:
        failed_future: Future[list[R]] = Future()
        failed_future.set_exception(error)
        return failed_future


def _work_chunk(work: Callable[[T], R], batch: list[T]) -> list[R]:
    """In a worker: the results of a chunk, or of its beginning where the run has ended meanwhile."""
    return [work(item) for item in takewhile(lambda item: not _WORKER["is_ended"].value, batch)]


def _save_chunk(
    work: Callable[[T], R], batch: list[T], future: Future[list[R]], on_crash: Callable[[T], Iterable[R]]
) -> Iterator[R]:
    """The results of a chunk that was under way when a worker died."""
    if future.done() and not future.cancelled() and future.exception() is None:
        yield from future.result()
        return
    is_ended = _shared_flag()  # these items go one by one, so that nothing has to be cut short
    pool = _pool(1, is_ended)
    try:
        for item in batch:
            try:
                results: Iterable[R] = _submit(pool, work, [item]).result()
            except BrokenProcessPool:
                pool.shutdown(wait=True)
                pool = _pool(1, is_ended)
                results = on_crash(item)
            yield from results
    finally:
        pool.shutdown(wait=True)


def _shared_flag() -> Any:
    """A `value` that is false until the parent says otherwise. It has no lock that a dead worker could hold."""
    return _context().RawValue("b", 0)


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
