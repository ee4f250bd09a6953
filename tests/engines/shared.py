"""What the tests of engines have in common: records with everything that could go wrong between two programs."""

from __future__ import annotations

import json

from toolglot.verbs.streams.engines import convert_batch

TO = "atdf"


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


def expected(lines: list[str]) -> list[tuple[str | None, str | None, str | None]]:
    """Output, error and changes of every row, as one process has them."""
    batch = convert_batch(lines, TO)
    return list(zip(batch["output"], batch["error"], batch["changes"], strict=True))
