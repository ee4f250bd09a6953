"""The part of a program's description that is asked for, and what it says about the rest."""

from __future__ import annotations

import msgspec

from toolglot.agent.requests import PartRequest
from toolglot.errors import UsageError
from toolglot.formats import Format, Omission
from toolglot.hub.model import Tool
from toolglot.text.suggestions import suggestion


def cut(program: Tool, request: PartRequest, target: Format) -> Tool:
    """The program with the commands that are asked for, to the depth that is asked for.

    A group whose commands are cut off keeps its description and its effects, and nothing that makes it look like a
    command.

    Raises:
        UsageError: it has no command of a name that is asked for.
    """
    if request == PartRequest():
        return program
    children = program.children or ()
    if request.commands is not None:
        _refuse_unknown(request.commands, [child.id for child in children if child.id])
        children = tuple(child for child in children if child.id in request.commands)
    if request.depth is not None:
        children = tuple(_cut_below(child, request.depth) for child in children)
    part = msgspec.structs.replace(program, children=children or None)
    total, included = (len(list(tool.leaves())) for tool in (program, part))
    omission = Omission(request.commands, request.depth, total, included)
    return msgspec.structs.replace(part, discovery=target.omission_facts(omission))


def _cut_below(node: Tool, depth: int) -> Tool:
    """A node that is shown with `depth - 1` levels below it."""
    if not node.children:
        return node
    if depth == 1:
        return msgspec.structs.replace(node, children=None, inputs=None, bindings=None, truncated=True)
    return msgspec.structs.replace(node, children=tuple(_cut_below(child, depth - 1) for child in node.children))


def _refuse_unknown(names: tuple[str, ...], known_names: list[str]) -> None:
    for name in names:
        if name not in known_names:
            hint = suggestion(name, known_names, f"it has {', '.join(known_names) or 'none'}", mark="'")
            raise UsageError(f"the program has no command {name!r}; {hint}", code="unknown-command")
