"""Rules of the family `size`: what the definitions of tools cost, in tokens and in the attention of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from toolglot.converter.formats.kit.rule import Hit, Rule, SetHits, Severity, Subject
from toolglot.verbs.tokens.estimate import estimate_tokens

_TOOLS = (40, 128)  # from where on it is said, and from where on it is a warning
_TOKENS = (500, 1_000)
_TOKENS_OF_ALL = (10_000, 25_000)
_FEWEST_CHARACTERS = 2  # of a token; a definition with fewer in all than the limit takes is not counted


def _definition(subject: Subject) -> bytes:
    """About what a model is told of a tool."""
    own = subject.own
    return msgspec.json.encode({"name": own.id, "description": own.description or own.summary, "inputs": own.inputs})


def _severity(number: int, limits: tuple[int, int]) -> Severity | None:
    if number <= limits[0]:
        return None
    return "warning" if number > limits[1] else "info"


def _find_many(subjects: Sequence[Subject]) -> SetHits:
    severity = _severity(len(subjects), _TOOLS)
    if severity is not None and not subjects[0].is_command:
        yield 0, Hit({"number": len(subjects)}, severity=severity)


def _find_long(subject: Subject) -> Iterator[Hit]:
    if subject.is_command:
        return
    definition = _definition(subject)
    if len(definition) > _FEWEST_CHARACTERS * _TOKENS[0]:
        number = estimate_tokens(definition.decode())
        severity = _severity(number, _TOKENS)
        if severity is not None:
            yield Hit({"number": f"{number:,}"}, severity=severity)


def _find_large(subjects: Sequence[Subject]) -> SetHits:
    definitions = [_definition(subject) for subject in subjects]
    if subjects[0].is_command or sum(map(len, definitions)) <= _FEWEST_CHARACTERS * _TOKENS_OF_ALL[0]:
        return
    number = sum(estimate_tokens(definition.decode()) for definition in definitions)
    severity = _severity(number, _TOKENS_OF_ALL)
    if severity is not None:
        yield 0, Hit({"number": f"{number:,}", "tools": len(subjects)}, severity=severity)


PARTLY_CHECKED = "partly-checked"
_LONG = "Adds two numbers, of which each may be whole or not, and gives their sum. "
_MANY = [{"id": f"add_{index}", "description": f"Adds {index}."} for index in range(_TOOLS[1] + 1)]

RULES = (
    Rule(
        code="tools-many",
        message=f"{{number}} tools stand in one document; models choose badly among more than {_TOOLS[0]}",
        why=f"One provider takes {_TOOLS[1]} tools in a request, one editor sends the first {_TOOLS[0]}.",
        mend=f"Offer fewer at once: `--only` chooses. It is a warning above {_TOOLS[1]}.",
        citation="OpenAI's limit; Cursor's",
        bad=_MANY,
        good=_MANY[:9],
        of_set=_find_many,
    ),
    Rule(
        code="tokens-tool",
        message="the definition costs about {number} tokens with every request",
        why="It is sent with every request, whether or not the tool is called.",
        mend=f"Shorten the texts. It is a warning above {_TOKENS[1]:,}.",
        citation="measured: 11 of 2,351 published tools cost more than 1,000",
        bad={"id": "add", "description": _LONG * 80},
        good={"id": "add", "description": _LONG},
        of_tool=_find_long,
    ),
    Rule(
        code="tokens-set",
        message="the definitions of {tools} tools cost about {number} tokens with every request",
        why="They are sent with every request, before the first word of a user.",
        mend=f"Offer fewer at once: `--only` chooses. It is a warning above {_TOKENS_OF_ALL[1]:,}.",
        citation="measured: two published servers cost more than 15,000",
        bad=[{"id": f"add_{index}", "description": _LONG * 40} for index in range(60)],
        good=_MANY[:9],
        of_set=_find_large,
    ),
    Rule(
        code=PARTLY_CHECKED,
        message="a part of its schemas was not checked: {reason}",
        why="What is wrong in the rest, nobody has seen.",
        mend="Make the schemas smaller, or split the document.",
        citation="the limits of toolglot",
    ),
)
