"""usage, KDL: the specification of a command line, with what its commands do to the world. It is read, not written.

The flags of a command can stand in front of the words of the commands below it, and so belong to these too. What a
specification takes from elsewhere (`mount`, `include`, `complete`) is neither run nor opened: it is kept as the text
that it is, and a report names it.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats import Format, Places, Record, Spelling
from toolglot.converter.formats.kit.command_trees import (
    UNKNOWN_PROGRAM,
    build_node,
    reading_style,
    silent_parts,
)
from toolglot.converter.formats.kit.description.facts_in_description import take_description
from toolglot.converter.formats.kit.field_tables import Row, Table, boolean, fields_of, take, text
from toolglot.converter.formats.kit.parameters import ParameterEntry, has_unread, stated_text
from toolglot.converter.formats.kit.places import remember
from toolglot.converter.formats.kit.unreadable_facts import Doubt
from toolglot.converter.formats.usage import effects
from toolglot.converter.formats.usage.detection import MARKS
from toolglot.converter.formats.usage.effects import StatedEffect, effects_in, effects_left_in, facts_of, worst
from toolglot.converter.formats.usage.nodes import KdlNode, Statements, first_text, read_statements, statements
from toolglot.converter.formats.usage.parameters import (
    entry_of_argument,
    entry_of_flag,
    load_parameter,
    opposite_of,
    stands_behind_dashes,
)
from toolglot.converter.hub.fields import PARAMETERS
from toolglot.converter.hub.model import Binding, Example, Tool
from toolglot.converter.text.pointers import is_text, list_at, texts_at, value_at, without_empty, without_keys

_NAMELESS = "unnamed/program"  # with a slash, so that nobody can run a program of that name
_STYLE = reading_style(load_parameter)


# In the order in which they count: the first that is there is the description, the last one the summary.
_LONG = ("long_about", "about_long", "long_help", "help_long", "about_md", "help_md")
_SHORT = ("about", "help")
_COMMAND: Table = {
    "hide": boolean("hidden"),
    "deprecated": Row("deprecated", lambda value: isinstance(value, bool | str), bool, has_spellings=True),
}
_ROOT: Table = {
    "bin": text("id"),
    "name": text("title"),
    "version": text("version"),
    "author": text("author"),
    "license": text("license"),
}
_HOLDS = fields_of(_ROOT | _COMMAND).union(PARAMETERS, effects.FIELDS, ("summary", "description", "examples"))


def _read(record: Record) -> Tool:
    fields: dict[str, Any] = {"origin": "usage"}
    content = statements({}, record.data["nodes"])
    content = replace(content, facts=take(content.facts, _ROOT, fields))
    if "id" not in fields:
        fields.update(id=fields.get("title", _NAMELESS), trust=dict(UNKNOWN_PROGRAM))
    return _read_command(content, fields, above=None, is_root=True)


def _read_command(
    content: Statements, fields: dict[str, Any], above: StatedEffect | None, is_root: bool = False
) -> Tool:
    """A command and all below it.

    Args:
        fields: what is known of it already.
        above: the worst effect of the flags that it takes from the commands above it.
    """
    flags = [entry_of_flag(node) for node in content.take_parts("flag")]
    arguments = [entry_of_argument(node) for node in content.take_parts("arg")]
    commands = content.take_parts("cmd")
    effects = content.take_values("effect")
    of_call = [*effects, *effects_in(arguments)]
    # What stands in parts that are not understood, such as sets of flags, can be given to the commands below too.
    of_flags = [*effects_in(flags), *effects_left_in(content.rest)]
    if above is not None:
        of_flags.insert(0, above)
    shared_effect, whole = worst(of_flags), worst([*of_call, *of_flags])
    children = tuple(_read_command(read_statements(node), {"id": first_text(node)}, shared_effect) for node in commands)
    examples = [_load_example(node) for node in content.take_parts("example")]
    if examples:
        fields["examples"] = tuple(examples)
    rest = take(content.facts, _COMMAND, fields) | content.parts
    if effects and [*of_call, *of_flags] != [whole]:  # what the command does without its flags and arguments
        rest["effect"] = effects
    _take_descriptions(fields, rest)
    syntax = _syntax(arguments, flags)
    if syntax:
        fields["syntax"] = syntax
    if rest:
        fields["extensions"] = {"usage": rest}
    own: list[ParameterEntry] = [("argument", entry) for entry in arguments]
    options: list[ParameterEntry] = [("option", entry) for entry in flags]
    if not (children or own or options or of_call) and "mount" in rest:
        return Tool(**fields, truncated=True)  # only a shell could tell which commands it has
    # A group whose own effect is stated can be called by itself; that of its flags has raised the commands below it.
    is_called = bool(own or of_call or not children)
    call = facts_of(whole) if is_called else {}
    return build_node(
        fields,
        children,
        _STYLE,
        own,
        options,
        is_closed=bool(own or options),
        is_called=is_called,
        call=call,
        is_root=is_root,
    )


def _syntax(arguments: list[dict[str, Any]], flags: list[dict[str, Any]]) -> dict[str, Any]:
    """What is unusual in how the words of a command are read."""
    behind_dashes = [entry["name"] for entry in arguments if stands_behind_dashes(entry)]
    keeps_dashes = bool(arguments) and arguments[0].get("double_dash") == "preserve"
    syntax: dict[str, Any] = {
        "behind_dashes": behind_dashes,
        "keeps_dashes": keeps_dashes and not behind_dashes,
        "fills": "up-to-limits" if any("var_max" in entry for entry in arguments[:-1]) else "",
        "opposites": without_empty({entry["name"]: opposite_of(entry) for entry in flags}),
    }
    return without_empty(syntax)


def _take_descriptions(fields: dict[str, Any], rest: dict[str, Any]) -> None:
    """Take what describes a command out of what it says: at length, and in a line."""
    texts = [(key, rest[key]) for key in (*_LONG, *_SHORT) if is_text(rest.get(key))]
    if texts:
        for field, (key, words) in (("description", texts[0]), ("summary", texts[-1])):
            if rest.pop(key, None) is not None:
                fields[field] = words.rstrip()
    take_description(fields, _HOLDS)


def _load_example(node: KdlNode) -> Example:
    """An example: a command line with a header and help beside it, or a header with the command line behind it."""
    arguments = list_at(node, "arguments")
    texts = texts_at(node, "arguments")
    content = read_statements(node)
    header = content.take("header", "help")
    rest = content.rest
    if len(texts) != len(arguments):
        rest["arguments"] = arguments
    command = texts[-1].strip() if texts else None
    title = texts[0] if len(texts) > 1 else stated_text(header, "header")
    return Example(command=command, title=title, note=stated_text(header, "help"), extensions=rest or None)


def _has_unread(binding: Binding) -> bool:
    """Whether a flag or an argument says what no field has; to whom a flag belongs is said by where it stands."""
    return has_unread(replace(binding, spelling=without_keys(binding.spelling or {}, "global")), _STYLE)


# -- what nobody can read -----------------------------------------------------------------------------------


def _doubts(node: Tool) -> list[Doubt]:
    if node.unclear is None:
        return []
    message = "nobody can read this effect; it counts as the most dangerous one"
    return [Doubt("unclear-safety", "", "destructive", message, "write read, write or destructive")]


def _echoes(tool: Tool) -> list[str]:
    """What says nothing, and the effect of a command where the command states no other."""
    rest = tool.extension("usage")
    facts = facts_of(worst(rest.get("effect", ())))
    is_stated = bool(facts) and all(getattr(tool, name) == value for name, value in facts.items())
    pointers = silent_parts(rest)
    if is_stated:
        pointers.append("/effect")
    return pointers


# -- places -------------------------------------------------------------------------------------------------

_NAMES = {
    "id": ("bin", "name"), "title": ("name",), "description": (*_LONG, *_SHORT), "summary": _SHORT,
    "flags": (*_LONG, *_SHORT), "examples": ("example",), "hidden": ("hide",), "deprecated": ("deprecated",),
    "version": ("version",), "author": ("author",), "license": ("license",),
    **dict.fromkeys((*effects.FIELDS, "unclear"), ("effect",)),
}  # fmt: skip
_HOLDERS = ("/properties/", "/nodes/name=", "/children/name=")
_OTHER_PLACES = {
    "extensions": _HOLDERS,
    **{field: tuple(holder + name for name in names for holder in _HOLDERS) for field, names in _NAMES.items()},
}
_ENTRY_OF = {"arg": entry_of_argument, "flag": entry_of_flag}
_ENTRIES = dict.fromkeys(PARAMETERS, tuple(holder + name for name in _ENTRY_OF for holder in _HOLDERS[1:]))


def _name_of(place: str, key: str | int, entry: KdlNode) -> str | None:
    name: str = _ENTRY_OF[entry["name"]](entry)["name"]
    return name


def _place_child(data: dict[str, Any], parent: str, identifier: str, index: int) -> str:
    key = "children" if parent else "nodes"
    commands = remember(_indexes_of_commands, value_at(data, f"{parent}/{key}", []))
    if not identifier or index >= len(commands):
        return parent
    return f"{parent}/{key}/{commands[index]}"


def _indexes_of_commands(nodes: list[KdlNode]) -> list[int]:
    return [number for number, node in enumerate(nodes) if node["name"] == "cmd"]


# -- the format ---------------------------------------------------------------------------------------------

FORMAT = Format(
    name="usage",
    title="usage specification",
    url="https://usage.jdx.dev/spec/",
    marks=MARKS,
    versions=("6",),
    one_per_file=True,
    tree=True,
    version_of=lambda data: "6",
    holds=_HOLDS,
    places=Places(
        also_at=_OTHER_PLACES,
        entries=_ENTRIES,
        name_of=_name_of,
        child=_place_child,
        commands=("/nodes/name=cmd", "/children/name=cmd"),
    ),
    read=_read,
    doubts=_doubts,
    spelling=Spelling(echoes=_echoes, has_unread=_has_unread),
)
