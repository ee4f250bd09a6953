"""What tells the ATIP metadata of a program from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import LookAlike, Marks


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    return isinstance(data, dict) and "atip" in data and ("name" in data or "binary" in data or "commands" in data)


def _is_registry_manifest(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    return "atip" in data and ("registry" in data or "endpoints" in data)


MARKS = Marks(
    patterns=("*.atip.json",),
    sniff=_sniff,
    look_alikes=(
        LookAlike(
            "an ATIP registry manifest",
            _is_registry_manifest,
            "it lists where programs are, not what they do; convert the programs' own metadata",
        ),
    ),
)
