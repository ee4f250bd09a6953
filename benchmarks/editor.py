"""How long an editor waits: a client of `toolglot lsp` edits a TOOL.md of 200 lines, asks, and opens 1,000 files.

`PYTHONPATH=tests python benchmarks/editor.py [ROUNDS]` prints medians in milliseconds: from the message to the answer,
over the pipes that an editor has.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from editor_client import Editor, capabilities

FILES = 1_000
FIELDS = """\
---
name: Archive messages
id: mail.archive
description: Moves the messages of a mailbox that are older than a date to its archive.
version: 1.0.0
mutates: [mailbox:archive]
approval: on-mutate
risk_level: 1
inputs:
  type: object
  properties:
"""


def tool_md(lines: int) -> str:
    """A TOOL.md of so many lines, a third of them parameters, a third the result and the rest Markdown."""
    each = lines // 3
    names = [f"part_{number}" for number in range(each // 3 - 3)]
    parameters = [f"    {name}:\n      type: string\n      description: What {name} is to say." for name in names]
    results = [f"    {name}:\n      type: integer\n      minimum: {len(name)}" for name in names]
    head = [FIELDS.rstrip(), *parameters, "outputs:", "  type: object", "  properties:", *results, "---", "# Archive"]
    text = "\n".join(head)
    return text + "".join(f"\nSentence {number}." for number in range(lines - text.count("\n") - 1)) + "\n"


def measure(run: Callable[[str], object], texts: list[str], rounds: int) -> str:
    """The median and the ninth decile of the rounds, each with another text."""
    times = []
    for number in range(rounds):
        start = perf_counter()
        run(texts[number % len(texts)])
        times.append(1_000 * (perf_counter() - start))
    return f"{median(times):7.1f} {quantiles(times, n=10)[-1]:7.1f}"


def resident(process: int) -> int:
    """The memory of a process in megabytes."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) // 1024


def main(rounds: int) -> None:
    text = tool_md(200)
    typed = [text.replace("mail.archive", f"mail.archive{'x' * number}") for number in range(1, 9)]
    broken = [one.replace("approval: on-mutate", "approval: on-mu\ncos") for one in typed]
    with tempfile.TemporaryDirectory() as folder:
        editor = Editor(Path(folder), capabilities("utf-16", pulls=False))
        asking = Editor(Path(folder), capabilities("utf-16", pulls=True))
        for one in (editor, asking):
            one.open("TOOL.md", text)

        def ask(new: str) -> None:
            asking.type("TOOL.md", new)
            asking.ask_findings("TOOL.md")

        print(f"{text.count(chr(10))} lines, {len(text):,} characters; median and ninth decile of {rounds}, ms")
        print("edit, findings asked for  ", measure(ask, typed, rounds))
        print("edit, findings are pushed ", measure(lambda new: editor.show("TOOL.md", new), typed, rounds))
        print("edit that breaks the text ", measure(lambda new: editor.show("TOOL.md", new), broken, rounds))
        marked = [one.replace("approval", "appr¦oval") for one in typed]
        print("edit, findings, hover     ", measure(lambda new: editor.hover("TOOL.md", new), marked, rounds))
        marked = [one.replace("cos", "cos¦") for one in broken]
        print("edit, findings, completion", measure(lambda new: editor.complete("TOOL.md", new), marked, rounds))
        print("what can be corrected     ", measure(lambda _: editor.actions("TOOL.md"), typed, rounds))
        server = editor.client._server
        assert server
        before = resident(server.pid)
        start = perf_counter()
        for number in range(FILES):
            editor.open(f"{number}/TOOL.md", text)
        editor.show("TOOL.md", text)
        seconds = perf_counter() - start
        print(f"{FILES:,} files opened in {seconds:.1f} s; {before} MB before, {resident(server.pid)} MB after")
        print("edit among them           ", measure(lambda new: editor.show("TOOL.md", new), typed, rounds))
        for one in (editor, asking):
            one.end()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
