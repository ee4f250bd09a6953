"""A folder of generated files: what changed is written, what is gone is taken away, what is anybody else's stays.

The folder says itself what was generated: `LEDGER` has the hash of every file. A file that is not in it, or was edited
since, is never replaced and never taken away.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from toolglot.converter.files import writing
from toolglot.converter.files.commit import Commit, commit
from toolglot.converter.files.names import is_inside, path_from, path_in, paths_below
from toolglot.converter.files.temporaries import remove_leftovers
from toolglot.converter.text.digests import sha256_of
from toolglot.converter.text.document_reader import Limits, load, read_file
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import Error, UsageError, WriteError

LEDGER = "toolglot-files.json"
_LIMITS = Limits(max_bytes=1 << 30, max_nodes=1 << 30)  # of a file that is looked into


class FolderChanges(NamedTuple):
    """What would change in a folder.

    Attributes:
        texts: path -> new content, in the order in which it is written.
        stale: paths of generated files that are generated no more.
        before: path below the folder -> hashes of what was generated last, with a blank between them.
        after: the same for what is generated now.
    """

    folder: str
    texts: dict[str, str]
    stale: list[str]
    before: dict[str, str]
    after: dict[str, str]

    def __bool__(self) -> bool:
        return bool(self.texts or self.stale)


def changes_in(folder: str, files: Sequence[tuple[str, str]]) -> FolderChanges:
    """What it takes for a folder to hold generated files.

    Args:
        files: their paths below the folder, and their texts.

    Raises:
        UsageError: a link leads out of the folder, or something else has the name of the ledger.
    """
    paths = paths_below(folder, [name for name, _ in files])
    texts = {path: text for path, (_, text) in zip(paths, files, strict=True)}
    before = _read_ledger(folder)
    after = {path_from(folder, path): _hash(_encode(text)) for path, text in texts.items()}
    new_texts = {path: text for path, text in texts.items() if not writing.has_content(path, _encode(text))}
    stale: list[str] = []
    for name in before.keys() - after.keys():
        path = path_in(folder, *name.split("/"))
        if is_inside(path, folder) and not os.path.islink(path) and _is_generated(path, folder, before):
            stale.append(path)
    return FolderChanges(folder, new_texts, stale, before, after)


def find_generated(paths: Iterable[str], folder: str) -> set[str]:
    """Those of some files that lie in a folder and hold what was generated there last.

    Raises:
        UsageError: something else has the name of the ledger.
    """
    ledger = _read_ledger(folder)
    if not ledger:
        return set()
    root = os.path.realpath(folder)
    return {path for path in paths if is_inside(path, root) and _is_generated(os.path.realpath(path), root, ledger)}


def is_whole(folder: str) -> bool:
    """Whether a folder holds what was generated last: there was such a run, and none was killed in the middle.

    Raises:
        UsageError: something else has the name of the ledger.
    """
    ledger = _read_ledger(folder)
    return bool(ledger) and not any(" " in hashes for hashes in ledger.values())


def write_changes(changes: FolderChanges) -> None:
    """Carry changes out, all or none. A run that is killed meanwhile is completed by the next one.

    Raises:
        UsageError: a file that would be replaced was not generated, or was edited; nothing was written.
        WriteError: the system refuses a file, or another run wrote here meanwhile (code `"changed-meanwhile"`).
    """
    root = os.path.realpath(changes.folder)
    with commit(root) as files:
        if _read_ledger(changes.folder) != changes.before:
            message = "another run wrote here meanwhile; nothing was written; run the command again when it is done"
            raise WriteError(message, "changed-meanwhile", source=changes.folder)
        for path in changes.texts:
            if os.path.lexists(path) and not _is_generated(path, changes.folder, changes.before):
                raise _foreign_file(path)
        paths = [*(path_in(root, *name.split("/")) for name in changes.after), *changes.stale]
        for folder in {root, *map(os.path.dirname, paths)}:
            remove_leftovers(os.path.realpath(folder))
        ledger = os.path.join(changes.folder, LEDGER)
        if changes.before != changes.after:
            # A file belongs to us before it is there, for the run may be killed between the two.
            both = {path: f"{changes.before.get(path, '')} {new}" for path, new in changes.after.items()}
            _put_ledger(ledger, {**changes.before, **both}, files)
        for path, text in changes.texts.items():
            files.put(path, _encode(text))
        for path in changes.stale:
            files.remove(path)
        _put_ledger(ledger, changes.after, files)


def _is_generated(path: str, folder: str, ledger: Mapping[str, str]) -> bool:
    """Whether a file holds what was generated last."""
    try:
        return _hash(read_file(path, _LIMITS)) in ledger.get(path_from(folder, path), "").split()
    except Error:
        return False


def _read_ledger(folder: str) -> dict[str, str]:
    """What was generated last; nothing where nothing was. It may come from anybody.

    Raises:
        UsageError: the file is something else.
    """
    path = os.path.join(folder, LEDGER)
    if not os.path.lexists(path):
        return {}
    try:
        data: Any = load(read_file(path, _LIMITS), LEDGER, _LIMITS).data
        return {str(name): str(hashes) for name, hashes in data["files"].items()}
    except (Error, TypeError, KeyError, AttributeError):
        raise _foreign_file(path) from None


def _foreign_file(path: str) -> UsageError:
    message = "there is something else, or it was edited; nothing was written; move it away"
    return UsageError(message, "file-exists", source=path)


def _put_ledger(path: str, hashes: Mapping[str, str], files: Commit) -> None:
    files.put(path, dump_json({"toolglot": 1, "files": dict(sorted(hashes.items()))}).encode())


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _hash(data: bytes) -> str:
    return sha256_of(data)[:32]
