"""The hub's own JSON: every field of `toolglot.model.Tool`, and nothing lost."""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot.errors import ReadError
from toolglot.formats import Format, Record
from toolglot.model import Tool, from_json, to_json
from toolglot.safety import Approval


def _sniff(data: Any, body: str | None) -> bool:
    return isinstance(data, dict) and "toolglot" in data and isinstance(data.get("tools"), list)


def _records(data: Any) -> list[Record]:
    if data["toolglot"] != 1:
        message = f"version {data['toolglot']!r} of the hub is not known; this toolglot reads 1"
        raise ReadError(message, code="hub-version", pointer="/toolglot")
    return [Record(tool, None, f"/tools/{index}") for index, tool in enumerate(data["tools"])]


def _wrap(records: list[dict[str, Any]]) -> Any:
    return {"toolglot": 1, "tools": records}


def _read(record: Record) -> Tool:
    try:
        return from_json(record.data)
    except msgspec.ValidationError as error:
        raise ReadError(f"not a tool of the hub: {error}", code="hub", pointer=record.pointer) from None


def _write(tool: Tool, version: str | None) -> Record:
    return Record(to_json(tool))


FORMAT = Format(
    name="hub",
    title="toolglot's own JSON",
    url="schemas/hub/1.schema.json",
    versions=("1",),
    writes=("1",),
    patterns=("*.hub.json",),
    tree=True,
    holds=frozenset(Tool.__struct_fields__),
    approval=Approval("never", "conditional", "always", policy=True),
    places={name: f"/{name}" for name in Tool.__struct_fields__},
    child_place="/children/{index}",
    sniff=_sniff,
    records=_records,
    wrap=_wrap,
    version_of=lambda record: "1",
    read=_read,
    write=_write,
    identify=" ".join,
)
