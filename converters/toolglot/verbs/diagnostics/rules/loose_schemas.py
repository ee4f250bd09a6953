"""Rules of the family `tool-schemas`: schemas that say too little for a model, and those that are too much for it."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats.kit.rule import Hit, Rule, SchemaPlace, SchemaTest, Subject
from toolglot.converter.schema.keywords import walk
from toolglot.converter.text.pointers import mapping_at, pointer_below
from toolglot.verbs.diagnostics.rules.phrases import with_parameter

_MOST_PARAMETERS = 10
_MOST_LEVELS = 5


def _find_loose_array(node: SchemaPlace) -> Iterator[Hit]:
    if node.schema["type"] == "array" and not node.schema.keys() & {"items", "prefixItems", "$ref", "contains"}:
        yield Hit()


_SAYS_TYPE = frozenset(
    {"type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "not", "if", "$dynamicRef", "properties", "items"}
)


def _find_untyped(node: SchemaPlace) -> Iterator[Hit]:
    for name, schema in mapping_at(node.schema, "properties").items():
        if isinstance(schema, dict) and _SAYS_TYPE.isdisjoint(schema):
            yield Hit({"name": name}, inner=pointer_below("/properties", name))


_SAYS_KEYS = frozenset(
    {"properties", "additionalProperties", "patternProperties", "$ref", "anyOf", "oneOf", "allOf", "propertyNames"}
)


def _find_free_object(node: SchemaPlace) -> Iterator[Hit]:
    if node.schema["type"] == "object" and node.pointer and _SAYS_KEYS.isdisjoint(node.schema):
        yield Hit()


def _find_many(subject: Subject) -> Iterator[Hit]:
    number = len(mapping_at(subject.own.inputs or {}, "properties"))
    if number > _MOST_PARAMETERS and not subject.is_command:
        yield Hit({"number": number}, "inputs", "/properties")


def _find_deep(subject: Subject) -> Iterator[Hit]:
    if subject.own.inputs is None:
        return
    for pointer, _ in walk(subject.own.inputs):
        if pointer.count("/properties/") + pointer.count("/items") > _MOST_LEVELS:
            yield Hit({"most": _MOST_LEVELS}, "inputs", pointer)
            return


_NUMBER = {"type": "number", "description": "The first number."}

RULES = (
    Rule(
        code="array-without-items",
        severity="info",
        message="nothing says what the array holds",
        why="Some providers refuse it, and a model guesses.",
        mend="Say it in `items`.",
        citation="measured: 32 published tools",
        bad=with_parameter({"type": "array"}),
        good=with_parameter({"type": "array", "items": {"type": "number"}}),
        of_schema=SchemaTest(("type",), _find_loose_array),
    ),
    Rule(
        code="parameter-untyped",
        severity="info",
        message="nothing says what `{name}` may be",
        why="A model guesses, and a provider that enforces schemas enforces nothing.",
        mend="Give it a type.",
        citation="agent-friend",
        bad=with_parameter({"description": "The first number."}),
        good=with_parameter(_NUMBER),
        of_schema=SchemaTest(("properties",), _find_untyped),
    ),
    Rule(
        code="free-object",
        severity="info",
        message="nothing says what the object holds",
        why="A model makes its keys up.",
        mend="Declare its properties.",
        citation="agent-friend",
        bad=with_parameter({"type": "object"}),
        good=with_parameter({"type": "object", "properties": {"x": _NUMBER}}),
        of_schema=SchemaTest(("type",), _find_free_object),
    ),
    Rule(
        code="many-parameters",
        severity="info",
        message=f"{{number}} parameters are more than {_MOST_PARAMETERS}",
        why="Models leave out or mix up parameters of long lists.",
        mend="Make several tools of it, or group what belongs together.",
        citation="agent-friend",
        bad={"id": "add", "inputs": {"properties": {f"n{index}": _NUMBER for index in range(11)}}},
        good=with_parameter(_NUMBER),
        of_tool=_find_many,
    ),
    Rule(
        code="deep-schema",
        severity="info",
        message="the schema is nested more than {most} levels deep",
        why="Models lose track of what belongs where, and providers have limits.",
        mend="Flatten it.",
        citation="agent-friend",
        bad=with_parameter({"items": {"items": {"items": {"items": {"items": {"items": _NUMBER}}}}}}),
        good=with_parameter({"items": _NUMBER}),
        of_tool=_find_deep,
    ),
)
