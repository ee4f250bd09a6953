"""Stand-ins: what takes the place of a faulty value or a missing key, so that the rest of its record can be read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, product
from typing import Any

import msgspec
from msgspec import UNSET

from toolglot import safety
from toolglot.formats import Format, Record
from toolglot.hub.model import Tool
from toolglot.schema import canonical
from toolglot.text.pointers import escape, unescape

StandIns = dict[str, Any]  # key -> its value; `UNSET` leaves it out

_VALUES = ("unnamed", "0.0.0", UNSET)  # a name or another text, a version
_MOST_TRIES = 81  # all stand-ins of four keys


def find_stand_ins(record: Record, fault_pointers: Iterable[str], source_format: Format) -> StandIns | None:
    """Values with which the reader accepts a record that has shape faults at these places; `None` for none."""
    schema = f"{source_format.name}/{canonical.READING}"
    if not isinstance(record.data, dict):
        return None
    keys = [key for key in canonical.load(schema).get("required", ()) if key not in record.data]
    for pointer in fault_pointers:
        token, _, rest = pointer[len(record.pointer) + 1 :].partition("/")
        if token and (not rest or f"/{token}" in source_format.places.fields.values()):
            keys.append(unescape(token))
    keys = list(dict.fromkeys(keys))
    for values in islice(product(_VALUES, repeat=len(keys)), _MOST_TRIES):
        stand_ins = dict(zip(keys, values, strict=True))
        if canonical.is_valid(with_stand_ins(record, stand_ins).data, schema):
            return stand_ins
    return None


def with_stand_ins(record: Record, stand_ins: StandIns) -> Record:
    """The record with these values, in the places of the faulty ones.

    >>> with_stand_ins(Record({"id": 5, "tags": "a"}), {"id": "unnamed", "tags": UNSET}).data
    {'id': 'unnamed'}
    """
    data = {**record.data, **stand_ins}
    return msgspec.structs.replace(record, data={key: value for key, value in data.items() if value is not UNSET})


def with_unclear_fields(tool: Tool, stand_ins: StandIns, source_format: Format) -> Tool:
    """The tool with the fields about danger as unclear that stand-ins took the place of: a rule shall not miss them."""
    fields = set(tool.unclear or ())
    for field, place in source_format.places.fields.items():
        is_replaced = any(f"{place}/".startswith(f"/{escape(key)}/") for key in stand_ins)
        if is_replaced and field in safety.FIELDS_OF_DANGER:
            fields.add(field)
    return msgspec.structs.replace(tool, unclear=tuple(sorted(fields)) or None)
