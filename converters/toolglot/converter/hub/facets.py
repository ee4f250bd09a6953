"""The one table of the facets of danger: what a statement about safety can be about, and how each is treated.

A list of facets that stands elsewhere is a query of this table, as one of fields is of `fields`. What a field says
about them is a matter of `safety`. It imports nothing, because `--help` names facets.
"""

from __future__ import annotations

from typing import NamedTuple


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


FACETS: dict[str, FacetTraits] = {
    "destructive": FacetTraits(always_said=True, is_change=True, is_chosen_by=True),
    "irreversible": FacetTraits(always_said=True, is_change=True, is_chosen_by=True),
    "unrepeatable": FacetTraits(is_chosen_by=True),
    "billable": FacetTraits(always_said=True, is_chosen_by=True),
    "network": FacetTraits(is_chosen_by=True),
    "changes": FacetTraits(is_change=True, is_chosen_by=True),  # of any state, inside or outside the machine
    "writes_files": FacetTraits(is_change=True, is_chosen_by=True),
    "deletes": FacetTraits(always_said=True, is_change=True),  # anything: files or other resources
    "deletes_files": FacetTraits(always_said=True, is_change=True, is_chosen_by=True),
    "executes": FacetTraits(always_said=True, is_change=True, is_chosen_by=True),
    "credentials": FacetTraits(),
    "interactive": FacetTraits(is_chosen_by=True),
    "approval": FacetTraits(1, is_degree=True, always_said=True),  # never 0, sometimes 2, always 3
    "risk": FacetTraits(2, is_degree=True),  # as `risk_level`
    "cost": FacetTraits(2, is_degree=True),  # free 0, low 1, medium 3, high 4
    "egress": FacetTraits(3, is_degree=True),  # none 0 to host-owned 3, which unknown equals
}
"""Name of a facet -> how it is treated."""


def facets_with(**treatment: bool) -> tuple[str, ...]:
    """The facets that are treated so, in the order of the table.

    >>> facets_with(is_degree=True)
    ('approval', 'risk', 'cost', 'egress')
    """
    wanted = treatment.items()
    return tuple(name for name, facet in FACETS.items() if all(getattr(facet, key) == value for key, value in wanted))
