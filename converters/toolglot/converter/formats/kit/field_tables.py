"""Tables that map a document to the hub and back: one row for each field, read in both directions.

A table has the shape of the document: keys, nested tables, and a `Row` at each end. Reading takes the values that a row
accepts, and leaves everything else for `extensions`. Writing puts the rows first and the rest after them. So a value of
the wrong type is never coerced and never lost: it stays in the rest, and its fact stays unknown.
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
    """One field of a format.

    Attributes:
        field: the hub field.
        accepts: whether a value of the document can be read.
        load, dump: value of the document -> value of the hub, and back.
        has_spellings: whether a value can be spelled in several ways. The source's own spelling stays in the rest, and
            is written again as long as it means the same.
        is_silent: whether a value is right and states nothing.
        about: the hub fields that an unreadable value is about; by default `field`.
        supposed: the value that is written where a tool does not state it and the format demands one. Values about
            danger are the same in every format (`safety.CONSTANTS`).
        aliases: other places where real documents say the same, each as the keys from the root of a record.
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
        """The hub fields that an unreadable value is about."""
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
    """A JSON Schema. The hub has it as 2020-12; the source's spelling in another dialect stays in the rest."""
    return Row(field, is_mapping, newest, has_spellings=True)


def as_spelled(schema: JsonSchema, spelling: Any) -> JsonSchema:
    """The source's own spelling of a schema, if it was kept and still means the same; else the schema."""
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
    """Read the values that the table accepts into `fields`, and give the rest of `data`, which is not changed.

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
    """The tool of a record; `rest` becomes the extension that only the same format understands.

    >>> make_tool("mcp", {"id": "t"}, {}).extensions is None
    True
    """
    return Tool(origin=origin, extensions={origin: rest} if rest else None, **fields)


def put(tool: msgspec.Struct, table: Table, rest: dict[str, Any]) -> dict[str, Any]:
    """The document for a tool or a part of one, and `rest`; the inverse of `take`.

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
    """A function with its results kept for each table, because tables are constants. Nobody may change a result.

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
    """A function that gives the places of spellings that were kept beside a field; see `Spelling.echoes`.

    >>> echoes({"a": Row("inputs", is_mapping, has_spellings=True)})(Tool(id="t", inputs={}))
    ['/a']
    """
    spelled_rows = [(pointer_of(keys), row.field) for keys, row in rows_of(table) if row.has_spellings]
    return lambda tool: [place for place, field in spelled_rows if getattr(tool, field) is not None]


def fields_of(table: Table) -> frozenset[str]:
    """The hub fields that have a place in the table."""
    return frozenset(places(table))


def places(table: Table) -> dict[str, str]:
    """Hub field -> JSON Pointer of its place.

    >>> places({"a": {"x": boolean("network")}})
    {'network': '/a/x'}
    """
    return {row.field: pointer_of(keys) for keys, row in rows_of(table)}
