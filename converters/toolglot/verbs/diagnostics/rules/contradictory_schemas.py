"""Rules of the family `tool-schemas`: schemas that contradict themselves, and values that contradict their schema.

A model copies an example and a host sends a default; one that its own schema refuses is a call that fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from toolglot.converter.formats.kit.rule import Hit, Rule, SchemaPlace, SchemaTest, Subject
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.arguments import Schema
from toolglot.converter.schema.keywords import (
    APPLIES,
    IN_PLACE,
    OF_A_TYPE,
    schemas_in_place,
    walk,
)
from toolglot.converter.text.pointers import (
    as_list,
    as_mapping,
    decode_fragment,
    list_at,
    pointer_below,
    texts_of,
    value_at,
)
from toolglot.converter.text.wording import to_short_json
from toolglot.verbs.diagnostics.rules.malformed_keywords import KEYWORDS, find_as_written, find_meant, is_type
from toolglot.verbs.diagnostics.rules.phrases import quote, with_parameter

_NAMES_ANY = frozenset({"$dynamicRef", "patternProperties"})
_MOST_PARTS = 200  # of what is asked of one value; what refers to itself there has more
_MISSING = object()


def _find_undeclared(node: SchemaPlace) -> Iterator[Hit]:
    # Where nothing has `properties`, a caller often knows them from elsewhere; the arguments of a tool nobody does.
    names, declared = node.schema["required"], _declared_names(node, None if node.pointer else [])
    if not isinstance(names, list) or declared is None:
        return
    if not IN_PLACE.isdisjoint(node.pointer.split("/")):
        return  # one condition among several says what another declares
    for index, name in enumerate(names):
        if isinstance(name, str) and name not in declared:
            yield Hit({"name": repr(name)}, inner=f"/required/{index}")


def _declared_names(node: SchemaPlace, names: list[str] | None) -> list[str] | None:
    """The properties of a schema and of all that look at the same value; `None` where these may have any.

    Args:
        names: what there is where nothing has `properties`.
    """
    parts: list[JsonSchema] = [node.schema]
    for part in parts:  # grows on the way
        if isinstance(part.get("properties"), dict):
            names = [*(names or ()), *part["properties"]]
        parts += [inner for inner in schemas_in_place(part) if isinstance(inner, dict)]
        reference = part.get("$ref")
        if isinstance(reference, str):
            target = value_at(node.whole, decode_fragment(reference[1:])) if reference.startswith("#") else None
            if not isinstance(target, dict):
                return None
            parts.append(target)
        if len(parts) > _MOST_PARTS or not _NAMES_ANY.isdisjoint(part):
            return None
    return names


def judge_of(node: SchemaPlace) -> Schema:
    """What tells which values a schema accepts."""
    refers = any("$ref" in inner for _, inner in walk(node.schema) if isinstance(inner, dict))
    # Alone where it can be, because another part may lead nowhere.
    return node.judge.part(node.pointer) if refers else Schema(node.schema, node.judge.budget)


def _find_bad_default(node: SchemaPlace, is_null: bool) -> Iterator[Hit]:
    default = node.schema["default"]
    why = judge_of(node).refusal(default) if (default is None) == is_null else None
    if why is not None:
        yield Hit({"why": why}, inner="/default")


def _find_bad_examples(node: SchemaPlace) -> Iterator[Hit]:
    judge = judge_of(node)
    for index, value in enumerate(list_at(node.schema, "examples")):
        why = judge.refusal(value)
        if why is not None:
            yield Hit({"why": f"its own schema refuses it: {why}"}, inner=f"/examples/{index}")


def _find_required_default(node: SchemaPlace) -> Iterator[Hit]:
    required = (node.owner or {}).get("required")
    if isinstance(required, list) and node.name in required:
        yield Hit({"name": node.name}, inner="/default")


def _find_dangling(node: SchemaPlace) -> Iterator[Hit]:
    reference = node.schema["$ref"]
    if not isinstance(reference, str) or not reference.startswith("#") or reference == "#":
        return
    if reference.startswith("#/"):
        leads_somewhere = value_at(node.whole, decode_fragment(reference[1:]), _MISSING) is not _MISSING
    else:
        leads_somewhere = reference[1:] in node.judge.anchors
    if not leads_somewhere and not node.judge.has_addresses:
        yield Hit({"reference": quote(reference)}, inner="/$ref")


def _find_lost_pointers(subject: Subject) -> Iterator[Hit]:
    """The same by JSON Pointers, which lead to the same place in every draft; readers look elsewhere too."""
    if not subject.shares_schemas:
        yield from find_as_written("$ref", _find_lost_pointer, subject)


def _find_lost_pointer(node: SchemaPlace) -> Iterator[Hit]:
    if str(node.schema["$ref"]).startswith("#/"):
        yield from _find_dangling(node)


def _find_idle_keywords(node: SchemaPlace) -> Iterator[Hit]:
    kinds = texts_of(as_list(node.schema["type"]))
    for keyword in node.schema:
        is_about_type = keyword in OF_A_TYPE and bool(kinds)
        if is_about_type and not any(keyword in APPLIES.get(kind, OF_A_TYPE) for kind in kinds):
            yield Hit({"keyword": keyword, "kind": " or ".join(kinds)}, inner=f"/{keyword}")
            return  # one tells that the type is wrong


_RANGES = (
    ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)  # fmt: skip
_LOWER = tuple(lower for lower, _ in _RANGES)


def _find_empty_range(node: SchemaPlace) -> Iterator[Hit]:
    for lower, upper in _RANGES:
        least, most = node.schema.get(lower), node.schema.get(upper)
        if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
            values = {"lower": f"{lower} {to_short_json(least)}", "upper": f"{upper} {to_short_json(most)}"}
            yield Hit(values, inner=f"/{lower}")


def _find_stray_parameters(subject: Subject) -> Iterator[Hit]:
    """Unknown keywords of objects that hold a schema, or the name of a type at the top: `properties` was forgotten."""
    for pointer, schema in walk(subject.own.inputs or {}):
        if not isinstance(schema, dict) or "object" not in as_list(schema.get("type", "object")):
            continue
        lists_types = not pointer and "properties" not in schema
        for name, value in schema.items():
            if name in KEYWORDS or name.startswith("x-") or find_meant(name, schema) is not None:
                continue
            has_type = any(map(is_type, as_list(as_mapping(value).get("type"))))
            if has_type or (lists_types and is_type(value)):
                yield Hit({"name": name}, "inputs", pointer_below(pointer, name))


_NUMBER = {"type": "number", "description": "The first number."}

RULES = (
    Rule(
        code="required-undeclared",
        message="{name} is required and nothing says what it is; declare it, or take it out",
        why="A model has to make up what it is, or the call fails.",
        mend="Declare the property, or take its name out of `required`.",
        citation="agent-friend; AgentGauge",
        bad=with_parameter(_NUMBER, required=["b"]),
        good=with_parameter(_NUMBER, required=["a"]),
        of_schema=SchemaTest(("required",), _find_undeclared),
    ),
    Rule(
        code="default-invalid",
        message="its own schema refuses it: {why}",
        why="A host that sends the default sends a call that fails.",
        mend="Correct the default or the schema.",
        citation="agent-friend",
        bad=with_parameter({"type": "integer", "default": "x"}),
        good=with_parameter({"type": "integer", "default": 1}),
        of_schema=SchemaTest(("default",), partial(_find_bad_default, is_null=False)),
    ),
    Rule(
        code="default-null",
        severity="info",
        message="the schema refuses null, which is the default",
        why="Some generators write null where there is no default; others send it.",
        mend="Leave the default out, or allow null.",
        citation="measured: what pydantic writes",
        bad=with_parameter({"type": "integer", "default": None}),
        good=with_parameter({"type": ["integer", "null"], "default": None}),
        of_schema=SchemaTest(("default",), partial(_find_bad_default, is_null=True)),
    ),
    Rule(
        code="example-invalid",
        message="{why}",
        why="A model copies examples.",
        mend="Correct the example or the schema.",
        bad=with_parameter({"type": "integer", "examples": ["x"]}),
        good=with_parameter({"type": "integer", "examples": [1]}),
        of_schema=SchemaTest(("examples",), _find_bad_examples),
    ),
    Rule(
        code="required-with-default",
        severity="info",
        message="`{name}` is required and has a default",
        why="One of the two is never used.",
        mend="Take it out of `required`, or leave the default out.",
        citation="agent-friend",
        bad=with_parameter({"type": "integer", "default": 1}, required=["a"]),
        good=with_parameter({"type": "integer", "default": 1}),
        of_schema=SchemaTest(("default",), _find_required_default, is_of_inputs=True),
    ),
    Rule(
        code="dangling-ref",
        severity="error",
        message="the reference {reference} leads nowhere",
        why="No reader can tell what is accepted, and validators refuse the whole schema.",
        mend="Add what it leads to, or correct it.",
        bad=with_parameter({"$ref": "#/$defs/n"}),
        good=with_parameter({"$ref": "#/$defs/n"}, **{"$defs": {"n": {"type": "number"}}}),
        of_tool=_find_lost_pointers,
        of_schema=SchemaTest(("$ref",), _find_dangling),
    ),
    Rule(
        code="idle-keyword",
        message="`{keyword}` says nothing about a value of type {kind}",
        why="What it rules out is accepted, or the type is wrong and refuses what is meant.",
        mend="Correct the type, or take the keyword out.",
        citation="ajv strictTypes",
        bad=with_parameter({"type": "object", "minItems": 3}),
        good=with_parameter({"type": "array", "minItems": 3}),
        of_schema=SchemaTest(("type",), _find_idle_keywords),
    ),
    Rule(
        code="empty-range",
        severity="error",
        message="{lower} is more than {upper}, so that nothing is accepted",
        why="The tool can never be called with this parameter.",
        mend="Correct one of them.",
        citation="agent-friend",
        bad=with_parameter({"type": "integer", "minimum": 5, "maximum": 1}),
        good=with_parameter({"type": "integer", "minimum": 1, "maximum": 5}),
        of_schema=SchemaTest(_LOWER, _find_empty_range),
    ),
    Rule(
        code="stray-parameter",
        message="`{name}` is no keyword of JSON Schema, and no parameter where it stands; declare it in `properties`",
        why="Nobody is offered the parameter, and a call that gives it may be refused.",
        mend="Put it into `properties`.",
        bad={"id": "add", "inputs": {"type": "object", "a": _NUMBER}},
        good=with_parameter(_NUMBER),
        of_tool=_find_stray_parameters,
    ),
)
