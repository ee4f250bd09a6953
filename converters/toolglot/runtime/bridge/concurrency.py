"""Which calls of one response must not run at the same time (ATIP RFC, section 7.3).

The RFC lets calls run concurrently where their effects show no conflict, and gives no rules. These are ours. An unknown
effect is a conflict: two calls may run at once only if their statements show that neither can disturb the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, takewhile
from typing import NamedTuple, TypeAlias

from toolglot.converter.hub.facets import facets_with
from toolglot.converter.hub.model import Leaf
from toolglot.converter.safety import SAFE, UNKNOWN, UNSAFE, Levels
from toolglot.converter.safety.caution_before_calls import levels_with_cost
from toolglot.converter.text.sequences import group_by
from toolglot.errors import UsageError
from toolglot.option_checks import require_items
from toolglot.runtime.bridge.naming import NamedCommand, leaf_of

_MOST = 500  # calls; each is compared with each
_DEEPEST = 50  # parts of a path that are compared; what lies deeper is taken for the folder above it

_CHANGES = facets_with(is_change=True)
_FILES = ("writes_files", "deletes_files")

_SEPARATOR = re.compile(r"[/\\]")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")
_STANDS_FOR_ITSELF = re.compile(r"[^*?\[{$~]+")  # a part of a path that no shell and no pattern reads otherwise

_Place = tuple[str, ...]
"""The parts of a path behind `/` or `.`, where it begins; empty for any place. Else a class and a name."""


class Conflict(NamedTuple):
    """Two calls, by their indexes, and why they must not run at the same time."""

    first: int
    second: int
    reason: str


def conflicts(calls: Iterable[NamedCommand]) -> list[Conflict]:
    """The pairs of calls that must not run at the same time; calls in no pair may.

    Args:
        calls: results of `Compiled.resolve`, leaves, or anything with a `leaf`.

    Raises:
        UsageError: one of them is none of these (code `bad-tools`), or there are more than 500.

    >>> from toolglot.converter.hub.model import Tool
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> reading, unknown = (next(leaves_of(tool)) for tool in (Tool(id="a", safety_tier="read"), Tool(id="b")))
    >>> conflicts([reading, unknown, reading])[0]
    Conflict(first=0, second=1, reason='nothing is stated about what one changes')
    """
    require_items("calls", calls, "a list of calls")
    effects = [_CallEffects(leaf, levels_with_cost(leaf.tool)) for leaf in map(leaf_of, calls)]
    if len(effects) > _MOST:
        raise UsageError(f"expected at most {_MOST} calls, found {len(effects)}", code="too-many-calls")
    pairs: list[Conflict] = []
    for (first, one), (second, other) in combinations(enumerate(effects), 2):
        reason = next((words for words, holds in _RULES if holds(one, other)), None)
        if reason is not None:
            pairs.append(Conflict(first, second, reason))
    return pairs


def batches(calls: Iterable[NamedCommand]) -> list[list[int]]:
    """The indexes of the calls in groups: calls of one group may run at the same time, group after group.

    Two calls in conflict keep their order. Arguments and errors as in `conflicts`.

    >>> from toolglot.converter.hub.model import Tool
    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> reading, unknown = (next(leaves_of(tool)) for tool in (Tool(id="a", safety_tier="read"), Tool(id="b")))
    >>> batches([reading, reading, unknown, reading])
    [[0, 1], [2], [3]]
    """
    require_items("calls", calls, "a list of calls")
    call_list = list(calls)
    group_of = [0] * len(call_list)
    for first, second, _ in sorted(conflicts(call_list), key=lambda conflict: conflict.second):
        group_of[second] = max(group_of[second], group_of[first] + 1)
    groups = group_by(range(len(call_list)), group_of.__getitem__)
    return [calls_of_group for _, calls_of_group in sorted(groups.items())]


class _TouchedPlaces(frozenset[_Place]):
    """A set of places, of files or of other resources."""

    @cached_property
    def around(self) -> frozenset[_Place]:
        """The places and all places around them."""
        return frozenset(place[:depth] for place in self for depth in range(len(place) + 1))

    def meet(self, others: _TouchedPlaces) -> bool:
        """Whether a place of one set is, contains, or lies in a place of the other."""
        return not (self.isdisjoint(others.around) and others.isdisjoint(self.around))


@dataclass(frozen=True)
class _CallEffects:
    """The effects of a call as sets, because a description may name thousands of resources and paths."""

    leaf: Leaf
    levels: Levels

    def has(self, *facets: str) -> bool:
        return any(self.levels[facet] == UNSAFE for facet in facets)

    @property
    def only_reads(self) -> bool:
        return self.levels["changes"] == SAFE and not self.has(*_CHANGES)

    @cached_property
    def resources(self) -> _TouchedPlaces:
        """The resources that it changes, as `class:name` below the class; the class alone stands for all of them."""
        tool = self.leaf.tool
        stated = chain.from_iterable(filter(None, (tool.creates, tool.modifies, tool.deletes, tool.mutates)))
        classes = (text.partition(":") for text in stated)
        return _TouchedPlaces((kind,) if name == "*" else (kind, name) for kind, _, name in classes)

    @cached_property
    def files(self) -> _TouchedPlaces:
        """The places of its files; any place, where nobody says."""
        return _TouchedPlaces(map(_place_of, self.leaf.tool.paths or ("",)))

    @cached_property
    def beginnings(self) -> frozenset[_Place]:
        """Where its paths begin: at the root, in an unnamed folder, or anywhere."""
        return frozenset(place[:1] for place in self.files)


_Rule: TypeAlias = Callable[[_CallEffects, _CallEffects], bool]


def _place_of(path: str) -> _Place:
    """The place of a path; for a pattern, the folder above its first part that is one.

    >>> _place_of("/var/log/*.txt"), _place_of("./out"), _place_of("out/../..")
    (('/', 'var', 'log'), ('.', 'out'), ())
    """
    parts = [part for part in _SEPARATOR.split(path) if part not in ("", ".")]
    known = tuple(takewhile(_STANDS_FOR_ITSELF.fullmatch, parts[:_DEEPEST]))
    if ".." in parts or not known:
        return ()
    return ("/" if _ABSOLUTE.match(path) else ".", *known)


def _is_repeated(one: _CallEffects, other: _CallEffects) -> bool:
    """Whether both are the same command, and repeating it may have another effect."""
    return one.leaf.path == other.leaf.path and not one.only_reads and one.levels["unrepeatable"] != SAFE


def _is_unlimited(effects: _CallEffects) -> bool:
    """Whether a call changes something, and nobody says what."""
    if effects.only_reads or effects.resources:
        return False
    return not (effects.has(*_FILES) and effects.leaf.tool.paths)


def _is_either_unlimited(one: _CallEffects, other: _CallEffects) -> bool:
    """Whether both change something, and for one of them nobody says what."""
    if one.only_reads or other.only_reads:
        return False
    return _is_unlimited(one) or _is_unlimited(other)


def _share_files(one: _CallEffects, other: _CallEffects) -> bool:
    """Whether one writes or deletes files where the other may read, write or delete."""
    one_writes = one.has(*_FILES) or other.has(*_FILES)
    return one_writes and _touches_files(one) and _touches_files(other) and _may_meet(one, other)


def _touches_files(effects: _CallEffects) -> bool:
    return effects.has(*_FILES) or effects.levels["reads_files"] != SAFE


def _may_meet(one: _CallEffects, other: _CallEffects) -> bool:
    """Whether the files of both may be the same, or lie below one another."""
    # Where a relative path begins, nobody says.
    return len(one.beginnings | other.beginnings) > 1 or one.files.meet(other.files)


def _is_either(*facets: str) -> _Rule:
    """A rule that applies if one of the two calls has one of these kinds."""
    return lambda one, other: one.has(*facets) or other.has(*facets)


# The first that holds is the reason.
_RULES: tuple[tuple[str, _Rule], ...] = (
    ("one waits for a person, who can answer one at a time", _is_either("interactive")),
    ("one destroys something or costs money", _is_either("destructive", "billable")),
    (
        "nothing is stated about what one changes",
        lambda one, other: UNKNOWN in (one.levels["changes"], other.levels["changes"]),
    ),
    ("the command does something else when it is repeated", _is_repeated),
    ("nobody says what one changes, and the other changes something too", _is_either_unlimited),
    ("both change the same kind of thing", lambda one, other: one.resources.meet(other.resources)),
    ("one writes files where the other may read or write", _share_files),
)
