"""The names under which tools are offered to a model, and the tool behind each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from toolglot.converter import formats
from toolglot.converter.conversion.offers import names_of, naming_of, qualifiers_of
from toolglot.converter.conversion.writing import identify_leaf
from toolglot.converter.formats import Format
from toolglot.converter.formats.kit.tool_ids import Qualifier
from toolglot.converter.hub.model import Leaf, Tool, commands_below
from toolglot.converter.hub.trees import bad_tools_error, list_tools
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.errors import ArgumentError


class ToolAtPath(Protocol):
    """A tool with its path of ids, as `Leaf` is, and the entries of `Compiled.tools`."""

    @property
    def tool(self) -> Tool: ...

    @property
    def path(self) -> tuple[str, ...]: ...


class LeafHolder(Protocol):
    """What has a leaf, as the entries of `Compiled.offers` do, and a `Resolved`."""

    @property
    def leaf(self) -> Leaf: ...


NamedCommand: TypeAlias = ToolAtPath | LeafHolder

# What every provider accepts (`docs/reference/formats.md`): a letter or underscore first, then digits and hyphens too.
_FIRST, _REST, _LIMIT = "A-Za-z_", "A-Za-z0-9_-", 64


class ToolsHolder(Protocol):
    """What has tools by their names, as what `toolglot.compile` returns does."""

    @property
    def tools(self) -> Mapping[str, NamedCommand]: ...


Tools: TypeAlias = Tool | Iterable[Tool] | Mapping[str, NamedCommand] | ToolsHolder


def exposed(tools: Tools) -> dict[str, Leaf]:
    """What can be called, by the name that a model calls it by.

    Args:
        tools: hub tools, which get portable names; or the names that were given already: a mapping whose values
            are leaves or have the attribute `leaf`, or `tool` and `path`; or an object whose attribute `offers` or
            `tools` is such a mapping, as `toolglot.compile` returns. What such a mapping calls `excluded` was
            never offered and stays away.

    Returns:
        A leaf for each name, in the order of the tools. A tool that is given twice appears once. Two tools of one
        path that differ are two tools, told apart by their namespaces or major versions, else by a hash in both
        names: letting the later one win, as the reference bridge does, would check a call of one tool against the
        facts of another.

    Raises:
        UsageError: `tools` is none of these (code `bad-tools`).

    >>> gh = Tool(id="gh", children=(Tool(id="pr", children=(Tool(id="list"),)), Tool(id="")))
    >>> list(exposed([gh]))
    ['gh_pr_list', 'gh_']
    """
    return {name: command.leaf for name, command in commands(tools).items()}


class Commands(NamedTuple):
    """What stands behind a name: a leaf; and where it stands for several commands, the argument that chooses one."""

    leaf: Leaf
    chooser: str = ""
    members: Mapping[str, Leaf] = {}

    @property
    def behind(self) -> Iterable[tuple[str, Leaf]]:
        """The commands that can run, each with the value that chooses it."""
        if not self.members:
            return [("", self.leaf)]
        return self.members.items()


def commands(tools: Tools) -> dict[str, Commands]:
    """What `exposed` returns, with the commands behind a name that stands for several.

    >>> commands([Tool(id="ls")])["ls"].chooser
    ''
    """
    for entries in (tools, getattr(tools, "offers", None), getattr(tools, "tools", None)):
        if isinstance(entries, Mapping):
            return _commands_of_offers(entries)
    leaves = _name_leaves(list_tools(tools))
    return {name: Commands(leaf) for name, leaf in leaves.items()}


def _commands_of_offers(offers: Mapping[Any, Any]) -> dict[str, Commands]:
    named_commands: dict[str, Commands] = {}
    for name, entry in offers.items():
        if getattr(entry, "mode", None) != "excluded":
            if not isinstance(name, str):
                raise bad_tools_error(name)
            named_commands[name] = _commands(entry)
    return named_commands


def _commands(entry: Any) -> Commands:
    members = {value: leaf_of(leaf) for value, leaf, *_ in getattr(entry, "members", ())}
    if not members:
        return Commands(leaf_of(entry))
    return Commands(leaf_of(entry), entry.chooser, members)


def leaf_of(entry: object) -> Leaf:
    """A callable node given as one, or as anything with the attribute `leaf`, or with `tool` and `path`.

    Raises:
        UsageError: it is neither (code `bad-tools`).

    >>> leaf_of(Leaf(("gh", "pr"), "", Tool(id="pr"), ())).path
    ('gh', 'pr')
    """
    if isinstance(entry, Leaf):
        return entry
    leaf = getattr(entry, "leaf", None)
    if isinstance(leaf, Leaf):
        return leaf
    tool, path = getattr(entry, "tool", None), getattr(entry, "path", None)
    if (
        isinstance(tool, Tool)
        and isinstance(path, tuple | list)
        and path
        and all(isinstance(word, str) for word in path)
    ):
        return Leaf(tuple(path), "", tool, (), commands_below(tool))
    raise bad_tools_error(entry)


def only_leaf(tool: Tool | NamedCommand) -> Leaf:
    """A callable node given as one, as for `leaf_of`, or as a tool that has no other.

    Raises:
        ArgumentError: the tool has several commands.
        UsageError: it is no tool.
    """
    if not isinstance(tool, Tool):
        return leaf_of(tool)
    leaves = list(leaves_of(tool))
    if len(leaves) != 1:
        message = f"the tool has {len(leaves)} commands that can be called; give one of toolglot.leaves_of(TOOL)"
        raise ArgumentError(message, "several-commands")
    return leaves[0]


def catalog_id(leaf: Leaf) -> str:
    """What a catalogue calls a command, whatever other tools it has.

    >>> catalog_id(leaf_of(Leaf(("mail.send",), "", Tool(id="mail.send", version="2.0.0"), ())))
    'x-host-toolglot:mail.send@2'
    """
    return identify_leaf(leaf, _catalog_format())


@cache
def _catalog_format() -> Format:
    return next(known for known in formats.every() if known.scoped_ids is not None)


def _name_leaves(tools: Sequence[Tool]) -> dict[str, Leaf]:
    """The leaves by the names that `toolglot.compile` would give them in a format that accepts as much."""
    leaves_of_tools = [list(leaves_of(tool)) for tool in tools]
    qualifiers = qualifiers_of(leaves_of_tools, naming_of(tools))
    qualified: list[tuple[Leaf, Qualifier]] = []
    for leaves, qualifier in zip(leaves_of_tools, qualifiers, strict=True):
        qualified += [(leaf, qualifier) for leaf in leaves]
    portable_names = names_of(qualified, _FIRST, _REST, _LIMIT)
    return {name: leaf for name, (leaf, _) in zip(portable_names, qualified, strict=True)}
