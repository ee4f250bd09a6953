"""ATIP, the Agent Tool Introspection Protocol: what a command-line program prints on `--agent`.

Reads 0.1 to 0.6, writes 0.3 (the RFC) and 0.6. One document is one program: a tree of commands whose leaves can
be called; the command `""` is the program itself. Objects may have any key, so a misspelt or wrongly typed safety
field passes the schema: it stays in `extensions`, and the fact stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Checks, ExtensionSlot, Format, MigrationRules, Places, Record, Spelling
from toolglot.converter.formats.atip.arguments_and_options import (
    SLOT,
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
from toolglot.converter.formats.atip.partial_discovery import (
    DISCOVERY,
    TRUNCATED,
    depth_limit,
    is_truncated,
    omission_facts,
)
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
    """A program or a command; the document shows `levels` more levels of commands, as in `depth_limit`."""
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
    elif rest.get(TRUNCATED) is False and is_truncated({**data, TRUNCATED: None}, levels):
        del rest[TRUNCATED]  # the writer adds it where it is needed
    is_leaf = not children and "truncated" not in fields
    if table is not PROGRAM and (is_leaf or rest.get("arguments") or rest.get("options")):
        fields.update(take_parameters(rest))
    elif is_leaf:
        fields["inputs"] = {"type": "object", "properties": {}}
    if rest:
        fields["extensions"] = {"atip": rest}
    return without_suppositions(Tool(children=children or None, **fields), table, "atip", SLOT)


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


# Keys that vouch for the bytes of a document: in another text they are wrong.
_VOUCHING = ("integrity", "signature", "provenance", "shimIntegrity", "checksum", "signedBy", "attestation")


def _write(tool: Tool, version: str | None) -> Record:
    is_own = tool.origin == "atip"
    if not is_own:
        version = version or NEWEST
        tool = without_spelling(tool)  # how another format spells its parameters does not count here
        tool = mark_invented(_with_methods_and_choices(tool))
    if version is not None and tool.trust is not None:
        tool = replace(tool, trust=_without_voucher(tool.trust))
    if version == NEWEST:
        tool = map_nodes(tool, _with_span)
    marker = _version_marker(tool.extension("atip").get("atip") if is_own else None, version)
    if not tool.children and not tool.truncated and not is_bare(tool):
        tool = as_program(tool)
    words = [] if is_own else [_program_name(tool)]
    data = _write_node(tool, PROGRAM, depth_limit(tool.discovery or {}), words)
    return Record({"atip": marker, **order_keys(data, ("name", "version", "description"))})


def _without_voucher(trust: dict[str, Any]) -> dict[str, Any]:
    """The trust of a tool without the keys that vouched for another text."""
    others = without_keys(trust, *_VOUCHING)
    return {**others, "verified": False} if "verified" in others else others


def _with_methods_and_choices(tool: Tool, is_open: bool = False) -> Tool:
    """The tree with a method for each secret, and with sentences about parameters that belong together.

    Args:
        is_open: whether a group above states that nobody signs in. Its commands get no methods: a reader could take
            them for ways to sign in that nobody needs.
    """
    is_open = is_open or tool.auth_required is False
    if tool.children:
        tool = replace(tool, children=tuple([_with_methods_and_choices(child, is_open) for child in tool.children]))
    return describe_choice(tool if is_open else with_auth_methods(tool))


def _with_command_line(example: Example, words: list[str], parameters: dict[str, Any]) -> Example:
    """An example of arguments with its command line, if there is a clear one."""
    if example.command is not None or not isinstance(example.input, dict):
        return example
    return replace(example, command=command_line(words, parameters, example.input))


def _with_span(node: Tool) -> Tool:
    """A node with its duration as a span, as the newest schema needs it."""
    span = parse_span(node.duration)
    if span is None or re.fullmatch(SPAN, node.duration or ""):
        return node
    return replace(node, duration=format_span(*span))


def _version_marker(own: Any, version: str | None) -> Any:
    """The value of the key `atip`: the document's own, changed only for a requested version."""
    if version == "0.3":
        return "0.3"
    if version is None and own is not None:
        return own
    return {**own, "version": "0.6"} if isinstance(own, dict) else {"version": "0.6"}


def _write_node(tool: Tool, table: Table, levels: float, words: list[str]) -> dict[str, Any]:
    """A program or a command. One that was read from this format is marked only if it would be read otherwise.

    Args:
        levels: as in `_read_node`.
        words: the program and the commands of its command line; none for a tool that was read from this format.
    """
    rest = dict(tool.extension("atip"))
    rest.pop("atip", None)
    # The parameters of a program stand at its command `""`.
    parameters = {} if table is PROGRAM and not tool.examples else dump_parameters(tool, rest)
    if words and tool.examples:
        tool = replace(
            tool, examples=tuple([_with_command_line(example, words, parameters) for example in tool.examples])
        )
    out_of_place = dict.fromkeys(field for _, field in said_out_of_place(tool))
    data = put(replace(tool, **out_of_place), table, rest)
    limit = DESCRIPTION_LIMIT if table is PROGRAM else None
    data["description"] = kept_description(tool, rest) or _description(tool, limit)
    if join_description(tool, HOLDS) is None or "description" in (tool.assumed or ()):
        data = with_mark(data, SLOT, [mark_of_text("description", data["description"])])
    if table is PROGRAM:
        _put_program(tool, data)
        is_called = tool.inputs is not None and not is_bare(tool)
    else:
        # A group with only options would not be read as callable, so the command `""` has them.
        is_called = bool(tool.children) and tool.callable and not parameters.get("arguments")
        data.update(dump_parameters(as_group(tool), rest) if is_called else parameters)
    nodes = tool.children or ()
    if is_called:
        nodes = (call_of_group(tool), *nodes)
    if nodes:
        data["commands"] = _write_commands(nodes, levels - 1, words)
    elif tool.truncated and words:
        data[TRUNCATED] = True
    elif not tool.truncated and is_truncated(data, levels):
        data[TRUNCATED] = False
    return data


def _put_program(tool: Tool, data: dict[str, Any]) -> None:
    """Add the keys that only a program has."""
    data["name"] = _program_name(tool)
    data.setdefault("version", NO_VERSION)
    data.update(tool.discovery or {})
    if tool.global_inputs:
        data["globalOptions"] = [entry for _, entry in entries_of(tool.global_inputs, tool.global_bindings)]


def _write_commands(nodes: Iterable[Tool], levels: float, words: list[str]) -> dict[str, Any]:
    """Name -> command, of the nodes below another."""
    commands: dict[str, Any] = {}
    for node in nodes:
        command = _write_node(node, CHILD, levels, [*words, node.id] if words and node.id else words)
        del command[""]  # its name, which is its key in `commands`
        commands[node.id] = order_keys(command, ["description"])
    return commands


def _program_name(tool: Tool) -> str:
    return FORMAT.identify(Name((tool.id,)))


def _identify(name: Name) -> str:
    """The words of a path joined by `-`; a valid name stays as it is."""
    if name.is_plain and re.fullmatch("[a-zA-Z0-9_-]+", name.path[0]):
        return name.path[0]
    return fit_id(qualify("-".join(name.path), name, "-", "-v"), "a-zA-Z0-9_-", 64)


_PARAMETERS = ("/arguments/*", "/options/*")
_ENTRIES = {
    **dict.fromkeys(("inputs", "bindings"), _PARAMETERS),
    **dict.fromkeys(("global_inputs", "global_bindings"), ("/globalOptions/*",)),
}
_echoes_of_table = echoes(PROGRAM)


def _echoes(tool: Tool) -> list[str]:
    """Pointers to what repeats a field in the extension: spellings, empty lists, an `interactive` out of place."""
    rest = tool.extension("atip")
    pointers = ["/atip/version", *_echoes_of_table(tool)]
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
    slot=ExtensionSlot(SLOT),
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
