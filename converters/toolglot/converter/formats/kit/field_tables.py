"""Tables that map a document to the hub and back: one row a field, read in both directions.

A table has the shape of the document: keys, nested tables, and `Row`s at the ends. Reading takes what a row
accepts and leaves the rest, whatever it is, for `extensions`; writing puts the rows first and the rest after
them. A value of the wrong type is therefore never coerced and never lost: it stays in the rest, and the fact
that it should have stated stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from toolglot.converter.hub.model import JsonSchema, Tool
from toolglot.converter.schema.newest_dialect import newest
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import is_mappings, is_text, is_texts, mapping_at, pointer_of

FoundInTable = TypeVar("FoundInTable")
_MOST_TABLES = 256  # all formats have fewer


def _same_value(value: Any) -> Any:
    return value


class Row(msgspec.Struct, frozen=True):
    """One field: its name in the hub, what it accepts, and the way in and out.

    `has_spellings` marks a value that can be spelled in several ways; the source's own spelling then stays in the
    rest and is written again as long as it means the same. `is_silent` knows the values that are right and state
    nothing. `about` are the hub fields that a value which nobody understands is about; by default `field`.
    `supposed` is the value that is written for a tool that does not state it, because the format demands one; what is
    supposed of danger is the same in every format (`safety.CONSTANTS`). `aliases` are the places, from the root of a
    record, where real documents say the same.
    """

    field: str
    accepts: Callable[[Any], bool]
    load: Callable[[Any], Any] = _same_value
    dump: Callable[[Any], Any] = _same_value
    has_spellings: bool = False
    is_silent: Callable[[Any], bool] = lambda value: value is None
    about: tuple[str, ...] = ()
    supposed: str | None = None
    aliases: tuple[tuple[str, ...], ...] = ()

    @property
    def doubtful_fields(self) -> tuple[str, ...]:
        """The hub fields that a value which nobody understands is about."""
        return self.about or (self.field,)


Table = dict[str, Any]  # key -> Row or Table


def is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_int(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1


def text(field: str) -> Row:
    return Row(field, is_text)


def texts(field: str) -> Row:
    return Row(field, is_texts, tuple, list)


def mapping(field: str) -> Row:
    return Row(field, is_mapping)


def schema(field: str) -> Row:
    """A JSON Schema, which the hub holds as 2020-12; the source's own spelling of another dialect stays in the rest."""
    return Row(field, is_mapping, newest, has_spellings=True)


def as_spelled(schema: JsonSchema, spelling: Any) -> JsonSchema:
    """What was kept of the source's own spelling of a schema, if it still means the same; else the schema."""
    return spelling if isinstance(spelling, dict) and newest(spelling) == schema else schema


def mappings(field: str) -> Row:
    return Row(field, is_mappings, tuple, list)


def boolean(field: str) -> Row:
    return Row(field, is_bool)


def integer(field: str) -> Row:
    return Row(field, _is_int, int)


def word(field: str, *words: str) -> Row:
    allowed_words = frozenset(words)
    return Row(field, lambda value: isinstance(value, str) and value in allowed_words)


def take(data: dict[str, Any], table: Table, fields: dict[str, Any]) -> dict[str, Any]:
    """Move what the table understands from `data` into `fields`; return the rest. `data` is not changed.

    >>> fields = {}
    >>> take({"a": {"x": True, "y": 1}, "b": "?"}, {"a": {"x": boolean("network")}}, fields), fields
    ({'a': {'y': 1}, 'b': '?'}, {'network': True})
    """
    rest: dict[str, Any] = {}
    for key, value in data.items():
        row = table.get(key)
        if isinstance(row, Row) and row.accepts(value):
            fields[row.field] = field_value = value if row.load is _same_value else row.load(value)
            if row.has_spellings and row.dump(field_value) != value:
                rest[key] = value
        elif isinstance(row, dict) and isinstance(value, dict) and value:
            leftover = take(value, row, fields)
            if leftover:
                rest[key] = leftover
        else:
            rest[key] = value
    return rest


def make_tool(origin: str, fields: dict[str, Any], rest: dict[str, Any]) -> Tool:
    """The tool that was read of a record; `rest` is what only the same format understands.

    >>> make_tool("mcp", {"id": "t"}, {}).extensions is None
    True
    """
    return Tool(origin=origin, extensions={origin: rest} if rest else None, **fields)


def put(tool: msgspec.Struct, table: Table, rest: dict[str, Any]) -> dict[str, Any]:
    """The document that `take` split into the fields of a tool, or of a part of one, and `rest`.

    >>> put(Tool(id="t", network=True), {"a": {"x": boolean("network")}}, {"a": {"y": 1}})
    {'a': {'x': True, 'y': 1}}
    """
    out: dict[str, Any] = {}
    for key, row in table.items():
        if type(row) is dict:  # a class of records is asked in ten times as long
            inner = put(tool, row, mapping_at(rest, key) if rest else rest)
            if inner:
                out[key] = inner
            continue
        value = getattr(tool, row.field)
        if value is None:
            continue
        written = rest.get(key) if rest and row.has_spellings else None
        if written is None or not row.accepts(written) or row.load(written) != value:
            written = row.dump(value)
        if written is not None and (written != [] or not value):  # a list of which the format can say no member is none
            out[key] = written
    if rest:
        for key, value in rest.items():
            out.setdefault(key, value)
    return out


def order_keys(data: dict[str, Any], first: Iterable[str]) -> dict[str, Any]:
    """`data` with the keys of `first`, such as those of a table, before all others.

    >>> order_keys({"version": "1", "id": "a"}, ["id", "name"])
    {'id': 'a', 'version': '1'}
    """
    new_data = {key: data[key] for key in first if key in data}
    new_data.update(data)
    return new_data


def once_a_table(find: Callable[[Table], FoundInTable]) -> Callable[[Table], FoundInTable]:
    """A function that finds something in a table once, because tables are constants; nobody may change what it finds.

    Without it TOOL.md to ATIP takes 4 % more instructions.

    >>> keys_of = once_a_table(list)
    >>> table = {"a": boolean("network")}
    >>> keys_of(table) is keys_of(table)
    True
    """
    remembered = lru_cache(_MOST_TABLES)(lambda table: find(table.value))
    return lambda table: remembered(Same(table))


def rows_of(table: Table, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Row]]:
    """The rows of a table at any depth, each with the keys that lead to it."""
    for key, row in table.items():
        if isinstance(row, dict):
            yield from rows_of(row, (*above, key))
        else:
            yield (*above, key), row


def echoes(table: Table) -> Callable[[Tool], list[str]]:
    """Where a value that is spelled in its own way stays beside the field that was read from it; see `Spelling.echoes`.

    >>> echoes({"a": Row("inputs", is_mapping, has_spellings=True)})(Tool(id="t", inputs={}))
    ['/a']
    """
    spelled_rows = [(pointer_of(keys), row.field) for keys, row in rows_of(table) if row.has_spellings]
    return lambda tool: [place for place, field in spelled_rows if getattr(tool, field) is not None]


def fields_of(table: Table) -> frozenset[str]:
    """Every hub field that the table has a place for."""
    return frozenset(places(table))


def places(table: Table) -> dict[str, str]:
    """Where the table puts each hub field, as JSON Pointers.

    >>> places({"a": {"x": boolean("network")}})
    {'network': '/a/x'}
    """
    return {row.field: pointer_of(keys) for keys, row in rows_of(table)}
