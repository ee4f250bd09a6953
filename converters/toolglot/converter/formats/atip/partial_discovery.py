"""Partial discovery: a document that shows a part of its program, and the groups in it whose commands are cut off.

Such a group has nothing but a description, and looks like a command that takes nothing: it would be offered to models
as one, and called. So at the depth at which a document ends, what takes no parameters is no command, whatever it says
about effects, for those of a group are the union over its commands. What toolglot writes marks both: the groups that
are cut, and the commands that would be taken for one.
"""

from __future__ import annotations

from math import inf
from typing import Any

from toolglot.converter.formats.records import Omission
from toolglot.converter.text.pointers import mapping_at

DISCOVERY = ("partial", "filter", "totalCommands", "includedCommands", "omitted")  # of a program
FIELDS = frozenset({"discovery", "truncated"})
MARK = "x-truncated"  # of a node: whether its commands are cut off; readers since 0.4 ignore a key that begins so
_ANYWHERE = 0
_CUT_BELOW = ("depth-limited", "size-limited")


def omission_facts(omission: Omission) -> dict[str, Any]:
    """What a program says of itself that shows the part that was asked for.

    >>> omission_facts(Omission(("a",), None, total=3, included=1))["omitted"]
    {'reason': 'filtered', 'safetyAssumption': 'unknown'}
    """
    selection: dict[str, Any] = {"depth": omission.depth}
    if omission.commands is not None:
        selection["commands"] = list(omission.commands)
    facts: dict[str, Any] = {
        "partial": omission.included < omission.total,
        "filter": selection,
        "totalCommands": omission.total,
        "includedCommands": omission.included,
    }
    if facts["partial"]:
        reason = "depth-limited" if omission.commands is None else "filtered"
        facts["omitted"] = {"reason": reason, "safetyAssumption": "unknown"}
    return facts


def depth_limit(program: dict[str, Any]) -> float:
    """How many levels of commands a document shows; infinitely many where nothing says that any was cut off.

    A command that has only a description is a command: to take it for a group that was cut would lose a tool, while
    a group that is taken for a command is one of which nobody states what it changes.

    >>> depth_limit({"partial": True, "filter": {"depth": 2}}), depth_limit({"partial": True}), depth_limit({})
    (2, inf, inf)
    >>> depth_limit({"partial": True, "omitted": {"reason": "size-limited"}})
    0
    """
    if program.get("partial") is not True:
        return inf
    depth = mapping_at(program, "filter").get("depth")
    if depth is None:
        return _ANYWHERE if mapping_at(program, "omitted").get("reason") in _CUT_BELOW else inf
    return depth if type(depth) is int else _ANYWHERE


def is_truncated(node: dict[str, Any], levels: float) -> bool:
    """Whether a program or command that shows no commands has had some.

    Args:
        levels: how many more levels the document shows, as `depth_limit` tells them.

    >>> group, command = {"description": "Manage notes."}, {"description": "Add.", "arguments": [{"name": "text"}]}
    >>> is_truncated(group, 0), is_truncated(command, 0), is_truncated(group, 1)
    (True, False, False)
    """
    if isinstance(node.get(MARK), bool):
        return bool(node[MARK])
    may_be_cut = levels <= 0
    if "atip" in node:  # a part of a program that shows no command says nothing about a call without any
        may_be_cut = node.get("partial") is True
    return may_be_cut and not node.get("arguments") and not node.get("options")
