"""What a difference in the value of one field means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import Any, TypeAlias

from toolglot.converter import safety
from toolglot.converter.hub.fields import TREE, fields_with
from toolglot.converter.hub.model import ErrorCode, Tool, to_json
from toolglot.converter.safety.danger_of_stated_facts import POLICY
from toolglot.converter.schema.json_values import equality_key
from toolglot.converter.text.pointers import escape, texts_at
from toolglot.converter.text.sequences import group_by
from toolglot.verbs.comparison.difference import ContractChange, change_by_rule

ContractChanges: TypeAlias = Iterator[ContractChange]
"""The changes that a comparison comes to, in the order in which it tells them."""

Texts: TypeAlias = Sequence[str] | None
FieldComparison: TypeAlias = Callable[[str, Any, Any], ContractChanges]
"""What the values of a field before and after mean; it is told the name of the field."""

ORDERED = ("bindings", "global_bindings")
"""Fields whose order counts."""

# Compared by pairing, by the version, and by the fields that it is about.
_IDENTITY = frozenset({*fields_with(kind=TREE), "id", "origin", "version", "assumed", "unclear"})
_SILENCE_ASKS = 2  # a host may ask about a tool that does not say


def differing_fields(old: Tool, new: Tool, fields: Collection[str]) -> list[str]:
    """The fields that differ, in the order of the hub."""
    compared = [name for name in Tool.__struct_fields__ if name in fields and name not in _IDENTITY]
    return [name for name in compared if _is_different(name, getattr(old, name), getattr(new, name))]


def _is_different(name: str, before: Any, after: Any) -> bool:
    """Whether two values differ.

    The order of parameters is where they stand on the command line; and in JSON 1 is not true, as it is to Python.
    """
    if before != after:
        return True
    if name in ORDERED:
        return list(before or ()) != list(after or ())
    return isinstance(before, dict) and equality_key(before) != equality_key(after)


def change_of_value(rule: str, name: str, before: Any, after: Any, note: str = "") -> ContractChange:
    """The change of a field, or of a part of one: `name` is where it stands in the tool."""
    return change_by_rule(rule, f"/{name}", to_json(before), to_json(after), note)


def list_comparison(rule_of_added: str, rule_of_removed: str) -> FieldComparison:
    """How a list compares whose entries each mean something."""

    def compare(name: str, before: Texts, after: Texts) -> ContractChanges:
        was, now = frozenset(before or ()), frozenset(after or ())
        added_entries, removed_entries = now - was, was - now
        if added_entries:
            yield change_of_value(rule_of_added, name, before, after, ", ".join(sorted(added_entries)))
        if removed_entries:
            yield change_of_value(rule_of_removed, name, before, after, ", ".join(sorted(removed_entries)))

    return compare


def rule_comparison(find_rules: Callable[[Any, Any], Iterator[str]]) -> FieldComparison:
    """How a field compares of which the values before and after say by which rules they differ."""

    def compare(name: str, before: Any, after: Any) -> ContractChanges:
        for rule in find_rules(before, after):
            yield change_of_value(rule, name, before, after)

    return compare


_compare_gates = list_comparison("requires-added", "gate-removed")
_compare_mutations = list_comparison("mutates-added", "mutates-removed")


@rule_comparison
def _compare_namespaces(before: str | None, after: str | None) -> Iterator[str]:
    """Whose tool it is: what is granted to the tools of a server is not meant for a tool of nobody, or of another."""
    if before is None:
        yield "fact-changed"
    else:
        yield "namespace-lost" if after is None else "namespace-changed"


def _compare_errors(
    name: str, before: Sequence[ErrorCode] | None, after: Sequence[ErrorCode] | None
) -> ContractChanges:
    """Errors by their codes, of which one can stand there several times."""
    old, new = (group_by(errors or (), attrgetter("code")) for errors in (before, after))
    for code in {**old, **new}:
        was, now = old.get(code, []), new.get(code, [])
        rule = "wording-changed"
        if not was:
            rule = "error-added"
        elif not now:
            rule = "error-removed"
        gone = [error for error in was if error not in now]
        come = [error for error in now if error not in was]
        pointer = f"/{name}/{escape(code)}"
        for one, other in zip_longest(gone, come):
            yield change_by_rule(rule, pointer, to_json(one), to_json(other))


def _compare_paths(name: str, before: Texts, after: Texts) -> ContractChanges:
    """Where no path was said, any could be meant."""
    if before:
        yield from _compare_gates(name, before, after)
    else:
        yield change_of_value("fact-changed", name, before, after)


def _compare_resources(name: str, before: Texts, after: Texts) -> ContractChanges:
    """Kinds of resources; whether there are any at all is a question of danger."""
    if before and after:
        yield from _compare_mutations(name, before, after)


@rule_comparison
def _compare_risks(before: int | None, after: int | None) -> Iterator[str]:
    """Levels of risk; one that is not stated is none."""
    was, now = before or 0, after or 0
    if now != was:
        yield "risk-raised" if now > was else "risk-lowered"


@rule_comparison
def _compare_approvals(before: str | None, after: str | None) -> Iterator[str]:
    """Policies compare with nothing but themselves, and with tools that never ask."""
    was, now = (safety.levels_of("approval", word).get("approval", _SILENCE_ASKS) for word in (before, after))
    has_policy = _is_policy(before) or _is_policy(after)
    if has_policy and 0 not in (was, now):
        yield from ("policy-changed", "policy-changed-safety")
    elif now > was:
        yield "approval-tightened"
    elif now < was or has_policy:
        yield "approval-relaxed"


def _is_policy(word: str | None) -> bool:
    return word is not None and word.startswith(POLICY)


@rule_comparison
def _compare_idempotence(before: bool | None, after: bool | None) -> Iterator[str]:
    """Whether a call may be repeated; callers rely on a yes alone."""
    if before is True:
        yield "idempotence-lost"


@rule_comparison
def _compare_drivers(before: dict[str, Any] | None, after: dict[str, Any] | None) -> Iterator[str]:
    """What is forbidden, and the kinds that alone are allowed, where any are named."""
    was, now = before or {}, after or {}
    rules = {"drivers-restricted": _refuses_more(was, now), "drivers-opened": _refuses_more(now, was)}
    yield from [rule for rule, holds in rules.items() if holds] or ["fact-changed"]


def _refuses_more(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether the other constraints refuse a driver that the one take."""
    if _names_in(other, "forbid") - _names_in(one, "forbid"):
        return True
    kinds, kinds_of_other = _names_in(one, "require_kind"), _names_in(other, "require_kind")
    if not kinds:  # then all of them are allowed
        return bool(kinds_of_other)
    return bool(kinds_of_other and kinds - kinds_of_other)


def _names_in(constraints: dict[str, Any], word: str) -> frozenset[str]:
    return frozenset(texts_at(constraints, word))


COMPARISONS: dict[str, FieldComparison] = {
    "namespace": _compare_namespaces,
    "errors": _compare_errors,
    "mutates": _compare_mutations,
    **dict.fromkeys(fields_with(list_of="resources"), _compare_resources),
    "paths": _compare_paths,
    **dict.fromkeys(fields_with(list_of="gates"), _compare_gates),
    **dict.fromkeys(fields_with(list_of="needs"), list_comparison("requires-added", "requires-removed")),
    "risk_level": _compare_risks,
    "approval": _compare_approvals,
    "idempotent": _compare_idempotence,
    "driver_constraints": _compare_drivers,
}
"""By field, what a difference means where the values before and after alone decide it."""
