"""Results of calls as servers of the Model Context Protocol send them to their clients.

Facts: revisions 2025-06-18, 2025-11-25 and 2026-07-28, server/tools.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from toolglot.converter.formats.kit.call_results import compact_json, content_parts, failure_texts, to_plain_data
from toolglot.converter.hub.calls import Content, Image, ToolCall
from toolglot.converter.text.pointers import mapping_at

_OBJECTS_ONLY = frozenset({"2025-06-18", "2025-11-25"})  # revisions that structure no other results, and name no type
_RESERVED_LABELS = frozenset({"modelcontextprotocol", "mcp"})  # one of the first two, since some revisions say either
_RESERVED_KEYS = frozenset({"progressToken", "traceparent", "tracestate", "baggage"})


# No `ResultShape` has such a result: it is said twice, as blocks and as data, as far as a revision has the second. The
# response around it repeats the id.
def result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """The `result` of the JSON-RPC response to a call."""
    message: dict[str, Any] = {}
    if version not in _OBJECTS_ONLY:
        message["resultType"] = "complete"
    if isinstance(result, Content):
        return {**message, **_own_result(result, version)}
    if error is not None:
        return {**message, "content": failure_texts(error, result), "isError": True}
    message["content"] = [{"type": "text", "text": compact_json(result)}]
    if result is not None:
        message.update(_structured_content(result, version))
    return message


def _own_result(content: Content, version: str | None) -> dict[str, Any]:
    """A content as blocks; what a server said goes on as it said it, but for what it said to its client alone."""
    source = content.source or {}
    data = _structured_content(content.structured, version)
    message: dict[str, Any] = {}
    if data or source.get("structuredContent") is None:
        message["content"] = to_plain_data(source.get("content"))
    if not message.get("content"):  # among the parts stand also data that cannot go as such
        message["content"] = [_content_block(part) for part in content.parts or content_parts(content)]
    message.update(data)
    if content.failed:
        message["isError"] = True
    meta = {key: value for key, value in mapping_at(source, "_meta").items() if not _is_reserved(key)}
    if meta:
        message["_meta"] = to_plain_data(meta)
    return message


def _structured_content(result: Any, version: str | None) -> dict[str, Any]:
    """The result as data, where there are some and the revision has a place for such data."""
    if result is UNSET:
        return {}
    data = to_plain_data(result)
    if isinstance(data, dict) or version not in _OBJECTS_ONLY:
        return {"structuredContent": data}
    return {}


def _is_reserved(key: str) -> bool:
    """Whether the protocol gives a key of `_meta` its meaning, which is about one request between two programs.

    Facts: 2026-07-28, basic, `_meta`: the second label of a reserved prefix is the protocol's name.

    >>> [_is_reserved(key) for key in ("io.modelcontextprotocol/serverInfo", "progressToken", "example.com/mcp")]
    [True, True, False]
    """
    prefix, slash, _ = key.partition("/")
    if not slash:
        return key in _RESERVED_KEYS
    return not _RESERVED_LABELS.isdisjoint(prefix.split(".")[:2])


def _content_block(part: str | Image) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    return {"type": "image", "data": part.data, "mimeType": part.media_type}
