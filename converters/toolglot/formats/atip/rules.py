"""What `check` says of ATIP documents beyond their schema."""

from __future__ import annotations

from toolglot.formats.kit.rule import declare_rules

RULES = declare_rules(
    "atip",
    "ATIP specification, commands",
    {
        "misplaced-parameters": ("warning", "parameters stand at the root of a program, where no reader looks",
                                 "Nobody is offered them, and no call can give them.",
                                 "Move them into the command that takes them, or into `globalOptions`."),
    },
)  # fmt: skip
