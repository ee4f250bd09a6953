"""Whether a path in the arguments of a call stays in the folder that bounds calls."""

from __future__ import annotations

import os
import re
from typing import Any

from toolglot.converter.files.names import LONGEST_PATH
from toolglot.errors import UsageError
from toolglot.runtime.bridge.violations import name_value

_SURROGATE = re.compile("[\ud800-\udbff]")  # those after them are how Python writes a byte that is no UTF-8
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")  # C:, file:, host:
_DRIVE = re.compile(r"[A-Za-z]:")


def root_as_text(root: Any) -> str | None:
    """The root as text.

    Raises:
        UsageError: it is not the path of a folder (code `bad-root`).
    """
    path = root.__fspath__() if isinstance(root, os.PathLike) else root
    if path is None or (isinstance(path, str) and "\0" not in path and not _SURROGATE.search(path)):
        return path
    raise UsageError(f"expected the path of a folder, found {name_value(path)}", code="bad-root")


def reason_outside(path: str, root: str | os.PathLike[str] | None) -> str | None:
    """Why a path is not, or may not be, inside `root`; `None` where it is.

    Args:
        path: the path as the caller wrote it; a relative one begins at `root`. Backslashes and drive letters are
            refused on every system, because the program may run on another one.
        root: a folder; links are followed where it exists. `None`: only texts that are no path are refused.

    >>> reason_outside("notes/../../etc/passwd", "/srv/work")
    'it goes up with `..`'
    """
    if "\0" in path:
        return "it holds a NUL character"
    if root is None:
        return None
    if len(path) > LONGEST_PATH:
        return f"it has more than {LONGEST_PATH} characters"
    if "\\" in path:
        return "it holds a backslash, which parts folders on some systems; write `/`"
    if path.startswith("~"):
        return "it begins in a home folder"
    if _PREFIX.match(path):
        return "it begins with a drive, a host or a scheme"
    if ".." in path.split("/"):
        return "it goes up with `..`"
    return None if _is_below(path, os.path.abspath(root)) else "it leads elsewhere"


def _is_below(path: str, root: str) -> bool:
    """Whether a path lies below a folder, as written, and as the system resolves it where links could matter."""
    absolute = os.path.normpath(os.path.join(root, path))
    real = os.path.realpath(os.path.join(root, path))
    real_root = os.path.realpath(root)
    # An absolute path may name the root by a link or by what the link means.
    is_named_below = _contains(root, absolute) or _contains(real_root, absolute)
    return is_named_below and _contains(real_root, real)


def _contains(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def looks_like_path(text: str) -> bool:
    """Whether a program may take a text for a path that leads out of its working folder.

    >>> looks_like_path("notes.txt"), looks_like_path("../notes.txt"), looks_like_path("file:///etc/passwd")
    (False, True, True)
    """
    return "/" in text or "\\" in text or text.startswith("~") or text == ".." or bool(_DRIVE.match(text))
