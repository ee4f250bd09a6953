"""What stands where results are to go, before anything is written."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

from toolglot.converter.files.names import portable_path
from toolglot.converter.text.compression import open_unpacked
from toolglot.errors import UsageError


def is_folder(path: str) -> bool:
    """Whether a result at `path` goes below it: an existing folder, or a path that ends like one."""
    return os.path.isdir(path) or portable_path(path).endswith("/")


_DOCUMENTS = (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".md", ".gz", ".zst")


def can_be_folder(path: str) -> bool:
    """Whether several results can go below `path`: a folder, or what is neither a file nor called like a document."""
    return is_folder(path) or not (path.endswith(_DOCUMENTS) or os.path.isfile(path))


def refuse_existing(targets: Iterable[str | None], force: bool = False) -> None:
    """Make sure that writing files destroys nothing.

    Args:
        targets: the paths; `None` where nothing is written to one.

    Raises:
        UsageError: a file exists and `force` is not given, a folder is in the way, or two results share a path.
    """
    paths = list(filter(None, targets))
    real_paths: set[str] = set()
    for path in paths:
        real_path = os.path.realpath(path)
        if real_path in real_paths:
            raise UsageError("two results would be written here; nothing was written", "same-file", source=path)
        real_paths.add(real_path)
        if os.path.isdir(path):
            raise UsageError("a folder is in the way; nothing was written", "file-exists", source=path)
    existing = [path for path in paths if os.path.lexists(path) and not is_device(path)]
    if existing and not force:
        more = f" (and {len(existing) - 1} more)" if len(existing) > 1 else ""
        message = f"the file exists{more}; nothing was written; give --force to replace it"
        raise UsageError(message, "file-exists", source=existing[0])


def is_filled_file(path: str) -> bool:
    """Whether writing `path` would take the place of a file that holds something."""
    return os.path.isfile(path) and os.path.getsize(path) > 0


_LARGEST = 1 << 30  # bytes of an earlier result that is looked into
_PIECE = 1 << 20


_SPELLED_KEYS = {".yaml": "{}:", ".yml": "{}:", ".parquet": "{}"}  # how a key is written; elsewhere as in JSON


def refuse_foreign(path: str, mark: str) -> None:
    """Make sure that writing `path` destroys at most an earlier result of the same kind.

    The name may be a link that came with a repository, and lead to any file of the user.

    Args:
        mark: a key that stands in every such result.

    Raises:
        UsageError: something without it is there; code `"file-exists"`.
    """
    if not os.path.lexists(path) or is_device(path):
        return
    key = _SPELLED_KEYS.get(os.path.splitext(path.lower())[1], '"{}"').format(mark)
    if not _is_empty_or_marked(path, key.encode()):
        message = "there is something else already; nothing was written; move it away, or give another name"
        raise UsageError(message, "file-exists", source=path)


def _is_empty_or_marked(path: str, mark: bytes) -> bool:
    """Whether a file holds nothing, or a mark. It is read in pieces: as a whole it could take a gigabyte of memory."""
    is_empty = True
    piece = b""
    with suppress(OSError), open(path, "rb") as file:
        unpacked = open_unpacked(file)
        with suppress(*unpacked.faults):
            for _ in range(_LARGEST // _PIECE):
                read = unpacked.stream.read(_PIECE)
                if not read:
                    return is_empty
                is_empty = is_empty and not read.strip()
                piece = piece[-len(mark) :] + read
                if mark in piece:
                    return True
    return False


def is_device(path: str) -> bool:
    """Whether a path leads to what has no content of its own, such as a device or a pipe."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
