"""Which format a document has: by its content, and by the name of its file where a format asks for that."""

from __future__ import annotations

import os
from typing import Any

from toolglot import formats
from toolglot.errors import DetectionError
from toolglot.formats import Format, Manifest
from toolglot.formats.lookalikes import recognise


def detect(data: Any, body: str | None, source: str | None) -> Format:
    """The one format whose `sniff` accepts the document, whatever the order of the formats is.

    Raises:
        DetectionError: none does (the message names the document if it is a known one), or several do.
    """
    file_name = _file_name(source)
    candidates = [found for found in map(formats.get, formats.names()) if found.sniff(data, body, file_name)]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        several = " and ".join(candidate.name for candidate in candidates)
        message = f"the document could be {several}; say which with --from"
        raise DetectionError(message, code="ambiguous-format", source=source)
    known = recognise(data, body, file_name)
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


def _file_name(source: str | None) -> str:
    """The bare name of the file that a document is from; empty for a text, such as `<stdin>`."""
    if source is None or source.startswith("<"):
        return ""
    return os.path.basename(source)


def manifest(data: Any, body: str | None, source: str | None) -> Manifest | None:
    """How a document is checked that is no tool description but stands beside some; `None` for every other."""
    known = recognise(data, body, _file_name(source)) if body is not None else None
    return known.manifest if known is not None else None
