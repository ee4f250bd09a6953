"""A repository of 10,000 mixed files: check, migrate and convert, with one worker and with two.

Every command is a process of its own. The two take turns, each into a folder of its own, because a file system
that has just lost many files takes ten times as long to make new ones. One round takes about two minutes on two idle
cores, and is enough for a ratio of seconds; `--rounds 3` takes medians. Processor time stands beside the clock's: where
the clock of two workers shows far more than half of it, other programs had the second core.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from startup import environment

import repository

COMMANDS = {
    "check": ["check", "."],
    "migrate --check": ["migrate", ".", "--kind", "cli", "--check"],
    "migrate --diff": ["migrate", ".", "--kind", "cli", "--diff"],
    "convert": ["convert", ".", "--to", "atip", "-o"],
    "catalog": ["catalog", ".", "--to", "atdf", "-o"],
}


class Run(NamedTuple):
    """Seconds of one process by the clock, and of the processor: its own and its workers'."""

    wall: float
    processor: float


def run(root: Path, command: list[str], jobs: int, output: Path) -> Run:
    """Run one process to its end."""
    target = [str(output)] if command[-1] == "-o" else []
    began, used = perf_counter(), _children_seconds()
    subprocess.run(
        [sys.executable, "-m", "toolglot", *command, *target, "-q", f"-j{jobs}"],
        cwd=root,
        env=environment(root.parent),  # else every process compiles the modules anew, before its workers start
        check=False,  # some of the files are broken on purpose
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return Run(perf_counter() - began, _children_seconds() - used)


def _children_seconds() -> float:
    """The processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(number: int, rounds: int) -> list[list[str]]:
    """A row a command: seconds with one worker and with two, files a second, and how much faster two are."""
    head = "10,000 files" if number == 10_000 else f"{number} files"
    table = [[head, "-j1", "-j2", "files/s", "-j1 / -j2", "processor -j1", "processor -j2"]]
    with TemporaryDirectory() as scratch:
        root = Path(scratch, "repository")
        repository.generate(root, number)
        run(root, ["check", "TOOL.md"], 1, root)  # compiles the modules
        for name, command in COMMANDS.items():
            suffix = ".json" if name == "catalog" else ""
            runs: dict[int, list[Run]] = {1: [], 2: []}
            for turn in range(rounds):
                for jobs, finished in runs.items():
                    output = Path(scratch, f"{name}-{turn}-{jobs}{suffix}")
                    finished.append(run(root, command, jobs, output))
            one, one_processor = map(median, zip(*runs[1], strict=True))
            two, two_processor = map(median, zip(*runs[2], strict=True))
            walls = [f"{one:.1f} s", f"{two:.1f} s", f"{number / two:,.0f}", f"{one / two:.2f}x"]
            table.append([name, *walls, f"{one_processor:.1f} s", f"{two_processor:.1f} s"])
        table += _written(root, number)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [*table, ["largest process", "", f"{peak:.0f} MB", "", "", "", ""]]


def _written(root: Path, number: int) -> list[list[str]]:
    """What writing takes, and a second run, which writes nothing."""
    command = ["migrate", ".", "--kind", "cli"]
    rows = []
    for name in ("migrate", "migrate again"):
        wall, used = run(root, command, 2, root)
        rows.append([name, "", f"{wall:.1f} s", f"{number / wall:,.0f}", "", "", f"{used:.1f} s"])
    return rows


if __name__ == "__main__":
    from table import markdown

    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    print(markdown(measure(asked.files, asked.rounds)))
