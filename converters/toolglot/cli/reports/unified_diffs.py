"""Changes of files as unified diffs: what `git apply` and `patch -p1` take, and people read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from toolglot.cli.terminal import is_coloured, print_result
from toolglot.converter.files.names import portable_path
from toolglot.converter.text.matching import Matcher
from toolglot.errors import escape_unseen

CONTEXT = 3  # unchanged lines around a change
_BOLD = "1"
_COLOURS = {"@": "36", "-": "31", "+": "32"}


def unified_diff(path: str, before: bytes | None, after: bytes) -> str:
    """The change of one file.

    Args:
        path: the file, as it is called from the current folder.
        before: its content in UTF-8; `None` where it appears.
        after: its new content in UTF-8.

    >>> print(unified_diff("a.yaml", b"a: 1\\nb: 2", b"a: 1\\nb: 3\\n"), end="")
    --- a/a.yaml
    +++ b/a.yaml
    @@ -1,2 +1,2 @@
     a: 1
    -b: 2
    \\ No newline at end of file
    +b: 3
    """
    old = "/dev/null" if before is None else _quote(f"a/{_relative_path(path)}")
    header = f"--- {old}\n+++ {_quote(f'b/{_relative_path(path)}')}\n"
    return header + "".join(_hunks(_split_lines(before or b""), _split_lines(after)))


def print_diff(content: str) -> None:
    """A diff on stdout; on a terminal coloured, and with control characters made visible."""
    if not sys.stdout.isatty():
        print_result(content)
        return
    has_colours = is_coloured(sys.stdout)
    print_result("".join(f"{_paint(line, has_colours)}\n" for line in content.split("\n")[:-1]), is_clean=True)


def _paint(line: str, has_colours: bool) -> str:
    plain = escape_unseen(line.removesuffix("\r").replace("\t", "        "))
    code = _COLOURS.get(line[:1])
    if line.startswith(("--- ", "+++ ")):
        code = _BOLD
    return f"\x1b[{code}m{plain}\x1b[0m" if has_colours and code else plain


def _relative_path(path: str) -> str:
    _, rest = os.path.splitdrive(path)
    return portable_path(rest).lstrip("/")


def _quote(name: str) -> str:
    """A name as git writes it: one that could end the line, or is not UTF-8, as a C string."""
    if name.isprintable() and not set(name) & {'"', "\\"}:
        return f"{name}\t" if " " in name else name  # what follows a tab is a date to `patch`, a blank ends nothing
    characters = "".join(map(_escape_byte, os.fsencode(name)))
    return f'"{characters}"'


def _escape_byte(byte: int) -> str:
    if 32 <= byte < 127 and byte not in b'"\\':
        return chr(byte)
    return f"\\{byte:03o}"


def _split_lines(content: bytes) -> list[str]:
    """Lines with their ends; a `\\r` or a separator of Unicode ends none, for `patch` counts as we do."""
    return re.findall(r"[^\n]*\n|[^\n]+", content.decode())


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    for group in Matcher(old, new).get_grouped_opcodes(CONTEXT):
        (_, first, _, other, _), (_, _, last, _, end) = group[0], group[-1]
        yield f"@@ -{_range(first, last)} +{_range(other, end)} @@\n"
        for tag, i, i_end, j, j_end in group:
            if tag == "equal":
                yield from _mark_lines(" ", old[i:i_end])
            else:
                yield from _mark_lines("-", old[i:i_end])
                yield from _mark_lines("+", new[j:j_end])


def _range(start: int, end: int) -> str:
    """A stretch of lines as diffs write it: lines count from 1, no lines from the line before, and one goes unsaid."""
    count = end - start
    if count == 1:
        return f"{start + 1}"
    if count == 0:
        return f"{start},0"
    return f"{start + 1},{count}"


def _mark_lines(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield mark + line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"
