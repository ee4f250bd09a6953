"""The hub: one record that holds everything that a tool description of any format says.

A `Tool` is a tree. A leaf can be called; an inner node groups other nodes, and is callable too when it takes
arguments of its own. Every fact is optional and `None` means that the source does not say: a format's own
default is not a statement. Records are immutable, do no I/O and import nothing else of toolglot.

`to_json` and `from_json` are the hub's JSON form, described by `schemas/hub/1.schema.json`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

JsonSchema = dict[str, Any]
SCHEMAS = ("inputs", "outputs", "context", "global_inputs")  # fields of a tool that hold one


class _Record(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    forbid_unknown_fields=True,
    kw_only=True,
):
    """Immutable; equal by value; a field left at its default is absent from the JSON form."""


class Binding(_Record, frozen=True, kw_only=True):
    """How one parameter is given on a command line; the JSON Schema beside it says what its value may be."""

    kind: str | None = None  # "argument" (positional) or "option" (flag)
    name: str | None = None  # the source's name, where the property key had to differ to stay unique
    flags: tuple[str, ...] | None = None
    required: bool | None = None  # as stated; None leaves the kind's default
    variadic: bool | None = None
    env: str | None = None
    excludes: tuple[str, ...] | None = None
    stand_in: str | None = None  # what stands in the place of a description that nobody gave
    spelling: dict[str, Any] | None = None  # the source's own entry, where this record would be written differently


class ErrorCode(_Record, frozen=True, kw_only=True):
    """One failure that a caller can meet, and what to do about it."""

    code: str
    description: str | None = None
    action: str | None = None
    extensions: dict[str, Any] | None = None


class Example(_Record, frozen=True, kw_only=True):
    """One use of the tool: a command line, or an input with what came of it."""

    title: str | None = None
    command: str | None = None
    input: Any | UnsetType = UNSET  # UNSET, not None: null is a value that an example can have
    output: Any | UnsetType = UNSET
    note: str | None = None
    extensions: dict[str, Any] | None = None


class AuthMethod(_Record, frozen=True, kw_only=True):
    """One way of signing in. Values of credentials are never held, only where they come from."""

    type: str
    env: str | None = None
    config_path: str | None = None
    description: str | None = None
    setup: str | None = None
    scopes: tuple[str, ...] | None = None
    extensions: dict[str, Any] | None = None


class Tool(_Record, frozen=True, kw_only=True):
    """A tool, or a group of tools. See the comments for the meaning and unit of each field.

    >>> Tool(id="ls", reads_files=True).reads_files
    True
    >>> Tool(id="ls").destructive is None
    True
    """

    # identity
    id: str
    namespace: str | None = None  # whose id it is: the server, package or container that holds the tool
    origin: str | None = None  # name of the format it was read from
    title: str | None = None
    version: str | None = None
    summary: str | None = None  # one line
    description: str | None = None  # without the safety flags that its text may end with: those are `flags`
    when_to_use: str | None = None
    guidance: str | None = None  # Markdown: how and when to call it, and when not, at length
    localizations: dict[str, dict[str, Any]] | None = None  # language tag -> description, when_to_use
    tags: tuple[str, ...] | None = None
    category: str | None = None
    author: str | None = None
    license: str | None = None  # SPDX
    created: str | None = None
    updated: str | None = None
    homepage: str | None = None
    deprecated: bool | None = None
    hidden: bool | None = None

    # what goes in and comes out
    inputs: JsonSchema | None = None  # 2020-12; None: not described, which is not the same as no parameters
    bindings: dict[str, Binding] | None = None  # property key -> command line
    global_inputs: JsonSchema | None = None  # options that every callable node below accepts
    global_bindings: dict[str, Binding] | None = None
    context: JsonSchema | None = None  # what the host injects; never shown to a model
    outputs: JsonSchema | None = None
    success: str | None = None  # prose
    errors: tuple[ErrorCode, ...] | None = None
    examples: tuple[Example, ...] | None = None

    # effects
    reads_files: bool | None = None
    writes_files: bool | None = None
    deletes_files: bool | None = None
    paths: tuple[str, ...] | None = None
    network: bool | None = None
    hosts: tuple[str, ...] | None = None  # hosts that it may reach; "*" is any
    egress: str | None = None  # none, safe-fetch, host-mediated, host-owned
    subprocess: bool | None = None
    creates: tuple[str, ...] | None = None  # kinds of resource
    modifies: tuple[str, ...] | None = None
    deletes: tuple[str, ...] | None = None
    mutates: tuple[str, ...] | None = None  # class:scope
    destructive: bool | None = None
    reversible: bool | None = None
    idempotent: bool | None = None
    replay: str | None = None  # deterministic, idempotent, non-deterministic
    stdin: str | None = None  # none, optional, required, password
    prompts: bool | None = None
    tty: bool | None = None

    # how much care it needs
    safety_tier: str | None = None  # pure, read, write, exec
    risk_level: int | None = None  # 0 read-only to 3 irreversible
    approval: str | None = None  # never, auto, conditional, on-mutate, always, policy:<name>
    billable: bool | None = None
    cost_estimate: str | None = None  # free, low, medium, high
    cost_class: str | None = None  # trivial, metered, expensive
    cost_hint: str | None = None  # low, medium, high
    duration: str | None = None  # typical, for example 2-10s
    latency_hint: str | None = None  # low, medium, high
    timeout_ms: int | None = None
    retry: dict[str, Any] | None = None

    # who may call it, and what it needs
    auth_required: bool | None = None
    auth_methods: tuple[AuthMethod, ...] | None = None
    auth_check: str | None = None  # command that tells whether one is signed in
    scopes: tuple[str, ...] | None = None
    secrets: tuple[str, ...] | None = None  # names of secrets
    calls: tuple[str, ...] | None = None  # ids of tools that it calls itself
    required_tools: tuple[str, ...] | None = None  # what has to be there before
    conditions: tuple[str, ...] | None = None
    permissions: tuple[str, ...] | None = None
    feedback: dict[str, Any] | None = None

    # where it runs and where it comes from
    source: str | None = None  # what stands behind it, such as node-pack or host-extension
    driver_constraints: dict[str, Any] | None = None
    default_implementation: str | None = None
    implements: str | dict[str, Any] | None = None
    inherits: Tool | None = (
        None  # what that action and the drivers say; the facts of this tool are the stricter of both
    )
    own: Tool | None = None  # what the document itself says of the facts that it inherits too
    patterns: tuple[dict[str, Any], ...] | None = None
    trust: dict[str, Any] | None = None
    binary: dict[str, Any] | None = None
    discovery: dict[str, Any] | None = None  # what a partial document leaves out

    flags: tuple[str, ...] | None = None  # warnings that the description ends with; see safety.FLAGS
    unclear: tuple[str, ...] | None = None  # safety fields that the source states in a way that nobody can read
    body: str | None = None  # Markdown, where it says more than the fields do
    extensions: dict[str, dict[str, Any]] | None = None  # format name -> what the hub does not model
    children: tuple[Tool, ...] | None = None

    @property
    def callable(self) -> bool:
        """Whether the node can be called: a leaf, or a group that says how it is called by itself.

        A group whose parameters are all options says nothing about that: they belong to the commands below it.
        """
        return not self.children or (self.inputs is not None and not only_options(self))

    @property
    def major(self) -> str | None:
        """The first number of its version, by which two contracts of one id are two tools.

        >>> Tool(id="a", version="2.1.0").major, Tool(id="a", version="latest").major
        ('2', None)
        """
        found = _MAJOR.match(self.version or "")
        return str(int(found[0])) if found else None

    def leaves(self) -> Iterator[Leaf]:
        """The callable nodes, in order, each with its path and with what it inherits.

        What a leaf takes from the root and the groups above it is a rule about safety: see
        `toolglot.safety.inheritance`.

        >>> program = Tool(id="gh", version="2", destructive=False, network=True, children=(Tool(id="list"),))
        >>> [(leaf.path, leaf.tool.version, leaf.tool.network, leaf.tool.destructive) for leaf in program.leaves()]
        [(('gh', 'list'), '2', True, None)]
        """
        if not self.children:  # as all but programs are
            return iter((Leaf((self.id,), "", self, ()),))
        from toolglot.safety.inheritance import inherited_leaves  # safety knows the hub, so it is imported late

        return inherited_leaves(self)


class Leaf(NamedTuple):
    """A callable node of a tree: its path of ids, its JSON Pointer, itself with what it inherits, its ancestors.

    `commands` are the names of the commands below it, because `tool` no longer has its children.
    """

    path: tuple[str, ...]
    pointer: str
    tool: Tool
    ancestors: tuple[Tool, ...]
    commands: tuple[str, ...] = ()


def commands_below(program: Tool, path: Iterable[str] = ()) -> tuple[str, ...]:
    """The names that a program takes for a further command after the words of `path`.

    A node without a name adds no word, so that what is below it stands for what is below its parent.

    >>> commands_below(Tool(id="p", children=(Tool(id="", children=(Tool(id="a"),)), Tool(id="b"))))
    ('b', 'a')
    """
    if not program.children:
        return ()
    nodes = _with_unnamed([program])
    for word in filter(None, path):
        nodes = _with_unnamed([child for node in nodes for child in node.children or () if child.id == word])
    return tuple(child.id for node in nodes for child in node.children or () if child.id)


def _with_unnamed(nodes: list[Tool]) -> list[Tool]:
    for node in nodes:  # grows on the way
        nodes += [child for child in node.children or () if not child.id]
    return nodes


_MAJOR = re.compile(r"[0-9]{1,9}(?=\.|\Z)", re.ASCII)
_DURATION = re.compile(r"(?:[0-9]{1,6}-)?([0-9]{1,6})([smh])\Z", re.ASCII)
_UNIT_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000}


def longest_ms(duration: str) -> int:
    """The upper end of a duration such as `10-30s` in milliseconds; 0 for what is none.

    >>> longest_ms("10-30s"), longest_ms("a while")
    (30000, 0)
    """
    found = _DURATION.match(duration)
    return int(found[1]) * _UNIT_MS[found[2]] if found else 0


def without_spelling(tool: Tool) -> Tool:
    """The tree without the source's own spelling of parameters, so that a writer spells them itself."""

    def plain(bindings: dict[str, Binding] | None) -> dict[str, Binding] | None:
        return {key: msgspec.structs.replace(item, spelling=None) for key, item in (bindings or {}).items()} or bindings

    children = tuple(without_spelling(child) for child in tool.children) if tool.children else None
    return msgspec.structs.replace(
        tool, bindings=plain(tool.bindings), global_bindings=plain(tool.global_bindings), children=children
    )


def only_options(node: Tool) -> bool:
    """Whether a node has parameters, and all of them are options of a command line.

    >>> inputs = {"type": "object", "properties": {"repo": {"type": "string"}}}
    >>> only_options(Tool(id="issue", inputs=inputs, bindings={"repo": Binding(kind="option", flags=("-R",))}))
    True
    """
    keys = _keys(node.inputs)
    return bool(keys) and all(_is_option(node, key) for key in keys)


def options_of(node: Tool) -> Parameters:
    """The options of a group, which the commands below it take as well."""
    keys = [key for key in _keys(node.inputs) if _is_option(node, key)]
    if not keys or node.inputs is None or len(keys) == len(_keys(node.inputs)):
        return Parameters(node.inputs if keys else None, node.bindings if keys else None)
    inputs: JsonSchema = {"type": "object", "properties": _only(node.inputs["properties"], keys)}
    required = [key for key in node.inputs.get("required") or () if key in keys]
    if required:
        inputs["required"] = required
    if "$defs" in node.inputs:
        inputs["$defs"] = node.inputs["$defs"]
    return Parameters(inputs, {key: (node.bindings or {})[key] for key in keys})


def _is_option(node: Tool, key: str) -> bool:
    binding = (node.bindings or {}).get(key)
    return binding is not None and binding.kind == "option"


def _keys(inputs: JsonSchema | None) -> list[str]:
    properties = (inputs or {}).get("properties")
    return list(properties) if isinstance(properties, dict) else []


class Parameters(NamedTuple):
    """A schema of parameters, and how each is given on a command line."""

    inputs: JsonSchema | None = None
    bindings: dict[str, Binding] | None = None


def join_parameters(own: Parameters, shared: Parameters) -> Parameters:
    """The parameters of both; where both have one of a name, it is `own`'s.

    >>> text, number = {"type": "string"}, {"type": "integer"}
    >>> own, shared = Parameters({"properties": {"a": text}}), Parameters({"properties": {"a": number, "b": number}})
    >>> join_parameters(own, shared).inputs
    {'type': 'object', 'properties': {'a': {'type': 'string'}, 'b': {'type': 'integer'}}}
    """
    if shared.inputs is None:
        return own
    if own.inputs is None:
        return shared
    other = _with_other_definitions(shared.inputs, own.inputs.get("$defs") or {})
    keys = [key for key in _keys(other) if key not in _keys(own.inputs)]
    inputs: JsonSchema = {"type": "object", **own.inputs}
    inputs["properties"] = {**(own.inputs.get("properties") or {}), **_only(other.get("properties") or {}, keys)}
    required = [*(own.inputs.get("required") or ()), *(key for key in other.get("required") or () if key in keys)]
    if required:
        inputs["required"] = required
    if "$defs" in other:
        inputs["$defs"] = {**other["$defs"], **(own.inputs.get("$defs") or {})}
    bindings = {**(own.bindings or {}), **_only(shared.bindings or {}, keys)}
    return Parameters(inputs, bindings or None)


def _only(mapping: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key in keys}


def _with_other_definitions(schema: JsonSchema, taken: JsonSchema) -> JsonSchema:
    """The schema, with definitions that another one defines differently under other names."""
    known = schema.get("$defs") or {}
    names = {name: f"{name}.shared" for name, value in known.items() if name in taken and taken[name] != value}
    if not names:
        return schema
    references = {f"#/$defs/{old}": f"#/$defs/{new}" for old, new in names.items()}

    def refer(value: Any) -> Any:
        if isinstance(value, list):
            return [refer(item) for item in value]
        if not isinstance(value, dict):
            return value
        node = {key: refer(item) for key, item in value.items()}
        if isinstance(value.get("$ref"), str):
            node["$ref"] = references.get(value["$ref"], value["$ref"])
        return node

    rest = {key: value for key, value in schema.items() if key != "$defs"}
    moved = {names.get(name, name): refer(value) for name, value in known.items()}
    return {**refer(rest), "$defs": moved}


def prune(tool: Tool, leaf: Leaf) -> Tool:
    """The tree cut down to one leaf: the leaf without its children, and of its ancestors' parameters the options.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete")))
    >>> prune(gh, list(gh.leaves())[1])
    Tool(id='gh', children=(Tool(id='delete'),))
    """
    indexes = [int(part) for part in leaf.pointer.split("/") if part.isdigit()]

    def cut(node: Tool, rest: list[int]) -> Tool:
        if not rest:
            return msgspec.structs.replace(node, children=None) if node.children else node
        child = cut((node.children or ())[rest[0]], rest[1:])
        return msgspec.structs.replace(as_group(node), children=(child,))

    return cut(tool, indexes)


def as_group(node: Tool) -> Tool:
    """A node without what says how it is called by itself."""
    inputs, bindings = options_of(node)
    return msgspec.structs.replace(node, inputs=inputs, bindings=bindings)


def _is_called(node: Tool) -> bool:
    """Whether a node says how it is called by itself, whatever commands it may get."""
    return node.inputs is not None and not only_options(node)


def merge(tools: Iterable[Tool]) -> list[Tool]:
    """Put trees that were cut by `prune` together again; tools that share no root stay as they are.

    Nodes are one only if they say the same, so that no leaf loses what its own ancestors say.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete")))
    >>> merge([prune(gh, leaf) for leaf in gh.leaves()]) == [gh]
    True
    """
    forest = _Branch(Tool(id=""))
    for tool in tools:
        forest.graft(tool)
    return list(forest.grown().children or ())


class _Branch:
    """A node under construction, its children found by their id."""

    def __init__(self, node: Tool) -> None:
        self.node = msgspec.structs.replace(node, children=None) if node.children else node
        self.children: dict[str, list[_Branch]] = {}

    def graft(self, tool: Tool) -> None:
        same = self.children.setdefault(tool.id, [])
        branch = next((branch for branch in same if branch.matches(tool)), None)
        if branch is None:
            branch = _Branch(tool)
            same.append(branch)
        elif _is_called(tool):
            branch.node = msgspec.structs.replace(tool, children=None)
        for child in tool.children or ():
            branch.graft(child)

    def matches(self, tool: Tool) -> bool:
        called = _is_called(tool), _is_called(self.node)
        for leaf, is_called in zip((not tool.children, not self.children), called, strict=True):
            if leaf and not is_called:
                return False  # it would no longer be callable once it had children
        if not (tool.children or self.children):
            return False  # two leaves are two tools, however alike
        alone = msgspec.structs.replace(tool, children=None)
        return alone == self.node if all(called) else as_group(alone) == as_group(self.node)

    def grown(self) -> Tool:
        children = tuple(branch.grown() for same in self.children.values() for branch in same)
        return msgspec.structs.replace(self.node, children=children) if children else self.node


def to_json(record: Any) -> Any:
    """A record as plain JSON data; absent facts are absent keys.

    >>> to_json(Tool(id="ls", tags=("files",), destructive=False))
    {'id': 'ls', 'tags': ['files'], 'destructive': False}
    """
    return _lists(msgspec.to_builtins(record))


def _lists(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _lists(value) for key, value in data.items()}
    return [_lists(item) for item in data] if isinstance(data, list | tuple) else data


def from_json(data: Any) -> Tool:
    """The tool that `to_json` made `data` from.

    Raises:
        msgspec.ValidationError: `data` is not a hub tool.

    >>> from_json({"id": "ls", "tags": ["files"]})
    Tool(id='ls', tags=('files',))
    """
    return msgspec.convert(data, Tool)
