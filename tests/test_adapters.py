"""What adapters to frameworks have in common, and what they say where a framework is missing.

`tests/adapters` tries each with the real package: `make adapters`.
"""

from __future__ import annotations

import asyncio
import importlib
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from adapters.shared import ERASE, FIND, RESULTS, TOOLS, Runner
from rows import for_each
from toolglot.adapters import pydantic_ai, read_tools
from toolglot.errors import ReadError, ToolFailure, UsageError
from toolglot.runtime.adapters.framework_tools import METADATA, offer_tools, tool_of

MODULES = {
    "langchain": "langchain_core",
    "pydantic_ai": "pydantic_ai",
    "openai_agents": "agents",
    "fastmcp": "fastmcp",
    "mcp": "mcp_types",
}


@pytest.mark.parametrize(("module", "package"), MODULES.items(), ids=MODULES)
def test_a_missing_framework_is_named_with_its_extra(
    module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolglot.extras.find_spec", lambda name: None)
    adapter = importlib.import_module(f"toolglot.runtime.adapters.{module}")
    extra = module.replace("_", "-")
    with pytest.raises(
        UsageError, match=rf"the package {package}; in a clone of toolglot, run: pip install '\.\[{extra}\]'"
    ) as caught:
        adapter.wrap_tools(TOOLS, "openai", runner=print)
    assert caught.value.code == "missing-extra"


@for_each("name", [name for name, result in RESULTS.items() if not isinstance(result, ToolFailure)])
def test_a_result_is_what_a_model_reads_and_the_data_beside_it(name: str) -> None:
    [find, _] = offer_tools(TOOLS, "openai", Runner())
    content = find.call({"config": name})
    assert content.structured == (RESULTS[name] if name == "data" else msgspec.UNSET)
    assert content.parts[0] in ("a.txt", '{"lines":["a","b"]}', "a dot")


def test_a_result_that_says_that_it_failed_is_a_failure() -> None:
    failed = {"content": [{"type": "text", "text": "no disk"}], "isError": True}
    [find, _] = offer_tools(TOOLS, "openai", lambda invocation: failed)
    with pytest.raises(ToolFailure, match="no disk"):
        find.call({"config": "a"})


@pytest.fixture
def fake_pydantic_ai(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of the framework: its tool shows the function that it is given."""

    def from_schema(function: Any, *rest: Any, **options: Any) -> Any:
        return SimpleNamespace(function=function)

    monkeypatch.setattr(
        pydantic_ai, "load_package", lambda *names: SimpleNamespace(Tool=SimpleNamespace(from_schema=from_schema))
    )


@pytest.mark.usefixtures("fake_pydantic_ai")
@pytest.mark.parametrize(
    ("text", "result"),
    [("2 listed", ["2 listed", '{"issues":[7,9]}']), ('{"issues": [7, 9]}', {"issues": [7, 9]})],
)
def test_a_framework_that_takes_data_is_given_no_less_than_a_model(text: str, result: Any) -> None:
    said = {"content": [{"type": "text", "text": text}], "structuredContent": {"issues": [7, 9]}}
    [tool] = pydantic_ai.wrap_tools(
        msgspec.structs.replace(FIND, inputs=None), "openai", runner=lambda invocation: said
    )
    assert asyncio.run(tool.function(SimpleNamespace())) == result


@pytest.mark.usefixtures("fake_pydantic_ai")
def test_an_argument_may_be_called_like_what_a_framework_gives() -> None:
    inputs = {"type": "object", "properties": {"ctx": {"type": "string"}}}
    tools = msgspec.structs.replace(FIND, inputs=inputs)
    [tool] = pydantic_ai.wrap_tools(tools, "openai", runner=lambda invocation: invocation.arguments)
    assert asyncio.run(tool.function(SimpleNamespace(), ctx="a")) == {"ctx": "a"}


def test_who_asks_is_decided_once() -> None:
    runner = Runner()
    asked_by_framework = offer_tools(TOOLS, "openai", runner, framework_asks=True)
    assert [bool(tool.questions) for tool in asked_by_framework] == [False, True]
    assert asked_by_framework[1].call({"disk": "a"}).parts == ("done",)
    by_ours = offer_tools(TOOLS, "openai", runner, framework_asks=True, approve=lambda invocation, reasons: False)
    assert [tool.questions for tool in by_ours] == [(), ()]
    with pytest.raises(ToolFailure, match="not approved"):
        by_ours[1].call({"disk": "a"})
    with pytest.raises(ToolFailure, match="nobody can be asked"):
        offer_tools(TOOLS, "openai", runner)[1].call({"disk": "a"})


def shown(**changes: Any) -> Any:
    [_, erase] = offer_tools(TOOLS, "openai", Runner())
    seen = {"name": erase.name, "description": erase.description, "schema": erase.schema, "metadata": erase.metadata}
    return tool_of(**{**seen, **changes})


def test_metadata_restore_what_still_shows_the_same() -> None:
    assert shown() == ERASE
    assert shown(name="wipe").id == "wipe"
    assert shown(description="Erase it.").description == "Erase it."
    assert shown(schema={"type": "object"}).inputs == {"type": "object"}


SAFER: dict[str, Any] = {
    "safe": {"id": "erase", "destructive": False, "approval": "never"},
    "silent": {"id": "erase"},
    "another type": "erase",
    "no tool": {"id": 3},
}


@for_each("kept", SAFER.values(), ids=SAFER)
def test_metadata_never_make_a_tool_look_safer(kept: Any) -> None:
    [_, erase] = offer_tools(TOOLS, "openai", Runner())
    metadata = {METADATA: {**erase.metadata[METADATA], "tool": kept}}
    assert "destructive" in (shown(metadata=metadata).flags or ())


@for_each(
    ("says", "unclear"),
    [
        ({"metadata": {"destructive": True, "team": "a"}}, ("destructive",)),
        ({"metadata": {"requires_approval": True}}, ("approval",)),
        ({"extensions": {"langchain": {"metadata": {"dangerous": True}}}}, ("destructive",)),
        ({"schema": {"properties": {"all": {"type": "boolean", "irreversible": True}}}}, None),
        ({"metadata": {METADATA: {"tool": {"id": "erase", "destructive": True}}}}, None),
        ({"metadata": {"destructive": False}, "extensions": {"agents": {"strict": True}}}, None),
    ],
)
def test_what_an_object_states_of_danger_is_heard(says: dict[str, Any], unclear: tuple[str, ...] | None) -> None:
    seen = {"name": "erase", "description": "Erase.", "schema": None, "metadata": None}
    assert tool_of(**{**seen, **says}).unclear == unclear


def test_what_is_no_tool_is_named() -> None:
    with pytest.raises(ReadError, match="a SimpleNamespace is no tool"):
        read_tools([SimpleNamespace(name="find")])


def test_definitions_of_vendors_are_read_among_the_others() -> None:
    definition = {"name": "find", "description": "Find.", "input_schema": FIND.inputs}
    assert [tool.id for tool in read_tools([definition])] == ["find"]
