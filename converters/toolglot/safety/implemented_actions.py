"""What a tool inherits from the action that it implements, and what it may not take back (AIP-39).

A tool may add to what an action changes and needs, raise its risk and ask more often; it never does the opposite.
Its facts are therefore the stricter of both, fact by fact, and a fact that the tool leaves out is the action's.
Source: AIP-39, narrowing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from toolglot.hub.model import Tool
from toolglot.safety.danger_of_fields import is_as_strict, worse

LISTS = ("mutates", "hosts", "secrets", "calls")
INHERITED = (*LISTS, "risk_level", "approval", "category")


def join_facts(own: Tool, action: Tool) -> dict[str, Any]:
    """The facts of a tool together with those of its action.

    >>> facts = join_facts(Tool(id="t", approval="always"), Tool(id="a", approval="auto", mutates=("storage:*",)))
    >>> facts["approval"], facts["mutates"], facts["risk_level"]
    ('always', ('storage:*',), None)
    """
    facts: dict[str, Any] = {name: _union(getattr(own, name), getattr(action, name)) for name in LISTS}
    risks = [risk for risk in (own.risk_level, action.risk_level) if risk is not None]
    facts["risk_level"] = max(risks, default=None)
    facts["approval"] = worse("approval", own.approval, action.approval)
    if facts["mutates"] and facts["approval"] in (None, "auto"):
        facts["approval"] = "on-mutate"  # actions may say both at once, and tools may not (specs 5.2)
    facts["category"] = own.category if own.category is not None else action.category
    return facts


def with_inherited_facts(own: Tool, action: Tool) -> Tool:
    """The tool with what it inherits; `own` keeps what it says by itself.

    >>> tool = with_inherited_facts(Tool(id="t", mutates=()), Tool(id="a", mutates=("storage:*",)))
    >>> tool.mutates, tool.own.mutates
    (('storage:*',), ())
    """
    own_facts = Tool(id=own.id, **{name: getattr(own, name) for name in INHERITED})
    return replace(own, inherits=action, own=own_facts, **join_facts(own, action))


def without_inherited_facts(tool: Tool) -> Tool:
    """The tool as its document says it; facts that were changed since it was read stay as they are now.

    >>> tool = with_inherited_facts(Tool(id="t", mutates=()), Tool(id="a", mutates=("storage:*",)))
    >>> without_inherited_facts(tool).mutates
    ()
    """
    if tool.inherits is None or tool.own is None:
        return tool
    joint_facts = join_facts(tool.own, tool.inherits)
    names = [name for name in INHERITED if getattr(tool, name) == joint_facts[name]]
    return replace(tool, inherits=None, own=None, **{name: getattr(tool.own, name) for name in names})


def is_inherited(tool: Tool, name: str) -> bool:
    """Whether a fact, or a part of it, comes from what stands behind the tool and not from its own document."""
    return name in INHERITED and tool.own is not None and getattr(tool.own, name) != getattr(tool, name)


def with_provenance(note: str, tool: Tool, name: str) -> str:
    """What a report notes about a fact, with where the tool has it from."""
    if tool.inherits is None:
        return note
    if name == "inherits":
        return "the tool's own facts say what it inherits"
    if is_inherited(tool, name):
        return f"{note}; inherited from {tool.inherits.id}"
    return note


def find_relaxations(own: Tool, action: Tool) -> Iterator[tuple[str, str]]:
    """The facts on which a tool says less than the action that it implements, each with what is missing.

    >>> list(find_relaxations(Tool(id="t", mutates=()), Tool(id="a", mutates=("storage:*",))))
    [('mutates', 'storage:*')]
    """
    for name in LISTS:
        own_entries, action_entries = getattr(own, name), getattr(action, name)
        if own_entries is None or action_entries is None:
            continue
        lacking: list[str] = []
        for entry in action_entries:
            if not any(_covers(own_entry, entry) for own_entry in own_entries):
                lacking.append(entry)
        if lacking:
            yield name, ", ".join(lacking)
    if own.risk_level is not None and own.risk_level < (action.risk_level or 0):
        yield "risk_level", str(action.risk_level)
    if own.approval is not None and action.approval is not None and not is_as_strict(own.approval, action.approval):
        yield "approval", action.approval


def _union(one: tuple[str, ...] | None, other: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    return tuple(dict.fromkeys((*one, *other)))


def _covers(entry: str, other: str) -> bool:
    """Whether an entry says at least what another does: the same, or a wider scope of the same class."""
    return entry == other or (entry.endswith("*") and other.startswith(entry[:-1]))
