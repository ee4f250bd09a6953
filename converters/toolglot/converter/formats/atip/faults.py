"""What is wrong or doubtful in a program, beyond its schema."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats import Finding
from toolglot.converter.formats.atip.tables import DESCRIPTION_LIMIT
from toolglot.converter.formats.atip.versions import EARLY, version_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.text.pointers import escape
from toolglot.converter.text.wording import join_names
from toolglot.regexes import compile_later


def find_faults(tool: Tool) -> Iterator[Finding]:
    """What `check` says of a program, and of each of its commands."""
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
    """Every node of a tree behind its place in a document."""
    yield pointer, node
    for child in node.children or ():
        yield from _nodes(child, f"{pointer}/commands/{escape(child.id)}")


_SPELLINGS = {
    "dashes": compile_later(r"\w-\w"),
    "underscores": compile_later(r"\w_\w"),
    "capitals": compile_later("[a-z][A-Z]"),
}


def _spellings_of_names(tool: Tool) -> dict[str, str]:
    """How words are parted in the names of commands and in long flags, each with the first name that is written so."""
    found: dict[str, str] = {}
    for _, node in _nodes(tool, ""):
        bindings = [*(node.bindings or {}).values(), *(node.global_bindings or {}).values()]
        flags = (flag for binding in bindings for flag in binding.flags or () if flag.startswith("--"))
        for name in (*(child.id for child in node.children or ()), *flags):
            for spelling, pattern in _SPELLINGS.items():
                if pattern.search(name):
                    found.setdefault(spelling, name)
    return found
