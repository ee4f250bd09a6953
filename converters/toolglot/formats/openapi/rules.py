"""What `check` says of an OpenAPI document beyond its schema, rule by rule."""

from __future__ import annotations

from toolglot.formats.kit.rule import declare_rules

RULES = declare_rules(
    "openapi",
    "OpenAPI 3.1, Reference Object",
    {
        "unresolved-reference": ("warning", "a reference leads nowhere in its document",
                                 "What it stands for is left out, or accepts anything.",
                                 "Correct the reference, or add what it leads to."),
        "no-operations": ("warning", "a path has no method",
                          "No tool is made of it, and nobody misses what is not there.",
                          "Describe a method, correct its name, or remove the path."),
    },
)  # fmt: skip
