"""Function definitions of providers: shapes, containers, the length of descriptions, the OpenAPI dialect."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
import toolglot
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.formats import Record
from toolglot.converter.formats.gemini.openapi_dialect import from_openapi, to_openapi
from toolglot.converter.formats.kit.definition_containers import definitions
from toolglot.converter.formats.kit.description.facts_in_description import join_description, split_description
from toolglot.converter.formats.kit.description.short_and_whole import divide_description, unite_description
from toolglot.converter.formats.kit.description.shortening import limited_description
from toolglot.converter.formats.tool_descriptor.format import _NOT_IN_TEXT, _full_description, _split_description
from toolglot.converter.hub.fields import FIELDS
from toolglot.converter.hub.model import Example, Tool
from toolglot.converter.safety import FLAGS, NOTES, sort_warnings
from toolglot.converter.schema import canonical
from toolglot.errors import DetectionError

# -- descriptions ---------------------------------------------------------------------------------------------

LIMIT = 1024


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize(
    ("length", "plain", "flagged"),
    [(1000, 1000, 1017), (1008, 1008, 1024), (1024, 1024, 1024), (1025, 1023, 1024), (1100, 1023, 1024)],
)
def test_the_lengths_of_the_reference_bridge(length: int, plain: int, flagged: int) -> None:
    """The table of specs 2.4: a text without flags, and the same with one."""
    tool = Tool(id="t", description="x" * length)
    marked = Tool(id="t", description="x" * length, flags=("destructive",))
    assert units(limited_description(tool, (), LIMIT) or "") == plain
    text = limited_description(marked, (), LIMIT) or ""
    assert units(text) == flagged
    assert text.endswith("x [⚠️ DESTRUCTIVE]" if length <= 1007 else "... [⚠️ DESTRUCTIVE]")


def test_half_of_a_character_is_never_left() -> None:
    for length in range(1015, 1030):
        text = limited_description(Tool(id="t", description="x" * length + "💰" * 20), (), LIMIT) or ""
        assert units(text) <= LIMIT
        assert text.encode("utf-8").decode("utf-8") == text
        assert text.endswith("..."), "the cut shows"


_LONG = st.builds(lambda text, count: text * count, strategies.TEXT, st.sampled_from([0, 1, 40, 90, 400]))


@given(
    description=st.none() | _LONG,
    when=st.none() | _LONG,
    conditions=st.none() | st.lists(_LONG, max_size=3).map(tuple),
    flags=st.lists(st.sampled_from([*FLAGS, *NOTES]), unique=True).map(sort_warnings),
    deprecated=st.booleans() | st.none(),
)
def test_warnings_are_whole_and_cutting_twice_changes_nothing(flags: tuple[str, ...], **facts: Any) -> None:
    tool = Tool(id="t", flags=flags or None, when_to_use=facts.pop("when"), **facts)
    text = limited_description(tool, (), LIMIT)
    if text is None:  # there was nothing, or one paragraph that is longer than all that fits
        assert not flags
        assert tool.description is None
        return
    assert units(text) <= LIMIT
    back = split_description(text, ())
    assert set(flags) <= set(back.get("flags", ()))
    assert limited_description(Tool(id="t", **back), (), LIMIT) == text
    if units(join_description(tool, ()) or "") <= LIMIT:
        assert text == join_description(tool, ())


_WORDS = [
    *filter(None, (field.label for field in FIELDS.values())),
    "Safety: ",
    *(note.words for note in (*FLAGS.values(), *NOTES.values())),
]
_SIGNS = ["[", "]", " | ", "; ", ".", " ", "\n", "\n\n", "Remove files.", "Nur auf Anfrage.", "a"]
_TAILS = st.lists(st.sampled_from([*_WORDS, *_SIGNS]), max_size=9).map("".join)


@given(_TAILS)
def test_a_description_is_split_into_what_it_is_joined_of(text: str) -> None:
    assert join_description(Tool(id="", **split_description(text, ())), ()) == text
    parts, is_spelled_so = _split_description(text)
    tool = Tool(id="", **parts)
    assert (_full_description(tool, join_description(tool, _NOT_IN_TEXT)) == text) == is_spelled_so


@given(_TAILS, _TAILS, st.sampled_from([None, ("destructive",), ("deletes-files", "destructive")]))
def test_two_texts_are_united_into_what_they_were_divided_of(text: str, guidance: str, flags: Any) -> None:
    tool = Tool(id="t", description=text, guidance=guidance or None, flags=flags)
    above, below = divide_description(tool, (), 80)
    texts = (above, (below or "").strip())  # as a body has it
    back = Tool(id="t", **unite_description(*texts, (), 80))
    assert divide_description(back, (), 80) == (above, texts[1] or None)
    assert {*(flags or ())} <= {*(back.flags or ())}


# -- containers -----------------------------------------------------------------------------------------------

CHAT = {"type": "function", "function": {"name": "dig", "parameters": {"type": "object"}}}
FLAT = {"type": "function", "name": "dig", "parameters": None, "strict": False}
BARE = {"name": "dig", "parameters": {"type": "object"}}
ANTHROPIC = {"name": "dig", "input_schema": {"type": "object"}}
GEMINI = {"name": "dig", "parameters": {"type": "OBJECT"}}
CONTAINERS: list[tuple[Any, str | None, list[str]]] = [
    (CHAT, "openai", [""]),
    (FLAT, "openai", [""]),
    (BARE, "openai", [""]),
    ([CHAT, FLAT, BARE], "openai", ["/0", "/1", "/2"]),
    ({"tools": [{"type": "web_search"}, FLAT]}, "openai", ["/tools/0", "/tools/1"]),
    ({"tools": [{"type": "namespace", "tools": [FLAT]}, FLAT]}, "openai", ["/tools/0/tools/0", "/tools/1"]),
    ({"functions": [{"name": "dig"}]}, "openai", ["/functions/0"]),
    ([{"id": "q", "function": [BARE, BARE]}], "openai", ["/0/function/0", "/0/function/1"]),
    ([{"id": "q", "function": BARE}], "openai", ["/0/function"]),
    ({"a/b": {"description": "", "params": {}}}, "openai", ["/a~1b"]),
    ({"tools": {"dig": {"description": "", "parameters": {}}}}, "openai", ["/tools/dig"]),
    ({"7": {"query": "?", "available_tools": [BARE]}}, "openai", ["/7/available_tools/0"]),
    ({"answer_generation": {"function": [BARE]}}, "openai", ["/answer_generation/function/0"]),
    ({"messages": [{"role": "system", "tools": [CHAT]}, {"role": "user", "tools": None}]}, "openai",
     ["/messages/0/tools/0"]),
    ({"messages": []}, None, [""]),
    ({"messages": {"tools": [CHAT]}}, "openai", ["/messages/tools/0"]),
    (ANTHROPIC, "anthropic", [""]),
    ({"tools": [{"type": "bash_20250124", "name": "bash"}, ANTHROPIC]}, "anthropic", ["/tools/0", "/tools/1"]),
    (GEMINI, "gemini", [""]),
    ({"name": "dig", "parametersJsonSchema": {}}, "gemini", [""]),
    ({"functionDeclarations": [{"name": "dig"}]}, "gemini", ["/functionDeclarations/0"]),
    ([{"function_declarations": [BARE]}], "gemini", ["/0/function_declarations/0"]),
    ({"tools": {"functionDeclarations": [GEMINI]}}, "gemini", ["/tools/functionDeclarations/0"]),
    ({"tools": [{"googleSearch": {}}, {"functionDeclarations": [GEMINI]}]}, "gemini",
     ["/tools/0", "/tools/1/functionDeclarations/0"]),
    ({"tools": [{"mcpServers": [{"name": "s"}]}, {"functionDeclarations": [GEMINI]}]}, "gemini",
     ["/tools/0", "/tools/1/functionDeclarations/0"]),
    ({"name": "dig", "description": "Dig."}, None, [""]),
    ({"tools": [{"type": "web_search"}]}, None, ["/tools/0"]),
    ([{"type": "function", "name": "transfer", "inputs": []}], None, ["/0"]),
    ({"properties": {"parameters": {"type": "object"}}}, None, [""]),
    ({"tools": []}, None, []),
]  # fmt: skip


@for_each(("document", "name", "pointers"), CONTAINERS)
def test_every_container_is_taken_apart_by_one_format(document: Any, name: str | None, pointers: list[str]) -> None:
    assert [record.pointer for record in definitions(document)] == pointers
    if name is None:
        with pytest.raises(DetectionError):
            toolglot.detect(document)
        return
    assert toolglot.detect(document) == name
    assert len(toolglot.read(document)) == len(pointers)


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
@given(data=st.data())
def test_what_is_wrapped_is_taken_apart_into_the_same(name: str, data: st.DataObject) -> None:
    found = formats.get(name)
    some = [record.data for record in data.draw(st.lists(strategies.RECORDS[name], max_size=4))]
    assert [record.data for record in found.records(found.wrap(some))] == some


# -- versions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["openai@chat", "openai@responses", "gemini@parameters", "gemini@json-schema"])
@given(data=st.data())
def test_a_definition_is_written_in_the_other_version_of_its_format(target: str, data: st.DataObject) -> None:
    found, version = formats.parse_target(target)
    tool = found.read(data.draw(strategies.RECORDS[found.name]))
    written = found.write(tool, version)
    back = found.read(written)
    assert (back.id, back.description, back.flags) == (tool.id, tool.description, tool.flags)
    assert found.write(back, None).data == written.data
    if tool.inputs is not None:  # what a provider runs itself has one shape
        assert found.version_of(written.data) in (version, "parameters")


def test_a_strict_flag_that_is_handed_over_stands_where_the_version_wants_it() -> None:
    tool = Tool(id="dig", inputs={"type": "object", "properties": {}}, extensions={"openai": {"strict": True}})
    write = formats.get("openai").write
    assert list(write(tool, "chat").data["function"]) == ["name", "parameters", "strict"]
    assert write(tool, "responses").data["strict"] is True
    assert write(Tool(id="dig"), "responses").data["strict"] is False
    assert write(Tool(id="dig"), None).data == {
        "type": "function", "function": {"name": "dig", "parameters": {"type": "object", "properties": {}}},
    }  # fmt: skip


def test_long_descriptions_are_cut_for_other_formats_only() -> None:
    openai = formats.get("openai")
    own = Record({"type": "function", "function": {"name": "dig", "description": "x" * 2000}})
    assert openai.write(openai.read(own), None) == own
    foreign = openai.write(Tool(id="dig", description="x" * 2000, flags=("destructive",)), None)
    assert units(foreign.data["function"]["description"]) == LIMIT
    assert canonical.is_valid(foreign.data, "openai/chat")


@for_each("inputs", [None, {"type": "object"}, {"type": "object", "additionalProperties": False}])
@for_each("version", ["parameters", "json-schema"])
def test_gemini_has_no_schema_for_a_tool_that_takes_nothing(inputs: Any, version: str) -> None:
    assert formats.get("gemini").write(Tool(id="dig", inputs=inputs), version).data == {"name": "dig"}


# -- examples -------------------------------------------------------------------------------------------------

PAY = {"type": "object", "properties": {"to": {"type": "string"}, "sum": {"type": "integer"}}, "required": ["to"]}


@pytest.mark.parametrize(
    ("inputs", "examples", "written"),
    [
        (PAY, [{"to": "Ann"}, {"to": 3}, {}, {"to": "Bo", "sum": 1}], [{"to": "Ann"}, {"to": "Bo", "sum": 1}]),
        (PAY, [{"to": 3}], None),
        (PAY, [], None),
        (None, [{"any": 1}], [{"any": 1}]),
    ],
)
def test_examples_that_the_schema_refuses_are_not_shown(inputs: Any, examples: list[Any], written: Any) -> None:
    tool = Tool(id="pay", inputs=inputs, examples=tuple(Example(input=one) for one in examples) or None)
    assert formats.get("anthropic").write(tool, None).data.get("input_examples") == written
    conversion = toolglot.convert(toolglot.write(tool, "hub"), "anthropic")
    narrowed = {change.path for change in conversion.report.losses if change.field == "examples"}
    assert narrowed == ({"/examples"} if len(examples) > len(written or ()) else set())


# -- the OpenAPI dialect --------------------------------------------------------------------------------------


@given(strategies.GEMINI_SCHEMA.filter(lambda schema: "'const'" not in repr(schema)))  # that is not of the dialect
def test_lowering_loses_nothing_that_raising_could_not_say(schema: dict[str, Any]) -> None:
    assert without_order(from_openapi(to_openapi(from_openapi(schema)))) == without_order(from_openapi(schema))


def without_order(node: Any) -> Any:
    """The schema with its alternatives sorted, each once: `nullable` does not say where null stood, or how often."""
    if isinstance(node, list):
        return [without_order(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {key: without_order(value) for key, value in node.items()}
    if isinstance(out.get("anyOf"), list):
        out["anyOf"] = [item for _, item in sorted({repr(item): item for item in out["anyOf"]}.items())]
    return out


@for_each(
    ("openapi", "plain"),
    [
        ({"type": "STRING", "nullable": True}, {"type": ["string", "null"]}),
        ({"anyOf": [{"type": "STRING"}], "nullable": True}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ({"type": "STRING", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": "NULL"}, {"type": "null"}),
        ({"type": "STRING", "example": {"type": "STRING"}}, {"type": "string", "examples": [{"type": "STRING"}]}),
        ({"properties": {"type": {"type": "NULL"}}}, {"properties": {"type": {"type": "null"}}}),
        ({"properties": {"nullable": {}, "ref": {}}}, {"properties": {"nullable": {}, "ref": {}}}),
        ({"enum": ["STRING"], "default": {"type": "STRING"}}, {"enum": ["STRING"], "default": {"type": "STRING"}}),
        ({"defs": {"A": {"ref": "#/defs/A"}}}, {"$defs": {"A": {"$ref": "#/$defs/A"}}}),
        ({"type": "OBJECT", "propertyOrdering": ["a"]}, {"type": "object", "propertyOrdering": ["a"]}),
    ],
)  # fmt: skip
def test_both_ways(openapi: dict[str, Any], plain: dict[str, Any]) -> None:
    assert from_openapi(openapi) == plain
    assert to_openapi(plain) == openapi
