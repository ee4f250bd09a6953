"""From the paths on the command line to documents whose format is known."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from toolglot.cli.terminal import counted, say
from toolglot.errors import DetectionError, Error, LimitError, ParseError, ReadError

if TYPE_CHECKING:
    from toolglot.files import Found
    from toolglot.formats import Format
    from toolglot.text import Document, Limits


class Asked(NamedTuple):
    """What the user said about sources."""

    paths: tuple[str, ...]
    format: str | None
    max_size: int | None
    stdin_filename: str | None
    quiet: bool
    verbose: bool


class Opened(NamedTuple):
    """A source that was parsed and has a format."""

    found: Found
    document: Document
    format: Format


def open_all(asked: Asked) -> Iterator[Opened | Error]:
    """Every source in the order given, or why it is none; one bad source does not stop the rest."""
    from toolglot import files, formats

    patterns = [pattern for name in formats.names() for pattern in formats.get(name).patterns]
    empty = True
    unparsed = 0
    for found in files.find(asked.paths, patterns):
        try:
            yield _open(found, asked)
            empty = False
        except Error as error:
            if not found.named and _is_no_tool(error, found):
                unparsed += isinstance(error, ParseError) and not found.path.endswith(".md")
                if asked.verbose:
                    say(f"{found.path}: passed over: {error.message}")
                continue
            empty = False
            yield error
    if unparsed and not (asked.verbose or asked.quiet):
        # One of them may be a tool with a missing comma, which nobody should lose without a word.
        say(f"{counted(unparsed, 'file')} passed over because nothing could be parsed; -v says which")
    if empty:
        yield ReadError("no tool description was found", code="no-sources", source=" ".join(asked.paths))


def _open(found: Found, asked: Asked) -> Opened:
    from toolglot import detection, files, formats, reading, text

    limits = text.Limits(max_bytes=asked.max_size) if asked.max_size else text.DEFAULT_LIMITS
    try:
        if found.path == files.STDIN:
            document = text.load(_stdin(limits), asked.stdin_filename or "<stdin>", limits)
        else:
            from pathlib import Path

            document = reading.open_document(Path(found.path), _name(found.path), limits)
    except LimitError as error:
        if error.code == "too-large":  # the library speaks of its own parameter
            error.message = f"larger than {limits.max_bytes} bytes; split the document, or raise --max-size"
        raise
    named = formats.get(asked.format.partition("@")[0]) if asked.format else None
    if named is not None and (found.named or found.claimed):
        return Opened(found, document, named)
    try:
        detected = detection.detect(document.data, document.body, document.name)
    except ReadError as error:
        raise reading.at(document, error) from None
    if named not in (None, detected):
        raise DetectionError(f"this is {detected.name}", code="other-format", source=document.name)
    return Opened(found, document, detected)


def _stdin(limits: Limits) -> bytes:
    return sys.stdin.buffer.read(limits.max_bytes + 1)


def _name(path: str) -> str:
    """The path for messages and reports: names that are not UTF-8 would be half characters in JSON."""
    return os.fsencode(path).decode("utf-8", "replace")


def _is_no_tool(error: Error, found: Found) -> bool:
    """Whether a file of a folder is simply something else: a README.md, a package.json."""
    if found.claimed:
        return False
    return isinstance(error, ParseError) or (isinstance(error, DetectionError) and error.code != "ambiguous-format")
