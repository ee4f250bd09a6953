"""The two streams: data for programs on stdout, everything for people on stderr."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO, TextIO

import click

from toolglot.converter.text.terminal_characters import escape_raw
from toolglot.errors import escape_unseen, without_middles


def align_columns(rows: Sequence[Sequence[str]], has_numbers: bool = False) -> str:
    """A line for each row, with the cells of each column below each other.

    Args:
        has_numbers: whether all columns but the first hold numbers, which end below each other.

    >>> align_columns([("name", "reads"), ("a", "1")])
    'name  reads\\na     1\\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    justify = str.rjust if has_numbers else str.ljust
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *map(justify, row[1:], widths[1:])]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def write_utf_8() -> None:
    """Write UTF-8 with LF wherever nobody looks on, as results are; Windows would take its code page and CR LF."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


_status: list[str] = []
"""The line on stderr that says how far a run is, if there is one; whatever is printed takes it away first."""


def has_status() -> bool:
    """Whether a line says how far the run is."""
    return bool(_status)


def show_status(text: str) -> None:
    """Say on stderr, which is a terminal, how far the run is; it may hold anything."""
    remove_status()
    _status.append(escape_unseen(text))
    print(*_status, end="", file=sys.stderr, flush=True)


def remove_status() -> None:
    """Make room for other lines."""
    if _status:
        _status.clear()
        print("\r\x1b[2K", end="", file=sys.stderr, flush=True)


def print_message(text: str) -> None:
    """One line for people; the text may hold anything."""
    print_lines(escape_unseen(text).split("\n"))


def print_messages(items: Iterable[object]) -> None:
    """A line for each of these."""
    for item in items:
        print_message(str(item))


def print_lines(lines: Iterable[str]) -> None:
    """Lines for people that are clean already and may be coloured; where they are kept the disk may be full."""
    for line in lines:
        remove_status()
        try:
            click.echo(without_middles(line), err=True, color=is_coloured())
        except BrokenPipeError:
            raise
        except OSError:
            pass  # the work goes on, and the exit code says how it went


class _EscapedLines(io.BytesIO):
    """What is written to it goes to the terminal line by line, escaped."""

    def write(self, data: Any) -> int:
        remove_status()
        *lines, rest = bytes(data).split(b"\n")
        for line in lines:
            sys.stdout.buffer.write(escape_raw((self.getvalue() + line).decode("utf-8", "replace") + "\n").encode())
            self.seek(0)
            self.truncate()
        super().write(rest)
        return len(data)


def result_stream() -> BinaryIO:
    """Where the lines of a result go that is too long to be held."""
    return _EscapedLines() if sys.stdout.isatty() else sys.stdout.buffer


def print_result(text: str, is_clean: bool = False) -> None:
    """The result, in UTF-8 whatever the terminal's encoding, with line ends as they are.

    JSON goes with escapes in the place of characters that a terminal acts on; other text only where it goes to one,
    because there alone nobody reads it back.

    Args:
        is_clean: whether such characters are ours, as colours are.
    """
    if not is_clean and (text[:1] in ("{", "[") or sys.stdout.isatty()):
        text = escape_raw(text)
    remove_status()
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def is_coloured(stream: TextIO | None = None) -> bool:
    """Whether a stream, by default stderr, is a terminal whose owner does not mind colour (https://no-color.org)."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and (stream or sys.stderr).isatty()


def colour_text(text: str, **style: Any) -> str:
    """`text` in colour, where colour is wanted."""
    return click.style(text, **style) if is_coloured() else text
