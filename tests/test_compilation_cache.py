"""What was compiled is remembered by content: the same tools again are found, and nothing that a caller changes is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.converter.hub.model import Tool
from toolglot.runtime.bridge import compilation, compilation_cache
from toolglot.runtime.bridge.compilation import Compiled

INPUTS = {"type": "object", "properties": {"path": {"type": "string"}}}
Request = tuple[list[Tool], Compiled]


def tools() -> list[Tool]:
    actions = (Tool(id="ls", inputs=copy.deepcopy(INPUTS)), Tool(id="rm", inputs=copy.deepcopy(INPUTS)))
    return [Tool(id="files", children=actions), Tool(id="date", tags=("clock",))]


def compiled(given: list[Tool], **options: Any) -> Compiled:
    return toolglot.compile(given, "openai", **{"strict": True, **options})


def is_remembered(first: Compiled, second: Compiled) -> bool:
    return first._offering is second._offering


def alike(first: Compiled, second: Compiled) -> None:
    assert first.definitions == second.definitions
    assert first.text == second.text
    assert first.report == second.report
    assert first.offers.keys() == second.offers.keys()
    name = next(iter(first.offers))
    assert first.encode(name, {}, ("files", "ls")) == second.encode(name, {}, ("files", "ls"))


@for_each(
    "options",
    [{}, {"strict": False}, {"flatten": "action"}, {"only": "files"}, {"with_globals": True}, {"compact": True}],
)
def test_the_same_tools_again_are_found(options: dict[str, Any]) -> None:
    compilation.RECENT.forget()
    first, second = compiled(tools(), **options), compiled(tools(), **options)
    assert is_remembered(first, second)
    alike(first, second)


@for_each("options", [{"strict": False}, {"flatten": "action"}, {"only": "files"}, {"examples": True}])
def test_another_option_is_another_request(options: dict[str, Any]) -> None:
    assert not is_remembered(compiled(tools()), compiled(tools(), **options))


def parameters(definition: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = definition["function"]["parameters"]
    return found


def of_tool(request: Request) -> None:
    children = request[0][0].children
    assert children
    inputs = children[0].inputs
    assert inputs is not None
    inputs["properties"]["extra"] = {"type": "string"}


def of_definition(request: Request) -> None:
    request[1].definitions[0]["function"]["name"] = "other"


def of_schema_in_definition(request: Request) -> None:
    parameters(request[1].definitions[0])["properties"]["extra"] = {"type": "string"}


def of_list(request: Request) -> None:
    request[1].definitions.clear()


def of_fitted_schema(request: Request) -> None:
    fitted = next(iter(request[1].offers.values())).fitted
    assert fitted is not None
    assert fitted.schema is not None
    fitted.schema["properties"]["extra"] = {"type": "string"}


def of_tool_behind_a_name(request: Request) -> None:
    inputs = next(iter(request[1].tools.values())).tool.inputs
    assert inputs is not None
    inputs["properties"]["extra"] = {"type": "string"}


CHANGES: list[Callable[[Request], None]] = [
    of_tool, of_definition, of_schema_in_definition, of_list, of_fitted_schema, of_tool_behind_a_name,
]  # fmt: skip


@for_each("change", CHANGES, ids=lambda change: change.__name__)
@for_each("turn", [0, 1])
def test_what_a_caller_changes_reaches_no_other_request(change: Callable[[Request], None], turn: int) -> None:
    compilation.RECENT.forget()
    expected = compiled(tools())
    expected_text, expected_definitions = expected.text, copy.deepcopy(expected.definitions)
    compilation.RECENT.forget()
    requests = [(given, compiled(given)) for given in (tools(), tools())]
    change(requests[turn])
    again = compiled(tools())
    assert again.text == expected_text
    assert again.definitions == expected_definitions


def test_two_threads_find_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compilation.RECENT.forget()
    first = compiled(tools())
    content_of = compilation_cache._reachable_content
    others: list[Compiled] = []

    def content_while_another_asks(offering: compilation_cache.Offering) -> bytes | None:
        monkeypatch.setattr(compilation_cache, "_reachable_content", content_of)
        others.append(compiled(tools()))
        return content_of(offering)

    monkeypatch.setattr(compilation_cache, "_reachable_content", content_while_another_asks)
    assert is_remembered(first, compiled(tools()))
    assert is_remembered(first, others[0])


def test_only_a_few_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "RECENT", compilation_cache.RecentOfferings(2))
    first, second, third = (compiled([Tool(id=name)]) for name in "abc")
    assert is_remembered(third, compiled([Tool(id="c")]))
    assert is_remembered(second, compiled([Tool(id="b")]))
    assert not is_remembered(first, compiled([Tool(id="a")]))


def test_numbers_beyond_64_bits_are_compiled_like_others() -> None:
    inputs = {"type": "object", "properties": {"n": {"type": "integer", "default": 10**30}}}
    assert str(10**30) in compiled([Tool(id="a", inputs=inputs)], strict=False).text
    assert compiled([Tool(id="a", inputs=inputs)], strict=False).definitions
