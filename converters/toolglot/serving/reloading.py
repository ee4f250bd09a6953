"""What is loaded from files, and loaded anew when they change."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from toolglot.errors import Error

Loaded = TypeVar("Loaded")


class Reloading(Generic[Loaded]):
    """A value made of files. It is replaced as a whole, or stays as it is.

    Args:
        load: makes the value; raises `Error` where that is not possible.
        stamp: what differs when files were changed, such as their times and sizes.
        report: is told why a change was not taken over.

    Attributes:
        current: what holds now.

    Raises:
        Error: the value cannot be made at all.
    """

    def __init__(
        self, load: Callable[[], Loaded], stamp: Callable[[], Hashable], report: Callable[[Error], None]
    ) -> None:
        self._load = load
        self._stamp = stamp
        self._report = report
        self._loaded_stamp = stamp()  # before loading: what changes meanwhile is a change
        self._last_stamp = self._loaded_stamp
        self.current = load()

    def look(self) -> bool:
        """Look at the files; whether there is a new value.

        Files that still differ from one look to the next are being written. They are left alone until they rest.
        """
        stamp = self._stamp()
        rests, self._last_stamp = stamp == self._last_stamp, stamp
        if stamp == self._loaded_stamp or not rests:
            return False
        try:
            loaded = self._load()
        except Error as error:
            self._report(error)
            self._loaded_stamp = stamp  # said once; the next change is another try
            return False
        if self._stamp() != stamp:  # changed while it was read: it may be half of each
            return False
        self.current, self._loaded_stamp = loaded, stamp
        return True
