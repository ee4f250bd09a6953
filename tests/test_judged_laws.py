"""Laws 3 and 4 by a judge that shares no code with the product; `make laws N=2000` runs many more documents."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

import judge
import judged_laws
from judge import documents
from judge.documents import Document
from rows import THOROUGH, for_each, sample


@pytest.mark.parametrize("seed", range(2 if THOROUGH else 1))
def test_laws_3_and_4_by_an_independent_judge(seed: int) -> None:
    amount = judged_laws.BLOCK if THOROUGH else judged_laws.BLOCK // 3
    tally = judged_laws.block(-1 - seed, amount)
    assert tally.counts["chains"] == amount
    assert [(broken.group, broken.chain, broken.document.content.decode()) for broken in tally.broken] == []
    assert tally.undefended == []


def atip(**fields: Any) -> dict[str, Any]:
    return {"atip": "0.3", "name": "p", "version": "1", "description": "A program.", **fields}


def described(format: str, text: str, title: str = "T") -> Document:
    """A valid document of a format with one tool, which has this description."""
    if format == "aip14":
        front = {"name": title, "id": "a.b", "description": text, "version": "1.0.0", "inputs": {}, "outputs": {}}
        return Document(format, f"---\n{yaml.safe_dump(front, allow_unicode=True)}---\n".encode())
    function = {"name": "t", "description": text}
    if format == "skill":
        return Document(format, f"---\n{yaml.safe_dump(function, allow_unicode=True)}---\n".encode())
    schema = {"type": "object", "properties": {}}
    how = {"inputs": [], "outputs": {"success": "Done.", "failure": []}}
    data = {
        "atip": atip(commands={"a": {"description": text}}),
        "tool-descriptor": {"tools": [{**DESCRIPTOR, "description": text, "title": title}]},
        "mcp": {"tools": [{**function, "title": title, "inputSchema": schema}]},
        "atdf": {"schema_version": "2.0.0", "tool_id": "t", "description": text, "when_to_use": "x", "how_to_use": how},
        "openai": [{"type": "function", "function": {**function, "parameters": schema}}],
        "anthropic": [{**function, "input_schema": schema}],
        "gemini": [{"functionDeclarations": [function]}],
        "a2a": {"skills": [{**function, "id": "t", "name": title, "tags": []}]},
        "hub": {"toolglot": 1, "tools": [{"id": "t", "description": text, "title": title}]},
    }
    return Document(format, json.dumps(data[format]).encode())


def program(group: dict[str, Any], command: dict[str, Any], **root: Any) -> Document:
    """A program of ATIP with a group of one command."""
    command = {"description": "mk1x Does it.", **command}
    group = {"description": "A group.", "commands": {"c": command}, **group}
    return Document("atip", json.dumps(atip(commands={"g": group}, **root)).encode())


def tree(group: dict[str, Any], command: dict[str, Any], **root: Any) -> Document:
    """The same as a tree of the hub."""
    command = {"id": "c", "description": "mk1x Does it.", **command}
    tool = {"id": "t", "children": [{"id": "g", "children": [command], **group}], **root}
    return Document("hub", json.dumps({"toolglot": 1, "tools": [tool]}).encode())


def tool_md(**fields: Any) -> Document:
    """A TOOL.md with these fields."""
    front = {"name": "T", "id": "a.b", "description": "mk1x Does it.", "version": "1.0.0", "inputs": {}, "outputs": {}}
    return documents.closed("aip14", {**front, **fields}, "")


def marked(*names: str, **values: Any) -> Document:
    """A TOOL.md as a conversion writes it of a tool that states nothing, with these names in its mark."""
    constants = {"mutates": ["external:*"], "approval": "on-mutate", "risk_level": 2, "cost_class": "metered"}
    return tool_md(**{**constants, **values, "metadata": {"toolglot": {"assumed": [*names]}}})


def mcp(**fields: Any) -> Document:
    """One MCP tool with these fields."""
    tool = {"name": "t", "description": "mk1x Does it.", "inputSchema": {"type": "object"}, **fields}
    return documents.closed("mcp", {"tools": [tool]}, None)


def descriptor(**fields: Any) -> Document:
    """One ToolDescriptor with these fields."""
    return documents.closed(
        "tool-descriptor", {"tools": [{**DESCRIPTOR, "description": "mk1x Does it.", **fields}]}, None
    )


LONG = "word " * 260
DESCRIPTOR = {"toolId": "a:b", "source": "mcp", "safetyTier": "write"}
PARAMETER = {"inputs": {"type": "object", "properties": {"a": {"type": "string"}}}}
READER = {"filesystem": {"write": False, "delete": False}, "network": False, "destructive": False, "reversible": True}
HINTED = {
    "name": "t",
    "inputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "destructiveHint": "true", "idempotentHint": True},
}
TEXTS = {
    "a text ends as ours do": "mk1x Does it.\n\nSafety: deletes files; some calls need approval by the user.",
    "after another warning": "mk1x\n\nSafety: deletes data; sings.\n\nSafety: some calls need approval by the user.",
    "a text warns twice": "mk1x [⚠️ DESTRUCTIVE] Does it.\n\nSafety: deletes files. [⚠️ DESTRUCTIVE | 💰 BILLABLE]",
    "notes in another order": "mk1x\n\nSafety: ask the user for approval before every call; runs other programs.",
    "a text is only a warning": "mk1x Safety: needs credentials; some calls need approval by the user.",
    "a label ends a warning once the line is broken": "mk1x Safety:needs credentials When to use:   Sunday",
    "a warning after more words than any target takes": f"mk1x {LONG}[⚠️ DESTRUCTIVE] {LONG}",
    "a warning in words, after as many": f"mk1x {LONG}Safety: deletes files; runs other programs. {LONG}",
}
DOCUMENTS = {
    **{
        f"{name} ({format})": described(format, text)
        for number, (name, text) in enumerate(TEXTS.items())
        for format in sample(documents.FORMATS, 5, number)
    },
    **{
        f"a warning at the end of a title that is too long ({format})": described(
            format, "mk1x", f"{LONG}Safety: runs other programs; deletes files; needs credentials."
        )
        for format in ("aip14", "tool-descriptor", "mcp", "hub")
    },
    "a group is unclear about input, its command denies it in two places": program(
        {"interactive": "yes"},
        {"interactive": {"stdin": "none"}, "effects": {"interactive": {"prompts": False, "tty": False}}},
    ),
    "and denies a part of it": program({"interactive": "yes"}, {"interactive": {"stdin": "none", "prompts": False}}),
    "a group's text asks for approval, its command says never": tree(
        {"description": "Safety: some calls need approval by the user."}, {"approval": "never"}
    ),
    "a group asks every time, its command says never": tree({"approval": "always"}, {"approval": "never"}),
    "a group's flag asks, its command says auto": tree({"flags": ["always-asks-approval"]}, {"approval": "auto"}),
    "nobody can read whether a group asks, its command says never": tree(
        {"unclear": ["approval"]}, {"approval": "never", "mutates": []}
    ),
    "a group's text warns of deletion, its command changes nothing": tree(
        {"description": "Safety: deletes data. [⚠️ DESTRUCTIVE]"}, {"mutates": [], "destructive": False}
    ),
    "fields deny every effect and a text does not": Document(
        "atip", json.dumps(atip(description="mk1x Safety: uses the network.", effects=READER)).encode()
    ),
    "a hint means more once another one is gone": Document(
        "mcp", json.dumps({**HINTED, "description": "mk1x [⚠️ NOT REVERSIBLE] [⚠ DESTRUCTIVE]"}).encode()
    ),
    "notes in another order, and hints that say more": Document(
        "mcp", json.dumps({**HINTED, "description": "mk1x\n\nSafety: asks for input; runs other programs."}).encode()
    ),
    "a program with commands is called by itself too": tree({}, {}, description="mk2x All.", **PARAMETER),
    "and so is a group": tree({"description": "mk2x Some.", **PARAMETER}, {}),
    "and so is a group of a program": program(
        {"description": "mk2x Some.", "arguments": [{"name": "a", "type": "string", "description": "b"}]}, {}
    ),
    "a tool that states nothing": mcp(),
    "a change without a scope": mcp(annotations={"readOnlyHint": False}),
    "a change that must not be repeated": mcp(annotations={"readOnlyHint": False, "idempotentHint": False}),
    "a hint that means nothing by itself": mcp(annotations={"idempotentHint": False}),
    "hints that nobody vouches for": mcp(
        annotations={"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    ),
    "a harmless hint beside a dangerous one": mcp(annotations={"readOnlyHint": True, "destructiveHint": True}),
    "a name of others that counts, and one that does not": mcp(_meta={"requiresApproval": True, "risky": True}),
    "a tier that means unknown, and is a statement": descriptor(),
    "approval that depends": descriptor(approval="conditional"),
    "approval that is never asked for": descriptor(safetyTier="read", approval="never"),
    "nothing but that it costs something": Document(
        "atip", json.dumps(atip(description="mk1x Does it.", effects={"cost": {"billable": True}})).encode()
    ),
    "everything marked": marked("mutates", "approval", "risk_level", "cost_class"),
    "a change without a scope, marked": marked("mutates", "approval", "cost_class"),
    "the cost marked, and nothing else": marked("cost_class"),
    "approval marked beside a danger": marked("approval", "cost_class", "mutates", risk_level=3, approval="always"),
    "an author changed a marked value": marked(
        "mutates", "approval", "risk_level", mutates=["workspace:a"], risk_level=1
    ),
    "an author stated what the mark still names": marked("mutates", "approval", "risk_level", mutates=[], risk_level=0),
    "a mark of another shape": tool_md(
        mutates=["external:*"],
        approval="on-mutate",
        metadata={"toolglot": {"assumed": {"mutates": True, "approval": 1}}},
    ),
    "an action that is nowhere": tool_md(implements="acme:any", mutates=[], approval="auto", risk_level=0),
    "a change that nobody can read under an old mark": marked("mutates", "risk_level", "approval", mutates=[None]),
    "an action that nobody can read": tool_md(
        implements={"inline": {"id": "a:b", "schema": "action/v1", "mutates": True, "approval": "Always"}}
    ),
    "everything marked beside an action with a risk": tool_md(
        mutates=["external:*"],
        approval="on-mutate",
        risk_level=1,
        implements={"inline": {"id": "a:b", "schema": "action/v1", "risk_level": 1}},
        metadata={"toolglot": {"assumed": ["mutates", "approval", "risk_level"]}},
    ),
    "a tree that denies each loss": tree(
        {}, {"destructive": False, "deletes_files": False, "deletes": [], "modifies": []}
    ),
    "a text that deletes, beside a list of changes that is empty": Document(
        "hub",
        json.dumps(
            {
                "toolglot": 1,
                "tools": [{"id": "t", "description": "mk1x Safety: deletes files", "destructive": True, "mutates": []}],
            }
        ).encode(),
    ),
    "a skill that runs a shell": documents.closed(
        "skill", {"name": "t", "description": "mk1x Does it.", "allowed-tools": "Read Bash(rm:*)"}, "Do it."
    ),
    "a group's hosts above an empty list": tree({"hosts": ["a.invalid"]}, {"hosts": [], "safety_tier": "exec"}),
    "a group's changes above an empty list beside a change": tree(
        {"mutates": ["workspace:/a"]}, {"mutates": [], "modifies": ["b"], "risk_level": 3, "deletes_files": False}
    ),
}


@for_each(("number", "name"), enumerate(DOCUMENTS), ids=DOCUMENTS)
def test_documents_that_broke_a_law(number: int, name: str) -> None:
    document = DOCUMENTS[name]
    assert judge.read(document.format, document.content)
    tally = judged_laws.every_way(document, sample(judge.FORMATS, 7, number))
    assert [(broken.group, broken.chain, broken.detail) for broken in tally.broken] == []
    assert tally.undefended == []
