"""A few tools of several formats, kind and hostile, as files; and the site that is made of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streams import Ran, run
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.verbs.catalogs.catalog_entries import AS_USUAL, Entry, FileEntries, any_tool_format

CASES = Path(__file__).parents[1] / "fixtures" / "cases"

# Ordinary tools: one case a format, so that each tool stands once.
FILES = {
    "program/atip/depot.atip.json": "depot.atip.json",
    "governed/tool-descriptor.json": "clinic.tools.json",
    "languages/atdf.json": "water.atdf.json",
    "lookup/atdf.json": "holidays.atdf.json",
    "destroy/mcp.json": "shredder.mcp.json",
    "nested/openai.json": "route.openai.json",
}

TOOL_MD = """\
---
name: Archive a message
id: mail.archive
description: Move a message to the archive. The sender is **not** told; see [the guide](https://mail.example/archive).
version: 2.1.0
inputs:
  type: object
  properties:
    message: {type: string, description: Id of the message}
    folder: {type: string, default: archive, description: Where to}
  required: [message]
outputs: {type: object, properties: {moved: {type: boolean}}}
mutates: ['external:mailbox']
requires:
  network: [mail.example]
  secrets: [mail-token]
approval: on-mutate
idempotent: true
tags: [mail]
default_implementation: mail.archive-http
examples:
  - name: Archive one
    input: {message: m1}
    output: {moved: true}
---
# Archive a message

## Errors

| Code | When | What to do |
| --- | --- | --- |
| `not_found` | There is no such message. | Search for it first. |
"""

DRIVER = """\
---
name: mail.archive-http
id: mail.archive-http
description: Archives messages.
version: 1.0.0
kind: http
implements:
  - tool: mail.archive
    version: ^2.0.0
network:
  egress: [mail.example]
---
"""

PROGRAM = """\
---
name: mail.archive-cli
id: mail.archive-cli
description: A program that archives messages.
version: 1.0.0
commands:
  archive: mail.archive
---
"""

HOSTILE = {
    "tools": [
        {
            "name": "evil",
            "title": "<script>window.attacked = 1</script>",
            "description": "Helps.\n\n<script>window.attacked = 1</script><img src=x onerror='window.attacked=1'>\n\n"
            "[press](javascript:window.attacked=1) ![](https://evil.example/track.png) [data](data:text/html,x)\n"
            '[elsewhere](../../secret) <a href="x" onclick="window.attacked=1">a</a>\n\n'
            "```\n</pre><script>window.attacked = 1</script>\n",
            "inputSchema": {
                "type": "object",
                "properties": {
                    '"><svg onload=window.attacked=1>': {
                        "type": "string",
                        "description": "' autofocus onfocus=window.attacked=1 x='",
                        "default": "</pre></script><script>window.attacked=1</script>",
                    }
                },
            },
        },
        {
            "name": "safe\u202eeman",
            "description": "Reads\u200b only.\U000e0049\U000e0067",
            "inputSchema": {"type": "object"},
        },
        {
            "name": "../../etc/passwd",
            "description": "Escapes.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        },
    ]
}


def write_tools(folder: Path) -> Path:
    """The files, in a repository of their own."""
    (folder / ".git").mkdir(parents=True)
    for source, name in FILES.items():
        shutil.copy(CASES / source, folder / name)
    write(folder / "tools" / "mail.archive" / "TOOL.md", TOOL_MD)
    write(folder / "drivers" / "mail.archive-http" / "DRIVER.md", DRIVER)
    write(folder / "cli" / "mail.archive-cli" / "CLI.md", PROGRAM)
    write(folder / "hostile.mcp.json", json.dumps(HOSTILE))
    return folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def write_many(folder: Path, number: int, servers: int = 1, parameters: int = 2) -> None:
    """Tools of several servers; published tools have two parameters on the average."""
    for server in range(servers):
        tools = [_tool(server, index, parameters) for index in range(number // servers)]
        data = {"name": f"server-{server}", "version": "1.0.0", "tools": tools}
        write(folder / f"server-{server}.mcp.json", json.dumps(data))


def list_pages(folder: Path, number: int, parameters: int = 2) -> Iterator[tuple[str, str]]:
    """Path and text of the pages that list many tools: the overview, where there is one, and the first list.

    The pages of each tool in every format take minutes.
    """
    from toolglot.verbs.catalogs.pages.html_site import Site  # needs the extra `pages`

    write_many(folder, number, servers=20, parameters=parameters)
    entries: list[Entry] = []
    for file in sorted(folder.iterdir()):
        document = open_document(file)
        entries += FileEntries(read_document(document, "mcp"), any_tool_format(), file.name, is_located=True).entries
    site = Site(entries, AS_USUAL)
    first_list = site.find(site.pages[0].path)
    assert first_list
    for page in (*site.overview[:1], first_list):
        yield page.path, page.text


def _tool(server: int, index: int, parameters: int) -> dict[str, Any]:
    properties = {
        f"part{part}": {"type": "string", "description": f"Part {part} of what tool {index} needs to know."}
        for part in range(parameters)
    }
    return {
        "name": f"tool_{index}",
        "description": f"Does thing {index} of server {server}. It takes its time, and says what it did.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["part0"]},
        "annotations": {"destructiveHint": index % 3 == 0},
    }


def make_site(folder: Path, sources: Path, *more: str) -> Ran:
    """`toolglot catalog` of the sources, run among them, into a folder."""
    return run(sources, ["catalog", ".", "--to", "html", "-o", str(folder), "-j1", *more])
