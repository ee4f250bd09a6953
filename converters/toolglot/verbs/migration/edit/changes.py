"""What has to change in a text so that it says other data, as replacements of parts of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from toolglot.converter.text.matching import Matcher
from toolglot.converter.text.pointers import keyed_values, pointer_below
from toolglot.converter.text.sequences import longest_rising
from toolglot.converter.text.serialization import dump_json_line, dump_yaml
from toolglot.verbs.migration.edit.layout_of_new_values import (
    Layout,
    block_lines,
    flow_key,
    in_block,
    in_flow,
    layout_of,
    line,
    pad_lines,
    places_of_characters,
)
from toolglot.verbs.migration.edit.lines_and_comments import Lines
from toolglot.verbs.migration.edit.moved_entries import Lifted, entry_lines, lift
from toolglot.verbs.migration.edit.syntax_tree import TreeNode, block_scalar_at_end


class Splice(NamedTuple):
    """A replacement of `text[start:end]`; `pointer` is the place in the new data that it is made for."""

    start: int
    end: int
    text: str
    pointer: str


class _Added(NamedTuple):
    """Entries that are new; the key of a list item is `None`."""

    after: int  # the index of the entry before them, or -1
    entries: list[tuple[str | None, Any]]


def is_same_text(one: Any, other: Any) -> bool:
    """Whether two values are equal as text: `1`, `1.0` and `True` differ, and so does the order of keys."""
    return bool(one == other) and (type(one) is str or _canonical(one) == _canonical(other))


def _canonical(value: Any) -> str:
    return json.dumps(value)


class _ValuePair(NamedTuple):
    """A value of the old data and what it becomes, with the JSON Pointers of both."""

    old: Any
    new: Any
    old_pointer: str = ""
    new_pointer: str = ""

    @property
    def is_same_text(self) -> bool:
        return is_same_text(self.old, self.new)

    def inner(self, old_key: str | int, new_key: str | int) -> _ValuePair:
        """A value inside of each."""
        old_pointer = pointer_below(self.old_pointer, old_key)
        new_pointer = pointer_below(self.new_pointer, new_key)
        return _ValuePair(self.old[old_key], self.new[new_key], old_pointer, new_pointer)


class TextChanges(Lines, msgspec.Struct):
    """What has to change in a text; the replacements fill while its tree is walked in the order of the text.

    Attributes:
        new_keys: JSON Pointer in the old data -> new key of that entry.
        bare: JSON Pointers in the old data; entries that leave their comments behind if they move.
        whole: JSON Pointers in the new data; values that are written anew instead of being changed inside.
        one_line: whether everything else that is new is written on one line, for which there is always a place.
    """

    new_keys: Mapping[str, str]
    bare: Collection[str]
    whole: Collection[str]
    one_line: bool
    own_splices: list[Splice] = []
    additions: list[Callable[[], None]] = []
    removed_texts: dict[tuple[str | None, str], list[Lifted]] = {}  # (key, value) -> their texts
    says: dict[int, Any] = {}  # what the nodes that stay say now, by their id()

    def splices(self, old: Any, new: Any) -> list[Splice]:
        """The replacements that turn a text that says `old` into one that says `new`, in no order; the two differ."""
        self.root(_ValuePair(old, new))
        for add in self.additions:  # now it is known what was taken away, and may stand there again
            add()
        return self.own_splices

    def root(self, pair: _ValuePair) -> None:
        node, new = self.tree.root, pair.new
        if not self.is_whole("") and self.can_change_inside(node, pair) and self.inside(node, pair):
            return
        if self.tree.is_json or node.style != "block":
            layout = layout_of(self, node)
            if layout.indent is not None:
                layout = layout._replace(indent="")
            self.splice(node.start, node.end, in_flow(new, "", layout), "")
            return
        first, *others = dump_yaml(new)[:-1].split("\n")
        if not new and not self.text[: node.start].strip():
            first = f"--- {first}"  # a text that begins with a bracket is JSON
        text = first + pad_lines(others, " " * self.column(node.start))
        end = self.extent(node, len(node.entries) - 1)[1]
        if end == len(self.text):
            text += "\n"  # a block scalar there needs it
        self.splice(node.start, end, text, "")

    def splice(self, start: int, end: int, text: str, pointer: str) -> None:
        if text or start < end:
            self.own_splices.append(Splice(start, end, text, pointer))

    def is_whole(self, pointer: str) -> bool:
        """Whether a value is written anew."""
        return pointer in self.whole

    # --- values -----------------------------------------------------------------------------------

    def value(self, parent: TreeNode, index: int, pair: _ValuePair) -> None:
        """Change the value of an entry."""
        node = parent.entries[index].value
        if not self.is_whole(pair.new_pointer) and (self.is_settled(node, pair) or self.shorten(node, pair)):
            return
        if parent.style == "block":
            self.replace_in_block(parent, index, pair.new, pair.new_pointer)
        else:
            self.replace_in_flow(parent, index, pair.new, pair.new_pointer)

    def is_settled(self, node: TreeNode, pair: _ValuePair) -> bool:
        """Whether a value says what it should without being written anew, perhaps after changes inside it."""
        if node.kind == "alias":
            # What it repeats may have changed or be gone.
            target = id(node.target)
            return target in self.says and is_same_text(self.says[target], pair.new)
        if not self.tree.has_aliases and pair.is_same_text and not self.has_whole_inside(pair.new_pointer):
            return True
        self.says[id(node)] = pair.new
        if self.can_change_inside(node, pair) and self.inside(node, pair):
            return True
        return not node.entries and pair.is_same_text

    def shorten(self, node: TreeNode, pair: _ValuePair) -> bool:
        """Take out characters that a text has no longer, so that its quotes, escapes and lines stay as they are.

        Those that mean something to YAML or JSON are left to whoever writes the value anew.
        """
        if node.kind != "scalar" or type(pair.old) is not str or type(pair.new) is not str:
            return False
        lost = frozenset(pair.old) - frozenset(pair.new)
        has_syntax = any(char.isascii() and (char.isprintable() or char.isspace()) for char in lost)
        if has_syntax or "".join(char for char in pair.old if char not in lost) != pair.new:
            return False
        text = self.text[node.content : node.end]
        for start, end in places_of_characters(text, lost, has_escapes=node.style == '"'):
            self.splice(node.content + start, node.content + end, "", pair.new_pointer)
        return True

    def has_whole_inside(self, new_pointer: str) -> bool:
        return any(pointer.startswith(f"{new_pointer}/") for pointer in self.whole)

    def can_change_inside(self, node: TreeNode, pair: _ValuePair) -> bool:
        """Whether both are mappings, or both lists, that are not empty."""
        has_brackets = node.style != "flow" or self.text[node.content] in "{["  # `[a: 1]` holds a mapping without
        return bool(node.entries) and bool(pair.new) and type(pair.old) is type(pair.new) and has_brackets

    def inside(self, node: TreeNode, pair: _ValuePair) -> bool:
        """Change the entries of a collection; whether it has any that stay."""
        if node.kind == "mapping":
            return self.mapping(node, pair)
        return self.sequence(node, pair)

    def mapping(self, node: TreeNode, pair: _ValuePair) -> bool:
        # The key that each entry has afterwards, if it stays.
        names = [self.new_keys.get(pointer_below(pair.old_pointer, entry.name), entry.name) for entry in node.entries]
        # A renamed key takes the place of an old one, which has to go.
        order = sorted(range(len(names)), key=lambda index: names[index] != node.entries[index].name)
        places = {names[index]: index for index in order}
        survivors = longest_rising([places[name] for name in pair.new if name in places])
        if not survivors:
            return False
        for index in survivors:
            entry, name = node.entries[index], names[index]
            assert entry.key is not None
            if name != entry.name:
                self.splice(entry.key.content, entry.key.end, self.key(entry.key, name, node), pair.new_pointer)
            self.says[id(entry.key)] = name
            self.value(node, index, pair.inner(entry.name, name))
        survivor_set = set(survivors)
        place_of_survivor = {name: index for name, index in places.items() if index in survivor_set}
        self.entries(node, survivors, _group_added(pair.new, place_of_survivor), pair)
        return True

    def sequence(self, node: TreeNode, pair: _ValuePair) -> bool:
        survivors = _align_items(pair.old, pair.new)
        for index, position in survivors:
            self.value(node, index, pair.inner(index, position))
        additions = []
        positions = [(-1, -1), *survivors, (len(pair.old), len(pair.new))]
        for (index, position), (_, following) in pairwise(positions):
            if following > position + 1:
                additions.append(_Added(index, [(None, item) for item in pair.new[position + 1 : following]]))
        self.entries(node, [index for index, _ in survivors], additions, pair)
        return bool(survivors)

    def key(self, key: TreeNode, name: str, parent: TreeNode) -> str:
        if self.tree.is_json:
            return dump_json_line(name)
        return line(name, key.style, parent.style == "flow")

    # --- a value written anew -----------------------------------------------------------------------

    def replace_in_flow(self, parent: TreeNode, index: int, new: Any, now: str) -> None:
        entry = parent.entries[index]
        node = entry.value
        start = node.start if self.is_whole(now) or node.kind == "alias" else node.content
        layout = layout_of(self, parent)
        if (
            node.entries
            and "\n" not in self.text[node.start : node.end]
            and not any(type(item) in (dict, list) for _, item in keyed_values(new))
        ):
            layout = layout._replace(indent=None)  # a list of words stays on its line
        self.splice(start, node.end, in_flow(new, node.style if node.kind == "scalar" else "", layout), now)

    def replace_in_block(self, parent: TreeNode, index: int, new: Any, now: str) -> None:
        entry = parent.entries[index]
        if entry.mark is None:  # `? key` without a value: the mapping around it is written anew
            return
        is_whole = self.is_whole(now)
        anew = is_whole or entry.value.kind == "alias"
        style = ""
        if entry.value.kind == "scalar" and not anew:
            style = entry.value.style
        same_line, below = in_block(new, style, entry.key is None, self.one_line and not is_whole)
        start, end, last = self.place_in_block(parent, index, anew, bool(below) or not same_line)
        column = self.column(entry.start)
        if entry.key is None:
            column = max(column, self.column(start) - len("- "))  # `-   a: 1`
        if not same_line:
            start = entry.mark + len(self.text[entry.mark : start].rstrip(" \t"))
        elif not self.text[start - 1].isspace():
            same_line = f" {same_line}"
        self.splice(start, end, same_line, now)
        line_end = self.end(end)
        self.splice(line_end, max(line_end, last), pad_lines(below, " " * column), now)

    def place_in_block(self, parent: TreeNode, index: int, anew: bool, opens_lines: bool) -> tuple[int, int, int]:
        """The part beside the key or dash that a new value replaces, and the end of the lines below that go with it.

        What stands between the two is a comment, and stays. An anchor stays too, unless all is written `anew`.
        """
        entry = parent.entries[index]
        node, text = entry.value, self.text
        assert entry.mark is not None
        start = node.start if anew else node.content
        is_block = node.style == "block"
        if "\n" in text[entry.mark : start] and (is_block or opens_lines):
            end = entry.mark
            if node.properties > node.start and "\n" not in text[entry.mark : node.start]:
                end = node.properties
            return entry.mark if anew else end, end, self.extent(parent, index)[1]
        if is_block:
            end = self.extent(parent, index)[1]
            return start, end, end
        if node.style in ("|", ">"):
            header = text[node.content : self.end(node.content)].split(maxsplit=1)[0]
            return start, node.content + len(header), node.end
        return start, node.end, self.end(node.end)

    # --- entries that come and go ---------------------------------------------------------------------

    def entries(self, node: TreeNode, survivors: list[int], additions: list[_Added], pair: _ValuePair) -> None:
        if not survivors or (len(survivors) == len(node.entries) and not additions):
            return
        now = pair.new_pointer
        if not self.one_line:
            for index in _others(node, survivors):
                self.remember(node, index, pair)
        if node.style == "flow":
            self.remove_from_flow(node, survivors, now)
            self.additions.append(partial(self.add_to_flow, node, survivors, additions, now))
            return
        shares_line = not self.begins(node.entries[0].start)
        self.remove_from_block(node, survivors, shares_line, now)
        for after, entries in additions:
            self.additions.append(partial(self.add_to_block, node, after, entries, shares_line, now))

    def remember(self, node: TreeNode, index: int, pair: _ValuePair) -> None:
        """Keep the text of an entry that goes, in case that the same entry comes elsewhere."""
        name = None if node.kind == "sequence" else node.entries[index].name
        key = index if name is None else name
        is_bare = pointer_below(pair.old_pointer, key) in self.bare
        entry_text = lift(self, node, index, with_comments=not is_bare)
        if entry_text is not None:
            self.removed_texts.setdefault((name, _canonical(pair.old[key])), []).append(entry_text)

    def take_moved(self, pointer: str, key: str | None, value: Any) -> Lifted | None:
        """The text of an entry that was taken away elsewhere."""
        if not self.removed_texts:
            return None
        texts = self.removed_texts.get((key, _canonical(value)))
        return texts.pop(0) if texts else None

    def remove_from_block(self, node: TreeNode, survivors: list[int], shares_line: bool, now: str) -> None:
        first = survivors[0] if shares_line else 0
        survivor_set = set(survivors)
        if first:  # `- a: 1` loses `a`: what follows moves up beside the dash
            end = self.after_blanks(self.extent(node, first - 1)[1], " \t\r\n")
            self.splice(node.entries[0].start, end, "", now)
        before = None
        for index in range(first, len(node.entries)):
            if index in survivor_set:
                before = node.entries[index]
                continue
            start, end = self.extent(node, index)
            block = None if before is None else block_scalar_at_end(before.value)
            if block is None:
                self.remove_lines(start, end, now)
                continue
            self.splice(start, self.next(end), "", now)  # the line break before this entry is part of it

    def remove_lines(self, start: int, end: int, now: str) -> None:
        """Remove whole lines: with the line break before them, because a text may end without one."""
        if not start:
            end = self.next(end)
        self.splice(self.before_break(start), end, "", now)

    def before_break(self, start: int) -> int:
        """Where the line ends after which one starts; the beginning of the text where none does."""
        return start - 2 if self.text[start - 2 : start] == "\r\n" else max(start - 1, 0)

    def add_to_block(
        self, node: TreeNode, after: int, entries: list[tuple[str | None, Any]], shares_line: bool, now: str
    ) -> None:
        if node.style == "lines":
            layout = layout_of(self, node)
            new = [self.flow_entry(key, value, layout) for key, value in entries]
        else:
            new = []
            for key, value in entries:
                if self.one_line:
                    new += block_lines(key, value, one_line=True)
                else:
                    new += entry_lines("", key, value, self.take_moved)
        pad = " " * self.column(node.entries[0].start)
        if after >= 0:
            at = self.extent(node, after)[1]
            self.splice(at, at, pad_lines(new, pad), now)
        elif shares_line:
            at = node.entries[0].start
            self.splice(at, at, pad_lines(new, pad).lstrip() + f"\n{pad}", now)
        else:
            self.add_above(self.extent(node, 0)[0], pad_lines(new, pad), now)

    def add_above(self, start: int, text: str, now: str) -> None:
        """Add lines above the first entry of a block, which begins at `start`."""
        if start:
            at = self.before_break(start)  # where the removal of what stood there begins too
            self.splice(at, at, text, now)
        else:
            self.splice(0, 0, text[1:] + "\n", now)

    def remove_from_flow(self, node: TreeNode, survivors: list[int], now: str) -> None:
        text = self.text
        for index in _others(node, survivors):
            entry = node.entries[index]
            start, end = self.extent(node, index)
            ends_line = self.rest(entry.end) is not None
            before = node.entries[index - 1].end if index else node.content + 1
            if ends_line and self.begins(entry.start):
                self.remove_lines(start, end, now)
            elif ends_line:
                self.splice(before + len(text[before:start].rstrip(" \t")), end, "", now)
            elif index + 1 == len(node.entries):
                blanks = " \t" if "#" in text[before:start] else " \t\r\n"
                self.splice(before + len(text[before:start].rstrip(blanks)), end, "", now)
            else:
                self.splice(start, self.after_blanks(end), "", now)

    def add_to_flow(self, node: TreeNode, survivors: list[int], additions: list[_Added], now: str) -> None:
        """Add entries, and see to it that there is a comma after every entry but the last."""
        layout = layout_of(self, node)
        at_end = any(after == survivors[-1] for after, _ in additions)
        ends_in_comma = node.entries[-1].comma is not None
        for index in survivors:
            entry = node.entries[index]
            needs_comma = ends_in_comma or index != survivors[-1] or at_end
            if needs_comma and entry.comma is None:
                self.splice(entry.value.end, entry.value.end, ",", now)
            elif entry.comma is not None and not needs_comma:
                self.splice(entry.comma, entry.comma + 1, "", now)
        for after, entries in additions:
            new = [self.flow_entry(key, value, layout) for key, value in entries]
            if after < 0:
                self.add_first_to_flow(node, survivors[0], new, layout, now)
                continue
            at = node.entries[after].end
            if layout.indent is not None:
                rest = self.rest(at)
                if rest is not None:
                    at = rest
            added_text = layout.gap + f",{layout.gap}".join(new)
            if ends_in_comma or after != survivors[-1]:
                added_text += ","
            self.splice(at, at, added_text, now)

    def add_first_to_flow(self, node: TreeNode, index: int, new: list[str], layout: Layout, now: str) -> None:
        at = node.entries[index].start
        if layout.indent is not None and self.begins(at):
            at = self.extent(node, index)[0]
            self.splice(at, at, "".join(f"{layout.indent}{entry},\n" for entry in new), now)
        else:
            gap = layout.gap or ("" if layout.colon == ":" else " ")
            self.splice(at, at, "".join(f"{entry},{gap}" for entry in new), now)

    def flow_entry(self, key: str | None, value: Any, layout: Layout) -> str:
        entry_text = self.take_moved("", key, value)
        text = (entry_text and entry_text.inline) or in_flow(value, "", layout)
        if key is None:
            return text
        key_text = dump_json_line(key) if layout.is_json else flow_key(key)
        return f"{key_text}{layout.colon}{text}"


def _others(node: TreeNode, survivors: list[int]) -> list[int]:
    """The entries that go."""
    return sorted(set(range(len(node.entries))).difference(survivors))


def _group_added(new: dict[str, Any], places: dict[str, int]) -> list[_Added]:
    """The new entries of a mapping by the entry of the text that they follow; `places` are those that stay in it."""
    additions: list[_Added] = []
    after = -1
    for name, value in new.items():
        if name in places:
            after = places[name]
        elif additions and additions[-1].after == after:
            additions[-1].entries.append((name, value))
        else:
            additions.append(_Added(after, [(name, value)]))
    return additions


def _align_items(old: list[Any], new: list[Any]) -> list[tuple[int, int]]:
    """Which items of two lists are the same item, perhaps changed: equal ones, and between these one by one.

    >>> _align_items(["a", "b", "c"], ["a", "c"]), _align_items(["a", "b", "c"], ["a", "d", "c", "e"])
    ([(0, 0), (2, 1)], [(0, 0), (1, 1), (2, 2)])
    """
    was, now = list(map(_canonical, old)), list(map(_canonical, new))
    return [
        pair
        for _, start, end, new_start, new_end in Matcher(was, now).get_opcodes()
        for pair in zip(range(start, end), range(new_start, new_end), strict=False)
    ]
