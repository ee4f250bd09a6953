"""The parameters of a tool as rows of a table, nested ones below the one that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from toolglot.hub.model import Binding, JsonSchema
from toolglot.schema import keyword_sentences
from toolglot.text.pointers import list_at, mapping_at, without_keys
from toolglot.text.sentences import one_line
from toolglot.text.wording import to_short_json

MOST_ROWS = 200
_DEEPEST = 4
_ELSEWHERE = ("default", "description", "examples", "title", "properties", "required")


class ParameterRow(NamedTuple):
    """One parameter.

    Attributes:
        path: its name below those that hold it: `filter.from`, `items[].id`.
        spellings: how it stands on a command line, where it does.
        accepts: what it takes, in words.
        default: as JSON; empty where there is none.
    """

    path: str
    spellings: tuple[str, ...]
    is_required: bool
    accepts: str
    default: str
    description: str


def rows_of(schema: JsonSchema | None, bindings: Mapping[str, Binding] | None = None) -> list[ParameterRow]:
    """The rows of a schema, at most `MOST_ROWS`; the schema itself has the rest.

    >>> [row.path for row in rows_of({"properties": {"a": {"items": {"properties": {"b": {}}}}}})]
    ['a', 'a[].b']
    """
    return list(islice(_rows(schema, "", bindings or {}, _DEEPEST), MOST_ROWS))


def _rows(schema: Any, prefix: str, bindings: Mapping[str, Binding], depth: int) -> Iterator[ParameterRow]:
    if not isinstance(schema, dict) or not depth:
        return
    required = list_at(schema, "required")
    for name, part in mapping_at(schema, "properties").items():
        path = f"{prefix}{name}"
        yield _row(path, part, name in required, bindings.get(name))
        if isinstance(part, dict):
            yield from _rows(part, f"{path}.", {}, depth - 1)
            yield from _rows(part.get("items"), f"{path}[].", {}, depth - 1)


def _row(path: str, schema: Any, is_required: bool, binding: Binding | None) -> ParameterRow:
    spellings: tuple[str, ...] = ()
    if binding is not None:
        spellings = binding.flags or ()
    if not isinstance(schema, dict):
        return ParameterRow(path, spellings, is_required, keyword_sentences.rule(schema), "", "")
    accepts = keyword_sentences.rule(without_keys(schema, *_ELSEWHERE))
    default, description = "", ""
    if "default" in schema:
        default = to_short_json(schema["default"])
    if isinstance(schema.get("description"), str):
        description = one_line(schema["description"])
    return ParameterRow(path, spellings, is_required, accepts, default, description)
