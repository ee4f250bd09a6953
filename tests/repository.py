"""A repository made of every kind of file that a migration meets; `tests` and `benchmarks` both use it.

The same seed gives the same files. Every file is one of the kinds of `KINDS`, and the manifest says which.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from systems import MAKES_LINKS, MAKES_PIPES


class File(NamedTuple):
    """A file of the repository: its path below the root, its kind, and its bytes (of a link: those of its target)."""

    path: str
    kind: str
    data: bytes


def tool_md(number: int, draw: random.Random) -> str:
    """A valid `TOOL.md` with comments, quotes, flow style and a body that nobody may touch."""
    return f"""---
# tool {number}: kept by hand
name: "Archive {number}"   # shown to people
id: mail.archive-{number}
description: >-
  Move the messages of one folder into an archive,
  oldest first.
version: 1.{draw.randrange(9)}.0

inputs:
  type: object
  properties: {{folder: {{type: string, description: 'Folder to empty'}}, limit: {{type: integer, minimum: 1}}}}
  required: [folder]
outputs:
  type: object
  properties:
    moved: {{ type: integer }}  # how many
mutates: ["external:mailbox"]
approval: always
risk_level: {draw.choice((1, 2, 3))}
tags: [mail, 'archive']
---
# Archive {number}

Moves messages.{" " * draw.randrange(3)}
\tA line that begins with a tab.

| Code | Meaning | Caller action |
| --- | --- | --- |
| `full` | The archive is full | Ask |
"""


def aliased(number: int, draw: random.Random) -> str:
    text = tool_md(number, draw)
    return text.replace("risk_level:", "riskLevel:").replace("version:", "timeoutMs: 4000  # four seconds\nversion:")


def legacy(number: int, draw: random.Random) -> str:
    """A `TOOL.md` from before AIP-30, with a comment in everything that moves."""
    moved = f"""# where it runs
run: ./bin/archive-{number}   # the program
network:
  - mail.example.org  # the server
secrets: [mail-token]
"""
    return tool_md(number, draw).replace("tags:", moved + "tags:")


def invalid(number: int, draw: random.Random) -> str:
    broken = (
        "---\nid: broken\nid: again\n---\n",
        "---\nname: [unclosed\n---\n# Text\n",
        '{"toolId": "x", "source": "mcp", "safetyTier": "harmless"}',
        '{"toolId": "x", "toolId": "y", "source": "mcp", "safetyTier": "read"}',
    )
    return draw.choice(broken)


def program(number: int, draw: random.Random, version: object = "0.1") -> str:
    commands = {}
    for name in draw.sample(["list", "purge", "show", "move", "copy"], 3):
        commands[name] = {
            "description": f"To {name}",
            "options": [{"name": "force", "flags": ["-f"], "type": "boolean", "description": "Do not ask"}],
            "effects": {"network": True, "destructive": name == "purge", "cost": {"estimate": "low"}},
        }
    data = {
        "atip": version,
        "name": f"box{number}",
        "version": "2.0.0",
        "description": "Work with a box.",
        "commands": commands,
    }
    return json.dumps(data, indent=draw.choice((2, 4, "\t")), ensure_ascii=False) + draw.choice(("\n", ""))


def record(number: int, draw: random.Random) -> str:
    data = {
        "id": f"drill_{number}",
        "description": "Drills a hole — 5 mm.",
        "when_to_use": "When a hole is needed",
        "how_to_use": {
            "inputs": [{"name": "depth", "type": "number", "description": "In mm"}],
            "outputs": {"success": "A hole", "failure": [{"code": "stuck", "description": "The drill is stuck"}]},
        },
        "examples": [{"name": "A small one", "input": {"depth": 3}, "output": "A hole of 3 mm"}],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def descriptor(number: int, draw: random.Random) -> str:
    data = {"toolId": f"host:notes.{number}", "source": "mcp", "safetyTier": draw.choice(("read", "write"))}
    return json.dumps({**data, "description": "Reads the notes."}, indent=2)


def server(number: int, draw: random.Random) -> str:
    """A server whose first tool is called as that of every other."""
    names = ["search"]
    for index in range(draw.randrange(3)):
        names.append(f"get_{number}_{index}")
    tools = [{"name": name, "description": "Gets it.", "inputSchema": {"type": "object"}} for name in names]
    return json.dumps({"name": f"server-{number}", "version": "1.0.0", "tools": tools}, indent=2)


def readme(number: int, draw: random.Random) -> str:
    return f"# Part {number}\n\nText about a part.\n"


def package(number: int, draw: random.Random) -> str:
    return json.dumps({"name": f"part-{number}", "private": True})


class Kind(NamedTuple):
    """What a file is called, how it is made, and how often it comes."""

    name: str
    make: Callable[[int, random.Random], str]
    weight: int


KINDS = {
    "tool": Kind("TOOL.md", tool_md, 30),
    "aliased": Kind("TOOL.md", aliased, 8),
    "legacy": Kind("TOOL.md", legacy, 8),
    "invalid": Kind("TOOL.md", invalid, 2),
    "program": Kind("box.atip.json", program, 10),
    "newest program": Kind("new.atip.json", lambda number, draw: program(number, draw, {"version": "0.6"}), 5),
    "record": Kind("drill.atdf.json", record, 10),
    "descriptor": Kind("notes.json", descriptor, 8),
    "server": Kind("server.mcp.json", server, 5),
    "readme": Kind("README.md", readme, 8),
    "package": Kind("package.json", package, 6),
    "ignored": Kind("TOOL.md", legacy, 4),
}
MIGRATED = frozenset({"aliased", "legacy", "program", "record"})


def generate(root: Path, number: int, seed: int = 0) -> list[File]:
    """Write `number` files below `root` into nested folders, and return what they are.

    Every tenth file has CRLF line ends, every twelfth a byte order mark, every fortieth is named by a link too; some
    links lead out of the root or round in a circle, a folder and a pipe are called like tools, and every fiftieth
    tool is in an encoding that nobody reads.
    """
    draw = random.Random(seed)
    kinds = list(KINDS)
    weights = [KINDS[kind].weight for kind in kinds]
    (root / ".git").mkdir(parents=True)
    (root / ".gitignore").write_text("ignored-*/\n*.log\n")
    files = []
    for index in range(number):
        kind = draw.choices(kinds, weights)[0]
        folder = f"{'ignored-' if kind == 'ignored' else ''}part-{index}"
        where = Path(f"group-{index % 97}", f"team-{index % 7}", folder)
        name = KINDS[kind].name
        text = KINDS[kind].make(index, draw)
        data = text.replace("\n", "\r\n").encode() if index % 10 == 3 else text.encode()
        data = b"\xef\xbb\xbf" + data if index % 12 == 5 else data
        if kind == "tool" and index % 50 == 11:
            kind, data = "unreadable", text.encode("utf-16")
        path = where / name
        (root / where).mkdir(parents=True)
        (root / path).write_bytes(data)
        files.append(File(path.as_posix(), kind, data))
        if index % 40 == 7 and MAKES_LINKS:
            os.symlink(name, root / where / "copy.md")
    outside = root.parent / f"{root.name}-outside"
    outside.mkdir(exist_ok=True)
    (outside / "TOOL.md").write_text(legacy(0, draw))
    if MAKES_LINKS:
        os.symlink(outside / "TOOL.md", root / "TOOL.md")
        os.symlink(outside, root / "elsewhere")
        os.symlink("loop", root / "loop")
        os.symlink(".", root / "here")
    (root / "folder" / "TOOL.md").mkdir(parents=True)
    (root / "pipe").mkdir()
    if MAKES_PIPES:
        os.mkfifo(root / "pipe" / "TOOL.md")
    return files
