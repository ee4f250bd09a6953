"""A repository as people keep them: a thousand files and more, made after the kinds that public repositories hold.

The same seed gives the same files. Each is one of the kinds below, and the kind says what a maintainer expects: that a
file is checked, that it is migrated, that it is left because a fact is missing, or that nobody speaks of it.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import repository


class File(NamedTuple):
    """A file: its path below the root, its kind, its bytes, and how many tools it describes."""

    path: str
    kind: str
    data: bytes
    tools: int


def tool(number: int, draw: random.Random) -> str:
    return repository.tool_md(number, draw)


def old_tool(number: int, draw: random.Random) -> str:
    return repository.aliased(number, draw)


def split_tool(number: int, draw: random.Random) -> str:
    return repository.legacy(number, draw)


def driver(number: int, draw: random.Random) -> str:
    return f"""---
name: Archive {number} over HTTP
id: mail.archive-{number}-http
description: Runs the archive of mailbox {number} by calling its service.
version: 1.0.0
kind: http
implements:
  - tool: mail.archive-{number}
    version: ^1.0.0
network:
  egress: [mail.example.org]
---
How the service is started: `make serve`.
"""


def action(number: int, draw: random.Random) -> str:
    return f"""---
schema: action/v1
id: mail:archive-{number}
description: Take the messages of one folder out of a mailbox.
verb: archive
target_kind: mailbox
mutates: ["external:mailbox"]
approval: on-mutate
risk_level: 1
---
# Archive
"""


SERVERS = ("github", "gitlab", "notes", "search", "mail", "files", "tickets")
NAMES = ("search", "get", "list_items", "create_item", "read_file")  # the same in several servers


def manifest(number: int, draw: random.Random) -> str:
    """What one server answers to tools/list; the names of its tools are those of other servers, too."""
    server = SERVERS[number % len(SERVERS)]
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    tools = []
    for name in NAMES:
        description = f"The {name.replace('_', ' ')} of {server} {number}."
        annotations = {"readOnlyHint": name != "create_item"}
        tools.append({"name": name, "description": description, "inputSchema": schema, "annotations": annotations})
    return json.dumps({"tools": tools}, indent=2)


def descriptors(number: int, draw: random.Random) -> str:
    tools = [
        {"toolId": f"host:desk{number}.{verb}", "source": "host-extension", "safetyTier": verb, "description": text}
        for verb, text in (("read", "Reads a note."), ("write", "Writes a note."))
    ]
    return json.dumps({"tools": tools}, indent=2)


def program(number: int, draw: random.Random) -> str:
    return repository.program(number, draw, {"version": "0.6"})


def old_program(number: int, draw: random.Random) -> str:
    return repository.program(number, draw)


def record(number: int, draw: random.Random) -> str:
    return json.dumps(
        {
            "schema_version": "2.0.0",
            "tool_id": f"drill_{number}",
            "description": "Drills a hole.",
            "when_to_use": "When a hole is needed",
            "how_to_use": {
                "inputs": [{"name": "depth", "type": "number", "required": True}],
                "outputs": {"success": "A hole", "failure": []},
            },
        },
        indent=2,
    )


def lines(number: int, draw: random.Random) -> str:
    texts = []
    for index in range(3):
        about = {"toolId": f"host:log{number}.{index}", "source": "mcp", "safetyTier": "read"}
        texts.append(json.dumps({**about, "description": f"Reads log {index}."}))
    return "".join(f"{text}\n" for text in texts)


def function_list(number: int, draw: random.Random) -> str:
    function = {
        "name": f"weigh_{number}",
        "description": "Weighs it.",
        "parameters": {"type": "object", "properties": {}},
    }
    return json.dumps([{"type": "function", "function": function}], indent=2)


PROSE = (
    "# The tool\n\nHow to hold it, and what it is good for.\n",
    "# TOOL\n",
    "Note: hold it firmly.\nNote: oil it.\n",
    "[Back](../README.md)\n\n* Hold it.\n* Turn it.\n",
    '<!-- kept by hand -->\n# Tools\n\n```json\n[{"name": "saw"}]\n```\n',
    "| tool | use |\n| --- | --- |\n| saw | to saw |\n",
    "{{ template }}\n",
    "",
)


def prose(number: int, draw: random.Random) -> str:
    return PROSE[number % len(PROSE)]


def skill(number: int, draw: random.Random) -> str:
    return f"---\nname: sail-{number}\ndescription: Sail against the wind. Use it on water.\n---\n# Sailing\n\nTack.\n"


def workflow(number: int, draw: random.Random) -> str:
    return f"""name: build {number}
on: [push]
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make tools
        env: {{TOKEN: "${{{{ secrets.TOKEN }}}}"}}
"""


def workflow_md(number: int, draw: random.Random) -> str:
    head = f"---\nname: Mail {number}\nid: mail-{number}\ndescription: Sort the mail.\n"
    return f"{head}steps:\n  - tool: mail.archive\n---\n"


def client(number: int, draw: random.Random) -> str:
    server = {"command": "npx", "args": ["-y", "notes-server"], "env": {"NOTES_TOKEN": "${NOTES_TOKEN}"}}
    return json.dumps({"mcpServers": {"notes": server}}, indent=2)


def openapi(number: int, draw: random.Random) -> str:
    return json.dumps({"openapi": "3.1.0", "info": {"title": f"Notes {number}", "version": "1"}, "paths": {}})


def json_schema(number: int, draw: random.Random) -> str:
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}})


def shaped_otherwise(number: int, draw: random.Random) -> str:
    shapes: tuple[object, ...] = (
        {"groups": [{"title": "mail", "tools": ["archive", "sort"]}]},
        {"tools": {"archive": {"about": "mail"}}},
        {"tools": [{"label": "Archive", "icon": "box"}]},
        {"version": 3, "enabled": True},
    )
    return json.dumps(shapes[number % len(shapes)], indent=2)


def commented(number: int, draw: random.Random) -> str:
    return '{\n  // for the compiler\n  "compilerOptions": {"strict": true},\n}\n'


def dataset(number: int, draw: random.Random) -> str:
    return "".join(
        json.dumps({"question": f"{number}+{index}?", "answer": number + index}) + "\n" for index in range(5)
    )


def settings(number: int, draw: random.Random) -> str:
    return f"name: part-{number}\nenabled: yes\nport: 80{number % 10}\n"


def code(number: int, draw: random.Random) -> str:
    return f"def tool_{number}():\n    return {number}\n"


class FileKind(NamedTuple):
    """Where a file of a kind lies, how it is made, how often it comes, and how many tools it describes."""

    path: str
    make: Callable[[int, random.Random], str]
    weight: int
    tools: int = 0


KINDS = {
    # tools, in the folders of the specification and elsewhere
    "tool": FileKind(".tools/archive-{n}/TOOL.md", tool, 60, 1),
    "tool elsewhere": FileKind("packages/p{n}/tools/TOOL.md", tool, 40, 1),
    "driver": FileKind(".drivers/archive-{n}/DRIVER.md", driver, 30),
    "action": FileKind(".actions/archive-{n}/ACTION.md", action, 30),
    "manifest": FileKind("servers/{server}-{n}/manifest.json", manifest, 60, len(NAMES)),
    "claimed manifest": FileKind("servers/{server}-{n}.mcp.json", manifest, 30, len(NAMES)),
    "descriptors": FileKind("host/desk-{n}.tools.json", descriptors, 40, 2),
    "program": FileKind("bin/box-{n}/agent.json", program, 40, 3),
    "record": FileKind("drills/drill-{n}.json", record, 40, 1),
    "functions": FileKind("prompts/weigh-{n}/functions.json", function_list, 30, 1),
    "lines": FileKind("export/log-{n}.jsonl", lines, 15, 3),
    "packed lines": FileKind("export/log-{n}.jsonl.gz", lines, 15, 3),
    # what a migration rewrites, or leaves for want of a kind
    "old tool": FileKind(".tools/old-{n}/TOOL.md", old_tool, 30, 1),
    "old program": FileKind("bin/old-{n}/agent.json", old_program, 30, 3),
    "split tool": FileKind("services/cli-{n}/TOOL.md", split_tool, 30, 1),
    "unsaid tool": FileKind("attic/a{n}/TOOL.md", split_tool, 5, 1),
    # what is called like one of these, or stands beside them, and is something else
    "prose": FileKind("docs/chapter-{n}/TOOL.md", prose, 50),
    "skill": FileKind("skills/sail-{n}/SKILL.md", skill, 40),
    "hidden skill": FileKind(".claude/skills/sail-{n}/SKILL.md", skill, 30),
    "workflow": FileKind(".github/workflows/build-{n}.yml", workflow, 40),
    "workflow of tools": FileKind("workflows/mail-{n}/WORKFLOW.md", workflow_md, 20),
    "client": FileKind("clients/c{n}/.mcp.json", client, 20),
    "visible client": FileKind("clients/c{n}/desk.mcp.json", client, 20),
    "editor": FileKind("work/w{n}/.vscode/mcp.json", client, 20),
    "openapi": FileKind("api/v{n}/openapi.json", openapi, 20),
    "schema": FileKind("schemas/s{n}.json", json_schema, 30),
    "other shape": FileKind("lists/l{n}.tools.json", shaped_otherwise, 20),
    "commented": FileKind("packages/p{n}/tsconfig.json", commented, 20),
    "package": FileKind("packages/p{n}/package.json", repository.package, 60),
    "readme": FileKind("packages/p{n}/README.md", repository.readme, 60),
    "dataset": FileKind("data/d{n}.jsonl", dataset, 30),
    "settings": FileKind("config/c{n}.yaml", settings, 40),
    "code": FileKind("src/m{n}.py", code, 60),
}
MIGRATED = frozenset({"old tool", "old program", "split tool"})
NOTED = frozenset({"prose", "visible client", "other shape"})  # their names are those of tool descriptions
SETTINGS = '[tool.toolglot.migrate.kind]\n"services/" = "cli"\n'


def generate(root: Path, number: int = 1050, seed: int = 0) -> list[File]:
    """Write `number` files, and what belongs to a repository, below `root`; which they are."""
    draw = random.Random(seed)
    kinds = [*KINDS, *draw.choices(list(KINDS), [kind.weight for kind in KINDS.values()], k=number - len(KINDS))]
    files = []
    numbered = [*enumerate(kinds)]
    numbered += [(index, "tool") for index, name in numbered if name == "driver"]  # that it is a driver of
    for index, name in numbered:
        kind = KINDS[name]
        path = kind.path.format(n=index, server=SERVERS[index % len(SERVERS)])
        data = kind.make(index, draw).encode()
        data = gzip.compress(data, mtime=0) if path.endswith(".gz") else data
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
        files.append(File(path, name, data, kind.tools))
    (root / "pyproject.toml").write_text(f'[project]\nname = "everyday"\n\n{SETTINGS}')
    (root / ".gitignore").write_text("build/\n*.log\n")
    return files
