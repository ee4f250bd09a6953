"""The one table of the fields of a `Tool`: what kind of value each has, and how the rest of toolglot treats it.

A list of fields that stands elsewhere is a query of this table, so that a new field is one row here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot.converter.hub.facets import rows_with

BOOL, WORD, TEXT, NUMBER, TEXTS, RECORDS, SCHEMA, OBJECT, TREE = (
    "bool", "word", "text", "number", "texts", "records", "schema", "object", "tree",
)  # fmt: skip


class FieldTraits(msgspec.Struct, frozen=True):
    """How one field is treated.

    Attributes:
        kind: the kind of its value.
        group: what it is about, such as "effects".
        handed_down: what a command inherits from the program and the groups above it. `same`: the value of the nearest
            one that states it; `worst`: the more dangerous value; `detail`: the extent of a danger; else nothing.
        warns: whether it is a text for people and models, which may hold warnings.
        is_wording: whether it only tells people something, so that a change of it changes no call.
        of_links: whether a tool inherits it from its action (AIP-39) and its drivers (AIP-30).
        assumable: whether a target may demand it, so that a conversion has to make a value up.
        bears_on_safety: whether it counts for the danger of a tool beyond what its value says by itself.
        of_one_node: whether it is about one node, so that the bare executable does not inherit it from its program.
        list_of: what a list of texts names: `resources` that are changed, `needs` without which no call succeeds, or
            `gates` that somebody has to open.
        label: the beginning of the paragraph that says it in a description, where a target has no place for it.
        noun: the word for people where neither the source nor the target has one.
    """

    kind: str
    group: str
    handed_down: str = ""
    warns: bool = False
    is_wording: bool = False
    of_links: bool = False
    assumable: bool = False
    bears_on_safety: bool = False
    of_one_node: bool = False
    list_of: str = ""
    label: str = ""
    noun: str = ""


FIELDS: dict[str, FieldTraits] = {}
"""Name of a field -> how it is treated, in the order of the groups."""


def _rows(kind: str, group: str, *names: str, **treatment: Any) -> None:
    FIELDS.update(dict.fromkeys(names, FieldTraits(kind, group, **treatment)))


_rows(TEXT, "identity", "id", of_one_node=True)
_rows(TEXT, "identity", "namespace", "origin", handed_down="same")
_rows(TEXT, "identity", "title", "guidance", warns=True, is_wording=True)
_rows(TEXT, "identity", "summary", warns=True, is_wording=True, of_one_node=True)
_rows(TEXT, "identity", "description", warns=True, is_wording=True, assumable=True, of_one_node=True)
_rows(TEXT, "identity", "when_to_use", warns=True, is_wording=True, assumable=True, label="When to use: ")
_rows(OBJECT, "identity", "localizations", warns=True, is_wording=True)
_rows(SCHEMA, "parameters", "inputs", of_one_node=True)
_rows(SCHEMA, "parameters", "global_inputs", noun="global-options")
_rows(OBJECT, "parameters", "bindings", of_one_node=True, noun="command-line")
_rows(OBJECT, "parameters", "global_bindings", noun="global-command-line")
_rows(OBJECT, "results", "syntax")
_rows(SCHEMA, "results", "context", "outputs")
_rows(TEXT, "results", "success", warns=True, is_wording=True, assumable=True)
_rows(RECORDS, "results", "errors")
_rows(RECORDS, "results", "examples", is_wording=True)
_rows(BOOL, "effects", "reads_files", bears_on_safety=True, of_one_node=True)
_rows(BOOL, "effects", "writes_files", "deletes_files", handed_down="worst")
_rows(TEXTS, "effects", "paths", handed_down="detail")
_rows(BOOL, "effects", "network", handed_down="worst", of_links=True)
_rows(TEXTS, "effects", "hosts", handed_down="worst", of_links=True, list_of="needs")
_rows(WORD, "effects", "egress", handed_down="worst")
_rows(BOOL, "effects", "subprocess", handed_down="worst")
_rows(TEXTS, "effects", "creates", "modifies", "deletes", handed_down="worst", list_of="resources")
_rows(TEXTS, "effects", "mutates", handed_down="worst", of_links=True, assumable=True, noun="effects")
_rows(BOOL, "effects", "destructive", "reversible", "idempotent", handed_down="worst")
_rows(WORD, "effects", "replay", bears_on_safety=True)
_rows(WORD, "effects", "stdin", handed_down="worst")
_rows(BOOL, "effects", "prompts", "tty", handed_down="worst")
_rows(WORD, "care", "safety_tier", handed_down="worst")
_rows(NUMBER, "care", "risk_level", handed_down="worst", of_links=True, assumable=True)
_rows(WORD, "care", "approval", handed_down="worst", of_links=True, assumable=True)
_rows(BOOL, "care", "billable", handed_down="worst")
_rows(WORD, "care", "cost_estimate", handed_down="worst")
_rows(WORD, "care", "cost_class", handed_down="worst", assumable=True)
_rows(WORD, "care", "cost_hint", handed_down="worst")
_rows(TEXT, "care", "duration")
_rows(WORD, "care", "latency_hint")
_rows(NUMBER, "care", "timeout_ms")
_rows(OBJECT, "care", "retry")
_rows(BOOL, "needs", "auth_required", handed_down="same", noun="credentials")
_rows(RECORDS, "needs", "auth_methods", handed_down="same", of_links=True, noun="credentials")
_rows(TEXT, "needs", "auth_check", handed_down="same")
_rows(TEXTS, "needs", "scopes", handed_down="detail", list_of="gates")
_rows(TEXTS, "needs", "secrets", handed_down="worst", of_links=True, list_of="needs")
_rows(TEXTS, "needs", "conditions", warns=True, list_of="gates", label="Requires: ")
_rows(TEXTS, "needs", "permissions", warns=True, list_of="gates", label="Permissions: ")
_rows(TEXTS, "needs", "required_tools", list_of="needs", label="Needs first: ")
_rows(TEXTS, "needs", "calls", of_links=True, list_of="needs", label="Calls: ")
_rows(TEXT, "about", "version", handed_down="same", assumable=True)
_rows(TEXT, "about", "category", is_wording=True, of_links=True)
_rows(TEXTS, "about", "tags", is_wording=True)
_rows(TEXT, "about", "author", "license", "created", "updated", "homepage", handed_down="same", is_wording=True)
_rows(TEXT, "about", "source", handed_down="same", of_links=True)
_rows(OBJECT, "about", "feedback", "driver_constraints")
_rows(TEXT, "about", "default_implementation")
_rows(OBJECT, "about", "implements", bears_on_safety=True)
_rows(OBJECT, "about", "trust", "binary", "discovery", handed_down="same")
_rows(OBJECT, "about", "patterns")
_rows(BOOL, "about", "deprecated", label="Status: ")
_rows(BOOL, "about", "hidden")
_rows(TREE, "document", "inherits", bears_on_safety=True)
_rows(TREE, "document", "own")
_rows(TREE, "document", "children", of_one_node=True)
_rows(BOOL, "document", "truncated")
_rows(TEXTS, "document", "flags", bears_on_safety=True, of_one_node=True)
_rows(TEXTS, "document", "unclear", noun="unreadable", bears_on_safety=True, of_one_node=True)
_rows(TEXTS, "document", "assumed", of_one_node=True)
_rows(TEXT, "document", "body", warns=True, is_wording=True)
_rows(OBJECT, "rest", "extensions", of_one_node=True)


def noun_of(name: str) -> str:
    """The word for people for a field that neither the source nor the target has a word for.

    >>> noun_of("bindings"), noun_of("title")
    ('command-line', 'title')
    """
    field = FIELDS.get(name)
    return name if field is None else field.noun or name


def fields_with(**treatment: Any) -> tuple[str, ...]:
    """The fields that have these traits, in the order of the table.

    >>> fields_with(kind=WORD, group="effects")
    ('egress', 'replay', 'stdin')
    """
    return rows_with(FIELDS, treatment)


EVERY_FIELD = frozenset(FIELDS)
PARAMETERS = fields_with(group="parameters")
"""The fields of what a caller hands over: the schemas, and how a command line spells them."""

WORDING = frozenset(fields_with(kind=TEXT, is_wording=True))
"""The texts that only tell people something."""
