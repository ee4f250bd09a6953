"""The tables of a program and of a command: key -> hub field."""

from __future__ import annotations

from toolglot.converter.formats.atip import partial_discovery
from toolglot.converter.formats.atip.auth_methods import dump_methods, load_methods
from toolglot.converter.formats.atip.versions import OLD_ESTIMATES
from toolglot.converter.formats.kit.field_tables import (
    Row,
    Table,
    boolean,
    fields_of,
    mapping,
    mappings,
    text,
    texts,
    word,
)
from toolglot.converter.hub.durations import format_time_limit, parse_time_limit
from toolglot.converter.hub.fields import PARAMETERS
from toolglot.converter.hub.model import Example
from toolglot.converter.text.pointers import is_mappings, is_text, is_texts

DESCRIPTION_LIMIT = 200
"""Characters of the description of a program. 0.3 recommends it, the schemas of 0.4 and 0.6 enforce it."""

NO_VERSION = "unknown"
"""The version of a program that states none, because the schema requires one."""

_ESTIMATES = frozenset({"free", "low", "medium", "high", *OLD_ESTIMATES})

INTERACTIVE: Table = {
    "stdin": word("stdin", "none", "optional", "required", "password"),
    "prompts": boolean("prompts"),
    "tty": boolean("tty"),
}
"""What a command asks of the person who runs it; some documents have this beside `effects`."""

COMMAND: Table = {
    "description": text("description"),
    "effects": {
        "filesystem": {
            "read": boolean("reads_files"),
            "write": boolean("writes_files"),
            "delete": boolean("deletes_files"),
            "paths": texts("paths"),
        },
        "network": boolean("network"),
        "subprocess": boolean("subprocess"),
        "idempotent": boolean("idempotent"),
        "reversible": boolean("reversible"),
        "destructive": boolean("destructive"),
        "creates": texts("creates"),
        "modifies": texts("modifies"),
        "deletes": texts("deletes"),
        "interactive": INTERACTIVE,
        "cost": {
            "estimate": Row(
                "cost_estimate",
                lambda value: isinstance(value, str) and value in _ESTIMATES,
                lambda value: OLD_ESTIMATES.get(value, value),
                has_spellings=True,
            ),
            "billable": boolean("billable"),
        },
        "duration": {
            "typical": text("duration"),
            "timeout": Row(
                "timeout_ms",
                lambda value: parse_time_limit(value) is not None,
                parse_time_limit,
                format_time_limit,
                has_spellings=True,
            ),
        },
    },
    "authentication": {
        "required": boolean("auth_required"),
        "methods": Row(
            "auth_methods",
            lambda value: is_mappings(value, "type"),
            load_methods,
            dump_methods,
            has_spellings=True,
        ),
        "checkCommand": text("auth_check"),
    },
    "deprecated": boolean("deprecated"),
    "hidden": boolean("hidden"),
    "x-syntax": mapping("syntax"),
    "examples": Row(
        "examples",
        is_texts,
        lambda items: tuple(Example(command=item) for item in items),
        lambda examples: [example.command for example in examples if example.command is not None],
    ),
}

PROGRAM: Table = {
    "name": text("id"),
    "version": Row("version", is_text, lambda version: None if version == NO_VERSION else version),
    "title": text("title"),
    "license": text("license"),
    "homepage": text("homepage"),
    "trust": mapping("trust"),
    "binary": mapping("binary"),
    **COMMAND,
    "patterns": mappings("patterns"),
}

HOLDS = fields_of(PROGRAM).union(PARAMETERS, partial_discovery.FIELDS, ("summary", "assumed"))
"""The fields of the hub that a program and its commands have a place for."""

CHILD: Table = {"": text("id"), **COMMAND}
"""A command below another. Its key in `commands`, which is its id, is read as its value of `""`."""
