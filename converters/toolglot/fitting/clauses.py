"""What a type cannot say of a value, in words that can be read back.

A format with a type word and a description has no place for a range, a date, or the properties of an object. They
stand at the end of the description, in a closed form:

    Due date (format: date; at least 1 character)
    Filters (JSON): {state: string (allowed values: open, closed), limit: integer} (required: state)

One table says each keyword in both directions, with the sentences of `words`. A tail is read only if it is of this
form to the last character; whoever reads has to write it again and compare, so that a person's own remark in
brackets stays what it is. What has no words (a reference out of the document, a condition) is left out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from toolglot.fitting.phrases import as_json
from toolglot.fitting.rules import TYPES
from toolglot.fitting.words import is_idle_title
from toolglot.model import JsonSchema

_LONGEST = 4_000  # characters of a tail; beyond it the schemas inside are said with less detail
_DEPTHS = (16, 3, 2, 1, 0)  # of schemas within schemas
_MOST_STARTS = 8  # places in a description that are tried as the beginning of a tail
_IN_JSON = " (JSON): "
_NO_ITEMS = "list of any items"
_OPTIONAL = "may be left out"
_ANY_VALUE = "any value"

_NAME = re.compile(r"[A-Za-z_$@][\w$@.-]*", re.ASCII)
_NUMBER = re.compile(r"-?[0-9][0-9.eE+-]{0,40}", re.ASCII)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ENDS = frozenset(";,|)]}")


class Unsayable(ValueError):
    """Something that the closed form has no words for, or that it cannot be read from."""


class Tail(NamedTuple):
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

    def schema(self, known: JsonSchema) -> JsonSchema:
        """The schema of a value whose type alone says `known`."""
        return {**(known if self.whole is None else self.whole), **self.more}


# -- writing --------------------------------------------------------------------------------------------------------


def tail(schema: JsonSchema, known: JsonSchema, *, optional: bool = False, in_json: bool = False) -> str:
    """What has to follow a description so that it says all of a schema; empty where the type says it.

    Args:
        schema: without what stands elsewhere, such as its description.
        known: what the type says by itself.
        optional: whether to say that no value need be given, for a format with no other way to.
        in_json: whether the value is given as JSON, because no type fits.

    >>> tail({"type": "string", "format": "date"}, {"type": "string"})
    ' (format: date)'
    >>> tail({"type": ["integer", "null"], "minimum": 1}, {"type": "integer"})
    ' (integer or null; minimum 1)'
    >>> tail({"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "string"}, in_json=True)
    ' (JSON): {a: string}'
    """
    text = ""
    for depth in _DEPTHS:
        text = _IN_JSON + _rule(schema, depth) if in_json else _brackets(schema, known, optional, depth)
        if len(text) <= _LONGEST:
            return text
    return f"{_IN_JSON}{_plain_base(schema)}" if in_json else ""


def _brackets(schema: JsonSchema, known: JsonSchema, optional: bool, depth: int) -> str:
    base, rest = _base(schema, depth)
    said = {key: value for key, value in schema.items() if key not in rest}
    is_known = known.keys() <= schema.keys() and said.items() <= known.items()
    if is_known:
        rest = {key: value for key, value in rest.items() if known.get(key, _NONE) != value}
    elif base == "list" and "items" not in schema:
        base = _NO_ITEMS
    parts = [_OPTIONAL] if optional else []
    if not (is_known and rest.keys().isdisjoint(_ALTERNATIVES)) and not _means_any(base, rest):
        parts.append(base)
    parts += _clauses(rest, depth)
    return f" ({'; '.join(parts)})" if parts else ""


_NONE = object()
_ALTERNATIVES = ("anyOf", "oneOf")  # where they stand without a type, none is meant


def _means_any(base: str, rest: JsonSchema) -> bool:
    return base == _ANY_VALUE and not rest.keys().isdisjoint(_ALTERNATIVES)


def _rule(schema: Any, depth: int, single: bool = False) -> str:
    """A whole schema: `string (at least 1 character)`. `single`: it stands between bars and may not have its own."""
    if isinstance(schema, bool):
        return "anything" if schema else "nothing"
    if not isinstance(schema, dict):
        raise Unsayable("not a schema")
    if depth < 0:
        return _plain_base(schema)
    base, rest = _base(schema, depth, single)
    if base == "list" and schema.keys() == {"type", "items"} and _is_one(schema["items"]):
        return f"list of {_rule(schema['items'], depth - 1)}"
    description = schema.get("description")
    parts = (
        [as_json(description, _LONGEST)] if isinstance(description, str) and len(description) < _LONGEST // 2 else []
    )
    parts += _clauses({key: value for key, value in rest.items() if key != "description"}, depth)
    return f"{base} ({'; '.join(parts)})" if parts else base


def _plain_base(schema: JsonSchema) -> str:
    kind = schema.get("type")
    return _WORDS[kind] if _is_word(kind) else _ANY_VALUE


def _base(schema: JsonSchema, depth: int, single: bool = False) -> tuple[str, JsonSchema]:
    """The words that a schema begins with, and the keywords that they do not say."""
    rest = {key: value for key, value in schema.items() if key != "type"}
    kind = schema.get("type")
    if isinstance(kind, list) and kind and all(map(_is_word, kind)):
        return " or ".join(_WORDS[word] for word in kind), rest
    if kind == "object" and _is_named(schema.get("properties")) and schema["properties"]:
        return _write_named(schema["properties"], depth), {key: rest[key] for key in rest if key != "properties"}
    if _is_word(kind):
        return _WORDS[kind], rest
    if "type" not in schema and isinstance(target := schema.get("$ref"), str) and target.startswith(_DEFINITIONS):
        return f"<{_name(target.removeprefix(_DEFINITIONS))}>", {key: rest[key] for key in rest if key != "$ref"}
    if not single and "type" not in schema and _are_types(schema.get("anyOf")):
        words = " | ".join(_WORDS[item["type"]] for item in schema["anyOf"])
        return words, {key: rest[key] for key in rest if key != "anyOf"}
    return _ANY_VALUE, rest


_DEFINITIONS = "#/$defs/"
_WORDS = {**{word: word for word in TYPES}, "array": "list"}
_TYPES = {word: kind for kind, word in _WORDS.items()}


def _is_word(kind: Any) -> TypeGuard[str]:
    return isinstance(kind, str) and kind in _WORDS


def _are_types(schemas: Any) -> bool:
    """Whether alternatives are nothing but types, two or more: `integer | null`."""
    return (
        isinstance(schemas, list)
        and len(schemas) > 1
        and all(isinstance(item, dict) and item.keys() == {"type"} and _is_word(item["type"]) for item in schemas)
    )


def _is_one(schema: Any) -> bool:
    """Whether a schema can follow `list of`: bars would seem to be around the list as well."""
    bars = isinstance(schema, dict) and "type" not in schema and _are_types(schema.get("anyOf"))
    return isinstance(schema, dict | bool) and not bars


def _clauses(schema: JsonSchema, depth: int) -> list[str]:
    """Each keyword in words, in the order of the table; those that have none are left out."""
    found: dict[str, str] = {}
    for row in ROWS:
        if row.keyword in schema and row.keyword not in found:
            try:
                found[row.keyword] = row.before + row.kind.write(schema[row.keyword], depth - 1) + row.after(schema)
            except Unsayable:
                continue
    return list(found.values())


# -- reading --------------------------------------------------------------------------------------------------------


def tails(description: str) -> Iterator[Tail]:
    """Every way to take a tail off a description, the longest tail first; most descriptions have none.

    Only so many places are looked at, because a text of strangers may be nothing but brackets.

    >>> [(found.head, found.more) for found in tails("Due date (format: date)")]
    [('Due date', {'format': 'date'})]
    >>> list(tails("Page size (default: 10, max: 100)"))
    []
    """
    in_json = _IN_JSON in description
    if not (in_json or description.endswith(")")):
        return
    near = max(len(description) - 2 * _LONGEST, 0)
    starts = [found.start() for found in islice(_STARTS.finditer(description, near), _MOST_STARTS)]
    for start in starts:
        reader = _Reader(description, start)
        try:
            yield reader.schema_in_json() if reader.take(_IN_JSON) else reader.brackets()
        except (Unsayable, RecursionError):
            continue


class _Reader:
    """A place in a text, moved on by whatever is read there."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.depth = 0

    def take(self, words: str) -> bool:
        """Whether the text goes on with these words, which are then behind."""
        if not self.text.startswith(words, self.at):
            return False
        self.at += len(words)
        return True

    def expect(self, words: str) -> None:
        if not self.take(words):
            raise Unsayable(words)

    def end(self, at: int) -> None:
        if self.at != at:
            raise Unsayable("something follows")

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise Unsayable("no match")
        self.at = found.end()
        return found[0]

    def raw(self) -> str:
        """The text up to what ends a clause; brackets inside have to be closed."""
        start = self.at
        self.at = _end_of_raw(self.text, start)
        return self.text[start : self.at]

    def value(self) -> Any:
        """A JSON value, or a bare text."""
        start = self.text[self.at : self.at + 1]
        if start and start in '"{[':
            try:
                value, self.at = _DECODER.raw_decode(self.text, self.at)
            except ValueError as error:
                raise Unsayable("not JSON") from error
            return value
        word = self.raw()
        try:
            return _DECODER.decode(word)
        except ValueError:
            return word

    def name(self) -> str:
        value = self.value() if self.text.startswith('"', self.at) else self.match(_NAME)
        if not isinstance(value, str):
            raise Unsayable("not a name")
        return value

    def rule(self, single: bool = False) -> Any:
        self.depth += 1
        if self.depth > 2 * _DEPTHS[0]:
            raise Unsayable("too deep")
        schema = self.base(single)
        if isinstance(schema, dict) and self.take(" ("):
            if self.text.startswith('"', self.at):
                schema["description"] = self.value()
                if self.take(")"):
                    self.depth -= 1
                    return schema
                self.expect("; ")
            self.clauses(schema)
            self.expect(")")
        self.depth -= 1
        return schema

    def base(self, single: bool = False) -> Any:
        if self.text.startswith("{", self.at):
            return {"type": "object", "properties": _read_named(self)}
        if self.take(_NO_ITEMS):
            return {"type": "array"}
        if self.take("list of "):
            return {"type": "array", "items": self.rule(single=True)}
        if self.take("<"):
            name = self.name()
            self.expect(">")
            return {"$ref": _DEFINITIONS + name}
        for words, schema in _OPEN.items():
            if self.take(words):
                return dict(schema) if isinstance(schema, dict) else schema
        return self.types(single)

    def types(self, single: bool) -> JsonSchema:
        kinds = [self.kind()]
        for words in (" or ",) if single else (" or ", " | "):
            while self.take(words):
                kinds.append(self.kind())
            if len(kinds) > 1:
                return {"type": kinds} if words == " or " else {"anyOf": [{"type": kind} for kind in kinds]}
        return {"type": kinds[0]}

    def kind(self) -> str:
        word = self.match(_NAME)
        if word not in _TYPES:
            raise Unsayable(word)
        return _TYPES[word]

    def schema_in_json(self) -> Tail:
        """A schema up to the end of the text."""
        head = self.text[: self.at - len(_IN_JSON)]
        schema = self.rule()
        self.end(len(self.text))
        if not isinstance(schema, dict):
            raise Unsayable("any JSON, or none")
        return Tail(head, schema, {}, in_json=True)

    def brackets(self) -> Tail:
        """What stands in brackets up to the end of the text."""
        head = self.text[: self.at]
        self.expect(" (")
        optional = self.take(_OPTIONAL)
        whole: JsonSchema | None = None
        more: JsonSchema = {}
        if not optional or self.take("; "):
            whole = self.type_alone()
            if whole is None or self.take("; "):
                self.clauses(more)
        self.expect(")")
        self.end(len(self.text))
        if whole is None and not more.keys().isdisjoint(_ALTERNATIVES):
            whole = {}
        return Tail(head, whole, more, optional)

    def type_alone(self) -> JsonSchema | None:
        """What the brackets say of the type; `None` where they begin with something else."""
        here = self.at
        try:
            schema = self.base()
        except Unsayable:
            schema = None
        if isinstance(schema, dict):
            return schema
        self.at = here
        return None

    def clauses(self, schema: JsonSchema) -> None:
        self.clause(schema)
        while self.take("; "):
            self.clause(schema)

    def clause(self, schema: JsonSchema) -> None:
        """One clause, added to a schema that must not have its keyword."""
        here = self.at
        for row in ROWS:
            if row.keyword in schema or not self.take(row.before):
                continue
            try:
                value = row.kind.read(self)
                self.expect(row.after({row.keyword: value}))
            except Unsayable:
                self.at = here
                continue
            schema[row.keyword] = value
            return
        raise Unsayable("no clause")


_OPEN: dict[str, Any] = {_ANY_VALUE: {}, "anything": True, "nothing": False}


def _refused(name: str) -> Any:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refused)


# -- what stands behind the words of a clause -----------------------------------------------------------------------

Write: TypeAlias = Callable[[Any, int], str]
Read: TypeAlias = Callable[[_Reader], Any]


class Kind(NamedTuple):
    """How the value of a keyword is written and read."""

    write: Write
    read: Read


class Row(NamedTuple):
    """A keyword, the words before its value, and those behind it."""

    keyword: str
    before: str
    kind: Kind
    after: Callable[[JsonSchema], str] = lambda schema: ""


def _end_of_raw(text: str, at: int) -> int:
    open_brackets: list[str] = []
    while at < len(text):
        char = text[at]
        if open_brackets and char == open_brackets[-1]:
            open_brackets.pop()
        elif not open_brackets and char in _ENDS:
            break
        elif char in _PAIRS:
            open_brackets.append(_PAIRS[char])
        at += 1
    return at


def _is_bare(text: str) -> bool:
    """Whether a text can stand without quotation marks: nothing in it ends it, nobody takes it for anything else."""
    return (
        text != ""
        and text == text.strip()
        and text[0] not in '"{['
        and text.isprintable()
        and _end_of_raw(text, 0) == len(text)
        and _end_of_raw(f"{text};", 0) == len(text)
    )


def _write_text(value: Any, depth: int) -> str:
    if not isinstance(value, str):
        raise Unsayable("not a text")
    return value if _is_bare(value) else as_json(value, _LONGEST)


def _read_text(reader: _Reader) -> str:
    value = reader.value() if reader.text.startswith('"', reader.at) else reader.raw()
    if not isinstance(value, str):
        raise Unsayable("not a text")
    return value


def _write_format(value: Any, depth: int) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise Unsayable("not the name of a format")
    return value


def _write_json(value: Any, depth: int) -> str:
    text = as_json(value, _LONGEST)
    try:
        same = bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise Unsayable("not JSON, or too long")
    return text


def _write_value(value: Any, depth: int) -> str:
    if isinstance(value, str) and _is_bare(value) and not _reads_as_json(value):
        return value
    return _write_json(value, depth)


def _reads_as_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read_json(reader: _Reader) -> Any:
    start = reader.at
    value = reader.value()
    if isinstance(value, str) and not reader.text.startswith('"', start):
        raise Unsayable("not JSON")
    return value


def _write_number(value: Any, depth: int) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unsayable("not a number")
    text = as_json(value, _LONGEST)
    if not _NUMBER.fullmatch(text):
        raise Unsayable("too long a number")
    return text


def _read_number(reader: _Reader) -> int | float:
    try:
        value = _DECODER.decode(reader.match(_NUMBER))
    except ValueError as error:
        raise Unsayable("not a number") from error
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise Unsayable("not a number")
    return value


def _listed(item: Kind, separator: str) -> Kind:
    """One or more of a kind."""

    def write(value: Any, depth: int) -> str:
        if not isinstance(value, list) or not value:
            raise Unsayable("nothing to list")
        return separator.join(item.write(one, depth) for one in value)

    def read(reader: _Reader) -> list[Any]:
        found = [item.read(reader)]
        while reader.take(separator):
            found.append(item.read(reader))
        return found

    return Kind(write, read)


def _always(constant: Any) -> Kind:
    """A keyword that says only one thing."""

    def write(value: Any, depth: int) -> str:
        if value is not constant:
            raise Unsayable("the other way round")
        return ""

    return Kind(write, lambda reader: constant)


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise Unsayable("not a name")
    return value if _NAME.fullmatch(value) else as_json(value, _LONGEST)


def _is_named(schemas: Any) -> bool:
    return isinstance(schemas, dict) and all(isinstance(item, dict | bool) for item in schemas.values())


def _write_named(schemas: Any, depth: int) -> str:
    if not _is_named(schemas):
        raise Unsayable("no schemas by name")
    said = {name: _without_idle_title(name, item) for name, item in schemas.items()}
    return f"{{{', '.join(f'{_name(name)}: {_rule(item, depth - 1)}' for name, item in said.items())}}}"


def _without_idle_title(name: Any, schema: Any) -> Any:
    """A schema without a title that only repeats its name or its description, as those that programs generate do."""
    if isinstance(schema, dict) and is_idle_title(schema, name):
        return {key: value for key, value in schema.items() if key != "title"}
    return schema


def _read_named(reader: _Reader) -> JsonSchema:
    reader.expect("{")
    found: JsonSchema = {}
    while not reader.take("}"):
        if found:
            reader.expect(", ")
        name = reader.name()
        reader.expect(": ")
        if name in found:
            raise Unsayable("twice")
        found[name] = reader.rule()
    return found


def _write_definitions(schemas: Any, depth: int) -> str:
    if not _is_named(schemas) or not schemas:
        raise Unsayable("no schemas by name")
    said = {name: _without_idle_title(name, item) for name, item in schemas.items()}
    return ", ".join(f"<{_name(name)}> is {_rule(item, depth - 1)}" for name, item in said.items())


def _read_definitions(reader: _Reader) -> JsonSchema:
    found: JsonSchema = {}
    while not found or reader.take(", "):
        reader.expect("<")
        name = reader.name()
        reader.expect("> is ")
        if name in found:
            raise Unsayable("twice")
        found[name] = reader.rule()
    return found


def _plural(one: str, keyword: str) -> Callable[[JsonSchema], str]:
    several = f"{one[:-1]}ies" if one.endswith("y") else f"{one}s"
    return lambda schema: f" {one if schema[keyword] == 1 else several}"


_TEXT = Kind(_write_text, _read_text)
_FORMAT = Kind(_write_format, lambda reader: reader.match(_NAME))
_JSON = Kind(_write_json, _read_json)
_ANY = Kind(_write_value, lambda reader: reader.value())
_SOME_NUMBER = Kind(_write_number, _read_number)
_RULE = Kind(_rule, lambda reader: reader.rule())
_BARRED = _listed(
    Kind(lambda value, depth: _rule(value, depth, single=True), lambda reader: reader.rule(single=True)), " | "
)
_NAMES = _listed(Kind(lambda value, depth: _name(value), lambda reader: reader.name()), ", ")
_NAMED = Kind(_write_named, _read_named)

# In the order in which they are said. Those of `words` have its vocabulary (`fitting.words.constraint`).
ROWS = (
    Row("title", "title: ", _TEXT),
    Row("enum", "allowed values: ", _listed(_ANY, ", ")),
    Row("const", "must be ", _JSON),
    Row("format", "format: ", _FORMAT),
    Row("minimum", "minimum ", _SOME_NUMBER),
    Row("exclusiveMinimum", "must be greater than ", _SOME_NUMBER),
    Row("maximum", "maximum ", _SOME_NUMBER),
    Row("exclusiveMaximum", "must be less than ", _SOME_NUMBER),
    Row("multipleOf", "multiple of ", _SOME_NUMBER),
    Row("minLength", "at least ", _SOME_NUMBER, _plural("character", "minLength")),
    Row("maxLength", "at most ", _SOME_NUMBER, _plural("character", "maxLength")),
    Row("pattern", "must match ", _TEXT),
    Row("contentEncoding", "encoding: ", _TEXT),
    Row("contentMediaType", "media type: ", _TEXT),
    Row("contentSchema", "content: ", _RULE),
    Row("minItems", "at least ", _SOME_NUMBER, _plural("item", "minItems")),
    Row("maxItems", "at most ", _SOME_NUMBER, _plural("item", "maxItems")),
    Row("uniqueItems", "items must be unique", _always(True)),
    Row("prefixItems", "tuple: ", _BARRED),
    Row("items", "items: ", _RULE),
    Row("contains", "contains: ", _RULE),
    Row("properties", "properties: ", _NAMED),
    Row("required", "required: ", _NAMES),
    Row("additionalProperties", "no other properties", _always(False)),
    Row("additionalProperties", "other properties: ", _RULE),
    Row("patternProperties", "keys that match ", _NAMED),
    Row("propertyNames", "keys: ", _RULE),
    Row("minProperties", "at least ", _SOME_NUMBER, _plural("property", "minProperties")),
    Row("maxProperties", "at most ", _SOME_NUMBER, _plural("property", "maxProperties")),
    Row("anyOf", "any of: ", _BARRED),
    Row("oneOf", "exactly one of: ", _BARRED),
    Row("allOf", "all of: ", _BARRED),
    Row("not", "not: ", _RULE),
    Row("if", "if: ", _RULE),
    Row("then", "then: ", _RULE),
    Row("else", "else: ", _RULE),
    Row("default", "if left out: ", _ANY),  # not `default: `, which people write
    Row("examples", "examples: ", _listed(_ANY, ", ")),
    Row("deprecated", "deprecated", _always(True)),
    Row("readOnly", "read-only", _always(True)),
    Row("writeOnly", "write-only", _always(True)),
    Row("$defs", "where ", Kind(_write_definitions, _read_definitions)),
)

# The words that a tail can begin with, so that other brackets are not looked into.
_FIRST = {row.before.partition(" ")[0] for row in ROWS} | {*_TYPES, "any", "<", _OPTIONAL}
_STARTS = re.compile(rf" \((?=\{{|(?:{'|'.join(map(re.escape, _FIRST))}))| \(JSON\): ")
