"""Compares two contracts: the changes, what they mean to callers, and whether the versions follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from toolglot.converter.text.pointers import only_keys
from toolglot.converter.text.sequences import group_by
from toolglot.verbs.comparison.danger_changes import comparable_facets
from toolglot.verbs.comparison.difference import (
    ContractChange,
    Difference,
    ToolDifference,
    change_by_rule,
    gravest_first,
)
from toolglot.verbs.comparison.entry_differences import (
    ALL_FIELDS,
    comparable_fields,
    difference_of_entry,
    fields_of_both,
    suspicious_changes_of,
    versions_of,
)
from toolglot.verbs.comparison.pairing import pair_entries
from toolglot.verbs.comparison.removed_and_added_tools import compare_one_sided
from toolglot.verbs.comparison.tool_fields import INHERITED, field_changes, group_changes
from toolglot.verbs.comparison.tools_to_compare import ContractEntry, ContractSource, EntryPair, read_side

Watch = Callable[[int, int], None]
"""Called now and then with how many pairs were compared, and how many there are."""


def _watch_nothing(number: int, total: int) -> None:
    """Report no progress."""


def diff(old: ContractSource, new: ContractSource, *, watch: Watch = _watch_nothing) -> Difference:
    """The changes from the old contract of some tools to the new one.

    The formats may differ. Then only what both can say is compared, and `Difference.not_comparable` names the rest.

    Args:
        old, new: text (`str`, `bytes`), a file (`os.PathLike`), parsed data, a `Tool`, a list of `Tool`, or a list of
            `Reading`.
        watch: called with the progress; default: no reports.

    Raises:
        ReadError: a side cannot be read.

    >>> from toolglot import Tool
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
    tools = [*_differences_by_program(pairs, watch), *compare_one_sided(old_only, new_only, pairs)]
    not_comparable = {name for pair in pairs for name in _not_comparable(*pair)}
    return Difference(
        tools=gravest_first(tools),
        compared=sum(one.callable for one, _ in pairs),
        not_comparable=tuple(sorted(not_comparable)),
    )


def _changes_of_entry(one: ContractEntry, other: ContractEntry) -> list[ContractChange]:
    """The changes between two entries, without those of inherited facts."""
    old, new = one.tool, other.tool
    fields = fields_of_both(one, other)
    if one.callable:
        facets = comparable_facets(old, new, (one.origin.holds, other.origin.holds))
        changes = [*field_changes(old, new, fields - INHERITED, facets)]
    else:
        changes = [*group_changes(old, new, fields)]
    if not (other.pointer or versions_of(one, other, [])["follows"]):
        changes.append(change_by_rule("version-lowered", "/version", old.version, new.version))
    return changes + suspicious_changes_of(one.own, other.own)


def _not_comparable(one: ContractEntry, other: ContractEntry) -> Iterable[str]:
    """The fields that one tool states and the format of the other cannot state."""
    for entry, fields in ((one, comparable_fields(other, one)), (other, comparable_fields(one, other))):
        for name in ALL_FIELDS - fields:
            if getattr(entry.tool, name) is not None:
                yield name


# -- programs ---------------------------------------------------------------------------------------------------------


def _differences_by_program(pairs: list[EntryPair], watch: Watch) -> Iterable[ToolDifference]:
    """The differences of pairs. A change that all commands of a program share is reported once, for the program."""
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
            fields = fields_of_both(one, other) & INHERITED
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
            yield difference_of_entry(other, "changed", own, versions_of(one, other, own))


def _is_one_program(pairs: list[EntryPair]) -> bool:
    """Whether the root of the program is among the entries, and no entry has a version of its own."""
    for pair in pairs:
        for entry in pair:
            if entry.tool.version not in (None, entry.root.version):
                return False
    return any(not other.pointer for _, other in pairs)


def _source_of_inherited(one: ContractEntry, other: ContractEntry) -> tuple[int, ...]:
    """The identities of the objects that two commands inherit from their programs."""
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
