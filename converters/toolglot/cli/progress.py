"""How far a run is: a line on a terminal, and nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter

from toolglot.cli.terminal import has_status, show_status

_OFTEN = 0.1  # seconds between two states of a line


class ProgressLine:
    """One line that says how far a run is."""

    def __init__(self, quiet: bool) -> None:
        self._is_shown = not quiet and sys.stderr.isatty()
        self._last = 0.0
        self._began = time.monotonic()
        self._numbers: Counter[str] = Counter()

    def count(self, number: int, noun: str, total: int = 0) -> None:
        """So many more files or records.

        Args:
            total: how many there are, where that is known.
        """
        self._numbers[noun] += number
        done = self._numbers[noun]
        rate = done / max(time.monotonic() - self._began, 0.001)
        if total:
            self.show(f"{done:,}/{total:,} {noun}, {rate:,.0f} {noun}/s, {(total - done) / rate:,.0f} s left")
        else:
            self.show(f"{done:,} {noun}, {rate:,.0f} {noun}/s")

    def show(self, text: str) -> None:
        """Put something in the place of the line, unless that was done a moment ago and it is still there."""
        if self._is_shown and not (has_status() and time.monotonic() - self._last <= _OFTEN):
            show_status(text)
            self._last = time.monotonic()
