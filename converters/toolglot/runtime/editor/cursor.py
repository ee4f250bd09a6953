"""Which entry of a document a place in its text belongs to, also where the text is broken, as it is while one types.

Only what stands before the place counts, and its own line: no parser reads `ver` in a line of its own. JSON and the
brackets of YAML are read token by token, blocks of YAML line by line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from toolglot.converter.text.serialization import LINED

_MOST_CHARACTERS = 1_000_000  # before the place, read again at every question; half a second of JSON
_TOKEN = re.compile(r"""[\[\]{},:]|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s\[\]{},:"']+""")
_QUOTED_KEY = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*')(?=[ \t]*:)""")
_COLON = re.compile(r":(?=[ \t\r]|$)")
_BLOCK_TEXT = re.compile(r"(?:[&!]\S*[ \t]+)*[|>]")


class TextCursor(NamedTuple):
    """The entry at a place.

    Attributes:
        path: the keys and indexes that lead to it from the outermost value; the last is the key itself, as far as it is
            written.
        is_key: whether the place is in its key, or where one may be begun.
        start, end: the key or the value there; both are the place where nothing is written yet.
        is_flow: whether it stands in brackets, where YAML too has commas.
    """

    path: tuple[str, ...]
    is_key: bool
    start: int
    end: int
    is_flow: bool


class _YamlStep(NamedTuple):
    """A key or an item on the way to a line: the column that it begins at, and what leads to it."""

    column: int
    token: str
    is_item: bool


def find_cursor(text: str, offset: int, name: str) -> TextCursor | None:
    """The entry at an offset; `None` in Markdown, in a comment, and where there is no data.

    Args:
        name: the file's name, which says whether each line is a document.

    >>> text = "---\\nid: a\\nretry:\\n  max"
    >>> find_cursor(text, len(text), "TOOL.md").path
    ('retry', 'max')
    >>> find_cursor('{"tools": [{}, {"na', 18, "a.json").path
    ('tools', '1', 'na')
    """
    start = 0
    prefix: tuple[str, ...] = ()
    if name.lower().endswith(LINED):
        start, prefix = text.rfind("\n", 0, offset) + 1, ("0",)
    if offset - start > _MOST_CHARACTERS:
        return None
    data = text[start:].lstrip()
    if data.startswith(("{", "[")):
        found = _in_brackets(text, len(text) - len(data), offset, prefix)
        return found if isinstance(found, TextCursor) else None
    if data.startswith("---"):
        start = text.find("\n", start) + 1
        closing = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE).search(text, start)
        if not start or offset < start or (closing and offset >= closing.start()):
            return None
    return _in_lines(text, start, offset)


def _in_brackets(text: str, start: int, offset: int, path: tuple[str, ...]) -> TextCursor | int:
    """The entry at an offset in a value that begins with a bracket, or where that value ends before.

    Args:
        path: the keys that lead to the value.
    """
    open_brackets: list[str] = []
    keys: list[str] = []  # in each of these the key or the index that it has come to
    is_key = False  # whether the next word is the key of an entry
    at = end = offset
    for token in _TOKEN.finditer(text, start):
        at, end = token.span()
        word = token[0]
        is_mark = word in "[]{},:"
        if at >= offset or (end >= offset and not is_mark):
            break
        if word in "[{":
            open_brackets.append(word)
            keys.append("0" if word == "[" else "")
            is_key = word == "{"
        elif word in "]}":
            open_brackets.pop()
            keys.pop()
            if not open_brackets:
                return end
            is_key = False
        elif word == ",":
            is_key = open_brackets[-1] == "{"
            keys[-1] = "" if is_key else str(int(keys[-1]) + 1)
        elif word == ":":
            is_key = False
        elif is_key:
            keys[-1] = word.strip("\"'")
    else:
        at = end = offset
    if at > offset or text[at:end] in tuple("[]{},:"):
        at = end = offset
    if is_key:
        keys[-1] = text[at:end].strip("\"'")
    return TextCursor((*path, *keys), is_key, at, end, is_flow=True)


def _in_lines(text: str, start: int, offset: int) -> TextCursor | None:
    """The entry at an offset in blocks of YAML that begin at `start`."""
    steps: list[_YamlStep] = []
    text_column = -1  # of the key whose text stands in the lines below it; -1: there is none
    while True:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].rstrip("\r")
        content = line.lstrip(" ")
        column = len(line) - len(content)
        is_last = offset <= end
        if is_last and not content:
            column = offset - start
        if column > text_column >= 0 and (content or not is_last):
            if is_last:
                return TextCursor(_path_of(steps), False, offset, offset, is_flow=False)
        elif (content and not content.startswith("#")) or is_last:
            text_column = -1
            found = _read_line(text, start + column, start + len(line), offset, column, steps)
            if isinstance(found, TextCursor):
                return found
            if found > end:  # brackets that end in a later line
                end = text.find("\n", found)
                end = len(text) if end < 0 else end
            elif _BLOCK_TEXT.match(text, found):
                text_column = steps[-1].column
        if is_last:
            return None
        start = end + 1


def _read_line(text: str, at: int, end: int, offset: int, column: int, steps: list[_YamlStep]) -> TextCursor | int:
    """The entry at an offset in a line; where that is further below, the value that the line ends in.

    Args:
        at, end: the content of the line.
        column: that of `at`.
        steps: the way to the line before, which becomes the way to this one.
    """
    while text[at : at + 1] == "-" and (at + 1 == end or text[at + 1] in " \t") and at < offset:
        index = 0
        while steps and steps[-1].column >= column and (steps[-1].column > column or steps[-1].is_item):
            step = steps.pop()
            index = int(step.token) + 1 if step.is_item and step.column == column else 0
        steps.append(_YamlStep(column, str(index), is_item=True))
        after = at + 1
        while after < end and text[after] in " \t":
            after += 1
        at, column = after, column + after - at
    while steps and steps[-1].column >= column:
        steps.pop()
    key, colon = _key_in(text, at, end)
    if colon is None and (at < end or offset <= end):
        is_value = text[at : at + 1] in tuple("[{")
        if is_value or offset > end:
            return _in_value(text, at, end, offset, steps)
        return TextCursor(
            (*_path_of(steps), text[at:end].strip()), True, min(at, offset), max(end, offset), is_flow=False
        )
    if colon is None:
        return end
    steps.append(_YamlStep(column, key, is_item=False))
    if offset <= colon:
        return TextCursor(_path_of(steps), True, at, colon, is_flow=False)
    after = colon + 1
    while after < end and text[after] in " \t":
        after += 1
    return _in_value(text, after, end, offset, steps)


def _in_value(text: str, at: int, end: int, offset: int, steps: list[_YamlStep]) -> TextCursor | int:
    """The entry at an offset in the value that a line ends in; where that is further below, where the value is."""
    if text[at : at + 1] in tuple("[{"):
        found = _in_brackets(text, at, offset, _path_of(steps))
        if isinstance(found, TextCursor) or offset > end:
            return found
    if offset > end:
        return at
    comment = re.compile(r"(?:^|[ \t]+)#").search(text, at, end)
    end = comment.start() if comment else end
    return TextCursor(_path_of(steps), False, min(at, offset), max(end, offset), is_flow=False)


def _key_in(text: str, at: int, end: int) -> tuple[str, int | None]:
    """The key that the content of a line begins with, and where its colon is; `None` where it has none."""
    quoted = _QUOTED_KEY.match(text, at, end)
    if quoted is None and text[at : at + 1] in tuple("[{\"'#"):
        return "", None
    colon = _COLON.search(text, quoted.end() if quoted else at, end)
    if colon is None:
        return "", None
    key = text[at : colon.start()].strip()
    return (key[1:-1] if quoted else key), colon.start()


def _path_of(steps: list[_YamlStep]) -> tuple[str, ...]:
    return tuple([step.token for step in steps])
