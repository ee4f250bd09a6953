"""What a tool is, when to call it, and when not: it reaches every target with room, and ordinary prose stops none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolglot
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.formats.atdf.prerequisites import with_needs, without_needs
from toolglot.converter.formats.kit.description.facts_in_description import paragraphs, take_paragraphs
from toolglot.converter.hub.model import AuthMethod, Example, Tool
from toolglot.converter.safety import warnings_in
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import document_reader

TARGETS = [name for name in formats.targets() if name != "hub"]
TOLD = [name for name in TARGETS if not formats.get(name).untold]
UNTITLED = [name for name in formats.targets() if formats.get(name).provider.is_api]
PROVIDERS = [name for name in TARGETS if formats.get(name).provider.profiles]

BODY = """
## Description

Call it when somebody wants to know which berth
is free. Do NOT call it for berths of the navy;
ask the harbour office instead.
"""
TOOL_MD = f"""---
name: Free berths
id: harbour.berths
description: List the berths that are free on a day.
version: 1.0.0
mutates: []
approval: auto
inputs:
  type: object
  properties:
    day: {{ type: string, format: date }}
outputs: {{}}
examples:
  - name: Midsummer
    input: {{ day: "2026-06-21" }}
---
{BODY}"""
GUIDANCE = (
    "Call it when somebody wants to know which berth is free. Do NOT call it for berths of the navy; "
    "ask the harbour office instead."
)


PARAGRAPHS = st.sampled_from([
    "When to use: when asked", "Requires: a key; a door", "Permissions: admin.", "Needs first: other.", "Calls: a; b.",
    "Status: deprecated", "Scopes: a", "Drivers: never http", "Implements: storage:commit", "Examples:\n- x: {}",
    "Delete it.", "Busca el nombre de un cliente.", "Use it for: t.", "«t»", "Requires:", "When to use: ", "查找",
])  # fmt: skip
PROSE = st.lists(PARAGRAPHS, min_size=1, max_size=6).map("\n\n".join)
FACTS: list[dict[str, Any]] = [
    {}, {"destructive": True, "deletes_files": True, "approval": "always"},
    {"safety_tier": "exec", "source": "host-extension"},
    {"conditions": ("It is day.",), "when_to_use": "Only by day.", "network": True, "calls": ("z",)},
]  # fmt: skip


def written(source: Any, target: str, **options: Any) -> list[Tool]:
    result = toolglot.convert(source, target, **options)
    return [
        tool for _, content in result.files for tool in toolglot.read(content, formats.parse_target(target)[0].name)
    ]


def shown(tool: Tool) -> str:
    """What a model sees of a tool in words."""
    leaf = next(iter(leaves_of(tool))).tool
    texts = (leaf.description, leaf.when_to_use, leaf.guidance)
    return " ".join(" ".join(text for text in texts if text).split())


@for_each("target", TOLD)
def test_the_description_of_a_body_reaches_every_target(target: str) -> None:
    (tool,) = written(TOOL_MD, target)
    assert shown(tool).count(GUIDANCE) == 1
    report = toolglot.convert(TOOL_MD, target).report
    assert not [change for change in report.losses if change.path.endswith(("/guidance", "/description"))]


@given(chain=st.lists(st.sampled_from(TOLD), min_size=1, max_size=5))
def test_guidance_is_said_once_however_far_it_travels(chain: list[str]) -> None:
    source, name = TOOL_MD, "aip14"
    for target in chain:
        source, name = toolglot.convert(source, target, format=name).text, target
    (tool,) = toolglot.read(source, name)
    assert shown(tool).count("Do NOT call it") == 1
    assert shown(tool).count("List the berths") == 1


def test_guidance_is_where_an_author_would_put_it() -> None:
    record = json.loads(toolglot.convert(TOOL_MD, "atdf").text)
    assert record["description"].startswith("List the berths that are free on a day.")
    assert "navy" not in record["description"]
    assert record["when_to_use"] == GUIDANCE
    program = json.loads(toolglot.convert(TOOL_MD, "atip").text)
    assert program["description"] == "List the berths that are free on a day."
    assert GUIDANCE in program["commands"][""]["description"]
    result = toolglot.convert(TOOL_MD, "tool-descriptor")
    (descriptor,) = json.loads(result.text)["tools"]
    assert descriptor["description"] == "List the berths that are free on a day."
    assert "/guidance" in [change.path for change in result.report.losses]


@given(PROSE, st.sampled_from(FACTS))
def test_a_descriptor_is_one_line_that_is_read_back(prose: str, facts: dict[str, Any]) -> None:
    tool = Tool(id="t", description=prose, **facts)
    first = toolglot.convert(toolglot.write(tool, "hub"), "tool-descriptor")
    (descriptor,) = json.loads(first.text)["tools"]
    assert "\n" not in descriptor["description"]
    assert toolglot.convert(first.text, "tool-descriptor").text == first.text
    (back,) = toolglot.read(first.text, "tool-descriptor")
    again = toolglot.convert(toolglot.write(back, "hub"), "tool-descriptor")
    assert again.text == first.text


@for_each("target", TARGETS)
def test_without_a_description_the_title_describes(target: str) -> None:
    facts: dict[str, Any] = {"id": "x.y", "title": "Feed the cat", "inputs": {"type": "object"}}
    bare = Tool(**facts)
    full = Tool(**facts, scopes=("a",), conditions=("It is day.",), implements="storage:read")
    for described in (bare, full):
        (tool,) = written(toolglot.write(described, "hub"), target)
        leaf = next(iter(leaves_of(tool))).tool
        assert leaf.description == "Feed the cat"
    (tool,) = written(toolglot.write(Tool(id="xy", conditions=("It is day.",)), "hub"), target)
    assert not (shown(tool)).startswith("Requires")


@for_each("target", TARGETS)
def test_what_is_for_the_host_is_dropped_and_comes_back(target: str) -> None:
    tool = Tool(id="xy", description="Feed.", scopes=("cats.feed",), driver_constraints={"forbid": ["http"]})
    source = toolglot.write(tool, "hub")
    result = toolglot.convert(source, target, lossless=True)
    fields = {"scopes", "driver_constraints"} - formats.get(target).holds
    assert fields <= {change.path.strip("/") for change in result.report.changes if change.action == "dropped"}
    visible = toolglot.convert(source, target).text
    assert "Scopes" not in visible
    assert "never http" not in visible
    (back,) = toolglot.read(result.text, target, restore=True)
    assert (back.scopes, back.driver_constraints) == (tool.scopes, tool.driver_constraints)


# -- when to use ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("facts", [{"title": "Feed the cat"}, {}, {"description": "Da de comer al gato de la casa."}])
def test_when_to_use_that_nobody_states_is_a_sentence_that_states_nothing(facts: dict[str, Any]) -> None:
    tool = Tool(id="feed", **{"description": "Feed.", **facts})
    result = toolglot.convert(toolglot.write(tool, "hub"), "atdf")
    record = json.loads(result.text)
    assert record["when_to_use"] == tool.description
    (mark,) = record["metadata"]["toolglot"]["assumed"]
    assert mark.startswith("when_to_use:")
    (back,) = toolglot.read(result.text, "atdf")
    assert back.when_to_use is None
    assert "When to use" not in toolglot.convert(result.text, "mcp").text
    assert json.loads(toolglot.convert(result.text, "atdf").text) == record
    kept = toolglot.convert(toolglot.convert(result.text, "mcp").text, "atdf", format="mcp")
    assert json.loads(kept.text)["when_to_use"] == record["when_to_use"]


def test_an_error_is_two_sentences() -> None:
    table = "| Code | Meaning | Caller action |\n|---|---|---|\n| `full` | No berth is free | Try later |\n"
    source = f"{TOOL_MD}\n## Errors\n\n{table}"
    result = toolglot.convert(source, "atdf")
    (failure,) = json.loads(result.text)["how_to_use"]["outputs"]["failure"]
    assert failure == {"code": "full", "description": "No berth is free. Action: Try later"}
    assert not [change for change in result.report.losses if change.path == "/errors"]
    (back,) = toolglot.read(result.text, "atdf")
    assert [error.action for error in back.errors or ()] == ["Try later"]


# -- what a tool needs ------------------------------------------------------------------------------------------------

NEEDS = st.fixed_dictionaries(
    {},
    optional={
        "hosts": st.lists(st.sampled_from(["*", "a.example", "b, c", ""]), max_size=2).map(tuple),
        "secrets": st.lists(st.sampled_from(["mail-key", "gh-token", "GH_TOKEN", "a, b."]), max_size=2).map(tuple),
        "scopes": st.lists(st.sampled_from(["repo", "a, b"]), max_size=2).map(tuple),
        "auth_required": st.booleans(),
        "auth_check": st.sampled_from(["gh auth status", "", "Authenticated: "]),
        "auth_methods": st.lists(
            st.builds(
                AuthMethod, type=st.sampled_from(["token", "a, b"]), env=st.sampled_from([None, "GH_TOKEN", "X, Y"]),
                setup=st.sampled_from([None, "gh auth login", "a, b."]), description=st.sampled_from([None, "d"]),
            ), max_size=2,
        ).map(tuple),
        "conditions": st.lists(
            st.sampled_from(["It is day.", "Network access.", "The secret x.", "Valid credentials.", ""]), max_size=3
        ).map(tuple),
    },
)  # fmt: skip


@given(NEEDS)
def test_what_a_tool_needs_is_said_and_read_without_less_caution(facts: dict[str, Any]) -> None:
    tool = Tool(id="xy", description="Feed.", **facts)
    conditions = with_needs(tool).conditions or ()
    back = without_needs(conditions)
    assert (with_needs(Tool(id="xy", **back)).conditions or ()) == conditions
    assert bool(tool.hosts) <= bool(back.get("hosts"))
    needs = bool(tool.secrets or tool.auth_methods or tool.auth_required)
    assert needs <= any(back.get(name) for name in ("secrets", "auth_methods", "auth_required"))
    for version in ("0.1", "0.2"):
        toolglot.convert(toolglot.write(tool, "hub"), f"atdf@{version}")


def test_a_long_list_of_conditions_is_read_in_no_time() -> None:
    conditions = ("Network access.",) * 100_000
    assert without_needs(conditions)["conditions"][-9:] == conditions[-9:]


def test_a_variable_that_holds_a_secret_is_a_way_of_signing_in() -> None:
    source = toolglot.write(Tool(id="xy", description="Feed.", secrets=("CAT_API_KEY", "cat-key")), "hub")
    program = json.loads(toolglot.convert(source, "atip").text)
    both, guessed = "(all 2 secrets are needed)", {"x-toolglot": {"assumed": ["type"]}}
    assert program["authentication"]["methods"] == [
        {"type": "api-key", "envVar": "CAT_API_KEY", "description": f"CAT_API_KEY {both}", **guessed},
        {"type": "api-key", "description": f"cat-key {both}", **guessed},
    ]


# -- prose ------------------------------------------------------------------------------------------------------------


@given(PROSE, st.sampled_from(FACTS), st.lists(st.sampled_from(TARGETS), min_size=1, max_size=4))
def test_ordinary_prose_blocks_no_conversion(prose: str, facts: dict[str, Any], chain: list[str]) -> None:
    source, name = toolglot.write(Tool(id="t", description=prose, **facts), "hub"), "hub"
    words = set(prose.split())
    for target in chain:
        source, name = toolglot.convert(source, target, format=name).text, target
    (tool,) = toolglot.read(source, name)
    leaf = next(iter(leaves_of(tool))).tool
    lists = [" ".join(items) for items in (leaf.conditions, leaf.permissions, leaf.required_tools, leaf.calls) if items]
    told = " ".join([shown(tool), *lists])
    labels = {"When", "to", "use:", "Requires:", "Permissions:", "Needs", "first:", "Calls:", "Status:", "deprecated"}
    lost = {word.strip(";.") for word in words - labels} - {word.strip(".") for word in told.replace(";", " ").split()}
    assert not lost


@given(PROSE, st.sampled_from([frozenset(), frozenset({"conditions"}), frozenset({"when_to_use", "calls"})]))
def test_labels_that_are_read_are_written_again(prose: str, holds: frozenset[str]) -> None:
    found = take_paragraphs(prose, holds)
    again = paragraphs(Tool(id="", **found), holds)
    if found["description"]:
        assert "\n\n".join([found["description"], *again.values()]) == prose


SPANISH = Tool(
    id="xy",
    description="Busca el nombre de un cliente en la base de datos.",
    when_to_use="Solo cuando lo pidan.",
    conditions=("La base de datos responde.",),
    calls=("otro",),
    permissions=("p",),
)


@for_each("target", [name for name in TOLD if name != "atdf"])
def test_a_text_in_another_language_gets_no_english_label(target: str) -> None:
    result = toolglot.convert(toolglot.write(SPANISH, "hub"), target)
    for label in ("When to use", "Requires", "Permissions", "Calls"):
        assert label not in result.text
    (tool,) = toolglot.read(result.text, target)
    assert "Solo cuando lo pidan. La base de datos responde." in shown(tool)


# -- what no field of a target holds ---------------------------------------------------------------------------------

PLANT = {
    "atip": {"version": "0.6"}, "name": "plant", "version": "1.0.0",
    "description": "Every command shuts the reactor down.",
    "commands": {"valve": {"description": "Works on valves.", "commands": {"a": {"description": "Turns valve a."}}}},
}  # fmt: skip
LABELLED_PLANT = {**PLANT, "description": "Turns valves, or shuts the reactor down (destructive)."}


def mcp_tool(**facts: Any) -> dict[str, Any]:
    return {"tools": [{"name": "act", "inputSchema": {"type": "object"}, **facts}]}


def operation(**facts: Any) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Till", "version": "1"},
        "paths": {"/a": {"get": {"operationId": "act", "responses": {"200": {"description": "Done."}}, **facts}}},
    }


# A document, and what its one tool says in targets that have no field for a title or a summary, and no programs.
WHOLE: dict[str, tuple[dict[str, Any], str]] = {
    "a title": (
        mcp_tool(title="Erase the customer for good", description="Handles a customer."),
        "Erase the customer for good\n\nHandles a customer.",
    ),
    "a title of the same words": (mcp_tool(title="Customer", description="Handles a customer."), "Handles a customer."),
    "a title of the name": (mcp_tool(title="Act!", description="Handles a customer."), "Handles a customer."),
    "a summary": (
        operation(summary="Erase everything.", description="Works on a customer."),
        "Erase everything.\n\nWorks on a customer.",
    ),
    "a summary that begins the description": (
        operation(summary="Find a customer", description="Find a customer. By number."),
        "Find a customer. By number.",
    ),
    "a program and a group": (
        PLANT,
        "Turns valve a.\n\nplant: Every command shuts the reactor down.",
    ),
    "a program with a danger of another command": (LABELLED_PLANT, "Turns valve a."),
}


@for_each("name", WHOLE)
@for_each("target", UNTITLED)
def test_a_text_that_a_target_has_no_field_for_is_in_the_description(name: str, target: str) -> None:
    document, expected = WHOLE[name]
    (tool,) = written(document, target)
    assert tool.description == expected
    report = toolglot.convert(document, target).report
    lost = [change for change in report.losses if change.path.endswith(("/title", "/summary", "/description"))]
    assert bool(lost) is name.startswith("a program")


# -- limits, examples -------------------------------------------------------------------------------------------------


def test_a_cut_text_is_reported_by_its_own_words() -> None:
    long = "Words and words. " * 100 + "It also erases every backup."
    for tool, path in (
        (Tool(id="xy", description=long), "/description"),
        (Tool(id="xy", description="Feed.", guidance=long), "/guidance"),
    ):
        result = toolglot.convert(toolglot.write(tool, "hub"), "openai")
        (entry,) = [change for change in result.report.losses if change.path == path]
        assert entry.action == "narrowed"
        assert entry.note == "cut: 'It also erases every backup.'"
        assert entry.because == entry.note


ORDINARY = "This one keeps the accounts of the club in good order. " * 25
# A text that is too long, and how what is left of it ends.
CUT: dict[str, tuple[str, str]] = {
    "no warning": (f"{ORDINARY}Caution: it also erases every backup.", "..."),
    "a label": (
        f"{ORDINARY}DESTRUCTIVE: it erases every backup. {ORDINARY}",
        "... DESTRUCTIVE: it erases every backup.",
    ),
    "a flag, and a note": (
        f"{ORDINARY}Erases [⚠️ DESTRUCTIVE]. {ORDINARY}Safety: deletes files. {ORDINARY}",
        "... Erases [⚠️ DESTRUCTIVE]. Safety: deletes files.",
    ),
    "a label too long to keep": (f"{ORDINARY}Destructive: it erases {'all and ' * 300}more.", "... [⚠️ DESTRUCTIVE]"),
    "a word that is no label at its place": (f"{ORDINARY}it is\nDestructive: maybe. {ORDINARY}", "..."),
}


@for_each("name", CUT)
def test_a_sentence_that_states_a_warning_is_cut_last(name: str) -> None:
    text, end = CUT[name]
    result = toolglot.convert(toolglot.write(Tool(id="xy", description=text), "hub"), "openai")
    (definition,) = json.loads(result.text)["tools"]
    description = definition["function"]["description"]
    assert description.endswith(end)
    assert len(description) <= 1024
    (tool,) = toolglot.read(result.text, "openai")
    assert warnings_in(description) == warnings_in(text)
    assert tool.description


@pytest.mark.parametrize("provider", PROVIDERS)
def test_examples_reach_providers(provider: str) -> None:
    tool = Tool(
        id="xy", description="Feed.", examples=(Example(title="Cat", input={"who": "cat"}), Example(command="xy cat"))
    )
    source = toolglot.write(tool, "hub")
    asked = toolglot.convert(source, provider, examples=True, lossless=True)
    assert '"cat"' in asked.text.replace("\\", "")
    assert toolglot.read(asked.text, provider, restore=True)[0].examples == tool.examples
    plain = toolglot.convert(source, provider).text
    assert ("cat" in plain) is ("examples" in formats.get(provider).holds)
    compiled = toolglot.compile(tool, provider, examples=True)
    assert '"cat"' in compiled.text.replace("\\", "")


def test_examples_that_a_field_cannot_show_are_told() -> None:
    inputs = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}
    examples = (Example(input={"who": "cat"}), Example(command="xy dog"))
    tool = Tool(id="xy", description="Feed.", inputs=inputs, examples=examples)
    (found,) = toolglot.compile(tool, "anthropic", examples=True).definitions
    assert found["input_examples"] == [{"who": "cat"}]
    assert found["description"].startswith("Feed.\n\nExamples:\n- `xy dog`")


def test_examples_that_have_no_room_stay_away_whole() -> None:
    examples = tuple(Example(input={"who": "x" * 300, "number": number}) for number in range(9))
    tool = Tool(id="xy", description="Feed.", examples=examples, destructive=True)
    (found,) = toolglot.compile(tool, "openai", examples=True).definitions
    description = found["function"]["description"]
    assert len(description) <= 1024
    assert description.endswith("[⚠️ DESTRUCTIVE]")
    lines = [line for line in description.split("\n") if line.startswith("- ")]
    assert len(lines) == 3
    for number, line in enumerate(lines):
        example = line.removeprefix("- ").partition(" [")[0]
        assert document_reader.load(example).data["number"] == number
