"""Confirming a document: values that a conversion made up become statements of the author, and slots fit again."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolglot.converter.conversion.extension_slots import SLOT, digest_of, ours_in, put_ours, slot_pointer, without_ours
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.kit.suppositions import MARK
from toolglot.converter.text import document_reader
from toolglot.converter.text.pointers import as_list, follow, pointer_of, tokens_of, value_at, with_value


class MarkEntry(NamedTuple):
    """A name in a mark of made-up values: the JSON Pointer of the mark, and the name as it is written."""

    mark: str
    name: str


def entries_of(data: Any, mark: str) -> list[MarkEntry]:
    """The names in a mark, so that one of them can be confirmed.

    >>> entries_of({"metadata": {"toolglot": {"assumed": ["mutates"]}}}, "/metadata/toolglot/assumed")
    [MarkEntry(mark='/metadata/toolglot/assumed', name='mutates')]
    """
    return [MarkEntry(mark, name) for name in as_list(value_at(data, mark)) if isinstance(name, str)]


def confirmed_data(reading: Reading, only: MarkEntry | None = None) -> Any:
    """The data of a document without the marks of made-up values, and with the digests of its slots renewed.

    Args:
        only: the one name that is confirmed; default: all.

    >>> from toolglot.converter.conversion.sources import open_document
    >>> record = {"name": "p", "version": "1", "description": "p", "x-toolglot": {"assumed": ["description:148de9c5"]}}
    >>> confirmed_data(read_document(open_document({"atip": "0.3", **record})))
    {'atip': '0.3', 'name': 'p', 'version': '1', 'description': 'p'}
    """
    source_format, data = reading.format, reading.document.data
    if only is not None:
        data = _without_entry(data, source_format, only)
    elif source_format.slot.path:
        data = _without_marks(data, source_format)
    if not reading.slots:
        return data
    document = document_reader.from_data(data)
    document.body, document.path = reading.document.body, reading.document.path
    later = read_document(document, source_format.name)
    for record, pointer in zip(later.records, later.slots, strict=False):
        if pointer in later.stale:
            data = _renewed(data, record, pointer, source_format)
    return data


def _without_marks(node: Any, source_format: Format) -> Any:
    """The data without the mark of any node: of the records, and of the commands in them."""
    if isinstance(node, list):
        return [_without_marks(item, source_format) for item in node]
    if not isinstance(node, dict):
        return node
    bare = without_ours(Record(node), source_format, MARK).data
    ours = source_format.slot.path[0]
    return {key: value if key == ours else _without_marks(value, source_format) for key, value in bare.items()}


def _without_entry(data: Any, source_format: Format, only: MarkEntry) -> Any:
    """The data without one name of a mark, and without the mark where it was the last one."""
    place = tokens_of(only.mark.removesuffix(pointer_of((*source_format.slot.path, MARK)))) or []
    record = Record(follow(data, place))
    names = [entry.name for entry in entries_of(data, only.mark) if entry != only]
    record = put_ours(record, source_format, MARK, names) if names else without_ours(record, source_format, MARK)
    return with_value(data, place, record.data)


def _renewed(data: Any, record: Record, pointer: str, source_format: Format) -> Any:
    """The data with the digest of a record in the slot at a JSON Pointer, in the record or beside it."""
    digest = digest_of(record, source_format)
    if pointer == record.pointer + slot_pointer(source_format):
        slot = ours_in(record, source_format)[SLOT]
        if isinstance(slot, dict):
            record = put_ours(record, source_format, SLOT, {**slot, "digest": digest})
        return with_value(data, tokens_of(record.pointer) or [], record.data)
    return with_value(data, [*(tokens_of(pointer) or []), "digest"], digest)
