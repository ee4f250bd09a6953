"""What identifiers and references mean: URIs, their fragments, and the way of a JSON Pointer through schemas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container
from typing import Any
from urllib.parse import urljoin

from toolglot.schema.keywords import MANY, NAMED, ONE, is_schema

MAX_URI = 2_000  # characters; relative identifiers inside one another could grow without end


def join(base: str, ref: str) -> str | None:
    """A URI that a reference stands for, or `None` where it is not one or longer than 2,000 characters.

    >>> join("https://example.com/a/b", "c")
    'https://example.com/a/c'
    """
    try:
        address = urljoin(base, ref)
    except ValueError:
        return None
    return address if len(address) <= MAX_URI else None


def split_reference(base: str, ref: str) -> tuple[str | None, str]:
    """The URI of the document that a reference means, `None` where it has none, and the fragment as it is written.

    >>> split_reference("urn:a:b", "#c")
    ('urn:a:b', 'c')
    """
    uri, _, fragment = ref.partition("#")
    return join(base, uri) if uri else base, fragment


def find_free_name(name: str, taken: Container[str], numbers: Counter[str]) -> str:
    """A name for a definition: the one that it should have, or that with the next number where it is taken.

    Args:
        numbers: how many numbers of each name were tried, so that the thousandth of a name does not try them again.

    >>> find_free_name("a", {"a", "a_2"}, Counter())
    'a_3'
    """
    free_name = name
    while free_name in taken:
        numbers[name] += 1
        free_name = f"{name}_{numbers[name] + 1}"
    return free_name


def descend(node: Any, tokens: list[str]) -> Any:
    """The schema at a pointer, by way of schemas alone; `None` where there is none."""
    position = 0
    while position < len(tokens):
        if not isinstance(node, dict):
            return None
        keyword = tokens[position]
        if keyword == "definitions" and keyword not in node:
            keyword = "$defs"  # as it was called before 2019-09
        inner = node.get(keyword)
        position += 1
        if keyword not in ONE:
            if position == len(tokens):
                return None
            token = tokens[position]
            position += 1
            if keyword in NAMED and isinstance(inner, dict):
                inner = inner.get(token)
            elif keyword in MANY and isinstance(inner, list) and re.fullmatch("0|[1-9][0-9]{0,8}", token):
                inner = inner[int(token)] if int(token) < len(inner) else None
            else:
                return None
        if not is_schema(inner):
            return None
        node = inner
    return node
