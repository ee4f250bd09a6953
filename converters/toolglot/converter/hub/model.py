"""The hub: one record that holds everything that a tool description of any format says.

A `Tool` is a tree. A leaf can be called; an inner node groups other nodes, and is callable too when it takes
arguments of its own. Every fact is optional and `None` means that the source does not say: a format's own
default is not a statement. Records are immutable and do no I/O.

`to_json` and `from_json` are the hub's JSON form, described by `schemas/hub/1.schema.json`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import accumulate
from operator import is_not
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from toolglot.regexes import compile_later

JsonObject = dict[str, Any]
JsonSchema = JsonObject
Arguments = JsonObject  # of a call, by the names of the parameters
SCHEMAS = ("inputs", "outputs", "context", "global_inputs")  # fields of a tool that hold one
INVENTED = "x-invented"  # a key of `Tool.trust`, as is the next
NAMELESS = "x-nameless"  # nobody states what the program is called


class _HubRecord(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    repr_omit_defaults=True,
    forbid_unknown_fields=True,
    kw_only=True,
    gc=False,  # JSON makes no cycles; to look for some took a tenth of the time of a program of 160 commands to OpenAI
):
    """Immutable; equal by value; a field left at its default is absent from the JSON form."""


class Binding(_HubRecord, frozen=True, kw_only=True):
    """How one parameter is given on a command line; the JSON Schema beside it says what its value may be."""

    kind: str | None = None
    """"argument" for a positional one, "option" for a flag. Source: ATIP 0.6, argument and option."""
    name: str | None = None
    """The source's name, where the property key had to differ to stay unique. Source: ATIP 0.6, argument and option."""
    flags: tuple[str, ...] | None = None
    """The spellings of an option, such as -n and --name. Source: ATIP 0.6, option."""
    required: bool | None = None
    """Whether a value has to be given, as stated; None leaves the default of the kind.

    Source: ATIP 0.6, argument and option.
    """
    variadic: bool | None = None
    """Whether several values can be given. Source: ATIP 0.6, argument and option."""
    hidden: bool | None = None
    """Whether help leaves it out. Source: carapace, flags; oclif, flags; OpenCLI; usage, flags (`hide`)."""
    together: bool | None = None
    """Whether the values of a list stand behind one flag, as in `--size 3 4`, instead of a flag before each.

    Source: carapace, flags (`{2}`); OpenCLI, options (several arguments); usage, flags (`<w> <h>`, `<p>...`); the
    parser of a program.
    """
    env: str | None = None
    """Environment variable that can stand in for it. Source: ATIP 0.6, option (`envVar`)."""
    excludes: tuple[str, ...] | None = None
    """Names of the options that cannot be given beside it. Source: ATIP 0.1, option (`exclusive`)."""
    stand_in: str | None = None
    """What stands in the place of a description that nobody gave. Source: the reader."""
    spelling: dict[str, Any] | None = None
    """The source's own entry, where this record would be written differently. Source: the reader."""


class ErrorCode(_HubRecord, frozen=True, kw_only=True):
    """One failure that a caller can meet, and what to do about it."""

    code: str
    """Name of the failure. Source: ATDF 0.2, how_to_use; AIP-14, body."""
    description: str | None = None
    """When it happens. Source: ATDF 0.2, how_to_use; AIP-14, body."""
    action: str | None = None
    """What the caller can do about it. Source: AIP-14, body."""
    extensions: dict[str, Any] | None = None
    """Format name -> what the hub does not model. Source: every format."""


class Example(_HubRecord, frozen=True, kw_only=True):
    """One use of the tool: a command line, or an input with what came of it."""

    title: str | None = None
    """What it shows. Source: AIP-14, examples (`name`); ATDF 0.2, examples (`goal`)."""
    command: str | None = None
    """A command line. Source: ATIP 0.6, command."""
    input: Any | UnsetType = UNSET
    """The arguments; UNSET where there are none, because null is a value.

    Source: AIP-14, examples; ATDF 0.2, examples.
    """
    output: Any | UnsetType = UNSET
    """What came of it; UNSET where nothing says so. Source: AIP-14, examples; ATDF 0.2, examples."""
    note: str | None = None
    """A remark. Source: AIP-14, examples."""
    extensions: dict[str, Any] | None = None
    """Format name -> what the hub does not model. Source: every format."""


class AuthMethod(_HubRecord, frozen=True, kw_only=True):
    """One way of signing in. Values of credentials are never held, only where they come from."""

    type: str
    """token, oauth, api-key, password or certificate. Source: ATIP 0.6, authentication."""
    env: str | None = None
    """Environment variable that holds the credential. Source: ATIP 0.6, authentication (`envVar`)."""
    config_path: str | None = None
    """File that holds the credential. Source: ATIP 0.6, authentication."""
    description: str | None = None
    """How it is done, in words. Source: ATIP 0.6, authentication."""
    setup: str | None = None
    """Command that sets it up; data, never run by toolglot. Source: ATIP 0.6, authentication."""
    scopes: tuple[str, ...] | None = None
    """Scopes that the credential needs. Source: ATIP 0.6, authentication."""
    extensions: dict[str, Any] | None = None
    """Format name -> what the hub does not model. Source: every format."""


class Tool(_HubRecord, frozen=True, kw_only=True):
    """A tool, or a group of tools. `docs/reference/hub.md` shows every field.

    >>> Tool(id="ls", reads_files=True).reads_files
    True
    >>> Tool(id="ls").destructive is None
    True
    """

    # identity
    id: str
    """Identifier of the tool, or the name of a command inside its program; empty is the bare executable.

    Source: ATIP 0.6, root object; AIP-14, frontmatter; ATDF 0.2, root; RFC 0078, fields; MCP, Tool.
    """
    namespace: str | None = None
    """Whose id it is: the server, package or container that holds the tool. Source: the document around the record."""
    origin: str | None = None
    """Name of the format that it was read from. Source: the reader."""
    title: str | None = None
    """Name for people. Source: AIP-14, frontmatter (`name`); MCP, Tool; RFC 0078, fields; ATIP 0.1, root object."""
    version: str | None = None
    """Version of the tool or of its contract, as the source writes it.

    Source: AIP-14, frontmatter; ATIP 0.6, root object; ATDF 0.2, metadata.
    """
    summary: str | None = None
    """What it does, in one line. Source: ATIP 0.6, root object (`description`)."""
    description: str | None = None
    """What it does, without the warnings that its text may end with; those are `flags`. Source: every format."""
    when_to_use: str | None = None
    """When to use it, and when not. Source: ATDF 0.2, root."""
    guidance: str | None = None
    """How and when to call it, and when not, at length, as Markdown. Source: AIP-14, body (`## Description`)."""
    localizations: dict[str, dict[str, Any]] | None = None
    """Language tag -> description and when_to_use in that language. Source: ATDF 0.2, localization."""
    tags: tuple[str, ...] | None = None
    """Keywords. Source: AIP-14, frontmatter; ATDF 0.2, metadata."""
    category: str | None = None
    """Primary category. Source: ATDF 0.2, metadata."""
    author: str | None = None
    """Who wrote the description. Source: ATDF 0.2, metadata."""
    license: str | None = None
    """SPDX licence expression. Source: ATIP 0.1, root object."""
    created: str | None = None
    """When the description was written, as the source spells it. Source: ATDF 0.2, metadata."""
    updated: str | None = None
    """When the description was last changed, as the source spells it. Source: ATDF 0.2, metadata."""
    homepage: str | None = None
    """Address of the documentation. Source: ATIP 0.6, root object."""
    deprecated: bool | None = None
    """Whether it should no longer be used. Source: ATIP 0.1, command."""
    hidden: bool | None = None
    """Whether listings leave it out. Source: ATIP 0.1, command."""

    # what goes in and comes out
    inputs: JsonSchema | None = None
    """JSON Schema 2020-12 of the parameters; None is not described, which is not the same as no parameters.

    Source: every format; of ATIP 0.6 the arguments and options.
    """
    bindings: dict[str, Binding] | None = None
    """Property key -> how the parameter stands on a command line. Source: ATIP 0.6, argument and option."""
    global_inputs: JsonSchema | None = None
    """JSON Schema of the options that every callable node below accepts.

    Source: ATIP 0.6, root object (`globalOptions`).
    """
    global_bindings: dict[str, Binding] | None = None
    """Property key -> how the global option stands on a command line. Source: ATIP 0.6, option."""
    syntax: dict[str, Any] | None = None
    """What is unusual in how its command line is read, by the names that `bridge.command_line` reads.

    Source: the parser of a program.
    """
    context: JsonSchema | None = None
    """JSON Schema of what the host injects; never shown to a model. Source: AIP-14, contextSchema."""
    outputs: JsonSchema | None = None
    """JSON Schema of the result of a successful call. Source: AIP-14, frontmatter; MCP, Tool; RFC 0078, fields."""
    success: str | None = None
    """What success means, in prose. Source: ATDF 0.2, how_to_use."""
    errors: tuple[ErrorCode, ...] | None = None
    """Failures that a caller can meet. Source: ATDF 0.2, how_to_use; AIP-14, body (`## Errors`)."""
    examples: tuple[Example, ...] | None = None
    """Uses of the tool. Source: AIP-14, frontmatter; ATDF 0.2, examples; ATIP 0.6, command."""

    # effects
    reads_files: bool | None = None
    """Whether it reads files. Source: ATIP 0.6, effects (`filesystem`)."""
    writes_files: bool | None = None
    """Whether it creates or changes files. Source: ATIP 0.6, effects (`filesystem`)."""
    deletes_files: bool | None = None
    """Whether it deletes files. Source: ATIP 0.6, effects (`filesystem`)."""
    paths: tuple[str, ...] | None = None
    """Paths of files that it touches. Source: ATIP 0.6, effects (`filesystem`)."""
    network: bool | None = None
    """Whether it uses the network. Source: ATIP 0.6, effects."""
    hosts: tuple[str, ...] | None = None
    """Hosts that it may reach; "*" is any, the empty list none. Source: AIP-14, frontmatter (`requires`)."""
    egress: str | None = None
    """Who carries its network traffic: none, safe-fetch, host-mediated or host-owned. Source: RFC 0078, fields."""
    subprocess: bool | None = None
    """Whether it runs other programs. Source: ATIP 0.6, effects."""
    creates: tuple[str, ...] | None = None
    """Kinds of resource that it creates. Source: ATIP 0.6, effects."""
    modifies: tuple[str, ...] | None = None
    """Kinds of resource that it changes. Source: ATIP 0.6, effects."""
    deletes: tuple[str, ...] | None = None
    """Kinds of resource that it deletes. Source: ATIP 0.6, effects."""
    mutates: tuple[str, ...] | None = None
    """What it changes, each as class:scope; the empty list is a promise to change nothing.

    Source: AIP-14, frontmatter.
    """
    destructive: bool | None = None
    """Whether it destroys data for good. Source: ATIP 0.6, effects; MCP, ToolAnnotations."""
    reversible: bool | None = None
    """Whether its effect can be undone. Source: ATIP 0.6, effects."""
    idempotent: bool | None = None
    """Whether it is safe to repeat. Source: ATIP 0.6, effects; AIP-14, frontmatter; MCP, ToolAnnotations."""
    replay: str | None = None
    """What a replay of a recorded call gives: deterministic, idempotent or non-deterministic.

    Source: RFC 0078, fields.
    """
    stdin: str | None = None
    """What it wants from standard input: none, optional, required or password.

    Source: ATIP 0.6, effects (`interactive`).
    """
    prompts: bool | None = None
    """Whether it asks questions while it runs. Source: ATIP 0.6, effects (`interactive`)."""
    tty: bool | None = None
    """Whether it needs a terminal. Source: ATIP 0.6, effects (`interactive`)."""

    # how much care it needs
    safety_tier: str | None = None
    """Effect class: pure (no effect outside itself), read, write or exec (runs arbitrary commands).

    Source: RFC 0078, fields.
    """
    risk_level: int | None = None
    """0 reads only, 1 scoped writes, 2 effects outside, 3 cannot be undone. Source: AIP-14, frontmatter."""
    approval: str | None = None
    """When a person is asked: never, auto, conditional, on-mutate, always or policy:<name>.

    Source: AIP-14, frontmatter; RFC 0078, fields.
    """
    billable: bool | None = None
    """Whether a call can cost money. Source: ATIP 0.6, effects (`cost`)."""
    cost_estimate: str | None = None
    """What a call costs: free, low, medium or high. Source: ATIP 0.6, effects (`cost`)."""
    cost_class: str | None = None
    """How calls are accounted for: trivial, metered (against a quota) or expensive (worth a warning).

    Source: AIP-14, frontmatter.
    """
    cost_hint: str | None = None
    """A hint at what a call costs: low, medium or high. Source: RFC 0078, fields."""
    duration: str | None = None
    """How long a call usually takes, with its unit s, m or h, for example 2-10s.

    Source: ATIP 0.6, effects (`duration`).
    """
    latency_hint: str | None = None
    """A hint at how long a call takes: low, medium or high. Source: RFC 0078, fields."""
    timeout_ms: int | None = None
    """When to give up, in milliseconds. Source: AIP-14, frontmatter; ATIP 0.6, effects (`duration`, with a unit)."""
    retry: dict[str, Any] | None = None
    """How failed calls are repeated: max_attempts, backoff (fixed or exponential), initial_ms in milliseconds.

    Source: AIP-14, frontmatter.
    """

    # who may call it, and what it needs
    auth_required: bool | None = None
    """Whether a caller has to be signed in or a credential be present.

    Source: ATIP 0.6, authentication; RFC 0078, fields (`auth`).
    """
    auth_methods: tuple[AuthMethod, ...] | None = None
    """Ways of signing in. Source: ATIP 0.6, authentication."""
    auth_check: str | None = None
    """Command that tells whether one is signed in; data, never run by toolglot. Source: ATIP 0.6, authentication."""
    scopes: tuple[str, ...] | None = None
    """Scopes that the caller has to hold. Source: RFC 0078, fields (`auth`)."""
    secrets: tuple[str, ...] | None = None
    """Names of the secrets that it needs, never their values. Source: AIP-14, frontmatter (`requires`)."""
    calls: tuple[str, ...] | None = None
    """Ids of the tools that it calls itself. Source: AIP-14, frontmatter (`requires`)."""
    required_tools: tuple[str, ...] | None = None
    """What has to be at hand before it can be used. Source: ATDF 0.2, prerequisites."""
    conditions: tuple[str, ...] | None = None
    """What has to hold before it can be used. Source: ATDF 0.2, prerequisites."""
    permissions: tuple[str, ...] | None = None
    """What the caller has to be allowed to do. Source: ATDF 0.2, prerequisites."""
    feedback: dict[str, Any] | None = None
    """How it shows progress and completion. Source: ATDF 0.2, feedback."""

    # where it runs and where it comes from
    source: str | None = None
    """What stands behind it, such as a workflow or a connector. Source: RFC 0078, fields."""
    driver_constraints: dict[str, Any] | None = None
    """Kinds of driver that it refuses (`forbid`) or requires (`require_kind`). Source: AIP-14, frontmatter."""
    default_implementation: str | None = None
    """Id of the driver to use when nothing else decides. Source: AIP-14, frontmatter."""
    implements: str | dict[str, Any] | None = None
    """The action that it implements: its id, or a reference. Source: AIP-14, implements; AIP-39."""
    inherits: Tool | None = None
    """What that action and the drivers say; the facts of this tool are the stricter of both.

    Source: AIP-39, narrowing.
    """
    own: Tool | None = None
    """What the document itself says of the facts that it inherits too. Source: the reader."""
    patterns: tuple[dict[str, Any], ...] | None = None
    """Workflows made of several commands. Source: ATIP 0.6, patterns."""
    trust: dict[str, Any] | None = None
    """Where the description comes from and who vouches for it. Source: ATIP 0.6, trust."""
    binary: dict[str, Any] | None = None
    """The executable that the description belongs to: hash, name, version, platform. Source: ATIP 0.6, shims."""
    discovery: dict[str, Any] | None = None
    """What a partial description leaves out. Source: ATIP 0.6, partial discovery."""
    truncated: bool | None = None
    """Whether the commands below this node are left out, so that it groups others all the same.

    Source: ATIP 0.6, partial discovery.
    """

    # what else its document says
    flags: tuple[str, ...] | None = None
    """Warnings that the description ends with, as `safety.FLAGS` names them. Source: ATIP 0.6, safety flags."""
    unclear: tuple[str, ...] | None = None
    """Fields about safety that the source states in a way that nobody can read; they count as dangerous.

    Source: the reader.
    """
    assumed: tuple[str, ...] | None = None
    """Fields whose value in the document a conversion made up; the field itself is absent then. Source: the mark."""
    body: str | None = None
    """Markdown that says more than the fields do. Source: AIP-14, body."""
    extensions: dict[str, dict[str, Any]] | None = None
    """Format name -> what the hub does not model of its documents. Source: every format."""
    children: tuple[Tool, ...] | None = None
    """The commands below this node. Source: ATIP 0.6, command."""

    def extension(self, format_name: str) -> dict[str, Any]:
        """What a document of this format says that no hub field holds; empty where there is nothing.

        >>> Tool(id="ls", extensions={"mcp": {"icons": []}}).extension("mcp"), Tool(id="ls").extension("mcp")
        ({'icons': []}, {})
        """
        return (self.extensions or {}).get(format_name, {})

    @property
    def callable(self) -> bool:
        """Whether the node can be called: a leaf, or a group with arguments of its own.

        Options alone do not make a group callable: they belong to the commands below it. A group whose commands are
        left out is no leaf.

        >>> Tool(id="pr").callable, Tool(id="pr", truncated=True).callable
        (True, False)
        """
        is_group = bool(self.children or self.truncated)
        return not is_group or is_called(self)

    @property
    def is_invented(self) -> bool:
        """Whether its command line was made up when it was written in a format that cannot do without one.

        >>> Tool(id="ls", trust={"source": "inferred", INVENTED: True}).is_invented
        True
        """
        return self.trust is not None and self.trust.get(INVENTED) is True

    @property
    def major(self) -> str | None:
        """The first number of its version, by which two contracts of one id are two tools.

        >>> Tool(id="a", version="2.1.0").major, Tool(id="a", version="latest").major
        ('2', None)
        """
        number = _MAJOR.match(self.version or "")
        return str(int(number[0])) if number else None


class Parameters(NamedTuple):
    """A schema of parameters, and how each is given on a command line."""

    inputs: JsonSchema | None = None
    bindings: dict[str, Binding] | None = None


class Leaf(msgspec.Struct, frozen=True, gc=False):
    """A callable node of a tree: its path of ids, its JSON Pointer, itself with what it inherits, its ancestors.

    `commands` are the names of the commands below it, because `tool` no longer has its children.
    """

    path: tuple[str, ...]
    pointer: str
    tool: Tool
    ancestors: tuple[Tool, ...]
    commands: tuple[str, ...] = ()

    @property
    def hidden(self) -> bool:
        """Whether the command, or a group above it, is hidden from models.

        >>> from toolglot.converter.safety.inheritance import leaves_of
        >>> [leaf.hidden for leaf in leaves_of(Tool(id="p", hidden=True, children=(Tool(id="a"),)))]
        [True]
        """
        return bool(self.tool.hidden) or any(node.hidden for node in self.ancestors)

    @property
    def words(self) -> str:
        """The words by which it is called; a node without a name adds none.

        >>> Leaf(("gh", "", "list"), "/children/2/children/0", Tool(id="list"), ()).words
        'gh list'
        """
        return " ".join(filter(None, self.path))

    @property
    def pointers(self) -> list[str]:
        """The JSON Pointers of its ancestors, the program's first, and its own.

        >>> Leaf(("gh", "pr", "list"), "/children/2/children/0", Tool(id="list"), ()).pointers
        ['', '/children/2', '/children/2/children/0']
        """
        return list(accumulate(self.pointer.split("/children/"), "{}/children/{}".format))


class LeafBase:
    """The base of records about one command: `leaf` is the leaf of the program that the record is about."""

    __slots__ = ()
    leaf: Leaf

    @property
    def tool(self) -> Tool:
        """The command as a tool of its own, with what it inherits."""
        return self.leaf.tool

    @property
    def path(self) -> tuple[str, ...]:
        """The ids from the program to the command."""
        return self.leaf.path


def commands_below(program: Tool, path: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of the commands that may follow the words of `path`.

    A node without a name adds no word, so that the nodes below it count as those of its parent.

    >>> commands_below(Tool(id="p", children=(Tool(id="", children=(Tool(id="a"),)), Tool(id="b"))))
    ('b', 'a')
    """
    if not program.children:
        return ()
    commands = _commands_of([program])
    for word in filter(None, path):
        commands = _commands_of(child for child in commands if child.id == word)
    return tuple(child.id for child in commands if child.id)


def _commands_of(nodes: Iterable[Tool]) -> list[Tool]:
    """The nodes below some others, and after them those below the nodes without a name."""
    commands = [child for node in nodes for child in node.children or ()]
    for child in commands:  # grows on the way
        if not child.id:
            commands += child.children or ()
    return commands


_MAJOR = compile_later(r"[0-9]{1,9}(?=\.|\Z)", re.ASCII)


def map_nodes(tool: Tool, change: Callable[[Tool], Tool]) -> Tool:
    """A tree with a function applied to every node, children first; the same object where no node changes.

    >>> program = Tool(id="gh", children=(Tool(id="ls"),))
    >>> map_nodes(program, lambda node: replace(node, network=True)).children[0].network
    True
    """
    if tool.children:
        children = tuple([map_nodes(child, change) for child in tool.children])
        if any(map(is_not, children, tool.children)):
            tool = replace(tool, children=children)
    return change(tool)


def without_spelling(tool: Tool) -> Tool:
    """The tree without the source's own spelling of parameters, so that a writer spells them itself."""
    return map_nodes(tool, _without_own_spelling)


def _without_own_spelling(node: Tool) -> Tool:
    fields: dict[str, Any] = {}
    for name in ("bindings", "global_bindings"):
        bindings = getattr(node, name) or {}
        if bindings:
            fields[name] = {key: replace(item, spelling=None) for key, item in bindings.items()}
    return replace(node, **fields) if fields else node


def text_about(tool: Tool) -> str:
    """The text about a tool: its description, else its summary, its title or its id.

    >>> text_about(Tool(id="ls", summary="List.")), text_about(Tool(id="ls"))
    ('List.', 'ls')
    """
    return tool.description or tool.summary or tool.title or tool.id


def parameter_names(inputs: JsonSchema | None) -> list[str]:
    """The names of the parameters in a schema."""
    properties = (inputs or {}).get("properties")
    if isinstance(properties, dict):
        return list(properties)
    return []


def pick_entries(mapping: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """The entries of a mapping with these keys."""
    return {key: value for key, value in mapping.items() if key in keys}


def only_options(node: Tool) -> bool:
    """Whether a node has parameters, and all of them are options of a command line.

    >>> inputs = {"type": "object", "properties": {"repo": {"type": "string"}}}
    >>> only_options(Tool(id="issue", inputs=inputs, bindings={"repo": Binding(kind="option", flags=("-R",))}))
    True
    """
    keys = parameter_names(node.inputs)
    return bool(keys) and all(_is_option(node, key) for key in keys)


def is_called(node: Tool) -> bool:
    """Whether a node can be called by itself, whatever commands it may get."""
    return node.inputs is not None and not only_options(node)


def options_of(node: Tool) -> Parameters:
    """The options of a group, which the commands below it take as well."""
    names = parameter_names(node.inputs)
    keys = [key for key in names if _is_option(node, key)]
    if not keys or node.inputs is None:
        return Parameters()
    if len(keys) == len(names):
        return Parameters(node.inputs, node.bindings)
    inputs: JsonSchema = {"type": "object", "properties": pick_entries(node.inputs["properties"], keys)}
    required = [key for key in node.inputs.get("required") or () if key in keys]
    if required:
        inputs["required"] = required
    inputs |= pick_entries(node.inputs, ["$defs"])
    return Parameters(inputs, {key: (node.bindings or {})[key] for key in keys})


def _is_option(node: Tool, key: str) -> bool:
    binding = (node.bindings or {}).get(key)
    return binding is not None and binding.kind == "option"


def to_json(record: Any) -> Any:
    """A record as plain JSON data; absent facts are absent keys.

    >>> to_json(Tool(id="ls", tags=("files",), destructive=False))
    {'id': 'ls', 'tags': ['files'], 'destructive': False}
    """
    return _lists(msgspec.to_builtins(record))


def _lists(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _lists(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_lists(item) for item in data]
    return data


def from_json(data: Any) -> Tool:
    """The tool that `to_json` made `data` from.

    Raises:
        msgspec.ValidationError: `data` is not a hub tool.

    >>> from_json({"id": "ls", "tags": ["files"]})
    Tool(id='ls', tags=('files',))
    """
    return msgspec.convert(data, Tool)
