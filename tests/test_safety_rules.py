"""The rules about safety one by one, a row an idea: what mutation testing (`make mutants`) showed nobody would miss."""

from __future__ import annotations

import json
from typing import Any

import pytest

import toolglot
from rows import for_each
from toolglot import Tool
from toolglot.converter import safety
from toolglot.converter.formats.kit.field_tables import word
from toolglot.converter.formats.kit.unreadable_facts import doubts
from toolglot.converter.formats.mcp.hints import proven_hints
from toolglot.converter.hub.model import AuthMethod, Binding
from toolglot.converter.safety import Approval, SafetyWords
from toolglot.converter.safety.caution_before_calls import levels_with_cost
from toolglot.converter.safety.inheritance import join_facts, leaves_of, with_provenance
from toolglot.converter.safety.reasons_to_ask import questions_before_call

UNCLEAR_EFFECTS = {"network": False, "writes_files": False, "deletes_files": False, "destructive": False}

LEVELS: list[tuple[dict[str, Any], dict[str, int]]] = [
    # silence is unknown, and unknown is never safe
    ({}, {"changes": 1, "network": 1, "approval": 1, "risk": 2, "cost": 2, "egress": 3, "interactive": 1}),
    # egress goes with the network, and never says less than the network does
    ({"network": True}, {"egress": 3}),
    ({"network": False}, {"egress": 0}),
    ({"egress": "safe-fetch"}, {"network": 2, "egress": 1}),
    ({"egress": "none"}, {"network": 0, "egress": 0}),
    ({"egress": "none", "network": True}, {"network": 2, "egress": 1}),
    ({"egress": "host-mediated", "network": False}, {"network": 2, "egress": 2}),
    # a word that nobody knows says what the most dangerous word says
    ({"egress": "anywhere"}, {"network": 2, "egress": 3}),
    ({"safety_tier": "harmless"}, {"executes": 2, "destructive": 2, "irreversible": 2, "changes": 2}),
    ({"approval": "whenever"}, {"approval": 3}),
    ({"cost_class": "gratis"}, {"cost": 4, "billable": 2}),
    # approval
    ({"approval": "policy:night"}, {"approval": 2}),
    ({"approval": "auto"}, {"approval": 0}),
    ({"approval": "auto", "mutates": ()}, {"approval": 0}),
    ({"approval": "auto", "mutates": ("storage:a",)}, {"approval": 3}),
    ({"approval": "never", "mutates": ("storage:a",)}, {"approval": 3}),
    ({"approval": "on-mutate", "mutates": ("storage:a",)}, {"approval": 3}),
    ({"approval": "conditional", "mutates": ("storage:a",)}, {"approval": 2}),
    ({"approval": "auto", "unclear": ("mutates",)}, {"approval": 3}),
    ({"approval": "auto", "unclear": ("network",)}, {"approval": 0}),
    ({"mutates": ("storage:a",)}, {"approval": 1}),
    # classes of what is changed
    ({"mutates": ("workspace:a",)}, {"writes_files": 2, "network": 1, "changes": 2}),
    ({"mutates": ("external:a", "sandbox:b")}, {"network": 1, "executes": 2}),
    ({"mutates": ("network",)}, {"network": 2}),
    # a scope may be a verb
    ({"mutates": ("fs:write", "database:delete.md", "delete:a")}, {"deletes": 1, "deletes_files": 1}),
    ({"mutates": ("fs:write", "fs:delete")}, {"deletes": 2, "deletes_files": 2, "writes_files": 2}),
    ({"mutates": ("database:orders:drop",)}, {"deletes": 2, "deletes_files": 1}),
    ({"mutates": ()}, {"changes": 0, "destructive": 0, "deletes": 0, "risk": 0}),
    ({"mutates": (), "destructive": True}, {"changes": 2, "deletes": 1, "writes_files": 1, "risk": 3}),
    # what only several denials say together
    (UNCLEAR_EFFECTS, {"changes": 0, "deletes": 0, "risk": 0}),
    ({**UNCLEAR_EFFECTS, "network": None}, {"changes": 1, "deletes": 1, "risk": 2}),
    ({**UNCLEAR_EFFECTS, "writes_files": None}, {"changes": 1}),
    ({**UNCLEAR_EFFECTS, "deletes_files": None}, {"changes": 1}),
    ({**UNCLEAR_EFFECTS, "destructive": None}, {"changes": 1}),
    ({**UNCLEAR_EFFECTS, "unclear": ("stdin",)}, {"changes": 1}),
    ({**UNCLEAR_EFFECTS, "billable": True}, {"changes": 1, "risk": 2}),
    ({**UNCLEAR_EFFECTS, "creates": ("a",)}, {"changes": 2}),
    ({**UNCLEAR_EFFECTS, "deletes": ("a",)}, {"changes": 2, "deletes": 2}),
    # interaction is denied only by all three
    ({"stdin": "none", "prompts": False, "tty": False}, {"interactive": 0}),
    ({"prompts": False, "tty": False}, {"interactive": 1}),
    ({"stdin": "none", "tty": False}, {"interactive": 1}),
    ({"stdin": "none", "prompts": False}, {"interactive": 1}),
    ({"stdin": "none", "prompts": False, "tty": False, "flags": ("interactive",)}, {"interactive": 2}),
    # replay beside a tier
    ({"replay": "deterministic", "safety_tier": "read"}, {"unrepeatable": 0}),
    ({"replay": "deterministic", "safety_tier": "pure"}, {"unrepeatable": 0}),
    ({"replay": "deterministic", "safety_tier": "write"}, {"unrepeatable": 1}),
    ({"replay": "deterministic"}, {"unrepeatable": 1}),
    ({"replay": "deterministic", "mutates": ()}, {"unrepeatable": 0}),
    ({"replay": "deterministic", "safety_tier": "read", "idempotent": False}, {"unrepeatable": 2}),
    ({"replay": "non-deterministic", "safety_tier": "write"}, {"unrepeatable": 2}),
    ({"replay": "non-deterministic", "safety_tier": "write", "idempotent": True}, {"unrepeatable": 2}),
    ({"replay": "non-deterministic", "safety_tier": "read"}, {"unrepeatable": 1}),
    # risk from the rest
    ({"risk_level": 1}, {"risk": 1}),
    ({"reversible": False}, {"risk": 3}),
    ({"subprocess": True}, {"risk": 3}),
    ({"reversible": False, "risk_level": 1}, {"risk": 3}),
    ({"writes_files": True}, {"risk": 2}),
    ({"writes_files": True, "network": False}, {"risk": 2}),
    ({"writes_files": True, "network": False, "destructive": False}, {"risk": 1}),
    ({"writes_files": True, "network": True, "destructive": False}, {"risk": 2}),
    ({"deletes_files": True, "network": False, "destructive": False}, {"risk": 2}),
    ({"mutates": (), "billable": True}, {"risk": 0}),
    ({"network": False, "destructive": False}, {"changes": 1, "risk": 2}),
    ({"safety_tier": "exec", "replay": "deterministic", "idempotent": True}, {"unrepeatable": 2}),
    ({"writes_files": True, "risk_level": 2}, {"risk": 2}),
    # an action that was not found does what any action may, and of nothing else that actions speak of is it known
    ({"implements": "acme.lost", "mutates": ()}, {"changes": 2, "destructive": 2, "risk": 3, "unrepeatable": 1}),
    ({"implements": "acme.lost", "network": False}, {"network": 1, "egress": 0}),
    ({"implements": "acme.lost", "approval": "auto"}, {"approval": 3}),
    ({"implements": "acme.lost", "billable": False}, {"billable": 0}),
    ({"implements": "acme.known", "inherits": Tool(id="acme.known"), "mutates": ()}, {"changes": 0}),
    (
        {"implements": "acme.known", "inherits": Tool(id="acme.known", implements="acme.lost"), "mutates": ()},
        {"changes": 2},
    ),
    # a statement that nobody can read says its worst, and leaves the rest open
    ({"unclear": ("network",)}, {"network": 2, "changes": 1}),
    ({"unclear": ("mutates", "destructive")}, {"changes": 2, "destructive": 2}),
    ({"unclear": ("destructive", "mutates")}, {"changes": 2, "destructive": 2}),
    ({"unclear": ("reads_files",)}, {"changes": 1}),
    # texts: in every place where one can stand
    ({"title": "Remove [⚠️ DESTRUCTIVE]"}, {"destructive": 2}),
    ({"conditions": ("Signed in.", "[💰 BILLABLE]")}, {"billable": 2, "cost": 3}),
    ({"localizations": {"de": {"description": "Löscht. [⚠️ DESTRUCTIVE]"}}}, {"destructive": 2}),
    (
        {"localizations": {"de": {"description": "Löscht. [⚠️ DESTRUCTIVE]"}, "fr": {"description": "Efface."}}},
        {"destructive": 2},
    ),
    ({"title": "Remove [⚠️ DESTRUCTIVE]", "conditions": ("Signed in.",)}, {"destructive": 2}),
    ({"localizations": {"de": {"description": "Löscht.", "tags": ["[⚠️ DESTRUCTIVE]"]}}}, {"destructive": 1}),
    ({"flags": ("destructive", "sings")}, {"destructive": 2}),
    # tags stand for themselves
    ({"tags": ("mail", "Not-Reversible", "billable")}, {"irreversible": 2, "destructive": 1, "billable": 2}),
    ({"tags": ("dangerous",), "destructive": False, "title": "Send [💰 BILLABLE]"}, {"destructive": 2, "billable": 2}),
    ({"tags": ("read-only", "billing", "not destructive", "destructive" + " " * 70), "mutates": ()}, {"changes": 0}),
    ({"tags": ("Requires Approval", "non-idempotent", "high-risk")}, {"approval": 3, "unrepeatable": 2, "risk": 3}),
    (
        {"tags": ("approval", "idempotent", "risk", "human"), "mutates": ()},
        {"approval": 1, "unrepeatable": 1, "risk": 0},
    ),
    ({"category": "Danger zone", "mutates": ()}, {"destructive": 2}),
    ({"category": "Dangers of the sea", "mutates": ()}, {"destructive": 0}),
    ({"category": "destructive", "tags": ("billable",)}, {"destructive": 2, "billable": 2}),
    ({"description": "DESTRUCTIVE: empties the table."}, {"destructive": 2}),
    # long values count as short ones do
    ({"hosts": tuple("abcdef")}, {"network": 2}),
    ({"egress": "n" * 5000}, {"egress": 3}),
]


@for_each(("fields", "expected"), LEVELS)
def test_what_a_tool_states_asks_for_this_caution(fields: dict[str, Any], expected: dict[str, int]) -> None:
    levels = safety.caution(Tool(id="a", **fields))
    assert {facet: levels[facet] for facet in expected} == expected


# What a host judges a single call by: the facets that a call weighs in another way than the tool does.
CALLS: list[tuple[dict[str, Any], dict[str, int]]] = [
    ({}, {"cost": 2, "reads_files": 1, "deletes_files": 1, "destructive": 1, "network": 1}),
    # a word about the cost says more than that the tool is billable
    ({"billable": True}, {"cost": 2, "billable": 2}),
    ({"billable": True, "cost_estimate": "low"}, {"cost": 1}),
    ({"cost_hint": "low"}, {"cost": 1}),
    ({"cost_estimate": "free"}, {"cost": 0}),
    ({"cost_class": "expensive", "cost_estimate": "low"}, {"cost": 4}),
    # of the field and a warning in a text the dearer holds; warnings of other things cost nothing
    ({"flags": ("high-cost",)}, {"cost": 4}),
    ({"cost_estimate": "free", "flags": ("network", "medium-cost", "billable")}, {"cost": 3}),
    ({"cost_estimate": "free", "flags": ("network", "billable")}, {"cost": 0}),
    ({"reads_files": True}, {"reads_files": 2}),
    ({"reads_files": False}, {"reads_files": 0}),
    # whatever is deleted counts as a file, and as destroyed where nobody denies it
    ({"deletes": ("a",)}, {"deletes_files": 2, "destructive": 2}),
    ({"deletes": ("a",), "destructive": False}, {"deletes_files": 2, "destructive": 0}),
    ({"deletes": ()}, {"deletes_files": 1, "destructive": 1}),
    # an approval that depends on changes, whatever the risk is said to be; a text may ask for more
    ({}, {"approval": 1}),
    ({"approval": "auto", "mutates": ()}, {"approval": 0}),
    ({"approval": "on-mutate", "mutates": (), "risk_level": 2}, {"approval": 0}),
    ({"approval": "on-mutate", "risk_level": 2}, {"approval": 3}),
    ({"approval": "on-mutate", "mutates": (), "flags": ("always-asks-approval",)}, {"approval": 3}),
]


@for_each(("fields", "expected"), CALLS)
def test_a_call_asks_for_this_caution(fields: dict[str, Any], expected: dict[str, int]) -> None:
    levels = levels_with_cost(Tool(id="a", **fields))
    assert {name: levels[name] for name in expected} == expected


def test_a_text_that_a_target_does_not_show_warns_nobody_there() -> None:
    tool = Tool(id="a", title="Remove [⚠️ DESTRUCTIVE]", guidance="[💰 BILLABLE]", body="Safety: deletes files.")
    assert safety.text_warnings(tool) == ("destructive", "billable", "deletes-files")
    assert safety.text_warnings(tool, ()) == ("billable",)  # guidance goes into the description
    assert safety.text_warnings(tool, ("title",)) == ("destructive", "billable")
    tagged = Tool(id="a", tags=("destructive",))
    assert safety.text_warnings(tagged, ("tags",)) == ("destructive",)
    assert safety.text_warnings(tagged, ("title",)) == ()
    assert [safety.text_warnings(tagged) for _ in range(2)] == [("destructive",), ("destructive",)]
    filed = Tool(id="a", category="destructive")
    assert [safety.text_warnings(filed, fields) for fields in (("category",), ("title",))] == [("destructive",), ()]
    assert safety.caution(tool, ())["destructive"] == 1


ORDER = [
    ("stdin", "none", 0),
    ("stdin", "password", 3),
    ("stdin", "keyboard", 4),  # what nobody knows stands last, never first
    ("risk_level", 3, 3),
    ("risk_level", True, 4),  # no number
    ("prompts", 1, 2),  # no boolean
    ("mutates", (), 0),
    ("mutates", ("a",), 1),
]


@for_each(("field", "value", "expected"), ORDER)
def test_values_stand_from_safe_to_dangerous(field: str, value: Any, expected: int) -> None:
    assert safety.rank(field, value) == expected


WORSE = [
    ("approval", "on-mutate", "always", "always"),
    ("approval", "policy:a", "policy:a", "policy:a"),
    ("approval", "on-mutate", "conditional", "on-mutate"),
    ("approval", "policy:a", "policy:b", "always"),
    ("approval", "policy:a", "never", "policy:a"),
    ("approval", "always", "policy:a", "always"),
    ("safety_tier", "write", "unheard", "unheard"),
    ("hosts", (), ("a",), ("a",)),
    ("network", False, None, False),
    ("network", None, None, None),
    ("risk_level", 1, 2, 2),
]


@for_each(("field", "one", "other", "expected"), WORSE)
def test_of_two_statements_the_more_dangerous_holds(field: str, one: Any, other: Any, expected: Any) -> None:
    assert safety.worse(field, one, other) == expected
    assert safety.worse(field, other, one) == expected


READS_ONLY = [
    ({}, True),
    ({"mutates": ()}, True),
    ({"network": None}, False),
    ({"network": True}, False),
    ({"writes_files": None}, False),
    ({"writes_files": True}, False),
    ({"unclear": ("stdin",)}, False),
    ({"destructive": True}, False),
    ({"reversible": False}, False),
    ({"billable": True}, False),
    ({"modifies": ("a",)}, False),
    ({"deletes_files": True}, False),
    ({"subprocess": True}, False),
    ({"prompts": True}, True),
]


@for_each(("fields", "expected"), READS_ONLY)
def test_read_only_is_said_only_of_what_is(fields: dict[str, Any], expected: bool) -> None:
    assert safety.is_read_only(Tool(id="a", **{"network": False, "writes_files": False, **fields})) is expected


DERIVED: list[tuple[dict[str, Any], str, Any]] = [
    # what a change is made of
    ({"mutates": ()}, "mutates", ()),
    ({"writes_files": True, "network": False, "paths": ("a b", "c")}, "mutates", ("workspace:a%20b", "workspace:c")),
    ({"deletes_files": True}, "mutates", None),
    ({"writes_files": True, "network": False, "creates": ("f",)}, "mutates", ("workspace:*", "workspace:f")),
    ({"network": False, "creates": ("issue",)}, "mutates", ("external:issue",)),
    ({"writes_files": True, "creates": ("issue",)}, "mutates", ("workspace:*", "external:issue")),
    (
        {"creates": ("db:row",), "modifies": ("A:b",), "deletes": ("x:",)},
        "mutates",
        ("db:row", "external:A:b", "external:x:"),
    ),
    ({"subprocess": True}, "mutates", None),
    ({"subprocess": True, "creates": ("db:a",)}, "mutates", ("db:a",)),
    ({"modifies": ("*",)}, "mutates", None),
    ({"modifies": ("*",), "deletes": ("db:a",)}, "mutates", ("db:a",)),
    ({"writes_files": True, "network": False, "paths": ("./", "./a/*")}, "mutates", ("workspace:/", "workspace:/a/*")),
    ({"paths": ("a",)}, "mutates", None),
    ({"creates": ("a:b c",)}, "mutates", ("external:a:b%20c",)),
    ({"creates": ("db:a:c",)}, "mutates", ("db:a:c",)),
    ({"creates": ("",)}, "mutates", ("external:*",)),
    ({"creates": ("é:b", "a1:b", ":b")}, "mutates", ("external:é:b", "external:a1:b", "external::b")),
    ({"safety_tier": "write"}, "modifies", ("*",)),
    ({"mutates": ("a:b",)}, "modifies", ("a:b",)),
    ({"creates": ("a",)}, "modifies", None),
    ({"writes_files": True}, "modifies", None),
    ({"subprocess": True}, "modifies", None),
    ({"reversible": False}, "modifies", None),
    ({"destructive": True}, "modifies", None),
    ({"deletes": ("a",)}, "modifies", None),
    ({}, "modifies", None),
    ({"flags": ("deletes-data",)}, "deletes", ("*",)),
    ({"deletes_files": True}, "deletes", None),
    ({}, "deletes", None),
    ({"mutates": ("workspace:a", "fs:b:c", "db:d")}, "paths", ("a", "b:c")),
    ({"mutates": ("workspace:/", "workspace:/a/*", "fs:/b")}, "paths", ("./", "./a/*", "/b")),
    ({"mutates": ("db:d", "fs:write")}, "paths", None),
    # facts
    ({"mutates": ("workspace:a",)}, "writes_files", True),
    ({"mutates": ()}, "writes_files", False),
    ({}, "writes_files", None),
    ({"flags": ("not-reversible",)}, "reversible", False),
    ({"flags": ("not-idempotent",)}, "idempotent", False),
    ({"safety_tier": "exec"}, "subprocess", True),
    ({"egress": "none"}, "network", False),
    ({"secrets": ("a",)}, "auth_required", True),
    ({"network": True}, "hosts", ("*",)),
    ({"network": False}, "hosts", ()),
    ({"network": True}, "egress", "host-owned"),
    ({"network": False}, "egress", "none"),
    ({}, "egress", None),
    # interaction
    ({"flags": ("interactive",)}, "prompts", True),
    ({"stdin": "required"}, "prompts", None),
    ({"stdin": "password"}, "prompts", None),
    ({"tty": True}, "prompts", None),
    ({}, "prompts", None),
    # tier
    ({"subprocess": True}, "safety_tier", "exec"),
    ({}, "safety_tier", "write"),
    ({"mutates": ()}, "safety_tier", "read"),
    ({"mutates": (), "network": False}, "safety_tier", "read"),
    ({"mutates": (), "reads_files": False}, "safety_tier", "read"),
    ({"mutates": (), "network": False, "reads_files": False}, "safety_tier", "pure"),
    # cost
    ({}, "cost_class", None),
    ({"cost_estimate": "high"}, "cost_class", None),
    ({"cost_estimate": "high", "billable": True}, "cost_class", "expensive"),
    ({"cost_estimate": "medium"}, "cost_class", None),
    ({"billable": True}, "cost_class", "metered"),
    ({"cost_estimate": "low", "billable": False}, "cost_class", None),
    ({"cost_estimate": "free", "billable": False}, "cost_class", "trivial"),
    ({"cost_estimate": "low"}, "cost_class", None),
    ({"billable": False}, "cost_class", None),
    ({"cost_hint": "low"}, "cost_estimate", "low"),
    ({"cost_class": "metered"}, "cost_hint", "medium"),
    ({"cost_estimate": "free"}, "cost_hint", "low"),
    ({}, "cost_hint", None),
    # names, time, replay
    ({"auth_methods": (AuthMethod(type="env", env="GH_TOKEN_"), AuthMethod(type="oauth"))}, "secrets", ("gh-token",)),
    ({"auth_methods": (AuthMethod(type="env", env="_"),)}, "secrets", None),
    ({"duration": "1-2s"}, "latency_hint", "low"),
    ({"duration": "2-3s"}, "latency_hint", "medium"),
    ({"duration": "30s"}, "latency_hint", "medium"),
    ({"duration": "31s"}, "latency_hint", "high"),
    ({}, "latency_hint", None),
    ({"idempotent": True}, "replay", "idempotent"),
    ({"idempotent": False}, "replay", "non-deterministic"),
    ({}, "replay", None),
    ({"deletes_files": True}, "risk_level", 2),
    # what another statement contradicts is not repeated
    ({"network": False, "hosts": ("a",)}, "network", True),
    ({"risk_level": 0, "destructive": True}, "risk_level", 3),
    ({"risk_level": 1, "destructive": True}, "risk_level", 3),
    ({"cost_class": "metered", "cost_estimate": "high"}, "cost_class", "expensive"),
    ({"destructive": False, "implements": "acme.lost"}, "destructive", True),
    ({"destructive": False}, "destructive", False),
    ({"mutates": ("a:b",)}, "mutates", ("a:b",)),
    ({"prompts": False, "flags": ("interactive",)}, "prompts", True),
    ({"modifies": ()}, "modifies", ()),
    ({"subprocess": False}, "subprocess", False),
    ({"egress": "safe-fetch"}, "egress", "safe-fetch"),
    ({"mutates": (), "destructive": True}, "mutates", None),
    ({"cost_class": "trivial", "cost_estimate": "high"}, "cost_class", None),
]


@for_each(("fields", "name", "expected"), DERIVED)
def test_a_target_is_told_what_follows(fields: dict[str, Any], name: str, expected: Any) -> None:
    tool = safety.express_safety(Tool(id="a", **fields), (name,), SafetyWords())
    assert getattr(tool, name) == expected


SOURCES: list[tuple[dict[str, Any], str]] = [
    ({}, "host-extension"),
    ({"source": "mcp", "safety_tier": "read"}, "mcp"),
    ({"source": "mcp", "safety_tier": "exec"}, "host-extension"),
    ({"source": "mcp", "subprocess": True}, "host-extension"),
]


@for_each(("fields", "expected"), SOURCES)
def test_only_a_host_runs_commands(fields: dict[str, Any], expected: str) -> None:
    hub = {"toolglot": 1, "tools": [{"id": "a", **fields}]}
    assert json.loads(toolglot.convert(hub, "tool-descriptor").text)["tools"][0]["source"] == expected


PLAIN = Approval("never", "conditional", "always")
DECLARED = Approval("auto", "auto", "always", on_change="on-mutate", must=True, policy=True)
CAREFUL = Approval("never", "sometimes", "always", must=True)

APPROVALS: list[tuple[dict[str, Any], Approval, str | None]] = [
    ({}, PLAIN, None),
    ({"mutates": ()}, PLAIN, None),
    ({"approval": "auto"}, PLAIN, "never"),
    ({"approval": "always"}, PLAIN, "always"),
    ({"approval": "conditional"}, PLAIN, "conditional"),
    ({"approval": "policy:a"}, PLAIN, "conditional"),
    ({"approval": "auto", "mutates": ("a:b",)}, PLAIN, "always"),
    ({"destructive": True}, PLAIN, None),
    ({"subprocess": True}, PLAIN, None),
    ({"flags": ("always-asks-approval",)}, PLAIN, "always"),
    ({"destructive": True, "approval": "auto"}, PLAIN, "never"),
    ({}, DECLARED, None),
    ({"mutates": ()}, DECLARED, None),
    ({"approval": "auto"}, DECLARED, None),
    ({"flags": ("always-asks-approval",)}, DECLARED, "always"),
    ({"flags": ("always-asks-approval",), "mutates": ("a:b",)}, DECLARED, "always"),
    ({"flags": ("may-ask-approval",), "mutates": ("a:b",)}, DECLARED, "on-mutate"),
    ({"approval": "auto", "mutates": ()}, DECLARED, "auto"),
    ({"approval": "policy:a"}, DECLARED, "policy:a"),
    ({"approval": "policy:a", "implements": "acme.lost"}, DECLARED, "always"),
    ({"approval": "always"}, DECLARED, "always"),
    ({"approval": "conditional"}, DECLARED, "on-mutate"),
    ({"approval": "conditional", "mutates": ()}, DECLARED, "always"),
    ({"approval": "auto", "mutates": ("a:b",)}, DECLARED, "on-mutate"),
    ({"approval": "auto", "writes_files": True}, DECLARED, "on-mutate"),
    ({"approval": "always", "mutates": ("a:b",)}, DECLARED, "always"),
    ({"mutates": ()}, CAREFUL, None),
    ({"approval": "auto"}, CAREFUL, None),
    ({"approval": "conditional"}, CAREFUL, "sometimes"),
    ({"approval": "conditional", "mutates": ()}, CAREFUL, "always"),
]


@for_each(("fields", "words", "expected"), APPROVALS)
def test_approval_is_said_in_the_words_of_a_target(
    fields: dict[str, Any], words: Approval, expected: str | None
) -> None:
    tool = safety.express_safety(Tool(id="a", **fields), ("mutates", "approval"), SafetyWords(words))
    assert tool.approval == expected


POLICIES: list[tuple[dict[str, Any], tuple[str, ...], Approval | None, tuple[str, ...] | None]] = [
    # a policy is a condition where no word of the target names it
    ({"approval": "policy:night"}, (), None, ("Approval under the policy night.",)),
    ({"approval": "policy:night", "conditions": ("x",)}, (), None, ("x", "Approval under the policy night.")),
    ({"approval": "policy:policy:a"}, (), None, ("Approval under the policy policy:a.",)),
    ({"approval": "policy:night"}, ("approval",), None, None),
    ({"approval": "policy:night"}, ("approval",), CAREFUL, ("Approval under the policy night.",)),
    ({"approval": "always"}, (), None, None),
    ({}, (), None, None),
]


@for_each(("fields", "holds", "words", "expected"), POLICIES)
def test_a_policy_that_no_word_names_is_a_condition(
    fields: dict[str, Any], holds: tuple[str, ...], words: Approval | None, expected: tuple[str, ...] | None
) -> None:
    assert safety.express_safety(Tool(id="a", **fields), holds, SafetyWords(words)).conditions == expected


UNSTATED = ("allow_unstated", True)
CHANGES = ("it changes something, and nobody states when a person is asked", UNSTATED, False)
COSTS = ("it may incur costs, and nobody states when a person is asked", ("allow_billable", True), False)
DESTROYS = ("it destroys data for good", ("allow_destructive", True), False)
RUNS = ("it runs other programs", ("allow_subprocess", True), False)
QUESTIONS: list[tuple[dict[str, Any], list[tuple[Any, ...]]]] = [
    ({"approval": "auto", "mutates": ("a",)}, [("it changes something", None, False)]),
    ({"approval": "on-mutate", "mutates": ("a",)}, [("it changes something", None, False)]),
    ({"approval": "always"}, [("it says that it needs approval", None, False)]),
    ({"mutates": ("a",)}, [CHANGES]),
    ({"mutates": ("a",), "billable": True}, [CHANGES, COSTS]),
    ({"billable": True}, [COSTS]),
    ({}, [("nobody states whether it changes anything or incurs costs", UNSTATED, True)]),
    ({"destructive": False, "mutates": (), "billable": False}, []),
    ({"destructive": True, "mutates": ("a",)}, [DESTROYS]),
    ({"destructive": True, "approval": "always"}, [DESTROYS, ("it says that it needs approval", None, False)]),
    (
        {"destructive": True, "subprocess": True},
        [DESTROYS, RUNS],
    ),
    ({"reversible": False}, [("it cannot be undone", ("allow_non_reversible", True), False)]),
]


@for_each(("fields", "expected"), QUESTIONS)
def test_what_a_person_is_asked_before_a_call(fields: dict[str, Any], expected: list[tuple[Any, ...]]) -> None:
    assert [tuple(question) for question in questions_before_call(Tool(id="a", **fields))] == expected


def test_what_drivers_deny_counts_nothing_for_who_needs_hosts() -> None:
    own = Tool(id="a", hosts=("h",), network=False)
    assert join_facts(own, Tool(id="b"))["network"] is False
    assert join_facts(Tool(id="a", hosts=("h",)), Tool(id="b", network=False))["network"] is None


def test_a_value_that_nobody_can_read_is_told_with_the_one_that_was_meant() -> None:
    (doubt,) = doubts({"approval": "alway"}, {"approval": word("approval", "auto", "always")}, ())
    assert doubt.hint == 'write auto or always; did you mean "always"?'


def test_warnings_of_a_text_are_not_said_again() -> None:
    before, after = Tool(id="a", destructive=True, network=True), Tool(id="a", flags=("destructive",))
    assert safety.missing_warnings(safety.gist_of(before), safety.gist_of(after), False) == ("network",)


SUPPOSED: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({}, ("mutates", "approval", "risk_level", "cost_class")),
    ({"mutates": ()}, ("approval", "cost_class")),
    ({"mutates": (), "approval": "auto", "cost_class": "trivial"}, ()),
    ({"approval": "conditional"}, ("mutates", "risk_level", "cost_class")),
    ({"approval": "auto"}, ("mutates", "approval", "risk_level", "cost_class")),
    # nothing that is stated rests on a value that is named as made up
    ({"safety_tier": "write"}, ("mutates", "approval", "cost_class")),
    ({"billable": True}, ("mutates", "approval", "risk_level")),
    ({"destructive": True}, ("mutates", "approval", "cost_class")),
    ({"subprocess": True}, ("mutates", "approval", "cost_class")),
    ({"writes_files": True}, ("approval", "cost_class")),
    # of an action that was not found nothing is named that it may state
    ({"implements": "acme.lost"}, ("cost_class",)),
    # a denial states no more than itself
    ({"billable": False}, ("mutates", "approval", "risk_level", "cost_class")),
    ({"writes_files": True, "network": False, "destructive": False}, ("approval", "cost_class")),
]


@for_each(("fields", "expected"), SUPPOSED)
def test_what_nobody_states_is_named(fields: dict[str, Any], expected: tuple[str, ...]) -> None:
    source = Tool(id="tool", version="1.0.0", description="Do it.", **fields)
    tool = toolglot.read_one(toolglot.write(source, "aip14"))
    assert (tool.assumed or ()) == expected
    assert all(getattr(tool, name) is None for name in expected)
    assert not safety.weaker_facets(safety.caution(Tool(id="tool", **fields)), safety.caution(tool))


HINTS: list[tuple[dict[str, Any], dict[str, bool]]] = [
    ({}, {}),
    ({"deletes": ("a",)}, {"readOnlyHint": False, "destructiveHint": True}),
    ({"safety_tier": "write"}, {"readOnlyHint": False}),
    ({"safety_tier": "write", "destructive": False}, {"readOnlyHint": False}),
    ({"idempotent": False, "mutates": ()}, {"readOnlyHint": True, "destructiveHint": False}),
    ({"idempotent": False}, {}),
    ({"idempotent": False, "creates": ("a",)}, {"readOnlyHint": False, "idempotentHint": False}),
    ({"subprocess": True, "network": False}, {"readOnlyHint": False}),
    ({"subprocess": True, "network": True}, {"readOnlyHint": False, "openWorldHint": True}),
    ({"network": False}, {"openWorldHint": False}),
    ({"destructive": False, "deletes_files": False}, {}),
    ({"destructive": False, "deletes_files": False, "modifies": (), "deletes": ()}, {"destructiveHint": False}),
    ({"destructive": False, "deletes_files": False, "modifies": ()}, {}),
    ({"destructive": False, "deletes_files": False, "deletes": ()}, {}),
    ({"destructive": False, "modifies": (), "deletes": ()}, {}),
    (
        {"destructive": False, "deletes_files": False, "modifies": (), "deletes": (), "mutates": ("a:b",)},
        {"readOnlyHint": False},
    ),
    (
        {"destructive": False, "deletes_files": False, "modifies": (), "deletes": (), "reversible": False},
        {"readOnlyHint": False},
    ),
    ({"destructive": False, "deletes_files": False, "modifies": (), "deletes": (), "unclear": ("stdin",)}, {}),
]


@for_each(("fields", "expected"), HINTS)
def test_hints_say_what_is_proven(fields: dict[str, Any], expected: dict[str, bool]) -> None:
    assert proven_hints(Tool(id="a", **fields)) == expected


WORDS: list[tuple[dict[str, Any], tuple[str, ...], bool, tuple[str, ...] | None]] = [
    ({"network": True}, (), False, ("network",)),
    ({"network": True}, (), True, None),
    ({"network": True}, ("network",), False, None),
    ({"subprocess": True, "network": True}, (), True, ("runs-programs",)),
    ({"approval": "always"}, (), True, ("always-asks-approval",)),
    ({"stdin": "password"}, (), False, ("asks-password", "credentials")),
    ({"flags": ("asks-password",)}, (), False, ("interactive",)),
    ({"prompts": True, "auth_required": True}, (), False, ("credentials", "interactive")),
    ({"risk_level": 1}, (), False, ("changes-data",)),
    ({"cost_estimate": "high"}, (), True, ("high-cost",)),
    ({"discovery": {"partial": True}}, (), False, ("incomplete",)),
    ({"discovery": {"partial": True}}, ("discovery",), False, None),
    ({"discovery": {"partial": False}}, (), False, None),
    ({"discovery": {"partial": True}}, (), True, None),
    ({"flags": ("incomplete",)}, ("discovery",), False, ("incomplete",)),
    ({"flags": ("incomplete", "destructive")}, (), False, ("destructive", "incomplete")),
    ({"flags": ("destructive",)}, ("destructive",), False, None),
    ({"flags": ("destructive",)}, ("flags",), False, ("destructive",)),
    ({"description": "Remove. [⚠️ DESTRUCTIVE]"}, (), False, None),  # once is enough
    ({"billable": True, "cost_estimate": "high"}, ("billable",), False, ("high-cost",)),  # only what is missing
]


@for_each(("fields", "holds", "short", "expected"), WORDS)
def test_what_no_field_says_is_said_in_words(
    fields: dict[str, Any], holds: tuple[str, ...], short: bool, expected: tuple[str, ...] | None
) -> None:
    assert safety.express_safety(Tool(id="a", **fields), holds, SafetyWords(), short).flags == expected


def test_everything_is_said_unless_less_is_asked_for() -> None:
    tool = safety.express_safety(Tool(id="a", network=True), ("network", "hosts"), SafetyWords())
    assert (tool.hosts, tool.flags) == (("*",), None)
    assert safety.express_safety(Tool(id="a", network=True), (), SafetyWords()).flags == ("network",)


def command(program: dict[str, Any], group: dict[str, Any], own: dict[str, Any]) -> Tool:
    """A command of a group of a program, with what it inherits."""
    leaf = Tool(id="c", **own)
    (found,) = leaves_of(Tool(id="p", **program, children=(Tool(id="g", **group, children=(leaf,)),)))
    return found.tool


INHERITED: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any], str, Any]] = [
    # facts of the whole program: the nearest holds
    ({"version": "1"}, {}, {}, "version", "1"),
    ({"version": "1"}, {"version": "2"}, {}, "version", "2"),
    ({"version": "1"}, {"version": "2"}, {"version": "3"}, "version", "3"),
    ({"description": "All."}, {}, {}, "description", None),
    # danger of the root always holds, safety of it never
    ({"network": True}, {}, {"network": False}, "network", True),
    ({"network": False}, {}, {}, "network", None),
    ({"hosts": (), "mutates": ()}, {}, {}, "hosts", None),
    ({"hosts": (), "mutates": ()}, {}, {}, "mutates", None),
    ({"network": False}, {}, {"network": True}, "network", True),
    ({"hosts": ("a",)}, {}, {"hosts": ("b",)}, "hosts", ("b", "a")),
    # danger of a group holds fact by fact, where the command is silent
    ({}, {"network": True}, {}, "network", True),
    ({}, {"network": True}, {"network": False}, "network", False),
    ({}, {"network": True}, {"destructive": False}, "network", True),
    ({}, {"destructive": False}, {}, "destructive", None),
    ({"risk_level": 3}, {"risk_level": 2}, {}, "risk_level", 3),
    ({}, {"approval": "always"}, {"approval": "auto"}, "approval", "auto"),
    ({"approval": "always"}, {}, {"approval": "auto"}, "approval", "always"),
    # changes of a class that the command says nothing about; a class that nobody knows says nothing of its own
    ({}, {"mutates": ("workspace:a",)}, {"mutates": ("external:b",)}, "mutates", ("external:b", "workspace:a")),
    ({}, {"mutates": ("external:a:c",)}, {"mutates": ("network:b",)}, "mutates", ("network:b",)),
    ({}, {"mutates": ("external:a",)}, {"mutates": ("workspace:b",), "network": False}, "mutates", ("workspace:b",)),
    ({}, {"mutates": ("sandbox:a:b", "db:c")}, {"mutates": ("db:d",)}, "mutates", ("db:d", "sandbox:a:b")),
    ({}, {"mutates": ("workspace:a",)}, {"mutates": ()}, "mutates", ()),
    ({}, {"creates": ("a",)}, {"creates": ()}, "creates", ()),
    # an empty list that denies nothing: drivers may add hosts, and who states a change does not change nothing
    ({}, {"hosts": ("a",)}, {"hosts": ()}, "hosts", ("a",)),
    ({}, {"mutates": ("workspace:a",)}, {"mutates": (), "risk_level": 3}, "mutates", ("workspace:a",)),
    ({}, {"creates": ("a",)}, {"creates": (), "risk_level": 3}, "creates", ()),
    # details go along
    ({"paths": ("a",)}, {"paths": ("b",)}, {}, "paths", ("b", "a")),
    ({"paths": ("a",)}, {"paths": ("b",)}, {"paths": ("c",)}, "paths", ("c", "a")),
    ({"scopes": ()}, {}, {}, "scopes", None),
    # warnings
    ({"flags": ("billable",)}, {}, {"billable": False}, "flags", ("billable",)),
    ({}, {"flags": ("billable",)}, {}, "flags", ("billable",)),
    ({}, {"flags": ("billable",)}, {"billable": False}, "flags", None),
    ({}, {"flags": ("billable",)}, {"network": True}, "flags", ("billable",)),
    ({}, {"flags": ("read-only",)}, {}, "flags", None),
    ({"flags": ("read-only",)}, {}, {}, "flags", None),
    ({"title": "P [💰 BILLABLE]"}, {"title": "G [⚠️ DESTRUCTIVE]"}, {}, "flags", ("destructive", "billable")),
    ({"title": "Clean (destructive), and list"}, {"title": "Irreversible. Or not."}, {}, "flags", None),  # one of them
    ({"flags": ("billable",)}, {}, {"flags": ("network",)}, "flags", ("billable", "network")),
    ({"flags": ("billable",)}, {}, {"flags": ("billable",)}, "flags", ("billable",)),
    ({}, {}, {"flags": ("network", "billable")}, "flags", ("network", "billable")),  # its own order, if nothing is new
    ({"flags": ("billable", "network")}, {}, {"flags": ("network", "billable")}, "flags", ("network", "billable")),
    # what nobody can read
    ({}, {"unclear": ("sings",)}, {}, "unclear", ("sings",)),
    ({"unclear": ("network",)}, {}, {"network": True}, "unclear", ("network",)),
    ({}, {"unclear": ("network",)}, {"network": False}, "unclear", None),
    ({}, {"unclear": ("network",)}, {}, "unclear", ("network",)),
    ({"unclear": ("network",)}, {"unclear": ("stdin",)}, {"unclear": ("tty",)}, "unclear", ("tty", "network", "stdin")),
    ({}, {}, {"unclear": ("tty",)}, "unclear", ("tty",)),
    ({}, {"unclear": ("prompts",)}, {"prompts": False}, "unclear", ("prompts",)),  # it says nothing of other input
    ({}, {"unclear": ("hosts",)}, {"hosts": ()}, "unclear", ("hosts",)),
    ({}, {"unclear": ("creates",)}, {"creates": ()}, "unclear", None),
    ({}, {"unclear": ("mutates",)}, {"mutates": ()}, "unclear", None),
    ({}, {"unclear": ("mutates",)}, {"mutates": (), "risk_level": 3}, "unclear", ("mutates",)),
    ({}, {"unclear": ("hosts",)}, {"hosts": ("a",)}, "unclear", None),
]


@for_each(("program", "group", "own", "name", "expected"), INHERITED)
def test_a_command_takes_from_above(
    program: dict[str, Any], group: dict[str, Any], own: dict[str, Any], name: str, expected: Any
) -> None:
    assert getattr(command(program, group, own), name) == expected


def test_the_leaves_of_a_tree_are_named_by_their_way() -> None:
    inner = Tool(id="g", inputs={"type": "object"}, children=(Tool(id="c"), Tool(id="d")))
    leaves = list(leaves_of(Tool(id="p", children=(Tool(id="a"), inner))))
    assert [leaf.path[:2] for leaf in leaves if leaf.pointer == "/children/0"] == [("p", "a")]
    assert [leaf.path for leaf in leaves if leaf.pointer == "/children/1/children/1"] == [("p", "g", "d")]
    assert not any(leaf.tool.children for leaf in leaves)
    assert [node.id for node in leaves[-1].ancestors] == ["p", "g"]
    root, _ = leaves_of(Tool(id="p", inputs={"type": "object"}, children=(Tool(id="c"),)))
    assert (root.path, root.ancestors, root.tool.id, root.commands) == (("p",), (), "p", ("c",))
    (deep,) = leaves_of(
        Tool(
            id="p",
            children=(Tool(id="g", hosts=("a",), children=(Tool(id="h", hosts=("b",), children=(Tool(id="c"),)),)),),
        )
    )
    assert deep.tool.hosts == ("a", "b")  # of two groups both
    (alone,) = leaves_of(Tool(id="a", network=True))
    assert (alone.path, alone.pointer, alone.tool.network) == (("a",), "", True)


def test_a_command_takes_the_options_of_all_that_stands_above_it() -> None:
    def options(name: str) -> tuple[dict[str, Any], dict[str, Binding]]:
        schema = {"type": "object", "properties": {name: {"type": "string"}}}
        return schema, {name: Binding(kind="option", flags=(f"--{name}",))}

    (of_program, program_flags), (of_group, group_flags) = options("config"), options("repo")
    command = Tool(id="c", inputs={"type": "object"})
    group = Tool(id="g", inputs=of_group, bindings=group_flags, children=(command,))
    program = Tool(id="p", global_inputs=of_program, global_bindings=program_flags, children=(group, Tool(id="d")))
    below, beside = leaves_of(program)
    assert below.tool.global_inputs == {
        "type": "object",
        "properties": {**of_group["properties"], **of_program["properties"]},
    }
    assert below.tool.global_bindings == {**group_flags, **program_flags}
    assert (beside.tool.global_inputs, beside.tool.global_bindings) == (of_program, program_flags)
    alone = Tool(id="p", global_inputs=of_program, global_bindings=program_flags, inputs={}, children=(command,))
    assert next(leaves_of(alone)).tool.global_inputs == of_program


def test_the_bare_executable_is_its_program() -> None:
    program = Tool(id="p", title="P", description="All of it.", category="files", network=True, children=(Tool(id=""),))
    (bare,) = leaves_of(program)
    assert (bare.tool.summary, bare.tool.category, bare.tool.title) == ("All of it.", "files", "P")
    assert (bare.tool.id, bare.tool.description, bare.tool.network) == ("", None, True)
    (own,) = leaves_of(Tool(id="p", description="All.", children=(Tool(id="", summary="Own."),)))
    assert own.tool.summary == "Own."
    (named,) = leaves_of(Tool(id="p", category="files", children=(Tool(id="", category="own"),)))
    assert named.tool.category == "own"
    (other,) = leaves_of(Tool(id="p", description="All.", category="files", children=(Tool(id="c"),)))
    assert (other.tool.summary, other.tool.category) == (None, None)


# own facts, those of the action, what both come to
JOINED: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({}, {"risk_level": 2}, {"risk_level": 2}),
    ({"risk_level": 3}, {"risk_level": 2}, {"risk_level": 3}),
    ({"risk_level": 0}, {}, {"risk_level": 0}),
    ({"hosts": ("a", "b")}, {"hosts": ("b", "c")}, {"hosts": ("a", "b", "c")}),
    ({"secrets": ("a",)}, {}, {"secrets": ("a",), "calls": None}),
    ({}, {"calls": ("a",)}, {"calls": ("a",)}),
    ({"approval": "auto"}, {"mutates": ("a:b",)}, {"approval": "on-mutate"}),
    ({}, {"mutates": ("a:b",)}, {"approval": "on-mutate"}),
    ({"approval": "always"}, {"mutates": ("a:b",)}, {"approval": "always"}),
    ({"approval": "auto"}, {"mutates": ()}, {"approval": "auto"}),
    ({"approval": "on-mutate"}, {"approval": "policy:a"}, {"approval": "always"}),
    ({"category": "a"}, {"category": "b"}, {"category": "a"}),
    ({}, {"category": "b"}, {"category": "b"}),
]


@for_each(("own", "action", "expected"), JOINED)
def test_a_tool_is_as_strict_as_its_action(
    own: dict[str, Any], action: dict[str, Any], expected: dict[str, Any]
) -> None:
    alone = Tool(id="t", **own)
    tool = safety.with_inherited_facts(alone, Tool(id="a", **action))
    assert {name: getattr(tool, name) for name in expected} == expected
    assert safety.without_inherited_facts(tool) == alone
    assert safety.without_inherited_facts(alone) == alone
    assert tool.own is not None
    assert tool.own.id == "t"
    half = Tool(id="t", inherits=Tool(id="a"))
    assert safety.without_inherited_facts(half) == half


def test_where_a_fact_comes_from_is_said() -> None:
    tool = safety.with_inherited_facts(
        Tool(id="t", risk_level=2, title="T"), Tool(id="a", risk_level=1, mutates=("a:b",))
    )
    assert [safety.is_inherited(tool, name) for name in ("mutates", "risk_level", "title")] == [True, False, False]
    assert not safety.is_inherited(Tool(id="t", mutates=("a:b",)), "mutates")
    assert with_provenance("changes data", tool, "mutates") == "changes data; inherited from a"
    assert with_provenance("a risk", tool, "risk_level") == "a risk"
    assert with_provenance("gone", tool, "inherits") == "the tool's own facts say what it inherits"
    assert with_provenance("gone", Tool(id="t"), "inherits") == "gone"


RELAXED: list[tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]] = [
    ({}, {"mutates": ("a:b",), "risk_level": 3, "approval": "always"}, []),
    ({"mutates": ("a:*",)}, {"mutates": ("a:b", "a:c")}, []),
    ({"mutates": ("a:*",)}, {"mutates": ("ab:c",)}, [("mutates", "ab:c")]),
    ({"mutates": ("a:b",)}, {"mutates": ("a:*", "a:c")}, [("mutates", "a:*, a:c")]),
    ({"hosts": ("a",)}, {"hosts": ("ab",)}, [("hosts", "ab")]),
    ({"hosts": ("a",)}, {}, []),
    ({"risk_level": 1}, {"risk_level": 2}, [("risk_level", "2")]),
    ({"risk_level": 2}, {"risk_level": 2}, []),
    ({"risk_level": 0}, {}, []),
    ({"approval": "auto"}, {"approval": "always"}, [("approval", "always")]),
    ({"approval": "auto"}, {}, []),
    ({"approval": "always"}, {"approval": "auto"}, []),
    ({"approval": "always"}, {"approval": "always"}, []),
    ({"approval": "policy:a"}, {"approval": "policy:b"}, [("approval", "policy:b")]),
]


@for_each(("own", "action", "expected"), RELAXED)
def test_what_a_tool_takes_back_is_named(
    own: dict[str, Any], action: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert list(safety.find_relaxations(Tool(id="t", **own), Tool(id="a", **action))) == expected


def test_law_3_is_broken_by_a_statement_and_by_some_silences() -> None:
    before = safety.caution(Tool(id="a", network=True, approval="always"))
    assert safety.breached_facets(before, before) == []
    assert safety.breached_facets(before, safety.caution(Tool(id="a", approval="always"))) == []
    assert safety.breached_facets(before, safety.caution(Tool(id="a", network=True))) == ["approval"]
    assert safety.hidden_facets(before, safety.caution(Tool(id="a"))) == ["network", "approval"]
    assert safety.hidden_facets(safety.caution(Tool(id="a")), safety.caution(Tool(id="a", network=False))) == []


SPOKEN = [
    ("network", {"network", "egress"}),
    ("replay", {"unrepeatable"}),
    ("unclear", {*safety.FACETS}),
    ("flags", {*safety.FACETS}),
    ("title", set()),
    ("mutates", {"changes", "destructive", "writes_files", "deletes", "deletes_files"}),
]


@for_each(("field", "facets"), SPOKEN)
def test_a_field_speaks_about_these_facets(field: str, facets: set[str]) -> None:
    assert safety.facets_of(field) == facets


def test_of_what_is_stated_some_can_be_asked_for() -> None:
    tool = Tool(id="a", destructive=True, network=False, title="A")
    assert safety.stated_facts(tool) == {"destructive": True, "network": False}
    assert safety.stated_facts(tool, ("network", "title")) == {"network": False}


ASKS = [
    ({"mutates": ("a:b",), "approval": "auto"}, True),
    ({"mutates": ("a:b",)}, True),
    ({"mutates": ("a:b",), "approval": "always"}, False),
    ({"mutates": (), "approval": "auto"}, False),
]


@pytest.mark.parametrize(("fields", "expected"), ASKS)
def test_a_change_is_asked_about_where_nothing_stricter_is_said(fields: dict[str, Any], expected: bool) -> None:
    assert safety.asks_on_change(Tool(id="a", **fields)) is expected


def test_an_unclear_field_that_is_not_about_safety_says_nothing() -> None:
    assert safety.levels_of("unclear", ("sings",)) == {}
    assert safety.levels_of("unclear", ("sings", "network")) == {"network": 2}


TEXTS = [
    ("SAFETY: DELETES FILES.", ("deletes-files",)),
    ("Safety: deletes files", ("deletes-files",)),  # as it was cut
    ("⚠️ DESTRUCTIVE", ("destructive",)),
    ("【destructive】", ("destructive",)),
    ("[DE\u0301STRUCTIVE]", ("destructive",)),  # an accent
    ("[DE\u20ddSTRUCTIVE]", ("destructive",)),  # a circle around a letter
    ("[DE\bSTRUCTIVE]", ("destructive",)),  # a control character
    ("[not\treversible]", ("not-reversible",)),
    ("⚠️ DE\u200bSTRUCTIVE", ("destructive",)),  # the same behind a sign, where words end at a blank
    ("⚠️ DE\u0301STRUCTIVE", ("destructive",)),
    ("⚠️ DE\u20ddSTRUCTIVE", ("destructive",)),
    ("⚠️ DE\bSTRUCTIVE", ("destructive",)),
    ("⚠️ NOT\tREVERSIBLE at all", ("not-reversible",)),
    ("long " * 1000 + "[⚠️ DESTRUCTIVE]", ("destructive",)),
    (f"[destructive{'*' * 69}]", ("destructive",)),  # as long as an item may be
    (f"[destructive{'*' * 70}]", ()),
]


@for_each(("text", "expected"), TEXTS)
def test_a_text_warns(text: str, expected: tuple[str, ...]) -> None:
    assert safety.warnings_in(text) == expected


def test_what_the_levels_depend_on_is_a_key_that_many_tools_share() -> None:
    assert safety.gist_of(Tool(id="a", implements="acme.a")) == safety.gist_of(Tool(id="b", implements="acme.b"))
    tool = Tool(id="a", implements={"id": "acme.a"}, auth_methods=(AuthMethod(type="oauth"),), mutates=("a:b",))
    assert hash(safety.gist_of(tool))
