"""JSON with comments, as editors keep their settings: the same text as plain JSON, every place where it was."""

from __future__ import annotations

import re

# Strings are stepped over, so that nothing in one is taken for a comment. A comment without an end goes to the end.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*(?:.*?\*/|.*)|[^\s"/]|[/"]', re.DOTALL)
_VISIBLE = re.compile(r"[^\r\n]")


def blank_comments(text: str) -> str:
    r"""The text with blanks in place of comments and of commas before a closing bracket; lines and columns stay.

    >>> blank_comments('{"a": 1, // one\n}')
    '{"a": 1        \n}'
    """
    parts: list[str] = []
    end, comma = 0, None  # the place of a comma among the parts, while nothing but blanks and comments followed
    for token in _TOKEN.finditer(text):
        parts.append(text[end : token.start()])
        end, word = token.end(), token[0]
        if word.startswith(("//", "/*")):
            parts.append(_VISIBLE.sub(" ", word))
            continue
        if word in "]}" and comma is not None:
            parts[comma] = " "
        comma = len(parts) if word == "," else None
        parts.append(word)
    return "".join([*parts, text[end:]])
