"""The keys of `TOOL.md`: the present ones, the former ones, and their order."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from toolglot.converter.formats import Finding
from toolglot.converter.formats.kit.field_tables import Row, Table, texts
from toolglot.converter.formats.kit.key_order import insert
from toolglot.converter.schema import canonical
from toolglot.converter.schema.json_values import are_equal
from toolglot.converter.text.pointers import without_keys
from toolglot.errors import ReadError
from toolglot.regexes import compile_later

# Former key -> present key (corpus.md 1.3, from real files; git history of AIP-14).
ALIASES = {
    "riskLevel": "risk_level",
    "costClass": "cost_class",
    "timeoutMs": "timeout_ms",
    "defaultImplementation": "default_implementation",
    "driverConstraints": "driver_constraints",
    "default_provider": "default_implementation",
    "default_driver": "default_implementation",
    "provider_constraints": "driver_constraints",
    "inputSchema": "inputs",
    "outputSchema": "outputs",
}
LEGACY = ("code", "run", "runner", "secrets", "network", "entry", "execute")  # AIP-30 moved them to DRIVER.md
DRIVER_KEYS = ("async", "streaming", "priority", "model", "temperature")  # in real files, but never in the schema
KINDS = ("cli", "http", "mcp", "sdk", "builtin")  # of drivers
DEFAULT_TIMEOUT = 30_000  # milliseconds
_APPROVAL_WORDS = ("auto", "always", "on-mutate")
_POLICY = compile_later(r"policy:[A-Za-z0-9_./-]+\Z")
SEMVER = compile_later(r"\d+\.\d+\.\d+(?:[-+][\w.\-]+)?", re.ASCII)
VARIABLE = compile_later(r"[A-Z][A-Z0-9_]*\Z")  # of the environment, as AIP-19 names them
IMPLEMENTATION_ID = compile_later(r"[a-z0-9][a-z0-9.\-]{1,79}\Z")
APPROVALS = Row(
    "approval",
    lambda value: isinstance(value, str) and (value in _APPROVAL_WORDS or _POLICY.match(value) is not None),
)
RISK = Row(
    "risk_level",
    lambda value: type(value) in (int, float) and value in (0, 1, 2, 3),
    int,
)
SHARED_WITH_ACTIONS: Table = {
    "requires": {"network": texts("hosts"), "secrets": texts("secrets"), "tools": texts("calls")},
    "approval": APPROVALS,
    "risk_level": RISK,
}
"""What tools and actions state under the same keys."""
OPEN_SCHEMAS: dict[str, Any] = {"inputs": {"type": "object"}, "outputs": {}}  # key that has to be there -> open schema

# Keys that some files have beside the others and that the schema does not know: they belong into `metadata`.
_CONTEXT_KEYS = ("contextSchema",)
INTO_METADATA = (*_CONTEXT_KEYS, "inputsFiles", "outputsFiles")


def with_present_keys(data: dict[str, Any], pointer: str = "") -> dict[str, Any]:
    """The data with every former key under its present name, in the same place.

    Raises:
        ReadError: two spellings of one key say different things.

    >>> with_present_keys({"riskLevel": 2, "id": "a"})
    {'risk_level': 2, 'id': 'a'}
    """
    if ALIASES.keys().isdisjoint(data):
        return data
    out: dict[str, Any] = {}
    for key, value in data.items():
        name = ALIASES.get(key, key)
        if key != name and not are_equal(data.get(name, out.get(name, value)), value):
            message = f"{key} and {name} say different things; keep {name}"
            raise ReadError(message, code="two-spellings", pointer=f"{pointer}/{key}")
        if key == name or name not in data:
            out.setdefault(name, value)
    return out


def move_into_metadata(data: dict[str, Any], keys: Collection[str] = _CONTEXT_KEYS) -> dict[str, Any]:
    """The data with these keys inside `metadata`. A key stays if its value is no mapping, or if `metadata` has the key.

    >>> move_into_metadata({"id": "a", "contextSchema": {"type": "object"}})
    {'id': 'a', 'metadata': {'contextSchema': {'type': 'object'}}}
    """
    if data.keys().isdisjoint(keys):
        return data
    metadata = data.get("metadata") or {}
    if not isinstance(metadata, dict):
        return data
    objects = {key: data[key] for key in keys if isinstance(data.get(key), dict) and key not in metadata}
    if not objects:
        return data
    rest = without_keys(data, *objects)
    return place_key(rest, "metadata", metadata | objects)


def find_driver_keys(data: dict[str, Any]) -> Iterator[Finding]:
    """Findings for keys that say how a tool is run, which is a matter of its driver."""
    for key in DRIVER_KEYS:
        if key in data:
            yield Finding("driver-key", f"/{key}", f"its driver says how a tool is run; move `{key}` to the DRIVER.md")


def place_key(data: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The data with `key` set; a new key gets the place that the order of the schema gives it.

    >>> list(place_key({"id": "a", "mutates": [], "tags": []}, "approval", "always"))
    ['id', 'mutates', 'approval', 'tags']
    """
    if key in data:
        return {**data, key: value}
    order = list(canonical.load("aip14/v1")["properties"])
    earlier = [name for name in order[: order.index(key)] if name in data]
    return insert(data, key, value, earlier[-1:])
