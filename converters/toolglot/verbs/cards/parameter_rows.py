"""The parameters of a tool as rows: their names, what they accept, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from toolglot.converter.hub.model import Binding, JsonSchema
from toolglot.converter.schema import keyword_sentences
from toolglot.converter.text.pointers import list_at, mapping_at, without_keys
from toolglot.converter.text.sentences import one_line
from toolglot.converter.text.wording import to_short_json

_MOST_ROWS = 200
_DEEPEST = 4
_ELSEWHERE = ("default", "description", "examples", "title", "properties", "required")


class ParameterRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One parameter.

    Attributes:
        path: its name below those that hold it: `filter.from`, `items[].id`.
        spellings: how it stands on a command line, where it does.
        accepts: what it takes, in words.
        default: as JSON; empty where there is none.
    """

    path: str
    spellings: tuple[str, ...] = ()
    is_required: bool = False
    accepts: str = ""
    default: str = ""
    description: str = ""

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as texts, in the order of `ROW_HEADS`."""
        names = " ".join((self.path, *self.spellings))
        return names, "yes" if self.is_required else "no", self.description, self.accepts, self.default


ROW_HEADS = ("Name", "Required", "Meaning", "Accepts", "Default")


def rows_of(schema: JsonSchema | None, bindings: Mapping[str, Binding] | None = None) -> list[ParameterRow]:
    """The parameters of a schema, at most `_MOST_ROWS`, nested ones below the one that holds them.

    >>> [row.path for row in rows_of({"properties": {"a": {"items": {"properties": {"b": {}}}}}})]
    ['a', 'a[].b']
    """
    return list(islice(_inner_rows(schema, "", bindings or {}, _DEEPEST), _MOST_ROWS))


def _inner_rows(schema: Any, prefix: str, bindings: Mapping[str, Binding], depth: int) -> Iterator[ParameterRow]:
    if not isinstance(schema, dict) or not depth:
        return
    required = list_at(schema, "required")
    for name, part in mapping_at(schema, "properties").items():
        path = f"{prefix}{name}"
        yield _row(path, part, name in required, bindings.get(name))
        if isinstance(part, dict):
            yield from _inner_rows(part, f"{path}.", {}, depth - 1)
            yield from _inner_rows(part.get("items"), f"{path}[].", {}, depth - 1)
    for name in dict.fromkeys(required):
        if name not in mapping_at(schema, "properties"):
            yield ParameterRow(f"{prefix}{name}", (), True, "", "", "Nobody says what it is.")


def _row(path: str, schema: Any, is_required: bool, binding: Binding | None) -> ParameterRow:
    spellings = (binding and binding.flags) or ()
    if not isinstance(schema, dict):
        return ParameterRow(path, spellings, is_required, keyword_sentences.rule(schema), "", "")
    accepts = keyword_sentences.rule(without_keys(schema, *_ELSEWHERE))
    default = to_short_json(schema["default"]) if "default" in schema else ""
    description = schema.get("description")
    text = one_line(description) if isinstance(description, str) else ""
    return ParameterRow(path, spellings, is_required, accepts, default, text)
