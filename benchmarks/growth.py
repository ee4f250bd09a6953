"""How time and memory grow: tools, parameters and files of one conversion, and both sides of a `diff`.

Each cell is a process of its own. What the same command takes for one thing is subtracted: so the last column, which
divides what each of the most takes by what each of 1,000 takes, is 1 where the work grows as the number does.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from startup import environment

NUMBERS = (200, 1_000, 5_000, 10_000)


class Run(NamedTuple):
    """Seconds of the processor, and the most memory in bytes."""

    seconds: float
    memory: int


def run(folder: Path, arguments: list[str]) -> Run:
    """One process to its end; what it prints is thrown away."""
    silence = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    words = [sys.executable, "-m", "toolglot", *arguments]
    process = os.posix_spawn(sys.executable, words, environment(folder), file_actions=silence)
    _, status, used = os.wait4(process, 0)
    assert os.waitstatus_to_exitcode(status) < 2, words
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def tool(number: int, parameters: int = 2, note: str = "") -> dict[str, Any]:
    """A tool of a server; each text differs, so that nothing is known already."""
    properties = {f"value_{index}": {"type": "string", "description": f"Value {index}."} for index in range(parameters)}
    schema = {"type": "object", "properties": properties, "required": list(properties)[:1]}
    return {"name": f"tool_{number}", "description": f"Looks up part {number}{note}.", "inputSchema": schema}


def many_tools(folder: Path, number: int) -> list[str]:
    path = folder / "tools.json"
    path.write_text(json.dumps({"tools": [tool(index) for index in range(number)]}))
    return ["convert", str(path), "--to", "openai"]


def many_parameters(folder: Path, number: int) -> list[str]:
    path = folder / "tool.json"
    path.write_text(json.dumps(tool(0, number)))
    return ["convert", str(path), "--to", "atip"]


def many_files(folder: Path, number: int) -> list[str]:
    source = folder / "files"
    source.mkdir()
    for index in range(number):
        (source / f"{index}.json").write_text(json.dumps(tool(index)))
    return ["check", str(source), "-j1"]


def both_sides(folder: Path, number: int) -> list[str]:
    """Two versions of which every second tool says something else."""
    for name, note in (("old", ""), ("new", " anew")):
        tools = [tool(index, note=note if index % 2 else "") for index in range(number)]
        (folder / f"{name}.json").write_text(json.dumps({"tools": tools}))
    return ["diff", str(folder / "old.json"), str(folder / "new.json")]


ROWS: dict[str, Callable[[Path, int], list[str]]] = {
    "tools of one document, to OpenAI": many_tools,
    "parameters of one tool, to ATIP": many_parameters,
    "files, `check -j1`": many_files,
    "tools on both sides, `diff`": both_sides,
}


def measure(make: Callable[[Path, int], list[str]]) -> dict[int, Run]:
    """Number of things -> what they take beyond one of them, and the memory of the whole process."""
    runs: dict[int, Run] = {}
    with TemporaryDirectory() as scratch:
        for turn, number in enumerate((1, 1, *NUMBERS)):  # the first one compiles the modules
            folder = Path(scratch, str(turn))
            folder.mkdir()
            runs[number] = run(Path(scratch), make(folder, number))
    start = runs.pop(1)
    return {number: Run(taken.seconds - start.seconds, taken.memory) for number, taken in runs.items()}


def main() -> None:
    heads = [f"{number:,}" for number in NUMBERS]
    print(f"| what | {' | '.join(heads)} | each of {heads[-1]} / of {heads[1]} |")
    print(f"| --- |{' ---: |' * (len(NUMBERS) + 1)}")
    for name, make in ROWS.items():
        runs = measure(make)
        cells = [f"{taken.seconds:.2f} s, {taken.memory / 1e6:.0f} MB" for taken in runs.values()]
        first, last = NUMBERS[1], NUMBERS[-1]
        ratio = (runs[last].seconds / last) / (runs[first].seconds / first)
        print(f"| {name} | {' | '.join(cells)} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
