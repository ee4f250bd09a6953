"""How new values are written, so that they look like what surrounds them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from toolglot.converter.text.serialization import dump_json, dump_yaml
from toolglot.verbs.migration.edit.lines_and_comments import Lines
from toolglot.verbs.migration.edit.syntax_tree import Span, TreeNode

_FLOW_INDICATOR = re.compile(r"[,\[\]{}]").search
_LONGEST_KEY = 1000
_INDENT = re.compile(r"\n( *)")


class Layout(NamedTuple):
    """How the values of a flow collection, or of a JSON text, are separated.

    Attributes:
        is_json: whether strings are always in double quotes.
        gap: what stands between a comma and the next entry.
        colon: what stands between a key and its value.
        indent: what stands before the entries in their lines; `None` where they share one line.
        unit: how much deeper a value in an entry is indented.
    """

    is_json: bool
    gap: str
    colon: str
    indent: str | None
    unit: str


# A character of a string in double quotes: by its number, with both halves of a pair, by another escape, or as it is.
_CHARACTER = re.compile(
    r"\\u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|[0-9a-f]{4})|\\(?:U([0-9a-f]{8})|x([0-9a-f]{2})|.)|.", re.I | re.S
)


def places_of_characters(text: str, characters: Collection[str], has_escapes: bool) -> Iterator[Span]:
    """Where some characters begin and end in a text as it is written.

    >>> list(places_of_characters("a-b-", "-", False)), list(places_of_characters(r"a\\u002d\\\\u002d", "-", True))
    ([(1, 2), (3, 4)], [(1, 7)])
    """
    if not has_escapes:
        yield from ((place, place + 1) for place, char in enumerate(text) if char in characters)
        return
    for match in _CHARACTER.finditer(text):
        if _character_of(match) in characters:
            yield match.span()


def _character_of(match: re.Match[str]) -> str:
    number = match[1] or match[2]
    if number is not None:
        return chr(int(number, 16)) if int(number, 16) <= sys.maxunicode else ""
    if match[0][:2] == "\\u":
        return str(json.loads(f'"{match[0]}"'))
    return match[0]


def layout_of(lines: Lines, node: TreeNode) -> Layout:
    """The layout of a value, as its first entries show it."""
    text = lines.text
    is_json = lines.tree.is_json
    if node.style == "lines":
        return layout_of(lines, node.entries[0].value)._replace(indent=None)
    if not node.entries:
        indent = "" if is_json else None
        return Layout(is_json, " ", ": ", indent, "  ")
    first = node.entries[0]
    after_colon = None
    if first.key is not None and first.mark is not None:
        after_colon = _blanks(text[first.mark : first.value.start], " ")
    if node.style == "flow" and "\n" in text[node.content : first.start] and lines.begins(first.start):
        indent = text[lines.start(first.start) : first.start]
        closing = ""
        if lines.begins(node.end - 1):
            closing = text[lines.start(node.end) : node.end - 1]
        unit = indent.removeprefix(closing) or "  "
        return Layout(is_json, "\n" + indent, ":" + (after_colon or " "), indent, unit)
    if after_colon is None:
        gap = _usual_gap(lines)
    else:
        gap = after_colon and " "
    if len(node.entries) > 1 and first.comma is not None:
        gap = _blanks(text[first.comma + 1 : node.entries[1].start], gap)
    if after_colon is None:
        after_colon = gap and " "
    return Layout(is_json, gap, ":" + after_colon, None, "  ")


def _usual_gap(lines: Lines) -> str:
    """What stands after the first colon or comma of a JSON text, and elsewhere a blank."""
    node = lines.tree.root
    while lines.tree.is_json and node.entries:
        first = node.entries[0]
        if first.mark is not None:
            return _blanks(lines.text[first.mark : first.value.start], " ") and " "
        if first.comma is not None:
            return _blanks(lines.text[first.comma + 1 : node.entries[1].start], " ") and " "
        node = first.value
    return " "


def _blanks(between: str, default: str) -> str:
    """What stands between two tokens, where it is blanks of one line."""
    if between.strip(" \t"):
        return default
    return between


def in_flow(value: Any, style: str, layout: Layout) -> str:
    """A value as it stands in a flow collection or in JSON; `style` is the quote that a scalar had."""
    if not layout.is_json:
        return _yaml_flow(value, style)
    if layout.indent is None or not value or type(value) not in (dict, list):
        indent = None if layout.colon == ":" else 0
        return dump_json(value, indent)[:-1]
    deeper = dump_json(value, 1)[:-1]
    return _INDENT.sub(lambda match: f"\n{layout.indent}{layout.unit * len(match[1])}", deeper)


def _yaml_flow(value: Any, style: str) -> str:
    if type(value) is dict:
        entries = [f"{flow_key(key)}: {_yaml_flow(item, '')}" for key, item in value.items()]
        return f"{{{', '.join(entries)}}}"
    if type(value) is list:
        items = [_yaml_flow(item, "") for item in value]
        return f"[{', '.join(items)}]"
    return line(value, style, True)


def flow_key(key: str) -> str:
    """A key of YAML in a flow mapping; a reader looks for the colon of one that is too long only after a `?`."""
    text = line(key, "", True)
    if len(text) > _LONGEST_KEY:
        return f"? {text} "
    return text


def line(value: Any, style: str, is_flow: bool) -> str:
    """A scalar or a key of YAML on one line, in the quotes of `style` where it can be.

    >>> line("no", "", False), line("a", '"', False), line("a, b", "", True), line("a\\nb", "", False)
    ("'no'", '"a"', "'a, b'", '"a\\\\nb"')
    """
    if type(value) is not str:
        return dump_yaml(value)[:-1]
    # A key is always on one line, also where the same string as a value would be a block of lines.
    plain = dump_yaml({value: 0}).removesuffix(": 0\n").removeprefix("? ").rstrip("\n")
    first = plain[0]
    if style == '"' and first != '"':
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if first not in "'\"" and (style == "'" or (is_flow and _FLOW_INDICATOR(value))):
        return "'" + value.replace("'", "''") + "'"
    return plain


def in_block(value: Any, style: str, in_sequence: bool, one_line: bool = False) -> tuple[str, list[str]]:
    """A value in a YAML block: what stands beside its key or dash, and the lines below, relative to these.

    >>> in_block({"a": 1}, "", False), in_block({"a": 1, "b": 2}, "", True), in_block("no", "'", False)
    (('', ['  a: 1']), ('a: 1', ['  b: 2']), ("'no'", []))
    """
    if one_line:
        return _yaml_flow(value, style), []
    takes_lines = "\n" in value if type(value) is str else type(value) in (dict, list) and bool(value)
    if not takes_lines:
        return line(value, style, False), []
    key = None if in_sequence else "k"
    first, *others = block_lines(key, value)
    return first[2:].lstrip(" "), others


def block_lines(key: str | None, value: Any, one_line: bool = False) -> list[str]:
    """The lines of an entry of a YAML block; a key of `None` is a list item.

    >>> block_lines(None, [1, 2]), block_lines("a", {"b": "c\\nd"}, one_line=True)
    (['- - 1', '  - 2'], ['a: {b: "c\\\\nd"}'])
    """
    if one_line:
        return f"{opening_of(key)} {_yaml_flow(value, '')}".split("\n")
    return dump_yaml([value] if key is None else {key: value})[:-1].split("\n")


def opening_of(key: str | None) -> str:
    """What an entry of a YAML block begins with: its key and the colon, or the dash of a list item.

    >>> opening_of("a"), opening_of(None)
    ('a:', '-')
    """
    if key is None:
        return "-"
    return dump_yaml({key: 0}).removesuffix(" 0\n")


def pad_lines(lines: list[str], pad: str) -> str:
    """The lines, each after a line break and `pad`; an empty one stays empty."""
    return "".join(f"\n{text}" for text in indent_lines(lines, pad))


def indent_lines(lines: list[str], pad: str) -> list[str]:
    """The lines behind `pad`; an empty one stays empty."""
    return [text and pad + text for text in lines]
