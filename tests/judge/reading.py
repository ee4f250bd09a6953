"""Bytes to statements: the containers of every format, as their specifications have them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from judge import aip14, atip, descriptor, hub, mcp, openapi, textual, usage
from judge.statements import Statement


class _Core(yaml.SafeLoader):
    """YAML 1.2 core scalars: no `yes`, no dates."""


_Core.yaml_implicit_resolvers = {}
for _char, _resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items():
    _Core.yaml_implicit_resolvers[_char] = [one for one in _resolvers if not one[0].endswith((":timestamp", ":bool"))]
_Core.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"(?:true|false|True|False|TRUE|FALSE)\Z"), list("tTfF")
)
_FRONT = re.compile(r"\A(?:\ufeff)?---[ \t]*\r?\n(.*?\r?\n)---[ \t]*(?:\r?\n|\Z)", re.S)


def read(format: str, content: bytes | str) -> list[Statement]:
    """What a document of a format states about each of its tools, in order."""
    if isinstance(content, bytes):
        content = content.decode("utf-8-sig")
    return (_READERS | _ONLY_READ)[format](content)


def _tool_md(text: str) -> list[Statement]:
    front = _FRONT.match(text)
    if front is None:
        raise ValueError("no front matter")
    return aip14.read(yaml.load(front[1], _Core), text[front.end() :])


def _skill_md(text: str) -> list[Statement]:
    front = _FRONT.match(text)
    if front is None:
        raise ValueError("no front matter")
    return [textual.skill(yaml.load(front[1], _Core), text[front.end() :])]


def _list(one: Callable[[dict[str, Any]], Statement]) -> Callable[[str], list[Statement]]:
    def read_all(text: str) -> list[Statement]:
        return [one(record) for record in _records(_data(text))]

    return read_all


def _trees(text: str) -> list[Statement]:
    return [found for record in _records(_data(text)) for found in hub.read(record)]


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return yaml.load(text, _Core)


def _records(data: Any) -> Iterator[dict[str, Any]]:
    if isinstance(data, dict):
        for key in ("tools", "skills", "functionDeclarations", "function_declarations"):
            inner = data.get(key)
            if isinstance(inner, list) and all(
                isinstance(item, dict) for item in inner
            ):  # no words, as a tool may have
                for item in inner:
                    yield from _records(item)
                return
        yield data
        return
    for item in data:
        if isinstance(item, dict):
            yield from _records(item)


_READERS: dict[str, Callable[[str], list[Statement]]] = {
    "atip": lambda text: atip.read(_data(text)),
    "aip14": _tool_md,
    "tool-descriptor": _list(descriptor.read),
    "mcp": _list(mcp.read),
    "atdf": _list(textual.atdf),
    "openai": _list(textual.function),
    "anthropic": _list(textual.function),
    "gemini": _list(textual.function),
    "a2a": _list(textual.skill),
    "skill": _skill_md,
    "hub": _trees,
}
_ONLY_READ: dict[str, Callable[[str], list[Statement]]] = {  # sources, and targets of nothing
    "usage": usage.read,
    "openapi": lambda text: openapi.read(_data(text)),
}
FORMATS = tuple(_READERS)
