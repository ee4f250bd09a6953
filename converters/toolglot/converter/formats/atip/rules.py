"""What `check` says of ATIP documents beyond their schema."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats.kit.rule import Hit, Rule, Subject, declare_rules
from toolglot.converter.safety import FIELDS_OF_DANGER


def _find_unstated_effects(subject: Subject) -> Iterator[Hit]:
    if subject.tool.origin == "atip" and all(getattr(subject.tool, field) is None for field in FIELDS_OF_DANGER):
        yield Hit({}, "description")


def _find_unstated_reversal(subject: Subject) -> Iterator[Hit]:
    if subject.tool.origin == "atip" and subject.own.destructive and subject.tool.reversible is None:
        yield Hit({}, "destructive")


_DOCUMENT = """\
{"atip": {"version": "0.6"}, "name": "notes", "version": "1.0.0", "description": "Keeps notes in books.",
 "commands": {"remove": {"description": "Removes one note of a book.", "effects": {%s}}}}
"""
RULES = (
    Rule(
        code="effects-unstated",
        family="atip",
        severity="info",
        message="nothing says what the command changes or reaches",
        why="What nobody states counts as unknown, and a person is asked before it is called.",
        mend="State it in `effects`, also what the command does not do.",
        citation="atip-lint",
        bad=_DOCUMENT % "",
        good=_DOCUMENT % '"network": false',
        of_tool=_find_unstated_effects,
    ),
    Rule(
        code="reversible-unstated",
        family="atip",
        severity="info",  # as a warning most programs that delete something would have it
        message="it destroys, and nothing says whether that can be undone",
        why="An agent may go on after what can be undone, and has to stop before what cannot.",
        mend="State `reversible` beside `destructive`.",
        citation="atip-lint",
        bad=_DOCUMENT % '"destructive": true',
        good=_DOCUMENT % '"destructive": true, "reversible": false',
        of_tool=_find_unstated_reversal,
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
            "long-program-description": (
                "info",
                "the description of the program is longer than 200 characters",
                "ATIP 0.3 recommends at most 200 characters, and the schemas since 0.4 refuse more.",
                "Keep what the program is for, and move the rest to its commands.",
            ),
            "padded-description": (
                "info",
                "white space stands around a description",
                "Whoever shows or compares texts has it as a part of the text.",
                "Take the white space away.",
            ),
            "mixed-names": (
                "info",
                "the words of names are parted in different ways",
                "Whoever knows one flag of a program guesses how another one is written.",
                "Write all commands and flags of a program in one way, as most programs do with dashes.",
            ),
            "uncalled-group": (
                "info",
                "a group has options, and nobody is offered it as a call",
                "A command with commands of its own, such as `git stash`, may also be called without any of them.",
                'If it can be called by itself, add the command `""` to it, with the parameters that it takes then.',
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
