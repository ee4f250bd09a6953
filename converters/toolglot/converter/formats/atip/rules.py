"""The rules of `check` for ATIP documents, beyond their schema."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats import Finding
from toolglot.converter.formats.atip.tables import DESCRIPTION_LIMIT
from toolglot.converter.formats.atip.versions import EARLY, version_of
from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import FIELDS_OF_DANGER
from toolglot.converter.text.pointers import escape
from toolglot.converter.text.wording import join_names
from toolglot.regexes import compile_later


def _find_unstated_effects(subject: Subject) -> Iterator[Hit]:
    if subject.tool.origin == "atip" and all(getattr(subject.tool, field) is None for field in FIELDS_OF_DANGER):
        yield Hit({}, "description")


def _find_unstated_reversal(subject: Subject) -> Iterator[Hit]:
    if subject.tool.origin == "atip" and subject.own.destructive and subject.tool.reversible is None:
        yield Hit({}, "destructive")


_DOCUMENT = """\
{"atip": {"version": "0.6"}, "name": "notes", "version": "1.0.0", "description": "Keeps notes in books.",
 "commands": {"remove": {"description": "Removes one note of a book.", "effects": {%s}}}}
"""
RULES = (
    Rule(
        code="effects-unstated",
        family="atip",
        severity="info",
        message="nothing says what the command changes or reaches",
        why="What nobody states counts as unknown, and a person is asked before it is called.",
        mend="State it in `effects`, also what the command does not do.",
        citation="atip-lint",
        bad=_DOCUMENT % "",
        good=_DOCUMENT % '"network": false',
        of_tool=_find_unstated_effects,
    ),
    Rule(
        code="reversible-unstated",
        family="atip",
        severity="info",  # most programs that delete something would get a warning
        message="it destroys, and nothing says whether that can be undone",
        why="An agent may go on after what can be undone, and has to stop before what cannot.",
        mend="State `reversible` beside `destructive`.",
        citation="atip-lint",
        bad=_DOCUMENT % '"destructive": true',
        good=_DOCUMENT % '"destructive": true, "reversible": false',
        of_tool=_find_unstated_reversal,
    ),
    *declare_rules(
        "atip",
        "ATIP specification, commands",
        {
            "misplaced-parameters": (
                "warning",
                "parameters stand at the root of a program, where no reader looks",
                "Nobody is offered them, and no call can give them.",
                "Move them into the command that takes them, or into `globalOptions`.",
            ),
            "long-program-description": (
                "info",
                "the description of the program is longer than 200 characters",
                "ATIP 0.3 recommends at most 200 characters, and the schemas since 0.4 refuse more.",
                "Keep what the program is for, and move the rest to its commands.",
            ),
            "padded-description": (
                "info",
                "white space stands around a description",
                "Whoever shows or compares texts has it as a part of the text.",
                "Take the white space away.",
            ),
            "mixed-names": (
                "info",
                "the words of names are parted in different ways",
                "Whoever knows one flag of a program guesses how another one is written.",
                "Write all commands and flags of a program in one way, as most programs do with dashes.",
            ),
            "uncalled-group": (
                "info",
                "a group has options, and nobody is offered it as a call",
                "A command with commands of its own, such as `git stash`, may also be called without any of them.",
                'If it can be called by itself, add the command `""` to it, with the parameters that it takes then.',
            ),
            "unlisted-enum": (
                "warning",
                "a parameter is one of several values, and nobody says which",
                "A model guesses a value, and the program refuses it.",
                "List the values under `enum`, or write the type `string`.",
            ),
        },
    ),
)


def find_faults(tool: Tool) -> Iterator[Finding]:
    """The faults of a program and of its commands."""
    for key in ("arguments", "options"):
        if tool.extension("atip").get(key):
            message = f'`{key}` belongs into a command (the program itself is the command ""); nobody reads it here'
            yield Finding("misplaced-parameters", f"/{key}", message)
    length = len(tool.description or "")
    if length > DESCRIPTION_LIMIT and version_of(tool.extension("atip")) in EARLY:
        message = f"{length:,} characters, where at most {DESCRIPTION_LIMIT} are recommended"
        yield Finding("long-program-description", "/description", message)
    for pointer, node in _nodes(tool, ""):
        yield from _find_faults_of_node(node, pointer)
    spellings = _spellings_of_names(tool)
    if len(spellings) > 1:
        message = f"the words of names are parted in different ways, as in {join_names(spellings.values())}"
        yield Finding("mixed-names", "", message)


def _find_faults_of_node(node: Tool, pointer: str) -> Iterator[Finding]:
    children = node.children or ()
    if node.description is not None and node.description != node.description.strip():
        yield Finding("padded-description", f"{pointer}/description", "white space stands around the description")
    if children and node.inputs is not None and not node.callable and all(child.id for child in children):
        message = "the options of this group are those of its commands, and nobody is offered the group as a call"
        yield Finding("uncalled-group", pointer, message)
    for kind, place, bindings in (
        ("option", "globalOptions", node.global_bindings),
        ("argument", "arguments", node.bindings),
        ("option", "options", node.bindings),
    ):
        entries = [binding.spelling or {} for binding in (bindings or {}).values() if binding.kind == kind]
        for index, entry in enumerate(entries):
            if entry.get("type") == "enum" and not isinstance(entry.get("enum"), list):
                message = "an `enum` without its list of values; it is taken for any text"
                yield Finding("unlisted-enum", f"{pointer}/{place}/{index}", message)


def _nodes(node: Tool, pointer: str) -> Iterator[tuple[str, Tool]]:
    """Every node of a tree, after the JSON Pointer of its place in a document."""
    yield pointer, node
    for child in node.children or ():
        yield from _nodes(child, f"{pointer}/commands/{escape(child.id)}")


_SPELLINGS = {
    "dashes": compile_later(r"\w-\w"),
    "underscores": compile_later(r"\w_\w"),
    "capitals": compile_later("[a-z][A-Z]"),
}


def _spellings_of_names(tool: Tool) -> dict[str, str]:
    """How the words in names of commands and in long flags are separated -> the first name that is spelled so."""
    found: dict[str, str] = {}
    for _, node in _nodes(tool, ""):
        bindings = [*(node.bindings or {}).values(), *(node.global_bindings or {}).values()]
        flags = (flag for binding in bindings for flag in binding.flags or () if flag.startswith("--"))
        for name in (*(child.id for child in node.children or ()), *flags):
            for spelling, pattern in _SPELLINGS.items():
                if pattern.search(name):
                    found.setdefault(spelling, name)
    return found
