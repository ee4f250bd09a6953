"""How much of a document that may be anybody's is read."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """The size, depth and number of values that are read of a document.

    Args:
        max_bytes: size of the text as UTF-8; default 16 MiB.
        max_depth: how many lists and objects may lie inside each other; default 64.
        max_nodes: how many values YAML aliases may add, and data given directly may hold; default 1,000,000.

    >>> Limits(max_depth=8).max_bytes
    16777216
    """

    max_bytes: int = 16 * 1024 * 1024
    max_depth: int = 64
    max_nodes: int = 1_000_000


DEFAULT_LIMITS = Limits()
