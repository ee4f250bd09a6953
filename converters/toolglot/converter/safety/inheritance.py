"""What a tool inherits: a command from the program and the groups above it, and any tool from the action behind it.

Facts about the whole program, such as its version, hold for every command that does not say otherwise. Of effects
only the unsafe ones are inherited. Those of the root always hold. Those of a group hold fact by fact, where the
command says nothing about that fact: a group's effects are the union over its commands, and to impose them would mark
commands that only list as destructive. See `docs/internals/safety.md`, The order of danger.

A tool may add to what the action that it implements changes and needs, raise its risk and ask more often; it never
does the opposite. Its facts are therefore the stricter of both, fact by fact, and a fact that the tool leaves out is
the action's. Source: AIP-39, narrowing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from msgspec.structs import astuple, replace

from toolglot.converter.hub.fields import TEXT, TEXTS, fields_with
from toolglot.converter.hub.model import Leaf, Parameters, Tool, commands_below, options_of
from toolglot.converter.hub.trees import join_parameters
from toolglot.converter.safety.danger_in_texts_and_tags import WORDS, sort_warnings
from toolglot.converter.safety.danger_of_stated_facts import (
    CHANGES,
    Levels,
    is_as_strict,
    is_unsafe,
    kinds_of_change,
    levels_of,
    worse,
)
from toolglot.converter.safety.stated_caution import own_levels, text_warnings

_OF_PROGRAM = fields_with(handed_down="same")
_DETAILS = fields_with(handed_down="detail")  # lists that say no danger themselves, but to what it extends
_RAISED = (*fields_with(handed_down="worst"), *_DETAILS)
_NEVER_OF_BARE = frozenset((*_RAISED, *fields_with(of_one_node=True)))
# What an action and drivers hand down; of words, those of the tool stand.
_INHERITED = fields_with(of_links=True)
_LISTS = fields_with(of_links=True, kind=TEXTS)
_OWN_WORDS = frozenset(fields_with(of_links=True, kind=TEXT))
_of_program, _raised_of = attrgetter(*_OF_PROGRAM), attrgetter(*_RAISED)


def leaves_of(tool: Tool) -> Iterator[Leaf]:
    """The callable nodes of a tree, in order, each with its path and with what it inherits.

    >>> program = Tool(id="gh", version="2", destructive=False, network=True, children=(Tool(id="list"),))
    >>> [(leaf.path, leaf.tool.version, leaf.tool.network, leaf.tool.destructive) for leaf in leaves_of(program)]
    [(('gh', 'list'), '2', True, None)]
    >>> list(leaves_of(Tool(id="pr", truncated=True)))  # a group whose commands are cut off
    []
    """
    if not tool.children and not tool.truncated:  # as all but programs are
        return iter((Leaf((tool.id,), "", tool, ()),))
    return _leaves(tool, (), "", (), Parameters())


def _leaves(
    tool: Tool, path: tuple[str, ...], pointer: str, ancestors: tuple[Tool, ...], shared: Parameters
) -> Iterator[Leaf]:
    path = (*path, tool.id)
    if tool.global_inputs is not None:
        shared = join_parameters(Parameters(tool.global_inputs, tool.global_bindings), shared)
    if tool.callable:
        node = _with_facts_above(tool, ancestors, shared) if ancestors else tool
        if node.children:
            node = replace(node, children=None)
        yield Leaf(path, pointer, node, ancestors, commands_below(tool))
    if not tool.children:
        return
    below = shared if tool.inputs is None else join_parameters(options_of(tool), shared)
    for index, child in enumerate(tool.children):
        yield from _leaves(child, path, f"{pointer}/children/{index}", (*ancestors, tool), below)


def _with_facts_above(tool: Tool, ancestors: tuple[Tool, ...], shared: Parameters) -> Tool:
    fields: dict[str, Any] = {}
    if shared.inputs is not tool.global_inputs:  # the options of the program, and of the groups above
        fields.update(global_inputs=shared.inputs, global_bindings=shared.bindings)
    for node in reversed(ancestors):
        for name, value in zip(_OF_PROGRAM, _of_program(node), strict=True):
            if value is not None and name not in fields and getattr(tool, name) is None:
                fields[name] = value
    fields.update(_inherited_effects(tool, ancestors))
    flags = _inherited_flags(tool, ancestors)
    if flags:
        fields["flags"] = flags
    unclear = _unclear_fields(tool, ancestors)
    if unclear:
        fields["unclear"] = unclear
    if tool.id == "" and len(ancestors) == 1:  # the bare executable is the program itself
        fields = {**_facts_of_bare(tool, ancestors[0]), **fields}
    return replace(tool, **fields) if fields else tool


def _inherited_effects(tool: Tool, ancestors: Sequence[Tool]) -> dict[str, Any]:
    """The effects that the nodes above make more dangerous: field -> value."""
    of_ancestors = [_raised_of(node) for node in ancestors]
    if all(values.count(None) == len(values) for values in of_ancestors):  # as programs are; the loop takes 5 us
        return {}
    effects: dict[str, Any] = {}
    for name, own, of_root, *values_of_groups in zip(_RAISED, _raised_of(tool), *of_ancestors, strict=True):
        worst = own
        is_silent = own is None or (own == () and _denies_nothing(name, tool))
        for value in values_of_groups:
            if is_silent:
                worst = _worse(name, worst, value)
            elif name == "mutates" and own and value:
                worst = _worse(name, worst, _entries_of_other_classes(value, own_levels(tool)))
        worst = _worse(name, worst, of_root)
        if worst != own:
            effects[name] = worst
    return effects


def _denies_nothing(name: str, tool: Tool) -> bool:
    """Whether an empty list denies nothing: drivers may add hosts, and who states a change does not deny changes."""
    return name == "hosts" or (name == "mutates" and own_levels(tool)["changes"] != 0)


def _entries_of_other_classes(entries: tuple[str, ...], levels: Levels) -> tuple[str, ...]:
    """The changes of a group that are about a fact on which the command is silent."""
    others: list[str] = []
    for entry in entries:
        facets = {facet for kind in kinds_of_change(entry) for facet in CHANGES[kind]}
        if not facets <= levels.keys():
            others.append(entry)
    return tuple(others)


def _worse(name: str, own: Any, above: Any) -> Any:
    """The more dangerous of a node's value and of the value above it; a safe value above does not count."""
    if above is None or not (is_unsafe(name, above) or (name in _DETAILS and above)):
        return own
    return worse(name, own, above)


def _inherited_flags(tool: Tool, ancestors: Sequence[Tool]) -> tuple[str, ...]:
    """The command's own warnings with those in the texts above; empty where the texts above add none.

    Labels above do not count: they are about one command of several, as in "Cleans (destructive) and lists". Nor does a
    group's warning about a fact that the command states itself.
    """
    root, *groups = ancestors
    warnings = {*(root.flags or ()), *text_warnings(root, with_labels=False)}
    of_groups = {name for group in groups for name in (*(group.flags or ()), *text_warnings(group, with_labels=False))}
    if of_groups:
        levels = own_levels(tool)
        warnings |= {name for name in of_groups if name in WORDS and WORDS[name].facet not in levels}
    warnings.discard("read-only")
    own = tool.flags or ()
    return sort_warnings((*own, *warnings)) if not warnings <= {*own} else ()


def _unclear_fields(tool: Tool, ancestors: Sequence[Tool]) -> tuple[str, ...]:
    """The safety fields that nobody can read here or above.

    A group's field counts unless the command states something about the same fact.
    """
    root, *groups = ancestors
    fields = [*(tool.unclear or ()), *(root.unclear or ())]
    fields += sorted({name for group in groups for name in group.unclear or () if _is_silent(name, tool)})
    return tuple(dict.fromkeys(fields))


def _is_silent(name: str, tool: Tool) -> bool:
    """Whether a tool says nothing by its value of a field. A list always says something, except for some empty ones."""
    own = getattr(tool, name, None)
    if isinstance(own, tuple):
        return not own and _denies_nothing(name, tool)
    return not levels_of(name, own)


def _facts_of_bare(tool: Tool, root: Tool) -> dict[str, Any]:
    """The facts that the program states and the bare executable does not."""
    fields = zip(Tool.__struct_fields__, astuple(tool), astuple(root), strict=True)
    facts = {
        name: above for name, own, above in fields if own is None and above is not None and name not in _NEVER_OF_BARE
    }
    if tool.summary is None and root.description is not None:
        facts["summary"] = root.description
    return facts


# -- from the action that it implements, and its drivers --------------------------------------------------------


def join_facts(own: Tool, action: Tool) -> dict[str, Any]:
    """The facts of a tool together with those of its action.

    >>> facts = join_facts(Tool(id="t", approval="always"), Tool(id="a", approval="auto", mutates=("storage:*",)))
    >>> facts["approval"], facts["mutates"], facts["risk_level"]
    ('always', ('storage:*',), None)
    """
    facts: dict[str, Any] = {}
    for name in _INHERITED:
        one, other = getattr(own, name), getattr(action, name)
        facts[name] = one if name in _OWN_WORDS and one is not None else worse(name, one, other)
    if facts["mutates"] and facts["approval"] in (None, "auto"):
        facts["approval"] = "on-mutate"  # actions may say both at once, and tools may not (specs 5.2)
    if facts["hosts"]:
        facts["network"] = own.network  # what drivers deny counts nothing for who needs hosts
    return facts


def with_inherited_facts(own: Tool, action: Tool) -> Tool:
    """The tool with the facts that it inherits from its action; its own statements are kept in the field `own`.

    >>> tool = with_inherited_facts(Tool(id="t", mutates=()), Tool(id="a", mutates=("storage:*",)))
    >>> tool.mutates, tool.own.mutates
    (('storage:*',), ())
    """
    own_facts = Tool(id=own.id, **{name: getattr(own, name) for name in _INHERITED})
    return replace(own, inherits=action, own=own_facts, **join_facts(own, action))


def without_inherited_facts(tool: Tool) -> Tool:
    """The tool without inherited facts. Facts that were changed since it was read stay changed.

    >>> tool = with_inherited_facts(Tool(id="t", mutates=()), Tool(id="a", mutates=("storage:*",)))
    >>> without_inherited_facts(tool).mutates
    ()
    """
    if tool.inherits is None or tool.own is None:
        return tool
    joint_facts = join_facts(tool.own, tool.inherits)
    names = [name for name in _INHERITED if getattr(tool, name) == joint_facts[name]]
    return replace(tool, inherits=None, own=None, **{name: getattr(tool.own, name) for name in names})


def is_inherited(tool: Tool, name: str) -> bool:
    """Whether a fact, or a part of it, comes from the action or the drivers, and not from the tool's own document."""
    return name in _INHERITED and tool.own is not None and getattr(tool.own, name) != getattr(tool, name)


def with_provenance(note: str, tool: Tool, name: str) -> str:
    """The note of a report about a fact, with the origin of a fact that is inherited."""
    if tool.inherits is None:
        return note
    if name == "inherits":
        return "the tool's own facts say what it inherits"
    if is_inherited(tool, name):
        return f"{note}; inherited from {tool.inherits.id}"
    return note


def find_relaxations(own: Tool, action: Tool) -> Iterator[tuple[str, str]]:
    """The facts on which a tool is laxer than the action that it implements, each with what is missing.

    >>> list(find_relaxations(Tool(id="t", mutates=()), Tool(id="a", mutates=("storage:*",))))
    [('mutates', 'storage:*')]
    """
    for name in _LISTS:
        own_entries, action_entries = getattr(own, name), getattr(action, name)
        if own_entries is None or action_entries is None:
            continue
        # An entry says what is the same, or of a scope that it is wider than.
        scopes = tuple(entry.removesuffix("*") for entry in own_entries if entry.endswith("*"))
        lacking = [entry for entry in action_entries if entry not in own_entries and not entry.startswith(scopes)]
        if lacking:
            yield name, ", ".join(lacking)
    if own.risk_level is not None and own.risk_level < (action.risk_level or 0):
        yield "risk_level", str(action.risk_level)
    if own.approval is not None and action.approval is not None and not is_as_strict(own.approval, action.approval):
        yield "approval", action.approval
