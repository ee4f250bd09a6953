"""A repository of 10,000 mixed files: check, migrate and convert, with one worker and with two.

Every command is a process of its own. The two take turns, each into a folder of its own, because a file system
that has just lost many files takes ten times as long to make new ones.
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

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import repository

COMMANDS = {
    "check": ["check", "."],
    "migrate --check": ["migrate", ".", "--kind", "cli", "--check"],
    "migrate --diff": ["migrate", ".", "--kind", "cli", "--diff"],
    "convert": ["convert", ".", "--to", "atip", "-o"],
    "catalog": ["catalog", ".", "--to", "atdf", "-o"],
}


def run(root: Path, command: list[str], jobs: int, output: Path) -> float:
    """Wall time of one process, in seconds."""
    target = [str(output)] if command[-1] == "-o" else []
    began = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "toolglot", *command, *target, "-q", f"-j{jobs}"],
        cwd=root,
        check=False,  # some of the files are broken on purpose
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return perf_counter() - began


def measure(number: int, rounds: int) -> list[list[str]]:
    """A row a command: seconds with one worker and with two, files a second, and how much faster two are."""
    table = [["10,000 files" if number == 10_000 else f"{number} files", "-j1", "-j2", "files/s", "-j1 / -j2"]]
    with TemporaryDirectory() as scratch:
        root = Path(scratch, "repository")
        repository.generate(root, number)
        for name, command in COMMANDS.items():
            times: dict[int, list[float]] = {1: [], 2: []}
            for turn in range(rounds):
                for jobs, found in times.items():
                    output = Path(scratch, f"{name}-{turn}-{jobs}{'.json' if name == 'catalog' else ''}")
                    found.append(run(root, command, jobs, output))
            one, two = median(times[1]), median(times[2])
            table.append([name, f"{one:.1f} s", f"{two:.1f} s", f"{number / two:,.0f}", f"{one / two:.2f}x"])
        table += _written(root, number)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [*table, ["largest process", "", f"{peak:.0f} MB", "", ""]]


def _written(root: Path, number: int) -> list[list[str]]:
    """What writing takes, and a second run, which writes nothing."""
    command = ["migrate", ".", "--kind", "cli"]
    rows = []
    for name in ("migrate", "migrate again"):
        seconds = run(root, command, 2, root)
        rows.append([name, "", f"{seconds:.1f} s", f"{number / seconds:,.0f}", ""])
    return rows


if __name__ == "__main__":
    from table import markdown

    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    print(markdown(measure(asked.files, asked.rounds)))
