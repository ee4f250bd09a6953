"""The names of pages in addresses and paths: all different, on every file system."""

from __future__ import annotations

import re

from toolglot.converter.text.digests import hex_digest

_LONGEST = 60
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")


def unique_slug(text: str, used_slugs: dict[str, int]) -> str:
    """A text as a unique part of an address and of a path, on every system.

    Args:
        used_slugs: slug that is taken -> the last number that was appended to it.

    >>> taken = {}
    >>> [unique_slug(text, taken) for text in ("gh pr list", "../../etc", "con", "con.x", "日本")]
    ['gh-pr-list', 'etc', 'con-1143da', 'con-x', 'tool-cf2abf']
    """
    plain = re.sub(r"[^a-z0-9_]+", "-", text.lower()).strip("-_")
    slug = plain[:_LONGEST].rstrip("-_") or "tool"
    # Of what was cut, or is no name of a file (`nul` is a device), a hash tells what it was.
    if slug != plain or slug in used_slugs or _DEVICE.fullmatch(slug):
        slug = f"{slug}-{hex_digest(text, 6)}"
    base = slug
    while slug in used_slugs:
        used_slugs[base] += 1
        slug = f"{base}-{used_slugs[base]}"
    used_slugs[slug] = 1
    return slug
