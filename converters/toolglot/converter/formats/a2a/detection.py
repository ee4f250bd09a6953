"""What tells A2A agent cards and skills from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks
from toolglot.converter.formats.kit.containers import first_record

_NEEDED = frozenset({"id", "name", "description", "tags"})
_FOREIGN = frozenset({"inputs", "outputs", "version", "parameters"})


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    if body is not None:
        return False
    skill = first_record(data, "skills")
    if not skill.keys() >= _NEEDED:
        return False
    return isinstance(skill["tags"], list) and skill.keys().isdisjoint(_FOREIGN)


MARKS = Marks(
    aliases=("agent-card", "agentcard", "agent2agent"), patterns=("agent-card.json", "*.a2a.json"), sniff=_sniff
)
