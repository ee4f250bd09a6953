"""The choice of tools by name, by depth, and by what they do.

The name of a command is its words with dots between them: `gh.pr.list`. A tool of a server also has the name with the
server before it: `github.search`. Patterns are those of a shell (`*`, `?`, `[a-z]`); a blank in them counts as a dot,
and the name of a group chooses all commands below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import safety
from toolglot.converter.hub.facets import facets_with
from toolglot.converter.hub.model import Leaf, Tool
from toolglot.converter.hub.trees import Cut, cut
from toolglot.converter.safety.inheritance import leaves_of
from toolglot.converter.text.wording import join_first
from toolglot.errors import UsageError, without_middles
from toolglot.option_checks import read_texts, require_choice, require_flag

EFFECTS = facets_with(is_chosen_by=True)
_MOST_NAMED = 5  # tools in a message


def _reads_only(tool: Tool) -> bool:
    """Whether a tool is stated to change nothing, here or over the network, and no other statement contradicts that."""
    levels = safety.caution(tool)
    says_so = not tool.unclear and levels["changes"] == safety.SAFE
    return safety.is_read_only(tool) or (says_so and not safety.denies_reading(levels))


class Choice(msgspec.Struct, frozen=True):
    """A choice of callable nodes.

    Attributes:
        only: patterns, one of which has to match; empty: any name.
        without: patterns, none of which may match.
        depth: the number of levels of commands below the program; `None`: any number.
        read_only: whether a tool has to be stated to change nothing. A tool with unknown effects is not chosen.
        without_effects: facets of danger, such as `changes` or `network`, of which none may be stated. A tool with
            unknown effects is chosen.
        include_hidden: whether tools are chosen that are hidden from models.

    >>> gh = Tool(id="gh", children=(Tool(id="pr", children=(Tool(id="list"), Tool(id="close"))), Tool(id="api")))
    >>> chosen = Choice(only=("gh pr",), without=("*.close",))
    >>> [leaf.path for leaf in leaves_of(gh) if chosen.takes(leaf)]
    [('gh', 'pr', 'list')]
    """

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    depth: int | None = None
    read_only: bool = False
    without_effects: tuple[str, ...] = ()
    include_hidden: bool = False

    def takes(self, leaf: Leaf) -> bool:
        """Whether a command is chosen."""
        words = [word for word in leaf.path if word]
        names = names_of_command(words, leaf.tool.namespace)
        return (
            (self.depth is None or len(words) - 1 <= self.depth)
            and (not self.only or matches(names, self.only))
            and not matches(names, self.without)
            and (not self.read_only or _reads_only(leaf.tool))
            and not (self.without_effects and self._has_effect(leaf.tool))
        )

    def _has_effect(self, tool: Tool) -> bool:
        levels = safety.caution(tool)
        return any(levels[facet] == safety.UNSAFE for facet in self.without_effects)

    def among(self, tool: Tool, asserted_tool: Tool | None = None) -> list[Leaf]:
        """The chosen commands of a tool.

        Args:
            asserted_tool: the tool with the facts that the user asserts, which count for the choice; default: `tool`.
        """
        leaves = list(leaves_of(tool))
        if self == EVERYTHING:
            return leaves
        pointers = {leaf.pointer for leaf in leaves_of(asserted_tool or tool) if self.takes(leaf)}
        return [leaf for leaf in leaves if leaf.pointer in pointers]

    def visible(self, tool: Tool) -> Cut | None:
        """As `cut`, for a result that a model sees: without hidden commands, unless `include_hidden` asks for them."""
        visible = {leaf.pointer for leaf in self.among(tool) if self.include_hidden or not leaf.hidden}
        return cut(tool, visible) if visible else None

    def cut(self, tool: Tool, says_partial: bool = False, asserted_tool: Tool | None = None) -> Cut | None:
        """A tool with the chosen commands only; `None` where none is chosen.

        Args:
            says_partial: whether `discovery` says that the description is partial. Then groups stay whose commands
                are below `depth`.
            asserted_tool: as in `among`.

        >>> gh = Tool(id="gh", children=(Tool(id="pr", children=(Tool(id="list"),)), Tool(id="api")))
        >>> part = Choice(depth=1).cut(gh, says_partial=True).tool
        >>> [(child.id, child.truncated) for child in part.children], part.discovery
        ([('pr', True), ('api', None)], {'filter': {'depth': 1}, 'partial': True})
        """
        pointers_of_leaves = {leaf.pointer for leaf in self.among(tool, asserted_tool)}
        groups = self._groups_cut_off(tool, asserted_tool) if says_partial else set[str]()
        if not (pointers_of_leaves or groups):
            return None
        part = cut(tool, pointers_of_leaves, groups)
        if says_partial and len(pointers_of_leaves) < len(list(leaves_of(tool))):
            discovery = part.tool.discovery or {"filter": {"depth": self.depth}}
            part = replace(part, tool=replace(part.tool, discovery={**discovery, "partial": True}))
        return part

    def _groups_cut_off(self, tool: Tool, asserted_tool: Tool | None) -> set[str]:
        """JSON Pointers of the groups at `depth` whose commands below it would be chosen otherwise."""
        if self.depth is None:
            return set()
        groups: set[str] = set()
        for leaf in replace(self, depth=None).among(tool, asserted_tool):
            above = leaf.pointers[:-1]
            if len(above) > self.depth:
                groups.add(above[self.depth])
        return groups


EVERYTHING = Choice()


def choice_of(options: Mapping[str, Any]) -> Choice:
    """The choice among the options of a conversion.

    Raises:
        UsageError: an option has a wrong value.
    """
    effects = tuple([word.replace("-", "_") for word in _texts(options, "without_effects")])
    for effect in effects:
        require_choice("an effect", effect, EFFECTS)
    depth = options.get("depth")
    if depth is not None and (type(depth) is not int or depth < 0):
        raise UsageError(f"depth is a number of levels, not {depth!r}", code="bad-option")
    require_flag("read_only", options.get("read_only"))
    require_flag("include_hidden", options.get("include_hidden"))
    return Choice(
        only=_texts(options, "only"),
        without=_texts(options, "without"),
        depth=depth,
        read_only=bool(options.get("read_only")),
        without_effects=effects,
        include_hidden=bool(options.get("include_hidden")),
    )


def _texts(options: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The value of an option that takes one text or several."""
    value = options.get(name)
    if value is None:
        return ()
    return read_texts(name, value, "gh.pr.*")


def nothing_chosen_error(tools: Iterable[Tool] = ()) -> UsageError:
    """The error where a choice leaves no tool.

    Args:
        tools: the tools to choose from, as far as known; the message names the first.

    >>> nothing_chosen_error([Tool(id="gh", children=(Tool(id="api"), Tool(id="auth")))]).message
    'none of the tools is chosen; there are gh api, gh auth'
    """
    leaves = chain.from_iterable(leaves_of(tool) for tool in tools)
    names = [without_middles(leaf.words) for leaf in leaves]
    message = "none of the tools is chosen"
    if names:
        message += f"; there are {join_first(names, _MOST_NAMED)}"
    hint = "look at --only, --without, --depth and --read-only, which believes a hint of a server only with --assert"
    return UsageError(message, code="nothing-chosen", hint=hint)


def names_of_command(words: Sequence[str], namespace: str | None) -> list[str]:
    """The names that patterns are compared with: of the command and of the groups above it, with and without server.

    >>> names_of_command(["gh", "api"], "acme")
    ['gh', 'gh.api', 'acme.gh', 'acme.gh.api', 'acme/gh', 'acme/gh.api']
    """
    names = [".".join(words[: end + 1]) for end in range(len(words))]
    if namespace:
        names += [f"{namespace}{mark}{name}" for mark in "./" for name in names]
    return list(map(_with_dots, names))


def matches(names: Iterable[str], patterns: Iterable[str]) -> bool:
    """Whether one of the patterns matches one of the names of a command.

    >>> matches(["gh", "gh.api"], ["gh a*"])
    True
    """
    dotted_patterns = list(map(_with_dots, patterns))
    return any(fnmatchcase(name, pattern) for name in names for pattern in dotted_patterns)


def _with_dots(text: str) -> str:
    """A name or a pattern with a dot for each blank; ids may have blanks, too."""
    return ".".join(text.split())
