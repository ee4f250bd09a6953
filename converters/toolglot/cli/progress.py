"""A progress bar on a terminal, and nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from toolglot.cli.terminal import say


class Seen:
    """How far a run is; lines for people do not run into the bar."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._began = time.monotonic()
        self._number = 0

    def one(self) -> None:
        """One more file."""
        self._number += 1
        if self._bar is not None:
            self._bar.update(1, f"{self._number / max(time.monotonic() - self._began, 0.001):,.0f} files/s")

    def say(self, text: str) -> None:
        """One line on stderr."""
        if self._bar is not None:
            click.echo("\r\x1b[2K", err=True, nl=False)  # the bar is drawn again with the next file
        say(text)


@contextmanager
def watched(number: int, quiet: bool) -> Iterator[Seen]:
    """Count `number` files: position, rate and remaining time, if stderr is a terminal and nobody asked for quiet."""
    if quiet or number < 2 or not sys.stderr.isatty():
        yield Seen(None)
        return
    with click.progressbar(
        length=number, file=sys.stderr, show_pos=True, item_show_func=lambda rate: rate, update_min_steps=20
    ) as bar:
        yield Seen(bar)
