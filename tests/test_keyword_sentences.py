"""Constraints in words: the sentence for each keyword, its bounds, and joining sentences to a description."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pace import within
from rows import for_each
from strategies import SCHEMA
from toolglot.converter.schema import keyword_sentences
from toolglot.converter.text.wording import cut_text, say_value

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
IS_CAT = {"properties": {"kind": {"const": "cat"}}, "required": ["kind"]}

# A schema, and what its first keyword is told as.
SENTENCES: list[tuple[dict[str, Any], str | None]] = [
    ({"minimum": 0}, "Minimum 0."),
    ({"maximum": 1.5}, "Maximum 1.5."),
    ({"exclusiveMinimum": 0}, "Must be greater than 0."),
    ({"exclusiveMaximum": 1}, "Must be less than 1."),
    ({"multipleOf": 0.25}, "Multiple of 0.25."),
    ({"minLength": 5, "maxLength": 200}, "Length 5-200."),
    ({"maxLength": 200, "minLength": 5}, "Length 5-200."),
    ({"minLength": 3, "maxLength": 3}, "Length 3."),
    ({"minLength": 1}, "At least 1 character."),
    ({"minLength": 0}, None),
    ({"maxLength": 9}, "At most 9 characters."),
    ({"pattern": "^(?!ftp).+$"}, "Must match ^(?!ftp).+$."),
    ({"pattern": "a  b\n."}, "Must match a  b\\n.."),
    ({"format": "iri"}, "Format: iri."),
    ({"format": "uri"}, "(URL)"),
    ({"default": False}, "Default: false."),
    ({"default": "#/$defs/x"}, "Default: #/$defs/x."),
    ({"default": "true"}, 'Default: "true".'),
    ({"default": None}, None),
    ({"default": "a\nb"}, 'Default: "a\\nb".'),
    ({"examples": ["a", "b; c", 1]}, 'Examples: a; "b; c"; 1.'),
    ({"examples": [{"a": 1}]}, 'Example: {"a": 1}.'),
    ({"examples": []}, None),
    ({"enum": [1, 2, 3]}, "Allowed values: 1, 2, 3."),
    ({"enum": ["", "a b", "1", "x."]}, 'Allowed values: "", a b, "1", "x.".'),
    ({"const": 7}, "Must be 7."),
    ({"const": "z"}, 'Must be "z".'),
    ({"minItems": 2, "maxItems": 4}, "2 to 4 items."),
    ({"maxItems": 2, "minItems": 2}, "Exactly 2 items."),
    ({"minItems": 2}, "At least 2 items."),
    ({"maxItems": 1}, "At most 1 item."),
    ({"uniqueItems": True}, "Items must be unique."),
    ({"uniqueItems": False}, None),
    ({"prefixItems": [{"type": "number"}, TEXT]}, "Tuple: item 1 number, item 2 string."),
    ({"items": False, "prefixItems": [TEXT]}, "No other items."),
    ({"items": WHOLE}, "Items: integer."),
    ({"items": WHOLE, "prefixItems": [TEXT]}, "Other items: integer."),
    ({"additionalProperties": TEXT}, "Values: string."),
    ({"additionalProperties": TEXT, "properties": {"a": {}}}, "Other values: string."),
    ({"additionalProperties": False}, "No other properties."),
    ({"additionalProperties": True}, None),
    ({"unevaluatedProperties": False}, "No other properties."),
    ({"propertyNames": {"pattern": "^a", "maxLength": 3}}, "Keys: must match ^a, at most 3 characters."),
    ({"minProperties": 1}, "At least 1 property."),
    ({"maxProperties": 3, "minProperties": 1}, "1 to 3 properties."),
    ({"required": ["a", "b"]}, "Required: a and b."),
    ({"discriminator": {"propertyName": "kind"}}, "Told apart by kind."),
    (
        {"discriminator": {"propertyName": "kind", "mapping": {"cat": "#/$defs/Cat", "dog": "Dog"}}},
        "Told apart by kind: cat is Cat, dog is Dog.",
    ),
    ({"contentEncoding": "base64"}, "Encoding: base64."),
    ({"contentMediaType": "image/png"}, "Media type: image/png."),
    ({"contentSchema": {"type": "array"}}, "Content: list."),
    ({"type": ["string", "null"]}, "Type: string or null."),
    ({"$ref": "#/$defs/Node"}, "Like Node."),
    ({"deprecated": True}, "Deprecated."),
    ({"deprecated": False}, None),
    ({"readOnly": True}, "Read-only."),
    ({"title": "Page size"}, "Title: Page size."),
    ({"title": "Page size", "description": "The page size in bytes."}, None),
    ({"description": "d"}, None),
    ({"$comment": "for us"}, None),
    ({"x-order": 3}, None),
    ({"if": IS_CAT, "then": {"required": ["meow"]}}, f"if: {json.dumps(IS_CAT)}."),
    ({"minContains": 2, "contains": TEXT}, "minContains: 2."),
    ({"patternProperties": {"^x": WHOLE}}, "Values of keys that match ^x: integer."),
    ({"not": {"required": ["a", "b"]}}, "Must not be: required: a and b."),
    ({"not": {"const": "z"}}, "Must not be: z."),
    ({"dependentRequired": {"b": ["a", "c"], "C": ["D"]}}, "b asks for a and c; C asks for D."),
    ({"oneOf": [TEXT, {"minimum": 3}]}, "Exactly one of: string; minimum 3."),
    ({"anyOf": [{"pattern": "a"}, {"pattern": "b"}]}, "At least one of: must match a; must match b."),
    ({"frobnicate": {"a": [1]}}, 'frobnicate: {"a": [1]}.'),
    ({"minimum": "three"}, 'minimum: "three".'),
    ({"enum": 5}, "enum: 5."),
    ({"pattern": 5}, "pattern: 5."),
    ({"dependentRequired": {"a": 3}}, 'dependentRequired: {"a": 3}.'),
]


@for_each(("node", "sentence"), SENTENCES, ids=lambda value: json.dumps(value)[:60])
def test_sentences(node: dict[str, Any], sentence: str | None) -> None:
    keyword = next(iter(node))
    assert keyword_sentences.describe_keyword(keyword, node[keyword], node) == sentence


SHAPES: list[tuple[Any, str]] = [
    (TEXT, "string"),
    ({}, "any value"),
    (True, "any value"),
    (False, "nothing"),
    ({"type": "array", "items": WHOLE}, "list of integer"),
    ({"type": "array"}, "list"),
    ({"prefixItems": [TEXT, WHOLE]}, "list of string, integer in this order"),
    ({"type": "object", "properties": {"a": {}, "b": {}}}, "object with a, b"),
    (
        {"type": "object", "properties": {f"p{n}": {} for n in range(13)}},
        "object with " + "".join(f"p{n}, " for n in range(12)) + "...",
    ),
    ({"type": "object", "additionalProperties": TEXT}, "object whose values are string"),
    ({"enum": ["a", 1]}, "one of: a, 1"),
    ({"const": "z"}, "z"),
    ({"anyOf": [TEXT, {"type": "array", "items": WHOLE}]}, "string or list of integer"),
    ({"type": ["string", "null"]}, "string or null"),
    ({"$ref": "#"}, "the whole schema again"),
    ({"$ref": "#/$defs/Node"}, "Node"),
    ({"type": 5, "enum": "x"}, "any value"),
]


@for_each(("schema", "text"), SHAPES, ids=lambda value: json.dumps(value)[:60])
def test_shapes(schema: Any, text: str) -> None:
    assert keyword_sentences.shape(schema) == text


def _nested(levels: int, of: Callable[[Any], Any]) -> Any:
    schema: Any = {"minimum": 1}
    for _ in range(levels):
        schema = of(schema)
    return schema


HOSTILE = {
    "conditions in conditions": _nested(60, lambda inner: {"if": inner, "then": inner, "else": inner}),
    "lists in lists": _nested(60, lambda inner: {"contains": inner, "minContains": 2, "maxContains": 3}),
    "refusals in refusals": _nested(90, lambda inner: {"not": {"anyOf": [inner, inner]}}),
    "wide": _nested(4, lambda inner: {"anyOf": [{"enum": [f"{n}" for n in range(30)]}, inner] * 15}),
    "many names": {"properties": {f"p{n}": {"pattern": "x" * 400} for n in range(5_000)}},
}


@pytest.mark.parametrize("schema", HOSTILE.values(), ids=HOSTILE)
def test_work_is_bounded(schema: dict[str, Any]) -> None:
    with within(5):  # seconds; without bounds it would be hours
        sentences = [keyword_sentences.describe_keyword(keyword, value, schema) for keyword, value in schema.items()]
        assert all(sentence is not None and len(sentence) <= 301 for sentence in sentences)
        assert len(keyword_sentences.shape(schema)) <= 300


APPENDED: list[tuple[str | None, list[str], str | None]] = [
    (None, [], None),
    ("Text", [], "Text"),
    (None, ["A.", "B."], "A. B."),
    ("", ["A."], "A."),
    ("Text", ["A."], "Text. A."),
    ("Text.\n", ["A."], "Text. A."),
    ("Really?", ["A."], "Really? A."),
    ("Text. A.", ["A.", "B.", "B."], "Text. A. B."),
    ("Minimum 1.5.", ["Minimum 1."], "Minimum 1.5. Minimum 1."),
    ("Not minimum 1.", ["Minimum 1."], "Not minimum 1. Minimum 1."),
]


@for_each(("text", "sentences", "expected"), APPENDED)
def test_append(text: str | None, sentences: list[str], expected: str | None) -> None:
    assert keyword_sentences.append(text, sentences) == expected


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["a.", "\\u00", "a\nb"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)
_KEYWORD = st.sampled_from([*keyword_sentences._WORDS, "unknown", ""])


@given(_KEYWORD, _JSON | SCHEMA | st.lists(SCHEMA) | st.dictionaries(st.text(max_size=3), SCHEMA), SCHEMA)
def test_whatever_it_says_a_keyword_is_one_short_line(keyword: str, value: Any, node: dict[str, Any]) -> None:
    sentence = keyword_sentences.describe_keyword(keyword, value, node)
    assert sentence is None or (len(sentence) <= 301 and "\n" not in sentence and sentence.endswith("."))


@given(
    st.none() | st.text(max_size=20),
    st.lists(st.builds("{}.".format, st.text("aB1. ", max_size=5).map(str.strip)), max_size=4),
)
def test_appending_twice_changes_nothing(text: str | None, sentences: list[str]) -> None:
    once = keyword_sentences.append(text, sentences)
    assert keyword_sentences.append(once, sentences) == once
    assert all(sentence in (once or "") for sentence in sentences)


@given(SCHEMA)
def test_a_shape_is_short(schema: Any) -> None:
    assert 0 < len(keyword_sentences.shape(schema)) <= 300


@given(st.text(), st.integers(8, 40))
def test_no_escape_is_cut_in_half(text: str, limit: int) -> None:
    escaped = json.dumps(text)
    short = cut_text(escaped, limit)
    assert len(short) <= limit
    if short != escaped:
        json.loads(re.sub(r"\A([^\"])", r'"\1', short.removesuffix("...")) + '"')


@given(_JSON, st.booleans())
def test_a_plain_value_reads_as_one_value_only(value: Any, as_text: bool) -> None:
    value = json.dumps(value) if as_text else value
    shown = say_value(value, 10**6)
    if isinstance(value, str) and not shown.startswith('"'):
        assert shown == value
        with pytest.raises(ValueError, match=r"."):
            json.loads(shown)
    else:
        assert shown == json.dumps(value, ensure_ascii=False)
