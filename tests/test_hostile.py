"""Documents that state a danger where no reader of their format has to look: it is heard, and reaches every target.

`fixtures/hostile/*.json` are lists of {"id", "format", "dangers", "document"}. What each states was written down before
anything read it; `dangers` are facets of `safety`. Where one only `sounds` like danger, under a key that no
table has, it states no fact, and `check` finds it.
"""

from __future__ import annotations

import json
from typing import Any

import judge
import toolglot
from golden import FIXTURES
from judge.laws import PROVIDERS
from judge.statements import DANGER
from rows import for_each
from toolglot.converter import formats, safety
from toolglot.converter.safety.inheritance import leaves_of

ALL = [row for path in sorted((FIXTURES / "hostile").glob("*.json")) for row in json.loads(path.read_text("utf-8"))]
SOUNDING = [row for row in ALL if row.get("sounds")]
HOSTILE = [row for row in ALL if not row.get("sounds")]
TARGETS = formats.targets()
LEAST = {"approval": 2, "risk": 3}  # elsewhere `UNSAFE`
OF_JUDGE = {"risk": ("destructive", "irreversible"), "deletes_files": ("deletes",), "writes_files": ("writes",)}


def levels_of(source: Any, format_name: str) -> list[safety.Levels]:
    tools = toolglot.read(source, format_name)
    return [safety.caution(leaf.tool) for tool in tools for leaf in leaves_of(tool)]


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


@for_each("row", HOSTILE, ids=[row["id"] for row in HOSTILE])
def test_other_formats_state_a_danger_where_readers_look(row: dict[str, Any]) -> None:
    """As the judge reads them, which knows nothing of toolglot. In its own format a danger stays where it stood."""
    facets = {facet for danger in row["dangers"] for facet in OF_JUDGE.get(danger, (danger,))}
    for target in set(TARGETS) - {row["format"], "hub"}:
        files = toolglot.convert(row["document"], target, format=row["format"]).files
        tools = [tool for _, content in files for tool in judge.read(target, content)]
        said = facets & judge.SAID_BY_ALL if target in PROVIDERS else facets
        assert any(all(tool.level(facet) >= DANGER for facet in said) for tool in tools), target


@for_each("row", SOUNDING, ids=[row["id"] for row in SOUNDING])
def test_what_only_sounds_like_danger_is_found(row: dict[str, Any]) -> None:
    codes = {finding.code for finding in toolglot.check(row["document"], row["format"])}
    assert "danger-in-unknown-key" in codes


def test_each_format_that_states_dangers_has_one() -> None:
    assert len(ALL) >= 100
    assert set(formats.names()) - {row["format"] for row in ALL} == {"hub"}
