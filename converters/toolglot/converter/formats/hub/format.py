"""The hub's own JSON: every field of `hub.model.Tool`, and nothing lost.

Schemas of the hub are JSON Schema 2020-12. A document with a schema in another dialect gets it back in that dialect.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.formats import Checks, Format, Places, Record
from toolglot.converter.formats.hub.detection import MARKS
from toolglot.converter.hub.fields import EVERY_FIELD
from toolglot.converter.hub.model import SCHEMAS, Tool, from_json, map_nodes, to_json
from toolglot.converter.safety import Approval, SafetyWords
from toolglot.converter.schema.newest_dialect import newest, restate_tool
from toolglot.converter.text.pointers import without_keys
from toolglot.errors import ReadError


def _records(data: Any) -> list[Record]:
    if data["toolglot"] != 1:
        message = f"version {data['toolglot']!r} of the hub is not known; this toolglot reads 1"
        raise ReadError(message, code="hub-version", pointer="/toolglot")
    return [Record(tool, None, f"/tools/{index}") for index, tool in enumerate(data["tools"])]


def _read(record: Record) -> Tool:
    try:
        return restate_tool(from_json(record.data), "hub")
    except msgspec.ValidationError as error:
        raise ReadError(f"not a tool of the hub: {error}", code="hub", pointer=record.pointer) from None


def _respell(node: Tool) -> Tool:
    """The node with its schemas as `_read` found them; a schema that has changed since stays in 2020-12."""
    own = dict(node.extension("hub"))
    fields: dict[str, Any] = {}
    for name in SCHEMAS:
        if isinstance(own.get(name), dict) and newest(own[name]) == getattr(node, name):
            fields[name] = own.pop(name)
    if not fields:
        return node
    extensions = without_keys(node.extensions or {}, "hub")
    if own:
        extensions["hub"] = own
    return replace(node, **fields, extensions=extensions or None)


FORMAT = Format(
    name="hub",
    title="toolglot's own JSON",
    url="schemas/hub/1.schema.json",
    marks=MARKS,
    versions=("1",),
    writes=("1",),
    tree=True,
    records=_records,
    wrap=lambda records: {"toolglot": 1, "tools": records},
    version_of=lambda record: "1",
    holds=EVERY_FIELD,
    places=Places(
        {name: f"/{name}" for name in Tool.__struct_fields__},
        child=lambda data, parent, identifier, index: f"{parent}/children/{index}",
        commands=("/children/*",),
    ),
    read=_read,
    write=lambda tool, version: Record(to_json(map_nodes(tool, _respell))),
    safety_words=SafetyWords(Approval("never", "conditional", "always", policy=True)),
    checks=Checks("toolglot.converter.formats.hub.rules"),
)
