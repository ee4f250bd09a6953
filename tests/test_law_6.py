"""Law 6, calls come home: what the source accepts can be sent, arrives as it was, and every exception is reported.

For every row of the table of profiles, over generated schemas, those of real tools and those of the worked cases:
arguments that the source accepts are encoded to arguments that the provider's schema accepts and decode to the same;
if not, a step says `narrowed`. Arguments that the provider's schema accepts decode to some that the source accepts;
if not, a step says `widened`.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st

import corpus
import schema_judge as judge
from provider_corpus import FOLDERS, programs, unreported
from rows import for_each, sample
from strategies import object_schema
from toolglot.converter.fitting.argument_codec import Fitted, means_the_same
from toolglot.converter.fitting.fit import fit
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.provider_violations import violations
from toolglot.converter.formats import get, names
from toolglot.converter.schema import older_dialects, references
from toolglot.converter.schema.newest_dialect import is_plain
from toolglot.errors import FitError

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "schemas"
ROWS = [row for name in names() for row in get(name).provider.profiles if row.keywords is not None]
CASES = {path.parent.name: json.loads(path.read_text("utf-8")) for path in sorted(FIXTURES.glob("T*/source.json"))}
PEERS = {item["name"]: item["schema"] for item in json.loads((FIXTURES / "peers.json").read_text("utf-8"))}
CLOSED = {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": False}
AWKWARD = [
    {"enum": ["a", 1], "minimum": 2},
    {"enum": ["a", 1, None], "minLength": 1},
    {"enum": [[1], None]},
    {"enum": ["a", None], "pattern": "a"},
    {"enum": [1, "a"], "prefixItems": [False]},
    {"enum": [True, 3], "minimum": 0, "anyOf": [{}]},
    {"type": ["string", "null"], "enum": ["a"]},
    {"type": ["boolean", "integer", "null"], "const": 3},
    {"minimum": 1, "required": ["x"]},
    {"$ref": "#/$defs/flag", "format": "date-time"},
    {"$ref": "#/$defs/flag", "maximum": 1},
    {"$ref": "#/$defs/closed", "properties": {"b": {"type": "null"}}},
    {"type": "string", "anyOf": [{"const": 1}]},
    {"type": "number", "anyOf": [{"maxLength": 1}, {"minimum": 1}]},
    {"minItems": 1, "anyOf": [{"type": "string"}, {"type": "null"}], "oneOf": [{"type": "string"}, {"maxLength": 1}]},
    {"type": "number", "minimum": 0, "exclusiveMinimum": 1},
    {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "string"}},
    {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "string"}, "maxItems": 1},
    {"type": "object", "patternProperties": {"^a": {"type": "null"}}, "additionalProperties": False},
    {"type": "object", "properties": {"b": False}, "additionalProperties": False},
    {"type": "array", "items": False, "maxItems": 2},
]


def row_id(row: ProviderRules) -> str:
    return f"{row.format}-{row.profile}-{row.versions[0]}-{'strict' if row.strict else 'loose'}"


# The worked cases are many and small; new examples of each come with `make laws`.
few = settings(max_examples=max(3, settings().max_examples // 12))
SCHEMAS = st.one_of(object_schema(), judge.schemas())  # drawing one takes longer than to judge it for every row


def actions(fitted: Fitted) -> set[str]:
    return {step.action for step in fitted.steps}


def wire(fitted: Fitted) -> Any:
    return fitted.schema if fitted.schema is not None else {"type": "object"}


def holds(source: Any, fitted: Fitted, data: st.DataObject) -> None:
    note(f"source {json.dumps(source)}")
    note(f"fitted {json.dumps(fitted.schema)}")
    note(f"steps {fitted.steps}")
    arguments = data.draw(judge.instances(source), "arguments")
    if isinstance(arguments, dict) and judge.accepts(source, arguments):
        before = json.dumps(arguments)
        try:
            sent = fitted.encode(arguments)
        except FitError:
            assert "narrowed" in actions(fitted)
        else:
            assert judge.accepts(wire(fitted), sent)
            assert means_the_same(fitted.decode(sent), arguments, fitted.null_defaults)
        assert json.dumps(arguments) == before
    sent = data.draw(judge.instances(wire(fitted)), "sent")
    if isinstance(sent, dict) and judge.accepts(wire(fitted), sent):
        try:
            decoded = fitted.decode(sent)
        except FitError as error:
            refusal = error.code
            assert refusal == "ambiguous-arguments"
        else:
            assert judge.accepts(source, decoded) or "widened" in actions(fitted), decoded


@for_each(("number", "case"), enumerate([*CASES, *PEERS]), ids=[*CASES, *PEERS])
@few
@given(data=st.data())
def test_the_worked_cases(number: int, case: str, data: st.DataObject) -> None:
    source = CASES[case] if case in CASES else PEERS[case]
    for row in sample(ROWS, 16, number):
        note(row_id(row))
        fitted = fitted_or_none(source, row)
        if fitted is not None:
            holds(plain(source), fitted, data)


@for_each("node", AWKWARD, ids=json.dumps)
def test_awkward_keywords_obey_the_rules_or_are_reported(node: dict[str, Any]) -> None:
    inputs = {"type": "object", "properties": {"a": node}, "$defs": {"flag": {"type": "boolean"}, "closed": CLOSED}}
    for row in ROWS:
        fitted = fitted_or_none(inputs, row)
        if fitted is not None:
            assert violations(fitted.schema, row) == [], row_id(row)
            assert list(unreported(inputs, fitted)) == [], row_id(row)


@given(data=st.data())
def test_generated_schemas(data: st.DataObject) -> None:
    source = data.draw(SCHEMAS, "schema")
    before = json.dumps(source)
    for row in ROWS:
        note(row_id(row))
        fitted = fitted_or_none(source, row)
        assert json.dumps(source) == before, "the argument was modified"
        if fitted is not None:
            assert violations(fitted.schema, row) == []
            assert list(unreported(source, fitted)) == []
            holds(plain(source), fitted, data)


@given(judge.schemas(), st.randoms(use_true_random=False))
def test_the_order_of_keywords_means_nothing(source: Any, random: Any) -> None:
    shuffled = shuffle(source, random)
    for row in ROWS:
        note(row_id(row))
        one, other = fitted_or_none(source, row), fitted_or_none(shuffled, row)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            meaning = [(step.action, step.keyword) for step in one.steps]
            assert sorted(meaning) == sorted((step.action, step.keyword) for step in other.steps)
            assert without_words(one.schema) == without_words(other.schema)


def shuffle(node: Any, random: Any) -> Any:
    """The same JSON with the keys of its objects in another order."""
    if isinstance(node, list):
        return [shuffle(item, random) for item in node]
    if not isinstance(node, dict):
        return node
    keys = list(node)
    random.shuffle(keys)
    return {key: shuffle(node[key], random) for key in keys}


def without_words(node: Any) -> Any:
    """A schema without descriptions, whose sentences stand in the order of keywords, and without the order of lists."""
    if isinstance(node, list):
        return sorted((without_words(item) for item in node), key=repr)
    if not isinstance(node, dict):
        return node
    return {key: without_words(node[key]) for key in sorted(node) if key != "description"}


@given(schema=SCHEMAS)
def test_what_looks_plain_is_plain(schema: Any) -> None:
    """The quick look may only skip what `older_dialects` and `references` would give back as it is."""
    looks_plain_is_plain(schema)


def test_what_looks_plain_of_real_schemas_is_plain() -> None:
    assert sum(looks_plain_is_plain(schema) for schema in corpus_schemas()) >= corpus.at_least(1_000)


def looks_plain_is_plain(schema: Any) -> bool:
    if not is_plain(schema, with_references=True):
        return False
    normal, steps = older_dialects.normalise(schema)
    assert (normal, steps) == (schema, [])
    if not is_plain(schema):
        return False
    resolved, more = references.resolve(normal)
    assert (resolved, more) == (schema, [])
    assert not references.cycles(schema)
    return True


@cache
def corpus_schemas() -> list[Any]:
    """The distinct input schemas of all real MCP and OpenAI tools."""
    paths = [path for folder in FOLDERS for path in corpus.files(folder)]
    tools = [tool for _, several in programs(paths) for tool in several]
    found = {json.dumps(tool.inputs, sort_keys=True): tool.inputs for tool in tools}
    return [schema for schema in found.values() if schema is not None]


@given(data=st.data())
def test_schemas_of_real_tools(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(corpus_schemas()), "schema")
    for row in sample(ROWS, 3, data.draw(st.integers(0, 2))):
        note(row_id(row))
        fitted = fitted_or_none(source, row)
        if fitted is not None:
            assert violations(fitted.schema, row) == []
            holds(plain(source), fitted, data)


def plain(source: Any) -> Any:
    """The source as the judge can read it; that this changes no meaning is proved in test_dialects.py."""
    return _plain(json.dumps(source))


@lru_cache(maxsize=1)  # every row of one source asks
def _plain(source: str) -> Any:
    return references.resolve(older_dialects.normalise(json.loads(source))[0])[0]


def fitted_or_none(source: Any, row: ProviderRules) -> Fitted | None:
    """The fitted schema; a refusal is an answer where it says why."""
    try:
        return fit(source, row)
    except FitError as error:
        refusal = error
    assert refusal.code != FitError.default_code
    assert refusal.message
    return None


# -- what is asked for as JSON text ------------------------------------------------------------------------------

LIST = {"type": "array"}
WORDS = {"type": "array", "items": {"type": "string"}}
ANYTHING = ["open", '"open"', "3", 3, None, True, ["3"], [3], {"a": "3"}]
# The schema of a parameter, and values of it (decolua/9router#2884).
ASKED_AS_TEXT: dict[str, tuple[Any, list[Any]]] = {
    "anything": ({}, ANYTHING),
    "a text or anything": ({"anyOf": [{"type": "string"}, {}]}, ANYTHING),
    "anything or a text": ({"anyOf": [{"description": "x"}, {"type": "string", "description": "y"}]}, ANYTHING),
    "a word or anything": ({"anyOf": [{"enum": ["open", "3"]}, {}]}, ANYTHING),
    "a number or anything": ({"anyOf": [{"type": "integer"}, {}]}, ANYTHING),
    "a text, null or anything": ({"anyOf": [{"type": "string"}, {"type": "null"}, {}]}, ANYTHING),
    "a text or a number, or anything": ({"anyOf": [{"type": ["string", "integer"]}, {}]}, ANYTHING),
    "a tuple": ({**LIST, "prefixItems": [{"type": "string"}, {}]}, [["a", "b"], ["a", 3], ["3", "3"], ['"a"', [3]]]),
    "texts or anything": ({"anyOf": [WORDS, LIST]}, [["open"], ["3"], [3], [], [None]]),
    "texts, null or anything": ({"anyOf": [WORDS, LIST, {"type": "null"}]}, [["3"], [3], None]),
    "a text or itself": (
        {"$ref": "#/$defs/tree"},
        ["open", "3", {"of": "3"}, {"of": {"of": "open"}}, {"of": {"of": {"of": {"of": "3"}}}}],
    ),
}
DEFINITIONS = {
    "tree": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"of": {"$ref": "#/$defs/tree"}}}]}
}


def obeying(schema: Any, value: Any) -> list[Any]:
    """What a model may send for a value that holds to the schema and to its words; nothing where it cannot."""
    if "anyOf" in schema:
        return [sent for option in schema["anyOf"] for sent in obeying(option, value)]
    if "JSON text" in schema.get("description", ""):
        return [json.dumps(value)]
    if isinstance(value, list) and "array" in schema["type"]:
        ways = [obeying(schema["items"], item) for item in value]
        return [[way[0] for way in ways]] if all(ways) else []
    if isinstance(value, dict) and "object" in schema["type"]:
        fields = {
            key: obeying(schema["properties"][key], item) for key, item in value.items() if key in schema["properties"]
        }
        return (
            [{key: way[0] for key, way in fields.items()}] if all(fields.values()) and len(fields) == len(value) else []
        )
    return [value] if judge.accepts(schema, value) else []


@for_each("name", ASKED_AS_TEXT)
@for_each("row", [row for row in ROWS if not row.strict and row.typed != "no"], ids=row_id)
def test_what_is_asked_for_as_json_text_comes_home_decoded(name: str, row: ProviderRules) -> None:
    schema, values = ASKED_AS_TEXT[name]
    fitted = fit({"type": "object", "properties": {"p": schema}, "$defs": DEFINITIONS}, row)
    for value in values:
        assert fitted.decode(fitted.encode({"p": value})) == {"p": value}
        offered = wire(fitted)["properties"]["p"]
        ways = obeying(offered, value)
        assert ways, (value, offered)
        for sent in ways:
            assert fitted.decode({"p": sent}) == {"p": value}, (sent, offered)
