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
    """Anything with a tool and its path of ids, such as a `Leaf` or an entry of `Compiled.tools`."""

    @property
    def tool(self) -> Tool: ...

    @property
    def path(self) -> tuple[str, ...]: ...


class LeafHolder(Protocol):
    """Anything with a leaf, such as an entry of `Compiled.offers` or a `Resolved`."""

    @property
    def leaf(self) -> Leaf: ...


NamedCommand: TypeAlias = ToolAtPath | LeafHolder

# What every provider accepts (`docs/reference/formats.md`): a letter or underscore first, then digits and hyphens too.
_FIRST, _REST, _LIMIT = "A-Za-z_", "A-Za-z0-9_-", 64


class ToolsHolder(Protocol):
    """Anything with tools by name, such as a `Compiled`."""

    @property
    def tools(self) -> Mapping[str, NamedCommand]: ...


Tools: TypeAlias = Tool | Iterable[Tool] | Mapping[str, NamedCommand] | ToolsHolder


def exposed(tools: Tools) -> dict[str, Leaf]:
    """Name for the model -> callable node.

    Args:
        tools: hub tools, which get portable names; or a mapping of names to leaves, or to values with the attribute
            `leaf`, or `tool` and `path`; or an object with such a mapping as `offers` or `tools`, such as a `Compiled`.
            Entries with the mode `excluded` are left out.

    Returns:
        A leaf for each name, in the order of the tools. A tool that is given twice appears once. Two different tools
        with one path are told apart by their namespaces or major versions, else by a hash in both names. If the later
        one replaced the first, as in the reference bridge, calls would be checked by the facts of another tool.

    Raises:
        UsageError: `tools` is none of these (code `bad-tools`).

    >>> gh = Tool(id="gh", children=(Tool(id="pr", children=(Tool(id="list"),)), Tool(id="")))
    >>> list(exposed([gh]))
    ['gh_pr_list', 'gh_']
    """
    return {name: command.leaf for name, command in commands(tools).items()}


class Commands(NamedTuple):
    """The leaf behind a name; for a name of several commands also the argument that chooses one."""

    leaf: Leaf
    chooser: str = ""
    members: Mapping[str, Leaf] = {}

    @property
    def behind(self) -> Iterable[tuple[str, Leaf]]:
        """The commands behind the name, each behind the value that chooses it."""
        if not self.members:
            return [("", self.leaf)]
        return self.members.items()


def commands(tools: Tools) -> dict[str, Commands]:
    """The same as `exposed`, with the commands behind a name that stands for several.

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
    """The callable node of a leaf, or of anything with the attribute `leaf`, or with `tool` and `path`.

    Raises:
        UsageError: the value is none of these (code `bad-tools`).

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
    """The callable node of a value as in `leaf_of`, or of a tool with only one.

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
    """The id of a command in a catalogue, whatever other tools the catalogue has.

    >>> catalog_id(leaf_of(Leaf(("mail.send",), "", Tool(id="mail.send", version="2.0.0"), ())))
    'x-host-toolglot:mail.send@2'
    """
    return identify_leaf(leaf, _catalog_format())


@cache
def _catalog_format() -> Format:
    return next(known for known in formats.every() if known.scoped_ids is not None)


def _name_leaves(tools: Sequence[Tool]) -> dict[str, Leaf]:
    """Name -> leaf, with the names of `toolglot.compile` for a format that accepts such names."""
    leaves_of_tools = [list(leaves_of(tool)) for tool in tools]
    qualifiers = qualifiers_of(leaves_of_tools, naming_of(tools))
    qualified: list[tuple[Leaf, Qualifier]] = []
    for leaves, qualifier in zip(leaves_of_tools, qualifiers, strict=True):
        qualified += [(leaf, qualifier) for leaf in leaves]
    portable_names = names_of(qualified, _FIRST, _REST, _LIMIT)
    return {name: leaf for name, (leaf, _) in zip(portable_names, qualified, strict=True)}
