"""Secrets of Kubernetes in a text, as YAML writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolglot.runtime.bridge.redaction.names_in_text import TextSpan
from toolglot.runtime.bridge.redaction.secret_values import stands_elsewhere

_LINE = re.compile(r"^([ ]*(?:- )?)([^\n]*)", re.MULTILINE)
_KIND = re.compile(r"kind:[ \t]{1,8}[\"']?Secret[\"']?[ \t\r]*")
_DEEPEST = 40  # columns; nobody nests a manifest further, and every depth costs a look at the lines around it
_ENTRY = re.compile(
    r"""^([ ]+)[^\s:\#-][^\n:]*:[ \t]+
        (?: [|>][+-]?[ \t]*\n (?P<block> \1[ ]+[^\n]*+ (?: \n\1[ ]+[^\n]*+ )*+ )
          | ["']?(?P<value> [^\s"'|>][^\n"']*+ ) )""",
    re.VERBOSE | re.MULTILINE,
)


def manifest_spans(text: str) -> Iterator[TextSpan]:
    """The values below `data` and `stringData` of each object of the kind Secret, wherever its kind stands.

    >>> text = "kind: Secret\\ndata:\\n  password: aHVudGVyMg==\\n"
    >>> [text[start:end] for start, end in manifest_spans(text)]
    ['aHVudGVyMg==']
    """
    if not _KIND.search(text):
        return
    lines = list(_LINE.finditer(text))
    end = 0
    for number, line in enumerate(lines):
        column = len(line[1])
        if number < end or column > _DEEPEST or not _KIND.fullmatch(line[2]):
            continue
        start, end = _extent(lines, number, column)
        below = rf"^[ -]{{{column}}}(?:data|stringData):[ \t\r]*\n((?:[ ]{{{column + 1},}}[^\n]*+(?:\n|\Z))*+)"
        for block in re.compile(below, re.MULTILINE).finditer(text, lines[start].start(), lines[end - 1].end()):
            for entry in _ENTRY.finditer(text, *block.span(1)):
                group = "block" if entry["block"] else "value"
                if not stands_elsewhere(entry[group]):
                    yield entry.span(group)


def _extent(lines: list[re.Match[str]], number: int, column: int) -> tuple[int, int]:
    """The lines of the object that has a key at `column` on one of its lines."""

    def belongs(line: re.Match[str]) -> bool:
        return len(line[1]) >= column and not line[2].startswith(("---", "..."))

    start = number
    while start and not lines[start][1].endswith("- ") and belongs(lines[start - 1]):
        start -= 1
    end = number + 1
    while end < len(lines) and belongs(lines[end]) and not (len(lines[end][1]) == column and "-" in lines[end][1]):
        end += 1
    return start, end
