"""What `check` says of ATIP documents beyond their schema."""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import declare_rules

RULES = declare_rules(
    "atip",
    "ATIP specification, commands",
    {
        "misplaced-parameters": ("warning", "parameters stand at the root of a program, where no reader looks",
                                 "Nobody is offered them, and no call can give them.",
                                 "Move them into the command that takes them, or into `globalOptions`."),
        "unlisted-enum": ("warning", "a parameter is one of several values, and nobody says which",
                              "A model guesses a value, and the program refuses it.",
                              "List the values under `enum`, or write the type `string`."),
    },
)  # fmt: skip
