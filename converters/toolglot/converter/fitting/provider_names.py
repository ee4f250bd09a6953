"""Names that a provider accepts, one for each tool of a request: all different, and independent of the order.

An acceptable name stays. Others are rewritten; where two would be equal, or one would be too long, a hash of the
original is added. No name is ever split again: whoever needs the way back keeps both names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import repeat
from typing import TypeAlias

from toolglot.converter.text.digests import hex_digest

Original: TypeAlias = tuple[str, Hashable]
"""The name wanted, and what makes it one of its kind."""

_HASH = (8, 16, 32, 64)


def allot(
    originals: Sequence[Original], first: str, rest: str, limit: int, literal: Sequence[bool] | None = None
) -> list[str]:
    """A name for each original.

    Args:
        originals: pairs of the wanted name and what makes it unique, such as the path where two paths give one name.
        first: the characters that a name may begin with, as inside `[...]` of a regular expression.
        rest: the characters that may follow.
        limit: the most characters.
        literal: which originals are names that somebody chose. They take precedence over names that were composed.

    Returns:
        A name for each original, in the same order; equal only where the pairs are equal.

    >>> allot([("a.b", 1), ("a_b", 2)], "a-z_", "a-z_", 64)
    ['a_b_d7254b62', 'a_b']
    """
    accepts = re.compile(f"[{first}][{rest}]*").fullmatch
    ranks: tuple[dict[Original, str], ...] = ({}, {}, {})  # own names, other acceptable ones, rewritten ones
    for original, is_own in zip(originals, literal or repeat(True), strict=False):
        name = original[0]
        if accepts(name) and len(name) <= limit:
            ranks[0 if is_own else 1][original] = name
        else:
            ranks[2][original] = _rewrite(name, first, rest, limit)
    names: dict[Original, str] = {}
    for members in filter(None, ranks):
        names.update(_settle({pair: name for pair, name in members.items() if pair not in names}, names, limit))
    return [names[original] for original in originals]


def _settle(members: dict[Original, str], names: dict[Original, str], limit: int) -> dict[Original, str]:
    """Names of one rank: a name that is taken gets a hash, and a longer hash if that name is taken too."""
    used_names = set(names.values())
    names_by_pair = dict(members)
    for length in _HASH:
        counts = Counter(names_by_pair.values())
        meeting = [pair for pair, name in names_by_pair.items() if counts[name] > 1 or name in used_names]
        if not meeting:
            break
        digits = min(length, limit - 2)
        for pair in meeting:
            names_by_pair[pair] = f"{members[pair][: limit - digits - 1]}_{hex_digest(repr(pair), digits)}"
    return names_by_pair


def _rewrite(name: str, first: str, rest: str, limit: int) -> str:
    new_name = re.sub(f"[^{rest}]", "_", name)
    if not re.match(f"[{first}]", new_name):
        new_name = f"_{new_name}"
    is_lost = not name.isascii() or not name.strip()  # what `_` stands for could be anything
    if is_lost or len(new_name) > limit:
        new_name = f"{new_name[: limit - 9]}_{hex_digest(name, 8)}"
    return new_name
