"""ATIP, the Agent Tool Introspection Protocol: what a command-line program prints on `--agent`.

Reads 0.1 to 0.6, writes 0.3 (the RFC) and 0.6. One document is one program: a tree of commands whose leaves can
be called; the command `""` is the program itself. Every level is open, so a misspelt or wrongly typed safety
field validates without a word: it stays in `extensions` and the fact stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Checks, ExtensionSlot, Format, MigrationRules, Places, Record, Spelling
from toolglot.converter.formats.atip.arguments_and_options import (
    OURS,
    STYLE,
    command_line,
    dump_parameters,
    entries_of,
    take_parameters,
)
from toolglot.converter.formats.atip.auth_methods import with_auth_methods
from toolglot.converter.formats.atip.detection import MARKS
from toolglot.converter.formats.atip.invented_command_lines import mark_invented
from toolglot.converter.formats.atip.misplaced_facts import believe_misplaced, find_doubts, said_out_of_place
from toolglot.converter.formats.atip.partial_discovery import DISCOVERY, MARK, depth_limit, is_truncated, omission_facts
from toolglot.converter.formats.atip.single_tools import as_program, call_of_group, is_bare
from toolglot.converter.formats.atip.tables import (
    CHILD,
    COMMAND,
    DESCRIPTION_LIMIT,
    HOLDS,
    INTERACTIVE,
    NO_VERSION,
    PROGRAM,
)
from toolglot.converter.formats.atip.versions import NEWEST, SPAN, described_by, version_of
from toolglot.converter.formats.kit.description.facts_in_description import join_description, take_description
from toolglot.converter.formats.kit.description.shortening import brief_description
from toolglot.converter.formats.kit.field_tables import Table, echoes, order_keys, places, put, take
from toolglot.converter.formats.kit.parameters import collect, describe_choice, has_unread
from toolglot.converter.formats.kit.suppositions import kept_description, mark_of_text, with_mark, without_suppositions
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, qualify
from toolglot.converter.hub.durations import format_span, parse_span
from toolglot.converter.hub.model import Example, Tool, map_nodes, without_spelling
from toolglot.converter.hub.trees import as_group
from toolglot.converter.schema.titles import title_of_name
from toolglot.converter.text.pointers import escape, without_keys

_VERSIONS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6")


def _read(record: Record) -> Tool:
    data = record.data
    if not isinstance(data.get("name"), str) and isinstance(data.get("binary"), dict):  # a shim names only its binary
        data = {**data, "name": data["binary"]["name"]}
    return _read_node(data, PROGRAM, depth_limit(data))


def _read_node(data: dict[str, Any], table: Table, levels: float) -> Tool:
    """One node; `levels` is how many more of them the document shows, as `depth_limit` tells them."""
    fields: dict[str, Any] = {}
    rest = take(data, table, fields)
    take_description(fields, HOLDS)
    if isinstance(rest.get("interactive"), dict):
        rest = believe_misplaced(data, rest, fields)
    if table is PROGRAM:
        fields.update(_take_program(rest))
    commands = rest.pop("commands") if rest.get("commands") else {}
    children = tuple(_read_node({**child, "": name}, CHILD, levels - 1) for name, child in commands.items())
    if not children and is_truncated(data, levels):
        fields["truncated"] = True
    elif rest.get(MARK) is False and is_truncated({**data, MARK: None}, levels):
        del rest[MARK]  # the writer adds it where it is needed
    is_leaf = not children and "truncated" not in fields
    if table is not PROGRAM and (is_leaf or rest.get("arguments") or rest.get("options")):
        fields.update(take_parameters(rest))
    elif is_leaf:
        fields["inputs"] = {"type": "object", "properties": {}}
    if rest:
        fields["extensions"] = {"atip": rest}
    return without_suppositions(Tool(children=children or None, **fields), table, "atip", OURS)


def _take_program(rest: dict[str, Any]) -> dict[str, Any]:
    """The fields that only a program has, taken out of `rest`: its global options, and which part of it is shown."""
    fields: dict[str, Any] = {"origin": "atip"}
    if rest.get("globalOptions"):
        entries = [("option", entry) for entry in rest.pop("globalOptions")]
        fields["global_inputs"], fields["global_bindings"] = collect(entries, STYLE)
    discovery = {key: rest.pop(key) for key in DISCOVERY if key in rest}
    if discovery:
        fields["discovery"] = discovery
    return fields


# What vouches for the bytes of a document holds for no other bytes.
_SIGNED = ("integrity", "signature", "provenance", "shimIntegrity", "checksum", "signedBy", "attestation")


def _write(tool: Tool, version: str | None) -> Record:
    is_own = tool.origin == "atip"
    if not is_own:
        version = version or NEWEST
        tool = without_spelling(tool)  # how another format spells its parameters is nothing to this one
        tool = mark_invented(_say_parameters(tool))
    if version is not None and tool.trust is not None:
        tool = replace(tool, trust=_without_voucher(tool.trust))
    if version == NEWEST:
        tool = map_nodes(tool, _with_span)
    protocol = _protocol(tool.extension("atip").get("atip") if is_own else None, version)
    if not tool.children and not tool.truncated and not is_bare(tool):
        tool = as_program(tool)
    words = [] if is_own else [_program_name(tool)]
    data = _write_node(tool, PROGRAM, depth_limit(tool.discovery or {}), words)
    return Record({"atip": protocol, **order_keys(data, ("name", "version", "description"))})


def _without_voucher(trust: dict[str, Any]) -> dict[str, Any]:
    """What is said about trust, less what vouched for another text."""
    others = without_keys(trust, *_SIGNED)
    return {**others, "verified": False} if "verified" in others else others


def _say_parameters(tool: Tool, is_open: bool = False) -> Tool:
    """The tree with what the format has another place for: ways to sign in, and which parameters belong together.

    Args:
        is_open: whether a group above says that nobody signs in. A command below it requires that without naming
            methods, which a reader may take for ways that are there and not needed.
    """
    is_open = is_open or tool.auth_required is False
    if tool.children:
        tool = replace(tool, children=tuple([_say_parameters(child, is_open) for child in tool.children]))
    return describe_choice(tool if is_open else with_auth_methods(tool))


def _as_line(example: Example, words: list[str], parameters: dict[str, Any]) -> Example:
    if example.command is not None or not isinstance(example.input, dict):
        return example
    return replace(example, command=command_line(words, parameters, example.input))


def _with_span(node: Tool) -> Tool:
    """A node whose duration is as the newest schema takes it: a span."""
    span = parse_span(node.duration)
    if span is None or re.fullmatch(SPAN, node.duration or ""):
        return node
    return replace(node, duration=format_span(*span))


def _protocol(own: Any, version: str | None) -> Any:
    if version == "0.3":
        return "0.3"
    if version is None and own is not None:
        return own
    return {**own, "version": "0.6"} if isinstance(own, dict) else {"version": "0.6"}


def _write_node(tool: Tool, table: Table, levels: float, words: list[str]) -> dict[str, Any]:
    """One node; what nobody marked may stay so where it is read as what it is.

    Args:
        levels: as in reading.
        words: with which it is called; none for one of the format's own.
    """
    rest = dict(tool.extension("atip"))
    rest.pop("atip", None)
    # A program says its own parameters at the command that stands for a call of it.
    parameters = {} if table is PROGRAM and not tool.examples else dump_parameters(tool, rest)
    if words and tool.examples:
        tool = replace(tool, examples=tuple([_as_line(example, words, parameters) for example in tool.examples]))
    out_of_place = dict.fromkeys(field for _, field in said_out_of_place(tool))
    data = put(replace(tool, **out_of_place), table, rest)
    limit = DESCRIPTION_LIMIT if table is PROGRAM else None
    data["description"] = kept_description(tool, rest) or _description(tool, limit)
    if join_description(tool, HOLDS) is None or "description" in (tool.assumed or ()):
        data = with_mark(data, OURS, [mark_of_text("description", data["description"])])
    if table is PROGRAM:
        _put_program(tool, data)
        is_called = tool.inputs is not None and not is_bare(tool)
    else:
        # A group with nothing but options would no longer say that it can be called by itself.
        is_called = bool(tool.children) and tool.callable and not parameters.get("arguments")
        data.update(dump_parameters(as_group(tool), rest) if is_called else parameters)
    nodes = tool.children or ()
    if is_called:
        nodes = (call_of_group(tool), *nodes)
    if nodes:
        data["commands"] = _write_commands(nodes, levels - 1, words)
    elif tool.truncated and words:
        data[MARK] = True
    elif not tool.truncated and is_truncated(data, levels):
        data[MARK] = False
    return data


def _put_program(tool: Tool, data: dict[str, Any]) -> None:
    """Add what only a program says."""
    data["name"] = _program_name(tool)
    data.setdefault("version", NO_VERSION)
    data.update(tool.discovery or {})
    if tool.global_inputs:
        data["globalOptions"] = [entry for _, entry in entries_of(tool.global_inputs, tool.global_bindings)]


def _write_commands(nodes: Iterable[Tool], levels: float, words: list[str]) -> dict[str, Any]:
    """The nodes below another, by their names."""
    commands: dict[str, Any] = {}
    for node in nodes:
        command = _write_node(node, CHILD, levels, [*words, node.id] if words and node.id else words)
        del command[""]  # the key under which it stands
        commands[node.id] = order_keys(command, ["description"])
    return commands


def _program_name(tool: Tool) -> str:
    return FORMAT.identify(Name((tool.id,)))


def _identify(name: Name) -> str:
    """The words of a path joined by `-`; a name that is allowed as it is stays as it is."""
    if name.is_plain and re.fullmatch("[a-zA-Z0-9_-]+", name.path[0]):
        return name.path[0]
    return fit_id(qualify("-".join(name.path), name, "-", "-v"), "a-zA-Z0-9_-", 64)


_PARAMETERS = ("/arguments/*", "/options/*")
_ENTRIES = {
    **dict.fromkeys(("inputs", "bindings"), _PARAMETERS),
    **dict.fromkeys(("global_inputs", "global_bindings"), ("/globalOptions/*",)),
}
_spelled = echoes(PROGRAM)


def _echoes(tool: Tool) -> list[str]:
    """What stands in the extension and in a field: other spellings, empty lists, and an `interactive` out of place."""
    rest = tool.extension("atip")
    pointers = ["/atip/version", *_spelled(tool)]
    pointers += [f"/{key}" for key in ("arguments", "options") if rest.get(key) == []]
    return [*pointers, *(place for place, _ in said_out_of_place(tool))]


def _description(tool: Tool, limit: int | None) -> str:
    text = join_description(tool, HOLDS)
    if text is None:
        text = tool.summary or tool.title or title_of_name(tool.id) or "Not described."
    if limit is None or len(text) <= limit:
        return text
    return brief_description(tool, HOLDS, limit)


FORMAT = Format(
    name="atip",
    title="Agent Tool Introspection Protocol",
    url="https://github.com/lenulus/atip",
    marks=MARKS,
    versions=_VERSIONS,
    writes=("0.3", "0.6"),
    described_by=described_by,
    one_per_file=True,
    tree=True,
    version_of=version_of,
    file_name=lambda identifier: f"{identifier}.atip.json",
    holds=HOLDS,
    places=Places(
        places(PROGRAM),
        {row.field: (f"/interactive/{key}",) for key, row in INTERACTIVE.items()},
        carried_by=dict.fromkeys(("flags", "summary"), "description"),
        entries=_ENTRIES,
        child=lambda data, parent, identifier, index: f"{parent}/commands/{escape(identifier)}",
        commands=("/commands/*",),
    ),
    read=_read,
    write=_write,
    identify=_identify,
    known_keys=COMMAND,
    doubts=find_doubts,
    slot=ExtensionSlot(OURS),
    spelling=Spelling(
        keys=("atip",),
        formal=("bindings", "summary"),
        echoes=_echoes,
        has_unread=lambda binding: has_unread(binding, STYLE),
    ),
    checks=Checks("toolglot.converter.formats.atip.rules"),
    migration=MigrationRules("toolglot.converter.formats.atip.migration", fills=("description",)),
    omission_facts=omission_facts,
)
