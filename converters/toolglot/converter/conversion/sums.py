"""Adds up counts of parts, such as those of several processes, or of one record after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

import msgspec


def add_up(sums: msgspec.Struct, later: msgspec.Struct) -> None:
    """Add the sums of a later part to those of earlier parts.

    Numbers and counters are added, sets are joined, a flag is true where one is, and values with `merge` merge
    themselves. Lists, mappings and texts are left to the class.

    >>> class Found(msgspec.Struct):
    ...     number: int
    ...     kinds: frozenset[str]
    >>> found = Found(1, frozenset("a"))
    >>> add_up(found, Found(2, frozenset("b")))
    >>> found.number, sorted(found.kinds)
    (3, ['a', 'b'])
    """
    for name in sums.__struct_fields__:
        own, more = getattr(sums, name), getattr(later, name)
        if hasattr(own, "merge"):
            own.merge(more)
        elif isinstance(own, Counter):
            own.update(more)
        elif isinstance(own, bool | Set):
            setattr(sums, name, own | more)
        elif isinstance(own, int):
            setattr(sums, name, own + more)
