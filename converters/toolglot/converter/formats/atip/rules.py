"""What `check` says of ATIP documents beyond their schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.converter.safety import FIELDS_OF_DANGER
from toolglot.converter.schema.titles import parts_of_name


def _is_ours(subject: Subject) -> bool:
    return subject.is_command and subject.tool.origin == "atip"


def _find_unstated_effects(subject: Subject) -> Iterator[Hit]:
    if _is_ours(subject) and all(getattr(subject.tool, field) is None for field in FIELDS_OF_DANGER):
        yield Hit({}, "description")


def _find_unstated_reversal(subject: Subject) -> Iterator[Hit]:
    if _is_ours(subject) and subject.own.destructive and subject.tool.reversible is None:
        yield Hit({}, "destructive")


def _find_padding(subject: Subject) -> Iterator[Hit]:
    text = subject.own.description or ""
    if _is_ours(subject) and text != text.strip():
        yield Hit({}, "description")


def _find_mixed_names(subjects: Sequence[Subject]) -> Iterator[tuple[int, Hit]]:
    """The first command that is not spelled in the style of those before it; a single word has no style."""
    first: tuple[str, str] | None = None
    for index, subject in enumerate(subjects):
        name, style = subject.own.id, _style_of(subject.own.id)
        if not _is_ours(subject) or style is None:
            continue
        if first is None:
            first = name, style
        elif style != first[1]:
            yield index, Hit({"name": name, "style": style, "other": first[0], "other_style": first[1]}, "description")
            return


def _style_of(name: str) -> str | None:
    for mark, style in (("-", "kebab-case"), ("_", "snake_case")):
        if mark in name.strip(mark):
            return style
    return "camelCase" if len(parts_of_name(name)) > 1 else None


def _program(effects: str, name: str = "remove-note", description: str = "Removes one note of a book.") -> str:
    about = '"atip": {"version": "0.6"}, "name": "notes", "version": "1.0.0", "description": "Keeps notes in books."'
    first = '"list-notes": {"description": "Lists the notes of a book.", "effects": {"network": false}}'
    second = f'"{name}": {{"description": "{description}"{effects}}}'
    return f'{{{about}, "commands": {{{first}, {second}}}}}'


_LOCAL = ', "effects": {"network": false}'
_LINT = "atip-lint"
RULES = (
    Rule(
        code="effects-unstated",
        family="atip",
        severity="info",
        message="nothing says what the command changes or reaches",
        why="What nobody states counts as unknown, and a person is asked before it is called.",
        mend="State it in `effects`, also what the command does not do.",
        citation=_LINT,
        bad=_program(""),
        good=_program(_LOCAL),
        of_tool=_find_unstated_effects,
    ),
    Rule(
        code="reversible-unstated",
        family="atip",
        message="it destroys, and nothing says whether that can be undone",
        why="An agent may go on after what can be undone, and has to stop before what cannot.",
        mend="State `reversible` beside `destructive`.",
        citation=_LINT,
        bad=_program(', "effects": {"destructive": true}'),
        good=_program(', "effects": {"destructive": true, "reversible": false}'),
        of_tool=_find_unstated_reversal,
    ),
    Rule(
        code="description-padded",
        family="atip",
        severity="info",
        message="the description begins or ends with blanks",
        why="Readers show them, and take two texts that differ in them for different.",
        mend="Take the blanks out.",
        citation=_LINT,
        bad=_program(_LOCAL, description=" Removes one note of a book. "),
        good=_program(_LOCAL),
        of_tool=_find_padding,
    ),
    Rule(
        code="mixed-name-styles",
        family="atip",
        severity="info",
        message="{name} is {style}, and {other} is {other_style}",
        why="Whoever knows one command cannot guess how another one is spelled.",
        mend="Spell all commands in one style.",
        citation=_LINT,
        bad=_program(_LOCAL, name="removeNote"),
        good=_program(_LOCAL),
        of_set=_find_mixed_names,
    ),
    *declare_rules(
        "atip",
        "ATIP specification, commands",
        {
            "misplaced-parameters": (
                "warning",
                "parameters stand at the root of a program, where no reader looks",
                "Nobody is offered them, and no call can give them.",
                "Move them into the command that takes them, or into `globalOptions`.",
            ),
            "program-description-long": (
                "warning",
                "the description of a program has more than 200 characters",
                "Hosts show it in lists of programs, and cut it.",
                "Say in one sentence what the program is, and the rest in its commands.",
            ),
            "unlisted-enum": (
                "warning",
                "a parameter is one of several values, and nobody says which",
                "A model guesses a value, and the program refuses it.",
                "List the values under `enum`, or write the type `string`.",
            ),
        },
    ),
)
