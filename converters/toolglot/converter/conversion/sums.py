"""What is counted in parts, in several processes or of one record after the other, put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set

import msgspec


def add_up(sums: msgspec.Struct, later: msgspec.Struct) -> None:
    """Add to what parts come to what a later part of the same class comes to.

    Numbers and counters are added up, sets are joined, of flags one is enough, and what can merge merges itself; lists,
    mappings and texts are left to the class.

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
