"""Which files a command line means: paths, folders that are walked, glob patterns, and `-`.

Folders are read without following links to folders, so that a loop ends; what is left out, and why, is told to whoever
asks. Nothing here opens a source: whether a file is a tool description is for its content to say.
"""

from __future__ import annotations

import errno
import glob
import os
import re
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase, translate
from itertools import count, islice
from typing import NamedTuple

from toolglot.cli.discovery.places import BY_DEFAULT, EXCLUDED, STDIN, Ignored, Place, Selection, Surveyor, below
from toolglot.errors import ReadError, system_reason

__all__ = ["DETECTED", "EXCLUDED", "Hidden", "Selection", "SourceFile", "find", "is_pattern", "unreached"]

# What is looked into, whatever its name says.
DETECTED = ("*.json", "*.jsonl", "*.ndjson", "*.jsonl.gz", "*.ndjson.gz", "*.yaml", "*.yml", "*.md")
MAX_DEPTH = 100
"""Folders within folders; a path of more says that something went wrong when the tree was made."""

MAX_PEEKS = 50
"""Hidden folders that are looked into to say that they are passed over: `_PEEKED` folders and `_SHOWN` files each."""

_PEEKED = 100
_SHOWN = 20


def is_pattern(source: str) -> bool:
    """Whether a source is a glob pattern; what exists is no pattern, even if it looks like one."""
    return glob.has_magic(source) and not os.path.lexists(source)


class SourceFile(NamedTuple):
    """A file that a command line means.

    Attributes:
        path: the file, or `-`.
        relative: its path from the folder that was walked; the bare name where the file was named itself.
        named: whether the user named it, so that it must be a tool description.
        claimed: whether its name is one that a format usually has.
        fault: why there is nothing to open, such as a folder that cannot be read; `None` for a file.
        real: its absolute path without links, as it was when it was found; empty for what is no file.
        content: its bytes where they are not on the disk (a file of a revision), or why they cannot be read.
    """

    path: str
    relative: str
    named: bool
    claimed: bool
    fault: str | None = None
    real: str = ""
    content: bytes | ReadError | None = None


EVERYDAY = Selection()

Hidden = Callable[[str, Sequence[SourceFile]], None]
"""Called with a hidden folder that is passed over because nobody asked for it, and files in it that may be tools."""


def _unsaid(path: str, reason: str) -> None:
    """Nobody asks why."""


def _unseen(folder: str, files: Sequence[SourceFile]) -> None:
    """Nobody asks what is in it."""


def find(
    sources: Iterable[str],
    patterns: Sequence[str],
    selection: Selection = EVERYDAY,
    ignored: Ignored = _unsaid,
    hidden: Hidden = _unseen,
) -> list[SourceFile]:
    """Every file that the sources mean, each once, sorted by the parts of its path; stdin, which may wait, is last.

    Args:
        sources: paths, patterns or `-`. What exists is taken as it is, even if it looks like a pattern.
        patterns: the file names that formats usually have.
        selection: what is left out.
        ignored: is told about every candidate that is left out, and about patterns that are broken.
        hidden: is told about hidden folders that hold candidates and are passed over although git does not ignore
            them; the likeliest tools come first.
    """
    finder = _Finder(patterns, selection, ignored)
    found: dict[str, SourceFile] = {}
    for source in sources:
        for real, item in finder.look_at(source):
            found[real] = _better(found[real], item, ignored) if real in found else item
    if hidden is not _unseen:
        for folder, files in _Finder(patterns, selection, _unsaid).peek(finder.hidden):
            hidden(folder, files)
    placed = [item._replace(real="" if item.path == STDIN else real) for real, item in found.items()]
    return sorted(placed, key=lambda item: (item.path == STDIN, _parts(item.path)))


def unreached(selection: Selection) -> Iterator[tuple[str, str, str]]:
    """The folders that `include` names and no walk comes to: each with the one above it that is left out, and why."""
    surveyor = Surveyor(selection, _unsaid)
    base = os.path.dirname(selection.include_from or "")
    _, outside = surveyor.place(_plain(base))
    for pattern in () if outside else selection.include:
        parts = [part for part in pattern.split("/") if part]
        if os.path.isdir(os.path.join(base, *parts)):
            above = (os.path.join(base, *parts[:depth]) for depth in range(1, len(parts)))
            reasons = ((folder, surveyor.place(folder)[1]) for folder in above)
            yield from islice(((pattern, folder, reason) for folder, reason in reasons if reason), 1)


def _better(first: SourceFile, second: SourceFile, ignored: Ignored) -> SourceFile:
    """Which of two ways to the same file counts: the one that the user named, or the one that is no link."""
    kept, other = sorted((first, second), key=lambda item: (not item.named, os.path.islink(item.path)))
    if kept.path != other.path:
        ignored(other.path, f"the same file as {kept.path}")
    return kept


class _Finder:
    """One search.

    Args:
        patterns, selection, ignored: as for `find`.
    """

    def __init__(self, patterns: Sequence[str], selection: Selection, ignored: Ignored) -> None:
        self._claims = _union(patterns)
        self._candidates = _union((*patterns, *DETECTED))
        self._forced = selection.force_exclude
        self._surveyor = Surveyor(selection, ignored)
        self._ignored = ignored
        self._left_out = 0
        self.hidden: list[Place] = []
        """Hidden folders that were left out because nobody asked for them."""

    def look_at(self, source: str) -> Iterator[tuple[str, SourceFile]]:
        """What one source means: each file, and its path without links."""
        if source == STDIN:
            yield STDIN, SourceFile(STDIN, "stdin", named=True, claimed=False)
        elif is_pattern(source):
            yield from self._matches(source)
        elif os.path.isdir(source):
            yield from self._folder(source)
        else:
            yield from self._file(source)

    def peek(self, places: Iterable[Place]) -> Iterator[tuple[str, list[SourceFile]]]:
        """The folders among `places` that hold candidates, and some of these; the walk is bounded."""
        for place in islice(places, MAX_PEEKS):
            walk = islice(self._walk(place, self._is_candidate, most=_PEEKED), 10 * _SHOWN)
            files = [item for _, item, is_folder in walk if not is_folder and item.fault is None]
            if files:
                yield place.path, sorted(files, key=lambda item: not item.claimed)[:_SHOWN]

    def _file(self, path: str) -> Iterator[tuple[str, SourceFile]]:
        folder, name = os.path.split(path)
        if self._forced:
            place, reason = self._surveyor.place(folder)
            if reason := reason or self._surveyor.with_own(place).refusal(name, folder=False):
                self._skip(path, reason)
                return
        yield os.path.realpath(path), self._found(path, name)._replace(named=True)

    def _folder(self, folder: str) -> Iterator[tuple[str, SourceFile]]:
        place, reason = self._surveyor.place(_plain(folder))
        if self._forced and reason:
            self._skip(folder, reason)
            return
        for real, item, is_folder in self._walk(place, self._is_candidate):
            if not is_folder:
                yield real, item

    def _matches(self, pattern: str) -> Iterator[tuple[str, SourceFile]]:
        """The files that a pattern names, and those in the folders that it names.

        The standard library would follow links to folders, of which two that lead upwards never end.
        """
        parts = _parts(pattern)
        fixed = next(index for index, part in enumerate(parts) if glob.has_magic(part))
        root, segments = os.sep.join((*parts[:fixed], "")), [part for part in parts[fixed:] if part]
        found: list[tuple[str, SourceFile]] = []
        left_out = self._left_out
        if os.path.isdir(root or os.curdir):
            place, _ = self._surveyor.place(_plain(root))
            deepest = MAX_DEPTH if "**" in segments else len(segments) - 1
            for real, item, is_folder in self._walk(
                place, lambda path: _fits(path.split("/"), segments), deepest, segments
            ):
                if not is_folder:
                    found.append((real, item._replace(relative=os.path.basename(item.path), named=True)))
                elif segments[-1] != "**":  # which means the files inside already
                    found += self._folder(item.path)
        if not found and left_out == self._left_out:
            found += self._file(pattern)  # there is none; opening it says so
        yield from found

    def _walk(
        self,
        root: Place,
        wanted: Callable[[str], bool],
        deepest: int = MAX_DEPTH,
        spelled: Sequence[str] = (),
        most: int | None = None,
    ) -> Iterator[tuple[str, SourceFile, bool]]:
        """What lies below a place and is not left out: its path without links, what it is, whether it is a folder.

        Args:
            wanted: whether a path from the root, with `/`, is one to yield.
            deepest: how many folders down to go.
            spelled: names of folders that the user wrote, so that no pattern leaves them out.
            most: how many folders to look into at most.
        """
        places = deque([root])
        for _ in count() if most is None else range(most):
            if not places:
                return
            place = places.popleft()
            try:
                with os.scandir(place.path or os.curdir) as scanned:
                    entries = sorted(scanned, key=lambda entry: entry.name)
            except OSError as error:
                fault = f"the folder cannot be read: {system_reason(error)}"
                yield place.real, self._found(place.path, place.path)._replace(fault=fault), False
                continue
            if any(entry.name == ".gitignore" for entry in entries):
                place = self._surveyor.with_own(place)
            within = place.inner[len(root.inner) :]
            for entry in entries:
                name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
                is_wanted = wanted(within + name)
                if not is_folder and not is_wanted and not (entry.is_symlink() and os.path.isdir(entry.path)):
                    continue
                path = os.path.join(place.path, name)
                refusal = None if name in spelled else place.refusal(name, is_folder)
                real = os.path.join(place.real, name)
                if entry.is_symlink():
                    real = os.path.realpath(real)
                if trouble := refusal or _oddity(entry, real, root):
                    self._skip(path, trouble)
                    if is_folder and _is_unasked(place, name, refusal):
                        self.hidden.append(place.step(name))
                    continue
                if is_wanted:
                    yield real, self._found(path, within + name), is_folder
                if is_folder and place.depth == MAX_DEPTH:
                    deep = self._found(path, within + name)._replace(fault=f"more than {MAX_DEPTH} folders deep")
                    yield os.path.join(place.real, name), deep, False
                elif is_folder and place.depth < deepest:
                    places.append(place.step(name))

    def _is_candidate(self, path: str) -> bool:
        return self._candidates.match(path, path.rfind("/") + 1) is not None

    def _found(self, path: str, relative: str) -> SourceFile:
        name = path.rfind(os.sep) + 1
        # A hidden file is somebody's settings, such as the list of the servers that a client uses.
        claimed = path[name : name + 1] != "." and self._claims.match(path, name) is not None
        return SourceFile(path, relative.replace("/", os.sep), named=False, claimed=claimed)

    def _skip(self, path: str, reason: str) -> None:
        self._left_out += 1
        self._ignored(path, reason)


def _is_unasked(place: Place, name: str, refusal: str | None) -> bool:
    """Whether a folder is left out for no other reason than that it is hidden."""
    by_default = refusal is not None and refusal.startswith(f"excluded by {BY_DEFAULT}:")
    return by_default and name.startswith(".") and place.ignored(name, folder=True) is None


def _oddity(entry: os.DirEntry[str], real: str, root: Place) -> str | None:
    """Why an entry, whose path without links is `real`, cannot be read as a file or folder of the root, or `None`."""
    if not entry.is_symlink():
        is_plain = entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)
        return None if is_plain else "not a regular file"
    if below(real, root.real) is None:
        return f"a link that leads out of {root.path or os.curdir}"
    try:
        mode = os.stat(real).st_mode
    except OSError as error:
        return None if error.errno == errno.EACCES else "a link that leads nowhere"  # opening it says what is wrong
    if stat.S_ISDIR(mode):
        return "a link to a folder"
    return None if stat.S_ISREG(mode) else "not a regular file"


def _fits(parts: Sequence[str], segments: Sequence[str]) -> bool:
    """Whether a path is one that a shell would put in place of a pattern; `**` is any number of folders."""
    reached = _beyond({0}, segments)
    for part in parts:
        following = set()
        for index in reached - {len(segments)}:
            segment = segments[index]
            if segment == "**" and not part.startswith("."):
                following.add(index)
            elif segment != "**" and _names(segment, part):
                following.add(index + 1)
        reached = _beyond(following, segments)
    return len(segments) in reached


def _names(segment: str, part: str) -> bool:
    """Whether a segment means a name; a hidden one only if it is itself written with the dot."""
    return fnmatchcase(part, segment) and (segment.startswith(".") or not part.startswith("."))


def _beyond(reached: set[int], segments: Sequence[str]) -> set[int]:
    """The places in a pattern, and those behind every `**` that begins at one of them: it may be nothing at all."""
    out = set(reached)
    for index in sorted(reached):
        while index < len(segments) and segments[index] == "**":
            index += 1
            out.add(index)
    return out


def _union(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, dict.fromkeys(patterns))) or "(?!)")


def _plain(folder: str) -> str:
    """A folder without needless parts; `..` stays, because what it leads to after a link is for the system to say."""
    kept = [part for part in _parts(folder) if part not in ("", os.curdir)]
    return (os.sep if folder.startswith(os.sep) else "") + os.sep.join(kept)


def _parts(path: str) -> list[str]:
    return path.replace("/", os.sep).split(os.sep)
