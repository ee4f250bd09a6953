"""The output of a conversion: records, with slots for what they cannot hold, and the files around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats
from toolglot.converter.conversion.extension_slots import BESIDE, SLOT, put_ours
from toolglot.converter.conversion.offers import TargetRequest
from toolglot.converter.conversion.slots import content_of_slot
from toolglot.converter.conversion.writing import WrittenTool, is_valid_record, may_lose
from toolglot.converter.formats import Format, Record
from toolglot.converter.hub.model import JsonObject, Tool
from toolglot.converter.hub.trees import split_leaves
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text import serialization
from toolglot.converter.text.pointers import only_keys
from toolglot.errors import WriteError


class Output(msgspec.Struct, frozen=True):
    """What a conversion writes.

    Attributes:
        target: the format.
        records: the records of the tools, with a slot where the target has a place for one.
        names: the ids of the records.
        beside: id of a record -> toolglot's own object, for targets without a place for it in a record.
        is_bare: whether a document is an array of records without anything around it.
        is_split: whether each tool has a document of its own.
    """

    target: Format
    records: list[Record]
    names: list[str]
    beside: JsonObject
    is_bare: bool = False
    is_split: bool = False


def collect_output(written_tools: list[WrittenTool], request: TargetRequest, lossless: bool) -> Output:
    """The records of all tools; for a lossless conversion with slots for what they cannot hold.

    Raises:
        WriteError: a tool has no record that could have a slot, or the record has no place for one.
    """
    target = request.target
    records: list[Record] = []
    names: list[str] = []
    beside: JsonObject = {}  # by the ids of records, in a format whose records have no place for it
    for tree, result in enumerate(written_tools):
        tool = result.tool
        has_slot = lossless and may_lose(tool, target)
        if has_slot and not target.tree and next(iter(leaves_of(tool)), None) is None:
            message = f"{tool.id!r} has no command that can be called, so that no record could carry the rest"
            hint = "leave out lossless, or ask the program for the whole"
            raise WriteError(message, code="nothing-callable", hint=hint)
        parts: Mapping[str, Tool] = {}
        if has_slot and not target.tree:
            parts = split_leaves(tool)
        for index, (record, identifier) in enumerate(zip(result.records, result.ids, strict=True)):
            if has_slot:
                stored_tool = tool if target.tree else parts[result.leaves[index].pointer]
                is_root = bool(tool.children) and not stored_tool.children
                content = content_of_slot(record, target, stored_tool, order=len(records), tree=tree, is_root=is_root)
                if target.slot.path:
                    record = _with_slot(record, content, request)
                else:
                    beside[identifier] = {SLOT: content}
            records.append(record)
            names.append(identifier)
    return Output(target, records, names, beside)


def _with_slot(record: Record, content: JsonObject, request: TargetRequest) -> Record:
    """The record with a slot in it.

    Raises:
        WriteError: this version of the target has no place for it.
    """
    record = put_ours(record, request.target, SLOT, content)
    if not is_valid_record(record, request):
        message = (
            f"{request.target.name}@{request.version} has no place for what it cannot hold; "
            "leave out lossless, or the version"
        )
        raise WriteError(message, code="no-slot")
    return record


def write_files(output: Output) -> list[tuple[str, str]]:
    """The result as `(name, text)`: one file, or one for each tool in formats with one file for each tool."""
    if not (output.target.one_per_file or output.is_split):
        return [_write_file(output)]
    return [
        _write_file(replace(output, records=[record], names=[name], beside=only_keys(output.beside, [name])))
        for record, name in zip(output.records, output.names, strict=True)
    ]


def _write_file(output: Output) -> tuple[str, str]:
    target = output.target
    records = [record.data for record in output.records]
    data: Any = records if output.is_bare else target.wrap(records)
    if output.beside:
        container = data if isinstance(data, dict) else {"tools": data}
        data = {**container, BESIDE: output.beside}
    stem = formats.file_stem(output.names[0]) if len(output.names) == 1 else "tools"
    name = target.file_name(stem) if target.one_per_file else stem + target.suffix
    if target.syntax == "front-matter":
        return name, serialization.dump_front_matter(data, output.records[0].body or "")
    return name, serialization.dump_json(data)
