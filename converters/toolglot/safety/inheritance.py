"""What a command takes from the program and the groups above it.

Facts about the whole program, such as its version, hold for every command that does not say otherwise. Of effects
only the unsafe ones are taken, never the safe ones. Those of the root always hold. Those of a group hold fact by
fact, where the command says nothing about that fact: a group's effects are the union over its commands, and to impose
them would mark listing commands as destructive. See `docs/safety.md`, The order of danger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import astuple

from toolglot.hub.model import Leaf, Tool, commands_below, options_of
from toolglot.hub.parameters import Parameters, join_parameters
from toolglot.safety.danger_of_fields import MUTATES_CLASS, Levels, is_unsafe, levels_of, worse
from toolglot.safety.danger_of_tools import own_levels, text_warnings
from toolglot.safety.warnings import WORDS, sort_warnings

_OF_PROGRAM = (
    "origin", "namespace", "version", "author", "license", "homepage", "trust", "binary", "discovery",
    "auth_required", "auth_methods", "auth_check", "source", "updated", "created",
)  # fmt: skip
_EFFECTS = (
    "writes_files", "deletes_files", "network", "subprocess", "destructive", "reversible", "idempotent", "billable",
    "prompts", "tty", "creates", "modifies", "deletes", "mutates", "hosts", "secrets", "stdin", "cost_estimate",
    "cost_class", "cost_hint", "risk_level", "safety_tier", "egress", "approval",
)  # fmt: skip
_DETAILS = ("paths", "scopes")  # lists that say no danger themselves, but to what it extends
_RAISED = (*_EFFECTS, *_DETAILS)
_NAMED = frozenset((*_RAISED, "flags", "unclear", "reads_files"))
_NEVER_OF_BARE = frozenset({"id", "children", "description", "extensions", "inputs", "bindings", "summary"})
_of_program, _raised_of = attrgetter(*_OF_PROGRAM), attrgetter(*_RAISED)


def inherited_leaves(program: Tool) -> Iterator[Leaf]:
    """The callable nodes of a tree, in order, each with what it inherits."""
    return _leaves(program, (), "", (), Parameters())


def _leaves(
    tool: Tool, path: tuple[str, ...], pointer: str, ancestors: tuple[Tool, ...], shared: Parameters
) -> Iterator[Leaf]:
    path = (*path, tool.id)
    if tool.global_inputs is not None:
        shared = join_parameters(Parameters(tool.global_inputs, tool.global_bindings), shared)
    if tool.callable:
        node = _with_inherited_facts(tool, ancestors, shared) if ancestors else tool
        if node.children:
            node = msgspec.structs.replace(node, children=None)
        yield Leaf(path, pointer, node, ancestors, commands_below(tool))
    if not tool.children:
        return
    below = shared if tool.inputs is None else join_parameters(options_of(tool), shared)
    for index, child in enumerate(tool.children):
        yield from _leaves(child, path, f"{pointer}/children/{index}", (*ancestors, tool), below)


def _with_inherited_facts(tool: Tool, ancestors: tuple[Tool, ...], shared: Parameters) -> Tool:
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
    return msgspec.structs.replace(tool, **fields) if fields else tool


def _inherited_effects(tool: Tool, ancestors: Sequence[Tool]) -> dict[str, Any]:
    """The effects that the nodes above make worse, with their value."""
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
    """Whether an empty list is no denial: drivers may add hosts, and who states a change does not change nothing."""
    return name == "hosts" or (name == "mutates" and own_levels(tool)["changes"] != 0)


def _entries_of_other_classes(entries: tuple[str, ...], levels: Levels) -> tuple[str, ...]:
    """The changes of a group whose class is about a fact that the command says nothing about."""
    class_levels = [(entry, MUTATES_CLASS.get(entry.partition(":")[0], {})) for entry in entries]
    return tuple(entry for entry, more in class_levels if not more.keys() <= levels.keys())


def _worse(name: str, own: Any, above: Any) -> Any:
    """The more dangerous of what a node says and what a node above it says; a safe statement above counts nothing."""
    if above is None or not (is_unsafe(name, above) or (name in _DETAILS and above)):
        return own
    return worse(name, own, above)


def _inherited_flags(tool: Tool, ancestors: Sequence[Tool]) -> tuple[str, ...]:
    """The warnings in the texts above, with the command's own; empty where nothing is added.

    A group's warning about a fact that the command states is the command's own business.
    """
    root, *groups = ancestors
    warnings = {*(root.flags or ()), *text_warnings(root)}
    warnings_of_groups: set[str] = set()
    for group in groups:
        warnings_of_groups.update(group.flags or (), text_warnings(group))
    if warnings_of_groups:
        levels = own_levels(tool)
        warnings |= {name for name in warnings_of_groups if name in WORDS and WORDS[name].facet not in levels}
    warnings.discard("read-only")
    own = tool.flags or ()
    return sort_warnings((*own, *warnings)) if not warnings <= {*own} else ()


def _unclear_fields(tool: Tool, ancestors: Sequence[Tool]) -> tuple[str, ...]:
    """The safety fields that nobody can read here or above.

    A group's field counts unless the command states something about the same fact.
    """
    root, *groups = ancestors
    fields = [*(tool.unclear or ()), *(root.unclear or ())]
    fields_of_groups: set[str] = set()
    for group in groups:
        fields_of_groups.update(group.unclear or ())
    fields += sorted(name for name in fields_of_groups if _is_silent(name, tool))
    return tuple(dict.fromkeys(fields))


def _is_silent(name: str, tool: Tool) -> bool:
    """Whether a tool's own value of a field states nothing about its fact; a list does, but for some empty ones."""
    own = getattr(tool, name, None)
    if isinstance(own, tuple):
        return not own and _denies_nothing(name, tool)
    return not levels_of(name, own)


def _facts_of_bare(tool: Tool, root: Tool) -> dict[str, Any]:
    """What the bare executable says nothing about and its program does."""
    fields = zip(Tool.__struct_fields__, astuple(tool), astuple(root), strict=True)
    silent = {name: above for name, own, above in fields if own is None and above is not None}
    facts = {name: above for name, above in silent.items() if name not in _NEVER_OF_BARE | _NAMED}
    if tool.summary is None and root.description is not None:
        facts["summary"] = root.description
    return facts
