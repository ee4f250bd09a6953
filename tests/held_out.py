"""What no weight of `orders-in-text` is made of, named before the words are weighed: the published rates come from it.

`SERVERS` are public MCP servers that are in no corpus of ours. Their texts are other people's and not part of the
project; `make weights SERVERS="FILE ..."` judges files with what they answer to `tools/list`.
"""

from __future__ import annotations

import re

# Whole sources of harmless tools in ../shared/corpus, by how the names of their files begin.
HARMLESS = re.compile(
    "github__github-mcp-server|microsoft__mcp|docker__mcp-registry__servers-[n-z]|"
    "pathintegral-institute__mcpm.sh__mcp-registry-servers-[p-z]"
)
FIXTURES = ("sixth", "plain")  # files of fixtures/poisoned and of fixtures/innocent
# What the first four showed was looked at once before the last weighing; the fifth was judged after it.
SERVERS = (
    "chrome-devtools-mcp 1.11.0",
    "desktop-commander 0.2.52",
    "excel-mcp-server 2.2.2",
    "mongodb-mcp-server 3.0.4",
    "task-master-ai 0.43.1",
)
