"""What the fields about safety of each format are read as: a row a value, and no place of a format without a row.

Sources: the specifications of the formats, and `docs/internals/safety.md` for the order of danger.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot.converter import safety
from toolglot.converter.formats import get
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    boolean,
    is_bool,
    put,
    take,
    text,
    texts,
    word,
)
from toolglot.converter.formats.kit.unreadable_facts import Doubt, dangers_elsewhere, doubts, nearest_key
from toolglot.converter.formats.mcp.hints import HINTS
from toolglot.converter.hub.model import AuthMethod
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.pointers import is_text
from toolglot.converter.text.similar_names import letters_of

RECORDS: dict[str, dict[str, Any]] = {
    "atip": {"atip": {"version": "0.6"}, "name": "p", "version": "1", "description": "P."},
    "aip14": {"schema": "agentproto/tool/v1", "id": "t1", "name": "T", "description": "Do it.", "version": "1.0.0"},
    "mcp": {"name": "t", "description": "Do it.", "inputSchema": {"type": "object"}},
    "tool-descriptor": {"toolId": "a:b", "source": "host-extension", "safetyTier": "pure"},
    "anthropic": {"type": "mcp_toolset", "mcp_server_name": "post"},
}


def read(name: str, pointer: str, value: Any) -> toolglot.Tool:
    """A tool whose document states one value in one place; in ATIP a command of a program."""
    said = value
    for key in reversed(pointer.split("/")[1:]):
        said = {key.replace("~1", "/"): said}
    if name == "atip":
        said = {"commands": {"run": {"description": "Run.", **said}}}
    record = {**RECORDS[name], **said}
    document = f"---\n{json.dumps(record)}\n---\n" if name == "aip14" else record
    (tool,) = toolglot.read(document, name)
    (leaf,) = leaves_of(tool)
    return leaf.tool


STDIN = {word: {"interactive": {"stdin": word}} for word in ("none", "password")}
RUNS = {"description": "Do it.\n\nSafety: runs other programs."}

YES_NO = [
    ("atip", "/effects/filesystem/read", "reads_files"),
    ("atip", "/effects/filesystem/write", "writes_files"),
    ("atip", "/effects/filesystem/delete", "deletes_files"),
    ("atip", "/effects/network", "network"),
    ("atip", "/effects/subprocess", "subprocess"),
    ("atip", "/effects/idempotent", "idempotent"),
    ("atip", "/effects/reversible", "reversible"),
    ("atip", "/effects/destructive", "destructive"),
    ("atip", "/effects/interactive/prompts", "prompts"),
    ("atip", "/effects/interactive/tty", "tty"),
    ("atip", "/effects/cost/billable", "billable"),
    ("atip", "/authentication/required", "auth_required"),
    ("aip14", "/idempotent", "idempotent"),
    ("tool-descriptor", "/auth/credentialRef", "auth_required"),
]
LISTS = [
    ("atip", "/effects/creates", "creates"),
    ("atip", "/effects/modifies", "modifies"),
    ("atip", "/effects/deletes", "deletes"),
    ("aip14", "/mutates", "mutates"),
    ("aip14", "/requires/network", "hosts"),
    ("aip14", "/requires/secrets", "secrets"),
]
FACT_VALUES: list[tuple[str, str, str, tuple[object, ...]]] = [
    ("atip", "/effects/interactive/stdin", "stdin", ("none", "optional", "required", "password")),
    ("atip", "/effects/cost/estimate", "cost_estimate", ("free", "low", "medium", "high")),
    ("aip14", "/approval", "approval", ("auto", "always", "on-mutate", "policy:a.b/c-D_1")),
    ("aip14", "/risk_level", "risk_level", (0, 1, 2, 3)),
    ("aip14", "/cost_class", "cost_class", ("trivial", "metered", "expensive")),
    ("tool-descriptor", "/safetyTier", "safety_tier", ("pure", "read", "write", "exec")),
    ("tool-descriptor", "/egress", "egress", ("none", "safe-fetch", "host-mediated", "host-owned")),
    ("tool-descriptor", "/approval", "approval", ("never", "conditional", "always")),
    ("tool-descriptor", "/replayPolicy", "replay", ("deterministic", "idempotent", "non-deterministic")),
    ("tool-descriptor", "/costHint", "cost_hint", ("low", "medium", "high")),
]
READ: list[tuple[str, str, Any, str, Any]] = [
    *((name, place, value, field, value) for name, place, field in YES_NO for value in (True, False)),
    *((name, place, value, field, tuple(value)) for name, place, field in LISTS for value in ([], ["a:b", "c"])),
    *((name, place, value, field, value) for name, place, field, values in FACT_VALUES for value in values),
    # words of before: `none` costs nothing, and what varies may cost much
    ("atip", "/effects/cost/estimate", "none", "cost_estimate", "free"),
    ("atip", "/effects/cost/estimate", "variable", "cost_estimate", "high"),
    ("atip", "/authentication/methods", [{"type": "token"}], "auth_methods", (AuthMethod(type="token"),)),
    ("atip", "/authentication/methods", [{"type": "none"}], "auth_methods", ()),
    ("atip", "/authentication/methods", [{"type": "none"}, {"type": "a"}], "auth_methods", (AuthMethod(type="a"),)),
    (
        "atip",
        "/authentication/methods",
        [{"type": "token", "envVar": "T", "scopes": ["a", "b"], "note": "n"}, {"type": "oauth", "scopes": "a"}],
        "auth_methods",
        (
            AuthMethod(type="token", env="T", scopes=("a", "b"), extensions={"note": "n"}),
            AuthMethod(type="oauth", extensions={"scopes": "a"}),
        ),
    ),
    # `interactive` beside `effects`, where some write it: the more cautious of both holds
    ("atip", "/interactive/prompts", True, "prompts", True),
    ("atip", "/interactive/stdin", "password", "stdin", "password"),
    ("atip", "", {"effects": STDIN["none"], **STDIN["password"]}, "stdin", "password"),
    ("atip", "", {"effects": STDIN["password"], **STDIN["none"]}, "stdin", "password"),
    ("aip14", "/implements", "acme.a", "implements", "acme.a"),
    ("aip14", "/implements", {"id": "acme.a"}, "implements", {"id": "acme.a"}),
    ("aip14", "/risk_level", 2.0, "risk_level", 2),
    # what makes a tool look dangerous is believed of a server that nobody vouches for, and nothing else
    ("mcp", "/annotations/readOnlyHint", False, "safety_tier", "write"),
    ("mcp", "/annotations/readOnlyHint", True, "safety_tier", None),
    ("mcp", "/annotations/destructiveHint", True, "destructive", True),
    ("mcp", "/annotations/destructiveHint", False, "destructive", None),
    ("mcp", "/annotations/idempotentHint", True, "idempotent", None),
    ("mcp", "/annotations/idempotentHint", False, "idempotent", None),
    ("mcp", "/annotations", {"readOnlyHint": False, "idempotentHint": False}, "idempotent", False),
    ("mcp", "/annotations/openWorldHint", True, "network", True),
    ("mcp", "/annotations/openWorldHint", False, "network", None),
    # the same beside a promise to change nothing
    ("mcp", "/annotations", {"readOnlyHint": True, "destructiveHint": False}, "destructive", None),
    ("mcp", "/annotations", {"readOnlyHint": True, "destructiveHint": True}, "destructive", True),
    ("mcp", "/annotations", {"readOnlyHint": True, "idempotentHint": True}, "idempotent", None),
    ("mcp", "/annotations", {"readOnlyHint": True, "idempotentHint": False}, "idempotent", None),
    ("mcp", "/annotations", {"readOnlyHint": True, "openWorldHint": True}, "network", True),
    ("mcp", "/annotations", {"readOnlyHint": False, "destructiveHint": False}, "destructive", None),
    ("mcp", "", {**RUNS, "annotations": {"readOnlyHint": False}}, "safety_tier", None),  # it would hide the programs
    ("mcp", "", {**RUNS, "annotations": {"destructiveHint": True}}, "destructive", True),
    # flags and notes at the end of a text
    ("mcp", "", RUNS, "flags", ("runs-programs",)),
    ("mcp", "/description", "Do it.\n\nOr not.\n\nSafety: deletes files.", "flags", ("deletes-files",)),
    (
        "mcp",
        "/description",
        "Do it.\n\nSafety: deletes files; needs credentials. [⚠️ DESTRUCTIVE | 💰 BILLABLE]",
        "flags",
        ("destructive", "billable", "deletes-files", "credentials"),
    ),
    ("mcp", "/description", "Do it.\n\nSafety: sings; deletes files.", "flags", None),
    ("mcp", "/description", "Do it. [⚠️ DESTRUCTIVE | 💰 CHEAP]", "flags", None),
]


@for_each(("name", "place", "value", "field", "expected"), READ)
def test_a_value_is_read_as_a_fact(name: str, place: str, value: Any, field: str, expected: Any) -> None:
    tool = read(name, place, value)
    assert (getattr(tool, field), tool.unclear) == (expected, None)


def test_a_list_is_written_as_a_list() -> None:
    assert put(toolglot.Tool(id="t", creates=("a",)), {"words": texts("creates")}, {}) == {"words": ["a"]}


@pytest.mark.parametrize("name", RECORDS)
def test_every_place_for_a_fact_has_a_row(name: str) -> None:
    form = get(name)
    fields = {*form.places.fields, *form.holds, "safety_tier"} & safety.SAFETY_FIELDS
    places = {form.places.suited({}, field) for field in fields}
    assert places - {"", "/description"} <= {place for owner, place, *_ in READ if owner == name}


MOVED: Table = {
    "words": texts("creates"),
    "label": Row("category", is_text, str.upper),
    "cost": Row(
        "cost_estimate", lambda value: value in ("low", "none"), {"low": "low", "none": "free"}.get, has_spellings=True
    ),
    "inner": {"network": boolean("network")},
}
# what stands in a document, what is left over, and the fields
TAKEN: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"words": ["a"]}, {}, {"creates": ("a",)}),
    ({"words": ["a", 5]}, {"words": ["a", 5]}, {}),
    ({"words": "a"}, {"words": "a"}, {}),
    ({"label": "a"}, {}, {"category": "A"}),
    ({"cost": "low"}, {}, {"cost_estimate": "low"}),
    ({"cost": "none"}, {"cost": "none"}, {"cost_estimate": "free"}),  # its own word for it is kept
    ({"inner": {"network": False, "other": 1}}, {"inner": {"other": 1}}, {"network": False}),
    ({"inner": {"network": True}}, {}, {"network": True}),
    ({"inner": {"network": 1}}, {"inner": {"network": 1}}, {}),
    ({"inner": {}}, {"inner": {}}, {}),
    ({"inner": 5}, {"inner": 5}, {}),
    ({"another": None}, {"another": None}, {}),
]


@for_each(("data", "rest", "expected"), TAKEN)
def test_a_table_takes_what_it_understands(
    data: dict[str, Any], rest: dict[str, Any], expected: dict[str, Any]
) -> None:
    fields: dict[str, Any] = {}
    assert (take(data, MOVED, fields), fields) == (rest, expected)


# -- what nobody can read ---------------------------------------------------------------------------------------------

TABLE: Table = {
    "title": text("title"),
    "tier": Row("safety_tier", lambda value: value is False, is_silent=is_bool, about=("modifies",)),
    "risk_level": word("risk_level", "low"),
    "a/b": word("approval", "always"),
    "effects": {
        "name": text("summary"),
        "network": boolean("network"),
        "inner": {
            "label": text("category"),
            "billable": boolean("billable"),
            "plan": word("cost_class", "deep"),
            "hint": Row("safety_tier", lambda value: value is False, about=("modifies",)),
        },
    },
    "texts": {"title": text("title"), "inner": {"label": text("category")}},
}


def unreadable(place: str, field: str, value: str, hint: str | None = None) -> Doubt:
    key = place.rpartition("/")[2].replace("~1", "/")
    message = f"nobody can read {value} as `{key}`; it counts as the most dangerous value"
    return Doubt("unclear-safety", place, field, message, hint)


def no_mapping(place: str, field: str, value: str) -> Doubt:
    message = f"`{place.rpartition('/')[2]}` is a mapping, not {value}; what it should say counts as dangerous"
    return Doubt("unclear-safety", place, field, message)


def misspelt(key: str, field: str, near: str) -> Doubt:
    message = f"`{key}` is not known; what it should say counts as dangerous"
    return Doubt("misspelt-key", f"/{key}", field, message, f"did you mean `{near}`?")


def foreign(place: str, field: str) -> Doubt:
    message = f"nobody can read the answer of `{place.rpartition('/')[2]}`; it counts as dangerous"
    return Doubt("unclear-safety", place, field, message)


DOUBTS: list[tuple[dict[str, Any], list[Doubt]]] = [
    # a value that its row does not accept
    ({"title": 5}, []),
    ({"tier": True}, []),
    ({"tier": None}, [unreadable("/tier", "modifies", "null", "write true or false")]),
    ({"risk_level": "low"}, []),
    ({"risk_level": None}, []),
    ({"risk_level": 9}, [unreadable("/risk_level", "risk_level", "9")]),
    ({"a/b": 1}, [unreadable("/a~1b", "approval", "1", "write always")]),
    (
        {"effects": {"inner": {"billable": "no"}}},
        [unreadable("/effects/inner/billable", "billable", '"no"', "write false or true")],
    ),
    # a mapping that is none
    ({"effects": None}, []),
    ({"effects": {}}, []),
    ({"texts": True}, []),
    (
        {"effects": True},
        [no_mapping("/effects", field, "true") for field in ("network", "billable", "cost_class", "modifies")],
    ),
    (
        {"effects": {"inner": 1}},
        [no_mapping("/effects/inner", field, "1") for field in ("billable", "cost_class", "modifies")],
    ),
    # a key that looks like another
    ({"titel": "T"}, []),
    ({"txets": True}, []),
    ({"efects": None}, []),
    ({"efects": {}}, []),
    (
        {"efects": {"network": 1}},
        [misspelt("efects", field, "effects") for field in ("network", "billable", "cost_class", "modifies")],
    ),
    ({"risk_lvel": 1}, [misspelt("risk_lvel", "risk_level", "risk_level")]),
    ({"Risk-Level": 1}, [misspelt("Risk-Level", "risk_level", "risk_level")]),
    ({"risk_levle": 1}, [misspelt("risk_levle", "risk_level", "risk_level")]),  # letters that changed places
    ({"risk_level_abc": 1}, []),  # no key is a slip of another that is three letters away
    ({"levels": 1}, []),
    ({"tiers": 1}, [misspelt("tiers", "modifies", "tier")]),
    ({"tierss": 1}, []),  # a short key is no slip of another that is two letters away
    ({"titles": 1, "ab": 1}, [misspelt("ab", "approval", "a/b")]),
    ({"effect_tier": 1}, []),
    ({f"risk_level{'_' * 50}": 1}, [misspelt(f"risk_level{'_' * 50}", "risk_level", "risk_level")]),
    ({f"risk_level{'_' * 51}": 1}, []),  # no slip is so long
    # a key of the mappings inside says nothing here
    ({"network": True, "billable": True, "effects": {"billable": True}}, []),
    # keys of others
    ({"x-risk_level": 1, "_risk_level": 1, "$risk_level": 1}, []),
    ({"x-destructive": True, "_meta": {"reversible": False}}, []),  # these can be read
    ({"x-Destructive": "perhaps"}, [foreign("/x-Destructive", "destructive")]),
    ({"x-acme": {"approvalRequired": 1}}, [foreign("/x-acme/approvalRequired", "approval")]),
    ({"x-acme": {"approval-required": 1}}, [foreign("/x-acme/approval-required", "approval")]),
    ({"x-acme": {"inner": {"approvalRequired": 1}}}, []),
    # a body of its own is looked at as the record is; a schema and what lies deeper are not
    ({"function": {"x-destructive": 1}}, [foreign("/function/x-destructive", "destructive")]),
    ({"parameters": {"type": "object", "x-destructive": 1}}, []),
    ({"metadata": {"x-acme": {"destructive": 1}}}, []),
    ({"metadata": {"readOnlyHint": [1]}}, [foreign("/metadata/readOnlyHint", "modifies")]),
    ({"metadata": {"readOnlyHint": True, "destructive": "false", "dangerous": "never"}}, []),
    ({"meta": {"destructive": True}, "metadata": ["destructive"], "x-risky": True}, []),
]


@for_each(("rest", "expected"), DOUBTS)
def test_what_nobody_can_read_is_named(rest: dict[str, Any], expected: list[Doubt]) -> None:
    assert list(doubts(rest, TABLE, dangers_elsewhere(rest, TABLE))) == expected


def test_a_key_is_like_one_with_a_fact_about_safety_or_like_none() -> None:
    keys = ("risk-level", "title", "effect", "network")
    assert [nearest_key(key, TABLE) for key in keys] == ["risk_level", None, "effects", None]
    assert nearest_key("effect", {"title": text("title")}) is None


def test_the_names_that_count_anywhere_are_few_and_have_a_source() -> None:
    assert len(safety.FOREIGN_KEYS) <= 15
    for name, key in safety.FOREIGN_KEYS.items():
        assert name == letters_of(name)
        assert key.source
        assert safety.is_unsafe(key.field, key.value)


SOUNDING: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    ({"deletesRows": True, "risk": "high"}, [("deletesRows",), ("risk",)]),
    ({"safety": {"destructive": True, "network": True}}, [("safety", "destructive")]),
    ({"destructive": False, "unsafe": None, "dangers": [], "approval": ""}, []),
    ({"default": {"risk": 1}, "risk": "high"}, [("risk",)]),
    ({"x-destructive": "no", "approval": "never"}, []),
    ({"deletes": ["rows"], "wipes": {"a": 1}, "destroys": True}, [("deletes",), ("wipes",), ("destroys",)]),
    ({"properties": {"destructive": True, "wipe": {"type": "string"}}, "x-toolglot": {"risk": 1}}, []),
    ({"a": {"b": {"c": {"d": {"e": {"destructive": True}}}}}}, [("a", "b", "c", "d", "e", "destructive")]),
    (json.loads('{"a": ' * 9 + '{"destructive": true}' + "}" * 9), []),  # so deep is no statement about a tool
]


@for_each(("rest", "expected"), SOUNDING)
def test_a_key_that_sounds_like_danger_is_found(rest: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    assert list(safety.sounding_keys(rest)) == expected


# Names that the author of an API gives.
SOUNDING_NAMES: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    ({"parameters": {"executionId": {"in": "path"}}, "callbacks": {"onDelete": {"{$url}": {"post": {}}}}}, []),
    ({"securitySchemes": {"a": {"flows": {"implicit": {"scopes": {"files.delete": "Delete files."}}}}}}, []),
    ({"servers": [{"variables": {"shell": {"default": "a"}}}], "encoding": {"wipe": {"style": "form"}}}, []),
    ({"x-ms-examples": {"Delete it.": {"$ref": "a.json"}}, "x-examples": {"a": {"confirmation": "yes"}}}, []),
    ({"otherContent": {"text/powershell": {"x": 1}}, "examplesElsewhere": {"Confirm it": {"$ref": "a.json"}}}, []),
    ({"x-webhooks": {"item.delete": {"post": {}}}, "permutations": ["a b"]}, []),
    ({"x-weights": {"deleted": "high", "approvedBy": "low", "deletes": "high"}}, [("x-weights", "deletes")]),
    ({"discriminator": {"mapping": {"execution_result": "#/$defs/a"}}, "links": {"DeleteIt": {"x": 1}}}, []),
    ({"parameters": {"a": {"dangerous": True}}}, [("parameters", "a", "dangerous")]),
]


@for_each(("rest", "expected"), SOUNDING_NAMES)
def test_a_name_that_sounds_like_danger_states_none(rest: dict[str, Any], expected: list[tuple[str, ...]]) -> None:
    assert list(safety.sounding_keys(rest, get("openapi").names_below)) == expected


IN_DOCUMENTS: list[tuple[str, str, Any, list[tuple[str, str, str]]]] = [
    ("mcp", "/annotations/destructive", "perhaps", [("unclear-safety", "/annotations/destructive", "destructive")]),
    (
        "mcp",
        "/_meta/com.acme~1destructive",
        "perhaps",
        [("unclear-safety", "/_meta/com.acme~1destructive", "destructive")],
    ),
    ("mcp", "/toolMetadata/destructive", {"value": False}, []),
    ("mcp", "/hints/idempotentHint", False, []),
    ("atip", "/defaults/effects/subprocess", True, []),
    ("atip", "/options", [{"name": "f", "flags": ["-f"], "dangerous": True}], []),
    ("anthropic", "/permission_policy/type", "always_allow", []),
    ("anthropic", "/permission_policy/type", "sometimes", [("unclear-safety", "/permission_policy/type", "approval")]),
    *(
        ("mcp", place, value, [("unclear-safety", place, "auth_required")])
        for place in ("/securitySchemes", "/_meta/securitySchemes")
        for value in ("oauth2", {"type": "oauth2"}, [{"type": "oauth2"}, "key"], [{"scopes": ["a"]}])
    ),
    ("mcp", "/securitySchemes", None, []),
    ("tool-descriptor", "/annotations", {"destructiveHint": False, "readOnlyHint": True}, []),
    ("aip14", "/metadata", {"destructive": False, "risk_level": 0}, []),
    ("mcp", "/annotations/destructiveHint", "no", [("unclear-safety", "/annotations/destructiveHint", "destructive")]),
    ("mcp", "/annotations/idempotentHint", 1, [("unclear-safety", "/annotations/idempotentHint", "idempotent")]),
    ("mcp", "/annotations/openWorldHint", 0, [("unclear-safety", "/annotations/openWorldHint", "network")]),
    ("mcp", "/annotations/readOnlyHint", "yes", [("unclear-safety", "/annotations/readOnlyHint", "modifies")]),
    # a slip of a known key is dangerous, whatever it says
    ("mcp", "/annotations/readonlyHint", True, [("misspelt-key", "/annotations/readonlyHint", "modifies")]),
    ("mcp", "/annotations/openworldhint", False, [("misspelt-key", "/annotations/openworldhint", "network")]),
    ("aip14", "/Risk_Level", 0, [("misspelt-key", "/Risk_Level", "risk_level")]),
    ("mcp", "/annotations/readOnly", True, []),
    ("atip", "/reversible", True, []),
    ("mcp", "/annotations/readOnlyHint", None, []),
    ("mcp", "/annotations/openWorldHint", None, []),
    (
        "mcp",
        "/annotations",
        {"readOnlyHint": True, "destructiveHint": "no"},
        [("unclear-safety", "/annotations/destructiveHint", "destructive")],
    ),
    ("mcp", "/annotations/title", 5, []),
    ("mcp", "/annotations/title", "[⚠️ DESTRUCTIVE]", []),  # what hosts show where there is no other
    ("mcp", "", {"title": "[⚠️ DESTRUCTIVE]", "annotations": {"title": "[⚠️ DESTRUCTIVE]"}}, []),
    (
        "mcp",
        "",
        {"title": "T", "annotations": {"title": "[⚠️ DESTRUCTIVE | 💰 BILLABLE]"}},
        [("misplaced-key", "/annotations/title", field) for field in ("billable", "destructive")],
    ),
    ("atip", "/interactive/prompts", "yes", [("unclear-safety", "/interactive/prompts", "prompts")]),
    ("atip", "/interactive/prompts", True, []),
    ("atip", "/effects/destructive", "yes", [("unclear-safety", "/effects/destructive", "destructive")]),
    (
        "atip",
        "",
        {"effects": {"network": 1, **STDIN["none"]}, **STDIN["password"]},
        [("unclear-safety", "/effects/network", "network")],
    ),
    ("atip", "", {"effects": None, **STDIN["password"]}, []),
    *(
        ("atip", "/authentication/methods", value, [("unclear-safety", "/authentication/methods", "auth_methods")])
        for value in ("token", ["token"], [{"envVar": "T"}], [{"type": "token"}, {"type": 1}])
    ),
    ("aip14", "/approval", "never", [("unclear-safety", "/approval", "approval")]),
    ("aip14", "/approval", "policy:", [("unclear-safety", "/approval", "approval")]),
    *(
        (
            "aip14",
            "/implements",
            value,
            [("unclear-safety", "/implements", field) for field in ("mutates", "risk_level", "approval")],
        )
        for value in [["acme.a"], 42, "", {}]
    ),
    ("aip14", "/risk_level", True, [("unclear-safety", "/risk_level", "risk_level")]),
    ("aip14", "/mutates", ["a:b", 5], [("unclear-safety", "/mutates", "mutates")]),
    ("aip14", "/cost_class", ["metered"], [("unclear-safety", "/cost_class", "cost_class")]),
]


@for_each(("name", "place", "value", "expected"), IN_DOCUMENTS)
def test_what_a_document_states_unreadably_counts_as_dangerous(
    name: str, place: str, value: Any, expected: list[tuple[str, str, str]]
) -> None:
    tool = read(name, place, value)
    found = list(get(name).doubts_of(tool))
    assert [(doubt.code, doubt.pointer, doubt.field) for doubt in found] == expected
    assert (tool.unclear or ()) == tuple(sorted({field for _, _, field in expected}))
    assert list(get(name).doubts_of(toolglot.Tool(id="t", extensions={"another": {}}))) == []


ELSEWHERE: list[tuple[str, str, Any, tuple[str, ...]]] = [
    ("mcp", "/toolMetadata/destructive", {"value": True}, ("destructive",)),
    ("mcp", "/toolMetadata/readOnly", {"value": False}, ("modifies",)),
    (
        "mcp",
        "/toolMetadata",
        {"readOnly": {"value": False}, "idempotent": {"value": False}},
        ("idempotent", "modifies"),
    ),
    ("mcp", "/toolMetadata", {"readOnly": {"value": True}, "idempotent": {"value": False}}, ()),
    ("mcp", "/annotations/readOnly", False, ("modifies",)),
    ("mcp", "/_meta/annotations", {"destructiveHint": True}, ("destructive",)),
    ("mcp", "/_meta/readOnlyHint", "no", ("modifies",)),
    ("mcp", "/_meta/com.acme~1destructive", "TRUE", ("destructive",)),
    ("mcp", "/_meta/destructive", "no", ()),
    ("mcp", "/annotations/readOnly", True, ()),
    ("tool-descriptor", "/annotations", {"destructiveHint": True, "readOnlyHint": True}, ("destructive",)),
    ("tool-descriptor", "/annotations/readOnlyHint", False, ("modifies",)),
    ("atip", "/x-destructive", True, ("destructive",)),
    ("atip", "/x-acme-corp", {"approvalRequired": True}, ("approval",)),
    ("aip14", "/metadata/destructive", True, ("destructive",)),
    ("aip14", "/metadata/acme", {"destructive": True}, ()),
    ("anthropic", "/permission_policy/type", "always_ask", ("approval",)),
]


@for_each(("name", "place", "value", "fields"), ELSEWHERE)
def test_a_danger_under_another_key_counts(name: str, place: str, value: Any, fields: tuple[str, ...]) -> None:
    tool = read(name, place, value)
    assert (tool.unclear or ()) == fields
    assert list(get(name).doubts_of(tool)) == []


def test_who_may_call_has_to_be_readable() -> None:
    (doubt,) = get("mcp").doubts_of(read("mcp", "/securitySchemes", "oauth2"))
    assert doubt.message == "nobody can read who may call it; it counts as guarded"


def test_a_warning_in_the_second_of_two_titles_is_misplaced() -> None:
    tool = read("mcp", "", {"title": "T", "annotations": {"title": "[⚠️ DESTRUCTIVE]"}})
    message = "hosts show `title` and not this one, so its warning counts as a danger that is stated elsewhere"
    (doubt,) = get("mcp").doubts_of(tool)
    assert doubt == Doubt("misplaced-key", "/annotations/title", "destructive", message, "write it in the description")


def test_an_interactive_in_two_places_stays_in_both() -> None:
    said = {"effects": {"x-a": 1, **STDIN["none"]}, **STDIN["password"]}
    assert read("atip", "", said).extensions == {"atip": said}
    assert read("atip", "", STDIN["password"]).extensions == {"atip": STDIN["password"]}


# -- what providers define themselves ---------------------------------------------------------------------------------

HOSTED: list[tuple[str, dict[str, Any], dict[str, bool]]] = [
    ("anthropic", {"type": "bash_20250124", "name": "bash"}, {"subprocess": True}),
    ("anthropic", {"type": "code_execution_20250825", "name": "code_execution"}, {"subprocess": True}),
    ("anthropic", {"type": "memory_20250818", "name": "memory"}, {"writes_files": True, "deletes_files": True}),
    ("anthropic", {"type": "text_editor_20250728", "name": "editor"}, {"writes_files": True}),
    ("anthropic", {"type": "web_fetch_20250910", "name": "web_fetch"}, {"network": True}),
    ("anthropic", {"type": "browser_toolset_20260801"}, {"network": True}),
    ("anthropic", {"type": "mcp_toolset", "mcp_server_name": "post"}, {"network": True}),
    ("anthropic", {"type": "custom", "name": "bash_", "input_schema": {"type": "object"}}, {}),
    ("openai", {"type": "shell"}, {"subprocess": True}),
    ("openai", {"type": "code_interpreter", "container": {"type": "auto"}}, {"subprocess": True}),
    ("openai", {"type": "apply_patch"}, {"writes_files": True, "deletes_files": True}),
    ("openai", {"type": "mcp", "server_label": "post", "server_url": "https://a.example"}, {"network": True}),
    ("openai", {"type": "custom", "name": "shell"}, {}),
    ("openai", {"type": "function", "name": "shell", "parameters": {"type": "object"}}, {}),
    ("gemini", {"codeExecution": {}}, {"subprocess": True}),
    ("gemini", {"google_search": {}}, {"network": True}),
    ("gemini", {"enterpriseWebSearch": {}}, {"network": True}),
    ("gemini", {"name": "codeExecution", "description": "Not theirs."}, {}),
]


@for_each(("name", "definition", "facts"), HOSTED)
def test_what_a_provider_defines_itself_is_known(name: str, definition: Any, facts: dict[str, bool]) -> None:
    (tool,) = toolglot.read([definition], name)
    assert safety.stated_facts(tool) == facts
    if facts:  # and it is still theirs, without a word about it
        assert json.loads(toolglot.convert([definition], name, format=name).text) == {"tools": [definition]}
    text = toolglot.convert([definition], "mcp", format=name).text
    assert ("runs other programs" in text) is ("subprocess" in facts)
    assert ("deletes files" in text) is ("deletes_files" in facts)


def test_what_google_runs_beside_declarations_is_a_tool_too() -> None:
    """The silence about `retrieval` says nothing, as clients write null for what is absent."""
    own: dict[str, Any] = {"codeExecution": {}, "url_context": {}, "retrieval": None}
    tools = toolglot.read({"tools": [{"functionDeclarations": [{"name": "dig"}], **own}]}, "gemini")
    assert [(tool.id, safety.stated_facts(tool)) for tool in tools] == [
        ("dig", {}),
        ("codeExecution", {"subprocess": True}),
        ("url_context", {"network": True}),
    ]


# -- hints of MCP ---------------------------------------------------------------------------------------------------

VOUCHED = {
    "readOnlyHint": (True, {"safety_tier": "read", "destructive": False}),
    "destructiveHint": (False, {"destructive": False}),
    "idempotentHint": (True, {"idempotent": True}),
    "openWorldHint": (False, {"network": False}),
}


@for_each("value", [True, False, None, "true"])
@for_each("name", VOUCHED)
def test_a_hint_that_nobody_vouches_for_says_what_it_would_state(name: str, value: Any) -> None:
    tool = toolglot.Tool(id="t", extensions={"mcp": {"annotations": {name: value}}})
    safe, facts = VOUCHED[name]
    assert get("mcp").claims_of(tool) == ({name: facts} if value is safe else {})


@for_each("extensions", [{}, {"mcp": {}}, {"mcp": {"annotations": "readOnlyHint"}}, {"atip": {"annotations": {}}}])
def test_a_tool_without_hints_would_state_nothing(extensions: Any) -> None:
    assert get("mcp").claims_of(toolglot.Tool(id="t", extensions=extensions)) == {}


@for_each(("tier", "reads"), [("pure", True), ("read", True), ("write", False), ("exec", False)])
def test_a_tier_is_the_hint_that_it_means(tier: str, reads: bool) -> None:
    assert HINTS["readOnlyHint"].dump(tier) is reads
