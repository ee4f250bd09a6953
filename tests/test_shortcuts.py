"""Shortcuts that save time say what the long way says; each is held against that long way here."""

from __future__ import annotations

import gc
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import argument_schemas
import strategies
import toolglot
from rows import for_each
from toolglot.cli import cli
from toolglot.cli.command_options import SUMMARIES
from toolglot.converter import formats, safety
from toolglot.converter.fitting import schema_size
from toolglot.converter.fitting.argument_codec import Fitted
from toolglot.converter.fitting.fit import fit, fit_again
from toolglot.converter.fitting.provider_rules import ProviderRules, SchemaLimits
from toolglot.converter.fitting.schema_size import refuse_too_large
from toolglot.converter.formats import Record
from toolglot.converter.formats.kit.description.facts_in_description import _split, split_description
from toolglot.converter.formats.kit.field_tables import boolean, put, take, texts
from toolglot.converter.formats.kit.field_tables import text as words
from toolglot.converter.hub.model import Tool, from_json
from toolglot.converter.safety.stated_caution import gist_of, levels_from_gist
from toolglot.converter.text import document_reader, json_reader
from toolglot.converter.text.source_text import SourceText
from toolglot.errors import FitError

ROWS = [row for name in formats.names() for row in formats.get(name).provider.profiles]


def fitted(schema: Any, rules: ProviderRules, way: Any) -> Any:
    try:
        found: Fitted = way(schema, rules)
    except FitError as error:
        return error.code, error.message, error.pointer
    return found.schema, found.steps


@given(argument_schemas.schemas(), st.sampled_from(ROWS))
def test_a_schema_that_was_seen_is_fitted_as_at_first(schema: dict[str, Any], rules: ProviderRules) -> None:
    plain = json.loads(json.dumps(schema))
    assert fitted(plain, rules, fit_again) == fitted(plain, rules, fit) == fitted(plain, rules, fit_again)


def test_a_definition_that_is_changed_changes_no_later_one() -> None:
    tool = Tool(id="t", inputs={"type": "object", "properties": {"a": {"type": "string"}}})
    first = toolglot.compile(tool, "openai", strict=True)
    told = json.dumps(first.definitions)
    first.definitions[0]["function"]["parameters"]["properties"]["a"]["type"] = "integer"
    again = toolglot.compile(tool, "openai", strict=True)
    assert json.dumps(again.definitions) == told
    assert again.decode("t", again.encode("t", {})) == {}


@given(strategies.HUB)
def test_caution_of_a_gist_is_caution_of_all_that_is_said(record: Record) -> None:
    tool = from_json(record.data)
    whole = in_classes(safety.stated_facts(tool))
    assert safety.caution(tool) == levels_from_gist.__wrapped__(whole)
    some = frozenset(list(dict(whole))[::2])
    assert safety.caution(tool, some) == levels_from_gist.__wrapped__(in_classes(safety.stated_facts(tool, some)))


def in_classes(stated: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """What is stated, with the class of each change instead of the change: that is how levels are asked for."""
    if "mutates" in stated:
        stated["mutates"] = tuple(entry.partition(":")[0] for entry in stated["mutates"])
    return tuple(stated.items())


def test_a_gist_is_small_however_much_is_said() -> None:
    long = tuple(f"external:{number}" for number in range(10_000))
    tool = Tool(id="t", mutates=long, hosts=long, secrets=long, approval="policy:" + "x" * 10_000, flags=long)
    assert len(repr(gist_of(tool))) < 200


@pytest.mark.parametrize(("network", "changes"), [(False, 0), (0, 0), (True, 1), (1, 1), (None, 1)])
def test_a_number_for_a_boolean_says_the_same_whoever_asked_before(network: Any, changes: int) -> None:
    denied = Tool(id="t", network=network, writes_files=False, deletes_files=False, destructive=False)
    assert safety.caution(denied)["changes"] == changes


@for_each(
    ("document", "faithful"),
    [
        ('{"a b": 1, "c": [{}, "x y"]}', True),
        ('{"a": 1, "a": 1}', False),
        ('{"a b": 1, "a b": 1}', False),
        ('{"a": {"b": 1, "b": 1}}', False),
        ('{"a": "\\u00e9"}', False),  # faithful, but it takes the counts to see it
        ('{"a": 1e2}', False),
    ],
)
def test_what_is_written_again_had_no_key_twice(document: str, faithful: bool) -> None:
    raw = document.encode()
    assert json_reader._is_written_again(msgspec.json.decode(raw), raw.translate(None, b" ")) is faithful


@given(st.lists(st.tuples(st.sampled_from(["a", "a b", "ab", "é"]), st.integers() | st.text(max_size=3)), max_size=4))
def test_a_key_that_stands_twice_is_an_error_and_none_else(pairs: list[tuple[str, Any]]) -> None:
    document = "{" + ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in pairs) + "}"
    if len(dict(pairs)) == len(pairs):
        assert (
            document_reader.load(document).data
            == json_reader.read_carefully(SourceText(document, None), 0, len(document))[0]
        )
    else:
        with pytest.raises(toolglot.Error, match=r"duplicate|twice"):
            document_reader.load(document)


@given(argument_schemas.schemas(), st.integers(0, 6), st.integers(0, 200))
def test_a_schema_that_looks_small_is_within_its_limits(schema: dict[str, Any], depth: int, count: int) -> None:
    for limit in (
        SchemaLimits(depth=depth), SchemaLimits(properties=count), SchemaLimits(characters=5 * count),
        SchemaLimits(enum_values=count), SchemaLimits(long_enum=(count, count)),
    ):  # fmt: skip
        rules = ProviderRules(format="x", profile="x", versions=(), strict=True, citation="", limits=limit)
        if schema_size._is_small(schema, limit):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(schema_size, "_is_small", lambda schema, limit: False)
                refuse_too_large(schema, rules)


_TABLE = {"a": {"x": boolean("network"), "y": {"z": texts("hosts")}}, "b": words("title"), "c": {"d": words("version")}}


@given(
    st.fixed_dictionaries({}, optional={"network": st.booleans(), "hosts": st.just(("h",)), "title": st.text()}),
    st.sampled_from([{}, {"q": 1}, {"b": 7}, {"a": {"w": 1}}, {"a": {}}, {"c": {"e": 2}, "q": 1}]),
)
def test_a_table_is_put_the_same_whether_anything_was_left_over(fields: dict[str, Any], rest: dict[str, Any]) -> None:
    written = put(Tool(id="t", **fields), _TABLE, rest)
    again: dict[str, Any] = {}
    left = take(written, _TABLE, again)
    assert again == fields
    assert put(Tool(id="t", **again), _TABLE, left) == written


@given(st.text("[]⚠️ DSafety:Whnous.\n", max_size=30), st.sampled_from([frozenset(), frozenset({"scopes"})]))
def test_a_description_is_split_the_same_twice(tail: str, holds: frozenset[str]) -> None:
    for description in (tail, f"Remove.\n\nSafety: uses the network. [⚠️ DESTRUCTIVE]{tail}", f"{tail}\n\nScopes: a; b"):
        assert (
            split_description(description, holds) == _split(description, holds) == split_description(description, holds)
        )


def test_the_collector_runs_again_after_every_verb() -> None:
    toolglot.compile(Tool(id="t"), "openai")
    assert gc.isenabled()
    with pytest.raises(toolglot.Error):
        toolglot.convert({"toolId": "a", "source": "mcp"}, "atip")
    assert gc.isenabled()
    gc.disable()
    try:
        toolglot.convert({"toolId": "a", "source": "mcp", "safetyTier": "read"}, "atip")
        assert not gc.isenabled()  # whoever paused it has it paused still
    finally:
        gc.enable()


@for_each("name", list(cli.commands))
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    assert SUMMARIES[name] == cli.commands[name].short_help
    assert cli.commands[name].name == name


@for_each("name", ["check_files", "nothing"])
def test_a_module_beside_the_commands_is_none(name: str) -> None:
    assert name not in cli.commands
