"""What is loaded from files, and loaded anew when they change: they are looked at while a server answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, Generic, TypeVar

import anyio

_SECONDS_BETWEEN_LOOKS, _SECONDS_AT_MOST = 1.0, 5.0
_SHARE = 20  # of the time; a look at thousands of files takes a tenth of a second

T = TypeVar("T")
Stamp = Mapping[str, Hashable]


class Reloading(Generic[T]):
    """A value made of files. It is replaced as a whole, or stays as it is.

    Args:
        load: makes the value; raises an exception where that is not possible.
        stamp: what differs when files were changed, such as their times and sizes. To load may bring new parts of it.
        report: is told why a change was not taken over.

    Attributes:
        current: what holds now.

    Raises:
        Exception: the value cannot be made at all.
    """

    def __init__(self, load: Callable[[], T], stamp: Callable[[], Stamp], report: Callable[[Exception], None]) -> None:
        self._load = load
        self._stamp = stamp
        self._report = report
        self._loaded_stamp = stamp()  # before loading: what changes meanwhile is a change
        self._last_stamp = self._loaded_stamp
        self._fault = ""
        self.current = load()
        self._loaded_stamp = {**stamp(), **self._loaded_stamp}

    def look(self) -> bool:
        """Look at the files; whether there is a new value.

        Files that still differ from one look to the next are being written. They are left alone until they rest. What
        cannot be loaded is tried again at each look, and reported when it fails for another reason than before.
        """
        try:
            is_new = self._take_over()
        except Exception as error:  # whatever it is: to end here would end the server for everybody
            if str(error) != self._fault:
                self._report(error)
            self._fault = str(error)
            return False
        self._fault = ""
        return is_new

    def _take_over(self) -> bool:
        stamp = self._stamp()
        rests, self._last_stamp = stamp == self._last_stamp, stamp
        if stamp == self._loaded_stamp or not rests:
            return False
        value = self._load()
        new_stamp = self._stamp()
        if any(new_stamp[part] != stamp[part] for part in new_stamp.keys() & stamp.keys()):
            return False  # changed while it was read: it may be half of each
        self.current, self._loaded_stamp = value, new_stamp
        return True


async def keep_looking(reloading: Reloading[Any], tell: Callable[[], Awaitable[None]] | None = None) -> None:
    """Look at the files beside the loop, until somebody cancels it; `tell` is called when there is a new value."""
    pause = _SECONDS_BETWEEN_LOOKS
    while True:
        await anyio.sleep(pause)
        start = anyio.current_time()
        is_new = await anyio.to_thread.run_sync(reloading.look)
        took = anyio.current_time() - start
        # Under load a look waits for its turn; without an end the files would be looked at once a minute then.
        pause = min(max(_SECONDS_BETWEEN_LOOKS, _SHARE * took), _SECONDS_AT_MOST)
        if is_new and tell is not None:
            await tell()
