"""Several commands as one tool whose parameter `action` chooses among them (ATIP RFC, section 8.2, strategy B).

Each command is fitted by itself first, so that its own codec decodes its arguments. The model sees the union of what
the commands accept, and the parameter that chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.fitting import provider_names
from toolglot.converter.fitting.argument_codec import Fitted
from toolglot.converter.fitting.fit import resolve_references
from toolglot.converter.hub.model import Example, JsonSchema, Leaf, Tool, text_about
from toolglot.converter.schema.keywords import IN_PLACE, keyword_of, rebuild, walk
from toolglot.converter.schema.newest_dialect import is_plain
from toolglot.converter.schema.validators import make_acceptor
from toolglot.converter.text.pointers import without_keys
from toolglot.errors import FitError


class Member(NamedTuple):
    """One command of a combined tool: the value that chooses it, the command, and its own fitted schema."""

    value: str
    leaf: Leaf
    fitted: Fitted


def values_of(leaves: Sequence[Leaf], level: int = 1) -> list[str]:
    """The values that choose among commands: for each its path below the program or the group.

    Args:
        level: the number of words that lead to the program or the group.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="pr", children=(Tool(id="list"),))))
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> values_of(list(leaves_of(gh)))
    ['list', 'pr/list']
    """
    names_and_paths = [("/".join(leaf.path[level:]) or leaf.path[0], leaf.path) for leaf in leaves]
    any_character = r"\s\S"
    return provider_names.allot(names_and_paths, any_character, any_character, 1_000)


def member_of(value: str, leaf: Leaf, fitted: Fitted) -> Member:
    """A command whose references lead to its own definitions, because no other part of its schema stays in place.

    >>> number = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/properties/a"}}}
    >>> from toolglot.converter.fitting.argument_codec import SAME
    >>> member_of("ls", None, Fitted(number, (), SAME)).fitted.schema["properties"]["b"]
    {'$ref': '#/$defs/a'}
    """
    if fitted.schema is not None and not is_plain(fitted.schema):
        schema, steps = resolve_references(fitted.schema)
        fitted = Fitted(schema, (*fitted.steps, *steps), fitted.codec, fitted.null_defaults)
    return Member(value, leaf, fitted)


def combine(tool: Tool, members: Sequence[Member], short: bool = False) -> tuple[Tool, str]:
    """One tool for several commands of a program, and the name of the parameter that chooses.

    The list of commands with their warnings stands in the description of that parameter: the description of the tool
    may be cut, and this one may not.
    """
    chooser = _find_free_key(members)
    lines = ["The command."]
    definitions: JsonSchema = {}
    branches: list[JsonSchema] = []
    flags: list[str] = []
    for index, member in enumerate(members):
        lines.append(f"- {member.value}: {_describe_command(member.leaf.tool, short)}")
        branches.append(_branch(member, chooser, f"{index}", definitions))
        flags += _warnings(member.leaf.tool, short)
    if all(safety.is_read_only(member.leaf.tool) for member in members):
        flags.append("read-only")
    choice = {"type": "string", "enum": [member.value for member in members], "description": "\n".join(lines)}
    inputs: JsonSchema = {"type": "object", "properties": {chooser: choice}, "oneOf": branches}
    if definitions:
        inputs["$defs"] = definitions
    sorted_flags = safety.sort_warnings(flags) or None
    examples = tuple(chain.from_iterable(_examples(member, chooser) for member in members)) or None
    combined_tool = Tool(
        id=tool.id, title=tool.title, description=text_about(tool), inputs=inputs, flags=sorted_flags, examples=examples
    )
    return combined_tool, chooser


def _examples(member: Member, chooser: str) -> Iterator[Example]:
    """The examples of one command as calls of the combined tool. A command line already names its command."""
    for example in member.leaf.tool.examples or ():
        if not isinstance(example.input, dict):
            yield example
            continue
        with suppress(FitError):
            arguments = {chooser: member.value, **member.fitted.encode(example.input)}
            yield replace(example, input=arguments)


_MOST_NAMES = 100
_DEFINITIONS = "#/$defs/"


def _find_free_key(members: Sequence[Member]) -> str:
    """A name for the parameter that chooses, which no parameter or pattern of a command matches."""
    used_keys: set[str] = set()
    patterns: JsonSchema = {}
    for member in members:
        used_keys.update((member.fitted.schema or {}).get("properties", ()))
        for _, node in walk(member.fitted.schema):
            if isinstance(node, dict):
                patterns.update(dict.fromkeys(node.get("patternProperties", ()), False))
    is_free = make_acceptor({"patternProperties": patterns}, {})
    names = ["action", "command", *(f"action_{number}" for number in range(len(used_keys) + _MOST_NAMES))]
    unused_names = [name for name in names if name not in used_keys]
    return next((name for name in unused_names if is_free({name: True})), unused_names[0])


def _warnings(tool: Tool, short: bool) -> tuple[str, ...]:
    return safety.express_safety(tool, (), safety.SafetyWords(), short).flags or ()


def _describe_command(tool: Tool, short: bool) -> str:
    line = " ".join((text_about(tool) or "the program itself").split())
    notes = [safety.WORDS[flag].words for flag in _warnings(tool, short)]
    if tool.deprecated:
        notes.append("deprecated")
    if notes:
        line += f" ({'; '.join(notes)})"
    return line


def _branch(member: Member, chooser: str, prefix: str, definitions: JsonSchema) -> JsonSchema:
    """The schema of one command, with its definitions moved to the whole under names of their own."""
    schema = member.fitted.schema or {"type": "object"}
    whole = prefix  # no definition is called so: theirs have a dot
    targets: set[str] = set()

    def refer(node: Any, pointer: str = "") -> Any:
        copy = rebuild(node, refer)
        if not isinstance(copy, dict) or not isinstance(copy.get("$ref"), str):
            return copy
        target = whole
        if copy["$ref"] != "#":
            target = f"{prefix}.{copy['$ref'].removeprefix(_DEFINITIONS)}"
        targets.add(target)
        copy["$ref"] = _DEFINITIONS + target
        return copy

    branch: JsonSchema = refer(without_keys(schema, "$defs"))
    for name, definition in schema.get("$defs", {}).items():
        definitions[f"{prefix}.{name}"] = refer(definition)
    if whole in targets:
        definitions[whole] = branch
    branch = _RoomForChooser(chooser, definitions).widen(branch)
    return {
        **branch,
        "properties": {chooser: {"const": member.value}, **without_keys(branch.get("properties", {}), chooser)},
        "required": [chooser, *branch.get("required", [])],
    }


_COUNTS = frozenset({"minProperties", "maxProperties"})
_OF_OTHER_KEYS = frozenset({"additionalProperties", "unevaluatedProperties"})


class _RoomForChooser:
    """Makes schemas accept the parameter that chooses beside their own.

    Rules about all keys, in any alternative, would otherwise count or refuse it. Each definition gets a second one with
    room, made once: if references were replaced by copies, these could double at every step.
    """

    def __init__(self, chooser: str, definitions: JsonSchema) -> None:
        self._chooser = chooser
        self._definitions = definitions
        self._waiting: list[tuple[str, str]] = []  # a definition to be made, and the one that it is made of

    def widen(self, branch: JsonSchema) -> JsonSchema:
        """The schema of one command with room."""
        room: JsonSchema = self._widen_in_place(branch)
        while self._waiting:
            name, target = self._waiting.pop()
            self._definitions[name] = self._widen_in_place(self._definitions[target])
        return room

    def _widen_in_place(self, schema: Any) -> Any:
        room = rebuild(schema, lambda inner, at: self._widen_in_place(inner) if keyword_of(at) in IN_PLACE else inner)
        if not isinstance(room, dict):
            return room
        for keyword in _COUNTS & room.keys():
            room[keyword] += 1
        if "propertyNames" in room:
            room["propertyNames"] = {"anyOf": [{"const": self._chooser}, room["propertyNames"]]}
        if _OF_OTHER_KEYS & room.keys():
            room["properties"] = {self._chooser: True, **room.get("properties", {})}
        if "$ref" in room:
            room["$ref"] = self._reference_with_room(room["$ref"])
        return room

    def _reference_with_room(self, reference: str) -> str:
        target = reference.removeprefix(_DEFINITIONS)
        name = f"room.{target}"  # no definition is called so: theirs begin with a number
        if name not in self._definitions:
            self._definitions[name] = {}
            self._waiting.append((name, target))
        return _DEFINITIONS + name
