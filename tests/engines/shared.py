"""What the tests of engines have in common: records with everything that could go wrong between two programs."""

from __future__ import annotations

import json
from typing import Any

from toolglot.streams import convert_batch

TO = "atdf"
SAID = ("output", "changes", "error", "pointer", "message", "record_id")


def records(number: int) -> list[str]:
    """Good ones, refused ones, one that becomes two, and texts that some readers of lines take apart."""
    found = []
    for index in range(number):
        record = {"toolId": f"mcp:t{index}", "source": "mcp", "safetyTier": "write", "description": f"Tool {index}."}
        if index % 10 == 3:
            record["description"] = "One\u2028two\u0085three\x0bfour \U0001f512 Ünï".replace("\x0b", "")
        if index % 10 == 5:
            record.pop("source")
        line = json.dumps(record, ensure_ascii=False)
        if index % 10 == 7:
            line = json.dumps({"tools": [record, {**record, "toolId": f"mcp:u{index}"}]}, ensure_ascii=False)
        if index % 10 == 9:
            line = line[:40]
        found.append(line)
    return found


def said(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What rows say, in any order."""
    return sorted((tuple(row.get(name) or "" for name in SAID) for row in rows), key=repr)


def expected(lines: list[str]) -> list[tuple[Any, ...]]:
    """What one process says of every record."""
    batch = convert_batch(lines, TO, report=True)
    return said([dict(zip(batch, row, strict=True)) for row in zip(*batch.values(), strict=True)])
