"""What the tests of engines have in common: records with everything that could go wrong between two programs."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from toolglot.streams import Shard, convert_batch

TO = "atdf"
SAID = ("output", "changes", "error", "pointer", "message", "record_id")


needs_java = pytest.mark.skipif(
    shutil.which("java") is None,
    reason="Spark needs Java, which no package of Python brings: install a JRE, 17 or later",
)


def engine(module: str) -> Any:
    """A package that only the environment of `make engines` has; elsewhere what needs it is skipped."""
    return pytest.importorskip(module, reason=f"{module} is not installed here: `make engines` installs and tries it")


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


def write_parts(folder: Path, lines: list[str]) -> None:
    """Lines as files of a hundred each."""
    for number, start in enumerate(range(0, len(lines), 100)):
        part = "".join(f"{line}\n" for line in lines[start : start + 100])
        (folder / f"part-{number}.jsonl").write_text(part)


def totals(shards: Iterable[Shard]) -> Counter[str]:
    """What all shards came to, none of which failed."""
    total = Counter[str]()
    for shard in shards:
        assert shard.error is None, shard.error
        total.update(shard.tally)
    return total
