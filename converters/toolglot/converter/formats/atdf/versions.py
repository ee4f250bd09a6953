"""The versions of ATDF: which of them a record is written in, and what all of them have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from toolglot.converter.formats import Finding
from toolglot.converter.text.pointers import as_mapping, list_at, mapping_at
from toolglot.converter.text.wording import join_names

SCHEMA_VERSION = {"0.1": "1.0.0", "0.2": "2.0.0"}  # version -> value of `schema_version`
BASIC_KEYS = frozenset(
    {"schema_version", "tool_id", "id", "description", "when_to_use", "how_to_use"}
)  # of 0.1; a record with others is newer
_NEW_INPUT_KEYS = ("schema", "required")  # keys that an input has since 0.2
TYPES = ("string", "number", "integer", "boolean", "object", "array")
UNKNOWN_TYPE = "unknown"  # what upstream's own converter writes where it cannot tell
# Field of an example -> its key in the schema, then its keys in the specification's text and in real files.
EXAMPLE_KEYS = {
    "title": ("goal", "title", "name"),
    "input": ("input_values", "inputs", "input"),
    "note": ("expected_result", "expected_output", "output"),
}


def version_of(data: dict[str, Any]) -> str:
    """The version of a record: its keys decide; `schema_version` only if they fit both versions (specs 4.2 #15)."""
    if _newer_keys(data):
        return "0.2"
    marker = data.get("schema_version")
    return "0.2" if isinstance(marker, str) and marker.startswith("2") else "0.1"


def _newer_keys(data: dict[str, Any]) -> list[str]:
    """The keys of a record and of its inputs that 0.1 does not have."""
    of_inputs = dict.fromkeys(chain.from_iterable(inputs_of(data)))
    return [key for key in data if key not in BASIC_KEYS] + [key for key in _NEW_INPUT_KEYS if key in of_inputs]


def absent_is_required(inputs: list[Any]) -> bool:
    """Whether an input without `required` is required: it is, unless any input states `required` (specs 4.2 #5)."""
    return not any(isinstance(as_mapping(entry).get("required"), bool) for entry in inputs)


def inputs_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The inputs of a record that are mappings."""
    inputs = list_at(mapping_at(data, "how_to_use"), "inputs")
    return [entry for entry in inputs if isinstance(entry, dict)]


def stated_version(data: dict[str, Any]) -> str:
    """`schema_version` as text, empty without one; unquoted YAML makes it a number."""
    version = data.get("schema_version")
    if isinstance(version, str | int | float):
        return str(version)
    return ""


def stated_major(data: dict[str, Any]) -> int:
    """The first number of `schema_version`, which tells the versions apart; 0 without one."""
    match = re.match(r"[0-9]{1,9}", stated_version(data), re.ASCII)
    return int(match[0]) if match else 0


def find_version_faults(data: dict[str, Any]) -> Iterator[Finding]:
    """The faults of `schema_version`: it is unknown, or the record has keys that are newer."""
    stated, major, newer_keys = stated_version(data), stated_major(data), _newer_keys(data)
    if stated and major not in (1, 2):
        yield Finding("unknown-schema-version", "/schema_version", f"schema_version {stated!r} is not known")
    elif major == 1 and newer_keys:
        keys = join_names(f"`{key}`" for key in newer_keys)
        yield Finding("newer-than-declared", "/schema_version", f"it declares {stated}, and has keys of 2.x: {keys}")
