"""What `check` says of a `SKILL.md`, rule by rule."""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import declare_rules

RULES = declare_rules(
    "skill",
    "Agent Skills specification, `name` field",
    {
        "skill-folder": ("warning", "the folder of a skill is called otherwise than the skill",
                         "Clients do not load it.", "Call the folder and the skill the same."),
    },
)  # fmt: skip
