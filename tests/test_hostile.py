"""Documents that state a danger where no reader of their format has to look: it is heard, and reaches every target.

`fixtures/hostile/*.json` are lists of {"id", "format", "dangers", "document"}. What each states was written down before
anything read it; `dangers` are facets of `toolglot.safety`.
"""

from __future__ import annotations

import json
from typing import Any

import toolglot
from golden import FIXTURES
from rows import for_each
from toolglot import formats, safety

HOSTILE = [row for path in sorted((FIXTURES / "hostile").glob("*.json")) for row in json.loads(path.read_text("utf-8"))]
TARGETS = formats.targets()
LEAST = {"approval": 2, "risk": 3}  # elsewhere `UNSAFE`


def levels_of(source: Any, format_name: str) -> list[safety.Levels]:
    tools = toolglot.read(source, format_name)
    return [safety.caution(leaf.tool) for tool in tools for leaf in tool.leaves()]


def states(levels: safety.Levels, dangers: list[str]) -> bool:
    return all(levels[danger] >= LEAST.get(danger, safety.UNSAFE) for danger in dangers)


@for_each(("number", "row"), enumerate(HOSTILE), ids=[row["id"] for row in HOSTILE])
def test_a_danger_is_heard_wherever_it_stands(number: int, row: dict[str, Any]) -> None:
    before = levels_of(row["document"], row["format"])
    assert any(states(levels, row["dangers"]) for levels in before)
    target = TARGETS[number % len(TARGETS)]
    files = toolglot.convert(row["document"], target, format=row["format"]).files
    after = [levels for _, content in files for levels in levels_of(content, target.partition("@")[0])]
    assert len(after) == len(before)
    for was, now in zip(before, after, strict=True):
        assert safety.breached_facets(was, now) == []


def test_each_format_that_states_dangers_has_one() -> None:
    assert len(HOSTILE) >= 45
    assert set(formats.names()) - {row["format"] for row in HOSTILE} == {"hub"}
