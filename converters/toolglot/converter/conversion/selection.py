"""Which tools of many are meant: by the words that they are called by, by their depth, and by what they do.

Commands are compared as they are called, their words joined by dots: `gh.pr.list`; a tool of a server also with the
server before it: `github.search`. A pattern is a shell's (`*`, `?`, `[a-z]`), in which a blank is as good as a dot,
and whoever names a group means all that is below it.
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
    """Whether it is stated that a tool changes nothing, here or behind the network; and nothing else denies it."""
    levels = safety.caution(tool)
    says_so = not tool.unclear and levels["changes"] == safety.SAFE
    return safety.is_read_only(tool) or (says_so and not safety.denies_reading(levels))


class Choice(msgspec.Struct, frozen=True):
    """Which callable nodes are meant.

    Attributes:
        only: patterns, one of which has to match; empty: no matter.
        without: patterns, none of which may match.
        depth: how many levels of commands there may be below the program; `None`: any number.
        read_only: whether it must be stated that nothing is changed. What nobody knows is not read-only.
        without_effects: facets of danger, such as `changes` or `network`, of which none may be stated. What nobody
            knows may be.
        include_hidden: whether what is hidden from models is offered to them all the same.

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
        """Whether a command is meant."""
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
        """The commands of a tool that are meant.

        Args:
            asserted_tool: the tool as the user vouches for it, by which it is chosen; by default the tool itself.
        """
        leaves = list(leaves_of(tool))
        if self == EVERYTHING:
            return leaves
        pointers = {leaf.pointer for leaf in leaves_of(asserted_tool or tool) if self.takes(leaf)}
        return [leaf for leaf in leaves if leaf.pointer in pointers]

    def visible(self, tool: Tool) -> Cut | None:
        """As `cut`, for whoever shows the result to a model: without what is hidden from it, unless that is meant."""
        visible = {leaf.pointer for leaf in self.among(tool) if self.include_hidden or not leaf.hidden}
        return cut(tool, visible) if visible else None

    def cut(self, tool: Tool, says_partial: bool = False, asserted_tool: Tool | None = None) -> Cut | None:
        """A tool without the commands that are not meant; `None` where none is.

        Args:
            says_partial: say in `discovery` that the description is partial, if it is, and keep the groups of which
                the depth cuts the commands off.
            asserted_tool: as for `among`.

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
        """The pointers of the groups at the depth that have commands below it which are meant otherwise."""
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
    """The choice that `options` ask for, which may hold others too.

    Raises:
        UsageError: a value is none for its option.
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
    """An option that is a text or several."""
    value = options.get(name)
    if value is None:
        return ()
    return read_texts(name, value, "gh.pr.*")


def nothing_chosen_error(tools: Iterable[Tool] = ()) -> UsageError:
    """The error where a choice leaves no tool.

    Args:
        tools: what there was to choose from, where that is known; the first are named.

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
    """What patterns are compared with: the command and the groups above it, each with its server and without.

    >>> names_of_command(["gh", "api"], "acme")
    ['gh', 'gh.api', 'acme.gh', 'acme.gh.api', 'acme/gh', 'acme/gh.api']
    """
    names = [".".join(words[: end + 1]) for end in range(len(words))]
    if namespace:
        names += [f"{namespace}{mark}{name}" for mark in "./" for name in names]
    return list(map(_with_dots, names))


def matches(names: Iterable[str], patterns: Iterable[str]) -> bool:
    """Whether one of the names of a command is meant by one of the patterns.

    >>> matches(["gh", "gh.api"], ["gh a*"])
    True
    """
    dotted_patterns = list(map(_with_dots, patterns))
    return any(fnmatchcase(name, pattern) for name in names for pattern in dotted_patterns)


def _with_dots(text: str) -> str:
    """A name or a pattern in which a blank is a dot; an id may have blanks, too."""
    return ".".join(text.split())
