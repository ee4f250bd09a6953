"""The versions of ATIP, and which of them describes a program."""

from __future__ import annotations

from typing import Any

EARLY = ("0.1", "0.2", "0.3")  # one schema describes them; the texts of all three write 0.1
NEWEST = "0.6"

SPAN = r"[0-9]+-[0-9]+[smh]"  # a duration, as the schemas since 0.4 need it; older examples have `5s` too

# Old word -> present one. 0.1.0 has `none` for `free`; its example has `variable`, for which only the highest is safe.
OLD_ESTIMATES = {"none": "free", "variable": "high"}


def described_by(version: str) -> str:
    """The version whose schema describes documents of a version: `0.3` for older ones."""
    return "0.3" if version in EARLY else version


def version_of(data: dict[str, Any]) -> str:
    """The version whose schema describes a program; the newest where none is stated."""
    marker = data.get("atip")
    marker = marker.get("version") if isinstance(marker, dict) else marker
    return described_by(marker) if marker in (*EARLY, "0.4", "0.5") else NEWEST
