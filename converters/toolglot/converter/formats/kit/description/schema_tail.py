"""What a type cannot say of a value, at the end of its description, in words that can be read back.

A format with a type word and a description has no place for a range, a date, or the properties of an object. They
stand behind the description, in a closed form:

    Due date (format: date; at least 1 character)
    Filters, as JSON: {state: one of (open, closed), limit: integer} (required: state)

A tail is read only if it is of this form to the last character. Whoever reads has to write it again and compare, so
that a person's own remark in brackets stays what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec

from toolglot.converter.formats.kit.description.clause_values import LONGEST, Cursor, Unsayable
from toolglot.converter.formats.kit.description.schema_clauses import (
    ALTERNATIVES,
    ANY,
    DEEPEST,
    FIRST,
    NO_ITEMS,
    clauses,
    opening,
    read_clauses,
    read_opening,
    read_schema,
    schema_in_words,
    type_word,
)
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.text.pointers import without_keys
from toolglot.regexes import compile_later

_DEPTHS = (DEEPEST, 3, 2, 1, 0)  # tried until what is said is short enough
_MOST_STARTS = 8  # places in a description that are tried as the beginning of a tail
_IN_JSON, _IN_JSON_BEHIND_STOP = ", as JSON: ", " As JSON: "
_OPTIONAL = "may be left out"
# So that brackets that begin otherwise are not looked into.
_STARTS = (*(f" ({words}" for words in sorted(FIRST | {_OPTIONAL})), _IN_JSON, _IN_JSON_BEHIND_STOP)
# An expression of all of them takes eight times as long to compile. A blank behind a word may begin the next start.
_MAYBE_START = compile_later(r" \(|, as| As")


class Tail(msgspec.Struct, frozen=True):
    """The end of a description, read.

    Attributes:
        head: the description without it.
        whole: the schema that it says from its type on; `None` where the type is said elsewhere.
        more: what it says beside the type.
        optional: whether it says that no value need be given.
        in_json: whether the value is to be given as JSON.
    """

    head: str
    whole: JsonSchema | None
    more: JsonSchema
    optional: bool = False
    in_json: bool = False

    def schema(self, type_schema: JsonSchema) -> JsonSchema:
        """The schema of a value whose type alone says `type_schema`."""
        return {**(type_schema if self.whole is None else self.whole), **self.more}


def tail(schema: JsonSchema, type_schema: JsonSchema, *, optional: bool = False, in_json: bool = False) -> str:
    """What has to follow a description so that it says all of a schema; empty where the type says it.

    Args:
        schema: without what stands elsewhere, such as its description.
        type_schema: what the type says by itself.
        optional: whether to say that no value need be given, for a format with no other way to.
        in_json: whether the value is given as JSON, because no type fits.

    >>> tail({"type": "string", "format": "date"}, {"type": "string"})
    ' (format: date)'
    >>> tail({"type": ["integer", "null"], "minimum": 1}, {"type": "integer"})
    ' (integer or null; minimum 1)'
    >>> tail({"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "string"}, in_json=True)
    ', as JSON: {a: string}'
    """
    for depth in _DEPTHS:
        if not in_json:
            words = _in_brackets(schema, type_schema, optional, depth)
        elif _is_alternatives(schema):
            words = _IN_JSON + "; ".join(clauses(schema, depth))
        else:
            words = _IN_JSON + schema_in_words(schema, depth)
        if len(words) <= LONGEST:
            return words
    return _IN_JSON + type_word(schema) if in_json else ""


def with_tail(head: str, words: str) -> str:
    """A description with a tail behind it.

    >>> with_tail("A filter", ", as JSON: object"), with_tail("A filter.", ", as JSON: object")
    ('A filter, as JSON: object', 'A filter. As JSON: object')
    """
    if words.startswith(_IN_JSON) and head.endswith("."):
        words = _IN_JSON_BEHIND_STOP + words.removeprefix(_IN_JSON)
    return head + words


def may_have_tail(description: str) -> bool:
    """Whether a description could have a tail: a quick look that spares most of them the whole one."""
    return description.endswith(")") or _IN_JSON in description or _IN_JSON_BEHIND_STOP in description


def _is_alternatives(schema: JsonSchema) -> bool:
    """Whether a schema has no type of its own, so that its clauses need no words for one."""
    return not schema.keys().isdisjoint(ALTERNATIVES) and opening(schema, 0)[0] == ANY


def _in_brackets(schema: JsonSchema, type_schema: JsonSchema, optional: bool, depth: int) -> str:
    base, rest = opening(schema, depth)
    opening_keywords = without_keys(schema, *rest)
    is_known = type_schema.keys() <= schema.keys() and opening_keywords.items() <= type_schema.items()
    is_open = _is_alternatives(schema)
    if is_known:
        rest = {key: value for key, value in rest.items() if key not in type_schema or type_schema[key] != value}
    elif base == "list" and "items" not in schema:
        base = NO_ITEMS
    parts = [_OPTIONAL] if optional else []
    if not is_open and not (is_known and rest.keys().isdisjoint(ALTERNATIVES)):
        parts.append(base)
    parts += clauses(rest, depth)
    return f" ({'; '.join(parts)})" if parts else ""


def tails(description: str) -> Iterator[Tail]:
    """Every way to take a tail off a description, the longest tail first; most descriptions have none.

    Only so many places are looked at, because a text of strangers may be nothing but brackets.

    >>> [(found.head, found.more) for found in tails("Due date (format: date)")]
    [('Due date', {'format': 'date'})]
    >>> list(tails("Page size (default: 10, max: 100)"))
    []
    """
    if not may_have_tail(description):
        return
    near = max(len(description) - 2 * LONGEST, 0)
    places = (match.start() for match in _MAYBE_START.finditer(description, near))
    starts = (place for place in places if description.startswith(_STARTS, place))
    for start in islice(starts, _MOST_STARTS):
        head, cursor = description[:start], Cursor(description, start)
        try:
            if cursor.take(_IN_JSON) or cursor.take(_IN_JSON_BEHIND_STOP):
                yield _read_schema(head, cursor)
            else:
                yield _read_brackets(head, cursor)
        except (Unsayable, RecursionError):
            continue


def _read_schema(head: str, cursor: Cursor) -> Tail:
    schema = _attempt(cursor, read_schema)
    if schema is None:
        schema = {}
        read_clauses(cursor, schema)
    cursor.end()
    return Tail(head, schema, {}, in_json=True)


def _read_brackets(head: str, cursor: Cursor) -> Tail:
    cursor.expect(" (")
    optional = cursor.take(_OPTIONAL)
    whole: JsonSchema | None = None
    more: JsonSchema = {}
    if not optional or cursor.take("; "):
        whole = _attempt(cursor, read_opening)
        if whole is None or cursor.take("; "):
            read_clauses(cursor, more)
    cursor.expect(")")
    cursor.end()
    if whole is None and not more.keys().isdisjoint(ALTERNATIVES):
        whole = {}
    return Tail(head, whole, more, optional)


def _attempt(cursor: Cursor, read: Callable[[Cursor], Any]) -> JsonSchema | None:
    """The schema that is read there; `None`, and nothing is behind, where there is something else."""
    here = cursor.at, cursor.depth
    try:
        schema = read(cursor)
    except Unsayable:
        schema = None
    if isinstance(schema, dict):
        return schema
    cursor.at, cursor.depth = here
    return None
