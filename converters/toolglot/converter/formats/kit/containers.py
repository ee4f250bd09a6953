"""The containers that records come in: one record, a list of them, or `{"tools": [...]}`."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Record


def listed_records(data: Any, key: str = "tools") -> list[Record]:
    """The records of a document, each with its JSON Pointer.

    Args:
        key: the key under which a container lists its records.

    >>> [record.pointer for record in listed_records({"tools": [{}, {}]})]
    ['/tools/0', '/tools/1']
    """
    items, above = (data.get(key), f"/{key}") if isinstance(data, dict) else (data, "")
    if isinstance(items, list):
        return [Record(item, None, f"{above}/{index}") for index, item in enumerate(items)]
    return [Record(data)]


def first_record(data: Any, key: str = "tools") -> dict[str, Any]:
    """The first record of a document, which shows its format; empty where there is none.

    >>> first_record([{"a": 1}])
    {'a': 1}
    """
    records = listed_records(data, key)
    return records[0].data if records and isinstance(records[0].data, dict) else {}
