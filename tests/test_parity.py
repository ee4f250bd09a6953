"""The 64 behaviours that the tests of the ATIP reference bridge pin, on documents of our own.

`data/parity/` holds the rows, one file for each part of the bridge; the number of a row is that of the behaviour.
Where we differ on purpose the row says so by `differs`, expects what we do, and `DIFFERENCES` has the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import toolglot
from rows import Test, for_each
from toolglot import errors
from toolglot.bridge import (
    ResultFilter,
    ToolCall,
    Validator,
    parse_tool_calls,
    safety_prompt,
    tool_result,
)
from toolglot.converter.hub.model import Tool

FOLDER = Path(__file__).parent / "data" / "parity"
FORMAT = "atip"

DIFFERENCES = {
    "anthropic-is-closed": "objects that the source closes stay closed: the API takes additionalProperties since",
    "anthropic-strict": "the API has strict tools since, so asking for them is honoured",
    "arguments-checked": "a call that the tool's own schema refuses is refused before it runs",
    "damaged-arguments": "a call whose JSON breaks off is an entry that says so, and the calls beside it live",
    "error-classes": "the same refusals as errors of this package, with a code and a place",
    "gemini-no-arguments": "a declaration without arguments has no parameters: the API refuses an empty object",
    "gemini-response": "the API takes a response that is an object; other values are wrapped as its output",
    "gemini-types": "`parameters` is the OpenAPI dialect, whose types are in upper case",
    "more-interactive": "asking for a password and taking over the terminal need a person too",
    "more-secrets": "a value after a colon and a blank, and one in JSON, is a value too",
    "more-sections": "dangers without a flag of the RFC are listed, and so is what says nothing: unknown is not safe",
    "no-undefined": "JSON has null and no undefined",
    "nullable-enum": "an enum that null is not in would make the null that stands for 'not given' impossible",
    "ordinary-words": "a word after `secret` or `Basic` is a secret only if it looks like one",
    "program-without-commands": "a program that has no commands can still be called; leaving it out loses a tool",
    "program-text": "a model that sees one command is told what its program and its group say of all of them",
    "read-only-is-strict": "READ-ONLY beside DESTRUCTIVE or over a deletion is a promise that the facts deny",
    "silence-is-open": "silence about parameters does not say that there are none; an empty list does",
    "strict-validator": "when asked to be strict, what nobody vouches for does not pass",
    "tolerant-reading": "a missing version or description is a finding of `check`, and no reason to lose the tool",
    "twins": "two tools of one path that differ are both offered, under two names: neither hides the other",
    "vague-cost": "an estimate that is not one of the four words counts as high, where it is a known spelling",
    "whole-marks": "a cut goes before a mark and never through it",
}  # fmt: skip


def expand(data: Any) -> Any:
    """`{"repeat": text, "times": n}` as the text, so that long texts stay readable in the data."""
    if isinstance(data, dict):
        if data.keys() == {"repeat", "times"}:
            return data["repeat"] * data["times"]
        return {key: expand(value) for key, value in data.items()}
    if isinstance(data, list):
        return [expand(item) for item in data]
    return data


def load(name: str) -> Any:
    return expand(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


DOCUMENTS = load("tools")
PARTS = ("calls", "definitions", "filter", "policy", "prompt", "refusals", "results")
ROWS = {part: load(part) for part in PARTS}


def rows(part: str) -> Callable[[Test], Test]:
    """Every row of a part, and every provider of each, as `number-provider-count`."""
    found = [(row, provider) for row in ROWS[part] for provider in row.get("providers", [row.get("provider")])]
    ids = [f"{row['row']}-{provider or part}" for row, provider in found]
    ids = [f"{name}-{ids[:index].count(name) + 1}" for index, name in enumerate(ids)]
    return for_each(("row", "provider"), found, ids=ids)


def tools(names: list[str]) -> list[Tool]:
    return [tool for name in names for tool in toolglot.read(DOCUMENTS[name], FORMAT)]


def same(text: str, row: dict[str, Any]) -> None:
    """Whether a text is as a row says."""
    whole = row.get("text")
    assert text == row.get("equal", text), whole
    assert text.startswith(row.get("starts", ""))
    assert text.endswith(row.get("ends", ""))
    assert all(part in text for part in row.get("contains", ()))
    assert not any(part in text for part in row.get("lacks", ()))
    assert len(text.encode("utf-16-le")) // 2 <= row.get("at_most", 10**9)
    assert text.count("[REDACTED]") == row.get("count", text.count("[REDACTED]"))


def test_every_behaviour_has_a_row_and_every_difference_a_reason() -> None:
    every = [row for part in PARTS for row in ROWS[part]]
    assert sorted({row["row"] for row in every}) == list(range(1, 65))
    assert {row["differs"] for row in every if "differs" in row} == set(DIFFERENCES)


# -- definitions ------------------------------------------------------------------------------------------------------


def view(definition: dict[str, Any]) -> dict[str, Any]:
    """A definition of any provider under the same keys; `raw` is the definition as it is."""
    body = definition.get("function", definition)
    schema = body.get("parameters", body.get("input_schema", {}))
    return {**body, "schema": schema, "raw": definition}


_ABSENT = object()


def at(data: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        data = data.get(token, _ABSENT) if isinstance(data, dict) else _ABSENT
    return data


@rows("definitions")
def test_definitions(row: dict[str, Any], provider: str) -> None:
    compiled = toolglot.compile(tools(row["tools"]), provider, strict=row.get("strict"))
    found = {definition["name"]: definition for definition in map(view, compiled.definitions)}
    assert list(found) == row.get("names", list(found))
    assert len(found) == len(compiled.definitions)
    if "descriptions" in row:
        assert [definition["description"] for definition in found.values()] == row["descriptions"]
    if row.get("alike"):
        other = toolglot.compile(tools(row["tools"]), "anthropic").definitions
        assert [(name, definition["description"]) for name, definition in found.items()] == [
            (definition["name"], definition["description"]) for definition in other
        ]
    shown = found.get(row.get("tool", ""), {})
    assert bool(shown) == ("tool" in row)
    for pointer, value in row.get("equal", {}).items():
        assert at(shown, pointer) == value, pointer
    for pointer in row.get("absent", ()):
        assert at(shown, pointer) is _ABSENT, pointer
    for pointer, keys in row.get("keys", {}).items():
        assert list(at(shown, pointer)) == keys, pointer
    for check in ("starts", "contains", "lacks", "ends", "at_most"):
        for pointer, value in row.get(check, {}).items():
            same(at(shown, pointer), {check: value})


@rows("refusals")
def test_refusals(row: dict[str, Any], provider: None) -> None:
    if "finding" in row:
        [name] = row["tools"]
        assert row["finding"] in [finding.message for finding in toolglot.check(DOCUMENTS[name], FORMAT)]
        assert tools(row["tools"])
        return
    with pytest.raises(getattr(errors, row["error"])) as caught:
        tools(row["tools"])
    assert row["message"] in str(caught.value)


# -- before and after a call ------------------------------------------------------------------------------------------


@rows("prompt")
def test_the_safety_prompt(row: dict[str, Any], provider: None) -> None:
    same(safety_prompt(tools(row["tools"])), row)


@rows("policy")
def test_the_validator(row: dict[str, Any], provider: None) -> None:
    validator = Validator(tools(row["tools"]), row["policy"], row.get("strict", False))
    found = validator.validate(row["name"], row.get("arguments", {}))
    assert [violation.code for violation in found.violations] == row["codes"]
    assert found.valid == (not row["codes"])
    shown = [violation.to_json() for violation in found.violations]
    assert [violation["severity"] for violation in shown] == row.get("severities", [v["severity"] for v in shown])
    assert [violation.get("commandPath") for violation in shown] == row.get(
        "paths", [v.get("commandPath") for v in shown]
    )
    assert all(violation["toolName"] == row["name"] and violation["message"] for violation in shown)


# The reference's checks in its order, but for trust: what is true or false, the restriction, the code.
_CHECKS = (
    (("destructive",), True, "allowDestructive", "DESTRUCTIVE_OPERATION"),
    (("reversible",), False, "allowNonReversible", "NON_REVERSIBLE_OPERATION"),
    (("cost", "billable"), True, "allowBillable", "BILLABLE_OPERATION"),
    (("network",), True, "allowNetwork", "NETWORK_OPERATION"),
    (("filesystem", "write"), True, "allowFilesystemWrite", "FILESYSTEM_WRITE"),
    (("filesystem", "delete"), True, "allowFilesystemDelete", "FILESYSTEM_DELETE"),
)
_ESTIMATES = ("free", "low", "medium", "high")


def reference_codes(effects: dict[str, Any], policy: dict[str, Any]) -> list[str]:
    """What the reference would find, written from its description."""
    found: list[str] = []
    for path, unsafe, field, code in _CHECKS:
        forbidden = policy.get(field) is False
        forbidden |= code == "NON_REVERSIBLE_OPERATION" and "DESTRUCTIVE_OPERATION" in found
        fact = at(effects, "/" + "/".join(path))
        if code == "BILLABLE_OPERATION" and fact is _ABSENT:  # differs: what nobody says to be free counts as metered
            fact = True
        if forbidden and fact is unsafe:
            found.append(code)
    estimate, most = at(effects, "/cost/estimate"), policy.get("maxCostEstimate")
    if estimate is _ABSENT and at(effects, "/cost/billable") is not False:  # differs likewise
        estimate = "medium"
    if most and estimate in _ESTIMATES and _ESTIMATES.index(estimate) > _ESTIMATES.index(most):
        found.append("COST_EXCEEDS_LIMIT")
    return found


maybe = st.none() | st.booleans()
estimates = st.none() | st.sampled_from(_ESTIMATES)


@given(st.tuples(*[maybe] * len(_CHECKS)), estimates, st.tuples(*[maybe] * len(_CHECKS)), estimates)
def test_the_validator_finds_what_the_reference_finds(
    facts: tuple[bool | None, ...], estimate: str | None, restrictions: tuple[bool | None, ...], most: str | None
) -> None:
    """For every command of the protocol and every policy: the same codes in the same order."""
    effects: dict[str, Any] = {"filesystem": {}, "cost": {} if estimate is None else {"estimate": estimate}}
    policy: dict[str, Any] = {"maxCostEstimate": most}
    for (path, _, field, _), fact, restriction in zip(_CHECKS, facts, restrictions, strict=True):
        policy[field] = restriction
        if fact is not None:
            (effects[path[0]] if len(path) > 1 else effects)[path[-1]] = fact
    program = {**DOCUMENTS["ship"], "commands": {"go": {"description": "Go", "effects": effects}}}
    validator = Validator(toolglot.read(program, FORMAT), policy)
    found = [violation.code for violation in validator.validate("ship_go", {}).violations]
    assert found == reference_codes(effects, policy)


@rows("filter")
def test_the_result_filter(row: dict[str, Any], provider: None) -> None:
    text = "".join(row["text"])
    same(ResultFilter(**row.get("options", {})).filter(text, "any"), row)


@rows("calls")
def test_calls(row: dict[str, Any], provider: str) -> None:
    if "error" not in row:
        found = [[call.id, call.name, call.arguments] for call in parse_tool_calls(provider, row["response"])]
        assert found == row["calls"]
        return
    with pytest.raises(getattr(errors, row["error"])) as caught:
        parse_tool_calls(provider, row["response"])
    assert (caught.value.provider, caught.value.response) == (provider, row["response"])


@rows("results")
def test_results(row: dict[str, Any], provider: str) -> None:
    call = ToolCall(row.get("id", "c1"), "a", {})
    assert tool_result(provider, call, row["result"]) == row["message"]
