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
        unknown: its level where nobody says anything. Of a facet that a tool has or has not, safe is 0 and unsafe is 2.
        is_degree: whether it has more levels than those.
        always_said: whether every target says it, because a reader who does not learn of it does harm (law 3). On every
            other facet a target may be silent: the fact is unknown there, and the report has it as dropped.
        is_change: whether something is no longer what it was.
        is_chosen_by: whether tools that are stated to do it can be left out.
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
    """The facets that are treated so, in the order of the table.

    >>> facets_with(is_degree=True)
    ('approval', 'risk', 'cost', 'egress')
    """
    return rows_with(FACETS, treatment)


def rows_with(table: Mapping[str, Any], treatment: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in a table of those that are treated so, in its order."""
    traits = attrgetter(*treatment)  # each asked once, which takes a third of asking a row for every key
    wanted = traits(SimpleNamespace(**treatment))  # one value of one key, a tuple of several, as `traits` gives them
    return tuple([name for name, row in table.items() if traits(row) == wanted])
