"""The content of a result of the Model Context Protocol, for a model; a block that it cannot be shown is named."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from toolglot.converter.formats.kit.call_results import compact_json
from toolglot.converter.formats.kit.calls import (
    wire,
    word_at,
)
from toolglot.converter.formats.kit.request_templates import is_json, is_text
from toolglot.converter.hub.calls import Content, Image
from toolglot.converter.schema.json_values import are_equal
from toolglot.converter.text.pointers import mapping_at
from toolglot.converter.text.wording import data_of_text

_MARKS = frozenset({"structuredContent", "isError", "resultType"})  # what only a result of the protocol has

_KEYS = _MARKS | {"content", "_meta"}


def content_of_result(result: Any) -> Content | None:
    """The content of a result of `tools/call`, from a server or as a client's `CallToolResult`; `None` for other data.

    Results of other tools may have a `content` too, and nothing of them may get lost. So every block needs the keys
    that the protocol requires of its type, and data without blocks needs a key that only MCP's results have.
    """
    answer = wire(result)
    if not isinstance(answer, dict) or not answer.keys() <= _KEYS or not isinstance(answer.get("content"), list):
        return None
    blocks = answer["content"]
    if not all(map(_is_block, blocks)):
        return None
    if not blocks and result is answer and answer.keys().isdisjoint(_MARKS):
        return None
    parts = tuple(_PARTS[block["type"]](block) for block in blocks)
    structured = answer.get("structuredContent", UNSET)
    if structured is None:  # a client's object has `None` where there is no data
        structured = UNSET
    texts = [part for part in parts if isinstance(part, str)]
    if structured is not UNSET and not _say_the_same(texts, structured):
        parts = (*(part for part in parts if part), compact_json(structured))
    return Content(parts, answer.get("isError") is True, structured, source=answer)


def _say_the_same(texts: list[str], data: Any) -> bool:
    """Whether a text is the data, or its JSON, so that a model that reads the texts knows all data.

    Structured data are an object, so servers put a text or a list under a key; its name says little beside the tool's.
    Those made with Python's SDK put each item of a list in its own text. A model would read every file twice.

    >>> _say_the_same(['{"n": 1}'], {"n": 1}), _say_the_same(["a", "2"], {"result": ["a", 2]})
    (True, True)
    >>> _say_the_same(["2 issues listed"], {"issues": [7, 9]})
    False
    """
    if any(_is_said(text, data) for text in texts):
        return True
    if isinstance(data, dict) and len(data) == 1:
        return _say_the_same(texts, *data.values())
    return isinstance(data, list) and 0 < len(data) == len(texts) and all(map(_is_said, texts, data))


def _is_said(text: str, data: Any) -> bool:
    return text == data or are_equal(data_of_text(text), data)


def _is_block(block: Any) -> bool:
    if not isinstance(block, dict) or word_at(block, "type") not in _PARTS:
        return False
    return all(isinstance(block.get(key), kind) for key, kind in _REQUIRED[block["type"]].items())


def _image_part(block: dict[str, Any]) -> str | Image:
    return _image(block.get("mimeType"), block.get("data")) or _unseen_part(block)


def _resource_part(block: dict[str, Any]) -> str | Image:
    resource = mapping_at(block, "resource")
    text, media_type, data = (word_at(resource, key) for key in ("text", "mimeType", "blob"))
    image = None
    if media_type.startswith("image/"):
        image = _image(media_type, data)
    elif is_text(media_type) or is_json(media_type):
        text = text or _decoded(data)
    return text or image or _unseen_part({**block, **resource}, "cannot be passed on" if data else "is empty")


def _decoded(data: str) -> str:
    """The text in base64 data; empty where there is none, or where its encoding is not UTF-8."""
    try:
        return base64.b64decode(data).decode("utf-8-sig")
    except ValueError:
        return ""


# First bytes of a file -> media type, for the images that providers accept.
_SIGNATURES = (
    (b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"), (b"RIFF", "image/webp"),
)  # fmt: skip


def _image(media_type: Any, data: Any) -> Image | None:
    """An image with the type that its first bytes show, else with the stated one; `None` if the data is no base64.

    A provider refuses the whole request if the type is wrong or the data is no base64.

    >>> _image("image/png", "/9j/4AAQ").media_type, _image("image/png", "!")
    ('image/jpeg', None)
    """
    if not isinstance(media_type, str) or not isinstance(data, str):
        return None
    data = "".join(data.split())
    try:
        content = base64.b64decode(data, validate=True)
    except ValueError:
        return None
    shown = next((name for signature, name in _SIGNATURES if content.startswith(signature)), media_type)
    return Image(shown, data)


def _link_part(block: dict[str, Any]) -> str:
    title = word_at(block, "title") or word_at(block, "name")
    words = (title, word_at(block, "uri"), word_at(block, "description"))
    return ": ".join(filter(None, words))


def _unseen_part(block: dict[str, Any], problem: str = "cannot be passed on") -> str:
    """A text that names a block that a model cannot be shown."""
    words = [word_at(block, key) for key in ("type", "mimeType", "uri")]
    about = ", ".join(filter(None, words))
    return f"({about}, which {problem})"


_PARTS: dict[str, Callable[[dict[str, Any]], str | Image]] = {
    "text": lambda block: word_at(block, "text"),
    "image": _image_part,
    "audio": _unseen_part,
    "resource": _resource_part,
    "resource_link": _link_part,
}

_REQUIRED: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "image": {"data": str, "mimeType": str},
    "audio": {"data": str, "mimeType": str},
    "resource": {"resource": dict},
    "resource_link": {"name": str, "uri": str},
}
