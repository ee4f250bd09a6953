"""The hub: one record that holds everything that a tool description of any format says.

A `Tool` is a tree. A leaf can be called; an inner node groups other nodes, and is callable too when it takes
arguments of its own. Every fact is optional and `None` means that the source does not say: a format's own
default is not a statement. Records are immutable, do no I/O and import nothing else of toolglot.

`to_json` and `from_json` are the hub's JSON form, described by `schemas/hub/1.schema.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

JsonSchema = dict[str, Any]


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
    """How one parameter is given on a command line; the JSON Schema beside it says what its value may be.

    `spelling` keeps the source's own entry where this record would be written differently.
    """

    kind: str | None = None  # "argument" (positional) or "option" (flag)
    name: str | None = None  # the source's name, where the property key had to differ to stay unique
    flags: tuple[str, ...] | None = None
    required: bool | None = None  # as stated; None leaves the kind's default
    variadic: bool | None = None
    env: str | None = None
    excludes: tuple[str, ...] | None = None
    spelling: dict[str, Any] | None = None


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
    origin: str | None = None  # name of the format it was read from
    title: str | None = None
    version: str | None = None
    summary: str | None = None  # one line
    description: str | None = None  # without the safety flags that its text may end with: those are `flags`
    when_to_use: str | None = None
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
    source: str | None = None  # node-pack, workflow, mcp, connector, host-extension
    driver_constraints: dict[str, Any] | None = None
    default_implementation: str | None = None
    implements: str | dict[str, Any] | None = None
    patterns: tuple[dict[str, Any], ...] | None = None
    trust: dict[str, Any] | None = None
    binary: dict[str, Any] | None = None
    discovery: dict[str, Any] | None = None  # what a partial document leaves out

    flags: tuple[str, ...] | None = None  # warnings that the description's text states; see safety.FLAGS
    body: str | None = None  # Markdown, where it says more than the fields do
    extensions: dict[str, dict[str, Any]] | None = None  # format name -> what the hub does not model
    children: tuple[Tool, ...] | None = None

    @property
    def callable(self) -> bool:
        """Whether the node can be called: a leaf, or a group that takes arguments of its own."""
        return not self.children or self.inputs is not None

    def leaves(self) -> Iterator[Leaf]:
        """The callable nodes, in order, each with its path and with what it inherits.

        From the root and the groups above it a leaf takes what holds for the whole program (`_INHERITED`) and
        the unsafe effects, never the safe ones. Unsafe effects of the root always hold; those of a group only
        where the leaf says nothing, because a group's effects are the union over its commands: to impose them
        would mark listing commands as destructive. Source: `specs.md` 1.7 row 15.

        >>> program = Tool(id="gh", version="2", destructive=False, network=True, children=(Tool(id="list"),))
        >>> [(leaf.path, leaf.tool.version, leaf.tool.network, leaf.tool.destructive) for leaf in program.leaves()]
        [(('gh', 'list'), '2', True, None)]
        """
        yield from _leaves(self, (), "", ())


class Leaf(NamedTuple):
    """A callable node of a tree: its path of ids, its JSON Pointer, itself with what it inherits, its ancestors."""

    path: tuple[str, ...]
    pointer: str
    tool: Tool
    ancestors: tuple[Tool, ...]


_INHERITED = (
    "origin", "version", "author", "license", "homepage", "trust", "binary", "discovery", "auth_required",
    "auth_methods", "auth_check", "global_inputs", "global_bindings", "source", "updated", "created",
)  # fmt: skip

# The value of each effect that makes a tool more dangerous; lists are unsafe when they are not empty.
_UNSAFE: dict[str, Any] = {
    "writes_files": True, "deletes_files": True, "network": True, "subprocess": True, "destructive": True,
    "reversible": False, "idempotent": False, "billable": True, "prompts": True, "tty": True,
}  # fmt: skip
_UNSAFE_LISTS = ("paths", "creates", "modifies", "deletes", "flags")
_UNSAFE_WORDS = {"stdin": ("required", "password"), "cost_estimate": ("medium", "high")}


def _leaves(tool: Tool, path: tuple[str, ...], pointer: str, ancestors: tuple[Tool, ...]) -> Iterator[Leaf]:
    path = (*path, tool.id)
    if tool.callable:
        resolved = _resolve(tool, ancestors) if ancestors else tool
        if resolved.children:
            resolved = msgspec.structs.replace(resolved, children=None)
        yield Leaf(path, pointer, resolved, ancestors)
    for index, child in enumerate(tool.children or ()):
        yield from _leaves(child, path, f"{pointer}/children/{index}", (*ancestors, tool))


def _resolve(tool: Tool, ancestors: tuple[Tool, ...]) -> Tool:
    root, groups = ancestors[0], ancestors[1:]
    taken: dict[str, Any] = {}
    for node in reversed(ancestors):
        for name in _INHERITED:
            if name not in taken and getattr(tool, name) is None and getattr(node, name) is not None:
                taken[name] = getattr(node, name)
    for group in groups:
        taken.update(_unsafe_effects(group, lambda name, _: getattr(tool, name) is None))
    for name, value in _unsafe_effects(root, lambda name, value: getattr(tool, name) != value).items():
        own = getattr(tool, name)
        if isinstance(value, tuple) and own:
            value = own + tuple(item for item in value if item not in own)
        elif name in _UNSAFE_WORDS and own in _UNSAFE_WORDS[name]:
            continue
        taken[name] = value
    if tool.id == "" and len(ancestors) == 1:  # the bare executable is the program itself
        for name in Tool.__struct_fields__:
            if name in _PROGRAM_ONLY or name in taken or name in _UNSAFE_FIELDS:
                continue
            if getattr(tool, name) is None and getattr(root, name) is not None:
                taken[name] = getattr(root, name)
        if tool.summary is None and root.description is not None:
            taken["summary"] = root.description
    return msgspec.structs.replace(tool, **taken)


_UNSAFE_FIELDS = frozenset((*_UNSAFE, *_UNSAFE_LISTS, *_UNSAFE_WORDS, "reads_files"))
_PROGRAM_ONLY = frozenset({"id", "children", "description", "extensions", "inputs", "bindings", "summary"})


def _unsafe_effects(node: Tool, wanted: Callable[[str, Any], bool]) -> dict[str, Any]:
    facts = {name: unsafe for name, unsafe in _UNSAFE.items() if getattr(node, name) is unsafe}
    lists = {name: value for name in _UNSAFE_LISTS if (value := getattr(node, name))}
    words = {name: value for name, unsafe in _UNSAFE_WORDS.items() if (value := getattr(node, name)) in unsafe}
    return {name: value for name, value in {**facts, **lists, **words}.items() if wanted(name, value)}


def without_spelling(tool: Tool) -> Tool:
    """The tree without the source's own spelling of parameters, so that a writer spells them itself."""

    def plain(bindings: dict[str, Binding] | None) -> dict[str, Binding] | None:
        return {key: msgspec.structs.replace(item, spelling=None) for key, item in (bindings or {}).items()} or bindings

    children = tuple(without_spelling(child) for child in tool.children) if tool.children else None
    return msgspec.structs.replace(
        tool, bindings=plain(tool.bindings), global_bindings=plain(tool.global_bindings), children=children
    )


def prune(tool: Tool, leaf: Leaf) -> Tool:
    """The tree cut down to one leaf: the leaf without its children, and its ancestors without their parameters.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete")))
    >>> prune(gh, list(gh.leaves())[1])
    Tool(id='gh', children=(Tool(id='delete'),))
    """
    indexes = [int(part) for part in leaf.pointer.split("/") if part.isdigit()]

    def cut(node: Tool, rest: list[int]) -> Tool:
        if not rest:
            return msgspec.structs.replace(node, children=None) if node.children else node
        child = cut((node.children or ())[rest[0]], rest[1:])
        return msgspec.structs.replace(node, children=(child,), inputs=None, bindings=None)

    return cut(tool, indexes)


def merge(tools: list[Tool]) -> list[Tool]:
    """Put trees that were cut by `prune` together again; tools that share no root stay as they are.

    >>> gh = Tool(id="gh", children=(Tool(id="list"), Tool(id="delete")))
    >>> merge([prune(gh, leaf) for leaf in gh.leaves()]) == [gh]
    True
    """
    merged: list[Tool] = []
    for tool in tools:
        for index, other in enumerate(merged):
            if (tool.children or other.children) and _same_node(tool, other):
                whole = other if other.inputs is not None else tool
                children = merge([*(other.children or ()), *(tool.children or ())])
                merged[index] = msgspec.structs.replace(whole, children=tuple(children))
                break
        else:
            merged.append(tool)
    return merged


def _same_node(one: Tool, other: Tool) -> bool:
    if one.id != other.id:
        return False
    ignored: dict[str, Any] = {"children": None}
    if one.inputs is None or other.inputs is None:
        ignored.update(inputs=None, bindings=None)
    return msgspec.structs.replace(one, **ignored) == msgspec.structs.replace(other, **ignored)


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
