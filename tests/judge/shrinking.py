"""The smallest document that still shows a fault: keys, items, paragraphs and words are left out while it does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from judge.documents import Document


def shrink(document: Document, shows: Callable[[Document], bool], tries: int = 150) -> Document:
    """A smaller document for which `shows` is still true."""
    while True:
        for smaller in _smaller(document):
            tries -= 1
            if tries < 0:
                return document
            if shows(smaller):
                document = smaller
                break
        else:
            return document


def _smaller(document: Document) -> Iterator[Document]:
    text = document.content.decode().replace("\r\n", "\n")
    if document.format == "aip14":
        front, _, body = text.removeprefix("---\n").partition("\n---\n")
        data = yaml.safe_load(front)
        for part in _without_parts(body) if body else ():
            yield Document(document.format, _tool_md(data, part))
        for some in _without(data):
            yield Document(document.format, _tool_md(some, body))
        return
    try:
        data = json.loads(text)
    except ValueError:
        data = yaml.safe_load(text)
    for some in _without(data):
        yield Document(document.format, json.dumps(some, ensure_ascii=False).encode())


def _tool_md(data: Any, body: str) -> bytes:
    return f"---\n{yaml.safe_dump(data, allow_unicode=True, sort_keys=False)}---\n{body}".encode()


def _without(data: Any) -> Iterator[Any]:
    """The data with one thing less, at any depth; whole branches first."""
    if isinstance(data, dict):
        for key in reversed(data):
            yield {other: value for other, value in data.items() if other != key}
        for key, value in data.items():
            for less in _without(value):
                yield {**data, key: less}
    elif isinstance(data, list):
        for index in range(len(data)):
            yield data[:index] + data[index + 1 :]
        for index, value in enumerate(data):
            for less in _without(value):
                yield [*data[:index], less, *data[index + 1 :]]
    elif isinstance(data, str):
        yield from _without_parts(data)


def _without_parts(text: str) -> Iterator[str]:
    """The text without one of its paragraphs, lines, flags or words; brackets stay closed."""
    for parts in (
        re.split(r"(\n+)", text),
        re.split(r"( \| |; )", text),
        re.findall(r"\[[^\]]*\]|[^\s\[]+|\s+|\[", text),
    ):
        if len(parts) > 1:
            for index in range(len(parts)):
                yield "".join(parts[:index] + parts[index + 1 :])
