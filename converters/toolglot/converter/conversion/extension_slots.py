"""toolglot's own object in a record, in the place where the format lets others add keys. It has up to three keys.

`assumed` names the values that a conversion made up, and is written by the format. `slot` has what `--lossless` keeps.
`provenance` says which file a record of a catalogue comes from. Each writer changes its own key alone. Where a format
has no such place, one object beside all records of the document has the same, by the ids of the records.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.kit.suppositions import MARK
from toolglot.converter.hub.model import JsonObject, Tool
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import follow, pointer_of, tokens_of, with_value, without_keys, without_place

BESIDE = "x-toolglot"  # beside the records, for formats that have no place inside them
SLOT = "slot"
PROVENANCE = "provenance"  # the key under which a catalogue says where a record comes from
_OURS = frozenset({SLOT, PROVENANCE})
_DIGITS = 16  # of a digest, which finds edits and proves nothing


def slot_pointer(target: Format) -> str:
    """The JSON Pointer of a slot in a record of a format; empty where it has none."""
    return pointer_of((*target.slot.path, SLOT)) if target.slot.path else ""


def ours_in(record: Record, target: Format) -> JsonObject:
    """toolglot's own object in a record; empty where there is none."""
    if not target.slot.path:
        return {}
    ours = target.slot.load(follow(record.data, target.slot.path))
    return ours if isinstance(ours, dict) else {}


def put_ours(record: Record, target: Format, key: str, value: Any) -> Record:
    """The record with a new value under one key of toolglot's own object."""
    ours = target.slot.dump({**ours_in(record, target), key: value})
    return replace(record, data=with_value(record.data, target.slot.path, ours))


def without_ours(record: Record, target: Format, *keys: str) -> Record:
    """The record without these keys of toolglot's own object, and without objects that are empty then."""
    ours = ours_in(record, target)
    if ours.keys().isdisjoint(keys):
        return record
    rest = without_keys(ours, *keys)
    if rest:
        return replace(record, data=with_value(record.data, target.slot.path, target.slot.dump(rest)))
    return replace(record, data=without_place(record.data, target.slot.path))


def stated_extension(owner: str, tool: Tool, *keys: str) -> JsonObject:
    """The extension of a tool without values that a conversion made up, and without these keys of toolglot's own."""
    rest = tool.extension(owner)
    owner_format = formats.find(owner) if rest else None
    if owner_format is None:
        return rest
    rest = without_ours(Record(rest), owner_format, *keys, *([MARK] if tool.assumed else [])).data
    for field in tool.assumed or ():
        rest = without_place(rest, _place_of(owner_format, field))
    return rest


def supposed_value(tool: Tool, field: str) -> Any:
    """The value that a conversion made up for a field, as JSON; `None` where the tool was not read with it."""
    for owner in formats.every():
        value = follow(tool.extension(owner.name), _place_of(owner, field))
        if value is not None:
            return value
    return None


def _place_of(owner_format: Format, field: str) -> list[str]:
    return tokens_of(owner_format.places.fields.get(field, "")) or [""]


def digest_of(record: Record, target: Format) -> str:
    """A digest of a record without its slot and provenance. It shows whether the record was edited since then.

    >>> from toolglot.converter import formats
    >>> digest_of(Record({"name": "a"}), formats.get("mcp"))
    '1649ae97c011a5b6'
    """
    bare = without_ours(record, target, SLOT, PROVENANCE)
    text = json.dumps([bare.data, bare.body or ""], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hex_digest(text, _DIGITS)


def take_beside(data: Any) -> tuple[Any, JsonObject]:
    """A document without toolglot's own object beside its records, and that object, by the ids of records.

    >>> take_beside({"tools": [], "x-toolglot": {"a": {"slot": {}}}})
    ({'tools': []}, {'a': {'slot': {}}})
    """
    if not (isinstance(data, dict) and isinstance(data.get(BESIDE), dict)):
        return data, {}
    if not any(isinstance(item, list) for item in data.values()):  # the records
        return data, {}
    beside: JsonObject = data[BESIDE]
    if not all(isinstance(value, dict) and value and value.keys() <= _OURS for value in beside.values()):
        return data, {}
    return without_keys(data, BESIDE), beside
