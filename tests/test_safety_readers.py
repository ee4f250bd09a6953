"""What the fields about safety of each format are read as: a row a value, and no place of a format without a row.

Sources: the specifications of the formats, and `docs/safety.md` for the order of danger.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

import toolglot
from rows import for_each
from toolglot import safety
from toolglot.formats import get
from toolglot.formats.kit.dangers_in_unknown_keys import dangers_elsewhere, dangers_of_values
from toolglot.formats.kit.field_tables import Row, Table, boolean, is_bool, is_text, put, take, text, texts, word
from toolglot.formats.kit.unreadable_facts import Doubt, doubts, nearest_key, unclear_fields
from toolglot.formats.kit.words_for_danger import words_of, words_with
from toolglot.formats.mcp.hints import HINTS
from toolglot.hub.model import AuthMethod
from toolglot.text.pointers import unescape

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
        said = {key: said}
    if name == "atip":
        said = {"commands": {"run": {"description": "Run.", **said}}}
    record = {**RECORDS[name], **said}
    document = f"---\n{json.dumps(record)}\n---\n" if name == "aip14" else record
    (tool,) = toolglot.read(document, name)
    (leaf,) = tool.leaves()
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
    ("mcp", "/annotations/idempotentHint", False, "idempotent", False),
    ("mcp", "/annotations/openWorldHint", True, "network", True),
    ("mcp", "/annotations/openWorldHint", False, "network", None),
    # the same beside a promise to change nothing
    ("mcp", "/annotations", {"readOnlyHint": True, "destructiveHint": False}, "destructive", None),
    ("mcp", "/annotations", {"readOnlyHint": True, "destructiveHint": True}, "destructive", True),
    ("mcp", "/annotations", {"readOnlyHint": True, "idempotentHint": True}, "idempotent", None),
    ("mcp", "/annotations", {"readOnlyHint": True, "idempotentHint": False}, "idempotent", False),
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
    places = {form.places.locate({}, field, "") or form.places.fields.get(field) for field in fields}
    assert places - {None, "/description"} <= {place for owner, place, *_ in READ if owner == name}


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
    "tier": Row("safety_tier", lambda value: value is False, is_silent=is_bool, about="modifies"),
    "risk_level": word("risk_level", "low"),
    "a/b": word("approval", "always"),
    "effects": {
        "name": text("summary"),
        "network": boolean("network"),
        "inner": {
            "label": text("category"),
            "billable": boolean("billable"),
            "plan": word("cost_class", "deep"),
            "hint": Row("safety_tier", lambda value: value is False, about="modifies"),
        },
    },
    "texts": {"title": text("title"), "inner": {"label": text("category")}},
}


def unreadable(place: str, field: str, value: str) -> Doubt:
    key = place.rpartition("/")[2].replace("~1", "/")
    message = f"nobody can read {value} as `{key}`; it counts as the most dangerous value"
    return Doubt("unclear-safety", place, field, message)


def no_mapping(place: str, field: str, value: str) -> Doubt:
    message = f"`{place.rpartition('/')[2]}` is a mapping, not {value}; what it should say counts as dangerous"
    return Doubt("unclear-safety", place, field, message)


def misspelt(key: str, field: str, near: str) -> Doubt:
    message = f"`{key}` is not known; what it should say counts as dangerous"
    return Doubt("misspelt-key", f"/{key}", field, message, f"did you mean `{near}`?")


def misplaced(place: str, field: str, owner: str) -> Doubt:
    message = f"`{place.rpartition('/')[2]}` says nothing here; it counts as dangerous"
    return Doubt("misplaced-key", place, field, message, f"it belongs to `{owner}`")


DOUBTS: list[tuple[dict[str, Any], list[Doubt]]] = [
    # a value that its row does not accept
    ({"title": 5}, []),
    ({"tier": True}, []),
    ({"tier": None}, [unreadable("/tier", "modifies", "null")]),
    ({"risk_level": "low"}, []),
    ({"risk_level": None}, []),
    ({"risk_level": 9}, [unreadable("/risk_level", "risk_level", "9")]),
    ({"a/b": 1}, [unreadable("/a~1b", "approval", "1")]),
    ({"effects": {"inner": {"billable": "no"}}}, [unreadable("/effects/inner/billable", "billable", '"no"')]),
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
    ({"eitr": 1}, [misspelt("eitr", "modifies", "tier")]),  # its letters in another order
    ({"levels": 1}, []),
    ({"tierss": 1}, [misspelt("tierss", "modifies", "tier")]),  # as alike as a slip may be, four fifths
    ({"tiersss": 1}, []),
    ({"titles": 1, "ab": 1}, [misspelt("ab", "approval", "a/b")]),
    ({"effect_tier": 1}, []),
    ({f"risk_level{'_' * 50}": 1}, [misspelt(f"risk_level{'_' * 50}", "risk_level", "risk_level")]),
    ({f"risk_level{'_' * 51}": 1}, []),  # no slip is so long
    # a key of the mappings inside
    ({"network": True}, [misplaced("/network", "network", "effects")]),
    ({"NET_WORK": False}, [misplaced("/NET_WORK", "network", "effects")]),
    ({"network": "yes"}, []),
    ({"billable": True}, [misplaced("/billable", "billable", "effects.inner")]),
    ({"effects": {"billable": True}}, [misplaced("/effects/billable", "billable", "inner")]),
    ({"plan": "deep"}, [misplaced("/plan", "cost_class", "effects.inner")]),
    ({"hint": True}, [misplaced("/hint", "modifies", "effects.inner")]),
    ({"label": True, "name": True}, []),
    # the same in one word with what it belongs to
    ({"effects.inner.billable": True}, [misplaced("/effects.inner.billable", "billable", "effects.inner")]),
    ({"effects": {"inner_plan": "deep"}}, [misplaced("/effects/inner_plan", "cost_class", "inner")]),
    ({"inner.inner.plan": "deep", "inner.label": True}, []),
    # keys of others
    ({"x-risk_level": 1, "_risk_level": 1, "$risk_level": 1}, []),
]


@for_each(("rest", "expected"), DOUBTS)
def test_what_nobody_can_read_is_named(rest: dict[str, Any], expected: list[Doubt]) -> None:
    assert list(doubts(rest, TABLE)) == expected
    assert unclear_fields(rest, TABLE) == (tuple(sorted({doubt.field for doubt in expected})) or None)
    below = [msgspec.structs.replace(doubt, pointer=f"/tools/0{doubt.pointer}") for doubt in expected]
    assert list(doubts(rest, TABLE, "/tools/0")) == below


def test_a_denial_that_nobody_hears_is_named_with_where_it_belongs() -> None:
    words = words_of({"networking": boolean("network"), "billable": boolean("billable")})
    assert list(doubts({"effects": {"networking": False}, "billable": False}, TABLE, words=words)) == [
        Doubt(
            "misspelt-key",
            "/effects/networking",
            "",
            "`networking` is not known, and nobody hears what it says",
            "did you mean `network`?",
        ),
        Doubt("misplaced-key", "/billable", "", "`billable` says nothing here", "it belongs to `effects.inner`"),
    ]


def test_a_key_is_like_one_with_a_fact_about_safety_or_like_none() -> None:
    keys = ("risk-level", "title", "effect", "network")
    assert [nearest_key(key, TABLE) for key in keys] == ["risk_level", None, "effects", None]


def test_a_key_is_compared_with_those_of_its_own_table() -> None:
    assert nearest_key("effect", {"title": text("title")}) is None
    assert nearest_key("effect", TABLE) == "effects"


def test_a_key_that_has_only_the_same_letters_ends_no_search() -> None:
    assert nearest_key("abcdeg", {"abbbbb": boolean("destructive"), "abcdef": boolean("reversible")}) == "abcdef"


def test_a_misplaced_key_belongs_where_its_value_is_understood() -> None:
    one = Row("network", lambda value: value == 1)
    (doubt,) = doubts({"network": 1}, {"numbers": {"network": one}, "answers": {"network": boolean("network")}})
    assert doubt.hint == "it belongs to `numbers`"


# -- dangers where nobody looks for them -------------------------------------------------------------------------------

WORDS = words_with(words_of({"plan": word("cost_class", "trivial", "deep"), "cost": {"total": boolean("billable")}}))
DESTRUCTIVE, READ_ONLY = "destructive", "modifies"
ELSEWHERE: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    # what anybody may say, however it is spelled; a value in a box of its own is the word's
    ({"destructive": True}, [("/destructive", DESTRUCTIVE)]),
    ({"hints": {"DESTRUCTIVE": "yes"}}, [("/hints/DESTRUCTIVE", DESTRUCTIVE)]),
    ({"hints": {"destructive": {"value": True, "note": "It burns."}}}, [("/hints/destructive", DESTRUCTIVE)]),
    ({"hints": {"destructive": {"type": "boolean", "default": True}}}, []),
    ({"hints": [{"name": "destructive", "value": True}]}, [("/hints/0", DESTRUCTIVE)]),
    ({"hints": [{"name": 1, "value": True}, {"name": "destructive", "required": True}]}, []),
    ({"hints": {"a": {"value": 5, "dangerous": True}}, "b": [{"name": "c", "value": "d", "destructive": True}]}, [
        ("/hints/a/dangerous", DESTRUCTIVE), ("/b/0/destructive", DESTRUCTIVE),
    ]),
    # a word that stands alone says the danger that it names, but where it names something
    ({"hints": ["network", "⚠️ DESTRUCTIVE", "irreversible"], "level": "dangerous"}, [
        ("/hints/1", DESTRUCTIVE), ("/hints/2", "reversible"), ("/level", DESTRUCTIVE),
    ]),
    ({"hints": [{"name": "Level", "value": "destructive"}, {"name": "b", "value": "open-world"}]}, [
        ("/hints/0", DESTRUCTIVE),
    ]),
    ({"hints": dict.fromkeys(("Name", "title", "label", "id", "summary"), "destructive")}, []),
    ({"hints": ["reversible", "dangerous" + " " * 23, "idempotent"], "b": "dangerous" + " " * 24}, [
        ("/hints/1", DESTRUCTIVE),
    ]),
    ({"hints": {"a": "not destructive", "key": "dangerous", "description": "destructive", "_a": "dangerous"}}, []),
    ({"a": {"b": [{"c": [["destructive"]]}]}}, [("/a/b/0/c/0/0", DESTRUCTIVE)]),
    ({"texts": {"a": "destructive", "title": "dangerous"}}, [("/texts/a", DESTRUCTIVE)]),
    ({"hints": {"isDestructive": True, "is_dangerous": True, "is-irreversible": True, "isConsequential": True}}, [
        ("/hints/isDestructive", DESTRUCTIVE), ("/hints/is_dangerous", DESTRUCTIVE),
        ("/hints/is-irreversible", "reversible"), ("/hints/isConsequential", "approval"),
    ]),
    ({"hints": {"requireConfirmation": True, "approval_required": "always", "confirmationRequired": True}}, [
        ("/hints/requireConfirmation", "approval"), ("/hints/approval_required", "approval"),
        ("/hints/confirmationRequired", "approval"),
    ]),
    ({"hints": {"confirmation": "required"}, "confirmation": True, "b": {"confirmation": "Sure?"}}, [
        ("/hints/confirmation", "approval"), ("/confirmation", "approval"),
    ]),
    ({"hints": {"risk": "Severe", "group": "Danger zone", "category": "Dangers of the sea"}}, [
        ("/hints/risk", "risk_level"), ("/hints/group", DESTRUCTIVE),
    ]),
    ({"hints": {"a/b": [{"Dangerous": [True]}, {"dangerous": 1}]}}, [
        ("/hints/a~1b/0/Dangerous", DESTRUCTIVE), ("/hints/a~1b/1/dangerous", DESTRUCTIVE),
    ]),
    ({"hints": {"irreversible": True, "reversible": False}}, [
        ("/hints/irreversible", "reversible"), ("/hints/reversible", "reversible"),
    ]),
    ({"hints": {"read_only": False, "readOnly": "no"}}, [
        ("/hints/read_only", READ_ONLY), ("/hints/readOnly", READ_ONLY),
    ]),
    ({"hints": {"readOnlyHint": False, "open_world_hint": True}, "destructiveHint": True, "idempotentHint": False}, [
        ("/hints/readOnlyHint", READ_ONLY), ("/hints/open_world_hint", "network"), ("/destructiveHint", DESTRUCTIVE),
        ("/idempotentHint", "idempotent"),
    ]),
    ({"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}, []),
    ({"hints": {"requiresApproval": True, "needs-approval": True, "requires_confirmation": True}}, [
        ("/hints/requiresApproval", "approval"), ("/hints/needs-approval", "approval"),
        ("/hints/requires_confirmation", "approval"),
    ]),
    ({"hints": {"openWorld": True, "idempotent": False, "Billable": True}}, [
        ("/hints/openWorld", "network"), ("/hints/idempotent", "idempotent"), ("/hints/Billable", "billable"),
    ]),
    ({"hints": {"approval": "required", "risk": "HIGH", "riskLevel": "critical"}}, [
        ("/hints/approval", "approval"), ("/hints/risk", "risk_level"), ("/hints/riskLevel", "risk_level"),
    ]),
    # the same words with others around them, and their opposites
    ({"hints": {"reversible_hint": False, "isReadOnly": False, "isBillable": True}, "safe": False, "isUnsafe": 1}, [
        ("/hints/reversible_hint", "reversible"), ("/hints/isReadOnly", READ_ONLY), ("/hints/isBillable", "billable"),
        ("/safe", DESTRUCTIVE), ("/isUnsafe", DESTRUCTIVE),
    ]),
    ({"nonDestructive": False, "undoable": "no", "auto_approve": False, "humanApprovalRequired": True}, [
        ("/nonDestructive", DESTRUCTIVE), ("/undoable", "reversible"), ("/auto_approve", "approval"),
        ("/humanApprovalRequired", "approval"),
    ]),
    ({"need_user_confirmation": True, "a": {"approvalNeeded": True, "approvalMode": True, "approval_policy": True}}, [
        ("/need_user_confirmation", "approval"), ("/a/approvalNeeded", "approval"), ("/a/approvalMode", "approval"),
        ("/a/approval_policy", "approval"),
    ]),
    ({"human_approval": "required", "a": {"userConfirmation": "Sure?", "human_confirmation": False}}, [
        ("/human_approval", "approval"), ("/a/userConfirmation", "approval"),
    ]),
    ({"nonDestructive": True, "safe": True, "undoable": True, "auto_approve": True, "is": True}, []),
    ({"auto_approve": ["list"], "confirm": "Sure?", "side_effects": "none", "mutates": [], "deletes": []}, []),
    # a word whose answer stands in a mapping, unless that describes an argument
    ({"a": {"approval": {"mode": "always"}, "confirm": {"required": True}, "risk": {"level": " High"}}}, [
        ("/a/approval", "approval"), ("/a/confirm", "approval"), ("/a/risk", "risk_level"),
    ]),
    ({"a": {"destructive": {"level": 3, "mode": 2}, "b": {"approval": {"enabled": "admins"}}}}, [
        ("/a/destructive", DESTRUCTIVE), ("/a/b/approval", "approval"),
    ]),
    ({"a": {"approval": {"type": "string", "required": True}, "confirm": {"required": ["a"]}}}, []),
    ({"a": {"require_approval": {"always": {"tool_names": ["rm"]}}, "confirm": {"always": True}}}, [
        ("/a/require_approval", "approval"), ("/a/confirm", "approval"),
    ]),
    ({"requires_approval": {"when": "x > 5"}, "a": {"destructive": {"if": {"x": 1}, "approval": {"mode": "never"}}}}, [
        ("/requires_approval", "approval"), ("/a/destructive", DESTRUCTIVE),
    ]),
    ({"a": {"destructive": {}, "approval": {"description": "?"}, "confirm": {"when": "x"}, "risk": {"of": "x"}}}, []),
    ({"require_approval": {"never": {"tool_names": ["ls"]}}, "a": {"require_approval": {"never": True}}}, [
        ("/require_approval", "approval"),
    ]),
    ({"a": {"destructive": {"never": True}, "reversible": {"never": True}}, "reversible": {"always": True}}, [
        ("/a/reversible", "reversible"),
    ]),
    ({"a": [{"name": "confirm", "required": True}], "b": {"approval": {"mode": "never", "enabled": False}}}, []),
    # beside and instead of an answer stands what says more
    ({"a": {"risk": {"level": "low", "destructive": True}, "approval": {"required": True, "risk": "high"}}}, [
        ("/a/risk/destructive", DESTRUCTIVE), ("/a/approval", "approval"), ("/a/approval/risk", "risk_level"),
    ]),
    ({"risk": "irreversible", "category": "Write. [💰 BILLABLE]", "a": {"risk": ["low", "high"], "approval": []}}, [
        ("/risk", "reversible"), ("/category", "billable"), ("/a/risk", "risk_level"),
    ]),
    ({"a": {"approval": {"type": "always"}, "confirm": {"type": "never"}, "approval_policy": {"policy": "ask"}}}, [
        ("/a/approval", "approval"), ("/a/approval_policy", "approval"),
    ]),
    ({"does": [{"type": "destructive"}], "a": [{"type": "object"}]}, [("/does/0/type", DESTRUCTIVE)]),
    ({"hints": ["requires-approval", "Non-Idempotent", "approval", "confirm"], "policy": "always_ask"}, [
        ("/hints/0", "approval"), ("/hints/1", "idempotent"), ("/policy", "approval"),
    ]),
    ({"requires_explicit_approval": True, "a": {"consentRequired": True, "needs_human_review": True}}, [
        ("/requires_explicit_approval", "approval"), ("/a/consentRequired", "approval"),
        ("/a/needs_human_review", "approval"),
    ]),
    ({"hitl": {"mode": "required"}, "requiresPermission": True, "permission_required": "admin"}, [
        ("/hitl", "approval"), ("/requiresPermission", "approval"),
    ]),
    ({"severity": "critical", "risk_class": "very high", "a": {"riskTier": "HIGH", "high_risk": True}}, [
        ("/severity", "risk_level"), ("/risk_class", "risk_level"), ("/a/riskTier", "risk_level"),
        ("/a/high_risk", "risk_level"),
    ]),
    # words that may mean something else too
    ({"canUndo": False, "unrecoverable": "yes", "a": {"destroys_data": True, "non_idempotent": True}}, [
        ("/canUndo", "reversible"), ("/unrecoverable", "reversible"), ("/a/destroys_data", DESTRUCTIVE),
        ("/a/non_idempotent", "idempotent"),
    ]),
    ({"arbitraryCodeExecution": True, "network": 1, "a": {"costs_money": True, "writes": 1, "access": "read-write"}}, [
        ("/arbitraryCodeExecution", "subprocess"), ("/network", "network"), ("/a/costs_money", "billable"),
        ("/a/writes", READ_ONLY), ("/a/access", READ_ONLY),
    ]),
    ({"canUndo": "soon", "network": "mainnet", "writes": ["a"], "access": "read", "hitl": 2, "severity": "low"}, []),
    ({"dangerous_flags": ["--force"], "a": {"destructiveOptions": {"all": "All."}, "dangerousArgs": []}}, [
        ("/dangerous_flags", DESTRUCTIVE), ("/a/destructiveOptions", DESTRUCTIVE),
    ]),
    # effects
    ({"a": {"side_effects": True, "mutating": True, "mutates": ["mail"], "safetyTier": "exec", "subprocess": True}}, [
        ("/a/side_effects", READ_ONLY), ("/a/mutating", READ_ONLY), ("/a/mutates", READ_ONLY),
        ("/a/safetyTier", "safety_tier"), ("/a/subprocess", "subprocess"),
    ]),
    ({"side_effects": ["fs:delete", "none"], "a": {"x-b-effects": ["shell", {"type": "payment"}, "networks"]}}, [
        ("/side_effects", READ_ONLY), ("/side_effects/0", "deletes"), ("/a/x-b-effects/0", "subprocess"),
        ("/a/x-b-effects/1/type", "billable"),
    ]),
    ({"mutates": "fs:delete", "a": {"mutates": ["external:mail", "payment"]}}, [
        ("/mutates", "deletes"), ("/a/mutates", READ_ONLY), ("/a/mutates/1", "billable"),
    ]),
    ({"sideEffects": "write", "a": {"effect": {"delete": True, "network": False}}, "b": {"side_effects": ["read"]}}, [
        ("/sideEffects", READ_ONLY), ("/a/effect/delete", "deletes"),
    ]),
    ({"hints": ["delete", "shell", "risk:destructive"], "deletes": ["effects"]}, [
        ("/hints/2", DESTRUCTIVE), ("/deletes", "deletes"),
    ]),
    ({"deletes": True, "deletes_data": ["notes"], "a": {"filesystem": {"delete": True}}, "danger": True}, [
        ("/deletes", "deletes"), ("/deletes_data", "deletes"), ("/a/filesystem/delete", "deletes_files"),
        ("/danger", "risk_level"),
    ]),
    ({"http": {"method": "delete", "path": "/notes"}, "x-http-method": "DELETE", "a": {"method": "GET"}}, [
        ("/http/method", "deletes"), ("/x-http-method", "deletes"),
    ]),
    ({"delete": True, "a": {"safetyTier": "read", "danger": False, "danger_level": "none", "deletes": False}}, []),
    # a warning in a text, which needs no key to be read
    ({"note": "Beware. [⚠️ DESTRUCTIVE | 💰 BILLABLE]", "a": {"description": "[not reversible] Drop."}}, [
        ("/note", "billable"), ("/note", DESTRUCTIVE), ("/a/description", "reversible"),
    ]),
    ({"instructions": "Ask before [DESTRUCTIVE]", "messages": [{"destructive": True}], "_a": "[DESTRUCTIVE]"}, []),
    # what denies a danger, or says nothing
    ({"hints": {"approval": "none", "risk": "low", "riskLevel": 3}}, []),
    ({"approval": "manual"}, [("/approval", "approval")]),
    ({"requireConfirmation": "ENABLED", "b": {"approval": 1}}, [
        ("/requireConfirmation", "approval"), ("/b/approval", "approval"),
    ]),
    ({"requireConfirmation": "DISABLED", "approval_required": "Not required", "b": {"approval": "NEVER"}}, []),
    ({"needsApproval": "auto"}, []),
    ({"destructive": "No", "dangerous": 0, "a": {"unsafe": "FALSE", "reversible": "yes", "idempotent": "On"}}, []),
    ({"destructive": "", "reversible": "unknown", "a": {"read_only": 1, "approval": "n/a", "plan": "none"}}, []),
    ({"deletes": "nothing", "safety_tier": "read-only", "approval_required": "not required", "a": {"plan": False}}, []),
    ({"reversible": 0, "safe": "never", "a": {"confirm": "Yes", "danger": "true", "idempotent": " no"}}, [
        ("/reversible", "reversible"), ("/safe", DESTRUCTIVE), ("/a/confirm", "approval"), ("/a/danger", "risk_level"),
        ("/a/idempotent", "idempotent"),
    ]),
    ({"hints": {"destructive": False, "dangerous": None, "irreversible": False, "reversible": True}}, []),
    ({"hints": {"readOnly": True, "needsApproval": False, "openWorld": False, "idempotent": True}}, []),
    # a format's own words, those of a mapping only inside of one of its name
    ({"more": {"plan": "deep"}}, [("/more/plan", "cost_class")]),
    ({"more": {"plan": "trivial", "total": True}}, []),
    ({"more": {"cost": {"total": True, "destructive": True}}}, [
        ("/more/cost/total", "billable"), ("/more/cost/destructive", DESTRUCTIVE),
    ]),
    ({"costTotal": True, "more": {"cost_total": False, "filesystem.delete": True}}, [
        ("/costTotal", "billable"), ("/more/filesystem.delete", "deletes_files"),
    ]),
    # so does a mapping that is there for anything
    ({"texts": {"destructive": True, "plan": "deep"}}, [
        ("/texts/destructive", DESTRUCTIVE), ("/texts/plan", "cost_class"),
    ]),
    ({"texts": {"server": {"tags": ["notes", "Destructive"]}, "note": "[irreversible]"}}, [
        ("/texts/server/tags/1", DESTRUCTIVE), ("/texts/note", "reversible"),
    ]),
    ({"texts": {"inner": {"destructive": True, "label": "dangerous"}}}, [("/texts/inner/destructive", DESTRUCTIVE)]),
    ({"effects": {"more": {"destructive": True}}}, [("/effects/more/destructive", DESTRUCTIVE)]),
    ({"hints": {"_b": {"destructive": True}, "$c": {"destructive": True}}, "_destructive": True}, []),
    ({"_note": 1, "destructive": True}, [("/destructive", DESTRUCTIVE)]),
    # nor does what we keep for us, but what vendors state with their mark before it
    ({"x-toolglot": {"destructive": True}, "hints": {"x-toolglot": {"destructive": True}}}, []),
    ({"x-destructive": True, "X-needs-approval": "yes", "x-plan": "deep", "x-title": "dangerous"}, [
        ("/x-destructive", DESTRUCTIVE), ("/X-needs-approval", "approval"), ("/x-plan", "cost_class"),
    ]),
    ({"hints": {"x-dangerous": True}, "x-safety": ["irreversible"], "x-cost": {"total": True}}, [
        ("/hints/x-dangerous", DESTRUCTIVE), ("/x-safety/0", "reversible"), ("/x-cost/total", "billable"),
    ]),
    ({"x-destructive": False, "x-effects": {"network": False}, "x-risk_level": 1}, []),
    # nor the name of the owner before a word
    ({"com.acme/destructive": True, "acme.idempotent": False, "a": {"acme:approval": True, "x-acme-Risk": "high"}}, [
        ("/com.acme~1destructive", DESTRUCTIVE), ("/acme.idempotent", "idempotent"), ("/a/acme:approval", "approval"),
        ("/a/x-acme-Risk", "risk_level"),
    ]),
    ({"acme-dangerous": True, "a/b_dangerous": True, "dangerous/acme": True, "a." * 40 + "dangerous": True}, []),
    ({"destructiveOperation": True, "potentially_destructive": True, "a": {"approval_if": "x", "maybeBillable": 1}}, [
        ("/destructiveOperation", DESTRUCTIVE), ("/potentially_destructive", DESTRUCTIVE),
        ("/a/approval_if", "approval"), ("/a/maybeBillable", "billable"),
    ]),
    ({"X-examples": [{"destructive": True}], "texts": {"x-default": {"plan": "deep"}}}, []),
    ({"texts": {"x-destructive": True}}, [("/texts/x-destructive", DESTRUCTIVE)]),
    # values of calls, and what is deeper than anybody writes it
    ({"calls": {key: {"destructive": True} for key in ("properties", "examples", "example", "default", "enum")}}, []),
    ({"calls": {"headers": {"X-Dangerous": True}}, "examples": [{"dangerous": True}]}, []),
    ({"required": ["destructive"]}, []),
    ({"calls": {"const": {"destructive": True}, "required": ["destructive"]}}, []),
    ({"calls": {"schema": {"readOnly": False}}}, []),
    ({"a": {"b": [{"c": [[{"destructive": True}]]}]}}, [("/a/b/0/c/0/0/destructive", DESTRUCTIVE)]),
    ({"a": {"b": [{"c": [[[{"destructive": True}]]]}]}}, []),
]  # fmt: skip


@for_each(("rest", "expected"), ELSEWHERE)
def test_a_danger_is_found_where_nobody_looks_for_it(rest: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    found = list(doubts(rest, TABLE, words=WORDS))
    assert [(doubt.pointer, doubt.field) for doubt in found] == expected
    keys = {unescape(place.rpartition("/")[2]) for place, _ in expected}
    messages = {f"`{key}` says nothing here; it counts as dangerous" for key in keys}
    assert {(doubt.code, doubt.hint) for doubt in found} <= {("misplaced-key", None)}
    assert {doubt.message for doubt in found} == messages
    assert unclear_fields(rest, TABLE, WORDS) == (tuple(sorted({field for _, field in expected})) or None)
    assert list(doubts(rest, {"texts": TABLE["texts"], "effects": TABLE["effects"]})) == []


# What a schema of arguments states beside what it says of values, by the place of that.
OF_ARGUMENTS: list[tuple[dict[str, Any] | None, list[tuple[str, str]]]] = [
    (None, []),
    ({"type": "object", "destructive": True}, [("/destructive", DESTRUCTIVE)]),
    ({"properties": {"a/b": {"type": "string", "x~y": 1, "dangerous": "?"}, "c": True, "d": {"irreversible": True}}}, [
        ("/properties/a~1b/dangerous", DESTRUCTIVE), ("/properties/d/irreversible", "reversible"),
    ]),
    ({"properties": {"a": {"Needs-Approval": True, "read_only": False}}}, [
        ("/properties/a/Needs-Approval", "approval"), ("/properties/a/read_only", READ_ONLY),
    ]),
    ({"x-destructive": True, "properties": {"a": {"x-dangerous": True, "x-readOnly": True}, "X-Dangerous": {}}}, [
        ("/x-destructive", DESTRUCTIVE), ("/properties/a/x-dangerous", DESTRUCTIVE),
    ]),
    ({"properties": {"a": {"readOnly": False, "group": "Danger zone", "approval": {}}}}, []),
    ({"tags": ["destructive"], "properties": {"a": {"safety": {"irreversible": True}, "enum": ["risky"]}}}, [
        ("/tags/0", DESTRUCTIVE), ("/properties/a/safety/irreversible", "reversible"),
    ]),
    ({"properties": {"approval": {"type": "object", "approval": {"type": "boolean"}, "enum": ["destructive"]}}}, []),
    ({"properties": {"a": {"items": {"destructive": True}, "destructive": False, "dangerous": None}}}, []),
    ({"properties": [{"destructive": True}], "cost": True}, []),
    ({"description": "[DESTRUCTIVE]", "properties": {"a": {"description": "[DESTRUCTIVE]"}}}, [
        ("/description", DESTRUCTIVE),
    ]),
    ({"properties": {"a": {"type": "string"}, "b": True, "c": {"dangerous": True}}}, [
        ("/properties/c/dangerous", DESTRUCTIVE),
    ]),
    # wherever a schema keeps what it says of the same values: behind a reference, in a branch, but not deeper
    ({"properties": {"a": {"$ref": "#/$defs/A%20b"}, "c": {"$ref": "#/$defs/A b"}}, "$defs": {"A b": {
        "dangerous": True, "properties": {"d": {"dangerous": True}}, "description": "[DESTRUCTIVE]", "$ref": "#",
    }}}, [("/$defs/A b/dangerous", DESTRUCTIVE)]),
    ({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {"anyOf": [True, {"irreversible": True}, True]}}}}}, [
        ("/$defs/a/properties/b/anyOf/1/irreversible", "reversible"),
    ]),
    ({"oneOf": [{"description": "[DESTRUCTIVE]"}, {"allOf": [{"x-dangerous": True}]}], "$ref": 5}, [
        ("/oneOf/1/allOf/0/x-dangerous", DESTRUCTIVE), ("/oneOf/0/description", DESTRUCTIVE),
    ]),
    ({"$ref": "https://a.example/b", "properties": {"a": {"$ref": "#/lost", "items": {"$ref": "#/$defs/b"}}},
      "$defs": {"b": {"dangerous": True}}}, []),
    ({"properties": {"a": {"x-ui": {"dangerous": True}, "x-toolglot": {"dangerous": True}, "isDangerous": True}}}, [
        ("/properties/a/x-ui/dangerous", DESTRUCTIVE), ("/properties/a/isDangerous", DESTRUCTIVE),
    ]),
]  # fmt: skip


@for_each(("schema", "expected"), OF_ARGUMENTS)
def test_a_schema_of_arguments_states_dangers(schema: Any, expected: list[tuple[str, str]]) -> None:
    found = [(danger.place, danger.row.about or danger.row.field) for danger in dangers_of_values(schema)]
    assert found == expected


def test_a_warning_in_a_text_is_a_danger_that_no_value_states() -> None:
    (danger,) = dangers_of_values({"description": "Remove it. [DESTRUCTIVE]"})
    assert (danger.row.field, danger.value) == ("destructive", "Remove it. [DESTRUCTIVE]")
    assert danger.row.accepts(danger.value) is False


IN_DOCUMENTS: list[tuple[str, str, Any, list[tuple[str, str, str]]]] = [
    *(
        (name, place, value, [("misplaced-key", place, field)])
        for name, place, value, field in (
            ("mcp", "/toolMetadata/destructive", {"value": True}, "destructive"),
            ("mcp", "/toolMetadata/readOnly", {"value": False}, "modifies"),
            ("mcp", "/_meta/annotations/destructiveHint", True, "destructive"),
            ("mcp", "/_meta/readOnlyHint", "no", "modifies"),
            ("mcp", "/_meta/destructive", True, "destructive"),
            ("mcp", "/annotations/annotations/openWorldHint", True, "network"),
            ("mcp", "/hints/idempotentHint", False, "idempotent"),
            ("tool-descriptor", "/annotations/destructiveHint", True, "destructive"),
            ("tool-descriptor", "/annotations/readOnlyHint", False, "modifies"),
            ("atip", "/filesystem/delete", True, "deletes_files"),
            ("atip", "/effects/filesystem/network", True, "network"),
            ("atip", "/effects/effects/destructive", True, "destructive"),
            ("atip", "/effects/filesystem.delete", True, "deletes_files"),
            ("atip", "/defaults/effects/subprocess", True, "subprocess"),
            ("atip", "/subcommands/rm/effects/deletes", ["box"], "deletes"),
            ("atip", "/safety/authentication/required", True, "auth_required"),
            ("atip", "/annotations/destructiveHint", True, "destructive"),
            ("atip", "/destructive", "yes", "destructive"),
            ("aip14", "/metadata/risk_level", 3, "risk_level"),
            ("aip14", "/metadata/acme/destructive", True, "destructive"),
            ("aip14", "/requires/approval", "always", "approval"),
            ("aip14", "/safety/mutates", ["external:mail"], "mutates"),
            ("aip14", "/effects/destructive", True, "destructive"),
        )
    ),
    *(
        (
            "atip",
            "",
            {place: [{"name": "a"}, {"name": "f", "flags": ["-f"], **effects}]},
            [("misplaced-key", f"/{place}/1/{below}", field)],
        )
        for place, effects, below, field in (
            ("options", {"effects": {"destructive": True}}, "effects/destructive", "destructive"),
            ("options", {"dangerous": "yes"}, "dangerous", "destructive"),
            ("arguments", {"effects": {"filesystem": {"delete": True}}}, "effects/filesystem/delete", "deletes_files"),
        )
    ),
    ("atip", "/options", [{"name": "f", "flags": ["-f"], "default": {"destructive": True}, "x-a": 1}], []),
    *(
        ("anthropic", "/permission_policy/type", policy, found)
        for policy, found in (
            ("always_ask", [("misplaced-key", "/permission_policy/type", "approval")]),
            ("always_allow", []),
        )
    ),
    *(
        ("mcp", place, value, [("unclear-safety", place, "auth_required")])
        for place in ("/securitySchemes", "/_meta/securitySchemes")
        for value in ("oauth2", {"type": "oauth2"}, [{"type": "oauth2"}, "key"], [{"scopes": ["a"]}])
    ),
    ("mcp", "/securitySchemes", None, []),
    (
        "mcp",
        "/_meta/_fastmcp",
        {"tags": ["notes", "destructive"], "_destructive": True},
        [("misplaced-key", "/_meta/_fastmcp/tags/1", "destructive")],
    ),
    ("mcp", "/_meta/_acme", {"tags": ["destructive"]}, []),
    ("tool-descriptor", "/annotations", {"destructiveHint": False, "readOnlyHint": True}, []),
    ("aip14", "/metadata", {"destructive": False, "risk_level": 0}, []),
    ("mcp", "/annotations/destructiveHint", "no", [("unclear-safety", "/annotations/destructiveHint", "destructive")]),
    ("mcp", "/annotations/idempotentHint", 1, [("unclear-safety", "/annotations/idempotentHint", "idempotent")]),
    ("mcp", "/annotations/openWorldHint", 0, [("unclear-safety", "/annotations/openWorldHint", "network")]),
    ("mcp", "/annotations/readOnlyHint", "yes", [("unclear-safety", "/annotations/readOnlyHint", "modifies")]),
    # a denial where nobody looks for it is a fault of the document, and no danger
    ("mcp", "/annotations/readonlyHint", True, [("misspelt-key", "/annotations/readonlyHint", "modifies")]),
    ("mcp", "/annotations/openworldhint", False, [("misspelt-key", "/annotations/openworldhint", "network")]),
    ("aip14", "/Risk_Level", 0, [("misspelt-key", "/Risk_Level", "risk_level")]),
    ("mcp", "/annotations/readOnly", True, [("misspelt-key", "/annotations/readOnly", "")]),
    ("mcp", "/annotations/destructive", "no", [("misspelt-key", "/annotations/destructive", "")]),
    ("atip", "/reversible", True, [("misplaced-key", "/reversible", "")]),
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
    ("aip14", "/implements", ["acme.a"], [("unclear-safety", "/implements", "risk_level")]),
    ("aip14", "/risk_level", True, [("unclear-safety", "/risk_level", "risk_level")]),
    ("aip14", "/mutates", ["a:b", 5], [("unclear-safety", "/mutates", "mutates")]),
    ("aip14", "/cost_class", ["metered"], [("unclear-safety", "/cost_class", "cost_class")]),
]


@for_each(("name", "place", "value", "expected"), IN_DOCUMENTS)
def test_what_a_document_states_unreadably_counts_as_dangerous(
    name: str, place: str, value: Any, expected: list[tuple[str, str, str]]
) -> None:
    tool = read(name, place, value)
    found = list(get(name).doubts(tool))
    assert [(doubt.code, doubt.pointer, doubt.field) for doubt in found] == expected
    assert (tool.unclear or ()) == tuple(field for _, _, field in expected if field)
    assert list(get(name).doubts(toolglot.Tool(id="t", extensions={"another": {}}))) == []


def test_a_danger_of_a_parameter_is_one_of_its_command() -> None:
    option = {"type": "boolean", "description": "."}
    entries = [
        {"name": "a", "flags": ["-a"], **option},
        {"name": "b", "flags": ["-b"], **option, "x-a": True},
        {"name": "c", "flags": ["-c"], **option, "dangerous": True},
    ]
    message = "a parameter states no effects; this one counts as a danger of its command"
    for place in ("options", "globalOptions"):
        (tool,) = toolglot.read({**RECORDS["atip"], "commands": {"run": {"description": "Run.", "options": entries}}})
        (node,) = tool.children or ()
        if place == "globalOptions":
            (node,) = toolglot.read({**RECORDS["atip"], "globalOptions": entries})
        assert list(get("atip").doubts(node)) == [
            Doubt("misplaced-key", f"/{place}/2/dangerous", "destructive", message)
        ]
    found = dangers_elsewhere("a", {"destructive": "yes"}, words_with({}), "/a")
    assert [danger.value for danger in found] == ["yes"]


@for_each(
    ("effects", "unclear"),
    [
        ({"sends": ["mail"]}, ("flags",)), ({"filesystem": {"format": True}}, ("flags",)), ({"sends": []}, None),
        ({"x-a": 1}, None), ({"network": True, "note": "N."}, None), ({}, None),
    ],
)  # fmt: skip
def test_effects_that_nobody_knows_are_unclear(effects: Any, unclear: Any) -> None:
    assert read("atip", "/effects", effects).unclear == unclear


def test_who_may_call_has_to_be_readable() -> None:
    (doubt,) = get("mcp").doubts(read("mcp", "/securitySchemes", "oauth2"))
    assert doubt.message == "nobody can read who may call it; it counts as guarded"


def test_a_warning_in_the_second_of_two_titles_is_misplaced() -> None:
    tool = read("mcp", "", {"title": "T", "annotations": {"title": "[⚠️ DESTRUCTIVE]"}})
    message = "hosts show `title` and not this one, so its warning counts as a danger that is stated elsewhere"
    (doubt,) = get("mcp").doubts(tool)
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
    assert get("mcp").hints.facts(tool) == ({name: facts} if value is safe else {})


@for_each("extensions", [{}, {"mcp": {}}, {"mcp": {"annotations": "readOnlyHint"}}, {"atip": {"annotations": {}}}])
def test_a_tool_without_hints_would_state_nothing(extensions: Any) -> None:
    assert get("mcp").hints.facts(toolglot.Tool(id="t", extensions=extensions)) == {}


@for_each(("tier", "reads"), [("pure", True), ("read", True), ("write", False), ("exec", False)])
def test_a_tier_is_the_hint_that_it_means(tier: str, reads: bool) -> None:
    assert HINTS["readOnlyHint"].dump(tier) is reads
