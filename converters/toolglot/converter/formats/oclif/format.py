"""`oclif.manifest.json`: the commands of a program that is made with oclif. It is read, not written.

The id `a:b` is the command `b` of the group `a`. The manifest names the package that it belongs to and not the program
that people call, so that the name of the package stands for that. It says nothing about effects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from toolglot.converter.formats import Format, Places, Record, Spelling
from toolglot.converter.formats.kit.command_trees import (
    UNKNOWN_PROGRAM,
    build_node,
    reading_style,
    several_values,
    silent_parts,
    with_conditions,
)
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.field_tables import Row, Table, boolean, fields_of, places, take, text
from toolglot.converter.formats.kit.parameters import (
    NamedParameter,
    ParameterEntry,
    has_unread,
    stated_bool,
    stated_text,
    stated_texts,
)
from toolglot.converter.formats.oclif.detection import MARKS
from toolglot.converter.hub.model import NAMELESS, Binding, Example, JsonSchema, Tool
from toolglot.converter.schema.json_values import type_of
from toolglot.converter.text.pointers import (
    as_list,
    escape,
    is_texts,
    list_at,
    mapping_at,
    pointer_below,
    texts_at,
    without_nulls,
)

# What stands for the id of the only command of a program that has no others.
_ONLY_COMMAND = "Symbol(SINGLE_COMMAND_CLI)"
_NAMELESS = "unnamed/package"  # with a slash, so that nobody can run a program of that name


# -- the parameters -----------------------------------------------------------------------------------------


# What a flag demands of others, by a key of its entry or by the type of one of its relationships.
_CONDITIONS = {
    **dict.fromkeys(("dependsOn", "all"), "Needs {all}."),
    "some": "Needs {any}.",
    **dict.fromkeys(("combinable", "only"), "Can be given only together with {all}."),
    "exactlyOne": "Exactly one of {all} is given.",
    "atLeastOne": "At least one of {all} is given.",
    "message": "Deprecated: {all}",
    "to": "Use {all} instead.",
}


def _load_parameter(entry: dict[str, Any], kind: str | None) -> NamedParameter:
    if "default" in entry:
        entry = {**entry, "default": _as_option(entry["default"], texts_at(entry, "options"))}
    is_switch = kind == "option" and entry.get("type") == "boolean"
    schema: JsonSchema = {"type": "boolean"} if is_switch else _schema_of_value(entry)
    relations = {
        str(relation.get("type")): relation.get("flags")
        for relation in list_at(entry, "relationships")
        if isinstance(relation, dict)
    }
    stated = {**mapping_at(entry, "deprecated"), **relations, **entry}
    words = with_conditions(stated_text(entry, "description", "summary"), stated, _CONDITIONS)
    schema |= without_nulls(
        {
            "description": words,
            "default": entry.get("default"),
            "deprecated": bool(entry.get("deprecated")) or None,
        }
    )
    if "default" in schema and schema["type"] == "array":  # one value is a list of it
        schema["default"] = as_list(schema["default"])
    flags = tuple(_flags(entry, is_switch)) if kind == "option" else None
    is_repeated = not is_switch and entry.get("multiple") is True
    binding = Binding(
        kind=kind,
        flags=flags,
        required=stated_bool(entry, "required"),
        variadic=is_repeated or None,
        hidden=stated_bool(entry, "hidden"),
        env=stated_text(entry, "env"),
        excludes=_excluded(stated) or None,
    )
    return NamedParameter(entry["name"], schema, entry.get("required") is True, binding)


def _as_option(default: Any, options: list[str]) -> Any:
    """A default as the word that stands among the options: the program has made a number of it, or a boolean.

    >>> _as_option(10, ["5", "10"]), _as_option(10, []), _as_option(["a", 5], ["a", "5"])
    ('10', 10, ['a', '5'])
    """
    if isinstance(default, list):
        return [_as_option(item, options) for item in default]
    word = json.dumps(default)
    return word if word in options else default


def _excluded(stated: dict[str, Any]) -> tuple[str, ...]:
    names = [name for key in ("exclusive", "exactlyOne", "none") for name in texts_at(stated, key)]
    return tuple(name for name in dict.fromkeys(names) if name != stated["name"])


def _schema_of_value(entry: dict[str, Any]) -> JsonSchema:
    """What a value is: a text, of which only the program knows what it makes; its default may be of that kind."""
    schema: JsonSchema = {"type": "string"}
    if is_texts(entry.get("options")) and entry["options"]:
        schema["enum"] = entry["options"]
    is_list = entry.get("multiple") is True
    defaults = as_list(entry.get("default")) if is_list else [entry.get("default")]
    kinds = {type_of(default) for default in defaults} - {"string", "null"}
    if kinds:
        schema["type"] = ["string", *sorted(kinds)]
    return several_values(schema) if is_list else schema


def _flags(entry: dict[str, Any], is_switch: bool) -> Iterable[str]:
    yield f"--{entry['name']}"
    if isinstance(entry.get("char"), str):
        yield f"-{entry['char']}"
    for alias in stated_texts(entry, "aliases") or ():
        yield f"--{alias}"
    for alias in stated_texts(entry, "charAliases") or ():
        yield f"-{alias}"
    if is_switch and entry.get("allowNo") is True:
        yield f"--no-{entry['name']}"


_STYLE = reading_style(_load_parameter)


def _parameter_entries(data: Any, kind: str) -> list[ParameterEntry]:
    """The parameters of a list, or of a mapping of their names; older manifests list arguments."""
    if isinstance(data, list):
        return [(kind, entry) for entry in data]
    return [(kind, _with_name(name, entry)) for name, entry in data.items()]


def _with_name(name: str, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with the name that it is found by; one that it has beside that is kept, and is nobody's."""
    other = {} if entry.get("name", name) == name else {"named": entry["name"]}
    return {**entry, "name": name, **other}


# -- commands -----------------------------------------------------------------------------------------------


def _is_examples(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) or _is_example(item) for item in value)


def _is_example(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() <= {"command", "description"} and is_texts([*value.values()])


def _load_example(item: Any) -> Example:
    if isinstance(item, str):
        return Example(command=item)
    return Example(command=item.get("command"), title=item.get("description"))


_COMMAND: Table = {
    "summary": text("summary"),
    "description": text("description"),
    "hidden": boolean("hidden"),
    "state": Row("deprecated", lambda value: value == "deprecated", lambda value: True),
    "examples": Row("examples", _is_examples, lambda items: tuple(map(_load_example, items))),
}
_ROOT: Table = {"version": text("version")}
_HOLDS = fields_of(_ROOT | _COMMAND) | {"id", "inputs", "bindings"}


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {"origin": "oclif", "trust": {**UNKNOWN_PROGRAM, NAMELESS: True}}
    rest = take(record.data, _ROOT, fields)
    commands = rest.pop("commands")
    names = (stated_text(command, "pluginName") or stated_text(command, "pluginAlias") for command in commands.values())
    fields["id"] = next(filter(None, names), _NAMELESS)
    if rest:
        fields["extensions"] = {"oclif": rest}
    paths = {_path(identifier): command for identifier, command in commands.items()}
    root = paths.pop((), None)
    children = _children((), paths)
    if root is not None:
        children = (*children, _read_node(("",), root, ()))
    return Tool(children=children or None, **fields)


def _path(identifier: str) -> tuple[str, ...]:
    """The words of a command; none for the only one of a program."""
    if identifier == _ONLY_COMMAND:
        return ()
    return tuple(identifier.split(":"))


_Commands = dict[tuple[str, ...], dict[str, Any]]


def _children(path: tuple[str, ...], commands: _Commands) -> tuple[Tool, ...]:
    """The commands directly below a path, of those that lie below it at any depth."""
    below: dict[str, _Commands] = {}
    for other, command in commands.items():
        below.setdefault(other[len(path)], {})[other] = command
    nodes = []
    for word, inner in below.items():
        here = (*path, word)
        own = inner.pop(here, None)
        children = _children(here, inner)
        if own is None:
            nodes.append(Tool(id=word, children=children))
        else:
            nodes.append(_read_node(here, own, children))
    return tuple(nodes)


def _read_node(path: tuple[str, ...], data: dict[str, Any], children: tuple[Tool, ...]) -> Tool:
    fields: dict[str, Any] = {"id": path[-1]}
    rest = take(data, _COMMAND, fields)
    take_description(fields, _HOLDS)
    arguments, flags = rest.pop("args", {}), rest.pop("flags", {})
    is_closed = rest.pop("strict", True) is not False
    if rest.get("id") in (":".join(path), _ONLY_COMMAND):
        del rest["id"]
    if rest:
        fields["extensions"] = {"oclif": rest}
    own = [*_parameter_entries(arguments, "argument"), *_parameter_entries(flags, "option")]
    return build_node(fields, children, _STYLE, own, is_closed=is_closed, is_called=True)


# -- places -------------------------------------------------------------------------------------------------


def _place_child(data: dict[str, Any], parent: str, identifier: str, index: int) -> str:
    if not parent:
        return pointer_below("/commands", identifier or _ONLY_COMMAND)
    if not identifier:
        return parent
    return f"{parent}:{escape(identifier)}"


# -- the format ---------------------------------------------------------------------------------------------


FORMAT = Format(
    name="oclif",
    title="oclif manifest",
    url="https://oclif.io/docs/plugin_loading",
    marks=MARKS,
    versions=("4",),
    one_per_file=True,
    tree=True,
    version_of=lambda data: "4",
    holds=_HOLDS,
    takes_any_key=True,  # the static properties of the class of a command
    places=Places(
        places(_ROOT | _COMMAND) | {"inputs": "/flags"},
        entries=dict.fromkeys(("inputs", "bindings"), ("/args/*", "/flags/*")),
        child=_place_child,
        commands=("/commands/*",),
    ),
    read=_read,
    spelling=Spelling(
        echoes=lambda tool: silent_parts(tool.extension("oclif")),
        has_unread=lambda binding: has_unread(binding, _STYLE),
    ),
)
