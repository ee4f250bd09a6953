"""What result files may be called, and where they may lie.

Names made from ids are untrusted: an id can be `../../.bashrc`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress

from toolglot.converter.text.digests import hex_digest
from toolglot.errors import UsageError
from toolglot.regexes import compile_later

NAME_LIMIT = 100

_VERBATIM = "\\\\?\\"

LONGEST_PATH = 4_096
"""Characters. Linux opens no longer path, and the time to look for links in one grows with the square of its length:
a path of 800,000 took twenty seconds."""


def is_inside(path: str, folder: str) -> bool:
    """Whether `path`, its links followed, lies in `folder`; one that no system opens lies nowhere."""
    if len(path) > LONGEST_PATH:
        return False
    try:
        root, real = os.path.realpath(folder), os.path.realpath(path)
        return os.path.commonpath([root, real]) == root
    except ValueError:  # different drives, or a name that no system has
        return False


def path_from(folder: str, path: str) -> str:
    """The path from a folder, with `/` on every system; the whole path where that folder is on another drive.

    >>> path_from("/srv", "/srv/a/b.json")
    'a/b.json'
    """
    with suppress(ValueError):  # different drives
        path = os.path.relpath(path, folder)
    return portable_path(path)


def portable_path(path: str, separator: str = os.sep) -> str:
    r"""The path with `/` between its folders, which Windows takes as well.

    A path that begins with `\\?\` stays: Windows takes it as it is written, and `/` would be part of a name.

    Args:
        separator: what parts the folders in it; by default what this system writes.

    >>> print(portable_path("a\\b.json", separator="\\"), portable_path("\\\\?\\C:\\b", separator="\\"))
    a/b.json \\?\C:\b
    """
    return path if path.startswith(_VERBATIM) else path.replace(separator, "/")


def path_in(folder: str, *names: str) -> str:
    """The path of what a folder holds, as messages and reports of every system have it.

    >>> path_in("tools", "mail", "TOOL.md"), path_in("", "TOOL.md")
    ('tools/mail/TOOL.md', 'TOOL.md')
    """
    return portable_path(os.path.join(folder, *names))


def folders_upward(folder: str) -> Iterator[str]:
    """A folder, and those above it, the nearest first."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def printable_path(path: str) -> str:
    """The path for messages and reports: names that are not UTF-8 would be half characters in JSON."""
    return os.fsencode(path).decode("utf-8", "replace")


_BAD = compile_later(r'[<>:"|?*\\/]+')
_RESERVED = compile_later(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE)


def avoid_device_name(name: str) -> str:
    """The name of a file, with `_` before one that Windows takes for a device, whatever its ending.

    >>> avoid_device_name("con.tool.json"), avoid_device_name("console")
    ('_con.tool.json', 'console')
    """
    return f"_{name}" if _RESERVED.fullmatch(name) else name


def _safe_name(name: str) -> str:
    """One part of a path that every system takes for a plain name; at most 100 characters.

    >>> _safe_name(".."), _safe_name("mcp:fs.rm"), _safe_name("nul.txt"), _safe_name(".bashrc")
    ('_', 'mcp-fs.rm', '_nul.txt', '_bashrc')
    """
    plain = _BAD.sub("-", "".join(map(_printable, name))).rstrip(" .")
    if not plain or plain[0] in " .":
        plain = "_" + plain.lstrip(" .")
    plain = avoid_device_name(plain)
    # Most systems count bytes, and stop at 255.
    if len(plain) <= NAME_LIMIT and len(plain.encode("utf-8", "replace")) <= 2 * NAME_LIMIT:
        return plain
    head, extension = os.path.splitext(plain)
    if len(extension) > 8:
        extension = ""
    room = NAME_LIMIT - len(extension) - 9
    head = head[:room].encode("utf-8", "replace")[: 2 * room].decode("utf-8", "ignore")
    return f"{head.rstrip(' .')}-{hex_digest(name, 8)}{extension}"


def _printable(char: str) -> str:
    return char if char.isprintable() else "-"


def paths_below(folder: str, names: Iterable[str], requests: Counter[str] | None = None) -> list[str]:
    """Paths below `folder` for relative names that nobody checked; two names never share a path.

    Args:
        requests: how often earlier calls wanted each path, in lower case; those of this call are counted too.

    Raises:
        UsageError: a link in the folder leads out of it.

    >>> [os.path.relpath(path, "/out") for path in paths_below("/out", ["../a/TOOL.md", "a:b", "a-b"])]
    ['_/a/TOOL.md', 'a-b', 'a-b-3cef4a88']
    """
    if requests is None:
        requests = Counter()
    paths = []
    for name in names:
        parts = [_safe_name(part) for part in name.split("/") if part] or ["_"]
        while True:
            key = os.path.join(*parts).casefold()
            requests[key] += 1
            if requests[key] == 1:
                break
            # Not by the number of all paths: with one more file it would have another name in the next run. It goes
            # into the name of the folder, so that the file keeps its own.
            head, extension = os.path.splitext(parts[0]) if len(parts) == 1 else (parts[0], "")
            parts[0] = f"{head}-{hex_digest(f'{name}{requests[key]}', 8)}{extension}"
        path = path_in(folder, *parts)
        if not is_inside(path, folder):
            raise UsageError("a link leads out of the folder; nothing was written", "outside-folder", source=path)
        paths.append(path)
    return paths


def below(path: str, folder: str) -> str | None:
    """The way from a folder down to a path, both absolute and without links; `None` where there is none.

    >>> below("/a/b/c", "/a"), below("/a", "/a"), below("/ab", "/a")
    ('b/c/', '', None)
    """
    if path == folder:
        return ""
    head = folder if folder.endswith(os.sep) else folder + os.sep
    if not path.startswith(head):
        return None
    return portable_path(path[len(head) :]) + "/"


def shortest(path: str) -> str:
    """A path for a message: from the current folder where it lies below, as it is elsewhere."""
    inner = below(path, os.path.realpath(os.curdir))
    return inner.removesuffix("/") if inner else path
