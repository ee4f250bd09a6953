"""What `check` says of toolglot's own JSON, rule by rule."""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import declare_rules

RULES = declare_rules(
    "hub",
    "schemas/hub/1.schema.json",
    {
        "hub": ("error", "it is no tool of the hub", "No tool was read from it.", "Correct what the message names."),
        "hub-version": ("error", "it is another version of the hub", "No tool was read from it.", "Write it anew."),
    },
)
