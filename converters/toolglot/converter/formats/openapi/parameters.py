"""The parameters of an operation: the schema of each, and where in a request its value goes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Any, NamedTuple

from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.openapi.operations import Operation
from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.keywords import expand_boolean_schema, truth_value
from toolglot.converter.text.pointers import (
    as_mapping,
    list_at,
    mapping_at,
    only_keys,
    without_empty,
    without_keys,
    without_nulls,
)

_PLACES = ("path", "query", "querystring", "header", "cookie")
_PLACES_OF_SWAGGER = ("path", "query", "header", "body", "formData")
_INSTEAD = {"formData": "body", "query": "querystring"}  # a place -> the one that leaves no room for it
_VARIABLE = re.compile(r"\{([^{}/?#]+)\}")  # of a path
# Headers that are said elsewhere: as security, and as media types of what is sent and answered.
_HEADERS_SAID_ELSEWHERE = frozenset({"accept", "content-type", "authorization"})
_DEFAULT_STYLES = {"path": "simple", "header": "simple", "query": "form", "cookie": "form"}
_EXPLODED = ("form", "cookie")  # unless a parameter says otherwise
_WITH_COMMAS: dict[str, Any] = {"explode": False}
_COLLECTION_FORMATS: dict[str, dict[str, Any]] = {
    "multi": {"explode": True},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
    "tsv": {"style": "tabDelimited", "explode": False},
}
_VALUES_OF_EXAMPLES = ("dataValue", "value")  # the first is of 3.2
# What is said in the schema of the argument.
_OF_SCHEMA = frozenset({"schema", "content", "description", "example", "examples", "deprecated", "required"})
_OF_BINDING = frozenset({"in", "name", "style", "explode", "collectionFormat"})
# What a parameter of Swagger says of itself in the words of JSON Schema.
_SCHEMA_KEYWORDS = frozenset({
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable",
})  # fmt: skip


class Argument(NamedTuple):
    """One argument of a call.

    Attributes:
        name: in the request.
        place: "path", "query", "querystring", "header", "cookie" or "body".
        binding: how its value is written, in the words of the format.
        needs: pointers of the schemas that its schema refers to.
    """

    name: str
    place: str
    schema: JsonSchema | bool
    is_required: bool
    binding: dict[str, Any]
    needs: tuple[str, ...]


def stated_parameters(operation: Operation) -> list[dict[str, Any]]:
    """The parameters of an operation that its requests carry, and those of its path that it does not state anew."""
    sent: list[dict[str, Any]] = []
    operation.look_at("parameters")
    parameters = _by_name(operation, operation.item) | _by_name(operation, operation.data)
    places = {place for _, place in parameters}
    for (name, place), parameter in parameters.items():
        if _is_said_elsewhere(operation, parameter):
            operation.notes.note("ignoredParameters", [parameter])
        elif _INSTEAD.get(place) not in places and _has_place(operation, name, place):
            sent.append(parameter)
        else:
            operation.notes.note("unsentParameters", [parameter])
    for name in undeclared_variables(operation.path, parameters):
        operation.notes.note("undeclaredVariables", [name])
        sent.append({"name": name, "in": "path", "required": True, "schema": {"type": "string"}})
    return sent


def _has_place(operation: Operation, name: str, place: str) -> bool:
    """Whether requests of the version have the place of a parameter, and their path its name."""
    if place == "path":
        return name in _VARIABLE.findall(operation.path)
    return place in (_PLACES_OF_SWAGGER if operation.api.is_swagger else _PLACES)


def _by_name(operation: Operation, holder: Any) -> dict[tuple[str, str], dict[str, Any]]:
    """The parameters that a path or an operation states, by name and place; of two alike the last."""
    parameters: dict[tuple[str, str], dict[str, Any]] = {}
    for entry in list_at(holder, "parameters"):
        parameter = operation.resolve(entry) or {}
        name, place = parameter.get("name"), parameter.get("in")
        if isinstance(name, str) and isinstance(place, str):
            if (name, place) in parameters:
                operation.notes.note("unsentParameters", [parameters[name, place]])
            parameters[name, place] = parameter
    return parameters


def undeclared_variables(path: str, declared: Container[tuple[Any, Any]]) -> list[str]:
    """The variables of a path that no parameter declares.

    >>> undeclared_variables("/users/{id}/posts/{post}", [("id", "path")])
    ['post']
    """
    names = dict.fromkeys(_VARIABLE.findall(path.partition("#")[0]))
    return [name for name in names if (name, "path") not in declared]


def arguments_of_address(operation: Operation, parameters: Iterable[dict[str, Any]]) -> list[Argument]:
    """The arguments that go into the address, the headers and the cookies of a request."""
    arguments: list[Argument] = []
    for parameter in parameters:
        place = parameter["in"]
        if place not in _PLACES:
            continue  # the body
        media_type = None
        content = mapping_at(parameter, "content")
        if content:
            media_type, entry = next(iter(content.items()))
            raw = as_mapping(entry).get("schema", {})
        else:
            raw = parameter.get("schema", only_keys(parameter, _SCHEMA_KEYWORDS))
        definition = operation.api.sent_schemas.restate(raw, operation.notes)
        binding = _binding(parameter, media_type)
        schema = put_words(definition.schema, parameter, binding)
        # `required` in the schema is a word of draft 3, and of those who mean the parameter.
        is_required = place == "path" or any(
            truth_value(entry.get("required")) for entry in (parameter, as_mapping(raw))
        )
        arguments.append(Argument(parameter["name"], place, schema, is_required, binding, definition.needs))
    return arguments


def _is_said_elsewhere(operation: Operation, parameter: dict[str, Any]) -> bool:
    """Whether it is a header that requests have for other reasons. Swagger has no such rule."""
    is_header = not operation.api.is_swagger and parameter["in"] == "header"
    return is_header and parameter["name"].lower() in _HEADERS_SAID_ELSEWHERE


def _binding(parameter: dict[str, Any], media_type: str | None) -> dict[str, Any]:
    """How a value is written: the style, and what else is stated that no field of a tool says."""
    place = parameter["in"]
    binding: dict[str, Any] = {"in": place, "name": parameter["name"]}
    if media_type is not None:
        binding["contentType"] = media_type
    elif place in _DEFAULT_STYLES:
        binding |= style_of(parameter, _DEFAULT_STYLES[place])
    known_keys = _OF_SCHEMA | _OF_BINDING
    if "schema" not in parameter:
        known_keys |= _SCHEMA_KEYWORDS
    return put_beside(binding, without_keys(parameter, *known_keys), "contentType", "schema")


def put_beside(binding: dict[str, Any], stated: dict[str, Any], *own_keys: str) -> dict[str, Any]:
    """A binding with what its document states beside it.

    A request is made of the keys that are our own. What the document states under one of them decides nothing: it
    could send a value of the body as the header that signs in.

    >>> put_beside({"in": "body"}, {"in": "header", "style": "form"}, "in", "name")
    {'in': 'body', 'style': 'form', 'stated': {'in': 'header'}}
    """
    foreign = {"stated": only_keys(stated, own_keys)}
    return {**binding, **without_keys(stated, *own_keys), **without_empty(foreign)}


def style_of(parameter: dict[str, Any], default: str) -> dict[str, Any]:
    """How lists and objects are written; Swagger has another word for it, and commas where that is missing."""
    if "schema" not in parameter:
        return {"style": default, **_COLLECTION_FORMATS.get(str(parameter.get("collectionFormat")), _WITH_COMMAS)}
    style = parameter.get("style", default)
    return {"style": style, "explode": parameter.get("explode", style in _EXPLODED)}


def put_words(schema: JsonSchema | bool, entry: dict[str, Any], binding: dict[str, Any]) -> JsonSchema | bool:
    """A schema with what is said of its value around it: its text, its examples, that it is out of use.

    What the schema says of these itself gives way, and goes to `binding`.
    """
    words: dict[str, Any] = without_nulls({
        "description": stated_text(entry, "description"),
        "examples": example_values(entry) or None,
        "deprecated": truth_value(entry.get("deprecated")) or None,
    })  # fmt: skip
    binding |= examples_elsewhere(entry)
    if not words:
        return schema
    own = expand_boolean_schema(schema)
    own_words = only_keys(own, words)
    if own_words:
        binding["schema"] = own_words
    return {**own, **words}


def example_values(entry: dict[str, Any]) -> list[Any]:
    """The values of `example` and `examples`.

    >>> example_values({"example": 1}), example_values({"examples": {"a": {"value": 2}, "b": {"summary": "?"}}})
    ([1], [2])
    """
    values = [entry["example"]] if "example" in entry else []
    for example in _named_examples(entry).values():
        for key in _VALUES_OF_EXAMPLES:
            if key in example:
                values.append(example[key])
                break
    return values


def examples_elsewhere(entry: dict[str, Any]) -> dict[str, Any]:
    """The examples whose values are not at hand as JSON, for the binding.

    >>> examples_elsewhere({"examples": {"a": {"value": 2}, "b": {"externalValue": "b.json"}}})
    {'examplesElsewhere': {'b': {'externalValue': 'b.json'}}}
    """
    examples = _named_examples(entry)
    others = {name: example for name, example in examples.items() if example.keys().isdisjoint(_VALUES_OF_EXAMPLES)}
    return without_empty({"examplesElsewhere": others})


def _named_examples(entry: dict[str, Any]) -> dict[str, dict[str, Any]]:
    examples = mapping_at(entry, "examples")
    return {name: example for name, example in examples.items() if isinstance(example, dict)}
