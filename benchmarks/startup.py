"""How long whole processes take, against `python -c pass`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from documents import ATDF_RECORD, TOOL_MD

ROUNDS = 21
TOOLGLOT = str(Path(sys.executable).with_name("toolglot"))


def commands(folder: Path) -> dict[str, list[str]]:
    """What is started, under the name of its row; the first is what the others are compared with."""
    source = folder / "TOOL.md"
    source.write_text(TOOL_MD, "utf-8")
    record = folder / "record.json"
    record.write_text(json.dumps(ATDF_RECORD), "utf-8")
    call = f"import toolglot, pathlib; toolglot.convert(pathlib.Path({str(source)!r}), 'atip')"
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "toolglot --help": [TOOLGLOT, "--help"],
        "toolglot convert TOOL.md --to atip": [TOOLGLOT, "convert", str(source), "--to", "atip"],
        "toolglot convert record.json --to tool-descriptor": [
            TOOLGLOT,
            "convert",
            str(record),
            "--to",
            "tool-descriptor",
        ],
        'toolglot.convert(Path("TOOL.md"), "atip")': [sys.executable, "-c", call],
    }


def environment(folder: Path) -> dict[str, str]:
    """Ours, with compiled modules in `folder`: as if installed, whatever this machine says about writing them."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def measure(rounds: int = ROUNDS) -> dict[str, float]:
    """Median seconds of each command; they take turns, so that the ratios come from the same minutes."""
    taken: dict[str, list[float]] = {}
    with TemporaryDirectory() as folder:
        env = environment(Path(folder))
        for number in range(rounds + 1):
            for name, command in commands(Path(folder)).items():
                started = perf_counter()
                # In a folder without a pyproject.toml, which the program would read for its settings.
                subprocess.run(
                    command, env=env, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
                )
                if number:  # the first round compiles the modules
                    taken.setdefault(name, []).append(perf_counter() - started)
    return {name: median(times) for name, times in taken.items()}


if __name__ == "__main__":
    medians = measure()
    base = next(iter(medians.values()))
    for name, seconds in medians.items():
        print(f"{name:50} {seconds * 1000:6.1f} ms  {seconds / base:4.1f}x")
