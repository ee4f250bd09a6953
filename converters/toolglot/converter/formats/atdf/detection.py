"""What tells ATDF descriptions from other documents."""

from __future__ import annotations

from toolglot.converter.formats import Marks
from toolglot.converter.formats.kit.containers import first_record

MARKS = Marks(
    patterns=("*.atdf.json", "*.atdf.yaml", "*.atdf.jsonl"),
    sniff=lambda data, body, file_name: "how_to_use" in first_record(data),
)
