"""What becomes of one key of a TOOL.md from before AIP-30."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class DriverPart(NamedTuple):
    """The new home of what one key said.

    Attributes:
        driver: what DRIVER.md says instead.
        needs: what the gate of the same name in the tool's `requires` has to name.
        secrets: entries of SECRETS.md.
        origins: where the old places of these entries are, by the new: JSON Pointers.
        kept: why the value itself is kept in DRIVER.md beside the rest, and what a person has to do with it; empty
            where it is not.
        note: what else a person has to do, if anything.
        place: keys in DRIVER.md that lead to the new home; by default the first of `driver`, or where others of its
            kind are kept.
    """

    driver: Mapping[str, Any] = {}
    needs: Sequence[str] = ()
    secrets: Sequence[dict[str, Any]] = ()
    origins: Mapping[str, str] = {}
    kept: str = ""
    note: str = ""
    place: tuple[str, ...] = ()
