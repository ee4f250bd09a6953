"""What is measured: the fixtures of every registered format, and four documents of realistic size made by code."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from toolglot.converter import formats

CASES = Path(__file__).parents[1] / "fixtures" / "cases"


class Document(NamedTuple):
    """Texts of one format that one measurement goes through, from the first to the last."""

    format: str
    name: str
    texts: tuple[str, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(len(text.encode()) for text in self.texts)


def documents() -> list[Document]:
    """For every format: its fixtures as one document, and what `GENERATED` has."""
    found = []
    for name in formats.names():
        # A format of one file a tool has a folder in every case, the others have one file; see tests/test_cases.py.
        found_paths = [*CASES.glob(f"*/{name}.json"), *CASES.glob(f"*/{name}/**/*")]
        paths = sorted(path for path in found_paths if path.is_file())
        if paths:
            found.append(Document(name, f"{len(paths)} fixtures", tuple(path.read_text("utf-8") for path in paths)))
        found += [Document(name, title, (text,)) for title, text in GENERATED.get(name, {}).items()]
    return found


def _command(verb: str, noun: str, number: int) -> dict[str, Any]:
    changes, removes = verb not in ("list", "view", "search"), verb == "delete"
    return {
        "description": f"{verb.capitalize()} {noun}s of the workspace, one page or one item at a time.",
        "arguments": [
            {"name": noun, "type": "string", "description": f"Name or number of the {noun}", "required": number % 3 > 0}
        ],
        "options": [
            {"name": "limit", "flags": ["--limit", "-L"], "type": "integer", "description": "How many", "default": 30},
            {"name": "state", "flags": ["--state"], "type": "enum", "enum": ["open", "closed"], "description": "Which"},
            {"name": "label", "flags": ["--label"], "type": "string", "description": "Labels", "variadic": True},
        ][: number % 4],
        "effects": {
            "filesystem": {"read": False, "write": False, "delete": False},
            "network": True,
            "idempotent": not changes,
            "reversible": not removes,
            "destructive": removes,
            **({"modifies": [f"{noun}s"]} if changes else {}),
        },
        "examples": [f"forge {noun} {verb} 12"],
    }


def program(groups: int = 16) -> str:
    """An ATIP program like a large `gh`: ten commands in each of its groups."""
    verbs = ("list", "view", "search", "create", "edit", "close", "reopen", "rename", "copy", "delete")
    nouns = ("issue", "pull", "repo", "release", "label", "run", "cache", "secret", "variable", "key", "gist", "team")
    commands = {}
    for group in range(groups):
        noun = nouns[group] if group < len(nouns) else f"{nouns[group % len(nouns)]}-{group // len(nouns)}"
        leaves = {verb: _command(verb, noun, group + number) for number, verb in enumerate(verbs)}
        commands[noun] = {"description": f"Work with {noun}s", "commands": leaves}
    data = {
        "atip": {"version": "0.6", "features": ["interactive-effects"]},
        "name": "forge",
        "version": "2.45.0",
        "description": "Work with a forge from the command line",
        "homepage": "https://forge.example/cli",
        "trust": {"source": "native", "verified": True},
        "authentication": {
            "required": True,
            "methods": [{"type": "token", "envVar": "FORGE_TOKEN", "description": "A personal token"}],
            "checkCommand": "forge auth status",
        },
        "globalOptions": [{"name": "repo", "flags": ["--repo", "-R"], "type": "string", "description": "OWNER/NAME"}],
        "commands": commands,
    }
    return json.dumps(data)


TOOL_MD = """\
---
schema: agentproto/tool/v1
name: Price snapshot
id: shop.price-snapshot
description: >-
  Take a snapshot of the prices that a shop shows for a list of articles, in one currency, and store it under a
  name so that a later snapshot can be compared with it.
version: 1.4.2
idempotent: true
mutates: ["workspace:snapshots/*"]
requires:
  network: [prices.example.com, cdn.example.com]
  secrets: [price-service-token]
  tools: [shop.catalog]
approval: on-mutate
risk_level: 1
cost_class: metered
timeout_ms: 45000
retry:
  max_attempts: 3
  backoff: exponential
default_implementation: price-snapshot.http
inputs:
  type: object
  required: [articles, currency]
  properties:
    articles:
      type: array
      description: Article numbers
      minItems: 1
      items: {type: string, pattern: "^[A-Z0-9-]{4,20}$"}
    currency:
      type: string
      description: ISO 4217 code
      enum: [EUR, USD, GBP]
    region:
      type: string
      default: eu
    store_as:
      type: string
      description: Name of the snapshot; by default the time
outputs:
  type: object
  required: [snapshot, prices]
  properties:
    snapshot: {type: string}
    prices:
      type: array
      items:
        type: object
        required: [article, amount]
        properties:
          article: {type: string}
          amount: {type: number}
tags: [shop, prices, reporting]
examples:
  - name: Two articles
    input: {articles: [A-1001, A-1002], currency: EUR}
    output: {snapshot: s-1, prices: [{article: A-1001, amount: 12.5}]}
---
# Price snapshot

Prices are those that an anonymous visitor sees, with tax.

## Errors

| Code | Meaning | Action |
|---|---|---|
| rate_limited | The shop refuses more requests | Wait a minute |
| unknown_article | An article does not exist | Remove it from the list |

## Notes

Snapshots are kept for ninety days.
"""

ATDF_RECORD = {
    "schema_version": "2.0.0",
    "tool_id": "text_translator",
    "description": "Translate a text from one language to another and keep its line breaks and its markup.",
    "when_to_use": "When a user asks for a text in another language, or a source is not in the user's language.",
    "metadata": {"version": "1.2.0", "author": "Example Labs", "tags": ["language", "text"], "category": "language"},
    "how_to_use": {
        "inputs": [
            {"name": "text", "type": "string", "description": "The text, at most 5000 characters", "required": True},
            {
                "name": "target_language",
                "type": "string",
                "description": "Language tag",
                "required": True,
                "schema": {"enum": ["de", "en", "es", "fr"]},
            },
            {"name": "formal", "type": "boolean", "description": "Address the reader formally", "required": False},
        ],
        "outputs": {
            "success": "The translated text.",
            "failure": [
                {"code": "unsupported_language", "description": "The language is not offered."},
                {"code": "too_long", "description": "The text has too many characters."},
            ],
        },
    },
    "prerequisites": {"tools": [], "conditions": ["A network connection"], "permissions": ["translate"]},
}

_TIERS = ("read", "write", "pure", "read")


def descriptor(number: int, verb: str, noun: str) -> dict[str, Any]:
    """A record of the catalogue, of which there are as many as verbs times nouns."""
    return {
        "toolId": f"mcp:tickets.{verb}-{noun}",
        "source": "mcp",
        "safetyTier": _TIERS[number % 4],
        "title": f"{verb} {noun}",
        "description": f"{verb.capitalize()} a {noun} in the ticket system of the team.",
        "inputSchema": {
            "type": "object",
            "properties": {"id": {"type": "string", "description": f"Id of the {noun}"}, "page": {"type": "integer"}},
            "required": ["id"],
        },
        "outputSchema": {"type": "object", "properties": {"state": {"type": "string"}}},
        "auth": {"scopes": [f"{noun}:{verb}"], "credentialRef": True},
        "egress": "host-mediated",
        "approval": "conditional" if number % 4 == 1 else "never",
        "replayPolicy": "non-deterministic",
        "costHint": "low",
        "latencyHint": "medium",
    }


_NOUNS = ("ticket", "comment", "sprint", "board", "user")
_VERBS = ("read", "update", "count", "find")
DESCRIPTORS = [descriptor(number, verb, noun) for number, (noun, verb) in enumerate(product(_NOUNS, _VERBS))]

GENERATED: dict[str, dict[str, str]] = {
    "atip": {"160 commands": program()},
    "aip14": {"one TOOL.md": TOOL_MD},
    "atdf": {"one record": json.dumps(ATDF_RECORD)},
    "tool-descriptor": {"20 tools": json.dumps({"tools": DESCRIPTORS})},
}
