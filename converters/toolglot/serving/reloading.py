"""What is loaded from files, and loaded anew when they change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Reloading(Generic[T]):
    """A value made of files. It is replaced as a whole, or stays as it is.

    Args:
        load: makes the value; raises an exception where that is not possible.
        stamp: what differs when files were changed, such as their times and sizes.
        report: is told why a change was not taken over.

    Attributes:
        current: what holds now.

    Raises:
        Exception: the value cannot be made at all.
    """

    def __init__(
        self, load: Callable[[], T], stamp: Callable[[], Hashable], report: Callable[[Exception], None]
    ) -> None:
        self._load = load
        self._stamp = stamp
        self._report = report
        self._loaded_stamp = stamp()  # before loading: what changes meanwhile is a change
        self._last_stamp = self._loaded_stamp
        self._fault = ""
        self.current = load()

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
        if self._stamp() != stamp:  # changed while it was read: it may be half of each
            return False
        self.current, self._loaded_stamp = value, stamp
        return True
