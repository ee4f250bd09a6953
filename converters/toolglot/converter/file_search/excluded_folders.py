"""Folders on the way down, and the patterns that leave things out of them."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from toolglot.converter.file_search import ignore_rules
from toolglot.converter.file_search.ignore_rules import IgnoreRules
from toolglot.converter.file_search.repositories import repository
from toolglot.converter.files.names import below, path_in, shortest

STDIN = "-"
"""The path that means standard input."""

EXCLUDED = (".*/", "node_modules/", "__pycache__/", "venv/", "site-packages/")
"""What `--exclude` replaces: hidden folders, and those that hold what others wrote."""

HISTORIES = (".git/", ".hg/", ".svn/")
"""What no option opens: a migration that wrote there would damage the repository."""

BY_DEFAULT = "default"
"""What a reason says in place of an option where nobody chose what is left out."""

MAX_GLOBS = 10_000
"""Regular expressions that all `.gitignore` files of one search may need together."""

IgnoredCallback = Callable[[str, str], None]
"""Called with a path that is left out, and the reason."""


class PathFilter(msgspec.Struct, frozen=True):
    """What is left out of folders and of the matches of glob patterns.

    Attributes:
        exclude: patterns as in a `.gitignore`, relative to the current folder, in place of the usual ones.
        extend_exclude: more of what is left out; `!` takes back what `exclude` says.
        force_exclude: whether files and folders that the user names are left out too.
        gitignore: whether `.gitignore` files count.
        exclude_from, extend_exclude_from: the settings file that says the patterns, which are then relative to its
            folder; `None` is the command line.
    """

    exclude: tuple[str, ...] = EXCLUDED
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    gitignore: bool = True
    exclude_from: str | None = None
    extend_exclude_from: str | None = None


class PatternLayer(msgspec.Struct, frozen=True):
    """Patterns, and where the folder that they are relative to lies.

    Attributes:
        rules: the patterns.
        lead: the path from that folder to the top, where it lies above; with a slash at its end, or empty.
        base: the path from the top to that folder, where it lies below; the same.
        reason: what is said of a path that is left out, before the pattern.
        has_numbers: whether the patterns are lines of a file.
    """

    rules: IgnoreRules
    lead: str
    base: str
    reason: str
    has_numbers: bool

    def reason_for(self, inner: str, folder: bool) -> str | None:
        """Why a path from the top is left out; empty where it is not, and `None` where no pattern is about it."""
        path = f"../{inner}"
        if inner.startswith(self.base):
            path = self.lead + inner[len(self.base) :]
        rule = self.rules.match(path, folder)
        if rule is None:
            return None
        if rule.is_negated:
            return ""
        line = f":{rule.line}" if self.has_numbers else ""
        return f'{self.reason}{line}: "{rule.text}"'


class WalkedFolder(msgspec.Struct, frozen=True):
    """A folder on the way down from the top, which is that of the repository where there is one.

    Attributes:
        path: how messages call it; empty is the current folder.
        real: the same without links.
        inner: its path from the top, with a slash at its end, or empty.
        depth: how many folders it is below the one where the search began.
        options, ignores: what is left out inside; of each, the first layer that has a verdict decides.
    """

    path: str
    real: str
    inner: str
    depth: int
    options: tuple[PatternLayer, ...]
    ignores: tuple[PatternLayer, ...]

    def exclusion(self, name: str, folder: bool) -> str | None:
        """Why an entry is left out, or `None`."""
        return _exclusion(self.options, self.inner + name, folder) or self.git_exclusion(name, folder)

    def git_exclusion(self, name: str, folder: bool) -> str | None:
        """Why an entry is left out by what git ignores, or `None`."""
        return _exclusion(self.ignores, self.inner + name, folder)

    def is_excluded(self, path: str) -> bool:
        """Whether a file below is left out, or a folder on the way to it."""
        *names, file_name = path.split("/")
        folder = self
        for name in names:
            if folder.exclusion(name, folder=True):
                return True
            folder = folder.subfolder(name)
        return folder.exclusion(file_name, folder=False) is not None

    def subfolder(self, name: str) -> WalkedFolder:
        """A folder inside."""
        path, real = path_in(self.path, name), os.path.join(self.real, name)
        return WalkedFolder(path, real, f"{self.inner}{name}/", self.depth + 1, self.options, self.ignores)


def _exclusion(layers: tuple[PatternLayer, ...], inner: str, folder: bool) -> str | None:
    for layer in layers:
        reason = layer.reason_for(inner, folder)
        if reason is not None:
            return reason or None
    return None


class FolderReader:
    """Finds out what is left out of folders, and reads each `.gitignore` once.

    Args:
        path_filter: what the user says.
        on_ignored: is told about files of patterns, and lines of them, that are passed over.
    """

    def __init__(self, path_filter: PathFilter, on_ignored: IgnoredCallback) -> None:
        self._path_filter = path_filter
        self._on_ignored = on_ignored
        self._globs = MAX_GLOBS
        self._pattern_files: dict[str, IgnoreRules | None] = {}
        self._options: dict[str, tuple[PatternLayer, ...]] = {}

    def read(self, path: str) -> tuple[WalkedFolder, str | None]:
        """A folder that the user names, and why it would be left out if it were not named."""
        real = os.path.realpath(path or os.curdir)
        top = _top_of(real)
        folder = WalkedFolder("", top, "", 0, self._option_layers(top), ())
        if self._path_filter.gitignore:
            folder = self._with_pattern_file(folder, os.path.join(top, ".git", "info", "exclude"))
        reason = None
        for name in filter(None, (below(real, top) or "").split("/")):
            folder = self.with_gitignore(folder)
            reason = reason or folder.exclusion(name, folder=True)
            folder = folder.subfolder(name)
        return replace(folder, path=path, depth=0), reason

    def with_gitignore(self, folder: WalkedFolder) -> WalkedFolder:
        """A folder with the `.gitignore` that is in it."""
        if not self._path_filter.gitignore:
            return folder
        return self._with_pattern_file(folder, os.path.join(folder.real, ".gitignore"))

    def _option_layers(self, top: str) -> tuple[PatternLayer, ...]:
        """What the options say, in the order in which they decide."""
        if top not in self._options:
            path_filter = self._path_filter
            layers = (
                PatternLayer(IgnoreRules(HISTORIES), "", "", "never walked", has_numbers=False),
                self._option_layer(path_filter.extend_exclude, path_filter.extend_exclude_from, "extend-exclude", top),
                self._option_layer(path_filter.exclude, path_filter.exclude_from, "exclude", top),
            )
            self._options[top] = tuple(layer for layer in layers if layer.rules.rules)
        return self._options[top]

    def _option_layer(self, patterns: tuple[str, ...], settings: str | None, option: str, top: str) -> PatternLayer:
        base, source = os.curdir, f"--{option}"
        if settings:
            base, source = os.path.dirname(settings), f"`{option}` in {settings}"
        if patterns[: len(EXCLUDED)] == EXCLUDED:
            source = BY_DEFAULT
        base = os.path.realpath(base)
        lead, inner = below(top, base), below(base, top)
        if lead is None:  # the folder of the patterns is not above the top, but below it or somewhere else
            lead = "../" if inner is None else ""
        rules = IgnoreRules(patterns, lambda _, trouble: self._on_ignored(source, trouble))
        return PatternLayer(rules, lead, inner or "", f"excluded by {source}", has_numbers=False)

    def _with_pattern_file(self, folder: WalkedFolder, path: str) -> WalkedFolder:
        if path not in self._pattern_files:
            self._pattern_files[path] = self._read_patterns(path)
        rules = self._pattern_files[path]
        if rules is None:
            return folder
        layer = PatternLayer(rules, "", folder.inner, f"ignored by {shortest(path)}", has_numbers=True)
        return replace(folder, ignores=(layer, *folder.ignores))

    def _read_patterns(self, path: str) -> IgnoreRules | None:
        lines = ignore_rules.read_pattern_lines(path)
        if isinstance(lines, str):
            self._on_ignored(shortest(path), lines)
            return None
        if not lines:
            return None
        rules = IgnoreRules(
            lines,
            lambda line, trouble: self._on_ignored(f"{shortest(path)}:{line}", trouble),
            min(self._globs, ignore_rules.MAX_GLOBS),
        )
        self._globs -= rules.globs
        return rules


def _top_of(real: str) -> str:
    """The top of the repository that a folder is in; without one the current folder, or the folder itself."""
    top = repository(real)
    if top is not None:
        return top
    here = os.path.realpath(os.curdir)
    return real if below(real, here) is None else here
