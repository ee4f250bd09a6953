"""The changes of how much care a tool asks for, facet by facet."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from toolglot.converter import safety
from toolglot.converter.hub.model import Tool
from toolglot.verbs.comparison.difference import change_by_rule
from toolglot.verbs.comparison.field_comparisons import ContractChanges, change_of_value, differing_fields

_SILENT = safety.caution(Tool(id=""))
_DERIVED = frozenset({"risk"})  # where nobody states it, it follows from the facets that were named already
# Facets that a tool has or has not; the others have degrees.
_YES_NO = frozenset(facet for facet, level in _SILENT.items() if level == safety.UNKNOWN) - {"approval"}


def comparable_facets(old: Tool, new: Tool, sides: Sequence[Collection[str]]) -> frozenset[str]:
    """The facets that both formats can state equally well, or that both tools do state.

    Args:
        sides: for each format, the hub fields that have a place in it.
    """
    old_fields, new_fields = sides
    only_one_can_say = _facets_that_fit(old_fields) ^ _facets_that_fit(new_fields)
    was, now = safety.caution(old), safety.caution(new)
    return frozenset(
        facet
        for facet, silent in _SILENT.items()
        if facet not in only_one_can_say or silent not in (was[facet], now[facet])
    )


def _facets_that_fit(fields: Collection[str]) -> frozenset[str]:
    """The facets that a format with these fields can state, apart from flags in a text."""
    return frozenset().union(*(safety.facets_of(name) for name in fields if name != "flags"))


def changes_of_danger(old: Tool, new: Tool, fields: Collection[str], facets: Collection[str]) -> ContractChanges:
    """The changes where the tool asks for less or more care, with the fields that make the difference."""
    was, now = safety.caution(old), safety.caution(new)
    weaker = frozenset(facets).intersection(safety.weaker_facets(was, now))
    stricter = frozenset(facets).intersection(safety.weaker_facets(now, was))
    newly_unsafe = (safety.SAFE, safety.UNSAFE)
    dangers = frozenset(facet for facet in stricter & _YES_NO if (was[facet], now[facet]) == newly_unsafe)
    rules = (("safety-weaker", weaker), ("danger-added", dangers), ("safety-stricter", stricter))
    differ = differing_fields(old, new, {*fields, "flags"} & {*safety.SAFETY_FIELDS})
    for rule, facets_of_rule in rules:
        rest = facets_of_rule
        for name in differ:
            about = safety.facets_of(name) & facets_of_rule
            if about:
                yield change_of_value(rule, name, getattr(old, name), getattr(new, name), _facet_names(about))
                rest -= about
        follows = rest == _DERIVED and rest != facets_of_rule
        if rest and not follows:
            yield change_by_rule(rule, "", note=_facet_names(rest))


def _facet_names(facets: Collection[str]) -> str:
    return ", ".join(facet.replace("_", " ") for facet in safety.FACETS if facet in facets)
