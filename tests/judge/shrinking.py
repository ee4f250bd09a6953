"""The smallest document that still shows a fault: keys, items, paragraphs and words are left out while it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from judge.documents import Document, closed, opened


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
    data, body = opened(document)
    for part in _without_parts(body) if body else ():
        yield closed(document.format, data, part)
    for some in _without(data):
        yield closed(document.format, some, body)


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
