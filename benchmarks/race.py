"""Several `migrate` runs over one tree, many times: `python benchmarks/race.py [ROUNDS] [PROCESSES] [interrupt]`.

After every round each document has to be whole, with all that belongs to it; one more run has to finish what an
interrupted one left. With `interrupt` one of the runs gets a Ctrl-C at a random moment.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from toolglot import migrate
from toolglot.cli import main
from toolglot.converter.files import temporaries

DOCUMENTS = 20
TOOL = """\
---
name: Tool {number}
id: tool-{number}
version: 1.0.0
description: Does {number} things.
run: python {number}.py
{extra}approval: always
inputs: {{type: object}}
outputs: {{}}
---
"""
EXTRAS = ("secrets: [mail/login]\n", "network: [example.com]\n", "")


def plant(root: Path) -> None:
    for number in range(DOCUMENTS):
        folder = root / f"tool{number}"
        folder.mkdir(parents=True)
        (folder / "TOOL.md").write_text(TOOL.format(number=number, extra=EXTRAS[number % len(EXTRAS)]))


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def finished(root: Path) -> dict[str, bytes]:
    """What the tree holds when all is done."""
    return {
        f"tool{number}/{name or 'TOOL.md'}": data
        for number in range(DOCUMENTS)
        for name, data in migrate(root / f"tool{number}" / "TOOL.md", kind="cli").files
    }


def start(root: Path) -> int:
    """A run in a forked process, which begins at once; its id. What it says goes to a file beside the tree."""
    child = os.fork()
    if child == 0:
        with open(f"{root}.{os.getpid()}.txt", "w", encoding="utf-8") as sys.stderr:
            os._exit(_run(root))
    return child


def _run(root: Path) -> int:
    code = main(["migrate", str(root), "--kind", "cli", "-q", "--jobs", "1"])
    sys.stderr.flush()
    return code


def ended(root: Path, child: int) -> list[str]:
    """What a run said, once it is over."""
    os.waitpid(child, 0)
    said = Path(f"{root}.{child}.txt")
    lines = said.read_text(encoding="utf-8").splitlines() if said.exists() else []
    said.unlink(missing_ok=True)
    return lines


def race(root: Path, processes: int, interrupt: bool) -> tuple[set[str], list[str]]:
    """One round: which files are missing though their document is done, and what was said."""
    plant(root)
    new = finished(root)
    running = [start(root) for _ in range(processes)]
    if interrupt:
        time.sleep(random.uniform(0.01, 0.15))
        os.kill(running[0], signal.SIGINT)
    said = [line for child in running for line in ended(root, child)]
    found = contents(root)
    done = {os.path.dirname(name) for name in new if name.endswith("TOOL.md") and found.get(name) == new[name]}
    lost = {name for name in new if os.path.dirname(name) in done and found.get(name) != new[name]}
    lost |= {f"litter {name}" for name in found if temporaries.NAME.fullmatch(os.path.basename(name))}
    ended(root, start(root))
    found = contents(root)
    return lost | {f"unfinished {name}" for name in new if found.get(name) != new[name]}, said


def loop() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    broken, refusals = 0, 0
    for number in range(rounds):
        root = Path(tempfile.mkdtemp(prefix="race-"))
        lost, said = race(root, processes, interrupt="interrupt" in sys.argv)
        refusals += sum(": error: " in line for line in said)
        if lost:
            broken += 1
            print(f"round {number}: {sorted(lost)}")
        shutil.rmtree(root)
    print(f"{broken} of {rounds} rounds with {processes} processes lost something; {refusals} refusals")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(loop())
