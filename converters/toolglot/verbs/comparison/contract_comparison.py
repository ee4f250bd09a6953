"""What changed between two contracts, what that means to callers, and whether the versions follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.fields import TREE, fields_with
from toolglot.converter.hub.model import Tool, to_json
from toolglot.converter.safety.reasons_to_ask import questions_about_dangers
from toolglot.converter.text.pointers import only_keys, without_nulls
from toolglot.converter.text.sequences import group_by
from toolglot.verbs.comparison.change_classes import CLASSES, DANGEROUS_TOOL, REMOVED, SAFETY, largest
from toolglot.verbs.comparison.danger_changes import comparable_facets
from toolglot.verbs.comparison.difference import (
    ContractChange,
    Difference,
    ToolDifference,
    change_by_rule,
    gravest_first,
)
from toolglot.verbs.comparison.field_comparisons import differing_fields
from toolglot.verbs.comparison.pairing import pair_entries
from toolglot.verbs.comparison.renamed_tools import find_renamed_tools
from toolglot.verbs.comparison.tool_fields import INHERITED, extension_changes, field_changes, group_changes
from toolglot.verbs.comparison.tools_to_compare import ContractEntry, ContractSource, EntryPair, read_side
from toolglot.verbs.comparison.versions import judge_version

Watch = Callable[[int, int], None]
"""Called now and then with how many pairs were compared, and how many there are."""


def _watch_nothing(number: int, total: int) -> None:
    """Nobody waits."""


def diff(old: ContractSource, new: ContractSource, *, watch: Watch = _watch_nothing) -> Difference:
    """What changed from the old contract of some tools to the new one.

    Formats may differ: then only what both can say is compared, and `Difference.not_comparable` names the rest.

    Args:
        old, new: text (`str`, `bytes`), a file (`os.PathLike`), data that was parsed already, a `Tool`, a list of
            `Tool`, or a list of `Reading`.
        watch: is told how far it is; by default nobody is.

    Raises:
        ReadError: a side cannot be read.

    >>> old = Tool(id="rm", version="1.0.0", inputs={"properties": {"path": {"type": "string"}}})
    >>> new = Tool(id="rm", version="1.1.0", inputs={"properties": {"path": {"enum": ["a"]}}})
    >>> difference = diff(old, new)
    >>> changes = [(change.kind, change.code, change.path) for change in difference.changes]
    >>> changes, difference.needs, difference.follows
    ([('breaking', 'input-narrowed', '/inputs/properties/path/enum')], 'major', False)
    """
    before, after = read_side(old), read_side(new)
    entries = pair_entries(before, after)
    pairs = [(one, other) for one, other in entries if one and other]
    old_only = [one for one, other in entries if one and not other and one.callable]
    new_only = [other for one, other in entries if other and not one]
    twins: dict[int, str] = {}  # identity of an entry that one side lacks -> id of the one that looks like it
    for one, other in find_renamed_tools(old_only, new_only):
        twins[id(one)] = other.id
        twins[id(other)] = one.id
    old_roots = {id(one.root): other for one, other in pairs}
    new_roots = {id(other.root): one for one, other in pairs}
    tools = [*_differences_by_program(pairs, watch)]
    for entry in old_only:
        tools.append(_removed_tool(entry, old_roots.get(id(entry.root)), twins.get(id(entry))))
    for entry in new_only:
        tools += _added_entry(entry, new_roots.get(id(entry.root)), twins.get(id(entry)))
    not_comparable = {name for pair in pairs for name in _not_comparable(*pair)}
    return Difference(
        tools=gravest_first(tools),
        compared=sum(one.callable for one, _ in pairs),
        not_comparable=tuple(sorted(not_comparable)),
    )


def _changes_of_entry(one: ContractEntry, other: ContractEntry) -> list[ContractChange]:
    """The changes between two entries but for what programs hand down."""
    old, new = one.tool, other.tool
    fields = _fields_of_both(one, other)
    if one.callable:
        facets = comparable_facets(old, new, (one.origin.holds, other.origin.holds))
        changes = [*field_changes(old, new, fields - INHERITED, facets)]
    else:
        changes = [*group_changes(old, new, fields)]
    if not (other.pointer or _versions(one, other, [])["follows"]):
        changes.append(change_by_rule("version-lowered", "/version", old.version, new.version))
    return changes + _suspicious_changes(one.own, other.own)


def _suspicious_changes(old: Tool, new: Tool) -> list[ContractChange]:
    """What `check` warns of newly, also in what only one of two formats can say."""
    names = differing_fields(old, new, Tool.__struct_fields__)
    if old.id != new.id:
        names.append("id")
    if not names:
        return []
    from toolglot.verbs.comparison.suspicious_words import suspicious_changes  # the rules, which few changes need

    was, now = ({name: to_json(getattr(tool, name)) for name in names} for tool in (old, new))
    return [*suspicious_changes(was, now)]


def _fields(entry: ContractEntry, other: ContractEntry) -> frozenset[str]:
    """The fields of the hub that an entry's format can say, as far as the format of the other entry matters."""
    if entry.origin.format is other.origin.format:
        return _ALL_FIELDS
    return entry.origin.holds


def _fields_of_both(one: ContractEntry, other: ContractEntry) -> frozenset[str]:
    """The fields that both can say."""
    return _fields(one, other) & _fields(other, one)


_ALL_FIELDS = frozenset(Tool.__struct_fields__) - {*fields_with(kind=TREE), "id", "origin", "assumed"}


def _not_comparable(one: ContractEntry, other: ContractEntry) -> Iterable[str]:
    """The fields that one tool states and the other's format cannot."""
    for entry, fields in ((one, _fields(other, one)), (other, _fields(one, other))):
        for name in _ALL_FIELDS - fields:
            if getattr(entry.tool, name) is not None:
                yield name


# -- programs ---------------------------------------------------------------------------------------------------------


def _differences_by_program(pairs: list[EntryPair], watch: Watch) -> Iterable[ToolDifference]:
    """The differences of pairs; what changed alike in all commands of a program is said once, of the program."""
    number = 0
    for program_pairs in group_by(pairs, lambda pair: id(pair[1].root)).values():
        watch(number, len(pairs))
        yield from _differences_of_program(program_pairs)
        number += len(program_pairs)


def _differences_of_program(pairs: list[EntryPair]) -> Iterable[ToolDifference]:
    changes_by_pair = [(one, other, _changes_of_entry(one, other)) for one, other in pairs]
    # Two thousand commands hold the same two thousand options, so what was compared once is not compared again.
    changes_of_inherited: dict[Any, list[ContractChange]] = {}
    for one, other in pairs:
        source = _source_of_inherited(one, other)
        if other.callable and source not in changes_of_inherited:
            fields = _fields_of_both(one, other) & INHERITED
            changes_of_inherited[source] = [*field_changes(one.tool, other.tool, fields, ())]
    leaves = [changes for _, other, changes in changes_by_pair if other.callable]
    is_program = len(leaves) > 1 and _is_one_program(pairs)
    shared_changes = _find_shared(leaves) if is_program else {}
    is_inherited_alike = is_program and len(changes_of_inherited) == 1
    for one, other, changes in changes_by_pair:
        own = [change for change in changes if _key_of_change(change) not in shared_changes]
        if other.callable and not is_inherited_alike:
            own += changes_of_inherited[_source_of_inherited(one, other)]
        if not other.pointer:
            own += shared_changes.values()
        if not other.pointer and is_inherited_alike:
            own += chain.from_iterable(changes_of_inherited.values())
        if own:
            yield _difference(other, "changed", own, _versions(one, other, own))


def _is_one_program(pairs: list[EntryPair]) -> bool:
    """Whether the root is among the entries, and none of them has a version of its own."""
    for pair in pairs:
        for entry in pair:
            if entry.tool.version not in (None, entry.root.version):
                return False
    return any(not other.pointer for _, other in pairs)


def _source_of_inherited(one: ContractEntry, other: ContractEntry) -> tuple[int, ...]:
    """Which objects two commands have from their programs."""
    objects = [(entry.origin.format, entry.tool.global_inputs, entry.tool.global_bindings) for entry in (one, other)]
    return tuple(map(id, chain.from_iterable(objects)))


def _find_shared(leaves: list[list[ContractChange]]) -> dict[Any, ContractChange]:
    first = {_key_of_change(change): change for change in leaves[0]}
    common = set(first)
    for changes in leaves[1:]:
        common.intersection_update(map(_key_of_change, changes))
    return only_keys(first, common)


def _key_of_change(change: ContractChange) -> Any:
    return change.code, change.path, change.note, repr((change.before, change.after))


def _difference(
    entry: ContractEntry, status: str, changes: list[ContractChange], versions: dict[str, Any], twin: str | None = None
) -> ToolDifference:
    """What happened to an entry, the gravest first, with the places where it says so."""
    needs = largest(change.rule.bump for change in changes)
    placed: list[ContractChange] = []
    for change in sorted(changes, key=lambda change: CLASSES.index(change.kind)):
        source, line, column = entry.position(change.path)
        placed.append(replace(change, tool=entry.id, source=source, line=line, column=column))
    return ToolDifference(id=entry.id, status=status, changes=tuple(placed), needs=needs, looks_like=twin, **versions)


def _versions(one: ContractEntry, other: ContractEntry, changes: list[ContractChange]) -> dict[str, Any]:
    """The versions of two tools, or programs, and whether the new one follows; some formats cannot show one."""
    kind = min((change.kind for change in changes), key=CLASSES.index, default=None)
    old, new = one.tool.version or one.root.version, other.tool.version or other.root.version
    verdict = judge_version(old, new, kind)
    if "version" not in _fields_of_both(one, other):
        verdict = judge_version(None, None, kind)
    return {"old_version": old, "new_version": new, **verdict._asdict()}


# -- tools that only one side has -------------------------------------------------------------------------------------


def _removed_tool(entry: ContractEntry, new_program: ContractEntry | None, twin: str | None) -> ToolDifference:
    """A tool that is gone; of a program that goes on, the program's version has to say so."""
    changes = [change_by_rule(REMOVED, "")]
    versions = {"old_version": entry.tool.version, "follows": False}
    if new_program is not None:
        versions = _versions(entry, new_program, changes)
    return _difference(entry, "removed", changes, versions, twin)


_READ_BY_MODELS = ("title", "description", "when_to_use", "inputs", "outputs")


def _added_entry(entry: ContractEntry, old_program: ContractEntry | None, twin: str | None) -> Iterable[ToolDifference]:
    """A tool that is new; or a new group, which is no tool, with dangers that are not in its fields.

    A version has to follow only where a command is new in a program that was there before.
    """
    nothing = Tool(id="")
    changes = _suspicious_changes(nothing, entry.own)
    changes += [change for change in extension_changes(nothing, entry.own) if change.kind == SAFETY]
    status = "changed"
    if entry.callable:
        status = "added"
        words = only_keys(without_nulls(msgspec.structs.asdict(entry.tool)), _READ_BY_MODELS)
        dangers = [question.reason for question in questions_about_dangers(entry.tool)]
        if dangers:
            changes.insert(0, change_by_rule(DANGEROUS_TOOL, "", note="; ".join(dangers)))
        changes.insert(0, change_by_rule("tool-added", "", after=words or None))
    versions = {"new_version": entry.tool.version}
    if old_program is not None:
        versions = _versions(old_program, entry, changes[:1])
    if changes:
        yield _difference(entry, status, changes, versions, twin)
