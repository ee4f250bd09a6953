"""Rules of the family `meaning`: whether a model can tell what a tool does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from toolglot.converter.formats.kit.rule import (
    Hit,
    Rule,
    ScannedText,
    Severity,
    Subject,
    TextHits,
    TextTest,
)
from toolglot.converter.safety.danger_in_names import words_of_name
from toolglot.verbs.diagnostics.rules.phrases import quote
from toolglot.verbs.diagnostics.rules.tool_names import alike

SHORT = 20  # characters; those of Chinese, Japanese and Korean count twice
LONG = 1024
_PLACEHOLDER = re.compile(r"[\W_]*+(?:n/?a|none|null|description|placeholder|lorem ipsum.*+)?[\W_]*+\Z", re.IGNORECASE)
# What people leave where a description is still to be written; the rule looks for it in the texts of others.
_MARKS = ("todo", "tbd", "fixme")
_MARK = "|".join(_MARKS)
_UNWRITTEN = re.compile(rf"[\W_]*+(?:(?i:{_MARK})[\W_]*+\Z|(?:{_MARK.upper()})\s*+:)")
_DESCRIBING = frozenset({"description", "summary", "about", "help", "body"})  # keys of formats
_FILLERS_WORDS = "a an the of for to in on by with and or this that tool function is s"
_FILLERS = frozenset(_FILLERS_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")


def _description_of(subject: Subject) -> str:
    """What a tool says that it does."""
    own = subject.own
    return own.description or own.summary or own.guidance or own.when_to_use or ""


def _find_missing(subject: Subject) -> Iterator[Hit]:
    if not _description_of(subject).strip() and not (subject.own.body or "").strip():
        yield Hit({}, "description")


def _find_placeholder(subject: Subject) -> Iterator[Hit]:
    text = _description_of(subject).strip()
    if text and _PLACEHOLDER.match(text):
        yield Hit({"text": quote(text)}, "description")


def _find_unwritten(text: ScannedText) -> TextHits:
    """A mark for whoever is to write a description, of a parameter or a program too."""
    if text.key in _DESCRIBING and not text.is_key and _UNWRITTEN.match(text.value):
        yield {"text": quote(text.value)}


def _width(text: str) -> int:
    return len(text) + (0 if text.isascii() else sum(unicodedata.east_asian_width(char) in "WF" for char in text))


def _find_short(subject: Subject) -> Iterator[Hit]:
    text = _description_of(subject).strip()
    is_placeholder = _PLACEHOLDER.match(text) or _UNWRITTEN.match(text)
    if text and not is_placeholder and _width(text) < SHORT:
        is_one_word = text.isascii() and len(text.split()) < 2 and not subject.is_command
        severity: Severity | None = None if is_one_word else "info"
        yield Hit({"text": quote(text)}, "description", severity=severity)


def _find_restated(subject: Subject) -> Iterator[Hit]:
    words = {word.lower() for word in _WORD.findall(_description_of(subject))} - _FILLERS
    singular_words = {word.rstrip("s") for word in words}
    if words and singular_words.issubset(word.rstrip("s") for word in words_of_name(subject.own.id)):
        yield Hit({}, "description")


def _find_long(subject: Subject) -> Iterator[Hit]:
    length = len(subject.own.description or "")
    if length > LONG:
        yield Hit({"length": f"{length:,}"}, "description")


RULES = (
    Rule(
        code="stale-slot",
        message="the record was edited since --lossless kept what it cannot hold",
        why="Its digest is another one, so that --restore reads the record as it stands.",
        mend="Convert again, or renew the digest with `toolglot check --confirm-assumed`.",
        citation="the slot of a lossless conversion",
    ),
    Rule(
        code="text-cut",
        message="a description ends where YAML sees a comment",
        why="A blank and `#` begin a comment: what stands behind them no reader gets.",
        mend="Put the text in quotes.",
        misses="a comment whose `#` has a blank behind it, and what cuts other texts",
    ),
    Rule(
        code="description-missing",
        message="the tool does not say what it does",
        why="A model chooses a tool by its description; without one it guesses from the name.",
        mend="Say in one sentence what a call does and gives back.",
        citation="agnix MCP-004",
        bad={"id": "add"},
        good={"id": "add", "description": "Adds two numbers and gives their sum."},
        of_tool=_find_missing,
    ),
    Rule(
        code="description-placeholder",
        message="{text} stands in the place of a description",
        why="A model chooses a tool by its description.",
        mend="Say in one sentence what a call does and gives back.",
        citation="agent-friend",
        bad={"id": "add", "description": "TBD"},
        good={"id": "add", "description": "Adds two numbers and gives their sum."},
        of_text=TextTest(lambda texts: texts.have_any(_MARKS), _find_unwritten),
        of_tool=_find_placeholder,
    ),
    Rule(
        code="description-short",
        message="{text} is short for a description",
        why="What a call gives back and when it is of use rarely fits into less than 20 characters.",
        mend="Say what a call does, what it gives back, and when it is of use. One word alone is a warning.",
        citation="Cisco's scanner HEUR-009",
        bad={"id": "sum_up", "description": "Adds."},
        good={"id": "sum_up", "description": "Adds two numbers and gives their sum."},
        of_tool=_find_short,
    ),
    Rule(
        code="description-restates-name",
        severity="info",
        message="the description says no more than the name",
        why="A model that knows the name learns nothing from it.",
        mend="Say what a call gives back, and when it is of use.",
        citation="agent-friend",
        bad={"id": "list_open_issues", "description": "Lists the open issues."},
        good={"id": "list_open_issues", "description": "Lists the open issues of a repository, newest first."},
        of_tool=_find_restated,
    ),
    Rule(
        code="description-long",
        severity="info",
        message=f"the description has {{length}} characters; some readers take {LONG:,}",
        why="It is sent with every request, and deployments cut or refuse it.",
        mend="Keep what a model needs to choose and to call; move the manual elsewhere.",
        citation="skills-ref (1,024); AIP-14 (2,000)",
        bad={"id": "add", "description": "Adds two numbers. " * 60},
        good={"id": "add", "description": "Adds two numbers and gives their sum."},
        of_tool=_find_long,
    ),
    Rule(
        code="description-duplicate",
        message="{name} has the same description as {other}",
        why="A model cannot choose between two tools that say the same; most are pasted by mistake.",
        mend="Say what this one does otherwise.",
        citation="agent-friend",
        bad=[{"id": "add", "description": "Adds two numbers."}, {"id": "subtract", "description": "Adds two numbers."}],
        good=[{"id": "add", "description": "Adds two numbers."}, {"id": "subtract", "description": "Subtracts one."}],
        of_set=alike("description", lambda one: _description_of(one).strip()),
    ),
)
