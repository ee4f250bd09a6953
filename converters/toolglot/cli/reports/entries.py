"""The entries of a report: the changes that people are told, in their order, and how grave each is."""

from __future__ import annotations

from toolglot.converter import formats, safety
from toolglot.converter.conversion.categories import DANGERS, LOSSES, Category
from toolglot.converter.conversion.report import Change, Report, split_path
from toolglot.converter.text.pointers import as_mapping, unescape

BINDINGS = ("bindings", "global_bindings")  # how a parameter is given; what it is stays


def entries_of(report: Report) -> list[Change]:
    """The changes of a conversion but for its bookkeeping, the gravest first."""
    return sorted([change for change in report.changes if not change.bookkeeping], key=rank_of)


def rank_of(change: Change) -> tuple[int, bool]:
    """The order of a report: by category, and in each what is about safety first."""
    return change.category.rank, not is_about_safety(change)


def is_grave(change: Change) -> bool:
    """Whether a person should decide about it: it stands on somebody's word, or callers can do more, or nothing."""
    return change.category in (*DANGERS, Category.WIDER) or change.action == "excluded" or change.direction == "riskier"


def is_warning(change: Change) -> bool:
    """Whether it is a loss that has a severity."""
    return change.category in LOSSES and change.severity != "info"


def is_gone(change: Change) -> bool:
    """Whether nothing is left of what stands there."""
    return change.action == "dropped" and not change.is_carried and name_inside(change) not in BINDINGS


def name_inside(change: Change) -> str:
    """The field of the hub; nothing for a part of one."""
    _, name, rest = split_path(change.path)
    return "" if rest else name


def is_about_safety(change: Change) -> bool:
    """Whether it is about a fact or a text that says how dangerous a tool is."""
    return change.fact == "flags" or bool(safety.facets_of(change.fact)) or _has_hints(change)


def _has_hints(change: Change) -> bool:
    """Whether what the hub does not model holds hints about safety, which state no fact."""
    _, name, rest = split_path(change.path)
    owner, *keys = map(unescape, rest.split("/")[1:] or [""])
    owner_format = formats.find(owner)
    if name != "extensions" or owner_format is None:
        return False
    for value in (change.before, change.after):
        keys += as_mapping(value)
    return not owner_format.claims.keys().isdisjoint(keys)
