"""JSON Schemas in words that can be read back: `{state: one of (open, closed), limit: integer (minimum 1)}`.

One table has each keyword in both directions, with the sentences of `keyword_sentences` where these can be read back.
Keywords without words, such as a reference out of the document, are left out. The words of the type come first, then
clauses in brackets. A reference is `<Name>`, and `where <Name> is ...` defines it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeGuard

import msgspec

from toolglot.converter.formats.kit.description import clause_values
from toolglot.converter.formats.kit.description.clause_values import Cursor, Unsayable
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.keywords import TYPES
from toolglot.converter.schema.titles import is_idle_title
from toolglot.converter.text.pointers import without_keys
from toolglot.converter.text.sequences import group_by
from toolglot.regexes import compile_later

DEEPEST = 16  # schemas within schemas that are written
_LONGEST_DESCRIPTION = 2_000  # characters of one inside a schema
NO_ITEMS = "list of any items"
ANY = "any value"
_DEFINITIONS = "#/$defs/"
_WORDS = {**{word: word for word in TYPES}, "array": "list"}
_TYPES = {word: kind for kind, word in _WORDS.items()}
ALTERNATIVES = ("anyOf", "oneOf")  # where they stand without a type, none is meant


# -- writing --------------------------------------------------------------------------------------------------------


def schema_in_words(schema: Any, depth: int = DEEPEST, single: bool = False) -> str:
    """A schema in words.

    Args:
        depth: levels of inner schemas that are said in full; below them only the type is said.
        single: whether the words stand between bars, and so must not have bars of their own.

    Raises:
        Unsayable: the value is no schema.

    >>> schema_in_words({"type": "array", "items": {"type": "string", "minLength": 1}})
    'list of string (at least 1 character)'
    """
    if isinstance(schema, bool):
        return "anything" if schema else "nothing"
    if not isinstance(schema, dict):
        raise Unsayable("not a schema")
    if depth < 0:
        return type_word(schema)
    base, rest = opening(schema, depth, single)
    if base == "list" and schema.keys() == {"type", "items"} and _can_follow(schema["items"]):
        return f"list of {schema_in_words(schema['items'], depth - 1)}"
    parts = clauses(rest, depth)
    description = schema.get("description")
    if isinstance(description, str) and len(description) <= _LONGEST_DESCRIPTION:
        parts.insert(0, clause_values.json_value(description))
    return f"{base} ({'; '.join(parts)})" if parts else base


def type_word(schema: JsonSchema) -> str:
    """The words for the type alone.

    >>> type_word({"type": "array"}), type_word({})
    ('list', 'any value')
    """
    kind = schema.get("type")
    return _WORDS[kind] if _is_word(kind) else ANY


def opening(schema: JsonSchema, depth: int, single: bool = False) -> tuple[str, JsonSchema]:
    """The words at the beginning of a schema, and the schema with the keywords that they do not say.

    >>> opening({"type": ["string", "null"], "minLength": 1}, 1)
    ('string or null', {'minLength': 1})
    """
    rest = without_keys(schema, "type")
    kind = schema.get("type")
    if "type" not in schema:
        return _opening_without_type(rest, depth, single)
    if kind == "object" and _is_named(schema.get("properties")) and schema["properties"]:
        return _write_named(schema["properties"], depth), without_keys(rest, "properties")
    if isinstance(kind, list) and kind and all(map(_is_word, kind)):
        return " or ".join(_WORDS[word] for word in kind), rest
    return type_word(schema), rest


def _opening_without_type(schema: JsonSchema, depth: int, single: bool) -> tuple[str, JsonSchema]:
    target = schema.get("$ref")
    if isinstance(target, str) and target.startswith(_DEFINITIONS):
        return f"<{clause_values.name(target.removeprefix(_DEFINITIONS))}>", without_keys(schema, "$ref")
    for row in _VALUES:
        if row.keyword not in schema:
            continue
        text = _clause(row, schema, depth)
        if text:
            return text, without_keys(schema, row.keyword)
    if not single and _are_types(schema.get("anyOf")):
        return " | ".join(_WORDS[item["type"]] for item in schema["anyOf"]), without_keys(schema, "anyOf")
    return ANY, schema


def _is_word(kind: Any) -> TypeGuard[str]:
    return isinstance(kind, str) and kind in _WORDS


def _are_types(schemas: Any) -> bool:
    """Whether alternatives are two or more plain types: `integer | null`."""
    if not isinstance(schemas, list) or len(schemas) < 2:
        return False
    return all(isinstance(item, dict) and item.keys() == {"type"} and _is_word(item["type"]) for item in schemas)


def _can_follow(schema: Any) -> bool:
    """Whether a schema can follow `list of`. One with bars cannot: they would seem to include the list."""
    has_bars = isinstance(schema, dict) and "type" not in schema and _are_types(schema.get("anyOf"))
    return isinstance(schema, dict | bool) and not has_bars


def clauses(schema: JsonSchema, depth: int = DEEPEST) -> list[str]:
    """The clauses of a schema, in the order of the table; keywords without words are left out.

    >>> clauses({"maximum": 9, "minimum": 1, "x-order": 3})
    ['minimum 1', 'maximum 9']
    """
    texts: dict[str, str] = {}
    for row in _ROWS:
        if row.keyword not in schema or row.keyword in texts:
            continue
        text = _clause(row, schema, depth)
        if text:
            texts[row.keyword] = text
    return list(texts.values())


def _clause(row: Clause, schema: JsonSchema, depth: int) -> str | None:
    try:
        return row.before + row.syntax.write(schema[row.keyword], depth - 1) + row.after(schema)
    except Unsayable:
        return None


# -- reading --------------------------------------------------------------------------------------------------------


def read_schema(cursor: Cursor, single: bool = False) -> Any:
    """The schema that `schema_in_words` put into these words.

    Raises:
        Unsayable: the text is no schema in words.

    >>> read_schema(Cursor("integer (minimum 1)", 0))
    {'type': 'integer', 'minimum': 1}
    """
    cursor.depth += 1
    if cursor.depth > 2 * DEEPEST:
        raise Unsayable("too deep")
    schema = read_opening(cursor, single)
    if isinstance(schema, dict) and cursor.take(" ("):
        if cursor.text.startswith('"', cursor.at):
            schema["description"] = cursor.value()
        if "description" not in schema or cursor.take("; "):
            read_clauses(cursor, schema)
        cursor.expect(")")
    cursor.depth -= 1
    return schema


def read_opening(cursor: Cursor, single: bool = False) -> Any:
    """A new schema with what the words of a type say; clauses can be added to it."""
    read = _OPENINGS.get(cursor.take_match(_OPENING))
    if read is not None:
        return read(cursor)
    kinds = [_read_type(cursor)]
    while cursor.take(" or "):
        kinds.append(_read_type(cursor))
    if len(kinds) > 1:
        return {"type": kinds}
    while not single and cursor.take(" | "):
        kinds.append(_read_type(cursor))
    if len(kinds) == 1:
        return {"type": kinds[0]}
    return {"anyOf": [{"type": kind} for kind in kinds]}


def _read_reference(cursor: Cursor) -> JsonSchema:
    name = cursor.name()
    cursor.expect(">")
    return {"$ref": _DEFINITIONS + name}


def _read_lone(row: Clause, cursor: Cursor) -> JsonSchema:
    return {row.keyword: _read_value(row, cursor)}


def _read_value(row: Clause, cursor: Cursor) -> Any:
    """The value of a keyword, read to the end of the words behind it."""
    value = row.syntax.read(cursor)
    cursor.expect(row.after({row.keyword: value}))
    return value


def _read_type(cursor: Cursor) -> str:
    word = cursor.word()
    if word not in _TYPES:
        raise Unsayable(word)
    return _TYPES[word]


def read_clauses(cursor: Cursor, schema: JsonSchema) -> None:
    """Read clauses into a schema, which must not have their keywords yet."""
    _read_clause(cursor, schema)
    while cursor.take("; "):
        _read_clause(cursor, schema)


def _read_clause(cursor: Cursor, schema: JsonSchema) -> None:
    here = cursor.at, cursor.depth
    for row in _ROWS_BY_LETTER.get(cursor.text[cursor.at : cursor.at + 1], ()):
        if row.keyword in schema or not cursor.take(row.before):
            continue
        try:
            schema[row.keyword] = _read_value(row, cursor)
        except Unsayable:
            cursor.at, cursor.depth = here
        else:
            return
    raise Unsayable("no clause")


# -- the table ------------------------------------------------------------------------------------------------------

Write: TypeAlias = Callable[[Any, int], str]
Read: TypeAlias = Callable[[Cursor], Any]


class ValueSyntax(msgspec.Struct, frozen=True):
    """How the value of a keyword is written (at a depth) and read."""

    write: Write
    read: Read


class Clause(msgspec.Struct, frozen=True):
    """A keyword, with the words before and behind its value."""

    keyword: str
    before: str
    syntax: ValueSyntax
    after: Callable[[JsonSchema], str] = lambda schema: ""


def _list_of(item: ValueSyntax, separator: str) -> ValueSyntax:
    """The syntax of a list of one or more items."""

    def write(value: Any, depth: int) -> str:
        if not isinstance(value, list) or not value:
            raise Unsayable("nothing to list")
        return separator.join(item.write(one, depth) for one in value)

    def read(cursor: Cursor) -> list[Any]:
        values = [item.read(cursor)]
        while cursor.take(separator):
            values.append(item.read(cursor))
        return values

    return ValueSyntax(write, read)


def _always(constant: Any) -> ValueSyntax:
    """The syntax of a keyword that is only written where it has this value."""

    def write(value: Any, depth: int) -> str:
        if value is not constant:
            raise Unsayable("the other way round")
        return ""

    return ValueSyntax(write, lambda cursor: constant)


def _is_named(schemas: Any) -> bool:
    return isinstance(schemas, dict) and all(isinstance(item, dict | bool) for item in schemas.values())


def _of_names(before: str, between: str) -> ValueSyntax:
    """The syntax of one or more schemas by name: `a: string, b: integer`."""

    def write(schemas: Any, depth: int) -> str:
        if not _is_named(schemas) or not schemas:
            raise Unsayable("no schemas by name")
        entries = []
        for name, schema in schemas.items():
            if isinstance(schema, dict) and is_idle_title(schema, name):
                schema = without_keys(schema, "title")
            entries.append(f"{before}{clause_values.name(name)}{between}{schema_in_words(schema, depth - 1)}")
        return ", ".join(entries)

    def read(cursor: Cursor) -> JsonSchema:
        schemas: JsonSchema = {}
        while not schemas or cursor.take(", "):
            cursor.expect(before)
            name = cursor.name()
            cursor.expect(between)
            if name in schemas:
                raise Unsayable("twice")
            schemas[name] = read_schema(cursor)
        return schemas

    return ValueSyntax(write, read)


def _write_named(schemas: Any, depth: int) -> str:
    """Schemas by name: `{a: string, b: integer}`."""
    return "{}" if schemas == {} else f"{{{_MEMBERS.write(schemas, depth)}}}"


def _read_entries(cursor: Cursor) -> JsonSchema:
    """Read what `_write_named` wrote, from behind its first bracket."""
    schemas: JsonSchema = {}
    if not cursor.take("}"):
        schemas = _MEMBERS.read(cursor)
        cursor.expect("}")
    return schemas


def _read_named(cursor: Cursor) -> JsonSchema:
    cursor.expect("{")
    return _read_entries(cursor)


def _bound_of_size(keyword: str, one: str, several: str) -> Clause:
    """The clause for a bound of a size: `at least 2 items`."""

    def unit_of(schema: JsonSchema) -> str:
        return f" {one}" if schema[keyword] == 1 else f" {several}"

    before = "at least " if keyword.startswith("min") else "at most "
    return Clause(keyword, before, _NUMBER, unit_of)


_NUMBER = ValueSyntax(lambda value, depth: clause_values.number(value), Cursor.number)
_NAME = ValueSyntax(lambda value, depth: clause_values.name(value), Cursor.name)
_TEXT = ValueSyntax(lambda value, depth: clause_values.text_value(value), Cursor.text_value)
_JSON = ValueSyntax(lambda value, depth: clause_values.json_value(value), Cursor.json_value)
_VALUE = ValueSyntax(lambda value, depth: clause_values.any_value(value), Cursor.value)
_SEVERAL = _list_of(_VALUE, ", ")
_NAMES = _list_of(_NAME, ", ")
_SCHEMA = ValueSyntax(schema_in_words, read_schema)
_BARRED = _list_of(
    ValueSyntax(
        lambda value, depth: schema_in_words(value, depth, single=True), lambda cursor: read_schema(cursor, single=True)
    ),
    " | ",
)
_MEMBERS = _of_names("", ": ")
_NAMED = ValueSyntax(_write_named, _read_named)
_DEFINED = _of_names("<", "> is ")

# What values say that have no type beside them.
_VALUES = (Clause("enum", "one of (", _SEVERAL, lambda schema: ")"), Clause("const", "only ", _JSON))

# The words that a schema begins with where it does not begin with its types -> how what they open is read.
_OPENINGS: dict[str, Read] = {
    "{": lambda cursor: {"type": "object", "properties": _read_entries(cursor)},
    NO_ITEMS: lambda cursor: {"type": "array"},
    "list of ": lambda cursor: {"type": "array", "items": read_schema(cursor, single=True)},
    "<": _read_reference,
    **{row.before: partial(_read_lone, row) for row in _VALUES},
    ANY: lambda cursor: {},
    "anything": lambda cursor: True,
    "nothing": lambda cursor: False,
}
_OPENING = compile_later("|".join(map(re.escape, _OPENINGS)))

# In the order in which they are said.
_ROWS = (
    Clause("title", "title: ", _TEXT),
    Clause("enum", "allowed values: ", _SEVERAL),
    Clause("const", "must be ", _JSON),
    Clause("format", "format: ", _NAME),
    Clause("minimum", "minimum ", _NUMBER),
    Clause("exclusiveMinimum", "must be greater than ", _NUMBER),
    Clause("maximum", "maximum ", _NUMBER),
    Clause("exclusiveMaximum", "must be less than ", _NUMBER),
    Clause("multipleOf", "multiple of ", _NUMBER),
    _bound_of_size("minLength", "character", "characters"),
    _bound_of_size("maxLength", "character", "characters"),
    Clause("pattern", "must match ", _TEXT),
    Clause("contentEncoding", "encoding: ", _TEXT),
    Clause("contentMediaType", "media type: ", _TEXT),
    Clause("contentSchema", "content: ", _SCHEMA),
    _bound_of_size("minItems", "item", "items"),
    _bound_of_size("maxItems", "item", "items"),
    Clause("uniqueItems", "items must be unique", _always(True)),
    Clause("prefixItems", "tuple: ", _BARRED),
    Clause("items", "items: ", _SCHEMA),
    Clause("contains", "contains: ", _SCHEMA),
    Clause("properties", "properties: ", _NAMED),
    Clause("required", "required: ", _NAMES),
    Clause("additionalProperties", "no other properties", _always(False)),
    Clause("additionalProperties", "other properties: ", _SCHEMA),
    Clause("patternProperties", "keys that match ", _NAMED),
    Clause("propertyNames", "keys: ", _SCHEMA),
    _bound_of_size("minProperties", "property", "properties"),
    _bound_of_size("maxProperties", "property", "properties"),
    Clause("anyOf", "any of: ", _BARRED),
    Clause("oneOf", "exactly one of: ", _BARRED),
    Clause("allOf", "all of: ", _BARRED),
    Clause("not", "not: ", _SCHEMA),
    Clause("if", "if: ", _SCHEMA),
    Clause("then", "then: ", _SCHEMA),
    Clause("else", "else: ", _SCHEMA),
    Clause("default", "if left out: ", _VALUE),  # not `default: `, which people write
    Clause("examples", "examples: ", _SEVERAL),
    Clause("deprecated", "deprecated", _always(True)),
    Clause("readOnly", "read-only", _always(True)),
    Clause("writeOnly", "write-only", _always(True)),
    Clause("$defs", "where ", _DEFINED),
)

_ROWS_BY_LETTER = group_by(_ROWS, lambda row: row.before[0])  # most clauses are then found at the second attempt

# The words that a schema, or a clause, can begin with.
FIRST = frozenset({row.before.partition(" ")[0] for row in (*_ROWS, *_VALUES)} | {*_TYPES, "any", "<", "{"})
