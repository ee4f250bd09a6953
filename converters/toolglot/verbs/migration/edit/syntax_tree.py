"""Where everything stands in a JSON or YAML text: the values, and the marks and separators between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from toolglot.converter.text import json_reader
from toolglot.converter.text.document_reader import Document
from toolglot.errors import WriteError

_GAP = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_LINE_END = re.compile(r"\r?\n")
_PROPERTIES = re.compile(r"(?:(?:!<[^>]*+>|[&!][^\s,\[\]{}]*+)(?:\s++|(?=[\[{]))?)*+")


Span = tuple[int, int]
"""Where a part of a text starts and ends."""


class TreeNode(msgspec.Struct, eq=False):
    """A value of the text; all offsets count characters of the whole text.

    Attributes:
        kind: `"mapping"`, `"sequence"`, `"scalar"` or `"alias"`; while the text is read, `"close"` is the end of one.
        style: `"block"`, `"flow"` or `"lines"` (one JSON value per line) of a collection; of a scalar the character
            that it begins with, one of `'`, `"`, `|`, `>`, or `""` where it is plain.
        start, end: the value with its anchor, without what stands after its last character. A block scalar ends
            before its final line break.
        text: what a scalar says.
        anchor: by what an alias repeats it, or what an alias repeats.
        properties: where its anchor and tag end; `start` where it has none.
        content: where the value itself starts.
        floor: from where on a comment may belong to the first child of a block.
        entries: the children.
        target: the node that an alias repeats, where the text has it.
    """

    kind: str
    style: str
    start: int
    end: int
    text: str = ""
    anchor: str | None = None
    properties: int = 0
    content: int = 0
    floor: int = 0
    entries: list[TreeEntry] = []
    target: TreeNode | None = None


class TreeEntry(msgspec.Struct, eq=False):
    """A child of a collection.

    Attributes:
        name: the key of a mapping; the index, as digits, of a sequence.
        key: where the key stands; `None` in a sequence.
        start: the key with its `?`, the dash, or the value in a flow sequence.
        mark: after the colon or the dash; `None` where neither is written.
        value: where the value stands.
        comma: the comma after it; `None` where there is none.
    """

    name: str
    key: TreeNode | None
    start: int
    mark: int | None
    value: TreeNode
    comma: int | None = None

    @property
    def end(self) -> int:
        """Where it ends, with the comma after it."""
        if self.comma is not None:
            return self.comma + 1
        return max(self.value.end, self.mark or 0)


class Tree(NamedTuple):
    """The nodes of a document.

    Attributes:
        root: the node of the outermost value.
        start, end: the part of the text that holds data; less than all of it in front matter.
        is_json: whether strings and separators are JSON's.
        has_aliases: whether a change at one place can show at another.
    """

    root: TreeNode
    start: int
    end: int
    is_json: bool
    has_aliases: bool


def block_scalar_at_end(node: TreeNode) -> TreeNode | None:
    """The block scalar that a value ends in, where it does."""
    while node.entries:
        node = node.entries[-1].value
    return node if node.style in ("|", ">") else None


def read_tree(document: Document) -> Tree:
    """The tree of a document that was read from a text without errors.

    Raises:
        WriteError: nobody here knows the places in its syntax; code `"unfaithful-edit"`.

    >>> from toolglot.converter.text.document_reader import load
    >>> entry = read_tree(load("a: 1\\nb: [x, y]\\n")).root.entries[1]
    >>> entry.name, entry.start, entry.mark, entry.value.start, entry.value.end
    ('b', 5, 7, 8, 14)
    """
    text = document.text
    if document.syntax == "kdl":
        raise WriteError("a text of KDL is only read; edit the file by hand", "unfaithful-edit", source=document.name)
    start, end = _part_of_data(document)
    if document.syntax == "json-lines":
        lines = TreeNode("sequence", "lines", start, end, "", None, start, start, start)
        for line_start, line_end in json_reader.spans_of_lines(text):
            node = _build(text, _json_nodes(text, line_start, line_end), line_start)[0]
            lines.entries.append(TreeEntry(str(len(lines.entries)), None, node.start, None, node))
        return Tree(lines, start, end, True, False)
    is_json = document.syntax == "json"
    nodes = (_json_nodes if is_json else _yaml_nodes)(text, start, end)
    root, has_aliases = _build(text, nodes, start)
    return Tree(root, start, end, is_json, has_aliases)


def _part_of_data(document: Document) -> Span:
    text = document.text
    if document.body is None:
        return 0, len(text)
    head = text[: len(text) - len(document.body)].rstrip("\r\n")
    return text.index("\n") + 1, head.rindex("\n") + 1


def _json_nodes(text: str, start: int, end: int) -> Iterator[TreeNode]:
    for token in json_reader.TOKEN.finditer(text, start, end):
        at, after = token.span()
        first = text[at]
        if first in "{[":
            kind = "mapping" if first == "{" else "sequence"
            yield TreeNode(kind, "flow", at, after)
        elif first in "}]":
            yield TreeNode("close", "", at, after)
        elif first == '"':
            yield TreeNode("scalar", '"', at, after, json_reader.scan_string(text, at)[0])
        else:
            yield TreeNode("scalar", "", at, after, token[0])


def _yaml_nodes(text: str, start: int, end: int) -> Iterator[TreeNode]:
    from yaml import events as yaml  # with the next 14 ms that JSON does not need

    from toolglot.converter.text.yaml_reader import EventParser

    next_event = EventParser(text[start:end]).get_event
    collections = {yaml.MappingStartEvent: "mapping", yaml.SequenceStartEvent: "sequence"}
    while True:
        event = next_event()
        kind = type(event)
        at, after = start + event.start_mark.index, start + event.end_mark.index
        if kind is yaml.ScalarEvent:
            yield TreeNode("scalar", event.style or "", at, after, event.value, event.anchor)
        elif kind in collections:
            style = "flow" if event.flow_style else "block"
            yield TreeNode(collections[kind], style, at, after, "", event.anchor)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            yield TreeNode("close", "", at, after)
        elif kind is yaml.AliasEvent:
            yield TreeNode("alias", "", at, after, "", event.anchor)
        elif kind is yaml.DocumentEndEvent:
            return


def _build(text: str, nodes: Iterator[TreeNode], start: int) -> tuple[TreeNode, bool]:
    """The root, and whether there are aliases."""
    anchors: dict[str, TreeNode] = {}
    root: TreeNode | None = None
    open_nodes: list[TreeNode] = []
    key: TreeNode | None = None
    has_aliases = False
    for node in nodes:
        if node.kind == "close":
            _close(text, open_nodes.pop(), node.end)
            continue
        _find_content(text, node)
        if node.kind == "alias":
            has_aliases = True
            node.target = anchors.get(node.anchor or "")
        elif node.anchor is not None:
            anchors[node.anchor] = node
        parent = open_nodes[-1] if open_nodes else None
        if parent is None:
            root = node
            node.floor = start
        elif parent.kind == "mapping" and key is None:
            key = node
            continue
        else:
            parent.entries.append(_make_entry(text, parent, key, node))
            key = None
        if node.kind in ("mapping", "sequence"):
            open_nodes.append(node)
    assert root is not None
    return root, has_aliases


def _find_content(text: str, node: TreeNode) -> None:
    """Find where a node has its anchor and its value."""
    start, end = node.start, node.end
    node.properties = node.content = start
    if text[start : start + 1] in ("&", "!"):
        properties = _PROPERTIES.match(text, start)
        assert properties is not None
        node.properties = start + len(properties[0].rstrip())
        node.content = _skip(text, node.properties)
    if node.kind == "scalar":
        node.content = min(node.content, end)
        if node.style in ("|", ">"):
            node.end = _end_of_block_scalar(text, node.content, end)


def _end_of_block_scalar(text: str, start: int, end: int) -> int:
    """Where its last line ends. libyaml counts the blank lines after it too, which only `+` makes part of it."""
    header, _, lines = text[start:end].partition("\n")
    if lines and "+" in header.partition("#")[0]:
        last_line = text[start:end].removesuffix("\n").removesuffix("\r")
    else:
        last_line = text[start:end].rstrip()  # blanks behind it are found below: they are part of its last line
    line_end = _LINE_END.search(text, start + len(last_line), end)
    return end if line_end is None else line_end.start()


def _make_entry(text: str, parent: TreeNode, key: TreeNode | None, value: TreeNode) -> TreeEntry:
    """The entry of a value, whose parent knows the entries before it."""
    entry = TreeEntry("", key, value.start, None, value)
    if key is not None:
        entry.name = key.text
        entry.start = _start_of_key(text, key)
        entry.mark = _after(text, key.end, ":")
    else:
        entry.name = str(len(parent.entries))
        if parent.style == "block":  # the dash stands after the items before it
            entry.mark = _after(text, parent.entries[-1].value.end if parent.entries else parent.content, "-")
            entry.start = value.start if entry.mark is None else entry.mark - 1
    if value.start == value.end:  # nothing is written; libyaml says that it stands at the next token
        after_key = value.start if key is None else key.end
        at = after_key if entry.mark is None else entry.mark
        value.start = value.end = value.properties = value.content = at
    value.floor = entry.start if entry.mark is None else entry.mark
    return entry


def _start_of_key(text: str, key: TreeNode) -> int:
    """Where the `?` before it stands, or the key itself."""
    at = key.start - 1
    while at > 0 and text[at] in " \t":
        at -= 1
    is_complex = at >= 0 and text[at] == "?" and (at == 0 or text[at - 1] in " \t\n,[{")
    return at if is_complex else key.start


def _close(text: str, node: TreeNode, end: int) -> None:
    if node.style == "block":  # its end event stands after the comments that follow
        node.end = node.entries[-1].end
        return
    node.end = end
    for entry in node.entries:
        after = _after(text, entry.end, ",")
        if after is not None:
            entry.comma = after - 1


def _skip(text: str, at: int) -> int:
    """The first offset from `at` that is neither blank nor in a comment."""
    gap = _GAP.match(text, at)
    assert gap is not None
    return gap.end()


def _after(text: str, at: int, character: str) -> int | None:
    """The offset after a character that follows, but for blanks and comments; `None` where another follows."""
    at = _skip(text, at)
    return at + 1 if text[at : at + 1] == character else None
