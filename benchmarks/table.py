"""`make bench`: what we aim at, then tables of speed as ratios to parse + serialise alone and to `python -c pass`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import startup
import targets

HERE = Path(__file__).parent


def measurements(module: str) -> list[dict[str, Any]]:
    """What pytest-benchmark measured in a module of this folder: one entry a document and operation."""
    with TemporaryDirectory() as folder:
        result = Path(folder, "speed.json")
        options = ["-q", "--no-header", "-W", "ignore", "-p", "no:cacheprovider", "-p", "benchmark"]
        options.append(f"--benchmark-json={result}")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", str(HERE / module), *options],
            check=False,
            cwd=HERE.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if done.returncode:
            sys.exit(done.stdout)
        return list(json.loads(result.read_bytes())["benchmarks"])


def duration(seconds: float) -> str:
    """
    >>> duration(0.0000123), duration(0.0123)
    ('12 us', '12.3 ms')
    """
    return f"{seconds * 1e6:.0f} us" if seconds < 0.001 else f"{seconds * 1e3:.1f} ms"


def rows(found: list[dict[str, Any]], cell: Callable[[dict[str, Any]], str] | None = None) -> list[list[str]]:
    """A row a document, a column an operation: its median and how many times the floor that is."""
    columns = list(dict.fromkeys(entry["extra_info"]["operation"] for entry in found))
    columns.sort(key=_place)
    by_document: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for entry in found:
        about = entry["extra_info"]
        by_document.setdefault((about["format"], about["document"]), {})[about["operation"]] = entry
    table = [["document", "size", "floor", *columns]]
    for (name, document), entries in by_document.items():
        about = next(iter(entries.values()))["extra_info"]
        cells = dict.fromkeys(columns, "")
        for operation, entry in entries.items():
            cells[operation] = (cell or _cell)(entry)
        table.append(
            [f"{name}: {document}", f"{about['size'] / 1000:.1f} kB", duration(about["floor"]), *cells.values()]
        )
    return table


def _place(column: str) -> tuple[bool, str]:
    """Where a column stands: conversions last and by name, the others as they were measured."""
    if column.startswith("to "):
        return True, column
    return False, ""


def _cell(entry: dict[str, Any]) -> str:
    middle = entry["stats"]["median"]
    return f"{duration(middle)} {middle / entry['extra_info']['floor']:.1f}x"


def compile_rows(found: list[dict[str, Any]]) -> list[list[str]]:
    """As `rows`, with operations a second beside the ratio to the floor."""
    table = rows(found, _rate)
    return [["160 commands to", *table[0][1:]], *([cells[0].partition(":")[0], *cells[1:]] for cells in table[1:])]


def _rate(entry: dict[str, Any]) -> str:
    middle = entry["stats"]["median"]
    return f"{1 / middle:.1f}/s {middle / entry['extra_info']['floor']:.1f}x"


def start_rows(medians: dict[str, float]) -> list[list[str]]:
    base = next(iter(medians.values()))
    return [
        ["process", "median", "ratio"],
        *([name, duration(seconds), f"{seconds / base:.1f}x"] for name, seconds in medians.items()),
    ]


def markdown(table: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = " | ".join(map(str.ljust, row, widths))
        lines.append(f"| {cells} |")
    rule = "|".join("-" * (width + 2) for width in widths)
    lines.insert(1, f"|{rule}|")
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown(targets.rows()))
    print()
    print(markdown(rows(measurements("test_speed.py"))))
    print()
    print(markdown(compile_rows(measurements("test_compile.py"))))
    print()
    print(markdown(start_rows(startup.measure())))
