"""What becomes of one key of a TOOL.md from before AIP-30."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class DriverPart(NamedTuple):
    """Where the value of one key goes.

    Attributes:
        driver: the keys of DRIVER.md that it becomes.
        needs: names that the tool's `requires` has to list under the same key.
        secrets: the entries of SECRETS.md that it becomes.
        origins: JSON Pointer of such an entry -> JSON Pointer of its old place.
        kept: why DRIVER.md keeps the old value as well, and what a person has to do with it; empty: it does not.
        note: what else a person has to do; empty: nothing.
        place: path of keys in DRIVER.md to the new value; empty: the first key of `driver`, or for a kept value its
            place in `metadata`.
    """

    driver: Mapping[str, Any] = {}
    needs: Sequence[str] = ()
    secrets: Sequence[dict[str, Any]] = ()
    origins: Mapping[str, str] = {}
    kept: str = ""
    note: str = ""
    place: tuple[str, ...] = ()
