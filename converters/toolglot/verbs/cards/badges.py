"""Badges: what a reader has to know at a glance, in words, with what nobody says among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from toolglot.converter import safety
from toolglot.converter.hub.facets import FACETS, facets_with
from toolglot.converter.hub.model import Tool
from toolglot.verbs.cards.safety_facts import DANGER_WORDS

NOT_STATED = "not stated"
EFFECTS_NOT_STATED = "effects not stated"

DANGER, CAUTION, CALM, UNKNOWN, PLAIN = "danger", "caution", "calm", "unknown", "plain"


class Badge(NamedTuple):
    """A few words and their tone, which colours them but says nothing that they do not say."""

    text: str
    tone: str


# What one badge says already is not said by another: a tool that deletes files changes data.
_IMPLIED = {
    "changes": frozenset(facets_with(is_change=True)) - {"changes"},
    "deletes": frozenset({"deletes_files"}),
}
_STATED = {"safety_tier": "tier", "approval": "approval", "egress": "egress"}


def badges_of(tool: Tool) -> list[Badge]:
    """The badges of a tool, danger first.

    >>> [badge.text for badge in badges_of(Tool(id="rm", destructive=True, approval="always"))]
    ['destructive', 'approval: always', 'not stated: tier, egress']
    >>> [badge.text for badge in badges_of(Tool(id="ls"))]
    ['effects not stated', 'not stated: tier, approval, egress']
    >>> [badge.text for badge in badges_of(Tool(id="ls", flags=("always-asks-approval",), unclear=("egress",)))]
    ['unclear: egress', 'uses the network', 'effects not stated', 'approval: always', 'not stated: tier']
    """
    badges = sorted(dangers_of(tool), key=lambda badge: badge.tone != DANGER)
    if tool.unclear:
        badges.insert(0, Badge(f"unclear: {', '.join(tool.unclear)}", DANGER))
    changes = safety.caution(tool)["changes"]
    silent: list[str] = []
    if safety.states_nothing(tool):
        badges.append(Badge(EFFECTS_NOT_STATED, UNKNOWN))
    elif changes == safety.UNKNOWN:
        silent.append("changes")
    elif changes == safety.SAFE:
        badges.append(Badge("changes nothing", CALM))
    if tool.deprecated:
        badges.append(Badge("deprecated", CAUTION))
    for field, label in _STATED.items():
        value = approval_of(tool) if field == "approval" else getattr(tool, field)
        if value is None and field not in (tool.unclear or ()):
            silent.append(label)
        elif value is not None:
            badges.append(Badge(f"{label}: {value}", _tone(field, value)))
    if silent:
        badges.append(Badge(f"{NOT_STATED}: {', '.join(silent)}", UNKNOWN))
    return badges


def approval_of(tool: Tool) -> str | None:
    """How often a person is asked: what the field says, or what a text does, which is all that most formats have.

    >>> asks = "Safety: ask the user for approval before every call."
    >>> approval_of(Tool(id="rm", approval="auto", description=asks))
    'always'
    """
    warnings = {*(tool.flags or ()), *safety.text_warnings(tool)}
    if "always-asks-approval" in warnings:
        return "always"
    if tool.approval is None and "may-ask-approval" in warnings:
        return "sometimes"
    return tool.approval


def dangers_of(tool: Tool) -> Iterator[Badge]:
    """The dangers that are stated of a tool.

    >>> [badge.text for badge in dangers_of(Tool(id="rm", deletes_files=True, network=True))]
    ['deletes files', 'uses the network']
    """
    levels = safety.caution(tool)
    for facet, words in DANGER_WORDS.items():
        is_implied = any(levels[other] == safety.UNSAFE for other in _IMPLIED.get(facet, ()))
        if levels[facet] == safety.UNSAFE and not is_implied:
            yield Badge(words, DANGER if FACETS[facet].always_said else CAUTION)


def _tone(field: str, value: str) -> str:
    if field == "approval":  # to be asked is no danger
        return PLAIN
    if value == "exec":
        return DANGER
    if safety.is_unsafe(field, value):
        return CAUTION
    return CALM
