"""Which format a document has, by its content alone; the order of formats and the file's name play no part."""

from __future__ import annotations

from typing import Any

from toolglot import formats
from toolglot.errors import DetectionError
from toolglot.formats import Format
from toolglot.formats._lookalikes import recognise


def detect(data: Any, body: str | None, source: str | None) -> Format:
    """The one format whose `sniff` accepts the document.

    Raises:
        DetectionError: none does (the message names the document if it is a known one), or several do.
    """
    found = [found for name in formats.names() if (found := formats.get(name)).sniff(data, body)]
    if len(found) == 1:
        return found[0]
    if found:
        several = " and ".join(candidate.name for candidate in found)
        message = f"the document could be {several}; say which with --from"
        raise DetectionError(message, code="ambiguous-format", source=source)
    known = recognise(data, body)
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
