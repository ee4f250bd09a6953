"""Flags and arguments of one command that a program could take for each other."""

from __future__ import annotations

from collections.abc import Iterator

from toolglot.converter.formats.kit.parameters import required_keys
from toolglot.converter.formats.kit.rule import Hit, Rule, Subject
from toolglot.converter.text.pointers import escape, pointer_below, texts_at


def _find_shared_flags(subject: Subject) -> Iterator[Hit]:
    """Options of one command with one flag: what stands behind it is for the program to say."""
    owners: dict[str, str] = {}
    for key, binding in (subject.own.bindings or {}).items():
        for flag in dict.fromkeys(binding.flags or ()):
            other = owners.setdefault(flag, key)
            if other != key:
                yield Hit({"flag": flag, "one": other, "other": key}, "bindings", f"/{escape(key)}/flags")


def _find_robbed_arguments(subject: Subject) -> Iterator[Hit]:
    """An argument that has to be given, and whose word another one takes that stands before it and may be left out.

    What stands behind an argument of any number of words has its own from the end of the line.
    """
    syntax, required, optional = subject.own.syntax or {}, required_keys(subject.own.inputs or {}), ""
    for key, binding in (subject.own.bindings or {}).items():
        if binding.kind != "argument" or key in texts_at(syntax, "behind_dashes"):
            continue
        if optional and key in required and syntax.get("fills") != "required-first":
            yield Hit({"one": optional, "other": key}, "inputs", pointer_below("/properties", key))
            return
        if binding.variadic:
            return
        if key not in required:
            optional = optional or key


_TWO_PARAMETERS = {
    "id": "add",
    "description": "Adds a note.",
    "inputs": {
        "type": "object",
        "properties": {"out": {"type": "string"}, "open": {"type": "boolean"}},
        "required": ["open"],
    },
}
_OUT = {"out": {"kind": "option", "flags": ["-o"]}}
_ARGUMENT = {"kind": "argument"}

RULES = (
    Rule(
        code="shared-flag",
        severity="error",
        message="{flag} is a flag of {one} and of {other}",
        why="Which of the two a program takes it for is chance, and no call can say which is meant.",
        mend="Give one of them another flag.",
        bad=_TWO_PARAMETERS | {"bindings": {**_OUT, "open": {"kind": "option", "flags": ["-o"]}}},
        good=_TWO_PARAMETERS | {"bindings": {**_OUT, "open": {"kind": "option", "flags": ["--open"]}}},
        of_tool=_find_shared_flags,
    ),
    Rule(
        code="optional-before-required",
        message="`{one}` may be left out, and `{other}` behind it may not",
        why="Most programs take the word of the next argument for one that is left out, and then refuse the call; some "
        "refuse every call.",
        mend="Put the argument that has to be given first. A program of argparse gives it a single word all the same, "
        'and says so in ATIP: `"x-syntax": {"fills": "required-first"}`.',
        bad=_TWO_PARAMETERS | {"bindings": {"out": _ARGUMENT, "open": _ARGUMENT}},
        good=_TWO_PARAMETERS | {"bindings": {"open": _ARGUMENT, "out": _ARGUMENT}},
        of_tool=_find_robbed_arguments,
    ),
)
