"""Formats that have no field for danger, only text: ATDF (specs 4), the providers' functions (providers 1), skills."""

from __future__ import annotations

import re
from typing import Any

from judge.keys import hear_foreign, respelled
from judge.statements import ALWAYS, Statement
from judge.words import hear, hear_tags

_NEEDS = {
    "network access": "network",
    "authentication": "credentials",
    "valid credentials": "credentials",
    "the secret": "credentials",
}


def atdf(data: dict[str, Any]) -> Statement:
    needs = data.get("prerequisites")
    lines: list[str] = []
    if not isinstance(needs, dict):
        needs = {}
    for items in needs.values():
        if isinstance(items, list):
            lines += [item for item in items if isinstance(item, str)]
    tool = _texts(data.get("tool_id", data.get("id")), data.get("description"), data.get("when_to_use"), *lines)
    hear_foreign(tool, data)
    metadata = data.get("metadata")
    if isinstance(metadata, dict):
        hear_tags(tool, metadata.get("tags"))
    for line in lines:  # what a tool needs is a condition of it, in the words that an author would use
        tool.dangers |= {fact for begin, fact in _NEEDS.items() if line.lower().startswith(begin)}
    return tool


def function(data: dict[str, Any]) -> Statement:
    """A definition of OpenAI, in either of its shapes, of Anthropic or of Gemini."""
    for key in ("function", "custom"):
        if isinstance(data.get(key), dict):
            data = data[key]
    return _texts(data.get("name"), data.get("description"))


def skill(data: dict[str, Any], body: str = "") -> Statement:
    """A skill of an A2A card, or a SKILL.md."""
    tool = _texts(data.get("id", data.get("name")), data.get("description"), data.get("name"), body)
    hear_tags(tool, data.get("tags"))
    _agent(tool, data)
    needs = data.get("securityRequirements")
    if isinstance(needs, list) and needs and all(isinstance(need, dict) and need.get("schemes") for need in needs):
        tool.dangers.add("credentials")
    return tool


_SHELLS = re.compile(r"(?:bash|shell|sh|zsh|powershell|python3?|node)\b", re.I)


def _agent(tool: Statement, data: dict[str, Any]) -> None:
    """What the front matter of a SKILL.md lets an agent do, or leaves to people."""
    allowed = data.get("allowed-tools")
    names = allowed if isinstance(allowed, list) else str(allowed or "").replace(",", " ").split()
    if data.get("hooks") or any(isinstance(name, str) and _SHELLS.match(name) for name in names):
        tool.dangers.add("executes")
    left_to_people = respelled(data, {"disable-model-invocation": ("approval",)}, tool).get("disable-model-invocation")
    if left_to_people is True:
        tool.ask(ALWAYS)
    elif left_to_people not in (None, False):
        tool.unclear.add("approval")


def _texts(name: Any, *texts: Any) -> Statement:
    tool = Statement(str(name), [text for text in texts if isinstance(text, str)])
    hear(tool, *tool.texts)
    return tool
