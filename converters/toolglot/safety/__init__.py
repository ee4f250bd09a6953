"""What a description says about danger, how much caution that asks for, and how a target says it.

Every rule about safety stands in this package and nowhere else, as three tables:

* `_SAYS` in `levels` reads: what a stated field says about each *facet* (destructive, network, approval, ...).
* `_DERIVE` in `expression` writes: the value of a field that the target has and the source does not state.
* `FLAGS` and `NOTES` in `levels` are the words for facets for which the target has no field.

A facet has a *level*; more is more cautious, and unknown lies between safe and unsafe, never at safe. The order
is `specs.md` 6.3; the rules are the crosswalk of 6.0 and 6.1; the flags are the ATIP RFC, section 8.1.
"""

from toolglot.safety.actions import disinherited, inheriting, is_inherited, relaxed, stricter, with_provenance
from toolglot.safety.expression import Approval, express, hints
from toolglot.safety.levels import (
    FACETS,
    FLAGS,
    NOTES,
    SAFE,
    SAFETY_FIELDS,
    UNKNOWN,
    UNSAFE,
    WORDS,
    Levels,
    asks_on_change,
    caution,
    facets_of,
    hidden,
    in_order,
    levels_of,
    reads_only,
    stated,
    weaker,
)

__all__ = [
    "FACETS",
    "FLAGS",
    "NOTES",
    "SAFE",
    "SAFETY_FIELDS",
    "UNKNOWN",
    "UNSAFE",
    "WORDS",
    "Approval",
    "Levels",
    "asks_on_change",
    "caution",
    "disinherited",
    "express",
    "facets_of",
    "hidden",
    "hints",
    "in_order",
    "inheriting",
    "is_inherited",
    "levels_of",
    "reads_only",
    "relaxed",
    "stated",
    "stricter",
    "weaker",
    "with_provenance",
]
