"""The one table of the facets of danger: what a statement about safety can be about, and how each is treated.

A list of facets that stands elsewhere is a query of this table, as one of fields is of `fields`. What a field says
about them is a matter of `safety`. It imports nothing of ours, because `--help` names facets.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, NamedTuple


class FacetTraits(NamedTuple):
    """How one facet is treated.

    Attributes:
        unknown: the level of a tool of which nobody says anything. A facet that is no degree has two levels more: 0 is
            safe, 2 is unsafe.
        is_degree: whether the facet has more levels than these.
        always_said: whether every target says it, because whoever does not learn of it does harm (law 3). On any other
            facet a target may be silent: the fact is unknown there, and the report names it as dropped.
        is_change: whether it is about a change of some state.
        is_chosen_by: whether users can leave out the tools for which it is stated.
    """

    unknown: int = 1
    is_degree: bool = False
    always_said: bool = False
    is_change: bool = False
    is_chosen_by: bool = False


FACETS: dict[str, FacetTraits] = {}
"""Name of a facet -> how it is treated."""


def _rows(*names: str, **treatment: Any) -> None:
    FACETS.update(dict.fromkeys(names, FacetTraits(**treatment)))


_rows("destructive", "irreversible", always_said=True, is_change=True, is_chosen_by=True)
_rows("unrepeatable", is_chosen_by=True)
_rows("billable", always_said=True, is_chosen_by=True)
_rows("network", is_chosen_by=True)
# "changes" is a change of any state, inside or outside the machine; "deletes" is the removal of anything, files or
# other resources.
_rows("changes", "writes_files", is_change=True, is_chosen_by=True)
_rows("deletes", always_said=True, is_change=True)
_rows("deletes_files", "executes", always_said=True, is_change=True, is_chosen_by=True)
_rows("credentials")
_rows("interactive", is_chosen_by=True)
# approval: never 0, sometimes 2, always 3. risk: as `risk_level`. cost: free 0, low 1, medium 3, high 4.
# egress: none 0 to host-owned 3, which unknown equals.
_rows("approval", is_degree=True, always_said=True)
_rows("risk", "cost", unknown=2, is_degree=True)
_rows("egress", unknown=3, is_degree=True)


def facets_with(**treatment: bool) -> tuple[str, ...]:
    """The facets that have these traits, in the order of the table.

    >>> facets_with(is_degree=True)
    ('approval', 'risk', 'cost', 'egress')
    """
    return rows_with(FACETS, treatment)


def rows_with(table: Mapping[str, Any], treatment: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the rows of a table that have these traits, in the order of the table."""
    traits = attrgetter(*treatment)  # each asked once, which takes a third of asking a row for every key
    wanted = traits(SimpleNamespace(**treatment))  # one value of one key, a tuple of several, as `traits` gives them
    return tuple([name for name, row in table.items() if traits(row) == wanted])
