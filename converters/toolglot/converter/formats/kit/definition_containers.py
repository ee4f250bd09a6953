"""The containers of the function definitions of model providers.

Real files wrap definitions in many ways: in a list, in a request with `tools`, in a map by name, or in a data set with
one question on each line. All of these are taken apart. A document without a known container is a definition itself.

The keys of all providers stand here together, because files mix them: the provider of a document shows only after its
definitions were found. Keys in the folder of each provider would have to be collected here again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

from toolglot.converter.formats import NO_CONTAINER, Container, Record, in_namespace
from toolglot.converter.formats.kit.key_order import rename
from toolglot.converter.text.pointers import is_mappings, pointer_below

_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
_HOLDERS = dict.fromkeys((
    "tools", "functions", "function", "functionDeclarations", "function_declarations",
    "available_tools", "answer_generation",  # as ToolBench has them
))  # fmt: skip
_OF_A_SERVER = ("tools", "functions")  # whose key in a map is a name; that of a question in a data set is none
_LOOKED_AT = 64  # definitions that may stand before the first that shows its provider


def definitions(node: Any, pointer: str = "", container: Container = NO_CONTAINER) -> Iterator[Record]:
    """The definitions in a document, each with its JSON Pointer.

    A definition in a map gets its key as its name; in such a map the schema may be called `params`.

    >>> [record.pointer for record in definitions({"tools": [{"type": "namespace", "tools": [{"name": "a"}]}]})]
    ['/tools/0/tools/0']
    >>> next(definitions({"type": "namespace", "name": "crm", "tools": [{"name": "a", "type": "x"}]})).container.facts
    {'namespace': 'crm'}
    >>> next(definitions({"ls": {"description": "List.", "params": {}}})).data
    {'name': 'ls', 'description': 'List.', 'parameters': {}}
    """
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from definitions(item, f"{pointer}/{index}", container)
        return
    if not isinstance(node, dict) or _is_definition(node):
        yield Record(node, None, pointer, container=container)
        return
    holders = _holders_in(node)
    if holders:
        # A namespace, or whatever else has a name of its own.
        here = in_namespace(node.get("name"), {f"{pointer}/name": "namespace"}).within(container)
        for key in holders:
            yield from definitions(node[key], f"{pointer}/{key}", here)
    elif _is_definition_map(node):
        for name, item in node.items():
            inside = container
            if _is_group(item, _OF_A_SERVER):
                inside = in_namespace(name)
            yield from definitions(_with_name(name, item), pointer_below(pointer, name), inside)
    elif is_mappings(messages := node.get("messages")) and any(map(_is_group, messages[:1])):  # as GLM-4 has them
        yield from definitions(messages[0], f"{pointer}/messages/0", container)
    else:
        yield Record(node, None, pointer, container=container)


def _holders_in(node: dict[str, Any]) -> list[str]:
    """The keys of a node that have definitions below them."""
    if _HOLDERS.keys().isdisjoint(node):  # as most nodes are
        return []
    kinds = list | dict if "name" in node else list | dict | str  # where nothing is defined, a text is a fault there
    return [key for key in _HOLDERS if isinstance(node.get(key), kinds) or _is_json_text(node.get(key))]


def holds_text(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Whether the definitions of a document are JSON text in a string, as in tables of data sets. They are not read.

    >>> [holds_text({"tools": text}, None, "") for text in ('[{"name": "ls"}]', "[Read, Write]")]
    [True, False]
    """
    return any(_is_json_text(data.get(key)) for key in _HOLDERS)


_JSON_TEXT = re.compile(r"\s*\[?\s*\{")


def _is_json_text(value: Any) -> bool:
    return isinstance(value, str) and _JSON_TEXT.match(value) is not None


def _is_definition(node: dict[str, Any]) -> bool:
    if isinstance(node.get("name"), str):
        kind = node.get("type")
        return _has_schema(node) or (isinstance(kind, str) and kind != "namespace")
    return isinstance(node.get("function"), dict) and (node.get("type") == "function" or len(node) == 1)


def _has_schema(node: dict[str, Any], keys: Collection[str] = _SCHEMA_KEYS) -> bool:
    return not node.keys().isdisjoint(keys) and any(isinstance(node.get(key), dict) for key in keys)


def _is_definition_map(node: dict[str, Any]) -> bool:
    """Whether every value is a definition, or has some inside."""
    return bool(node) and all(_is_described(item) or _is_group(item) for item in node.values())


def _is_described(item: Any) -> bool:
    """Whether a value in a map is a definition. It needs a description, because a schema alone is none."""
    return is_mappings([item], "description") and _has_schema(item, (*_SCHEMA_KEYS, "params"))


def _is_group(item: Any, keys: Iterable[str] = _HOLDERS) -> bool:
    return isinstance(item, dict) and any(isinstance(item.get(key), list) for key in keys)


def _with_name(name: str, item: dict[str, Any]) -> dict[str, Any]:
    if "name" in item or not _has_schema(item, (*_SCHEMA_KEYS, "params")):
        return item
    if "parameters" not in item:
        item = rename(item, "params", "parameters")
    return {"name": name, **item}


def first_definition(data: Any) -> Record:
    """The first definition that shows its provider, else the first of all.

    Hosted tools and functions without parameters do not show it.

    >>> first_definition([{"type": "web_search"}, {"name": "ls", "input_schema": {}}]).pointer
    '/1'
    """
    first: Record | None = None
    for record in islice(definitions(data), _LOOKED_AT):
        if isinstance(record.data, dict):
            if _shows_provider(record.data):
                return record
            first = first or record
    return first or Record({})


def _shows_provider(node: dict[str, Any]) -> bool:
    inner = isinstance(node.get("function"), dict) or isinstance(node.get("custom"), dict)
    return inner or node.get("type") == "function" or _has_schema(node)
