"""The changes of a conversion, found by comparing every callable node before and after it.

So no writer can forget to report a loss: its result is read back, and every difference from the source is a `Change`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import compress
from operator import is_not
from typing import Any

import msgspec
from msgspec.structs import replace

from toolglot.converter import formats, safety
from toolglot.converter.conversion import field_differences, moved_texts
from toolglot.converter.conversion.cut_texts import words_that_were_cut
from toolglot.converter.conversion.report import Change, change_of
from toolglot.converter.hub.fields import FIELDS, TEXTS, WORD, WORDING, fields_with
from toolglot.converter.hub.model import SCHEMAS, Leaf, Tool
from toolglot.converter.text.caches import Same
from toolglot.converter.text.pointers import decode_fragment, is_texts, unescape, value_at
from toolglot.converter.text.sentences import one_line, split_sentences
from toolglot.converter.text.sequences import group_by


class LeafPair(msgspec.Struct, frozen=True, gc=False):
    """A callable node as it was read from the source, and as it was read back from the target.

    Attributes:
        levels_before: the caution that the source asks for, facet by facet.
        levels_after: the caution that the target asks for.
        weaker_facets: the facets on which the target would look safer (law 3).
        record: index of the record that the node was read back from, among the records of the tool.
    """

    before: Leaf
    after: Leaf
    levels_before: safety.Levels
    levels_after: safety.Levels
    weaker_facets: tuple[str, ...]
    record: int = 0


class _Comparison:
    """The comparison of one leaf.

    Attributes:
        own: the leaf without what it inherits; `None` where there is no node above it.
        above: the nodes above it, the nearest first, each behind its JSON Pointer.
        changes: the changes of all leaves so far.
        told: (node that states the value, action, field, pointer) -> the new values that were reported; `None` where
            there is only one leaf.
        stricter_facets: the facets on which the target asks for more caution than the source.
    """

    def __init__(self, pair: LeafPair, told: dict[Hashable, list[Any]] | None, changes: list[Change]) -> None:
        leaf = pair.before
        self.pair = pair
        self.before, self.after = leaf.tool, pair.after.tool
        self.own: Tool | None = None
        self.above: list[tuple[str, Tool]] = []
        if leaf.ancestors:
            self.above = list(zip(leaf.pointers[-2::-1], reversed(leaf.ancestors), strict=True))
            self.own = (leaf.ancestors[-1].children or ())[int(leaf.pointer.rpartition("/")[2])]
        self.told, self.changes = told, changes
        self.stricter_facets = frozenset(safety.weaker_facets(pair.levels_after, pair.levels_before))

    @cached_property
    def levels_of_hints(self) -> safety.Levels:
        """The levels that the target only claims. They are no facts, but whoever reads the target is told them."""
        levels: safety.Levels = {}
        origin = formats.find(self.after.origin)
        if origin is not None:
            for facts in origin.claims_of(self.after).values():
                for field, value in facts.items():
                    levels.update(safety.levels_of(field, value))
        return levels

    def add(self, name: str, was: Any, now: Any, action: str, rest: str = "") -> None:
        """Report the change of a field, unless it is inherited and was reported for a leaf before.

        Otherwise the version of a program with 160 commands would be reported as dropped 160 times.
        """
        node = self.pair.before.pointer
        speaker: Hashable = node
        if self.own is not None and was is not None and getattr(self.own, name) is None:
            for pointer, above in self.above:
                if getattr(above, name) is was:
                    node = pointer
                    break
            # What several groups say together is one value, which the leaves below them share.
            speaker = Same(was) if now is None and node == speaker else node
        if self.told is not None:
            values = self.told.setdefault((speaker, action, name, rest), [])
            if now in values:
                return
            values.append(now)
        others: dict[str, Any] = {}
        facets = safety.facets_of(name)
        if not facets.isdisjoint(self.pair.weaker_facets):
            others = {"direction": "riskier", "severity": "error"}
        elif not facets.isdisjoint(self.stricter_facets):
            others = {"direction": "safer"}
            if action == "dropped" and not safety.is_unsafe(name, was):
                others["severity"] = "info"  # whoever reads the target is only more careful: nobody has to decide
        if name in moved_texts.TEXTS:
            cut_words = words_that_were_cut(action, was, self.after)
            if cut_words:
                others["note"] = cut_words
        change = change_of(action, self.pair.before.path[0], node, name, was, now, rest, **others)
        note = safety.with_provenance(change.note, self.before, name)
        self.changes.append(change if note == change.note else replace(change, note=note))


_BLANK: tuple[Any, ...] = ("", (), {})
_IGNORED = frozenset({"id", "origin", "children", "own"})  # id: a path; origin: always differs; own: see `inherits`
_NAMES = Tool.__struct_fields__
_INDEXES = range(len(_NAMES))


def pair_leaves(before: Iterable[Leaf], after: Iterable[Leaf], record: int = 0) -> list[LeafPair]:
    """Pairs of the callable nodes before and after, with the caution that each asks for.

    Args:
        record: index of the record that the nodes after were read from.
    """
    pairs: list[LeafPair] = []
    for old, new in zip(before, after, strict=True):
        was, now = safety.caution(old.tool), safety.caution(new.tool)
        pairs.append(LeafPair(old, new, was, now, tuple(safety.breached_facets(was, now)), record))
    return pairs


def find_weaker_tools(pairs: Iterable[LeafPair]) -> list[str]:
    """The ids of tools that would look safer than before (law 3), with the facets.

    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> leaf = lambda **facts: [*leaves_of(Tool(id="rm", **facts))]
    >>> find_weaker_tools(pair_leaves(leaf(destructive=True), leaf(destructive=None)))
    ['rm: destructive']
    """
    return [f"{pair.before.tool.id or pair.before.path[0]}: {facet}" for pair in pairs for facet in pair.weaker_facets]


def compare_leaves(pairs: Sequence[LeafPair]) -> list[Change]:
    """The changes of callable nodes.

    >>> from toolglot.converter.safety.inheritance import leaves_of
    >>> leaf = lambda **facts: [*leaves_of(Tool(id="rm", **facts))]
    >>> changes = compare_leaves(pair_leaves(leaf(destructive=True, tags=("a",)), leaf(destructive=True)))
    >>> [(change.action, change.path) for change in changes]
    [('dropped', '/tags')]
    """
    told: dict[Hashable, list[Any]] | None = None if len(pairs) == 1 else {}
    changes: list[Change] = []
    for pair in pairs:
        _compare_leaf(_Comparison(pair, told, changes))
    return changes


def _compare_leaf(comparison: _Comparison) -> None:
    """Find the changes of one leaf."""
    pair = comparison.pair
    old_words, new_words = pair.before.words, pair.after.words
    if old_words != new_words:
        comparison.add("id", old_words, new_words, "renamed")
    before, after = msgspec.structs.astuple(comparison.before), msgspec.structs.astuple(comparison.after)
    # Most fields are absent on both sides, which is seen without a step of Python or an object for each.
    for index in compress(_INDEXES, map(is_not, before, after)):
        name, was, now = _NAMES[index], before[index], after[index]
        if was == now or name in _IGNORED:
            continue
        if name == "extensions":
            for item in field_differences.compare_extensions(comparison.before, comparison.after):
                key = unescape(item.path.split("/")[2])
                if item.action == "assumed" and item.path.count("/") == 2 and key in _NAMES:  # it may not stay empty
                    comparison.add(key, item.before, item.after, item.action)
                else:
                    comparison.add(name, item.before, item.after, item.action, item.path)
        elif name == "assumed":
            _add_supposed(comparison, now or ())
        elif name in SCHEMAS and was is not None and now is not None:
            for item in field_differences.compare_schema_fields(name, comparison.before, comparison.after):
                comparison.add(name, item.before, item.after, item.action, item.path)
        else:
            action = _action_of_field(comparison, name, was, now)
            comparison.add(name, was, now, action)
            if action == "moved" and name == "inherits" and was.extensions:  # for which the tool has no fact
                comparison.add(name, was.extensions, None, "dropped", "/extensions")


def _action_of_field(comparison: _Comparison, name: str, was: Any, now: Any) -> str:
    """The action for a field whose value differs."""
    before, facets = comparison.before, safety.facets_of(name)
    if not facets and name != "inputs" and was in _BLANK:
        return "renamed"  # a list of no tags, or a schema that accepts everything, says what its absence says
    action = _action_of_retold(comparison, name, was, now)
    if action is not None:
        return action
    if was is None:
        is_respelled = facets and _promises_less(name, now) and fields_about(facets, before)
        return "renamed" if is_respelled else "assumed"
    if now is None:
        return _action_of_missing(comparison, name, was, facets)
    if not facets.isdisjoint(comparison.stricter_facets) or (name == "approval" and safety.policy_in_words(before)):
        return "narrowed"  # the name of a policy is lost with the word that holds it
    if facets and not isinstance(was, tuple):
        return "renamed"
    return _action_of_other_value(name, was, now, comparison.after)


def _action_of_retold(comparison: _Comparison, name: str, was: Any, now: Any) -> str | None:
    """The action for a field whose value other fields may say; `None` where it is compared like any other field."""
    before, after = comparison.before, comparison.after
    if name == "namespace" and was is not None:  # it tells equal ids apart, and stands in them where there are any
        return "renamed" if comparison.pair.before.words == comparison.pair.after.words else "moved"
    if name == "auth_required" and was is None and now is True and before.secrets:
        return "renamed"  # whoever declares a secret requires it: only those who hold it may call (AIP-14, EXAMPLES)
    if (name == "approval" or (name == "conditions" and was is None)) and (
        safety.policy_in_words(before) in (after.conditions or ())
    ):
        return "moved"  # the name of a policy became a condition
    if name in _GATES and _gates_of(before) == _gates_of(after):
        return "renamed" if was and now else "moved"  # what one format calls a permission is a scope elsewhere
    if name in ("bindings", "global_bindings") and was is not None:
        return field_differences.compare_bindings(before.origin, was, now or {})
    of_text = moved_texts.action_of_text(name, was, now, before, after)
    return "moved" if of_text == "dropped" and field_differences.is_said(name, was, after) else of_text


_GATES = fields_with(list_of="gates")


def _gates_of(tool: Tool) -> set[str]:
    """Everything that somebody has to open before a call succeeds."""
    return {gate for name in _GATES for gate in getattr(tool, name) or ()}


def _action_of_missing(comparison: _Comparison, name: str, was: Any, facets: frozenset[str]) -> str:
    """The action for a field that the target does not have."""
    if name == "inherits":
        return "moved"
    if name == "body":
        origin = formats.find(comparison.before.origin)
        if origin is not None and origin.spelling.repeats_fields(comparison.before):
            return "renamed"
    if facets:
        after = comparison.after
        is_said = _is_said_elsewhere(comparison, name, was) or any(
            _promises_less(other, getattr(after, other)) for other in fields_about(facets, after)
        )
    else:
        is_said = field_differences.is_said(name, was, comparison.after)
    return "moved" if is_said else "dropped"


def fields_about(facets: frozenset[str], tool: Tool) -> list[str]:
    """The safety fields that are about exactly these facets and are set in the tool."""
    return [name for name in _FIELDS_BY_FACETS.get(facets, ()) if getattr(tool, name) is not None]


_FIELDS_BY_FACETS = group_by(filter(safety.facets_of, sorted(safety.SAFETY_FIELDS)), safety.facets_of)


def _promises_less(name: str, value: Any) -> bool:
    """Whether a word states nothing by itself.

    >>> _promises_less("replay", "idempotent"), _promises_less("approval", "always")
    (True, False)
    """
    return FIELDS[name].kind == WORD and not safety.levels_of(name, value)


def _action_of_other_value(name: str, was: Any, now: Any, tool: Tool) -> str:
    """The action for a field that has another value in the target; `tool` is the tool as the target has it."""
    if isinstance(was, tuple) and isinstance(now, tuple):
        return _action_of_list(field_differences.without_echo(was), field_differences.without_echo(now))
    # Of a schema one more keyword is one more condition.
    if field_differences.is_said(name, was, tool) or (name not in SCHEMAS and field_differences.says_all_of(was, now)):
        return "renamed"
    return "narrowed"


def _is_said_elsewhere(comparison: _Comparison, name: str, value: Any) -> bool:
    """Whether the target says all of a safety field in other fields, in its texts, or in a hint."""
    levels = safety.levels_of(name, value)
    is_stated = False  # that nothing is known of a cost says more than that it is low, and is no statement
    for facet, level in levels.items():
        level_after = comparison.pair.levels_after[facet]
        is_same = level in (level_after, comparison.levels_of_hints.get(facet))
        if not (is_same or level_after > level > 0):
            return False
        is_stated |= is_same or level_after != safety.UNKNOWN_LEVELS[facet]
    if not is_stated:
        return False
    if name == "unclear":  # its names are those of fields, which nobody has to find again
        return True
    origin = formats.find(comparison.before.origin)
    if origin is not None and origin.places.key_word(comparison.before, name) is not None:
        return True  # only the key of a record states it, so that the names in its value are ours
    return _names_are_said(name, value, comparison.after)


def _names_are_said(name: str, value: Any, tool: Tool) -> bool:
    """Whether the names in a value (of hosts, secrets, resources, a policy) still stand somewhere in the tool."""
    if not isinstance(value, tuple):
        return not (isinstance(value, str) and ":" in value)
    if not is_texts(list(value)):
        return False
    names = {method.env or (method.description or "").partition(" (")[0] for method in tool.auth_methods or ()}
    for field in _LISTS:
        items = getattr(tool, field)
        if isinstance(items, tuple):
            names.update(items)
    if name != "deletes" and tool.mutates:  # a scope that may change is made or modified, which is not that it goes
        names |= {decode_fragment(item.partition(":")[2]) for item in tool.mutates}
    return names.issuperset(item for item in value if item != "*")


_LISTS = (*fields_with(kind=TEXTS, handed_down="worst"), "paths", "flags")


def _action_of_list(was: tuple[Any, ...], now: tuple[Any, ...]) -> str:
    if len(was) == len(now) and all(map(field_differences.says_all_of, was, now)):
        return "assumed"  # each item says what it said, and something more
    texts = is_texts([*was, *now])
    items_now = frozenset(now) if texts else now
    if all(item in items_now for item in was):
        return "assumed" if len(now) > len(was) else "renamed"
    return "renamed" if texts and len(was) == len(now) else "narrowed"


def _add_supposed(comparison: _Comparison, names: Iterable[str]) -> None:
    """Report the values that were made up because the target demands them and the source states none."""
    target = formats.get(comparison.after.origin or "")
    said = one_line(comparison.before.description or comparison.before.summary or "")
    for name in names:
        if name not in (comparison.before.assumed or ()):
            value = value_at(comparison.after.extension(target.name), target.places.fields.get(name, ""))
            if name in WORDING and all(one_line(sentence) in said for sentence, _ in split_sentences(value)):
                continue
            comparison.add(name, None, tuple(value) if isinstance(value, list) else value, "assumed")


def changes_of_group(
    pointer: str, tool: str, group: Tool, name: str, other: Tool | None, missing: str = "dropped"
) -> list[Change]:
    """The changes of a field of a group.

    Args:
        other: the group in the target; `None` where there is none.
        missing: the action where the target does not have the field.
    """
    was, now = getattr(group, name), getattr(other, name) if other else None
    if name == "extensions":
        differences = list(field_differences.compare_extensions(group, other))
    else:
        action = missing if other is None or now is None else _action_of_other_value(name, was, now, other)
        differences = [field_differences.FieldDifference("", was, now, action)]
    return [change_of(item.action, tool, pointer, name, item.before, item.after, item.path) for item in differences]
