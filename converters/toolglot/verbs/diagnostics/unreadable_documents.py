"""The findings of a document that cannot be read. A placeholder stands for each faulty value, so that all are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from typing import Any

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.conversion.extension_slots import SLOT, without_ours
from toolglot.converter.conversion.reading import records_of
from toolglot.converter.formats import Format, Record
from toolglot.converter.formats.detection import format_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.hub.trees import walk_nodes, with_fields
from toolglot.converter.schema import canonical
from toolglot.converter.schema.document_problems import find_problems
from toolglot.converter.text import document_reader
from toolglot.converter.text.document_reader import locate_error
from toolglot.converter.text.pointers import NOTHING, escape, unescape, with_values
from toolglot.errors import ReadError
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, as_error, from_error, with_position
from toolglot.verbs.diagnostics.record_checks import RecordChecker, from_problems
from toolglot.verbs.diagnostics.rule_engine import Engine, ReadTool


def check_unreadable(
    document: document_reader.Document, format_name: str | None, engine: Engine
) -> Iterator[Diagnostic]:
    """All findings of a document that cannot be read."""
    try:
        source_format = format_of(document, format_name)
        records, _ = records_of(document, source_format)
    except ReadError:
        return
    checker = RecordChecker(source_format, format_name, engine)
    faulty_places: set[tuple[str, str]] = set()
    for record in records:
        findings = list(_shape_faults(record, source_format))
        places = {_place(fault) for fault in findings}
        faulty_places |= places
        stand_ins = _find_stand_ins(record, [fault.pointer for fault in findings], source_format)
        if stand_ins is not None:
            readable_record = replace(record, data=with_values(record.data, stand_ins))
            tool = None
            try:
                tool = source_format.tool_of(without_ours(readable_record, source_format, SLOT))
                tool = _with_unclear_fields(ReadTool(source_format, readable_record, tool), stand_ins)
            except ReadError as error:
                refusal = from_error(locate_error(document, error))
                yield refusal
                places.add(_place(refusal))
                places |= {(f"{record.pointer}/{key}", "") for key in source_format.checks.older_keys}
            hushed_places = places.union(*(_places_of(pointer, record) for pointer in stand_ins))
            findings += [
                other for other in checker.check_record(readable_record, tool) if _place(other) not in hushed_places
            ]
            places.update(map(_place, findings))
        if stand_ins != {}:  # the values that were stood in for have faults of their own
            findings += [other for other in checker.check_record(record, None) if _place(other) not in places]
        yield from (with_position(diagnostic, document) for diagnostic in findings)
    for fault in checker.check_whole(document):
        if _place(fault) not in faulty_places:
            yield with_position(fault, document)


def _place(fault: Diagnostic) -> tuple[str, str]:
    """The subject of a fault: the pointer of a value, and a missing key in it."""
    key = fault.message if fault.code == "schema-required" else ""
    return fault.pointer, key


def _places_of(pointer: str, record: Record) -> set[tuple[str, str]]:
    """The possible subjects of faults at a place in a record: its value, or its absence."""
    holder, _, key = pointer.rpartition("/")
    return {(record.pointer + pointer, ""), (record.pointer + holder, f"`{unescape(key)}` is missing")}


def _shape_faults(record: Record, source_format: Format) -> Iterator[Diagnostic]:
    name = f"{source_format.name}/{canonical.READING}"
    if not canonical.is_valid(record.data, name):
        yield from map(as_error, from_problems(find_problems(record.data, name), record))


_StandIns = dict[str, Any]  # JSON Pointer in the record -> its value; `NOTHING` leaves it out
_STAND_INS = ("unnamed", "0.0.0", NOTHING)  # a name or another text, a version
_MOST_TRIES = 81  # all stand-ins of four keys
_MOST_FAULTY = 64  # values; each of those deep in a record takes a copy of what is around it


def _find_stand_ins(record: Record, fault_pointers: Iterable[str], source_format: Format) -> _StandIns | None:
    """Placeholders with which the reader accepts a record with shape faults; `None` where there are none.

    A value deep in a record, such as the arguments of one command of many, is left out instead.
    """
    schema = f"{source_format.name}/{canonical.READING}"
    if not isinstance(record.data, dict):
        return None
    pointers = [f"/{escape(key)}" for key in canonical.load(schema).get("required", ()) if key not in record.data]
    deep_pointers: dict[str, None] = {}
    for pointer in fault_pointers:
        inner = pointer[len(record.pointer) :]
        key, slash, _ = inner[1:].partition("/")
        if key and (not slash or f"/{key}" in source_format.places.fields.values()):
            pointers.append(f"/{key}")
        elif key:
            deep_pointers[_place_among_keys(record.data, inner)] = None
    pointers = list(dict.fromkeys(pointers))
    is_beyond_repair = len(pointers) + len(deep_pointers) > _MOST_FAULTY
    if is_beyond_repair or any(pointer.count("/") < 2 for pointer in deep_pointers):
        return None
    left_out = dict.fromkeys(deep_pointers, NOTHING)
    rest = with_values(record.data, left_out)
    choices = [_possible_stand_ins(schema, pointer) for pointer in pointers]
    for values in islice(product(*choices), _MOST_TRIES):
        stand_ins = dict(zip(pointers, values, strict=True))
        if canonical.is_valid(with_values(rest, stand_ins), schema):
            return left_out | stand_ins
    return None


@lru_cache(256)  # to try what never fits took half of the time of a list of unreadable records
def _possible_stand_ins(schema: str, pointer: str) -> list[Any]:
    """The placeholders that a schema accepts at a key, whatever else stands in a record.

    >>> _possible_stand_ins("tool-descriptor/reading", "/safetyTier")
    []
    """
    key = unescape(pointer[1:])
    validator = canonical.careful_validator(schema)

    def is_possible(value: Any) -> bool:
        data = {} if value is NOTHING else {key: value}
        return not any(_is_about_key(error, key) for error in validator.iter_errors(data))

    return list(filter(is_possible, _STAND_INS))


def _is_about_key(error: Any, key: str) -> bool:
    """Whether an error is only about the value at a key, or its absence."""
    if error.validator == "required" and len(error.absolute_schema_path) == 1:
        return key in error.validator_value and key not in error.instance
    return [*error.absolute_path][:1] == [key] and error.absolute_schema_path[0] == "properties"


def _place_among_keys(data: Any, pointer: str) -> str:
    """The pointer as far as it leads through mappings. An item left out of a list would move the others.

    >>> _place_among_keys({"commands": {"add": {"options": [{}]}}}, "/commands/add/options/0/name")
    '/commands/add/options'
    """
    place = ""
    for token in pointer[1:].split("/"):
        if not isinstance(data, dict):
            break
        place += f"/{token}"
        data = data.get(unescape(token))
    return place


def _with_unclear_fields(read: ReadTool, stand_ins: _StandIns) -> Tool:
    """The tool with unclear fields for dangers that placeholders replaced, so that rules do not miss them."""
    fields_of_nodes: dict[str, dict[str, Any]] = {}
    for pointer, node in walk_nodes(read.tool):
        place = read.place(pointer)[0].removeprefix(read.record.pointer)
        below = [stand_in.removeprefix(place) for stand_in in stand_ins if stand_in.startswith(f"{place}/")]
        if not below:
            continue
        unclear = set(node.unclear or ())
        for field in safety.FIELDS_OF_DANGER & read.format.places.fields.keys():
            inner = read.format.places.fields[field]
            if any(f"{inner}/".startswith(f"{stand_in}/") for stand_in in below):
                unclear.add(field)
        fields_of_nodes[pointer] = {"unclear": tuple(sorted(unclear)) or None}
    return with_fields(read.tool, fields_of_nodes)
