"""The worked cases: schemas that are hard to fit, with the reviewed result for each provider.

A case is a folder of `fixtures/schemas`; `source.json` is what a tool says, the other files are what each provider is
to get. `{"unfit": ...}` is a refusal with its reason, `null` no schema at all. `make accept` rewrites them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import schema_judge as judge
from golden import FIXTURES, same_file
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.fitting.fit import fit
from toolglot.converter.fitting.provider_rules import ProviderRules
from toolglot.converter.fitting.provider_violations import violations
from toolglot.errors import FitError
from vendor import vendor_problems

pytestmark = pytest.mark.vendors

FOLDER = FIXTURES / "schemas"
CASES = sorted(path.name for path in FOLDER.glob("T*"))
PEERS = {item["name"]: item["schema"] for item in json.loads((FOLDER / "peers.json").read_text(encoding="utf-8"))}
GOLDEN = {  # file -> profile, version, strict
    "openai-strict": ("openai", "chat", True),
    "openai-loose": ("openai", "chat", False),
    "anthropic-strict": ("anthropic", "messages", True),
    "anthropic-loose": ("anthropic", "messages", False),
    "gemini-parameters": ("gemini", "parameters", False),
    "gemini-json-schema": ("gemini", "json-schema", False),
}

PROFILES = [row for name in formats.names() for row in formats.get(name).provider.profiles]
# Who takes every schema gets it unfitted.
ROWS = {(row.profile, version, row.strict): row for row in PROFILES for version in row.versions if row.keywords}


def load(case: str, name: str) -> Any:
    return json.loads((FOLDER / case / f"{name}.json").read_text(encoding="utf-8"))


def definition(schema: Any, row: ProviderRules, version: str) -> dict[str, Any]:
    """The least that a request says about a tool, as the provider's types want it."""
    about = {"name": "tool", "description": "Does it."}
    match row.format, version:
        case "openai", "chat":
            return {"type": "function", "function": {**about, "parameters": schema, "strict": row.strict}}
        case "openai", _:
            return {"type": "function", **about, "parameters": schema, "strict": row.strict}
        case "anthropic", _:
            return {**about, "input_schema": schema, "strict": row.strict}
        case "gemini", "parameters":
            return about if schema is None else {**about, "parameters": spelled(schema)}
        case "gemini", _:
            return {**about, "parametersJsonSchema": schema}
        case _:
            return {**about, "inputSchema": schema}


def spelled(node: Any) -> Any:
    """A schema in Gemini's own type: `nullable` in place of a null among the types and the members."""
    if not isinstance(node, dict):
        return node
    out = dict(node)
    for keyword in ("items", "additionalProperties"):
        if keyword in out:
            out[keyword] = spelled(out[keyword])
    if "properties" in out:
        out["properties"] = {key: spelled(item) for key, item in out["properties"].items()}
    if "anyOf" in out:
        out["anyOf"] = [spelled(item) for item in out["anyOf"]]
    if isinstance(out.get("type"), list):
        out["type"] = next(kind for kind in out["type"] if kind != "null")
        out["nullable"] = True
    if "enum" in out:
        out["enum"] = [member for member in out["enum"] if member is not None]
    return {**out, "type": out["type"].upper()} if "type" in out else out


def fitted(source: Any, row: ProviderRules) -> Any:
    """What fitting gives, or why it does not; the source stays as it was."""
    before = json.dumps(source)
    try:
        return fit(source, row).schema
    except FitError as error:
        return {"unfit": error.message}
    finally:
        assert json.dumps(source) == before


def is_refused(result: Any) -> bool:
    return isinstance(result, dict) and result.keys() == {"unfit"}


def test_every_case_has_every_file() -> None:
    assert len(CASES) == 22
    for case in CASES:
        assert {path.stem for path in (FOLDER / case).iterdir()} == {"source", *GOLDEN}
    assert [name[:2] for name in PEERS] == [f"{number:02}" for number in range(1, 49)]


@for_each("name", GOLDEN)
@for_each("case", CASES)
def test_the_reviewed_results_obey_the_rules(case: str, name: str) -> None:
    expected = load(case, name)
    if is_refused(expected):
        assert expected["unfit"]
        return
    profile, version, strict = GOLDEN[name]
    row = ROWS[profile, version, strict]
    assert violations(expected, row) == []
    assert vendor_problems(row.format, version, definition(expected, row, version)) == []


@pytest.mark.golden
@for_each("name", GOLDEN)
@for_each("case", CASES)
def test_fitting_gives_the_reviewed_result(case: str, name: str) -> None:
    result = fitted(load(case, "source"), ROWS[GOLDEN[name]])
    same_file(FOLDER / case / f"{name}.json", json.dumps(result, indent=2, ensure_ascii=False) + "\n")


@for_each("key", ROWS, ids=lambda key: f"{key[0]}-{key[1]}-{'strict' if key[2] else 'loose'}")
@for_each("case", [*CASES, *PEERS])
def test_every_result_is_accepted(case: str, key: tuple[str, str, bool]) -> None:
    row, version = ROWS[key], key[1]
    result = fitted(PEERS[case] if case in PEERS else load(case, "source"), row)
    if not is_refused(result):
        assert violations(result, row) == []
        assert vendor_problems(row.format, version, definition(result, row, version)) == []


@for_each("case", CASES)
def test_the_loose_modes_refuse_nothing(case: str) -> None:
    """A tool that no strict schema can say is offered loose; only Gemini's own type can say less than that."""
    for row in PROFILES:
        if not row.strict and row.versions != ("parameters",):
            assert not is_refused(fitted(load(case, "source"), row)), row.citation


@for_each(
    ("name", "value", "accepted"),
    [
        ("T01", {"city": "x"}, True), ("T01", {"days": 1}, False), ("T06", {"action": "read"}, False),
        ("T06", {"action": "list"}, True), ("T11", {"pair": [1, "a"], "count": 1}, True),
        ("T11", {"pair": ["a"], "count": 1}, False), ("T15", {"link": "file:///etc"}, False),
    ],
)  # fmt: skip
def test_the_judge_tells_them_apart(name: str, value: Any, accepted: bool) -> None:
    assert judge.accepts(load(name, "source"), value) is accepted


def test_the_vendors_types_refuse_what_they_know() -> None:
    schema = {"type": "object", "properties": {}}
    for row in PROFILES:
        for version in row.versions:
            good = definition(schema, row, version)
            assert vendor_problems(row.format, version, good) == []
            wrong_type = definition({"type": "text"}, row, version)
            definitions: list[Any] = [{}, None, [], wrong_type, {**good, "name": 1, "function": 1}]
            for bad in definitions:
                assert vendor_problems(row.format, version, bad), (row.format, version, bad)


def test_a_root_that_refers_to_a_boolean_is_an_object() -> None:
    anything, nothing = ({"$ref": "#/$defs/a", "$defs": {"a": accepts}} for accepts in (True, False))
    for row in ROWS.values():
        assert fit(anything, row).schema == fit({}, row).schema
        assert _outcome(nothing, row) == _outcome({"not": {}}, row)


def _outcome(schema: Any, row: ProviderRules) -> Any:
    try:
        return fit(schema, row).schema
    except FitError as error:
        return error.code
