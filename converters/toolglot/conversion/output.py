"""What a conversion writes: the records with their remainders, and the files that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from toolglot import formats
from toolglot.conversion.extension_slots import SLOT, put_slot
from toolglot.conversion.offers import TargetRequest
from toolglot.conversion.remainder import Remainder
from toolglot.conversion.writing import WrittenTool, is_valid_record, may_lose
from toolglot.errors import WriteError
from toolglot.formats import Format, Record
from toolglot.hub.model import Tool
from toolglot.hub.trees import split_leaves
from toolglot.text import serialization


class Output(msgspec.Struct, frozen=True):
    """What a conversion writes.

    Attributes:
        target: the format.
        records: one a tool, with its remainder where the target has a slot for it.
        names: the id of each.
        remainders: of targets without a slot: id of the record -> content.
        is_bare: whether a document is an array of records, and nothing around it.
    """

    target: Format
    records: list[Record]
    names: list[str]
    remainders: dict[str, Any]
    is_bare: bool = False


def collect_output(written_tools: list[tuple[Tool, WrittenTool]], request: TargetRequest, lossless: bool) -> Output:
    """The records of all tools, with their remainders where the conversion is to be lossless.

    Raises:
        WriteError: a tool has no record that could carry its remainder, or a record has no place for it.
    """
    target, version = request.target, request.version
    records: list[Record] = []
    names: list[str] = []
    remainders: dict[str, Any] = {}  # by the ids of records, in a format whose records have no place for one
    for tree, (tool, result) in enumerate(written_tools):
        has_remainder = lossless and may_lose(tool, target)
        if has_remainder and not target.tree and next(iter(tool.leaves()), None) is None:
            raise _nothing_callable_error(tool)
        parts: Mapping[str, Tool] = {}
        if has_remainder and not target.tree:
            parts = split_leaves(tool)
        offers = [offer for offer in result.offers if offer.mode != "excluded"]
        for index, (record, identifier) in enumerate(zip(result.records, result.ids, strict=True)):
            if has_remainder:
                is_strict = bool(offers) and offers[index].mode == "strict"
                stored_tool = tool if target.tree else parts[result.leaves[index].pointer]
                content = Remainder(
                    tool=stored_tool,
                    order=len(records),
                    tree=tree,
                    is_root=bool(tool.children) and not stored_tool.children,
                    version=version,
                    offer_options=msgspec.structs.replace(request.options, strict=is_strict),
                    qualifier=result.qualifier,
                ).to_json()
                if target.slot.path:
                    record = _with_remainder(record, content, target, version)
                else:
                    remainders[identifier] = content
            records.append(record)
            names.append(identifier)
    return Output(target, records, names, remainders)


def _nothing_callable_error(tool: Tool) -> WriteError:
    message = f"{tool.id!r} has no command that can be called, so that no record could carry the rest"
    return WriteError(message, code="nothing-callable", hint="leave out lossless, or ask the program for the whole")


def _with_remainder(record: Record, content: dict[str, Any], target: Format, version: str | None) -> Record:
    """The record with a remainder in it.

    Raises:
        WriteError: this version of the target has no place for one.
    """
    record = put_slot(record, target, content)
    if not is_valid_record(record, target, version):
        message = f"{target.name}@{version} has no place for a remainder; leave out lossless, or the version"
        raise WriteError(message, code="no-slot")
    return record


def write_files(output: Output) -> list[tuple[str, str]]:
    """The result as `(name, text)`: one file, or one a tool for formats of one file a tool."""
    target, names = output.target, output.names
    if target.one_per_file:
        return [
            (target.file_name(formats.file_stem(name)), _dump(record.data, record.body, target))
            for name, record in zip(names, output.records, strict=True)
        ]
    records = [record.data for record in output.records]
    data = records if output.is_bare else target.wrap(records)
    if output.remainders:
        container = data if isinstance(data, dict) else {"tools": data}
        data = {**container, SLOT: output.remainders}
    stem = formats.file_stem(names[0]) if len(names) == 1 else "tools"
    return [(stem + target.suffix, _dump(data, None, target))]


def _dump(data: Any, body: str | None, target: Format) -> str:
    if target.syntax == "front-matter":
        return serialization.dump_front_matter(data, body or "")
    return serialization.dump_json(data)
