"""What tells a `SKILL.md` that was made of a tool from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import LookAlike, Marks, marks_of, names

SLOT = "toolglot"


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    """Only what was made of a tool, and still holds it; every other skill has to be named."""
    metadata = data.get("metadata") if isinstance(data, dict) and body is not None else None
    return isinstance(metadata, dict) and isinstance(metadata.get(SLOT), str) and "name" in data and "id" not in data


def _is_prompt(data: dict[str, Any], body: str | None, file_name: str) -> bool:
    """Markdown with a description for whoever reads on, and without an id, which every tool has."""
    if body is None or any(file_name in marks_of(name).searched_patterns for name in names()):
        return False
    return "description" in data and "id" not in data and "schema" not in data


MARKS = Marks(
    aliases=("skill.md", "agent-skill", "agentskills"),
    patterns=("SKILL.md",),
    is_searched=False,
    has_body=True,
    sniff=_sniff,
    look_alikes=(
        LookAlike(
            "a skill, a prompt or another text for an agent",
            _is_prompt,
            "it says how to do something and is no tool; `--from skill` reads a SKILL.md all the same",
        ),
    ),
)
