"""Constraints and annotations in plain words, for descriptions that a model reads.

One short sentence for a keyword, bounded in length, on one line; a keyword that tools rarely have, such as `if` or
`contains`, is written as it stands. Values are written as JSON, strings without quotes where nobody can take them for
anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from toolglot.converter.hub.model import JsonSchema
from toolglot.converter.schema.accepted_values.keywords_in_reports import is_neutral
from toolglot.converter.schema.keywords import is_well_formed, rebuild
from toolglot.converter.schema.titles import is_idle_title
from toolglot.converter.text.wording import (
    LONGEST,
    NAMES,
    add_full_stop,
    as_json,
    cut_text,
    join_names,
    join_values,
    say_value,
)

_DEPTH = 3  # schemas within schemas that `shape` looks at
_ELLIPSIS = {"$ref": "..."}  # a name is all that is said of a definition
_ENDS = (".", "!", "?", "…", "。")
# What the ATIP RFC says of these types behind a description (section 8.1, type coercion).
_HINTS = {"file-path": "(file path)", "directory-path": "(directory path)", "uri": "(URL)"}


def describe_keyword(keyword: str, value: Any, node: JsonSchema) -> str | None:
    """A keyword of a schema in words.

    Args:
        value: what the keyword says.
        node: the schema that it stands in; two bounds of one size give one and the same sentence.

    Returns:
        One line of at most some 300 characters that ends with a full stop; `None` if there is nothing to tell.

    >>> describe_keyword("exclusiveMinimum", 0, {})
    'Must be greater than 0.'
    >>> describe_keyword("minLength", 5, {"minLength": 5, "maxLength": 200})
    'Length 5-200.'
    >>> describe_keyword("enum", [1, "a, b", None], {}), describe_keyword("default", "now", {})
    ('Allowed values: 1, "a, b", null.', 'Default: now.')
    """
    if keyword in _SILENT or keyword.startswith("x-") or is_neutral(keyword, value):
        return None
    value = _shallow({keyword: value})[keyword]
    words = _WORDS.get(keyword)
    sentence: str | None = f"{keyword}: {as_json(value)}"
    if words is not None and is_well_formed({keyword: value}):
        with suppress(TypeError, ValueError, AttributeError, KeyError):  # of a type that the keyword does not have
            sentence = words(value, {**node, keyword: value})
    if sentence in _HINTS.values():
        return sentence
    return add_full_stop(sentence) if sentence else None


def _shallow(node: Any, levels: int = _DEPTH) -> Any:
    """A schema with an ellipsis for what lies so deep that no sentence has room for it."""

    def shorten(inner: Any, pointer: str) -> Any:
        if levels:
            return _shallow(inner, levels - 1)
        return _ELLIPSIS if inner else inner

    return rebuild(node, shorten)


def constraint(keyword: str, value: Any, node: JsonSchema) -> str | None:
    """The same as a part of a sentence.

    >>> constraint("pattern", "^a.", {})
    'must match ^a.'
    """
    sentence = describe_keyword(keyword, value, node)
    if sentence is None or keyword not in _WORDS:
        return sentence and sentence.removesuffix(".")
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def shape(schema: Any) -> str:
    """What a schema accepts, in a few words.

    >>> shape({"type": "array", "items": {"type": ["integer", "null"]}})
    'list of integer or null'
    >>> shape({"type": "object", "properties": {"a": {}, "b": {}}}), shape({"enum": ["x", "y"]})
    ('object with a, b', 'one of: x, y')
    """
    return cut_text(_shape(schema, _DEPTH), LONGEST)


def _shape(schema: Any, depth: int) -> str:
    if not isinstance(schema, dict):
        return "nothing" if schema is False else "any value"
    for keyword, form in _TELLING.items():
        if keyword in schema and is_well_formed({keyword: schema[keyword]}):
            return form(schema[keyword], depth)
    if depth <= 0 and isinstance(schema.get("type"), str):
        return str({"array": "list"}.get(schema["type"], schema["type"]))
    type_value = schema.get("type")
    if isinstance(type_value, list):
        return " or ".join(_shape({**schema, "type": name}, depth) for name in type_value) or "nothing"
    if type_value == "array" or (type_value is None and ("items" in schema or "prefixItems" in schema)):
        return _list_shape(schema, depth)
    if type_value == "object" or (type_value is None and "properties" in schema):
        return _object_shape(schema, depth)
    return str(type_value) if isinstance(type_value, str) else "any value"


def append(description: str | None, sentences: Iterable[str]) -> str | None:
    """A description followed by sentences, each only once, however often they are appended.

    >>> append("Env vars", ["As a list of key/value pairs.", "Default: 1."])
    'Env vars. As a list of key/value pairs. Default: 1.'
    >>> append("Size. Minimum 1.", ["Minimum 1."]), append(None, [])
    ('Size. Minimum 1.', None)
    """
    text = description or ""
    words = set(text.split())
    parts: list[str] = []
    if words:
        parts.append(text)
    for sentence in sorted(dict.fromkeys(sentences), key=lambda sentence: not sentence.startswith("(")):
        if words.issuperset(sentence.split()) and _has_sentence(text, sentence):
            continue
        if parts:
            before = parts[-1].rstrip()
            if not before.endswith(_ENDS) and not sentence.startswith("("):
                before += "."
            parts[-1] = before
        parts.append(sentence)
    if parts in ([], [text]):
        return description
    return " ".join(parts)


def _has_sentence(text: str, sentence: str) -> bool:
    """Whether a text has a sentence, with blanks or nothing around it."""
    start = text.find(sentence)
    while start >= 0:
        end = start + len(sentence)
        before, after = text[max(start - 1, 0) : start], text[end : end + 1]
        if not (before + after).strip():
            return True
        start = text.find(sentence, start + 1)
    return False


# -- shapes ------------------------------------------------------------------------------------------------------


def _alternatives(schemas: list[Any], depth: int) -> str:
    if depth <= 0:
        return "one of several"
    shapes = list(dict.fromkeys(_shape(item, depth - 1) for item in schemas[:NAMES]))
    return " or ".join(shapes) + (" or ..." if len(schemas) > NAMES else "")


def _list_shape(schema: JsonSchema, depth: int) -> str:
    prefix = schema.get("prefixItems")
    if isinstance(prefix, list) and prefix and depth > 0:
        return f"list of {', '.join(_shape(item, depth - 1) for item in prefix[:NAMES])} in this order"
    items = schema.get("items", True)
    if depth > 0 and isinstance(items, dict) and items:
        return f"list of {_shape(items, depth - 1)}"
    return "list"


def _object_shape(schema: JsonSchema, depth: int) -> str:
    properties, rest = schema.get("properties"), schema.get("additionalProperties")
    if isinstance(properties, dict) and properties:
        names = [say_value(name, 80) for name in list(properties)[:NAMES]]
        if len(properties) > NAMES:
            names.append("...")
        return f"object with {', '.join(names)}"
    if isinstance(rest, dict) and rest and depth > 0:
        return f"object whose values are {_shape(rest, depth - 1)}"
    return "object"


def _reference(value: str) -> str:
    names = {"#": "the whole schema again", "...": "..."}
    return names.get(value) or say_value(value.rpartition("/")[2], 80)


# Keywords that say by themselves what a value looks like, so that nothing else needs to be looked at.
_TELLING: dict[str, Callable[[Any, int], str]] = {
    "const": lambda value, depth: say_value(value, 120),
    "enum": lambda value, depth: f"one of: {join_values(value, ', ', 160)}",
    "$ref": lambda value, depth: _reference(value),
    "anyOf": _alternatives,
    "oneOf": _alternatives,
}

# -- rules: what a schema asks, as parts of a sentence -------------------------------------------------------------


def rule(schema: Any, depth: int = _DEPTH) -> str:
    """What a schema asks of a value, in words: its shape and its other constraints.

    >>> rule({"type": "integer", "minimum": 1})
    'integer, minimum 1'
    """
    parts: list[str] = []
    if isinstance(schema, dict) and depth > 0:
        sentences = [constraint(name, value, schema) for name, value in schema.items() if name not in _IN_SHAPE]
        parts = list(dict.fromkeys(filter(None, sentences)))
    shape_text = _shape(schema, depth)
    if shape_text != "any value" or not parts:
        parts.insert(0, shape_text)
    return ", ".join(parts)


# -- the sentences -------------------------------------------------------------------------------------------------


def _count(low: str, high: str, word: str, words: str) -> Callable[[Any, JsonSchema], str]:
    """Two bounds of a size in one sentence."""

    def describe_bounds(value: Any, node: JsonSchema) -> str:
        least, most = node.get(low, 0), node.get(high)
        name = word if most == 1 or (most is None and least == 1) else words
        if most is None:
            return f"At least {as_json(least)} {name}"
        if least == most:
            return f"Exactly {as_json(most)} {name}"
        if least:
            return f"{as_json(least)} to {as_json(most)} {name}"
        return f"At most {as_json(most)} {name}"

    return describe_bounds


def _length(value: Any, node: JsonSchema) -> str:
    least, most = node.get("minLength", 0), node.get("maxLength")
    if least and most is not None:
        if least != most:
            return f"Length {as_json(least)}-{as_json(most)}"
        return f"Length {as_json(most)}"
    return _count("minLength", "maxLength", "character", "characters")(value, node)


def _regular(pattern: str) -> str:
    """A pattern on one line; a line break in it and the escape for one match the same."""
    return cut_text(pattern.replace("\n", "\\n").replace("\r", "\\r"), LONGEST - 20)


def _rest(closed: str, noun: str, keyword: str) -> Callable[[Any, JsonSchema], str]:
    """What is not named: nothing, or something that a schema describes."""

    def describe_rest(value: Any, node: JsonSchema) -> str:
        label = f"Other {noun}" if keyword in node else noun.capitalize()
        return f"No other {closed}" if value is False else f"{label}: {rule(value)}"

    return describe_rest


def _tuple(items: list[Any], node: JsonSchema) -> str:
    shapes = [f"item {number} {_shape(item, 1)}" for number, item in enumerate(items[:NAMES], 1)]
    if len(items) > NAMES:
        shapes.append("...")
    return f"Tuple: {', '.join(shapes)}"


def _pattern_properties(patterns: JsonSchema, node: JsonSchema) -> str:
    rules = [f"values of keys that match {_regular(pattern)}: {rule(item, 1)}" for pattern, item in patterns.items()]
    sentence = "; ".join(rules)
    return sentence[:1].upper() + sentence[1:]


def _join_rules(schemas: list[Any]) -> str:
    """What each of several schemas asks."""
    return "; ".join(rule(item, 1) for item in schemas)


def _depends(value: dict[str, Any], node: JsonSchema) -> str:
    """Which names are required beside which."""
    needs = [f"{say_value(name, 80)} asks for {join_names(names)}" for name, names in value.items() if names]
    return "; ".join(needs)


def _discriminator(value: dict[str, Any], node: JsonSchema) -> str:
    """The property that tells alternatives apart, and which value stands for which. Source: OpenAPI 3.1.1, 4.8.25."""
    sentence = f"Told apart by {say_value(value['propertyName'])}"
    meanings = [f"{say_value(name, 80)} is {_reference(target)}" for name, target in value.get("mapping", {}).items()]
    if len(meanings) > NAMES:
        meanings[NAMES:] = ["..."]
    return f"{sentence}: {', '.join(meanings)}" if meanings else sentence


def _examples(values: list[Any], node: JsonSchema) -> str:
    label = "Example" if len(values) == 1 else "Examples"
    return f"{label}: {join_values(values, '; ')}"


def _saying(sentence: str, say: Callable[[Any], str] = str) -> Callable[[Any, JsonSchema], str]:
    """A sentence with the value in it, whatever stands beside the keyword."""
    return lambda value, node: sentence.format(say(value))


_OTHER_PROPERTIES = _rest("properties", "values", "properties")
_OTHER_ITEMS = _rest("items", "items", "prefixItems")
_ITEMS = _count("minItems", "maxItems", "item", "items")
_PROPERTIES = _count("minProperties", "maxProperties", "property", "properties")

_WORDS: dict[str, Callable[[Any, JsonSchema], str | None]] = {
    "title": lambda value, node: None if is_idle_title(node, None) else f"Title: {value}",
    "type": lambda value, node: f"Type: {_shape({'type': value}, 1)}",
    "enum": _saying("Allowed values: {}", lambda values: join_values(values, ", ")),
    "const": _saying("Must be {}", as_json),
    "minimum": _saying("Minimum {}", as_json),
    "maximum": _saying("Maximum {}", as_json),
    "exclusiveMinimum": _saying("Must be greater than {}", as_json),
    "exclusiveMaximum": _saying("Must be less than {}", as_json),
    "multipleOf": _saying("Multiple of {}", as_json),
    "minLength": _length,
    "maxLength": _length,
    "pattern": _saying("Must match {}", _regular),
    "format": lambda value, node: _HINTS.get(value) or f"Format: {say_value(value)}",
    "contentEncoding": _saying("Encoding: {}", say_value),
    "contentMediaType": _saying("Media type: {}", say_value),
    "contentSchema": _saying("Content: {}", rule),
    "minItems": _ITEMS,
    "maxItems": _ITEMS,
    "uniqueItems": _saying("Items must be unique"),
    "prefixItems": _tuple,
    "items": _OTHER_ITEMS,
    "unevaluatedItems": _OTHER_ITEMS,
    "required": _saying("Required: {}", join_names),
    "additionalProperties": _OTHER_PROPERTIES,
    "unevaluatedProperties": _OTHER_PROPERTIES,
    "patternProperties": _pattern_properties,
    "propertyNames": _saying("Keys: {}", rule),
    "minProperties": _PROPERTIES,
    "maxProperties": _PROPERTIES,
    "dependentRequired": _depends,
    "not": _saying("Must not be: {}", lambda value: rule(value, 1)),
    "allOf": _saying("All of: {}", _join_rules),
    "anyOf": _saying("At least one of: {}", _join_rules),
    "oneOf": _saying("Exactly one of: {}", _join_rules),
    "$ref": _saying("Like {}", _reference),
    "discriminator": _discriminator,
    "default": _saying("Default: {}", say_value),
    "examples": _examples,
    "example": _saying("Example: {}", say_value),
    "deprecated": _saying("Deprecated"),
    "readOnly": _saying("Read-only"),
    "writeOnly": _saying("Write-only"),
}

# What is for machines, or said otherwise.
_SILENT = frozenset({"description", "$comment", "$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$defs"})
# What `shape` has said already; and annotations that are no constraint.
_IN_SHAPE = _TELLING.keys() | {
    "type", "items", "prefixItems", "properties", "additionalProperties", "title", "default", "examples", "example",
    "deprecated", "readOnly", "writeOnly",
}  # fmt: skip
