"""Partial discovery: a document that shows a part of its program, and the groups in it whose commands are cut off.

Such a group has only a description. It looks like a command without parameters, and would be offered to models and
called. So a node without parameters at the depth at which a document ends is read as a group. Effects do not make it a
command, because those of a group are the union over its commands. The writer marks both the groups whose commands are
cut off, and the commands that would be taken for such a group.
"""

from __future__ import annotations

from math import inf
from typing import Any

from toolglot.converter.formats.records import Omission
from toolglot.converter.text.pointers import mapping_at

DISCOVERY = ("partial", "filter", "totalCommands", "includedCommands", "omitted")  # of a program
FIELDS = frozenset({"discovery", "truncated"})
TRUNCATED = "x-truncated"  # of a node: whether its commands are cut off; readers since 0.4 ignore a key with `x-`
_ANYWHERE = 0  # the depth limit of a document whose groups may be cut off at any depth
_CUT_BELOW = ("depth-limited", "size-limited")  # reasons of an omission that cuts off groups


def omission_facts(omission: Omission) -> dict[str, Any]:
    """The hub field `discovery` of a program that shows only the requested part of itself.

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
    """How many levels of commands a document shows; infinitely many unless it states that commands were cut off.

    In case of doubt a node with only a description is a command. To take a command for a group would lose a tool; a
    group that is taken for a command is a tool with unknown effects.

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
    """Whether the commands of a program or command, which shows none, were cut off.

    Args:
        levels: how many more levels of commands the document shows, as in `depth_limit`.

    >>> group, command = {"description": "Manage notes."}, {"description": "Add.", "arguments": [{"name": "text"}]}
    >>> is_truncated(group, 0), is_truncated(command, 0), is_truncated(group, 1)
    (True, False, False)
    """
    if isinstance(node.get(TRUNCATED), bool):
        return bool(node[TRUNCATED])
    may_be_cut = levels <= 0
    if "atip" in node:  # the program: only a complete document without commands describes a call without a command
        may_be_cut = node.get("partial") is True
    return may_be_cut and not node.get("arguments") and not node.get("options")
