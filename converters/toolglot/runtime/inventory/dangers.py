"""Several descriptions of one program: one counts, and the others only add danger.

Otherwise whoever can write a file in an earlier folder could make a program look safe. So where an override says less
danger than another description, it is not obeyed, and the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from toolglot.converter.hub.model import Leaf, Tool
from toolglot.converter.hub.trees import with_fields
from toolglot.converter.safety import FIELDS_OF_DANGER, is_unsafe, sort_warnings, text_warnings, worse, worst_value
from toolglot.converter.safety.inheritance import leaves_of

_Path = tuple[str, ...]
_Facts = dict[str, Any]


class Addition(NamedTuple):
    """A danger that a description does not say, and another one does.

    Attributes:
        command: the words of the command.
        field: the field of the hub, such as `destructive`.
        before: the value in the description; `None` where it has none.
        after: the value that counts.
        source: the file that says so.
        is_loosening: whether the description denies the danger.
    """

    command: str
    field: str
    before: Any
    after: Any
    source: str
    is_loosening: bool


class Combined(NamedTuple):
    """A description with the dangers that others say, and the dangers that were added."""

    tool: Tool
    additions: tuple[Addition, ...]


def add_dangers(tool: Tool, others: Iterable[tuple[str, Tool]]) -> Combined:
    """A description with every danger that others say about the same commands.

    What another description says about a group holds for the commands below, and the other way round: a description
    that was cut off shows a group as one command. Nothing safe is taken over, and no command is added.

    Args:
        others: the file and the tool of each other description.

    >>> ours = Tool(id="gh", children=(Tool(id="rm", destructive=False, network=True),))
    >>> theirs = Tool(id="gh", children=(Tool(id="rm", destructive=True, network=False),))
    >>> combined = add_dangers(ours, [("other.json", theirs)])
    >>> combined.tool.children[0].destructive, combined.tool.children[0].network
    (True, True)
    >>> [(addition.command, addition.field, addition.is_loosening) for addition in combined.additions]
    [('gh rm', 'destructive', True)]
    """
    additions: list[Addition] = []
    leaves = list(leaves_of(tool))
    facts: dict[str, _Facts] = {}
    for source, other in others:
        dangers = _Dangers(other)
        for leaf in leaves:
            own = facts.get(leaf.pointer, {})
            for field, value in sorted(dangers.of(leaf).items()):
                before = own.get(field, getattr(leaf.tool, field))
                after = _join_values(field, before, value)
                if after == before or (field == "flags" and {*value} <= _warnings_of(leaf.tool)):
                    continue  # the command says this already, in its facts or its texts
                own = facts.setdefault(leaf.pointer, own)
                own[field] = after
                command = leaf.words
                denies = before is not None and field in FIELDS_OF_DANGER and not is_unsafe(field, before)
                additions.append(Addition(command, field, before, after, source, denies))
    if additions:
        tool = with_trust_of(tool, tool)
    return Combined(with_fields(tool, facts), tuple(additions))


def with_trust_of(tool: Tool, origin: Tool) -> Tool:
    """A tool with the trust of the tool that it was made from, but unverified and without signatures.

    A signature is about the text of the original file, and this tool says something else. Marks (`x-...`) stay, such as
    the one for command lines that somebody made up.
    """
    if origin.trust is None:
        return replace(tool, trust=None)
    marks = {key: value for key, value in origin.trust.items() if key == "source" or key.startswith("x-")}
    return replace(tool, trust={**marks, "verified": False})


class _Dangers:
    """The dangers that one description says, by the path of a command: at the path, below it, and above it."""

    def __init__(self, tool: Tool) -> None:
        self._at: dict[_Path, _Facts] = {(): _dangers_of(tool)}  # the dangers of the program hold for all commands
        self._at_or_below: dict[_Path, _Facts] = {}
        self._of_group: dict[_Path, _Facts] = {}
        for leaf in leaves_of(tool):
            self._add(_words_after_program(leaf.path), _dangers_of(leaf.tool))
        for child in tool.children or ():
            self._add_groups(child, (child.id,), self._at[()])

    def _add_groups(self, tool: Tool, path: _Path, above: _Facts) -> None:
        """Add the dangers of groups, with those above each; a group whose commands were cut off counts as a command."""
        facts = dict(above)
        _join_into(facts, _dangers_of(tool))
        if tool.children:
            self._of_group[tuple(filter(None, path))] = facts
        elif tool.truncated:
            self._add(tuple(filter(None, path)), facts)
        for child in tool.children or ():
            self._add_groups(child, (*path, child.id), facts)

    def _add(self, path: _Path, facts: _Facts) -> None:
        _join_into(self._at.setdefault(path, {}), facts)
        for end in range(len(path) + 1):
            _join_into(self._at_or_below.setdefault(path[:end], {}), facts)

    def of(self, leaf: Leaf) -> _Facts:
        """The dangers of a command.

        A group speaks about its other commands too, so it counts only for fields that the command itself leaves out.
        """
        path = _words_after_program(leaf.path)
        above = [path[:end] for end in range(len(path))]
        facts: _Facts = {}
        for group in above:
            of_group = self._of_group.get(group, {})
            _join_into(facts, {field: of_group[field] for field in of_group if getattr(leaf.tool, field) is None})
        for place in above:
            _join_into(facts, self._at.get(place, {}))
        _join_into(facts, self._at_or_below.get(path, {}))
        return facts


def _words_after_program(path: _Path) -> _Path:
    """The words after the program; a command without a name, which is the program itself, adds none."""
    return tuple(word for word in path[1:] if word)


def _dangers_of(tool: Tool) -> _Facts:
    facts: _Facts = {}
    for field in FIELDS_OF_DANGER:
        value = getattr(tool, field)
        if value is not None and is_unsafe(field, value):
            facts[field] = value
    for field in tool.unclear or ():  # a value that cannot be read counts as the worst one
        if field == "auth_methods":
            field = "auth_required"
        if field in FIELDS_OF_DANGER:
            facts[field] = _join_values(field, facts.get(field), worst_value(field))
    warnings = _warnings_of(tool) - {"read-only"}
    if warnings:
        facts["flags"] = sort_warnings(warnings)
    return facts


def _warnings_of(tool: Tool) -> set[str]:
    """The warnings of a tool: those in its `flags`, and those in its texts."""
    return {*(tool.flags or ()), *text_warnings(tool)}


def _join_into(facts: _Facts, more: _Facts) -> None:
    for field, value in more.items():
        facts[field] = _join_values(field, facts.get(field), value)


def _join_values(field: str, one: Any, other: Any) -> Any:
    if one is None or one == other:
        return other
    if field == "flags":
        return sort_warnings((*one, *other))
    if field == "auth_methods":
        return one or other  # either says that it takes credentials; which of the methods are the same nobody can tell
    return worse(field, one, other)
