"""Why the hub's records are msgspec Structs: the same record as a dataclass, on the nodes of a large program.

`python benchmarks/records.py` builds every node 200 times each way, in turns, and imports each library in
processes of their own.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import msgspec
import startup
from documents import program

import toolglot
from toolglot.converter.hub.model import Tool

ROUNDS = 200
_FIELDS = [(field.name, Any, None) for field in msgspec.structs.fields(Tool)]


def _dataclass(frozen: bool) -> type:
    fields = [(name, kind, dataclasses.field(default=default)) for name, kind, default in _FIELDS]
    return dataclasses.make_dataclass("Tool", fields, frozen=frozen, slots=True, kw_only=True)


KINDS: dict[str, Callable[..., Any]] = {
    "msgspec.Struct, frozen": Tool,
    "dataclass, slots": _dataclass(frozen=False),
    "dataclass, slots, frozen": _dataclass(frozen=True),
}


def nodes() -> list[dict[str, Any]]:
    """What every node of the program states."""

    def walk(tool: Tool) -> list[Tool]:
        return [tool, *(node for child in tool.children or () for node in walk(child))]

    (tool,) = toolglot.read(program())
    stated = []
    for node in walk(tool):
        fields = msgspec.structs.asdict(node)
        stated.append({name: value for name, value in fields.items() if value is not None})
    return stated


def build_times(stated: list[dict[str, Any]]) -> dict[str, float]:
    """Median seconds to build all records."""
    taken: dict[str, list[float]] = {name: [] for name in KINDS}
    for _ in range(ROUNDS):
        for name, kind in KINDS.items():
            started = perf_counter()
            for fields in stated:
                kind(**fields)
            taken[name].append(perf_counter() - started)
    return {name: median(times) for name, times in taken.items()}


def memory(kind: Callable[..., Any], stated: list[dict[str, Any]]) -> int:
    """Bytes of all records, without the values in them, which are shared."""
    tracemalloc.start()
    kept = [kind(**fields) for fields in stated]
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size // len(kept)


def import_times() -> dict[str, float]:
    """Median seconds of a process that imports one module, and of one that imports nothing."""
    taken: dict[str, list[float]] = {}
    for _ in range(startup.ROUNDS):
        for code in ("pass", "import click", "import click, dataclasses", "import click, msgspec"):
            started = perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            taken.setdefault(code, []).append(perf_counter() - started)
    return {code: median(times) for code, times in taken.items()}


if __name__ == "__main__":
    stated = nodes()
    print(f"{len(stated)} records of {len(_FIELDS)} fields")
    for name, seconds in build_times(stated).items():
        each = memory(KINDS[name], stated)
        print(
            f"{name:26} {seconds * 1e6:6.0f} us to build, {seconds / len(stated) * 1e6:.2f} us each, {each} bytes each"
        )
    for code, seconds in import_times().items():
        print(f"{code:26} {seconds * 1e3:6.1f} ms")
