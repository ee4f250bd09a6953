"""carapace-spec, YAML: what a shell completes after the name of a program. It is read, not written.

What only a shell could make something of (`run`, `$(...)` and other macros) is never run: it is kept as the text that
it is, and a report names it. Nothing is said about effects.
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
_BLANKS = " \t\n\r"  # as its schema has them: a name of other blanks is one
_HOLDS = fields_of(_COMMAND) | frozenset(PARAMETERS)


def _read(record: Record) -> Tool:
    return _read_command(record.data, is_root=True)


def _read_command(data: dict[str, Any], is_root: bool = False) -> Tool:
    fields: dict[str, Any] = {"origin": "carapace"} if is_root else {}
    rest = take(data, _COMMAND, fields)
    fields["id"], *others = re.split(f"[{_BLANKS}]+", fields["id"].strip(_BLANKS), maxsplit=1)
    if others:  # the one-line usage of the command
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

# What may stand behind a flag is said elsewhere, in `completion` and `documentation`. Positional arguments have no
# names: only what completes them is known.

_PATHS = {"$files": "file-path", "$directories": "directory-path"}  # what completes any path; the hub's word for it
_MANY = -1  # how many values a flag has that takes all that follow
Entries = list[tuple[str | None, dict[str, Any]]]


def _take_parameters(rest: dict[str, Any]) -> tuple[Entries, Entries]:
    """The parameters of a command and the flags that those below it share, taken out of what its document says."""
    flags = list(_entries_of_flags(rest.pop("flags", None) or {}))
    shared_flags = list(_entries_of_flags(rest.pop("persistentflags", None) or {}))
    _take_exclusions(rest, [*flags, *shared_flags])
    completion, words = _take_mapping(rest, "completion"), _take_mapping(rest, "documentation")
    of_flags, words_of_flags = _take_mapping(completion, "flag"), _take_mapping(words, "flag")
    arguments = _take_positional(completion, words)
    own_options, shared_options = [
        [_complete(entry, of_flags.pop(entry["name"], None), words_of_flags.pop(entry["name"], None)) for entry in own]
        for own in (flags, shared_flags)
    ]
    # What nothing was made of stays.
    completion |= without_empty({"flag": of_flags})
    words |= without_empty({"flag": words_of_flags})
    rest |= without_empty({"completion": completion, "documentation": words})
    own_entries: Entries = [("argument", entry) for entry in arguments]
    own_entries += [("option", entry) for entry in own_options]
    return own_entries, [("option", entry) for entry in shared_options]


_MOST_EXCLUSIVE = 100  # flags of a group; each of them names all others


def _take_exclusions(rest: dict[str, Any], flags: list[dict[str, Any]]) -> None:
    """Say in each flag which others it excludes; a group that names something else stays where it is, too."""
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


def _take_positional(completion: dict[str, Any], words: dict[str, Any]) -> list[dict[str, Any]]:
    """The positional arguments, by number, and the one for all others."""
    places = completion.pop("positional", None) or []
    texts = words.pop("positional", None) or []
    entries = [
        _complete({"name": f"argument{number}"}, place, text_of_place)
        for number, (place, text_of_place) in enumerate(zip_longest(places, texts), 1)
    ]
    if "positionalany" in completion or "positionalany" in words:
        others = {"name": "arguments", "repeatable": True}
        entries.append(_complete(others, completion.pop("positionalany", None), words.pop("positionalany", None)))
    return entries


def _entries_of_flags(flags: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of a mapping from flags to what they mean."""
    for flag, meaning in flags.items():
        stated = meaning if isinstance(meaning, dict) else {"description": meaning}
        known = {key: stated[key] for key in ("description", "nargs") if stated.get(key) is not None}
        others = without_keys(stated, "description", "nargs")
        yield {**_entry_of_flag(flag), **known, **without_empty({"others": others})}


def _entry_of_flag(flag: str) -> dict[str, Any]:
    """What a flag says of itself; one that nobody can read is called what it is."""
    return parse_flag(flag) or {"name": flag}


def _complete(entry: dict[str, Any], completion: list[str] | None, words: str | None) -> dict[str, Any]:
    """An entry with what completes it, sorted by who understands it, and with what the documentation says of it."""
    if words is not None:
        summary = {"summary": entry["description"]} if "description" in entry else {}
        entry = {**entry, **summary, "description": words}
    for item in completion or ():
        if item in _PATHS and "path" not in entry:
            entry["path"] = _PATHS[item]
        elif item.startswith("$"):
            entry.setdefault("macros", []).append(item)
        else:
            entry.setdefault("values", []).append(item)
    return entry


def _load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    """An entry as a parameter; macros, which a shell may have to run, say nothing."""
    schema = _schema_of(entry, kind)
    words = stated_text(entry, "description", "summary")
    if words is not None:
        schema["description"] = words
    flags = texts_at(entry, "flags")
    is_required = entry.get("required") is True
    is_several = schema.get("type") == "array"
    has_count = entry.get("nargs", 1) not in (0, 1)
    if has_count and entry.get("repeatable"):
        # Several values behind each of several flags are no form of a command line that a binding can state.
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
    count = entry.get("nargs", 1)
    value: JsonSchema = {"type": "string"}
    if isinstance(entry.get("path"), str):
        value["format"] = entry["path"]
    values = stated_texts(entry, "values")
    if values is not None:
        value["examples"] = [text.partition("\t")[0] for text in values]
    if kind == "option" and entry.get("optional"):
        value = optional_value(value)
    elif kind == "option" and not entry.get("value") and count in (0, 1):
        value = {"type": "boolean"}
    if isinstance(count, int) and count not in (0, 1):
        number = None if count == _MANY else abs(count)
        return several_values(value, number, number)
    return several_values(value) if entry.get("repeatable") else value


_STYLE = reading_style(_load_parameter)


# -- places -------------------------------------------------------------------------------------------------


_ENTRIES = ("/flags/*", "/persistentflags/*", "/completion/positional/*", "/completion/positionalany/*")


def _name_of(place: str, key: str | int, entry: Any) -> str | None:
    """The name of a flag, or of an argument by its place."""
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
