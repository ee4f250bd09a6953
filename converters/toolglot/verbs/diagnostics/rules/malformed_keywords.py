"""Rules of the family `tool-schemas` about single keywords: values that they cannot have, and misspelt ones.

They look at a schema as the document has it, because readers leave out, or put right, what the hub could not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.kit.rule import Hit, Rule, SchemaPlace, SchemaTest, Subject
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.arguments import Schema
from toolglot.converter.schema.budget import MAX_PLACES
from toolglot.converter.schema.keywords import (
    ALL_SHAPES,
    ANNOTATIONS,
    APPLIES,
    ASSERTIONS,
    NAMED,
    OF_A_TYPE,
    SCHEMA,
    TYPES,
    Shape,
    are_schemas,
    is_schema,
    walk,
)
from toolglot.converter.schema.metaschemas import OLDEST, declared_draft
from toolglot.converter.text.pointers import as_list, escape, is_texts, mapping_at, pointer_below
from toolglot.converter.text.similar_names import find_slip, most_similar
from toolglot.converter.text.wording import to_short_json
from toolglot.verbs.diagnostics.rules.phrases import quote, with_parameter


def walk_document(whole: JsonSchema) -> Iterator[tuple[str, JsonSchema]]:
    """The schemas in one that a document holds, which may be larger than what is read."""
    characters = 0
    for pointer, schema in walk(whole):
        characters += len(pointer)
        if characters > MAX_PLACES:
            return  # nobody reads it further
        if isinstance(schema, dict):
            yield pointer, schema


def _find_bad_values(subject: Subject) -> Iterator[Hit]:
    """Values that keywords cannot have, in the schema as it is written, because readers leave such keywords out."""
    for field, whole in subject.document_schemas.items():
        draft = declared_draft(whole, subject.schema_draft)
        for pointer, schema in walk_document(whole):
            for keyword, value in schema.items():
                for inner, name, expected in _bad_values(keyword, value, draft):
                    yield Hit({"keyword": name, "expected": expected}, field, f"{pointer}/{keyword}{inner}")


def _bad_values(keyword: str, value: Any, draft: int | None = None) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the value of a keyword: where in it, what stands there, and what has to be.

    Args:
        draft: of the schema; `None` where it may be any.
    """
    if value is None and draft is None:
        return  # some generators write it for what is absent
    if keyword in NAMED and isinstance(value, dict):
        for name, inner in value.items():
            if not is_schema(inner):
                yield f"/{escape(name)}", name, SCHEMA.expected
    elif keyword in _EXPECTED and not _EXPECTED[keyword].fits(value) and not _is_older_form(keyword, value, draft):
        yield "", keyword, _EXPECTED[keyword].expected


def _is_older_form(keyword: str, value: Any, draft: int | None) -> bool:
    """Whether a value is one that the keyword had in a draft, or that tolerant readers take where none is known."""
    last_draft, is_form = _OLDER_FORMS.get(keyword, (OLDEST, lambda value: False))
    repaired_value = _EXPECTED[keyword].repair(value)
    if draft is None and repaired_value is not None and _EXPECTED[keyword].fits(repaired_value):
        return True  # integers of 64 bits are written as texts
    return is_form(value) and (draft is None or draft <= last_draft)


_EXPECTED: dict[str, Shape] = {
    **ALL_SHAPES,
    "type": Shape(  # of what the names in it say, `unknown-type` speaks
        lambda value: not isinstance(value, list) or (bool(value) and len(set(map(str, value))) == len(value)),
        "a type, or a list of different ones",
    ),
    **dict.fromkeys(("$id", "$schema"), ALL_SHAPES["$ref"]),
}

# Keyword -> the last draft that gave it another kind of value, and what that was.
_OLDER_FORMS: dict[str, tuple[int, Callable[[Any], bool]]] = {
    **dict.fromkeys(
        ("exclusiveMinimum", "exclusiveMaximum", "required"), (OLDEST, lambda value: isinstance(value, bool))
    ),
    "items": (2019, are_schemas),
}


# -- misspelt keywords ------------------------------------------------------------------------------------------

# Those of this draft, of older ones and of OpenAPI, and what generators write, apart from `x-...`.
KEYWORDS = ANNOTATIONS | ASSERTIONS | {
    "definitions", "dependencies", "additionalItems", "id", "extends", "disallow", "divisibleBy", "$recursiveRef",
    "$recursiveAnchor", "$dynamicRef", "$defs", "nullable", "example", "optional", "discriminator",
}  # fmt: skip
# Not those that other words are too near to: `const` to `cost`, `not` to `note`, `$anchor` to `anchor`.
_MISSPELT = sorted({
    keyword for keyword in ASSERTIONS | ANNOTATIONS | {"$defs"}
    if keyword in ("$ref", "$defs") or not (keyword.startswith("$") or keyword in ("const", "not", "if"))
})  # fmt: skip
_SHORTEST, _SHORTEST_WITH_SCHEMAS = 5, 4  # letters of what can be told from another word
_LONGEST = 30
_MOST_UNKNOWN = 1_000  # keys of a schema; one with more is no schema with slips


def _find_misspelt(subject: Subject) -> Iterator[Hit]:
    """Keys that nobody knows, and that differ from a keyword by a slip."""
    for field in ("inputs", "outputs"):
        whole = subject.document_schemas.get(field, getattr(subject.own, field))
        unknown: set[str] = set()
        for pointer, schema in walk_document(whole or {}):
            for name in schema.keys() - KEYWORDS:
                unknown.add(name)
                meant = find_meant(name, schema)
                if meant is not None:
                    yield Hit({"name": name, "meant": meant}, field, pointer_below(pointer, name))
            if len(unknown) > _MOST_UNKNOWN:
                break


def find_meant(name: str, schema: JsonSchema) -> str | None:
    """The keyword that was most likely meant by an unknown one in a schema; `None` where that is likely none.

    Its value has to be one that the keyword could have, and the keyword itself not stand there.

    >>> find_meant("minLenght", {"type": "string", "minLenght": 1}), find_meant("unit", {"unit": "cm"})
    ('minLength', None)
    """
    if name in KEYWORDS or name.startswith("x-") or len(name) > _LONGEST:
        return None
    value = schema[name]
    meant = find_slip(name, _MISSPELT, _SHORTEST_WITH_SCHEMAS if isinstance(value, dict) else _SHORTEST)
    if meant is None or meant in schema:
        return None
    return meant if _could_be(meant, value, schema) else None


def _could_be(keyword: str, value: Any, schema: JsonSchema) -> bool:
    """Whether a value could be that of a keyword, and the keyword say something in the schema that it stands in."""
    types = as_list(schema.get("type", []))
    if keyword in OF_A_TYPE and not any(keyword in APPLIES.get(str(name), ()) for name in types):
        return False
    match keyword:
        case "type":
            return bool(as_list(value)) and all(name in TYPES for name in as_list(value))
        case "required":
            return is_texts(value) and bool(value) and all(name in mapping_at(schema, "properties") for name in value)
        case "$ref":
            return isinstance(value, str) and value.startswith("#")
        case "default":
            return True
    return not any(_bad_values(keyword, value))


def _find_bad_pattern(node: SchemaPlace) -> Iterator[Hit]:
    pattern = node.schema["pattern"]
    if not isinstance(pattern, str):
        return
    import jsonschema_rs  # 11 ms that only schemas with patterns pay

    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern})
    except (ValueError, jsonschema_rs.ValidationError):
        yield Hit({"pattern": quote(pattern)}, inner="/pattern")


_LONGEST_TYPE = 20  # characters of one that was meant to be a type
_MEANT = {
    "dict": "object", "map": "object", "float": "number", "double": "number", "int": "integer", "long": "integer",
    "str": "string", "text": "string", "bool": "boolean", "list": "array", "tuple": "array", "any": "no type",
}  # fmt: skip


def _find_unknown_type(node: SchemaPlace) -> Iterator[Hit]:
    """Types that no draft has."""
    for name in as_list(node.schema["type"]):
        if not (isinstance(name, str) and name.lower() in TYPES):
            yield Hit({"type": to_short_json(name), "hint": _hint_at_type(name)}, inner="/type")


def _hint_at_type(name: Any) -> str:
    is_word = isinstance(name, str) and len(name) <= _LONGEST_TYPE
    nearest = most_similar(name, [*TYPES, *_MEANT]) if is_word else None
    return "" if nearest is None else f"; write {_MEANT.get(nearest, nearest)}"


def find_as_written(keyword: str, find: Callable[[SchemaPlace], Iterator[Hit]], subject: Subject) -> Iterator[Hit]:
    """What is found in the schemas with a keyword as the document has them: readers correct what is likely meant."""
    for field, whole in subject.document_schemas.items():
        judge = Schema(whole)
        for pointer, schema in walk_document(whole):
            if keyword in schema:
                for hit in find(SchemaPlace(schema, pointer, whole, judge)):
                    yield replace(hit, field=field, inner=pointer + hit.inner)


def is_type(name: Any) -> bool:
    """Whether a word is the name of a type, or was meant to be one."""
    return isinstance(name, str) and (name.lower() in TYPES or name.lower() in _MEANT)


# A document whose reader corrects what the hub could not say.
_AS_WRITTEN = """{{"name": "add", "description": "Write a word down.", "inputSchema": {{"type": "object",
 "properties": {{"word": {{"type": "string", "description": "Which word.", "{}": {}}}}}}}}}"""

RULES = (
    Rule(
        code="keyword-value",
        message="the value of `{keyword}` has to be {expected}",
        why="Validators refuse the whole schema, and others leave the keyword out.",
        mend="Correct the value, or take the keyword out. Where a table filled up with null what a record lacks, take "
        "that out before: a parameter of null is offered as one of any value.",
        citation="JSON Schema 2020-12, its meta-schema",
        bad=_AS_WRITTEN.format("minLength", "-1"),
        good=_AS_WRITTEN.format("minLength", "1"),
        is_last_resort=True,
        of_tool=_find_bad_values,
    ),
    Rule(
        code="keyword-spelling",
        message="`{name}` is no keyword of JSON Schema; write `{meant}`",
        why="Validators pass over keywords that they do not know, so that nothing is checked.",
        mend="Correct the spelling. A keyword of your own that looks like it begins with `x-`.",
        bad=_AS_WRITTEN.format("minLenght", "1"),
        good=_AS_WRITTEN.format("minLength", "1"),
        of_tool=_find_misspelt,
    ),
    Rule(
        code="bad-pattern",
        severity="error",
        message="{pattern} is no regular expression that every validator reads",
        why="Validators refuse the whole schema.",
        mend=r"Correct it, or say it without `[^]`, `\k<name>` and a `-` behind `\w`.",
        citation="agent-friend",
        bad=with_parameter({"type": "string", "pattern": "a("}),
        good=with_parameter({"type": "string", "pattern": "a+"}),
        of_schema=SchemaTest(("pattern",), _find_bad_pattern),
    ),
    Rule(
        code="unknown-type",
        severity="error",
        message="{type} is no type of JSON Schema{hint}",
        why="Validators refuse the whole schema, and providers the request.",
        mend="Write object, array, string, number, integer, boolean or null.",
        citation="agnix MCP-003",
        bad=with_parameter({"type": "float"}),
        good=with_parameter({"type": "number"}),
        of_tool=partial(find_as_written, "type", _find_unknown_type),
        of_schema=SchemaTest(("type",), _find_unknown_type),
    ),
)
