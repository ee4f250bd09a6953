"""Rules of the family `meaning`: whether a model can tell what a tool does and what its parameters mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from toolglot.converter.formats.kit.rule import (
    Hit,
    Rule,
    ScannedText,
    SchemaPlace,
    SchemaTest,
    SetHits,
    Severity,
    Subject,
    TextHits,
    TextTest,
)
from toolglot.converter.safety.danger_in_names import words_of_name
from toolglot.converter.text.pointers import escape, mapping_at
from toolglot.converter.text.sentences import says_optional
from toolglot.verbs.diagnostics.rules.phrases import quote, with_parameter

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


def _find_duplicate(subjects: Sequence[Subject]) -> SetHits:
    first: dict[str, str] = {}
    for index, subject in enumerate(subjects):
        text = _description_of(subject).strip()
        other = first.setdefault(text, subject.own.id)
        if text and other != subject.own.id and not subject.is_command:
            yield index, Hit({"name": subject.own.id, "other": other}, "description")


def _find_undocumented(subject: Subject) -> Iterator[Hit]:
    properties = mapping_at(subject.own.inputs or {}, "properties")
    bindings = subject.own.bindings or {}
    silent: list[str] = []
    for name, schema in properties.items():
        is_explained = not isinstance(schema, dict) or schema.keys() & {"description", "$ref", "const"}
        is_stand_in = name in bindings and bindings[name].stand_in
        if not is_explained and not is_stand_in:
            silent.append(name)
    if silent:
        is_half = len(silent) > 1 and 2 * len(silent) >= len(properties)
        severity: Severity | None = None if is_half else "info"
        names = ", ".join(f"`{name}`" for name in silent[:5])
        if len(silent) > 5:
            names += ", …"
        yield Hit({"names": names}, "inputs", f"/properties/{escape(silent[0])}", severity)


# -- what the text of a parameter says that its schema does not ----------------------------------------------------

_CHOICE = re.compile(
    r"\b(?:one of|options(?: are)?|must be|either|allowed values?|valid values?|possible values?)\b", re.IGNORECASE
)
_OPEN = re.compile(r"\betc\b|e\.g\.|\bsuch as\b|\bfor example\b|\bfor instance\b|\blike\b|\.\.\.|…", re.IGNORECASE)
_QUOTED = re.compile(r"[\"'`“‘]([\w./:+-]{1,40})[\"'`”’]")
_BOOLEAN = re.compile(r"\b(?:true (?:or|/) false|true/false|'true' or 'false'|\"true\" or \"false\")", re.IGNORECASE)
_BEFORE_AND_AFTER = 120  # characters around the words of choice


def _quoted_choices(node: SchemaPlace) -> list[str]:
    """The values that the text of a parameter offers, if it says that there are no others."""
    text = node.schema.get("description")
    if not isinstance(text, str) or _OPEN.search(text):
        return []
    match = _CHOICE.search(text)
    return [] if match is None else _QUOTED.findall(text[match.start() : match.end() + _BEFORE_AND_AFTER])


def _find_enum_in_prose(node: SchemaPlace) -> Iterator[Hit]:
    if node.schema.get("type") == "string" and node.schema.keys().isdisjoint(("enum", "const", "pattern", "format")):
        choices = _quoted_choices(node)
        siblings = (node.owner or {}).get("properties") or {}
        if len(set(choices)) >= 2 and not any(choice in siblings for choice in choices):
            yield Hit({"values": ", ".join(map(quote, dict.fromkeys(choices)))}, inner="/description")


def _find_contradicted_type(node: SchemaPlace) -> Iterator[Hit]:
    text = node.schema.get("description")
    if isinstance(text, str) and node.schema.get("type") == "string" and "enum" not in node.schema:
        match = _BOOLEAN.search(text)
        if match is not None:
            yield Hit({"text": quote(match.group())}, inner="/description")


def _find_optional(node: SchemaPlace) -> Iterator[Hit]:
    text, required = node.schema.get("description"), (node.owner or {}).get("required")
    if isinstance(text, str) and isinstance(required, list) and node.name in required and says_optional(text):
        yield Hit({"name": node.name}, inner="/description")


RULES = (
    Rule(
        code="stale-slot",
        family="meaning",
        message="the record was edited since --lossless kept what it cannot hold",
        why="Its digest is another one, so that --restore reads the record as it stands.",
        mend="Convert again, or renew the digest with `toolglot check --confirm-assumed`.",
        citation="the slot of a lossless conversion",
    ),
    Rule(
        code="text-cut",
        family="meaning",
        message="a description ends where YAML sees a comment",
        why="A blank and `#` begin a comment: what stands behind them no reader gets.",
        mend="Put the text in quotes.",
        misses="a comment whose `#` has a blank behind it, and what cuts other texts",
    ),
    Rule(
        code="description-missing",
        family="meaning",
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
        family="meaning",
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
        family="meaning",
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
        family="meaning",
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
        family="meaning",
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
        family="meaning",
        message="{name} has the same description as {other}",
        why="A model cannot choose between two tools that say the same; most are pasted by mistake.",
        mend="Say what this one does otherwise.",
        citation="agent-friend",
        bad=[{"id": "add", "description": "Adds two numbers."}, {"id": "subtract", "description": "Adds two numbers."}],
        good=[{"id": "add", "description": "Adds two numbers."}, {"id": "subtract", "description": "Subtracts one."}],
        of_set=_find_duplicate,
    ),
    Rule(
        code="parameter-undocumented",
        family="meaning",
        message="no description says what {names} may be",
        why="A model fills in what it takes the name for.",
        mend="Give each parameter a description with an example of a value. It is a warning where it is half of "
        "several.",
        citation="agent-friend",
        bad={"id": "add", "inputs": {"properties": {"a": {"type": "number"}, "b": {"type": "number"}}}},
        good={
            "id": "add",
            "inputs": {
                "properties": {
                    "a": {"type": "number", "description": "The first number, such as 2."},
                    "b": {"type": "number", "description": "The number that is added to it."},
                }
            },
        },
        of_tool=_find_undocumented,
    ),
    Rule(
        code="enum-in-prose",
        family="meaning",
        message="only the text says that the value is one of {values}",
        why="A provider that enforces schemas cannot enforce a text, and a host cannot offer the choice.",
        mend="Put the values into `enum`.",
        citation="agent-friend; AgentGauge (13 to 40 points of task success)",
        bad={
            "id": "sort",
            "inputs": {"properties": {"by": {"type": "string", "description": 'One of "name", "date".'}}},
        },
        good={"id": "sort", "inputs": {"properties": {"by": {"type": "string", "enum": ["name", "date"]}}}},
        of_schema=SchemaTest(("description",), _find_enum_in_prose),
    ),
    Rule(
        code="text-contradicts-type",
        family="meaning",
        message="the text says {text}, and the schema asks for a string",
        why="Models follow the text, and validators the schema: calls fail that look right.",
        mend="Correct the one that is wrong.",
        citation="AgentGauge (13 to 40 points of task success)",
        bad={"id": "add", "inputs": {"properties": {"a": {"type": "string", "description": "true or false"}}}},
        good={"id": "add", "inputs": {"properties": {"a": {"type": "boolean", "description": "true or false"}}}},
        of_schema=SchemaTest(("description",), _find_contradicted_type),
    ),
    Rule(
        code="required-says-optional",
        family="meaning",
        message="`{name}` is required, and its text says that it is optional",
        why="Models leave out what they take for optional, and the call fails.",
        mend="Take it out of `required`, or correct the text.",
        citation="agent-friend",
        bad=with_parameter({"type": "number", "description": "Optional first number."}, required=["a"]),
        good=with_parameter({"type": "number", "description": "The first number."}, required=["a"]),
        of_schema=SchemaTest(("description",), _find_optional),
    ),
)
