"""Results of calls as servers of the Model Context Protocol send them to their clients.

Source: revisions 2025-06-18, 2025-11-25 and 2026-07-28, server/tools.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from toolglot.converter.formats.kit.call_results import compact_json, content_parts, failure_texts, to_plain_data
from toolglot.converter.hub.calls import Content, Image, ToolCall
from toolglot.converter.text.pointers import mapping_at

_OBJECTS_ONLY = frozenset({"2025-06-18", "2025-11-25"})  # `structuredContent` is an object there; no `resultType`
_RESERVED_LABELS = frozenset({"modelcontextprotocol", "mcp"})  # first or second label: the revisions differ about it
_RESERVED_KEYS = frozenset({"progressToken", "traceparent", "tracestate", "baggage"})


# `ResultShape` cannot describe such a result: it is written twice, as blocks and, if the revision allows it, as data.
# The response around it repeats the id.
def result_message(call: ToolCall, result: Any, error: str | None, version: str | None) -> dict[str, Any]:
    """The `result` of the JSON-RPC response to a call."""
    message: dict[str, Any] = {}
    if version not in _OBJECTS_ONLY:
        message["resultType"] = "complete"
    if isinstance(result, Content):
        return {**message, **_content_result(result, version)}
    if error is not None:
        return {**message, "content": failure_texts(error, result), "isError": True}
    message["content"] = [{"type": "text", "text": compact_json(result)}]
    if result is not None:
        message.update(_structured_content(result, version))
    return message


def _content_result(content: Content, version: str | None) -> dict[str, Any]:
    """The result for a content. What a server answered goes on unchanged, but for what concerns only its client."""
    source = content.source or {}
    data = _structured_content(content.structured, version)
    message: dict[str, Any] = {}
    if data or source.get("structuredContent") is None:
        message["content"] = to_plain_data(source.get("content"))
    if not message.get("content"):  # the parts include, as JSON, data that the revision cannot have as data
        message["content"] = [_content_block(part) for part in content.parts or content_parts(content)]
    message.update(data)
    if content.failed:
        message["isError"] = True
    meta = {key: value for key, value in mapping_at(source, "_meta").items() if not _is_reserved(key)}
    if meta:
        message["_meta"] = to_plain_data(meta)
    return message


def _structured_content(result: Any, version: str | None) -> dict[str, Any]:
    """The result as data; empty if there are none, or if the revision has no place for data of this type."""
    if result is UNSET:
        return {}
    data = to_plain_data(result)
    if isinstance(data, dict) or version not in _OBJECTS_ONLY:
        return {"structuredContent": data}
    return {}


def _is_reserved(key: str) -> bool:
    """Whether the protocol reserves a key of `_meta`; such keys concern one request between two programs.

    Source: 2026-07-28, basic, `_meta`: the second label of a reserved prefix is the protocol's name.

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
