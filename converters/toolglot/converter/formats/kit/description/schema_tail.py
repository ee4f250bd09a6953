"""The tail of a parameter's description: what its type cannot say, in words that can be read back.

A format with a type word and a description has no place for a range, a date, or the properties of an object. They
stand behind the description, in a fixed form:

    Due date (format: date; at least 1 character)
    Filters, as JSON: {state: one of (open, closed), limit: integer} (required: state)

A tail is read only if it has this form to the last character. The reader has to write it again and compare, so that a
person's own remark in brackets stays in the description.
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
    """A tail that was read.

    Attributes:
        head: the description without the tail.
        whole: the schema in the tail, if it says the type too; else `None`.
        more: what the tail says beside the type.
        optional: whether it says that the value may be left out.
        in_json: whether the value has to be given as JSON.
    """

    head: str
    whole: JsonSchema | None
    more: JsonSchema
    optional: bool = False
    in_json: bool = False

    def schema(self, type_schema: JsonSchema) -> JsonSchema:
        """The whole schema of a value, with `type_schema` from its type."""
        return {**(type_schema if self.whole is None else self.whole), **self.more}


def tail(schema: JsonSchema, type_schema: JsonSchema, *, optional: bool = False, in_json: bool = False) -> str:
    """The tail for a schema; empty where the type says all of it.

    Args:
        schema: the schema without what stands elsewhere, such as its description.
        type_schema: the schema that the type says by itself.
        optional: whether to say that the value may be left out, for a format without a field for that.
        in_json: whether the value is given as JSON, because no type of the format fits.

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
    """Whether a description may have a tail: a quick test, so that most descriptions need no full search."""
    return description.endswith(")") or _IN_JSON in description or _IN_JSON_BEHIND_STOP in description


def _is_alternatives(schema: JsonSchema) -> bool:
    """Whether a schema is alternatives without a type, so that no words for a type come before its clauses."""
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
    """The possible tails of a description, the longest first; most descriptions have none.

    Only a few positions are tried, because an untrusted text may consist of brackets.

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
    """The schema that can be read at the cursor; `None` where there is none, and the cursor does not move."""
    here = cursor.at, cursor.depth
    try:
        schema = read(cursor)
    except Unsayable:
        schema = None
    if isinstance(schema, dict):
        return schema
    cursor.at, cursor.depth = here
    return None
