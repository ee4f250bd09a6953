"""The rules of `check` for declarations of Gemini, beyond their schema."""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import declare_rules

RULES = declare_rules(
    "gemini",
    "google.genai, types.FunctionDeclaration",
    {
        "two-schemas": (
            "error",
            "the arguments are described twice, in different words",
            "No tool was read from it.",
            "Keep one of the two.",
        ),
    },
)
