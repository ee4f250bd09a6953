"""Our skills of A2A agent cards, held to the messages of its SDK: `make adapters` runs this with the real package."""

from __future__ import annotations

import json
from pathlib import Path
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

types = pytest.importorskip("a2a.types", reason="the SDK of A2A is not installed; make adapters")
json_format = pytest.importorskip("google.protobuf.json_format", reason="it comes with the SDK of A2A")
proto_utils = pytest.importorskip("a2a.utils.proto_utils", reason="it comes with the SDK of A2A")

CARD = json.loads((FIXTURES / "identity" / "a2a" / "card.json").read_text())
CASES = sorted((FIXTURES / "cases").glob("*/hub.json"))
OTHERS = [name for name in formats.names() if name != "a2a" and name in strategies.RECORDS]


def hold_to_the_sdk(conversion: toolglot.Conversion) -> None:
    """Parse a card with these skills; keys that its messages have not, and what they require, are errors."""
    skills = json.loads(conversion.text)["skills"]
    card = json_format.ParseDict({**CARD, "skills": skills}, types.AgentCard())
    proto_utils.validate_proto_required_fields(card)
    assert json_format.MessageToDict(card)["skills"] == [drop_empty(skill) for skill in skills]


def drop_empty(skill: dict[str, Any]) -> dict[str, Any]:
    """A skill as messages are dumped, which leave out empty lists."""
    return {key: value for key, value in skill.items() if value not in ([], "")}


def test_the_card_of_the_fixtures_is_one() -> None:
    hold_to_the_sdk(toolglot.convert(FIXTURES / "identity" / "a2a" / "card.json", "a2a"))


@for_each("path", CASES, ids=lambda path: path.parent.name)
def test_every_case_has_valid_skills(path: Path) -> None:
    hold_to_the_sdk(toolglot.convert(path, "a2a"))


@given(data=st.data(), name=st.sampled_from(OTHERS))
def test_every_record_of_another_format_has_valid_skills(data: Any, name: str) -> None:
    tool = formats.get(name).read(data.draw(strategies.RECORDS[name]))
    assume(any(leaves_of(tool)))
    try:
        conversion = toolglot.convert(toolglot.write(tool, "hub"), "a2a")
    except WriteError:  # two commands of one name
        reject()
    hold_to_the_sdk(conversion)
