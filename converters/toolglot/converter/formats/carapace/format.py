"""carapace-spec, YAML: what a shell completes after the name of a program. It is read, not written.

Code for a shell (`run`, `$(...)` and other macros) is never run: it is kept as text, and a report names it. The format
states nothing about effects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from toolglot.converter.formats import Format, Places, Record, Spelling
from toolglot.converter.formats.carapace.detection import MARKS
from toolglot.converter.formats.carapace.flag_syntax import parse_flag
from toolglot.converter.formats.kit.command_trees import (
    build_node,
    optional_value,
    reading_style,
    several_values,
    silent_parts,
)
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.field_tables import Row, Table, boolean, fields_of, is_mapping, places, take, text
from toolglot.converter.formats.kit.parameters import NamedParameter, has_unread, stated_bool, stated_text, stated_texts
from toolglot.converter.hub.fields import PARAMETERS
from toolglot.converter.hub.model import Binding, Example, JsonSchema, Tool
from toolglot.converter.text.pointers import is_text, texts_at, without_empty, without_keys

_COMMAND: Table = {
    "name": text("id"),
    "description": text("summary"),
    "documentation": {"command": Row("description", is_text, str.rstrip)},
    "hidden": boolean("hidden"),
    "examples": Row(
        "examples",
        lambda value: is_mapping(value) and all(map(is_text, value.values())),
        lambda value: tuple(Example(command=line, title=words) for line, words in value.items()),
    ),
}
_BLANKS = " \t\n\r"  # those of the pattern in its schema; other blanks are part of a name
_HOLDS = fields_of(_COMMAND) | frozenset(PARAMETERS)


def _read(record: Record) -> Tool:
    return _read_command(record.data, is_root=True)


def _read_command(data: dict[str, Any], is_root: bool = False) -> Tool:
    fields: dict[str, Any] = {"origin": "carapace"} if is_root else {}
    rest = take(data, _COMMAND, fields)
    fields["id"], *others = re.split(f"[{_BLANKS}]+", fields["id"].strip(_BLANKS), maxsplit=1)
    if others:  # the name is followed by the usage of the command, in one line
        rest["name"] = data["name"]
    if "description" not in fields and "summary" in fields:
        fields["description"] = fields.pop("summary")
    take_description(fields, _HOLDS)
    own_entries, shared_entries = _take_parameters(rest)
    children = tuple(_read_command(child) for child in rest.pop("commands", None) or ())
    if rest:
        fields["extensions"] = {"carapace": rest}
    return build_node(
        fields,
        children,
        _STYLE,
        own_entries,
        shared_entries,
        is_closed=False,
        is_called="run" in data,
        is_root=is_root,
    )


# -- the parameters -----------------------------------------------------------------------------------------

# What the value of a flag may be stands apart from `flags`, in `completion` and `documentation`. Positional arguments
# have no names there, so they get a number.

_PATHS = {"$files": "file-path", "$directories": "directory-path"}  # macro that completes paths -> format in the hub
_ALL_THAT_FOLLOW = -1  # `nargs` of a flag that takes all following values
Entries = list[tuple[str | None, dict[str, Any]]]  # kind of a parameter ("argument" or "option"), and its entry


def _take_parameters(rest: dict[str, Any]) -> tuple[Entries, Entries]:
    """The parameters of a command, and those that the commands below it share; both are taken out of `rest`."""
    flags = list(_entries_of_flags(rest.pop("flags", None) or {}))
    shared_flags = list(_entries_of_flags(rest.pop("persistentflags", None) or {}))
    _take_exclusions(rest, [*flags, *shared_flags])
    completion, texts = _take_mapping(rest, "completion"), _take_mapping(rest, "documentation")
    of_flags, texts_of_flags = _take_mapping(completion, "flag"), _take_mapping(texts, "flag")
    arguments = _take_positional(completion, texts)
    own_options, shared_options = [
        [_complete(entry, of_flags.pop(entry["name"], None), texts_of_flags.pop(entry["name"], None)) for entry in own]
        for own in (flags, shared_flags)
    ]
    # What belongs to no parameter stays in `rest`.
    completion |= without_empty({"flag": of_flags})
    texts |= without_empty({"flag": texts_of_flags})
    rest |= without_empty({"completion": completion, "documentation": texts})
    own_entries: Entries = [("argument", entry) for entry in arguments]
    own_entries += [("option", entry) for entry in own_options]
    return own_entries, [("option", entry) for entry in shared_options]


_MOST_EXCLUSIVE = 100  # flags of a group; each names all others, so that the result grows with the square


def _take_exclusions(rest: dict[str, Any], flags: list[dict[str, Any]]) -> None:
    """State in the entry of each flag which others it excludes.

    A group that names an unknown flag stays in `rest` as well; a group of too many flags stays only there.
    """
    others_of: dict[str, dict[str, None]] = {entry["name"]: {} for entry in flags}
    kept_groups: list[list[str]] = []
    for group in rest.pop("exclusiveflags", None) or ():
        if len(group) > _MOST_EXCLUSIVE:
            kept_groups.append(group)
            continue
        if not others_of.keys() >= set(group):
            kept_groups.append(group)
        for name in others_of.keys() & set(group):
            others_of[name].update(dict.fromkeys(group))
    rest |= without_empty({"exclusiveflags": kept_groups})
    for entry in flags:
        others = without_keys(others_of[entry["name"]], entry["name"])
        if others:
            entry["exclusive"] = list(others)


def _take_mapping(rest: dict[str, Any], key: str) -> dict[str, Any]:
    return dict(rest.pop(key, None) or {})


def _take_positional(completion: dict[str, Any], texts: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of the positional arguments: `argument1`, `argument2`, and `arguments` for all that follow."""
    own_completions = completion.pop("positional", None) or []
    own_texts = texts.pop("positional", None) or []
    entries = [
        _complete({"name": f"argument{number}"}, own_completion, own_text)
        for number, (own_completion, own_text) in enumerate(zip_longest(own_completions, own_texts), 1)
    ]
    if "positionalany" in completion or "positionalany" in texts:
        others = {"name": "arguments", "repeatable": True}
        entries.append(_complete(others, completion.pop("positionalany", None), texts.pop("positionalany", None)))
    return entries


def _entries_of_flags(flags: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of a mapping: flag -> its description, or an object with more about it."""
    for flag, meaning in flags.items():
        stated = meaning if isinstance(meaning, dict) else {"description": meaning}
        known = {key: stated[key] for key in ("description", "nargs") if stated.get(key) is not None}
        others = without_keys(stated, "description", "nargs")
        yield {**_entry_of_flag(flag), **known, **without_empty({"others": others})}


def _entry_of_flag(flag: str) -> dict[str, Any]:
    """The entry of a flag; a flag that cannot be parsed has its whole text as its name."""
    return parse_flag(flag) or {"name": flag}


def _complete(entry: dict[str, Any], completion: list[str] | None, documentation: str | None) -> dict[str, Any]:
    """An entry with its documentation and its completion, which is divided into a path, plain values and macros."""
    if documentation is not None:
        summary = {"summary": entry["description"]} if "description" in entry else {}
        entry = {**entry, **summary, "description": documentation}
    for item in completion or ():
        if item in _PATHS and "path" not in entry:
            entry["path"] = _PATHS[item]
        elif item.startswith("$"):
            entry.setdefault("macros", []).append(item)
        else:
            entry.setdefault("values", []).append(item)
    return entry


def _load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    """An entry as a parameter. Macros state nothing, since a shell might have to run them."""
    schema = _schema_of(entry, kind)
    description = stated_text(entry, "description", "summary")
    if description is not None:
        schema["description"] = description
    flags = texts_at(entry, "flags")
    is_required = entry.get("required") is True
    is_several = schema.get("type") == "array"
    has_count = entry.get("nargs", 1) not in (0, 1)
    if has_count and entry.get("repeatable"):
        # A binding cannot state an option that may be repeated and has several values each time.
        flags, is_several = [], False
    binding = Binding(
        kind=kind,
        flags=tuple(flags) or None,
        required=is_required or None,
        variadic=is_several or None,
        hidden=stated_bool(entry, "hidden"),
        together=has_count if is_several and kind == "option" else None,
        excludes=tuple(texts_at(entry, "exclusive")) or None,
    )
    return NamedParameter(entry["name"], schema, is_required, binding)


def _schema_of(entry: dict[str, Any], kind: str | None) -> JsonSchema:
    """The schema of a value. Completed values are `examples` and no `enum`: a shell suggests them, and takes others."""
    count = entry.get("nargs", 1)
    value: JsonSchema = {"type": "string"}
    if isinstance(entry.get("path"), str):
        value["format"] = entry["path"]
    values = stated_texts(entry, "values")
    if values is not None:
        value["examples"] = [item.partition("\t")[0] for item in values]  # VALUE<tab>DESCRIPTION
    if kind == "option" and entry.get("optional"):
        value = optional_value(value)
    elif kind == "option" and not entry.get("value") and count in (0, 1):
        value = {"type": "boolean"}
    if isinstance(count, int) and count not in (0, 1):
        number = None if count == _ALL_THAT_FOLLOW else abs(count)
        return several_values(value, number, number)
    return several_values(value) if entry.get("repeatable") else value


_STYLE = reading_style(_load_parameter)


# -- places -------------------------------------------------------------------------------------------------


_ENTRIES = ("/flags/*", "/persistentflags/*", "/completion/positional/*", "/completion/positionalany/*")


def _name_of(place: str, key: str | int, entry: Any) -> str | None:
    """The name of the parameter at a place: that of a flag, or the number of an argument."""
    if isinstance(key, str):
        name: str = _entry_of_flag(key)["name"]
        return name
    return "arguments" if place == _ENTRIES[-1] else f"argument{key + 1}"


# -- the format ---------------------------------------------------------------------------------------------

FORMAT = Format(
    name="carapace",
    title="carapace-spec",
    url="https://carapace-sh.github.io/carapace-spec",
    marks=MARKS,
    versions=("1",),
    one_per_file=True,
    tree=True,
    version_of=lambda data: "1",
    holds=_HOLDS,
    places=Places(
        places(_COMMAND) | {"inputs": "/flags"},
        {"description": ("/description",)},
        entries=dict.fromkeys(PARAMETERS, _ENTRIES),
        name_of=_name_of,
        child=lambda data, parent, identifier, index: f"{parent}/commands/{index}",
        commands=("/commands/*",),
    ),
    read=_read,
    spelling=Spelling(
        echoes=lambda tool: silent_parts(tool.extension("carapace")),
        has_unread=lambda binding: has_unread(binding, _STYLE),
    ),
)
