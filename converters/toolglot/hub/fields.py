"""The one table of the fields of a `Tool`: what kind of value each has, and how the rest of toolglot treats it.

A list of fields that stands elsewhere is a query of this table, so that a new field is one row here.
"""

from __future__ import annotations

from typing import Any

import msgspec

BOOL, WORD, TEXT, NUMBER, TEXTS, RECORDS, SCHEMA, OBJECT, TREE = (
    "bool", "word", "text", "number", "texts", "records", "schema", "object", "tree",
)  # fmt: skip


class FieldTraits(msgspec.Struct, frozen=True):
    """How one field is treated.

    Attributes:
        kind: what its value is.
        group: what it is about.
        handed_down: what a command takes from the program and the groups above it: `same`, the value of the nearest
            that states one; `worst`, what is more dangerous; `detail`, to what a danger extends; else nothing.
        warns: whether it is a text for people and models, in which warnings may stand.
        assumable: whether a target may demand it, so that a conversion makes a value up.
    """

    kind: str
    group: str
    handed_down: str = ""
    warns: bool = False
    assumable: bool = False


FIELDS: dict[str, FieldTraits] = {}
"""Name of a field -> how it is treated, in the order of the groups."""


def _rows(kind: str, group: str, *names: str, **treatment: Any) -> None:
    FIELDS.update(dict.fromkeys(names, FieldTraits(kind, group, **treatment)))


_rows(TEXT, "identity", "id")
_rows(
    TEXT, "identity", "namespace", "origin", "author", "license", "created", "updated", "homepage", handed_down="same"
)
_rows(TEXT, "identity", "version", handed_down="same", assumable=True)
_rows(TEXT, "identity", "title", "summary", "guidance", warns=True)
_rows(TEXT, "identity", "description", "when_to_use", warns=True, assumable=True)
_rows(OBJECT, "identity", "localizations", warns=True)
_rows(TEXTS, "identity", "tags")
_rows(TEXT, "identity", "category")
_rows(BOOL, "identity", "deprecated", "hidden")
_rows(SCHEMA, "in and out", "inputs", "global_inputs", "context", "outputs")
_rows(OBJECT, "in and out", "bindings", "global_bindings", "syntax")
_rows(TEXT, "in and out", "success", warns=True)
_rows(RECORDS, "in and out", "errors", "examples")
_rows(BOOL, "effects", "reads_files")
_rows(
    BOOL, "effects", "writes_files", "deletes_files", "network", "subprocess", "destructive", "reversible",
    "idempotent", "prompts", "tty", handed_down="worst",
)  # fmt: skip
_rows(TEXTS, "effects", "creates", "modifies", "deletes", "hosts", handed_down="worst")
_rows(TEXTS, "effects", "mutates", handed_down="worst", assumable=True)
_rows(TEXTS, "effects", "paths", handed_down="detail")
_rows(WORD, "effects", "egress", "stdin", handed_down="worst")
_rows(WORD, "effects", "replay")
_rows(BOOL, "care", "billable", handed_down="worst")
_rows(WORD, "care", "safety_tier", "cost_estimate", "cost_hint", handed_down="worst")
_rows(WORD, "care", "approval", "cost_class", handed_down="worst", assumable=True)
_rows(NUMBER, "care", "risk_level", handed_down="worst", assumable=True)
_rows(TEXT, "care", "duration")
_rows(WORD, "care", "latency_hint")
_rows(NUMBER, "care", "timeout_ms")
_rows(OBJECT, "care", "retry")
_rows(BOOL, "needs", "auth_required", handed_down="same")
_rows(RECORDS, "needs", "auth_methods", handed_down="same")
_rows(TEXT, "needs", "auth_check", handed_down="same")
_rows(TEXTS, "needs", "scopes", handed_down="detail")
_rows(TEXTS, "needs", "secrets", handed_down="worst")
_rows(TEXTS, "needs", "calls", "required_tools")
_rows(TEXTS, "needs", "conditions", "permissions", warns=True)
_rows(OBJECT, "needs", "feedback")
_rows(TEXT, "provenance", "source", handed_down="same")
_rows(OBJECT, "provenance", "driver_constraints", "implements", "patterns")
_rows(OBJECT, "provenance", "trust", "binary", "discovery", handed_down="same")
_rows(TEXT, "provenance", "default_implementation")
_rows(TREE, "provenance", "inherits", "own", "children")
_rows(BOOL, "provenance", "truncated")
_rows(TEXTS, "document", "flags", "unclear", "assumed")
_rows(TEXT, "document", "body", warns=True)
_rows(OBJECT, "document", "extensions")


def fields_with(**treatment: Any) -> tuple[str, ...]:
    """The fields that are treated so, in the order of the table.

    >>> fields_with(kind=WORD, group="effects")
    ('egress', 'stdin', 'replay')
    """
    wanted = treatment.items()
    return tuple(name for name, field in FIELDS.items() if all(getattr(field, key) == value for key, value in wanted))
