"""The slot of a record: the place in its format's own extensions where we keep what the format has no field for.

A slot holds the remainder of a lossless conversion (`remainder`), or says which file a record of a catalogue comes
from. A format without slots has one object beside all the records of a document instead.
"""

from __future__ import annotations

from typing import Any

import msgspec

from toolglot.formats import Format, Record
from toolglot.text.pointers import follow, pointer_of

SLOT = "x-toolglot"  # beside the records, for formats that have no slot inside them
PROVENANCE = "provenance"  # the key under which a catalogue says where a record comes from


def slot_pointer(target: Format) -> str:
    """The JSON Pointer of the slot in a record of a format; empty where it has none."""
    return pointer_of(target.slot.path)


def put_slot(record: Record, target: Format, content: dict[str, Any]) -> Record:
    """The record with the remainder in the format's own slot."""
    *holders, key_of_slot = target.slot.path
    data = dict(record.data)
    node = data
    for key in holders:
        if key not in node:
            content = {**content, "alone": True}  # so that taking the slot away takes its holder away too
        node[key] = dict(node.get(key, {}))
        node = node[key]
    node[key_of_slot] = target.slot.dump(content)
    return msgspec.structs.replace(record, data=data)


def take_slot(record: Record, target: Format) -> tuple[Record, dict[str, Any] | None]:
    """The record without its remainder, and the remainder, `None` if there is none.

    What else we put in a slot, such as where a record of a catalogue comes from, is part of the record.
    """
    bare, content = without_slot(record, target)
    if content is None or "tool" not in content:
        return record, None
    return bare, content


def without_slot(record: Record, target: Format) -> tuple[Record, dict[str, Any] | None]:
    """The record without what we put into its slot, and that content, `None` if there is none."""
    if not target.slot.path:
        return record, None
    content = target.slot.load(follow(record.data, target.slot.path))
    if not isinstance(content, dict) or content.get("toolglot") != 1:
        return record, None
    data = _without(record.data, target.slot.path, alone=content.get("alone") is True)
    return msgspec.structs.replace(record, data=data), content


def _without(data: dict[str, Any], path: tuple[str, ...], alone: bool) -> dict[str, Any]:
    key, *rest = path
    if not rest:
        return {name: value for name, value in data.items() if name != key}
    inner = _without(data[key], tuple(rest), alone)
    if not inner and alone:
        return {name: value for name, value in data.items() if name != key}
    return {**data, key: inner}


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def take_remainders(data: Any) -> tuple[Any, dict[str, Any]]:
    """A document without the remainders beside its records, and these remainders by the keys of their records."""
    if not (isinstance(data, dict) and isinstance(data.get(SLOT), dict) and any(map(_is_list, data.values()))):
        return data, {}
    remainders = {key: value for key, value in data[SLOT].items() if isinstance(value, dict) and "tool" in value}
    if not remainders and not all(map(_is_provenance, data[SLOT].values())):
        return data, {}
    return {key: value for key, value in data.items() if key != SLOT}, remainders


def _is_provenance(value: Any) -> bool:
    """Whether a slot says only where a record of a catalogue comes from: nothing that restores a tool."""
    return isinstance(value, dict) and value.keys() == {"toolglot", PROVENANCE}
