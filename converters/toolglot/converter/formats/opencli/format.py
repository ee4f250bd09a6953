"""OpenCLI 0.1: the commands, options and arguments of a program, as JSON or YAML. It is read, not written.

Nothing in it is about effects but `interactive`, so that all else about danger stays unknown. An argument need not be
given unless it says so, an option's own argument neither. The root command stands in `command`, or, in drafts before
that, at the root itself; both are called 0.1.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Format, Places, Record, Spelling
from toolglot.converter.formats.kit.command_trees import (
    UNKNOWN_PROGRAM,
    build_node,
    joined_flags,
    optional_value,
    reading_style,
    several_values,
    stated_count,
)
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.field_tables import Row, Table, boolean, fields_of, places, take, text
from toolglot.converter.formats.kit.parameters import (
    NamedParameter,
    ParameterEntry,
    Style,
    has_unread,
    stated_bool,
    stated_texts,
)
from toolglot.converter.formats.opencli.detection import MARKS
from toolglot.converter.hub.fields import PARAMETERS
from toolglot.converter.hub.model import Binding, ErrorCode, Example, JsonSchema, Tool
from toolglot.converter.text.pointers import as_mapping, is_mappings, is_text, is_texts

# -- the parameters -----------------------------------------------------------------------------------------


def _load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    is_option = kind == "option"
    values = entry["arguments"] if is_option and is_mappings(entry.get("arguments")) else []
    schema = _schema_of_option(values) if is_option else _schema_of_values(entry)
    schema = _with_description(schema, entry, *values[:1])
    binding = Binding(
        kind="option" if is_option else "argument",
        flags=_flags_of(entry) if is_option else None,
        required=stated_bool(entry, "required"),
        variadic=schema.get("type") == "array" or None,
        together=len(values) > 1 or None,
        hidden=stated_bool(entry, "hidden"),
    )
    return NamedParameter(
        _key_of(entry) if is_option else entry["name"], schema, entry.get("required") is True, binding
    )


def _flags_of(option: dict[str, Any]) -> tuple[str, ...] | None:
    names = (option["name"], *(stated_texts(option, "aliases") or ()))
    return tuple(name for name in names if name.startswith("-")) or None


def _with_description(schema: JsonSchema, *entries: dict[str, Any]) -> JsonSchema:
    """A schema with the description of the first of these entries that has one."""
    for entry in entries:
        if is_text(entry.get("description")):
            return {**schema, "description": entry["description"]}
    return schema


def _schema_of_option(values: list[dict[str, Any]]) -> JsonSchema:
    """What an option takes; where its argument may be left out, the option alone is `true`."""
    if not values:
        return {"type": "boolean"}
    if len(values) > 1:
        return several_values({"type": "string"}, len(values), len(values))
    schema, arity = _schema_of_values(values[0]), values[0].get("arity")
    if values[0].get("required") is True or stated_count(as_mapping(arity), "minimum"):
        return schema
    return optional_value(schema)


def _schema_of_values(entry: dict[str, Any]) -> JsonSchema:
    """The values that an argument takes: one, or a list of those that its arity allows; the upper end may be open."""
    schema: JsonSchema = {"type": "string"}
    if stated_texts(entry, "acceptedValues"):
        schema["enum"] = entry["acceptedValues"]
    arity = entry.get("arity")
    if not isinstance(arity, dict):
        return schema
    most = stated_count(arity, "maximum")
    if most is not None and most < 2:
        return schema
    return several_values(schema, stated_count(arity, "minimum"), most)


def _load_joined(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    """The same where options are joined to their values by `=`, which their long flags then end in."""
    parameter = _load_parameter(entry, kind)
    flags = parameter.binding.flags
    if flags is None or parameter.schema.get("type") == "boolean":
        return parameter
    return replace(parameter, binding=replace(parameter.binding, flags=joined_flags(flags)))


_STYLE, _JOINED = reading_style(_load_parameter), reading_style(_load_joined)


# -- commands -----------------------------------------------------------------------------------------------


_EXIT_CODE: Table = {"code": Row("code", lambda value: True, str), "description": text("description")}


def _load_exit_code(entry: dict[str, Any]) -> ErrorCode:
    fields: dict[str, Any] = {}
    rest = take(entry, _EXIT_CODE, fields)
    return ErrorCode(**fields, extensions=rest or None)


_COMMAND: Table = {
    "name": text("id"),
    "description": text("description"),
    "hidden": boolean("hidden"),
}
_CALL: Table = {
    "interactive": boolean("prompts"),
    "examples": Row("examples", is_texts, lambda lines: tuple(Example(command=line) for line in lines)),
}
_KNOWN_KEYS: Table = {**_CALL, "command": _CALL}
_ROOT: Table = {
    "info": {
        "title": text("title"),
        "summary": text("summary"),
        "description": text("description"),
        "version": text("version"),
        "license": {"identifier": text("license")},
    }
}
_HOLDS = fields_of(_ROOT | _COMMAND | _CALL) | {*PARAMETERS, "errors", "success"}


def _read(record: Record) -> Tool:
    of_program: dict[str, Any] = {"origin": "opencli"}
    rest = take(record.data, _ROOT, of_program)
    are_joined = as_mapping(rest.get("conventions")).get("optionArgumentSeparator") == "="
    style = _JOINED if are_joined else _STYLE
    around: dict[str, Any] | None = None
    command = rest
    if "command" in rest:
        command, around = rest.pop("command"), rest
    return _read_command(command, style, of_program, around)


def _read_command(
    data: dict[str, Any],
    style: Style,
    of_program: dict[str, Any] | None = None,
    around: dict[str, Any] | None = None,
) -> Tool:
    """A command and all below it.

    Args:
        of_program: at the root, what the document says of the program.
        around: at the root, what else stands around the root command.
    """
    fields = dict(of_program or {})
    call: dict[str, Any] = {}
    # Where the program and its root command are both described, the program's words count.
    table = {key: row for key, row in _COMMAND.items() if row.field not in fields}
    rest = take(take(data, table, fields), _CALL, call)
    if "id" not in fields:  # what people call the program is not said; its title may be it
        fields.update(id=fields["title"], trust=dict(UNKNOWN_PROGRAM))
    take_description(fields, _HOLDS)
    _take_exit_codes(rest, call)
    arguments, options, commands = (rest.pop(key, None) or [] for key in _LISTS)
    leftover = rest
    if around is not None:
        leftover = dict(around)
        if rest:
            leftover["command"] = rest
    if leftover:
        fields["extensions"] = {"opencli": leftover}
    own_entries: list[ParameterEntry] = [("argument", entry) for entry in arguments]
    shared_entries: list[ParameterEntry] = []
    for entry in options:
        same_scope = shared_entries if entry.get("recursive") is True else own_entries
        same_scope.append(("option", entry))
    children = tuple(_read_command(command, style) for command in commands)
    return build_node(
        fields,
        children,
        style,
        own_entries,
        shared_entries,
        is_closed="arguments" in data or "options" in data,
        is_called=call.get("prompts") is True,
        call=call,
        is_root=of_program is not None,
    )


_LISTS = ("arguments", "options", "commands")


def _take_exit_codes(rest: dict[str, Any], call: dict[str, Any]) -> None:
    """The errors that exit codes stand for; what the first 0 means is success, and no other is understood."""
    entries = rest.pop("exitCodes", None) or []
    zeros = [entry for entry in entries if entry["code"] == 0]
    errors = tuple(_load_exit_code(entry) for entry in entries if entry["code"] != 0)
    if errors:
        call["errors"] = errors
    if zeros and isinstance(zeros[0].get("description"), str) and len(zeros[0]) == 2:
        call["success"] = zeros.pop(0)["description"]
    if zeros:
        rest["exitCodes"] = zeros


# -- places -------------------------------------------------------------------------------------------------

_PLACES = places(_COMMAND | _CALL) | dict.fromkeys(("errors", "success"), "/exitCodes")
_IN_COMMAND = {field: (f"/command{place}", place) for field, place in _PLACES.items()}
_OF_PARAMETERS = dict.fromkeys(PARAMETERS, ("/command/arguments/*", "/command/options/*", "/arguments/*", "/options/*"))


def _key_of(entry: dict[str, Any]) -> str:
    name = str(entry.get("name", ""))
    return name.lstrip("-") or name


def _place_child(data: dict[str, Any], parent: str, identifier: str, index: int) -> str:
    """Where a command stands; what is called by the name of its group is described by the group's own entry."""
    if not identifier:
        return parent
    if not parent and isinstance(data.get("command"), dict):
        parent = "/command"
    return f"{parent}/commands/{index}"


# -- the format ---------------------------------------------------------------------------------------------


FORMAT = Format(
    name="opencli",
    title="OpenCLI",
    url="https://opencli.org",
    marks=MARKS,
    versions=("0.1",),
    one_per_file=True,
    tree=True,
    version_of=lambda data: "0.1",
    holds=_HOLDS,
    places=Places(
        places(_ROOT) | {"inputs": "/options"},
        _IN_COMMAND,
        entries=_OF_PARAMETERS,
        name_of=lambda place, key, entry: _key_of(entry) if isinstance(entry, dict) else None,
        child=_place_child,
        commands=("/commands/*", "/command/commands/*"),
    ),
    read=_read,
    known_keys=_KNOWN_KEYS,
    spelling=Spelling(keys=("opencli", "$schema"), has_unread=lambda binding: has_unread(binding, _STYLE)),
)
