"""Trees of tools: cut down to one callable node, and put together again; the parameters of two nodes as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter.hub.model import (
    JsonSchema,
    Leaf,
    Parameters,
    Tool,
    is_called,
    options_of,
    parameter_names,
    pick_entries,
)
from toolglot.errors import UsageError

_DEFINITIONS = "#/$defs/"
# What a schema of parameters says of them together, in keywords that each hold wherever its properties stand.
_CONDITIONS = frozenset({
    "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
})  # fmt: skip
# What a joint schema takes from both, and what only says that the schema knows no more properties.
_JOINED = frozenset({"type", "properties", "required", "$defs", "additionalProperties", "unevaluatedProperties"})


def list_tools(tools: object) -> list[Tool]:
    """One tool or several as a list.

    Raises:
        UsageError: something else is among them; code `"bad-tools"`.

    >>> list_tools(Tool(id="ls"))
    [Tool(id='ls')]
    """
    if isinstance(tools, Tool):
        return [tools]
    if not isinstance(tools, Iterable) or isinstance(tools, str | bytes):
        raise bad_tools_error(tools)
    tool_list = list(tools)
    for tool in tool_list:
        if not isinstance(tool, Tool):
            raise bad_tools_error(tool)
    return tool_list


def bad_tools_error(value: Any) -> UsageError:
    """The error for a value that is no tool."""
    message = f"expected tools, found {type(value).__name__}"
    hint = "read them with toolglot.read"
    if isinstance(getattr(value, "contract", None), Tool):
        hint = "give its contract"
    return UsageError(message, code="bad-tools", hint=hint)


def with_fields(tool: Tool, fields: Mapping[str, Mapping[str, Any]], pointer: str = "") -> Tool:
    """The tree with new values in fields of some nodes.

    Args:
        fields: JSON Pointer of a node -> name of a field -> new value.
        pointer: the JSON Pointer of the tool itself.

    >>> with_fields(Tool(id="gh", children=(Tool(id="list"),)), {"/children/0": {"network": True}}).children[0].network
    True
    """
    new_values = dict(fields.get(pointer, {}))
    if tool.children:
        below = enumerate(tool.children)
        new_values["children"] = tuple(
            with_fields(child, fields, f"{pointer}/children/{index}") for index, child in below
        )
    return replace(tool, **new_values) if new_values else tool


def split_leaves(tool: Tool) -> dict[str, Tool]:
    """JSON Pointer of each leaf -> the tree cut down to that leaf; `merge` puts these trees together again.

    A group whose commands are cut off has no leaf. It goes with the leaf after it, or with the last one.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="pr", truncated=True)))
    >>> split_leaves(gh) == {"/children/0": gh}
    True
    """
    pointers_by_leaf: dict[str, list[str]] = {}
    waiting: list[str] = []
    last = ""
    for pointer, node in walk_nodes(tool):
        if node.truncated and not node.children:
            waiting.append(pointer)
        if node.callable:
            pointers_by_leaf[pointer], waiting, last = [pointer, *waiting], [], pointer
    if pointers_by_leaf:
        pointers_by_leaf[last] += waiting
    return {pointer: cut(tool, pointers).tool for pointer, pointers in pointers_by_leaf.items()}


def walk_nodes(node: Tool, pointer: str = "") -> Iterator[tuple[str, Tool]]:
    """Every node of a tree in order, each behind its JSON Pointer.

    >>> [pointer for pointer, _ in walk_nodes(Tool(id="gh", children=(Tool(id="list"),)))]
    ['', '/children/0']
    """
    yield pointer, node
    for index, child in enumerate(node.children or ()):
        yield from walk_nodes(child, f"{pointer}/children/{index}")


class Cut(msgspec.Struct, frozen=True):
    """A tree without some of its commands.

    Attributes:
        pointers: JSON Pointer of each node -> its pointer in the whole tree.
    """

    tool: Tool
    pointers: dict[str, str]


def cut(tool: Tool, commands: Collection[str], groups: Collection[str] = ()) -> Cut:
    """A tree cut down to some commands, with the groups above them. These keep their options, and cannot be called.

    Args:
        commands: JSON Pointers of the commands.
        groups: JSON Pointers of groups that stay without their commands.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete")))
    >>> cut(gh, ["/children/1"])
    Cut(tool=Tool(id='gh', children=(Tool(id='delete'),)), pointers={'/children/0': '/children/1', '': ''})
    """
    pointers: dict[str, str] = {}
    ways: dict[int, Any] = {}  # index of a child on the way to a command -> the same for its children
    for pointer in (*commands, *groups):
        way = ways
        for step in pointer.split("/children/")[1:]:
            way = way.setdefault(int(step), {})

    def part_of(node: Tool, old: str, new: str, way: dict[int, Any]) -> Tool:
        children: list[Tool] = []
        for index in sorted(way):
            child = (node.children or ())[index]
            children.append(part_of(child, f"{old}/children/{index}", f"{new}/children/{len(children)}", way[index]))
        pointers[new] = old
        if old not in commands:
            node = as_group(node) if children else as_truncated(node)
        return replace(node, children=tuple(children) or None) if node.children else node

    return Cut(part_of(tool, "", "", ways), pointers)


def merge(tools: Iterable[Tool]) -> list[Tool]:
    """Put trees together again that `cut` made; tools without a common root stay as they are.

    Nodes become one only if they say the same, so that no leaf loses what its own ancestors say.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete")))
    >>> merge([cut(gh, [pointer]).tool for pointer in ("/children/0", "/children/1")]) == [gh]
    True
    """
    forest = _UnfinishedNode(Tool(id=""))
    for tool in tools:
        forest.graft(tool)
    return list(forest.grow().children or ())


class _UnfinishedNode:
    """A node under construction, its children found by their id."""

    def __init__(self, node: Tool) -> None:
        if node.children:
            node = replace(node, children=None)
        self.node = node
        self.children: dict[str, list[_UnfinishedNode]] = {}

    def graft(self, tool: Tool) -> None:
        same = self.children.setdefault(tool.id, [])
        branch = next((branch for branch in same if branch.matches(tool)), None)
        if branch is None:
            branch = _UnfinishedNode(tool)
            same.append(branch)
        elif is_called(tool):
            branch.node = replace(tool, children=None)
        for child in tool.children or ():
            branch.graft(child)

    def matches(self, tool: Tool) -> bool:
        if not (tool.children or self.children):
            return False  # two leaves are two tools, however alike
        tool_is_called, node_is_called = is_called(tool), is_called(self.node)
        if not (tool.children or tool_is_called) or not (self.children or node_is_called):
            return False  # a leaf that would no longer be callable once it had children
        alone = replace(tool, children=None)
        if tool_is_called and node_is_called:
            return alone == self.node
        return as_group(alone) == as_group(self.node)

    def grow(self) -> Tool:
        children = tuple(branch.grow() for same in self.children.values() for branch in same)
        if not children:
            return self.node
        return replace(self.node, children=children)


def as_group(node: Tool) -> Tool:
    """A node as a group that cannot be called itself: with its options, and without its arguments."""
    inputs, bindings = options_of(node)
    return replace(node, inputs=inputs, bindings=bindings)


def as_truncated(group: Tool) -> Tool:
    """A group whose commands are cut off: it keeps its description and its effects, and has no parameters."""
    return replace(group, children=None, inputs=None, bindings=None, truncated=True)


def all_parameters(tool: Tool) -> Parameters:
    """The parameters of a tool and the options of its program. Of two with one name the tool's is taken."""
    return join_parameters(Parameters(tool.inputs, tool.bindings), Parameters(tool.global_inputs, tool.global_bindings))


def join_parameters(own: Parameters, shared: Parameters) -> Parameters:
    """The parameters of both. Of two with one name that of `own` is taken.

    Conditions on several shared parameters are kept; `unsaid_keywords` names those that no joint schema can say.

    >>> text, number = {"type": "string"}, {"type": "integer"}
    >>> own, shared = Parameters({"properties": {"a": text}}), Parameters({"properties": {"a": number, "b": number}})
    >>> join_parameters(own, shared).inputs
    {'type': 'object', 'properties': {'a': {'type': 'string'}, 'b': {'type': 'integer'}}}
    """
    if shared.inputs is None:
        return own
    if own.inputs is None:
        return shared
    own_definitions = own.inputs.get("$defs") or {}
    other = _with_other_definitions(shared.inputs, own_definitions)
    own_names = parameter_names(own.inputs)
    keys = [key for key in parameter_names(other) if key not in own_names]
    inputs: JsonSchema = {"type": "object", **own.inputs}
    inputs["properties"] = {**(own.inputs.get("properties") or {}), **pick_entries(other.get("properties") or {}, keys)}
    required = list(own.inputs.get("required") or ())
    required += [key for key in other.get("required") or () if key in keys]
    if required:
        inputs["required"] = required
    if "$defs" in other:
        inputs["$defs"] = {**other["$defs"], **own_definitions}
    conditions = _conditions_in(other, keys)
    if conditions:
        inputs["allOf"] = [*(own.inputs.get("allOf") or ()), conditions]
    bindings = {**(own.bindings or {}), **pick_entries(shared.bindings or {}, keys)}
    return Parameters(inputs, bindings or None)


def unsaid_keywords(shared: JsonSchema, own: JsonSchema) -> JsonSchema:
    """The conditions on several shared parameters that a joint schema with `own` cannot say.

    >>> unsaid_keywords({"properties": {"a": {}}, "not": {"required": ["b"]}, "maxProperties": 1}, {})
    {'not': {'required': ['b']}, 'maxProperties': 1}
    """
    own_names = parameter_names(own)
    said = _conditions_in(shared, [key for key in parameter_names(shared) if key not in own_names])
    return {key: value for key, value in shared.items() if key not in _JOINED and key not in said}


def _conditions_in(shared: JsonSchema, names: Collection[str]) -> JsonSchema:
    """The conditions of a schema on several of its parameters; empty where they are about parameters beyond `names`."""
    conditions = pick_entries(shared, _CONDITIONS)
    return conditions if _is_about(names, conditions) else {}


def _is_about(names: Collection[str], schema: Any) -> bool:
    """Whether a schema of an object is about properties of these names alone."""
    if not isinstance(schema, dict):
        return isinstance(schema, bool)
    for keyword, value in schema.items():
        if keyword in ("allOf", "anyOf", "oneOf"):
            is_about = isinstance(value, list) and all(_is_about(names, branch) for branch in value)
        elif keyword in ("not", "if", "then", "else"):
            is_about = _is_about(names, value)
        elif keyword == "dependentSchemas":
            is_about = _are_among(value, names) and all(_is_about(names, branch) for branch in value.values())
        elif keyword == "dependentRequired":
            is_about = _are_among(value, names) and all(_are_among(others, names) for others in value.values())
        elif keyword in ("properties", "required"):
            is_about = _are_among(value, names)
        else:
            is_about = keyword in ("type", "title", "description")
        if not is_about:
            return False
    return True


def _are_among(keys: Any, names: Collection[str]) -> bool:
    return isinstance(keys, dict | list) and all(key in names for key in keys)


def _with_other_definitions(schema: JsonSchema, other_definitions: JsonSchema) -> JsonSchema:
    """The schema with new names for its definitions, where another schema defines one of the names otherwise.

    All common names are replaced: a definition that is equal in both may refer to one that is not.
    """
    definitions = schema.get("$defs") or {}
    common_names = [name for name in definitions if name in other_definitions]
    # Compared as texts, because 1 equals true in Python, and not in JSON.
    if all(repr(definitions[name]) == repr(other_definitions[name]) for name in common_names):
        return schema
    taken = {*definitions, *other_definitions}
    new_names: dict[str, str] = {}
    numbers = Counter[str]()
    for name in common_names:
        new_names[name] = free_name(f"{name}.shared", taken, numbers)
        taken.add(new_names[name])
    rest = {key: value for key, value in schema.items() if key != "$defs"}
    new_definitions = {new_names.get(name, name): _refer(value, new_names) for name, value in definitions.items()}
    return {**_refer(rest, new_names), "$defs": new_definitions}


def free_name(name: str, taken: Container[str], numbers: Counter[str]) -> str:
    """A name that is free: the given one, or with the next number from 2 on.

    Args:
        numbers: name -> how many numbers were tried. Without it, the thousandth of a name would try a thousand.

    >>> free_name("a", ["a", "a_2"], Counter())
    'a_3'
    """
    free = name
    while free in taken:
        numbers[name] += 1
        free = f"{name}_{numbers[name] + 1}"
    return free


def _refer(value: Any, new_names: Mapping[str, str]) -> Any:
    """A part of a schema whose references use the new names of definitions."""
    if isinstance(value, list):
        return [_refer(item, new_names) for item in value]
    if not isinstance(value, dict):
        return value
    node = {key: _refer(item, new_names) for key, item in value.items()}
    reference = value.get("$ref")
    if isinstance(reference, str) and reference.startswith(_DEFINITIONS):
        from urllib.parse import quote, unquote  # 3 ms that only a clash of definitions pays

        token, slash, inside = reference.removeprefix(_DEFINITIONS).partition("/")
        name = unquote(token).replace("~1", "/").replace("~0", "~")
        if name in new_names:
            new_token = quote(new_names[name].replace("~", "~0").replace("/", "~1"))
            node["$ref"] = f"{_DEFINITIONS}{new_token}{slash}{inside}"
    return node


def without_hidden_options(inputs: Any, tool: Tool) -> Any:
    """The parameters of a tool without optional ones that the help of the program hides."""
    hidden = {key for key, binding in (tool.bindings or {}).items() if binding.hidden}
    if not hidden or hidden.isdisjoint(parameter_names(inputs)):  # nearly always
        return inputs
    properties, required = inputs["properties"], inputs.get("required")
    if isinstance(required, list):
        hidden.difference_update(name for name in required if isinstance(name, str))
    return {**inputs, "properties": pick_entries(properties, properties.keys() - hidden)}


def with_hidden_options(leaf: Leaf) -> Leaf:
    """The command with the options that the help of the program hides, shown like any other."""
    bindings = leaf.tool.bindings or {}
    if not any(binding.hidden for binding in bindings.values()):
        return leaf
    shown = {key: replace(binding, hidden=None) for key, binding in bindings.items()}
    return replace(leaf, tool=replace(leaf.tool, bindings=shown))
