"""Danger that a text states, in whatever position and spelling, and statements about safety that nobody can read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import toolglot
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.formats.mcp.hints import proven_hints
from toolglot.converter.safety import imitations_in, warnings_in
from toolglot.converter.safety.inheritance import leaves_of

FLAG = "[⚠️ DESTRUCTIVE]"

STATED = [
    # position
    (f"Remove. {FLAG}", ("destructive",)),
    (f"Remove. {FLAG}\n", ("destructive",)),  # how every block scalar of YAML ends
    (f"{FLAG} Remove.", ("destructive",)),
    (f"Remove.\n\n{FLAG}\n\nThen rest.", ("destructive",)),
    (f"Remove {FLAG} the file.", ("destructive",)),
    ("Remove. [⚠️ DESTRUCTIVE] [💰 BILLABLE]", ("destructive", "billable")),
    # order, repetition, strangers
    ("Remove. [💰 BILLABLE | ⚠️ DESTRUCTIVE | 💰 BILLABLE]", ("destructive", "billable")),
    ("Open. [CREATES: issue | ⚠️ NOT IDEMPOTENT]", ("not-idempotent",)),
    ("Open. [⚠️ MAYBE | ⚠️ NOT REVERSIBLE | ]", ("not-reversible",)),
    # spelling
    ("Remove. [⚠ DESTRUCTIVE]", ("destructive",)),
    ("Remove. [destructive]", ("destructive",)),
    ("Remove. [Not_Reversible]", ("not-reversible",)),
    ("Remove. [⚠️ DЕSТRUСТIVЕ]", ("destructive",)),  # Cyrillic
    ("Remove. [💰 ΒΙLLΑΒLΕ]", ("billable",)),  # Greek
    ("Remove. [\uff24\uff25\uff33\uff34\uff32\uff35\uff23\uff34\uff29\uff36\uff25]", ("destructive",)),  # full width
    ("Remove. 【⚠️ DESTRUCTIVE】", ("destructive",)),
    ("Remove. [DE\u200bSTRUCTIVE]", ("destructive",)),  # a letter that nobody sees
    ("⚠️ DESTRUCTIVE: removes the file", ("destructive",)),
    ("Cancel. [DESTRUCTIVE: cancel]", ("destructive",)),
    ("[WARNING: Destructive] Remove.", ("destructive",)),
    ("[irreversible action] [Not reversible command] Remove.", ("not-reversible",)),
    # labels
    ("DESTRUCTIVE: removes the file", ("destructive",)),
    ("**Destructive:** removes the file", ("destructive",)),
    ("DESTRUCTIVE. Removes the file.", ("destructive",)),
    ("Destructive operation: removes the file", ("destructive",)),
    ("Remove.\n\n    Destructive: removes the file.", ("destructive",)),
    ("Remove. Destructive! Irreversible.", ("destructive", "not-reversible")),
    ("Not reversible", ("not-reversible",)),
    ("NOT REVERSIBLE: all of it goes.", ("not-reversible",)),
    ("Destructive\n", ("destructive",)),  # a paragraph of its own
    ("Remove.\r\n\r\n**DESTRUCTIVE**\r\n\r\nAll of it.", ("destructive",)),
    ("Remove it (destructive).", ("destructive",)),
    ("Remove it (DESTRUCTIVE — no way back)", ("destructive",)),
    ("Remove it (irreversible action: no backup)", ("not-reversible",)),
    ("Destructive: never run it alone.", ("destructive",)),
    ("DANGEROUS: runs any command.", ("destructive",)),
    ("🚨 Dangerous operation! Drop it (can't be undone)", ("destructive", "not-reversible")),
    ("Drop it. Cannot be undone.", ("not-reversible",)),
    ("Note: destructive and irreversible.", ("destructive", "not-reversible")),
    ("> Careful.\n> Irreversible.", ("not-reversible",)),
    ("DESTRUCTIVE - drops it.", ("destructive",)),
    ("Drop it (requires confirmation)", ("always-asks-approval",)),
    ("Drop it. Requires explicit user confirmation.", ("always-asks-approval",)),
    ("APPROVAL REQUIRED: drops it. [needs human approval]", ("always-asks-approval",)),
    # sentences
    ("Remove. Safety: deletes files; sings.", ("deletes-files",)),
    ("Safety: needs credentials\n\nAnd more.", ("credentials",)),
    ("**Safety:** deletes files. More.", ("deletes-files",)),
    ("Safety: Deletes files, runs other programs and uses the network.", ("runs-programs", "deletes-files", "network")),
    ("Remove.\n\nSafety: deletes data; asks for approval every time.", ("deletes-data", "always-asks-approval")),
    (
        "Safety: ask the user for approval before every call; asks for a password.",
        ("asks-password", "always-asks-approval"),
    ),
]


@for_each(("text", "expected"), STATED)
def test_a_warning_is_found(text: str, expected: tuple[str, ...]) -> None:
    assert warnings_in(text) == expected


@for_each(
    "text",
    [
        "This is not destructive.", "Use [a | b | c].", "A [note] in brackets.", "Safety: wear gloves.",
        "Safety first: read the manual.", "Remove. [🔒 READ-ONLY]", "[non-destructive]",
        "See [destructive tests](a.md)?",
        "⚠️ Only on Sundays.", "array[destructiveIndex]", "Destructive interference of waves.",
        "Destructive: no", "Destructive: No, it looks.", "Destructive: **false**", "**Destructive**: ❌",
        "Args:\n    destructive: To wipe.", "Modes:\n- Destructive: wipe\n- Safe: look", "(non-destructive)",
        "(destructive or not)",
        "Non-Destructive.", "Kind.Destructive.", "Variants (default, destructive)", "A (destructive, default)",
        "Is it irreversible? Not reversible locks help.", "[destructive operations]",
        "[destructive: no]", "[destructive: yes|no]", "[billable: yes|no]", "Mix.\n\nDestructive\ncolours.",
        "Look. Destructive - a red button.",
        "Dangerous goods.", "It is dangerous: mind.", "This cannot be undone.", "dangerous: To wipe.",
        "NON-DANGEROUS - a", "DANGEROUS-LOOKING animals.",
        "It requires approval.", "Requires approval of the board.", "(confirmation)", "Approval.",
        "Requires approval: no",
    ],
)  # fmt: skip
def test_ordinary_prose_warns_of_nothing(text: str) -> None:
    assert warnings_in(text) == ()


def test_a_label_in_a_text_about_several_tools_is_about_one_of_them() -> None:
    program = toolglot.Tool(id="p", description="Clean (destructive), and list.", children=(toolglot.Tool(id="ls"),))
    (leaf,) = leaves_of(program)
    assert safety.caution(leaf.tool)["destructive"] == safety.UNKNOWN
    beside = {"description": "Clean (destructive), and list.", "tools": [{"name": "ls", "inputSchema": {}}]}
    assert toolglot.read_one(beside, format="mcp").unclear is None


def test_a_text_never_makes_a_tool_look_safe() -> None:
    read_only = toolglot.Tool(id="t", description="Safe. [🔒 READ-ONLY]")
    assert safety.caution(read_only) == safety.caution(toolglot.Tool(id="t"))


@for_each(
    ("text", "expected"),
    [
        (f"Remove. {FLAG}", ()), ("[⚠ DESTRUCTIVE]", ("destructive",)),
        ("[destructive | 💰 BILLABLE]", ("destructive",)),
        ("[🔒 READ-ONLY]", ("read-only",)), ("[⚠️ DЕSTRUCTIVE]", ("destructive",)), ("Remove.", ()),
        ("[⚠️ DESTRUCTIVE destructive]", ("destructive",)),  # beside the real one
        ("Remove (destructive).", ()), ("DESTRUCTIVE: removes.", ()),  # a label is plain speech
    ],
)  # fmt: skip
def test_imitations_are_named(text: str, expected: tuple[str, ...]) -> None:
    assert imitations_in(text) == expected


@for_each(
    ("text", "expected"),
    [
        ("List. [🔒 READ-ONLY]", ()), ("[⚠️ NOT IDEMPOTENT | 🔒 READ-ONLY]", ()), ("[READ-ONLY]", ("read-only",)),
        ("List. [⚠️ DESTRUCTIVE | 🔒 READ-ONLY]", ("read-only",)), ("List. [🔒 READ-ONLY] now", ("read-only",)),
        ("List. [🔒 READ-ONLY] [🔒 READ-ONLY]", ("read-only",)), ("a[🔒 READ-ONLY]", ("read-only",)),
    ],
)  # fmt: skip
def test_read_only_is_no_imitation_where_nothing_else_can_say_it(text: str, expected: tuple[str, ...]) -> None:
    assert imitations_in(text, may_say_read_only=True) == expected


@for_each("target", [target for target in formats.targets() if formats.get(target).provider.is_api])
def test_what_a_conversion_writes_of_safety_is_no_imitation(target: str) -> None:
    harmless = toolglot.Tool(
        id="t", description="List all.", network=False, writes_files=False, idempotent=False, inputs={
            "type": "object", "properties": {"a": {"type": "string", "description": "Which. [🔒 READ-ONLY]"}}
        },
    )  # fmt: skip
    written = toolglot.write(harmless, target)
    places = [found.pointer for found in toolglot.check(written) if found.code == "flag-imitation"]
    assert written.count("READ-ONLY") == 2
    assert [place.rpartition("/properties")[2] for place in places] == ["/a/description"]


def test_an_imitation_in_the_text_of_a_parameter_is_not_said_to_be_read() -> None:
    inputs = {"type": "object", "properties": {"a": {"type": "string", "description": "Which. [destructive]"}}}
    tool = {"name": "t", "description": "List all.", "inputSchema": inputs, "annotations": {"destructiveHint": False}}
    [message] = [found.message for found in toolglot.check({"tools": [tool]}) if found.code == "flag-imitation"]
    assert not toolglot.read({"tools": [tool]})[0].destructive
    assert "read" not in message


def test_hostile_texts_take_time_by_their_size() -> None:
    for text in ("[" * 50_000, "[a|" * 25_000, "⚠" * 50_000, "Safety: " * 12_000, "[" + "⚠️ " * 25_000 + "]"):
        assert isinstance(warnings_in(text), tuple)


# -- in documents -----------------------------------------------------------------------------------------------------


def nodes(tools: Iterable[toolglot.Tool]) -> Iterator[toolglot.Tool]:
    for tool in tools:
        yield tool
        yield from nodes(tool.children or ())


def atip(command: dict[str, Any], **root: Any) -> dict[str, Any]:
    program = {"atip": "0.3", "name": "tool", "version": "1", "description": "Do it.", **root}
    return {**program, "commands": {"run": {"description": "Run it.", **command}}}


def tool_md(front: str = "", body: str = "", name: str = "T", description: str = "Do it.") -> str:
    head = (
        f"---\nschema: agentproto/tool/v1\nname: {json.dumps(name)}\nid: t1\ndescription: {json.dumps(description)}\n"
    )
    return f"{head}version: 1.0.0\ninputs: {{}}\noutputs: {{}}\n{front}---\n{body}"


def mcp(**fields: Any) -> dict[str, Any]:
    return {"name": "t", "description": "Do it.", "inputSchema": {"type": "object"}, **fields}


WARNED: dict[str, Any] = {
    "ATIP, the description of the program": atip({}, description=f"{FLAG} Do it."),
    "ATIP, a title": atip({}, title=f"Tool {FLAG}"),
    "AIP-14, the name": tool_md(name=f"T {FLAG}"),
    "AIP-14, the body": tool_md(body=f"\n## Notes\n\nMind this. {FLAG}\n"),
    "AIP-14, a block scalar": tool_md(description=f"Do it. {FLAG}\n"),
    "ToolDescriptor, the title": {"toolId": "a:b", "source": "mcp", "safetyTier": "read", "title": f"B {FLAG}"},
    "MCP, the second title": mcp(title="T", annotations={"title": f"T {FLAG}"}),
    "ATDF, when to use": {
        "tool_id": "t", "description": "Do it.", "when_to_use": f"Never. {FLAG} Ever.",
        "how_to_use": {"inputs": [], "outputs": {"success": "ok", "failure": []}},
    },
    "hub, the description": {"toolglot": 1, "tools": [{"id": "t", "description": f"Do it. {FLAG} Or not."}]},
    "hub, a condition": {
        "toolglot": 1, "tools": [{"id": "t", "description": "Do it.", "conditions": [f"Care {FLAG}"]}],
    },
}  # fmt: skip
EVERY = ["atip", "atdf", "atdf@0.1", "aip14", "tool-descriptor", "mcp", "openai", "anthropic", "gemini"]


@for_each("target", EVERY)
@for_each("place", WARNED)
def test_a_warning_reaches_every_target_from_every_place(place: str, target: str) -> None:
    for _, content in toolglot.convert(WARNED[place], target).files:
        leaves = [leaf for tool in toolglot.read(content, target.partition("@")[0]) for leaf in leaves_of(tool)]
        assert all(safety.caution(leaf.tool)["destructive"] == safety.UNSAFE for leaf in leaves)
        for node in nodes(toolglot.read(content, target.partition("@")[0])):
            text = "\n".join(filter(None, [node.description, *(node.conditions or ())]))
            assert not (warnings_in(text) and node.flags), "what the text says already is said again behind it"


def test_a_warning_that_is_added_repeats_no_other() -> None:
    record = {
        "tool_id": "notes.keep",
        "description": "Keep it. Safety: writes files.",
        "when_to_use": f"Often {FLAG}",
        "how_to_use": {"inputs": [], "outputs": {"success": "Done.", "failure": []}},
    }
    (descriptor,) = json.loads(toolglot.convert(record, "tool-descriptor", format="atdf").text)["tools"]
    assert descriptor["description"] == f"Keep it. Safety: writes files. {FLAG}"


@for_each("target", EVERY)
def test_shortening_keeps_a_warning_however_it_is_spelled(target: str) -> None:
    long = "Word " * 200 + "[⚠ Destructive] " + "word " * 500
    for _, content in toolglot.convert(mcp(description=long, title="t " * 60 + FLAG), target).files:
        (leaf,) = (leaf for tool in toolglot.read(content, target.partition("@")[0]) for leaf in leaves_of(tool))
        assert safety.caution(leaf.tool)["destructive"] == safety.UNSAFE


def test_a_group_warns_of_what_its_command_says_nothing_about() -> None:
    group = {"description": f"Boxes. {FLAG}", "commands": {
        "quiet": {"description": "Says nothing. [💰 BILLABLE]"},
        "denies": {"description": "No.", "effects": {"destructive": False}},
    }}  # fmt: skip
    program = {"atip": "0.3", "name": "p", "version": "1", "description": "P.", "commands": {"box": group}}
    (tool,) = toolglot.read(program)
    levels = {leaf.path[-1]: safety.caution(leaf.tool) for leaf in leaves_of(tool)}
    assert (levels["quiet"]["destructive"], levels["quiet"]["billable"]) == (safety.UNSAFE, safety.UNSAFE)
    assert levels["denies"]["destructive"] == safety.SAFE


# -- statements that nobody can read ----------------------------------------------------------------------------------

HARMLESS = {"network": False, "filesystem": {"write": False, "delete": False}, "destructive": False}
UNCLEAR: list[tuple[Any, str, str]] = [
    (atip({"effects": {"destructive": "yes"}}), "destructive", "unclear-safety"),
    (atip({"effects": {"filesystem": True}}), "deletes_files", "unclear-safety"),
    (atip({"effects": {"deletes": ["a", 5]}}), "deletes", "unclear-safety"),
    (atip({"effects": {"destructve": False}}), "destructive", "misspelt-key"),
    (atip({"efects": {"network": False}}), "network", "misspelt-key"),
    (atip({"effects": {"cots": {"billable": False}}}), "billable", "misspelt-key"),
    (atip({"interactive": {"prompts": "yes"}}), "interactive", "unclear-safety"),
    (atip({"authentication": True}), "credentials", "unclear-safety"),
    (tool_md("approval: never\n"), "approval", "unclear-safety"),
    (tool_md("approvel: always\n"), "approval", "misspelt-key"),
    (tool_md("risk_level: 7\n"), "irreversible", "unclear-safety"),
    (tool_md("risk-level: 3\n"), "irreversible", "misspelt-key"),
    (tool_md("mutates: [workspace:/, 5]\n"), "changes", "unclear-safety"),
    (tool_md("requires: {network: true}\n"), "network", "unclear-safety"),
    (tool_md("cost_class: free\n"), "billable", "unclear-safety"),
    (mcp(annotations={"readonlyHint": True}), "changes", "misspelt-key"),
    (mcp(annotations={"destructiveHint": "false"}), "destructive", "unclear-safety"),
]


@for_each(("document", "facet", "code"), UNCLEAR)
def test_what_nobody_can_read_counts_as_dangerous_and_is_an_error(document: Any, facet: str, code: str) -> None:
    (tool,) = toolglot.read(document)
    (leaf,) = leaves_of(tool)
    dangerous = 3 if facet == "approval" else safety.UNSAFE
    assert safety.caution(leaf.tool)[facet] == dangerous
    assert (code, "error") in {(found.code, found.severity) for found in toolglot.check(document)}
    assert not safety.is_read_only(leaf.tool)


@for_each("target", EVERY)
@for_each(("document", "facet", "code"), UNCLEAR)
def test_and_reaches_every_target(document: Any, facet: str, code: str, target: str) -> None:
    before = [leaf for tool in toolglot.read(document) for leaf in leaves_of(tool)]
    for _, content in toolglot.convert(document, target).files:
        after = [leaf for tool in toolglot.read(content, target.partition("@")[0]) for leaf in leaves_of(tool)]
        for was, now in zip(before, after, strict=True):
            assert not safety.breached_facets(safety.caution(was.tool), safety.caution(now.tool))


def openapi(**beside: Any) -> dict[str, Any]:
    operation = {"operationId": "a", "responses": {"204": {"description": "Done."}}}
    return {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a": {"get": operation}}, **beside}


def opencli(**option: Any) -> dict[str, Any]:
    root = {"name": "t", "options": [{"name": "--all"}, {"name": "--force", **option}]}
    return {"opencli": "0.1", "info": {"title": "t", "version": "1"}, "command": root}


def oclif(**flag: Any) -> dict[str, Any]:
    command = {"id": "rm", "args": {}, "flags": {"force": {"name": "force", "type": "boolean", **flag}}}
    return {"version": "1.0.0", "commands": {"rm": command}}


def carapace(flags: str = "flags", **flag: Any) -> dict[str, Any]:
    return {"name": "t", flags: {"-f, --force": {"description": "Do not ask.", **flag}}, "commands": [{"name": "rm"}]}


@for_each(
    ("stated", "level"),
    [
        ({"destructive": True}, safety.UNSAFE),
        ({"destructive": "perhaps"}, safety.UNSAFE),
        ({"destructive": False}, safety.UNKNOWN),
        ({"readOnly": True}, safety.UNKNOWN),
    ],
)
def test_a_danger_among_the_keys_that_a_program_adds_to_its_commands_counts(stated: dict[str, Any], level: int) -> None:
    document = oclif()
    document["commands"]["rm"].update(stated)
    for target in ("hub", "openai", "mcp"):
        for _, content in toolglot.convert(document, target).files:
            (node,) = (leaf.tool for tool in toolglot.read(content) for leaf in leaves_of(tool))
            assert safety.caution(node)["destructive"] == level


FORCE = {"type": "object", "properties": {"force": {"type": "boolean", "dangerous": True}}}
TWO = [{"name": name, "description": "D.", "inputSchema": {"type": "object"}} for name in ("one", "two")]
SKILLS = [{"id": name, "name": name, "description": "D.", "tags": ["a"]} for name in ("one", "two")]
ATDF = {
    "tool_id": "t", "description": "Do it.", "when_to_use": "Never.",
    "how_to_use": {
        "inputs": [{"name": "a", "type": "string"}, {"name": "b", "type": "boolean", "dangerous": True}],
        "outputs": {"success": "ok", "failure": []},
    },
}  # fmt: skip
# A key that no format has and that sounds like danger: the document, and where `check` says so.
SOUNDING: list[tuple[Any, str]] = [
    # beside the keys of a tool
    (atip({"destructive": True}), "/commands/run/destructive"),
    (atip({"effects": {**HARMLESS, "dangerous": True}}), "/commands/run/effects/dangerous"),
    (atip({"effects": {**HARMLESS, "mutates": ["external:mail"]}}), "/commands/run/effects/mutates"),
    (atip({"effects": HARMLESS, "filesystem": {"delete": True}}), "/commands/run/filesystem/delete"),
    (mcp(destructiveHint=True), "/destructiveHint"),
    (mcp(approvals={"needsApproval": True}), "/approvals/needsApproval"),
    (
        {"type": "function", "function": {"name": "t", "parameters": {}, "needsApproval": True}},
        "/function/needsApproval",
    ),
    ([{"name": "t", "parameters": {}, "hints": {"destructiveHint": True}}], "/0/hints/destructiveHint"),
    ([{"id": "t", "name": "T", "description": "D.", "tags": ["a"], "destructive": True}], "/0/destructive"),
    (tool_md("mutates: []\nmetadata: {approval: always}\n"), "/metadata/approval"),
    # at an option
    (opencli(dangerous=True), "/command/options/1/dangerous"),
    (oclif(dangerous=True), "/commands/rm/flags/force/dangerous"),
    (
        {"version": "1.0.0", "commands": {"rm": {"id": "rm", "args": {}, "flags": {}, "asksToDelete": True}}},
        "/commands/rm/asksToDelete",
    ),
    (carapace("persistentflags", destructive=True), "/persistentflags/-f, --force"),
    ({**carapace("persistentflags"), "commands": [{"name": "rm", "dangerous": 1}]}, "/commands/0/dangerous"),
    ('bin "t"\nflag "-f --force" dangerous=#true\n', "/nodes/1"),
    (ATDF, "/how_to_use/inputs/1/dangerous"),
    # in the schema of an argument
    (mcp(inputSchema=FORCE), "/inputSchema/properties/force/dangerous"),
    (mcp(inputSchema={"type": "object", "destructive": True}), "/inputSchema/destructive"),
    ([{"name": "t", "description": "D.", "input_schema": FORCE}], "/0/input_schema/properties/force/dangerous"),
    (
        [{"type": "function", "function": {"name": "t", "parameters": FORCE}}],
        "/0/function/parameters/properties/force/dangerous",
    ),
    # beside the tools
    ({"destructive": True, "tools": TWO}, "/destructive"),
    ({"tools": TWO, "server": {"requiresApproval": True}}, "/server/requiresApproval"),
    (openapi(components={"schemas": {"A": {"risk": "high"}}}), "/components/schemas/A/risk"),
    (openapi(components={"unsafe": {"a": 1}}), "/components/unsafe"),
    (
        {"name": "A", "capabilities": {"extensions": [{"params": {"destructive": True}}]}, "skills": SKILLS},
        "/capabilities/extensions/0/params/destructive",
    ),
]


@for_each(("document", "place"), SOUNDING)
def test_what_only_sounds_like_danger_is_a_finding_and_no_fact(document: Any, place: str) -> None:
    tools = toolglot.read(document)
    assert all(node.unclear is None for node in nodes(tools))
    found = [fault for fault in toolglot.check(document) if fault.code in ("misplaced-key", "danger-in-unknown-key")]
    assert [(fault.code, fault.severity, fault.pointer) for fault in found] == [
        ("danger-in-unknown-key", "warning", place)
    ]
    for target in ("openai", "atip", "mcp"):
        for _, content in toolglot.convert(document, target).files:
            assert all(safety.caution(node)["destructive"] != safety.UNSAFE for node in nodes(toolglot.read(content)))


@for_each(
    "document",
    [
        opencli(group="Output", dangerous=False, hidden=True), oclif(helpGroup="Danger levels of the sea"),
        oclif(deprecated=True, dangerous=None), carapace(hidden=True, destructive=False),
        'bin "t"\nflag "--force" dangerous=#false help="dangerous"\n',
    ],
)  # fmt: skip
def test_an_option_without_a_danger_says_nothing(document: Any) -> None:
    [tool] = toolglot.read(document)
    assert all(leaf.tool.unclear is None for leaf in leaves_of(tool))


SKILL = "---\nname: tidy\ndescription: Tidies.\nmetadata:\n  {}\n---\nTidy up.\n"


@for_each(
    ("metadata", "unclear"),
    [
        ("destructive: 'true'", ("destructive",)),
        ("requires_confirmation: 'True'", ("approval",)),
        ("safety: destructive", None),
        ("destructive: 'false'", None),
        ("author: Dangerous", None),
    ],
)
def test_metadata_of_a_skill_are_there_for_anything(metadata: str, unclear: tuple[str, ...] | None) -> None:
    text = SKILL.format(metadata)
    [tool] = toolglot.read(text, "skill")
    assert tool.unclear == unclear
    assert toolglot.convert(text, "skill", format="skill").text == text


@for_each(
    "keywords",
    [
        {"readOnly": False, "dangerous": False, "group": "Danger zone"},
        {"enum": ["destructive"], "default": True, "properties": {"destructive": True}},
        {"destructive": {"type": "boolean"}, "examples": [{"dangerous": True}]},
    ],
)
def test_a_schema_of_a_value_without_a_danger_says_nothing(keywords: dict[str, Any]) -> None:
    [tool] = toolglot.read(mcp(inputSchema={"type": "object", "properties": {"destructive": keywords, "a": True}}))
    assert tool.unclear is None


@for_each(
    "document",
    [
        {"destructive": False, "approval": "never", "tools": TWO},
        {"examples": [{"destructive": True}], "config": {"default": {"dangerous": True}}, "tools": TWO},
        openapi(components={"schemas": {"DeletedFile": {"type": "object"}}}),
        openapi(components={"parameters": {"ConfirmIt": {"name": "a", "in": "query"}}}),
        openapi(webhooks={"fileDeleted": {"post": {}}}),
        {"name": "A", "skills": SKILLS,
         "securitySchemes": {"deleteKey": {"flows": {"implicit": {"scopes": {"files.delete": "Delete files."}}}}}},
        mcp(annotations={"destructiveHint": None, "readOnlyHint": None}), mcp(description="destructive"),
        atip({"created": "2026-01-01"}), tool_md("metadata: {destructive: false}\n"),
        atip({"effects": {"cost": {"estimate": "none"}}}),
        atip({"effects": {**HARMLESS, "x-noise": True, "_note": "n", "description": "Quiet.", "mutates": []}}),
    ],
)  # fmt: skip
def test_what_is_no_danger_is_no_finding(document: Any) -> None:
    assert all(node.unclear is None for node in nodes(toolglot.read(document)))
    codes = {fault.code for fault in toolglot.check(document)}
    assert not codes & {"misplaced-key", "unclear-safety", "danger-in-unknown-key"}


def test_camel_case_is_read_as_stated() -> None:
    (tool,) = toolglot.read(tool_md("riskLevel: 2\ncostClass: metered\n"))
    assert (tool.risk_level, tool.cost_class, tool.unclear) == (2, "metered", None)
    assert {
        found.severity for found in toolglot.check(tool_md("riskLevel: 2\nmutates: [a:b]\napproval: always\n"))
    } == {"warning"}


def test_hints_never_contradict_each_other() -> None:
    facts: dict[str, tuple[Any, ...]] = {
        "mutates": ((), ("a:b",), None), "destructive": (True, False, None), "idempotent": (True, False, None),
        "deletes": ((), ("x",), None), "safety_tier": ("read", "exec", None),
    }  # fmt: skip
    for values in product(*facts.values()):
        stated = dict(zip(facts, values, strict=True))
        hints = proven_hints(toolglot.Tool(id="t", **stated))
        if hints.get("readOnlyHint"):
            assert not hints.get("destructiveHint")
            assert hints.get("idempotentHint") is not False
