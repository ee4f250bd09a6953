"""Cards: they say what a document says and who says it, in the same words as the session and the reports."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from golden import FIXTURES
from rows import for_each
from streams import run
from toolglot.cli.commands.show_tools import RENDERERS, _pin_of
from toolglot.cli.reports.cards import cards_to_text
from toolglot.converter import formats
from toolglot.converter.conversion.pipeline import convert
from toolglot.converter.conversion.sources import open_document, read_document
from toolglot.converter.conversion.vouched_facts import parse_assertions
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text.document_reader import from_data, load
from toolglot.runtime.bridge.approval import questions_about
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.servers.pulled_document import PulledServer
from toolglot.verbs.cards.markdown import card_to_markdown
from toolglot.verbs.cards.tool_card import Pin, ToolCard, cards_of

CASES = sorted(path for path in (FIXTURES / "cases").glob("*/*") if path.is_file() and "losses" not in path.name)


def cards(data: Any, vouched: dict[str, Any] | None = None) -> list[ToolCard]:
    return list(cards_of(read_document(open_document(data, "t.json")), parse_assertions(from_data(vouched or {}))))


@for_each("path", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_card_of_every_case_is_what_its_schema_says(path: Path) -> None:
    shown = list(cards_of(read_document(open_document(path, str(path)))))
    assert shown
    assert list(find_problems(load(RENDERERS["json"](shown)).data, "card/1")) == []
    assert cards_to_text(shown).count("\nBefore a call\n") == len(shown)
    for card in shown:
        assert card.questions == list(questions_about(card.tool, Policy()))
        assert card.asks in card_to_markdown(card).replace("\\", "")


def mcp(**annotations: Any) -> dict[str, Any]:
    return {"name": "t", "description": "T.", "inputSchema": {"type": "object"}, "annotations": annotations}


OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1"},
    "paths": {"/t": {"get": {"operationId": "t", "responses": {"200": {"description": "T"}}}}},
}
SAID = [
    ("a hint that warns", mcp(destructiveHint=True), None, {("destructive", "author", 1)}),
    ("a hint that reassures", mcp(readOnlyHint=True), None, {("readOnlyHint", "hint", 1)}),
    ("the same, on your word", mcp(readOnlyHint=True), {"t": {"trusted-hints": True}},
     {("safety_tier", "you", 1), ("destructive", "you", None)}),
    ("a text", mcp() | {"description": "T [⚠️ DESTRUCTIVE]"}, None, {("⚠️ DESTRUCTIVE", "text", None)}),
    ("a text that reassures", mcp() | {"description": "T [🔒 READ-ONLY]"}, None, {("READ-ONLY", "claim", None)}),
    ("what nobody can read", mcp(destructiveHint="maybe"), None, {("destructive", "unclear", 1)}),
    ("a method", OPENAPI, None, {("safe-method", "method", None), ("network", "author", None)}),
    ("a stated denial", {"atip": {"version": "0.6"}, "name": "t", "version": "1", "description": "T",
                         "effects": {"destructive": False}}, None, {("destructive", "author", 1)}),
    ("nobody", mcp(), None, set()),
]  # fmt: skip


@for_each("name, data, vouched, expected", SAID, ids=str)
def test_a_card_says_who_says_a_fact(name: str, data: Any, vouched: Any, expected: set[tuple[str, str, int]]) -> None:
    [card] = cards(json.dumps(data), vouched)
    assert expected <= {(fact.fact, fact.by, fact.line) for fact in card.said_facts}
    assert {fact.by for fact in card.said_facts} == {by for _, by, _ in expected}
    for fact in card.said_facts:
        counts = "not verified" not in fact.words and "not confirmed" not in fact.words
        assert counts == (fact.by not in ("hint", "method", "claim", "conversion"))


def test_a_danger_that_nobody_can_read_is_not_told_as_none() -> None:
    [card] = cards(json.dumps(mcp(destructiveHint="maybe")))
    assert "unclear" in card_to_markdown(card)
    assert "None" not in card_to_markdown(card)


@for_each("target", sorted(name for name in formats.targets() if formats.get(name).slot.path))
def test_what_a_conversion_supposed_is_nobodys_word(target: str) -> None:
    text = convert(mcp(), target).files[0][1]
    [card] = cards_of(read_document(open_document(text), target))
    supposed = {fact.fact: fact.value for fact in card.said_facts if fact.by == "conversion"}
    assert supposed.keys() <= {"mutates", "approval", "risk_level", "cost_class"}
    assert None not in supposed.values()
    assert "changes data" in card.unstated


def test_a_card_says_what_its_author_wrote_under_a_key_that_nobody_reads() -> None:
    text = (FIXTURES / "demo" / "TOOL.md").read_text().replace("risk_level: 3", "risk_level: 0\ndestructive: true")
    [card] = cards_of(read_document(open_document(text)))
    [fact] = [fact for fact in card.said_facts if fact.by == "unread"]
    assert (fact.fact, fact.value, fact.place) == ("destructive", True, "destructive")
    assert fact.line is not None


PINS = [
    ({"tools": [mcp()]}, ("pinned", "depot")),
    ({"name": "depot", "tools": [mcp()]}, ("pinned", "depot")),
    ({"name": "depot", "tools": [mcp(readOnlyHint=True)]}, ("changed since", "depot")),
    ({"tools": [mcp(readOnlyHint=True)]}, ("not pinned", "")),
    ({"name": "other", "tools": [mcp()]}, ("not pinned", "other")),
]


@for_each("data, expected", PINS)
def test_a_card_says_whether_a_lock_pins_the_tool(data: Any, expected: tuple[str, str]) -> None:
    servers = {"depot": PulledServer("depot", {"tools": [mcp()]})}
    reading = read_document(open_document(data))
    [card] = cards_of(reading, (), partial(_pin_of, document=reading.document, servers=servers, lock="a.lock.json"))
    assert card.origin.pin is not None
    assert (card.origin.pin.state, card.server) == expected


def test_a_lock_pins_its_own_tools() -> None:
    lock = json.dumps({"toolglot-lock": 1, "tools": {"depot": {"tools": [mcp()]}}})
    reading = read_document(open_document(lock, "a.lock.json"))
    [card] = cards_of(reading, (), partial(_pin_of, document=reading.document, servers=None, lock=None))
    assert card.origin.pin == Pin("a.lock.json", "pinned")


@pytest.mark.parametrize("name", ["rm\x1b[31m", "a\u202eb"])
def test_a_card_lets_no_text_act_on_a_terminal(name: str) -> None:
    text = cards_to_text(cards({"name": name, "description": "x\x1b]0;y\x07", "inputSchema": {"type": "object"}}))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_an_unknown_name_is_told_how_many_tools_there_are(tmp_path: Path) -> None:
    tools = [{"name": f"tool_{number}", "inputSchema": {"type": "object"}} for number in range(12)]
    (tmp_path / "a.json").write_text(json.dumps({"tools": tools}), "utf-8")
    ran = run(tmp_path, ["show", "a.json", "zz"])
    assert ran.code == 2
    assert "there are tool_0, tool_1, " in ran.stderr
    assert "tool_9 and 2 more" in ran.stderr
