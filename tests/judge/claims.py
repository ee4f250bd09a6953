"""A document without its claims: what a stranger says to look harmless, which no reader may believe.

Those are the harmless hints of MCP, READ-ONLY in a text, tags such as `safe`, what toolglot keeps for itself in a
record, and a mark of what was supposed, together with the values that it names.
"""

from __future__ import annotations

import re
from typing import Any

from judge import aip14
from judge.documents import Document, closed, opened

_HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
_SAFE_TAGS = frozenset({"safe", "read-only"})
_READ_ONLY = re.compile(r"\s*\|?\s*\N{LOCK}\ufe0f? ?READ-ONLY\b")


def without_claims(document: Document) -> Document:
    """The same document without what it claims."""
    data, body = opened(document)
    if document.format == "aip14":
        data = aip14.without_mark(data, body or "")
    return closed(document.format, _without(data), _silenced(body) if body is not None else None)


def is_ours(key: str) -> bool:
    """Whether a key is one under which toolglot keeps what is its own, in a record or beside the records."""
    return "toolglot" in key


def _without(data: Any) -> Any:
    if isinstance(data, dict):
        return {
            key: _without(value)
            for key, value in data.items()
            if not (key in _HINTS and value is _HINTS[key])
            if not (is_ours(key) and isinstance(value, dict | list))
        }
    if isinstance(data, list):
        return [_without(item) for item in data if not (isinstance(item, str) and item in _SAFE_TAGS)]
    return _silenced(data) if isinstance(data, str) else data


def _silenced(text: str) -> str:
    return _READ_ONLY.sub("", text)
