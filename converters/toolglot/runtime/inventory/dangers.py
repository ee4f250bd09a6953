"""Several descriptions of one program: one counts, and the others only add danger.

Whoever can put a file where an earlier one is looked for could otherwise make a program look safe. An override that
says less danger than another description is therefore not obeyed, and the report says so.
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
        field: of the hub.
        before: what the description says; `None` where it is silent.
        after: what holds.
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
    """A description with the dangers that others say, and what was added."""

    tool: Tool
    additions: tuple[Addition, ...]


def add_dangers(tool: Tool, others: Iterable[tuple[str, Tool]]) -> Combined:
    """A description with every danger that others say of the same commands.

    A command of another description that stands above or below one of these speaks of it too: what is one command in
    a description that was cut off is a group in another. Nothing safe is taken over, and no command.

    Args:
        others: the file and the tool of each.

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
                    continue  # it is said already, by the texts of the command if not by its facts
                own = facts.setdefault(leaf.pointer, own)
                own[field] = after
                command = leaf.words
                denies = before is not None and field in FIELDS_OF_DANGER and not is_unsafe(field, before)
                additions.append(Addition(command, field, before, after, source, denies))
    if additions:
        tool = with_trust_of(tool, tool)
    return Combined(with_fields(tool, facts), tuple(additions))


def with_trust_of(tool: Tool, origin: Tool) -> Tool:
    """A tool with what is said about the trust in another, of which it is made, without what vouches for that one.

    A signature vouches for what the file says, and not for this. Marks stay, such as that somebody made the command
    lines up.
    """
    if origin.trust is None:
        return replace(tool, trust=None)
    marks = {key: value for key, value in origin.trust.items() if key == "source" or key.startswith("x-")}
    return replace(tool, trust={**marks, "verified": False})


class _Dangers:
    """What a description says of danger, for each path of commands: at it, below it, and above it."""

    def __init__(self, tool: Tool) -> None:
        self._at: dict[_Path, _Facts] = {(): _dangers_of(tool)}  # what is said of a program holds for all commands
        self._at_or_below: dict[_Path, _Facts] = {}
        self._of_group: dict[_Path, _Facts] = {}
        for leaf in leaves_of(tool):
            self._add(_words_after_program(leaf.path), _dangers_of(leaf.tool))
        for child in tool.children or ():
            self._add_groups(child, (child.id,), self._at[()])

    def _add_groups(self, tool: Tool, path: _Path, above: _Facts) -> None:
        """What groups say, with what is said above them; one whose commands were cut off is as good as a command."""
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
        """What is said of a command; of its group only that about which it is silent, as that is said of others too."""
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
    for field in tool.unclear or ():  # what nobody can read is the worst that it can be
        if field == "auth_methods":
            field = "auth_required"
        if field in FIELDS_OF_DANGER:
            facts[field] = _join_values(field, facts.get(field), worst_value(field))
    warnings = _warnings_of(tool) - {"read-only"}
    if warnings:
        facts["flags"] = sort_warnings(warnings)
    return facts


def _warnings_of(tool: Tool) -> set[str]:
    """The warnings of a tool: those that it lists, and those that stand in its texts."""
    return {*(tool.flags or ()), *text_warnings(tool)}


def _join_into(facts: _Facts, more: _Facts) -> None:
    for field, value in more.items():
        facts[field] = _join_values(field, facts.get(field), value)


def _join_values(field: str, one: Any, other: Any) -> Any:
    if one is None or one == other:  # as most are
        return other
    if field == "flags":
        return sort_warnings((*one, *other))
    if field == "auth_methods":
        return one or other  # either way it takes credentials, and what is one method nobody can say
    return worse(field, one, other)
