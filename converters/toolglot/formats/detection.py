"""Which format a document has, by its content alone; the order of formats and the file's name play no part."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import Any

from toolglot import formats
from toolglot.errors import DetectionError
from toolglot.formats import Format, Manifest
from toolglot.formats.lookalikes import recognise


def detect(data: Any, body: str | None, source: str | None) -> Format:
    """The one format whose `sniff` accepts the document.

    Raises:
        DetectionError: none does (the message names the document if it is a known one), or several do.
    """
    found = [found for name in formats.names() if (found := formats.get(name)).sniff(data, body)]
    if len(found) == 1:
        _check_name(found[0], data, source)
        return found[0]
    if found:
        several = " and ".join(candidate.name for candidate in found)
        message = f"the document could be {several}; say which with --from"
        raise DetectionError(message, code="ambiguous-format", source=source)
    known = recognise(data, body, source)
    if known is not None:
        raise DetectionError(f"this is {known.name}; {known.advice}", code="foreign-format", source=source)
    if body is not None:
        keys = ", ".join(list(data)[:5]) if isinstance(data, dict) else ""
        message = (
            f"the front matter ({keys}) is that of no tool format; name the format with --from to see what it lacks"
        )
    else:
        message = "the document has the marks of no tool format; name the format with --from to see what it lacks"
    raise DetectionError(message, code="unknown-format", source=source)


def _check_name(found: Format, data: Any, source: str | None) -> None:
    """Refuse a document that only its name could make one of this format, and that is called something else."""
    if source is None or source.startswith("<") or not found.by_name(data):
        return  # a text without a name is what it looks like
    name = os.path.basename(source)
    if not any(fnmatchcase(name, pattern) or name.endswith(f".{pattern}") for pattern in found.patterns):
        message = (
            f"it looks like {found.title}, but nothing says so: call it {found.patterns[0]}, add a `schema` line, or "
            "name the format with --from"
        )
        raise DetectionError(message, code="unknown-format", source=source)


def manifest(data: Any, body: str | None, source: str | None) -> Manifest | None:
    """How a document is checked that is no tool description but stands beside some; `None` for every other."""
    known = recognise(data, body, source) if body is not None else None
    return known.manifest if known is not None else None
