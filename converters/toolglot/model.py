"""The hub: one record that holds everything that a tool description of any format says.

A `Tool` is a tree. A leaf can be called; an inner node groups other nodes, and is callable too when it takes
arguments of its own. Every fact is optional and `None` means that the source does not say: a format's own
default is not a statement. Records are immutable, do no I/O and import nothing else of toolglot.

`to_json` and `from_json` are the hub's JSON form, described by `schemas/hub/1.schema.json`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

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
        if self.children:
            yield from _leaves(self, (), "", ())
        else:  # what all but programs are
            yield Leaf((self.id,), "", self, ())


class Leaf(NamedTuple):
    """A callable node of a tree: its path of ids, its JSON Pointer, itself with what it inherits, its ancestors.

    `commands` are the names of the commands below it, because `tool` no longer has its children.
    """

    path: tuple[str, ...]
    pointer: str
    tool: Tool
    ancestors: tuple[Tool, ...]
    commands: tuple[str, ...] = ()


_INHERITED = (
    "origin", "version", "author", "license", "homepage", "trust", "binary", "discovery", "auth_required",
    "auth_methods", "auth_check", "global_inputs", "global_bindings", "source", "updated", "created",
)  # fmt: skip

# What makes a tool more dangerous, and is therefore inherited: the unsafe value of a fact, every item of a list,
# and the words of a scale from the one that calls for care upward.
_UNSAFE: dict[str, Any] = {
    "writes_files": True, "deletes_files": True, "network": True, "subprocess": True, "destructive": True,
    "reversible": False, "idempotent": False, "billable": True, "prompts": True, "tty": True,
}  # fmt: skip
_UNSAFE_LISTS = ("paths", "creates", "modifies", "deletes", "mutates", "hosts", "secrets", "scopes", "flags")
_SCALES: dict[str, tuple[tuple[Any, ...], int]] = {
    "stdin": (("none", "optional", "required", "password"), 2),
    "cost_estimate": (("free", "low", "medium", "high"), 2),
    "cost_class": (("trivial", "metered", "expensive"), 1),
    "cost_hint": (("low", "medium", "high"), 1),
    "risk_level": ((0, 1, 2, 3), 1),
    "safety_tier": (("pure", "read", "write", "exec"), 2),
    "egress": (("none", "safe-fetch", "host-mediated", "host-owned"), 1),
    "approval": (("never", "auto", "conditional", "on-mutate", "always"), 2),
}
_UNSAFE_FIELDS = frozenset((*_UNSAFE, *_UNSAFE_LISTS, *_SCALES, "reads_files"))
_RAISED = tuple(sorted(_UNSAFE_FIELDS - {"reads_files"}))
_inherited_of, _raised_of = attrgetter(*_INHERITED), attrgetter(*_RAISED)
_PROGRAM_ONLY = frozenset({"id", "children", "description", "extensions", "inputs", "bindings", "summary"})


def _unsafe(name: str, value: Any) -> bool:
    if name in _UNSAFE:
        return value is _UNSAFE[name]
    if name in _UNSAFE_LISTS:
        return bool(value)
    scale, first = _SCALES[name]
    return value not in scale or scale.index(value) >= first  # a word that is not known may mean anything


def _worse(name: str, one: Any, other: Any) -> Any:
    """The more dangerous of two statements about one fact."""
    if one is None or other is None or name in _UNSAFE:
        return other if one is None or one is not _UNSAFE.get(name) else one
    if name in _UNSAFE_LISTS:
        return tuple(dict.fromkeys((*one, *other)))
    scale, _ = _SCALES[name]
    return max(one, other, key=lambda word: scale.index(word) if word in scale else len(scale) // 2)


def _leaves(tool: Tool, path: tuple[str, ...], pointer: str, ancestors: tuple[Tool, ...]) -> Iterator[Leaf]:
    path = (*path, tool.id)
    if tool.callable:
        resolved = _resolve(tool, ancestors) if ancestors else tool
        if resolved.children:
            resolved = msgspec.structs.replace(resolved, children=None)
        yield Leaf(path, pointer, resolved, ancestors, commands_below(tool))
    for index, child in enumerate(tool.children or ()):
        yield from _leaves(child, path, f"{pointer}/children/{index}", (*ancestors, tool))


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


def _resolve(tool: Tool, ancestors: tuple[Tool, ...]) -> Tool:
    root = ancestors[0]
    taken: dict[str, Any] = {}
    for node in reversed(ancestors):
        for name, value in zip(_INHERITED, _inherited_of(node), strict=True):
            if value is not None and name not in taken and getattr(tool, name) is None:
                taken[name] = value
    raised = [_raised_of(node) for node in ancestors]
    silent = all(values.count(None) == len(values) for values in raised)  # as programs are; the loop takes 5 us
    for name, own, *above in () if silent else zip(_RAISED, _raised_of(tool), *raised, strict=True):
        if above.count(None) == len(above):  # as a rule; the rest is most of the time of this function
            continue
        worst = own
        for value in above[1:] if own is None else ():
            worst = _worse(name, worst, value) if value is not None and _unsafe(name, value) else worst
        if above[0] is not None and _unsafe(name, above[0]):
            worst = _worse(name, worst, above[0])
        if worst != own:
            taken[name] = worst
    if tool.id == "" and len(ancestors) == 1:  # the bare executable is the program itself
        values = zip(Tool.__struct_fields__, astuple(tool), astuple(root), strict=True)
        for name in [name for name, own, above in values if above is not None and own is None]:
            if not (name in _PROGRAM_ONLY or name in taken or name in _UNSAFE_FIELDS):
                taken[name] = getattr(root, name)
        if tool.summary is None and root.description is not None:
            taken["summary"] = root.description
    return msgspec.structs.replace(tool, **taken)


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
        elif tool.inputs is not None:
            branch.node = msgspec.structs.replace(tool, children=None)
        for child in tool.children or ():
            branch.graft(child)

    def matches(self, tool: Tool) -> bool:
        for leaf, inputs in ((not tool.children, tool.inputs), (not self.children, self.node.inputs)):
            if leaf and inputs is None:
                return False  # it would no longer be callable once it had children
        if not (tool.children or self.children):
            return False  # two leaves are two tools, however alike
        ignored: dict[str, Any] = {"children": None}
        if tool.inputs is None or self.node.inputs is None:
            ignored.update(inputs=None, bindings=None)
        return msgspec.structs.replace(tool, **ignored) == msgspec.structs.replace(self.node, **ignored)

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
