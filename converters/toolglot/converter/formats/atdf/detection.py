"""What tells ATDF descriptions from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks
from toolglot.converter.formats.kit.containers import first_record


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    return "how_to_use" in first_record(data)


MARKS = Marks(patterns=("*.atdf.json", "*.atdf.yaml", "*.atdf.jsonl"), sniff=_sniff)
