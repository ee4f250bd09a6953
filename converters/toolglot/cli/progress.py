"""How far a run is: a bar or a line on a terminal, and nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from toolglot.cli.terminal import escape_controls, print_message


class ProgressBar:
    """How far a run is; lines for people do not run into the bar."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._began = time.monotonic()
        self._number = 0

    def advance(self) -> None:
        """One more file."""
        self._number += 1
        if self._bar is not None:
            self._bar.update(1, _rate(self._number, "files", self._began))

    def print_message(self, text: str) -> None:
        """One line on stderr."""
        if self._bar is not None:
            click.echo("\r\x1b[2K", err=True, nl=False)  # the bar is drawn again with the next file
        print_message(text)


@contextmanager
def show_progress(number: int, is_wanted: bool) -> Iterator[ProgressBar]:
    """Count `number` files: position, rate and remaining time, if that is wanted and stderr is a terminal."""
    if not is_wanted or number < 2 or not sys.stderr.isatty():
        yield ProgressBar(None)
        return
    with click.progressbar(
        length=number, file=sys.stderr, show_pos=True, item_show_func=lambda rate: rate, update_min_steps=20
    ) as bar:
        yield ProgressBar(bar)


def _rate(number: int, noun: str, began: float) -> str:
    return f"{number / max(time.monotonic() - began, 0.001):,.0f} {noun}/s"


_OFTEN = 0.1  # seconds between two states of a line


class ProgressLine:
    """One line that says how far a run is, where nobody knows how much there is to do."""

    def __init__(self, quiet: bool) -> None:
        self._is_shown = not quiet and sys.stderr.isatty()
        self._last = 0.0
        self._is_there = False
        self._began = time.monotonic()
        self._number = 0

    def count(self, number: int) -> None:
        """So many more records."""
        self._number += number
        self.show(f"{self._number:,} records, {_rate(self._number, 'records', self._began)}")

    def show(self, text: str) -> None:
        """Put something in the place of the line, unless that was done a moment ago."""
        if self._is_shown and time.monotonic() - self._last > _OFTEN:
            self.clear()
            print(escape_controls(text), end="", file=sys.stderr, flush=True)
            self._last, self._is_there = time.monotonic(), True

    def clear(self) -> None:
        """Make room for other lines; what is shown next is shown at once."""
        self._last = 0.0
        if self._is_there:
            self._is_there = False
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)
