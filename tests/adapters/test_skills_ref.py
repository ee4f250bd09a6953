"""Our `SKILL.md`, held to the reference library of Agent Skills: `make adapters` runs this with the real package."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import strategies
import toolglot
from golden import FIXTURES
from rows import for_each
from toolglot.converter import formats
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import WriteError

skills_ref = pytest.importorskip("skills_ref", reason="the reference library of skills is not installed; make adapters")

CASES = sorted((FIXTURES / "cases").glob("*/hub.json"))
OTHERS = [name for name in formats.names() if name != "skill" and name in strategies.RECORDS]


def faults(conversion: toolglot.Conversion) -> list[str]:
    """What the library finds in the skills of a conversion, each in its folder."""
    found: list[str] = []
    with TemporaryDirectory() as folder:
        for name, text in conversion.files:
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            found += skills_ref.validate(path.parent)
    return found


@for_each("lossless", [False, True])
@for_each("path", CASES, ids=lambda path: path.parent.name)
def test_every_case_is_a_valid_skill(path: Path, lossless: bool) -> None:
    assert faults(toolglot.convert(path, "skill", lossless=lossless)) == []


@given(data=st.data(), name=st.sampled_from(OTHERS), lossless=st.booleans())
def test_every_record_of_another_format_is_a_valid_skill(data: Any, name: str, lossless: bool) -> None:
    tool = formats.get(name).read(data.draw(strategies.RECORDS[name]))
    assume(any(leaves_of(tool)))
    try:
        conversion = toolglot.convert(toolglot.write(tool, "hub"), "skill", lossless=lossless)
    except WriteError:  # two commands of one name
        reject()
    assert faults(conversion) == []
