"""What `check` says of an OpenAPI document beyond its schema, rule by rule."""

from __future__ import annotations

from toolglot.converter.formats.kit.rule import declare_rules

RULES = declare_rules(
    "openapi",
    "OpenAPI 3.1, Reference Object",
    {
        "unresolved-reference": ("warning", "a reference leads nowhere in its document",
                                 "What it stands for is left out, or accepts anything.",
                                 "Correct the reference, or add what it leads to."),
        "circular-schema": ("warning", "a schema is said to be itself too",
                            "No validator reaches its end, and what is meant has to be guessed.",
                            "Take the schema out of its own allOf, or its children out of its alternatives."),
        "beside-reference": ("warning", "a keyword stands beside a `$ref` and does not count",
                             "OpenAPI 3.0 and Swagger ignore it, so that nobody is held to it.",
                             "Put the reference and the keyword into `allOf`."),
        "undeclared-variable": ("warning", "no parameter declares a variable of the path",
                                "What may stand there is not known; callers are asked for a text.",
                                "Declare a parameter of that name, in path."),
        "unsent-parameter": ("warning", "no request carries a parameter",
                             "Nobody can give it, so that what its author expects never arrives.",
                             "Correct its name or its place, or take it out."),
        "no-operations": ("warning", "a path has no method",
                          "No tool is made of it, and nobody misses what is not there.",
                          "Describe a method, correct its name, or remove the path."),
    },
)  # fmt: skip
