"""What a type cannot say, in words: written, read back, and never read from what a person wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import corpus
import toolglot
from pace import within
from rows import for_each, sample
from strategies import DESCRIPTION, PLAIN, SCHEMA, object_schema
from toolglot import bridge
from toolglot.converter.conversion import sources
from toolglot.converter.formats.atdf import inputs as atdf_inputs
from toolglot.converter.formats.atdf.versions import TYPES
from toolglot.converter.formats.atip.arguments_and_options import _TYPES, STYLE, _schema_of_entry
from toolglot.converter.formats.kit.description import clause_values, schema_clauses, schema_tail
from toolglot.converter.formats.kit.parameters import NamedParameter
from toolglot.converter.hub.model import Binding, JsonSchema
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.schema import canonical, keyword_sentences
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import without_keys

TEXT, WHOLE, LIST = {"type": "string"}, {"type": "integer"}, {"type": "array"}
TEXTS = {**LIST, "items": TEXT}
STATES = {"type": "string", "enum": ["open", "closed"]}

# A schema, and the words that a description of it ends in where its type word is the nearest.
ATIP: list[tuple[JsonSchema, str, str]] = [
    (TEXT, "string", "d"),
    ({**TEXT, "format": "date"}, "string", "d (format: date)"),
    ({**TEXT, "format": "uri"}, "url", "d"),
    ({**TEXT, "format": "file-path", "minLength": 1}, "file", "d (at least 1 character)"),
    ({**TEXT, "minLength": 2, "maxLength": 9}, "string", "d (at least 2 characters; at most 9 characters)"),
    ({**TEXT, "pattern": "^[a-z]{2,3}(;|,)$"}, "string", "d (must match ^[a-z]{2,3}(;|,)$)"),
    ({**TEXT, "pattern": "a|b"}, "string", 'd (must match "a|b")'),
    ({**TEXT, "pattern": "\\)"}, "string", 'd (must match "\\\\)")'),
    ({**TEXT, "pattern": ""}, "string", 'd (must match "")'),
    ({**TEXT, "const": "z"}, "string", 'd (must be "z")'),
    ({**TEXT, "title": "The date"}, "string", "d (title: The date)"),
    ({**TEXT, "examples": ["a", "b, c", "1", 1]}, "string", 'd (examples: a, "b, c", "1", 1)'),
    ({**TEXT, "deprecated": True}, "string", "d (deprecated)"),
    (
        {**TEXT, "contentEncoding": "base64", "contentMediaType": "image/png"},
        "string",
        "d (encoding: base64; media type: image/png)",
    ),
    ({**WHOLE, "minimum": 0, "maximum": 9}, "integer", "d (minimum 0; maximum 9)"),
    (
        {"type": "number", "exclusiveMinimum": -1.5, "exclusiveMaximum": 1e21},
        "number",
        "d (must be greater than -1.5; must be less than 1e+21)",
    ),
    ({**WHOLE, "multipleOf": 5}, "integer", "d (multiple of 5)"),
    ({**WHOLE, "default": 5}, "integer", "d"),
    ({"type": "boolean", "const": True}, "boolean", "d (must be true)"),
    ({"type": ["integer", "null"], "minimum": 1}, "integer", "d (integer or null; minimum 1)"),
    ({"type": ["string", "integer"]}, "string", "d (string or integer)"),
    ({"anyOf": [WHOLE, {"type": "null"}], "default": None}, "integer", "d (integer | null)"),
    ({"anyOf": [{**TEXT, "format": "date"}, {"type": "null"}]}, "string", "d (any of: string (format: date) | null)"),
    ({"anyOf": [STATES, {"type": "null"}]}, "enum", "d (any of: string (allowed values: open, closed) | null)"),
    ({"oneOf": [TEXT, WHOLE]}, "string", "d (exactly one of: string | integer)"),
    ({"enum": [1, "a"]}, "enum", "d"),
    ({"enum": ["a", None]}, "enum", "d (one of (a, null))"),
    ({"type": ["string", "null"], "enum": ["a", None]}, "enum", "d (string or null; allowed values: a, null)"),
    ({}, "string", "d (any value)"),
    (STATES, "enum", "d"),
    ({**WHOLE, "enum": [1, 2]}, "integer", "d"),
    (TEXTS, "array", "d"),
    (LIST, "array", "d (list of any items)"),
    ({**TEXTS, "maxItems": 3, "uniqueItems": True}, "array", "d (at most 3 items; items must be unique)"),
    ({**TEXTS, "default": []}, "array", "d (if left out: [])"),
    ({**LIST, "items": {**TEXT, "format": "date"}}, "array", "d (items: string (format: date))"),
    ({**LIST, "items": WHOLE}, "integer", "d"),
    ({**LIST, "items": STATES, "minItems": 1}, "enum", "d (at least 1 item)"),
    ({"anyOf": [TEXTS, {"type": "null"}]}, "array", "d (any of: list of string | null)"),
    ({"type": "object"}, "string", "d, as JSON: object"),
    ({"type": "object", "properties": {}}, "string", "d, as JSON: object (properties: {})"),
    ({"type": "object", "additionalProperties": WHOLE}, "string", "d, as JSON: object (other properties: integer)"),
    (
        {
            "type": "object",
            "properties": {"state": {**STATES, "description": "Which ones."}, "a b": {}},
            "required": ["state"],
            "additionalProperties": False,
        },
        "string",
        'd, as JSON: {state: string ("Which ones."; allowed values: open, closed), "a b": any value}'
        " (required: state; no other properties)",
    ),
    (
        {"type": "object", "properties": {"kind": {"const": "cat"}, "age": {"anyOf": [WHOLE, {"type": "null"}]}}},
        "string",
        'd, as JSON: {kind: only "cat", age: integer | null}',
    ),
    (
        {**LIST, "items": {"type": "object", "properties": {"to": TEXTS}}},
        "string",
        "d, as JSON: list of {to: list of string}",
    ),
    (
        {**LIST, "items": {**LIST, "items": {"type": "number"}}, "minItems": 2},
        "string",
        "d, as JSON: list (at least 2 items; items: list of number)",
    ),
    (
        {**LIST, "prefixItems": [TEXT, WHOLE], "items": False},
        "string",
        "d, as JSON: list (tuple: string | integer; items: nothing)",
    ),
    (
        {
            "$ref": "#/$defs/Node",
            "$defs": {
                "Node": {
                    "type": "object",
                    "properties": {"name": TEXT, "below": {**LIST, "items": {"$ref": "#/$defs/Node"}}},
                    "required": ["name"],
                }
            },
        },
        "string",
        "d, as JSON: <Node> (where <Node> is {name: string, below: list of <Node>} (required: name))",
    ),
    (
        {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "type": "object"},
        "string",
        "d, as JSON: object (if: any value (required: a); then: any value (required: b))",
    ),
    ({"not": {"const": "z"}, "type": "string"}, "string", 'd (not: only "z")'),
    ({"anyOf": [{"const": None}, {}]}, "string", "d (any of: only null | any value)"),
]


def option(schema: JsonSchema) -> NamedParameter:
    return NamedParameter("x", schema, False, Binding())


@for_each(("schema", "word", "description"), ATIP, ids=lambda value: json.dumps(value)[:70])
def test_an_option_says_in_words_what_its_type_cannot(schema: JsonSchema, word: str, description: str) -> None:
    described = {**schema, "description": "d"}
    entry = STYLE.dump(option(described), None)
    assert (entry["type"], entry["description"]) == (word, description)
    assert "schema" not in entry
    assert "pattern" not in entry
    assert STYLE.load(entry, "option").schema == described


ATDF: list[tuple[JsonSchema, bool, str, str | None]] = [
    (TEXT, True, "string", None),
    (TEXT, False, "string", "A text (may be left out)"),
    ({**TEXT, "description": "d"}, False, "string", "d (may be left out)"),
    (
        {**WHOLE, "minimum": 1, "default": 5},
        False,
        "integer",
        "A whole number (may be left out; minimum 1; if left out: 5)",
    ),
    ({**WHOLE, "description": "d", "default": 5}, True, "integer", "d (if left out: 5)"),
    (STATES, True, "string", "A text (allowed values: open, closed)"),
    ({"type": ["string", "null"]}, True, "string", "A text (string or null)"),
    ({"type": ["string", "object"]}, True, "unknown", "A value (string or object)"),
    ({"anyOf": [WHOLE, {"type": "null"}]}, True, "integer", "A whole number (integer | null)"),
    (
        {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
        True,
        "object",
        "A value ({a: string}; required: a)",
    ),
    ({**LIST, "items": WHOLE}, True, "array", "A list (items: integer)"),
    (LIST, True, "array", None),
]


@for_each(("schema", "required", "word", "words"), ATDF, ids=lambda value: json.dumps(value)[:70])
def test_the_early_version_of_records_says_it_in_words(
    schema: JsonSchema, required: bool, word: str, words: str | None
) -> None:
    style = atdf_inputs.style_of("0.1", True)
    entry = style.dump(NamedParameter("x", schema, required, Binding()), None)
    assert (entry["type"], entry.get("description")) == (word, words)
    back = style.load(entry, None)
    assert (back.schema, back.required) == (schema, required)


@for_each(
    ("schema", "word"),
    [
        ({"enum": ["a"]}, "string"),
        ({"enum": [1]}, "integer"),
        ({"enum": [1, 2.5]}, "number"),
        ({"enum": [1, "a"]}, "unknown"),
        ({"const": True}, "boolean"),
        ({"enum": [[1]]}, "array"),
    ],
)
def test_values_prove_their_type(schema: JsonSchema, word: str) -> None:
    for version in ("0.1", "0.2"):
        assert (
            atdf_inputs.style_of(version, True).dump(NamedParameter("x", schema, True, Binding()), None)["type"] == word
        )


# Near misses of the closed form: texts of people, which stay texts.
TEXTS_OF_PEOPLE = [
    "Page size (default: 10)",
    "Page size (minimum: 1)",
    "Page size (minimum 1, maximum 9)",
    "Page size (minimum 1).",
    "Page size (minimum 1) ",
    "Page size (Minimum 1)",
    "Page size (minimum one)",
    "Page size (minimum 1; maximum)",
    "Page size (minimum 1; minimum 2)",
    "Page size (minimum 01)",
    "Page size (maximum 9; minimum 1)",
    "Size (minimum 1",
    "Page size(minimum 1)",
    "Page size (at least 1 characters)",
    "Page size (at most 2 character)",
    "Day (format: name:tag)",
    "Filter (JSON)",
    "Filter (JSON string)",
    'Filter, as JSON: {"limit": 10}',
    "Filter, as JSON: {limit: 10}",
    "Filter, as JSON: {}",
    "Filter, as JSON: {limit: integer",
    "Filter, as JSON: {limit: integer, limit: integer}",
    "Filter, as JSON: a filter",
    "Filter. as JSON: object",
    "Filter As JSON: object",
    "Filter., as JSON: object",
    "Name (optional)",
    "Name (required)",
    "Name (string)",
    "Name (a text)",
    "Names (list of string)",
    "Path (file path)",
    "Name (if left out: 5)",
    "Name (must match)",
    "Name (one of a, b)",
    "State (open | closed)",
    "(((((((",
    " ()",
    "Name (<)",
    "Name (allowed values: )",
    "Name (allowed values: a; b)",
    "Name (examples: [1, )",
    "Size (minimum 1e999)",
    "Size (minimum NaN)",
    'Name (must be "a)',
    "Name (must be a)",
    "Like this (any value )",
    "Text (format: date) (more)",
    "A long text",
]


@for_each("words", TEXTS_OF_PEOPLE)
@for_each("word", [*_TYPES])
def test_a_remark_in_brackets_stays_text(words: str, word: str) -> None:
    for more in ({}, {"variadic": True}, {"enum": ["a"]}):
        entry = {"name": "x", "flags": ["--x"], "type": word, "description": words, **more}
        without = {**entry, "description": "d"}
        loaded, plain = (STYLE.load(item, "option").schema for item in (entry, without))
        assert loaded == {**plain, "description": words}


@for_each("words", TEXTS_OF_PEOPLE)
def test_a_remark_of_a_record_stays_text(words: str) -> None:
    for word in (*TYPES, "unknown", "word"):
        entry = {"name": "x", "type": word, "description": words}
        if words != "Name (if left out: 5)":  # which the early version writes
            assert atdf_inputs._load_parameter(entry, True).schema["description"] == words


def test_an_own_schema_is_not_read_from_words() -> None:
    entry = {
        "name": "x",
        "flags": ["-x"],
        "type": "string",
        "description": "d (format: date)",
        "schema": {"type": "string"},
    }
    assert STYLE.load(entry, "option").schema == {
        "type": "string",
        "description": "d (format: date)",
    }


@for_each("head", ["Also known As", "The same, as"])
def test_words_that_could_begin_a_tail_may_stand_before_one(head: str) -> None:
    assert [tail.head for tail in schema_tail.tails(f"{head} (minimum 1)")] == [head]


def test_words_in_json_begin_behind_a_full_stop_as_a_sentence() -> None:
    entry = STYLE.dump(option({"type": "object", "description": "A filter."}), None)
    assert entry["description"] == "A filter. As JSON: object"
    assert STYLE.load(entry, "option").schema == {"type": "object", "description": "A filter."}


UNDESCRIBED = [
    (TEXT, "X"),
    (WHOLE, "X"),
    (STATES, "X"),
    ({"type": "boolean"}, "X"),
    (TEXTS, "X"),
    ({**LIST, "items": WHOLE}, "X"),
    ({"type": "object"}, "X, as JSON: object"),
    ({**WHOLE, "minimum": 1}, "X (minimum 1)"),
    ({}, "X (any value)"),
]


@for_each(("schema", "words"), UNDESCRIBED, ids=lambda value: json.dumps(value)[:60])
def test_what_nobody_described_is_read_back_as_not_described(schema: JsonSchema, words: str) -> None:
    entry = STYLE.dump(option(schema), None)
    assert entry["description"] == words
    back = STYLE.load(entry, "option")
    assert back.schema == schema
    assert back.binding.stand_in is not None


def test_words_of_a_name_are_a_description_where_nothing_marks_them() -> None:
    entry = STYLE.dump(option({**WHOLE, "minimum": 1}), None)
    for theirs in (without_keys(entry, "x-toolglot"), {**entry, "description": "An X (minimum 1)"}):
        back = STYLE.load(theirs, "option")
        assert back.schema["description"] == theirs["description"].removesuffix(" (minimum 1)")
        assert back.binding.stand_in is None


def test_flags_are_spelled_as_programs_spell_them_and_lead_back_to_the_name() -> None:
    properties = dict.fromkeys(("product_url", "maxItems", "dry_run", "dryRun"), TEXT)
    program = toolglot.convert({"name": "page", "inputSchema": {"type": "object", "properties": properties}}, "atip")
    (command,) = json.loads(program.text)["commands"].values()
    assert {entry["name"]: entry["flags"] for entry in command["options"]} == {
        "product_url": ["--product-url"],
        "maxItems": ["--max-items"],
        "dry_run": ["--dry_run"],
        "dryRun": ["--dryRun"],
    }


def test_a_stand_in_is_reported_and_reaches_no_third_format() -> None:
    tool = {"name": "page", "inputSchema": {"type": "object", "properties": {"size": WHOLE}}}
    first = toolglot.convert(json.dumps(tool), "atip")
    (bindings,) = [change for change in first.report.changes if change.path == "/bindings"]
    assert bindings.action == "assumed"
    assert bindings.after["size"].stand_in == "Size"
    assert (
        "description"
        not in json.loads(toolglot.convert(first.text, "mcp").text)["tools"][0]["inputSchema"]["properties"]["size"]
    )


def test_a_title_that_says_more_than_the_name_is_the_description() -> None:
    assert STYLE.dump(option({**TEXT, "title": "The date"}), None)["description"] == "The date"
    assert STYLE.dump(option({**TEXT, "title": "X"}), None)["description"] == "X"


def test_the_sentences_are_those_that_providers_get() -> None:
    """One vocabulary: `words` says the same of every keyword whose words can be read back as they are."""
    values: dict[str, Any] = {
        "minimum": 1,
        "maximum": 1,
        "exclusiveMinimum": 1,
        "exclusiveMaximum": 1,
        "multipleOf": 2,
        "minLength": 1,
        "maxLength": 2,
        "pattern": "^a",
        "format": "date",
        "minItems": 2,
        "maxItems": 1,
        "uniqueItems": True,
        "const": "z",
        "minProperties": 1,
        "maxProperties": 3,
        "enum": ["a", 1],
        "contentEncoding": "base64",
        "deprecated": True,
        "additionalProperties": False,
        "readOnly": True,
        "writeOnly": True,
        "contentMediaType": "a/b",
    }
    for keyword, value in values.items():
        schema = {keyword: value}
        (said,) = schema_clauses.clauses(schema, 3)
        assert said == keyword_sentences.constraint(keyword, value, schema)


# -- properties -------------------------------------------------------------------------------------------------

SCHEMAS = st.one_of(SCHEMA, object_schema(), st.sampled_from([schema for schema, *_ in ATIP]))
_PIECES = st.sampled_from(
    [
        " (",
        ")",
        "; ",
        ", as JSON: ",
        "{a: string}",
        "minimum 1",
        "format: date",
        "list of ",
        "string",
        " | ",
        " or ",
        "null",
        "<a>",
        "where <a> is ",
        "any of: ",
        "X",
        "may be left out",
        "[",
        "]",
        "{",
        "}",
        '"',
        ", ",
        "one of (",
        "must match ",
        "if left out: ",
        "examples: ",
        "d",
    ]
)
IMITATIONS = st.lists(_PIECES, max_size=9).map("".join)


@given(SCHEMAS, st.none() | DESCRIPTION | PLAIN | IMITATIONS)
def test_what_is_read_back_is_written_again(schema: JsonSchema, description: str | None) -> None:
    """Whatever the words could not say is gone after the first time, and nothing is added by the second."""
    described = schema if description is None else {**schema, "description": description}
    for style, kind in ((STYLE, "option"), (atdf_inputs.style_of("0.1", True), None)):
        entry = style.dump(option(described), None)
        back = style.load(entry, kind)
        again = style.dump(
            NamedParameter("x", back.schema, back.required, Binding(variadic=entry.get("variadic"))), None
        )
        assert again == entry
        assert style.load(again, kind).schema == back.schema


@given(IMITATIONS, st.sampled_from([*_TYPES]), st.booleans())
@example("d (minimum 1)", "integer", False)
def test_no_text_gains_a_constraint_on_its_way(words: str, word: str, variadic: bool) -> None:
    schema = _schema_of_entry({"type": word, "variadic": variadic})
    entry = STYLE.dump(option({**schema, "description": words}), None)
    back = STYLE.load(entry, "option").schema
    assert back in ({**schema, "description": words}, {**schema, "description": f"{words}."})


@given(SCHEMAS, st.text(min_size=1, max_size=9))
def test_a_tail_is_read_whole_or_not_at_all(schema: JsonSchema, junk: str) -> None:
    words = "d" + schema_tail.tail(schema, {}, in_json=True)
    assert list(schema_tail.tails(words + junk)) == []


@given(SCHEMAS)
def test_words_are_on_one_line_and_bounded(schema: JsonSchema) -> None:
    for in_json in (False, True):
        words = schema_tail.tail(schema, {}, in_json=in_json)
        assert len(words) <= clause_values.LONGEST + 40
        assert "\n" not in words


# -- hostile input ------------------------------------------------------------------------------------------------


def _nested(levels: int) -> JsonSchema:
    schema: JsonSchema = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema, "b": {"anyOf": [schema, {"type": "null"}]}}}
    return schema


HOSTILE_SCHEMAS: dict[str, JsonSchema] = {
    "deep and double": _nested(12),
    "wide": {"type": "object", "properties": {f"p{n}": {"type": "string", "pattern": "x" * 400} for n in range(1_500)}},
    "references that double": {
        "$ref": "#/$defs/d0",
        "$defs": {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(60)},
    },
    "a loop": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
    "long values": {"type": "string", "enum": ["x" * 9_000, "y" * 9_000], "pattern": "(" * 9_000},
}


@pytest.mark.parametrize("schema", HOSTILE_SCHEMAS.values(), ids=HOSTILE_SCHEMAS)
def test_writing_is_bounded(schema: JsonSchema) -> None:
    with within(2):
        entry = STYLE.dump(option({**schema, "description": "d"}), None)
        assert len(entry["description"]) < 2 * clause_values.LONGEST
        STYLE.load(entry, "option")


HOSTILE_TEXTS = {
    "brackets": " (" * 50_000 + ")",
    "clauses": " (minimum 1" * 20_000 + ")",
    "patterns": " (must match a" * 20_000 + ")",
    "json": ", as JSON: {a: " * 20_000 + ")",
    "lists": ", as JSON: " + "list of " * 20_000,
    "values": " (must be " + "[" * 20_000 + ")",
    "numbers": f" (minimum {'9' * 100_000})",
    "quotes": ' (must match "' * 20_000 + ")",
}


@for_each("words", HOSTILE_TEXTS.values(), ids=HOSTILE_TEXTS)
def test_reading_is_bounded(words: str) -> None:
    with within(1):
        entry = {"name": "x", "flags": ["-x"], "type": "string", "description": words}
        assert STYLE.load(entry, "option").schema == {"type": "string", "description": words}


# -- calls, and real documents ------------------------------------------------------------------------------------


def program(*options: dict[str, Any]) -> Any:
    data = {
        "atip": "0.3",
        "name": "p",
        "version": "1",
        "description": "d",
        "commands": {"": {"description": "d", "options": [*options]}},
    }
    (tool,) = sources.read_document(document_reader.from_data(data)).tools
    return tool


def test_a_call_gives_what_the_words_ask_for() -> None:
    filters = {"type": "object", "properties": {"state": STATES}, "description": "d"}
    places = {**LIST, "items": {"type": "object", "properties": {"at": TEXT}}, "description": "d"}
    entries = [
        STYLE.dump(NamedParameter(name, schema, False, Binding()), None)
        for name, schema in {
            "filters": filters,
            "places": places,
            "tags": TEXTS,
            "days": {**LIST, "items": WHOLE},
        }.items()
    ]
    arguments = {"filters": {"state": "open"}, "places": [{"at": "a"}, {"at": "b"}], "tags": ["x", "y"], "days": [1, 2]}
    assert bridge.argv(program(*entries), arguments) == [
        "p",
        "--filters",
        '{"state":"open"}',
        "--places",
        '[{"at":"a"},{"at":"b"}]',
        "--tags",
        "x",
        "--tags",
        "y",
        "--days",
        "1",
        "--days",
        "2",
    ]


def test_what_is_written_is_valid_in_every_version() -> None:
    properties = {
        f"p{n}": {**schema, "description": "d"} for n, (schema, _, _) in enumerate(ATIP) if "$defs" not in schema
    }
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": properties}}
    for version in ("0.3", "0.6"):
        data = json.loads(toolglot.convert(json.dumps(tool), f"atip@{version}").text)
        assert canonical.is_valid(data, f"atip/{version}")


def test_no_description_of_a_real_document_is_misread() -> None:
    texts: set[str] = set()
    for folder in corpus.FOLDERS:
        for path in corpus.files(folder):
            texts.update(_texts(path))
    assert len(texts) >= corpus.at_least(3_000)
    tried = sample(sorted(texts), 10)
    for words in tried:
        for word in _TYPES:
            entry = {"name": "x", "type": word, "description": words}
            for parameter in (entry, {**entry, "variadic": True}):
                assert STYLE.load(parameter, "option").schema["description"] == words
        for word in (*TYPES, "unknown"):
            entry = {"name": "x", "type": word, "description": words}
            assert atdf_inputs._load_parameter(entry, True).schema["description"] == words


def _texts(path: Any) -> set[str]:
    """Every text that stands as a description in the schemas of a document's tools."""
    document = corpus.reading_of(path)
    tools = document.tools if document else []
    found = set()
    waiting: list[Any] = [leaf.tool.inputs for tool in tools for leaf in leaves_of(tool)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            found |= {node["description"]} if isinstance(node.get("description"), str) else set()
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return found
