"""A stream of any number of records through each verb: time, memory, and errors counted three ways.

`python benchmarks/many_records.py FOLDER RECORDS [BASE ...]` writes RECORDS varied records of ATDF into FOLDER, one in
fifty of them bad in one of six ways, and runs `convert`, `check`, `tokens` and `catalog` on them over two processes.
BASE are files of ATDF, by default one of our own. Where the report of `convert`, its file of errors and the plain
function count other errors, the exit code is 1.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from documents import ATDF_RECORD
from table import markdown

from toolglot import convert_records

_BAD_ONE_IN = 50
_BREAKS: tuple[Callable[[bytes, dict[str, Any]], bytes], ...] = (
    lambda line, record: line[: len(line) // 2],
    lambda line, record: line[:9] + b"\xff" + line[9:],
    lambda line, record: json.dumps({**record, "description": 7}).encode(),
    lambda line, record: b"[" * 200 + b"]" * 200,
    lambda line, record: json.dumps({**record, "weight": float("nan")}).encode(),
    lambda line, record: b'{"tool_id": "a", ' + line[1:],
)

SOURCE = "records.jsonl"
VERBS = {
    "convert": [
        "--to",
        "openai",
        "-o",
        "converted.jsonl",
        "--errors",
        "convert-errors.jsonl",
        "--report",
        "report.json",
    ],
    "check": ["--fail-on", "never"],
    "tokens": ["--to", "openai", "--errors", "tokens-errors.jsonl"],
    "catalog": ["--to", "mcp", "-o", "catalog.jsonl", "--errors", "catalog-errors.jsonl", "-q"],
}


class Run(NamedTuple):
    """What one verb took; the memory is of its largest process, and of the first, which holds what grows."""

    seconds: float
    megabytes: float
    told: str


def lines(number: int, bases: list[dict[str, Any]]) -> Iterator[bytes]:
    """Records that differ in their ids and texts; every fiftieth is bad."""
    for index in range(number):
        base = bases[index % len(bases)]
        record = {**base, "tool_id": f"{base['tool_id']}_{index}", "description": f"{base['description']} No. {index}."}
        line = json.dumps(record, ensure_ascii=False).encode()
        if index % _BAD_ONE_IN == 7:
            line = _BREAKS[index // _BAD_ONE_IN % len(_BREAKS)](line, record)
        yield line + b"\n"


def measure(verb: str, options: list[str]) -> Run:
    """Run the command in this folder."""
    began = perf_counter()
    outputs = ((1, f"{verb}.out"), (2, f"{verb}.err"))
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, handle, name, flags, 0o644) for handle, name in outputs]
    arguments = [sys.executable, "-m", "toolglot", verb, SOURCE, "-j", "2", *options]
    _, _, usage = os.wait4(os.posix_spawn(sys.executable, arguments, os.environ, file_actions=actions), 0)
    told = Path(f"{verb}.err").read_text(encoding="utf-8").splitlines()
    return Run(perf_counter() - began, usage.ru_maxrss / 1e3, told[-1] if told else "")


def rows(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def plain_errors() -> Counter[str]:
    """What the function refuses, one record after the other in this process."""
    with open(SOURCE, "rb") as stream:
        return Counter(found.error.code for found in convert_records(stream, "openai") if found.error is not None)


def main(folder: str, number: str, *bases: str) -> int:
    records = [json.loads(Path(base).read_bytes()) for base in bases] or [ATDF_RECORD]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    with open(SOURCE, "wb") as stream:
        stream.writelines(lines(int(number), records))
    table = [["verb", "time", "memory", "last line"]]
    for verb, options in VERBS.items():
        run = measure(verb, options)
        table.append([verb, f"{run.seconds:,.0f} s", f"{run.megabytes:,.0f} MB", run.told])
        print(markdown(table[:1] + table[-1:]), flush=True)
    counted = json.loads(Path("report.json").read_bytes())["records"]["refused"]
    kept = Counter(row["code"] for row in rows("convert-errors.jsonl"))
    plain = plain_errors()
    print(f"errors: {counted:,} in the report, {kept.total():,} in the file, {plain.total():,} of the plain function")
    return 0 if counted == kept.total() and kept == plain else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
