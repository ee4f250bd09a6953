"""The part of a program's description that is asked for, and what it says about the rest."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from toolglot.agent.requests import PartRequest
from toolglot.errors import UsageError
from toolglot.formats import Format, Omission
from toolglot.hub.model import Tool
from toolglot.text.wording import suggestion


def cut(program: Tool, request: PartRequest, target: Format) -> Tool:
    """The program with the commands that are asked for, to the depth that is asked for.

    A group whose commands are cut off keeps its description and its effects, and nothing that makes it look like a
    command.

    Raises:
        UsageError: it has no command of a name that is asked for.
    """
    if request == PartRequest():
        return program
    children = _choose_commands(program.children or (), request.commands)
    if request.depth is not None:
        children = [_cut_below(child, request.depth) for child in children]
    part = msgspec.structs.replace(program, children=tuple(children) or None)
    omission = Omission(request.commands, request.depth, _count_leaves(program), _count_leaves(part))
    return msgspec.structs.replace(part, discovery=target.omission_facts(omission))


def _choose_commands(children: Sequence[Tool], names: tuple[str, ...] | None) -> list[Tool]:
    if names is None:
        return list(children)
    _refuse_unknown(names, [child.id for child in children if child.id])
    return [child for child in children if child.id in names]


def _count_leaves(program: Tool) -> int:
    return len(list(program.leaves()))


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
