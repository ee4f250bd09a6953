"""The table of profiles, and the checker of its rules: every rule refuses something and lets something pass."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from request_judge import request_violations
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.fitting.provider_rules import Budget, ProviderRules, SchemaLimits
from toolglot.converter.fitting.provider_violations import description_violations, name_violations, violations
from toolglot.converter.schema.keywords import TYPES
from untyped import untyped

PROFILES = [row for name in formats.names() for row in formats.get(name).provider.profiles]

FREE: dict[str, Any] = {
    "format": "x", "profile": "x", "versions": ("1",), "strict": True, "citation": "-", "root_combinators": True,
}  # fmt: skip
ABOUT = {"format", "profile", "versions", "strict", "citation"}
VERSIONS = {
    "openai": {"chat", "responses"},
    "anthropic": {"messages"},
    "gemini": {"parameters", "json-schema"},
    "mcp": {"2025-06-18", "2025-11-25", "2026-07-28"},
}
MODES = {
    ("openai", "openai"): {True, False},
    ("openai", "azure"): {True, False},
    ("anthropic", "anthropic"): {True, False},
    ("gemini", "gemini"): {False},
    ("gemini", "vertex"): {False},
    ("mcp", "mcp"): {False},
}


def row_id(row: ProviderRules) -> str:
    return f"{row.format}-{row.profile}-{row.versions[0]}-{'strict' if row.strict else 'loose'}"


every_row = pytest.mark.parametrize("row", PROFILES, ids=row_id)


# -- the table ------------------------------------------------------------------------------------------------


@every_row
def test_a_row_is_sane(row: ProviderRules) -> None:
    assert len(row.citation) > 10
    assert set(row.versions) <= VERSIONS[row.format]
    assert row.strict in MODES[row.format, row.profile]
    assert row.pattern in {"any", "python", "no-lookaround", "simple"}
    assert row.typed in {"no", "some", "type"}
    assert row.type_lists in {"any", "null", "none"}
    assert row.objects in {"open", "false", "absent"}
    assert row.references in {"any", "defs", "none"}
    assert row.key_scope in {"top", "all"}
    assert row.enum_types <= set(TYPES)
    for table in (row.keywords or {}, row.formats or {}):
        assert set(table) <= {"", *TYPES}
    for first, rest in ((row.name_first, row.name_rest), (row.key_first or "a", row.key_rest or "a")):
        assert re.fullmatch(f"[{first}][{rest}]*", "a")


@every_row
def test_what_a_row_demands_it_also_knows(row: ProviderRules) -> None:
    if row.keywords is None:
        return
    known = {kind: row.keywords.get("", frozenset()) | row.keywords.get(kind, frozenset()) for kind in TYPES}
    assert {"type", "description", "enum", "anyOf"} <= known["null"]
    assert {"properties", "required"} <= known["object"]
    assert "items" in known["array"]
    assert ("additionalProperties" in known["object"]) == (row.objects != "absent")
    assert ("$ref" in known["null"]) == (row.references != "none")
    assert row.formats is None or all("format" in known[kind] for kind, values in row.formats.items() if values)


def test_every_combination_has_one_row() -> None:
    found = [(row.format, row.profile, version, row.strict) for row in PROFILES for version in row.versions]
    assert len(found) == len(set(found))
    wanted = set()
    for (format, profile), modes in MODES.items():
        wanted |= {(format, profile, version, strict) for version in VERSIONS[format] for strict in modes}
    assert set(found) == wanted


@pytest.mark.parametrize("format", VERSIONS)
def test_the_first_row_of_a_format_is_the_provider_itself(format: str) -> None:
    rows = formats.get(format).provider.profiles
    assert rows
    assert rows[0].profile == format
    assert {row.format for row in rows} == {format}


def test_no_format_has_no_rows() -> None:
    assert formats.get("atip").provider.profiles == ()


# -- the rules ------------------------------------------------------------------------------------------------


def with_a(schema: Any, **beside: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": schema}, **beside}


def with_x(schema: Any, x: Any) -> dict[str, Any]:
    return with_a(schema, **{"$defs": {"x": x}})


def nested(levels: int) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": nested(levels - 1)} if levels > 1 else {}}


TEXT = {"type": "string"}
CLOSED = {"type": "object", "properties": {}, "additionalProperties": False}
X = {"$ref": "#/$defs/x"}
LETTERS = {"key_first": "a", "key_rest": "a-z"}
KEYWORDS = {
    "": frozenset({"type", "description", "anyOf", "$ref", "$defs"}),
    "object": frozenset({"properties"}),
    "array": frozenset({"items"}),
}

# (rule, its setting, a schema that breaks it, one that does not)
RULES: list[tuple[str, dict[str, Any], Any, Any]] = [
    ("dialect", {}, with_a({"type": "text"}), with_a(TEXT)),
    ("dialect", {}, with_a(TEXT, required=["a", "a"]), with_a(TEXT, required=["a"])),
    ("dialect", {}, with_a({"type": "array", "items": [TEXT]}), with_a({"type": "array", "items": TEXT})),
    ("dialect", {}, {"properties": {}}, {"type": "object"}),
    ("dialect", {}, {"type": ["object", "null"]}, {"type": "object"}),
    ("dialect", {}, ["object"], {"type": "object"}),
    ("dialect", {}, {"type": "object", 1: 2}, {"type": "object", "1": 2}),
    ("dialect", {}, nested(300), nested(90)),
    ("enum", {}, with_a({"type": "string", "enum": ["a", 1]}), with_a({"enum": ["a", 1]})),
    ("enum", {}, with_a({"type": "integer", "const": 0.5}), with_a({"type": "integer", "const": 1.0})),
    ("enum", {}, with_a({"type": "boolean", "enum": [1]}), with_a({"type": "boolean", "enum": [True]})),
    ("no_arguments", {}, None, {"type": "object"}),
    ("no_arguments", {"no_arguments": False}, {"type": "object", "properties": {}}, None),
    ("root_combinators", {"root_combinators": False}, {"type": "object", "anyOf": [{}]}, with_a({"anyOf": [{}]})),
    ("root_combinators", {"root_combinators": False}, {"type": "object", "const": {}}, with_a({"const": {}})),
    ("booleans", {"booleans": False}, with_a(True), with_a({}, additionalProperties=False)),
    ("keywords", {"keywords": KEYWORDS}, with_a({"type": "string", "title": "t"}), with_a(TEXT)),
    ("keywords", {"keywords": KEYWORDS}, with_a({**TEXT, "items": {}}), with_a({"type": "array", "items": {}})),
    ("keywords", {"keywords": KEYWORDS}, with_a({"items": {}}), with_a({"type": ["array", "null"], "items": {}})),
    ("keywords", {"keywords": KEYWORDS}, {"type": "object", "x-a": 1}, {"type": "object", "properties": {"x-a": {}}}),
    (
        "formats", {"formats": {"string": frozenset({"date"})}},
        with_a({"type": "string", "format": "uri"}), with_a({"type": "string", "format": "date"}),
    ),
    (
        "formats", {"formats": {"string": frozenset({"date"})}},
        with_a({"type": "integer", "format": "date"}), with_a({"type": ["string", "null"], "format": "date"}),
    ),
    ("pattern", {"pattern": "python"}, with_a({"pattern": r"^\p{L}$"}), with_a({"pattern": "^(?!a)b"})),
    (
        "pattern", {"pattern": "python"},
        {"type": "object", "patternProperties": {"(": {}}}, {"type": "object", "patternProperties": {"a": {}}},
    ),
    ("pattern", {"pattern": "no-lookaround"}, with_a({"pattern": "^(?!a)b"}), with_a({"pattern": r"^\(?[(?=]!a"})),
    ("pattern", {"pattern": "no-lookaround"}, with_a({"pattern": "(?<=a)b"}), with_a({"pattern": r"(?P<a>b)\bc\1"})),
    ("pattern", {"pattern": "simple"}, with_a({"pattern": r"a\b"}), with_a({"pattern": r"[\b]a\\b"})),
    ("pattern", {"pattern": "simple"}, with_a({"pattern": r"(a)\1"}), with_a({"pattern": r"(?:a)\d{1,999}"})),
    ("pattern", {"pattern": "simple"}, with_a({"pattern": "a{1,1000}"}), with_a({"pattern": "[{1000}]"})),
    ("pattern", {"pattern": "simple"}, with_a({"pattern": "(?i)a"}), with_a({"pattern": "[[a]"})),
    ("most_min_items", {"most_min_items": 1}, with_a({"minItems": 2}), with_a({"minItems": 1})),
    ("enum_types", {"enum_types": frozenset({"string"})}, with_a({"enum": [1]}), with_a({"enum": ["1"]})),
    (
        "enum_types", {"enum_types": frozenset({"string"})},
        with_a({"enum": ["a", None]}), with_a({"type": ["string", "null"], "enum": ["a", None]}),
    ),
    ("enum_types", {"enum_types": frozenset({"number"})}, with_a({"const": {}}), with_a({"const": 1})),
    (
        "enum_beside_type_list", {"enum_beside_type_list": False},
        with_a({"type": ["string", "null"], "enum": ["a", None]}), with_a({"enum": ["a", None]}),
    ),
    ("empty_enum_text", {"empty_enum_text": False}, with_a({"enum": ["", "a"]}), with_a({"enum": [" ", 0, False]})),
    ("typed", {"typed": "some"}, with_a({}), with_a({"enum": [1]})),
    ("typed", {"typed": "some"}, with_a({"items": TEXT}), with_a({"anyOf": [TEXT]})),
    ("typed", {"typed": "type"}, with_a({"enum": [1]}), with_x(X, TEXT)),
    ("typed", {"typed": "type"}, with_a(True), with_a(TEXT, additionalProperties=True)),
    ("type_lists", {"type_lists": "null"}, with_a({"type": ["string", "object"]}), with_a({"type": ["null", "array"]})),
    ("type_lists", {"type_lists": "null"}, with_a({"type": ["string"]}), with_a(TEXT)),
    ("type_lists", {"type_lists": "none"}, with_a({"type": ["string", "null"]}), with_a(TEXT)),
    ("any_of_alone", {"any_of_alone": True}, with_a({"anyOf": [{}], "title": ""}), with_a({"anyOf": [{"title": ""}]})),
    ("objects", {"objects": "false"}, with_a(CLOSED), {**CLOSED, "properties": {"a": CLOSED}}),
    ("objects", {"objects": "false"}, {**CLOSED, "additionalProperties": TEXT}, CLOSED),
    ("objects", {"objects": "absent"}, CLOSED, with_a(TEXT)),
    ("all_required", {"all_required": True}, with_a(TEXT, required=[]), with_a(TEXT, required=["a"])),
    ("all_required", {"all_required": True}, {"type": "object", "required": ["a"]}, {"type": "object"}),
    (
        "all_required", {"all_required": True},
        with_a({"type": ["string", "null"], "enum": ["a"]}, required=["a"]),
        with_a({"type": ["string", "null"], "enum": ["a", None]}, required=["a"]),
    ),
    ("properties", {"properties": True}, with_a({"type": "object"}), with_a({"type": "object", "properties": {}})),
    ("declared", {"declared": True}, with_a(TEXT, required=["b"]), with_a(TEXT, required=["a"])),
    ("empty_objects", {"empty_objects": False}, with_a(CLOSED), with_a({"type": "object"})),
    ("empty_objects", {"empty_objects": False}, with_a({"items": CLOSED}), CLOSED),
    ("items", {"items": True}, with_a({"type": "array"}), with_a({"type": "array", "items": {}})),
    ("items", {"items": True}, with_a({"not": {"type": ["array", "null"]}}), with_a({"type": ["string", "null"]})),
    ("references", {}, with_a(X), with_a({"$ref": "#/$defs/a~1b"}, **{"$defs": {"a/b": {}}})),
    (
        "references", {}, with_a({"$ref": "https://example.invalid/"}),
        {"type": "object", "properties": {"a": {"$ref": "#/properties/b%25", "title": ""}, "b%": {}}},
    ),
    ("references", {}, with_a({"$ref": "#/properties/a/enum/0", "enum": [{}]}), with_a({"enum": [{"$ref": "#/none"}]})),
    ("references", {"references": "none"}, with_x(X, {}), with_a({})),
    (
        "references", {"references": "defs"},
        {"type": "object", "properties": {"a": {}, "b": {"$ref": "#/properties/a"}}}, with_a({"items": {"$ref": "#"}}),
    ),
    (
        "references", {"references": "defs"},
        with_x({**X, "title": ""}, {}),
        with_x(X, {}),
    ),
    ("recursion", {}, with_x({}, {"anyOf": [X]}), with_x({}, with_a(X))),
    ("recursion", {}, {"type": "object", "allOf": [{"$ref": "#"}]}, {"type": "object", "items": {"$ref": "#"}}),
    ("recursion", {"recursion": False}, with_x({}, with_a(X)), with_x(X, {})),
    ("recursion", {"recursion": False}, with_a({"items": {"$ref": "#"}}), with_a({"items": {"title": "#"}})),
    (
        "optional_recursion", {"optional_recursion": True},
        with_a({"items": {"$ref": "#"}}, required=["a"]), with_a({"items": {"$ref": "#"}}),
    ),
    ("key_first", LETTERS, {"type": "object", "properties": {"b": {}}}, with_a({})),
    ("key_first", LETTERS, with_a({"properties": {"b": {}}}), with_a(with_a({}))),
    (
        "key_first", {**LETTERS, "key_scope": "top"},
        {"type": "object", "properties": {"a b": {}}}, with_a({"type": "object", "properties": {"b": {}}}),
    ),
    (
        "key_limit", {"key_first": "a", "key_rest": "a", "key_limit": 2},
        {"type": "object", "properties": {"aaa": {}}}, {"type": "object", "properties": {"aa": {}}},
    ),
    ("limits.properties", {"limits": SchemaLimits(properties=1)}, with_a(with_a({})), with_a({"items": {}})),
    ("limits.depth", {"limits": SchemaLimits(depth=2)}, nested(3), with_x(X, nested(2))),
    (
        "limits.characters", {"limits": SchemaLimits(characters=4)},
        with_a({"enum": ["abcd"]}), with_a({"enum": ["abc"]}),
    ),
    ("limits.characters", {"limits": SchemaLimits(characters=4)}, with_x({}, {"const": 123}), with_a({"const": 100})),
    (
        "limits.enum_values", {"limits": SchemaLimits(enum_values=2)},
        with_a({"enum": [1, 2, 3]}), with_a({"enum": [1, 2]}),
    ),
    (
        "limits.long_enum", {"limits": SchemaLimits(long_enum=(1, 3))},
        with_a({"enum": ["ab", 10]}), with_a({"enum": ["abc"]}),
    ),
]  # fmt: skip


@for_each(("rule", "setting", "bad", "good"), RULES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_rule_refuses_and_lets_pass(rule: str, setting: dict[str, Any], bad: Any, good: Any) -> None:
    rules = ProviderRules(**{**FREE, **setting})
    before = repr((bad, good))
    assert {found.rule for found in violations(bad, rules)} == {rule}
    assert violations(good, rules) == []
    assert repr((bad, good)) == before


def test_every_rule_has_a_case() -> None:
    cased = {rule for rule, *_ in RULES} | {name for _, setting, *_ in RULES for name in setting}
    tested_below = {"name_first", "name_rest", "name_limit", "description_limit", "budget", "idle_keywords"}
    assert {*ProviderRules.__struct_fields__} - ABOUT - tested_below <= cased | {"key_rest", "key_scope"}
    assert {f"limits.{name}" for name in SchemaLimits.__struct_fields__} <= cased


def test_a_violation_says_where() -> None:
    rules = ProviderRules(**FREE, items=True)
    schema = with_a({}, **{"$defs": {"a/b": {"anyOf": [{"type": "array"}]}}})
    assert [found.pointer for found in violations(schema, rules)] == ["/$defs/a~1b/anyOf/0"]


def test_a_violation_of_very_many_names_tells_some() -> None:
    schema = {"type": "object", "properties": {}, "required": [f"key{number}" for number in range(30_000)]}
    [found] = violations(schema, ProviderRules(**FREE, all_required=True))
    assert found.message.endswith(" and 29,990 more")


def test_a_property_is_no_keyword() -> None:
    rules = ProviderRules(**FREE, booleans=False, keywords=KEYWORDS, typed="type")
    names = ["$ref", "anyOf", "items", "additionalProperties", "enum", "type"]
    assert violations({"type": "object", "properties": dict.fromkeys(names, TEXT)}, rules) == []
    schema = {"type": "object", "properties": {"additionalProperties": True}}
    assert {found.rule for found in violations(schema, rules)} == {"booleans", "typed"}


def test_untrusted_schemas_end() -> None:
    rules = formats.get("openai").provider.profiles[0]
    deep: Any = {}
    for _ in range(100_000):
        deep = {"items": deep}
    shared: Any = {"type": "string"}
    for _ in range(60):
        shared = {"type": "object", "properties": {"a": shared, "b": shared}}
    odd = [
        deep, shared, with_a({"enum": [float("nan")]}), with_a({"minimum": float("inf")}), with_a({"const": 10**400}),
        with_a({"pattern": "(" * 5000}), with_a({"$ref": "\ud800"}), with_a({"items": {"$ref": "#/properties/a"}}),
    ]  # fmt: skip
    for schema in odd:
        assert violations(schema, rules)


# -- names, descriptions, requests ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "accepted", "refused"),
    [
        ("openai", ["a", "9-a_B", "a" * 64], {"": "name_first", "a.b": "name_first", "a" * 65: "name_limit"}),
        ("anthropic", ["9", "a" * 128], {"é": "name_first", "a\n": "name_first", "a" * 129: "name_limit"}),
        ("gemini", ["_a.b:c-d", "a" * 128], {"9a": "name_first", "-a": "name_first", "a/b": "name_first"}),
        ("mcp", ["admin.tools.list", "9"], {"a:b": "name_first", "a" * 129: "name_limit"}),
    ],
)  # fmt: skip
def test_names(format: str, accepted: list[str], refused: dict[str, str]) -> None:
    for rules in formats.get(format).provider.profiles:
        assert [found for name in accepted for found in name_violations(name, rules)] == []
        assert {name: name_violations(name, rules)[0].rule for name in refused} == refused


@pytest.mark.parametrize(
    ("format", "length", "count"),
    [("openai", 1024, 0), ("openai", 1025, 1), ("anthropic", 9999, 0), ("gemini", 9999, 0)],
)
def test_descriptions(format: str, length: int, count: int) -> None:
    for rules in formats.get(format).provider.profiles:
        assert len(description_violations("a" * length, rules)) == count
        assert len(description_violations("🔒" * (length // 2) + "a" * (length % 2), rules)) == count
        assert description_violations(None, rules) == []


UNION = with_a({"anyOf": [TEXT, {"type": "null"}]}, required=["a"])
LISTED = with_a({"type": ["string", "null"]}, required=["a"])
BEHIND = with_a(X, required=["a"], **{"$defs": {"x": with_a({"anyOf": [TEXT]})}})


@for_each(
    ("rule", "schema", "strict", "most"),
    [
        ("tools", {"type": "object"}, False, 128), ("strict_tools", {"type": "object"}, True, 20),
        ("optional", with_a(with_a(TEXT)), True, 12), ("unions", UNION, True, 16), ("unions", LISTED, True, 16),
        ("strict_tools", None, True, 20),
    ],
)  # fmt: skip
def test_budgets(rule: str, schema: Any, strict: bool, most: int) -> None:
    openai, anthropic = formats.get("openai").provider.profiles[0], formats.get("anthropic").provider.profiles[0]
    rules = openai if rule == "tools" else anthropic
    assert request_violations([(schema, strict)] * most, rules) == []
    over = request_violations([(schema, strict)] * (most + 1), rules)
    assert f"budget.{rule}" in {found.rule for found in over}


def test_what_no_budget_counts() -> None:
    anthropic = formats.get("anthropic").provider.profiles[0]
    assert request_violations([(UNION, False)] * 500, anthropic) == []
    assert request_violations([(BEHIND, True)] * 20, anthropic) == []
    assert request_violations([(UNION, True)] * 500, ProviderRules(**FREE)) == []
    assert set(Budget.__struct_fields__) == {"tools", "strict_tools", "optional", "unions"}


def test_rows_are_immutable_data() -> None:
    for row in PROFILES:
        assert hash(row.citation) == hash(msgspec.structs.replace(row).citation)
        with pytest.raises(AttributeError):
            untyped(row).strict = True
    assert json.dumps([row.citation for row in PROFILES])
