"""Folders on the way down, and the patterns that leave things out of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from toolglot.cli.discovery import ignoring
from toolglot.cli.discovery.ignoring import Rules

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

Ignored = Callable[[str, str], None]
"""Called with a path that is left out, and the reason."""


class Selection(NamedTuple):
    """What is left out of folders and of the matches of glob patterns.

    Attributes:
        exclude: patterns as in a `.gitignore`, relative to the current folder, in place of the usual ones.
        include: patterns of what is not left out although `exclude` says so.
        extend_exclude: more of what is left out; `!` takes back what `exclude` says.
        force_exclude: whether files and folders that the user names are left out too.
        gitignore: whether `.gitignore` files count.
        exclude_from, include_from, extend_exclude_from: the settings file that says the patterns, which are then
            relative to its folder; `None` is the command line.
    """

    exclude: tuple[str, ...] = EXCLUDED
    include: tuple[str, ...] = ()
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    gitignore: bool = True
    exclude_from: str | None = None
    include_from: str | None = None
    extend_exclude_from: str | None = None


class Layer(NamedTuple):
    """Patterns, and where the folder that they are relative to lies.

    Attributes:
        rules: the patterns.
        lead: the path from that folder to the top, where it lies above; with a slash at its end, or empty.
        base: the path from the top to that folder, where it lies below; the same.
        reason: what is said of a path that is left out, before the pattern.
        numbered: whether the patterns are lines of a file.
    """

    rules: Rules
    lead: str
    base: str
    reason: str
    numbered: bool

    def verdict(self, inner: str, folder: bool) -> tuple[bool, str] | None:
        """Whether a path from the top is left out, and the reason; `None` where no pattern is about it."""
        is_below = inner.startswith(self.base)
        rule = self.rules.match(self.lead + inner[len(self.base) :] if is_below else f"../{inner}", folder)
        if rule is None:
            return None
        line = f":{rule.line}" if self.numbered else ""
        return not rule.negated, f'{self.reason}{line}: "{rule.text}"'


class Place(NamedTuple):
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
    options: tuple[Layer, ...]
    ignores: tuple[Layer, ...]

    def refusal(self, name: str, folder: bool) -> str | None:
        """Why an entry is left out, or `None`."""
        return _refusal(self.options, self.inner + name, folder) or self.ignored(name, folder)

    def ignored(self, name: str, folder: bool) -> str | None:
        """Why an entry is left out by what git ignores, or `None`."""
        return _refusal(self.ignores, self.inner + name, folder)

    def step(self, name: str) -> Place:
        """The place of a folder inside."""
        path, real = os.path.join(self.path, name), os.path.join(self.real, name)
        return Place(path, real, f"{self.inner}{name}/", self.depth + 1, self.options, self.ignores)


def _refusal(layers: tuple[Layer, ...], inner: str, folder: bool) -> str | None:
    for layer in layers:
        verdict = layer.verdict(inner, folder)
        if verdict is not None:
            return verdict[1] if verdict[0] else None
    return None


class Surveyor:
    """Finds places, and reads each `.gitignore` once.

    Args:
        selection: what the user says.
        ignored: is told about files of patterns, and lines of them, that are passed over.
    """

    def __init__(self, selection: Selection, ignored: Ignored) -> None:
        self._selection = selection
        self._ignored = ignored
        self._globs = MAX_GLOBS
        self._read: dict[str, Rules | None] = {}
        self._options: dict[str, tuple[Layer, ...]] = {}

    def place(self, folder: str) -> tuple[Place, str | None]:
        """The place of a folder that the user names, and why it would be left out if it were not named."""
        real = os.path.realpath(folder or os.curdir)
        top = self._top(real)
        place = Place("", top, "", 0, self._layers(top), ())
        if self._selection.gitignore:
            place = self._with_list(place, os.path.join(top, ".git", "info", "exclude"))
        reason = None
        for name in filter(None, (below(real, top) or "").split("/")):
            place = self.with_own(place)
            reason = reason or place.refusal(name, folder=True)
            place = place.step(name)
        return place._replace(path=folder, depth=0), reason

    def with_own(self, place: Place) -> Place:
        """A place with the `.gitignore` that is in it."""
        return self._with_list(place, os.path.join(place.real, ".gitignore")) if self._selection.gitignore else place

    def _top(self, real: str) -> str:
        here = os.path.realpath(os.curdir)
        return repository(real) or (real if below(real, here) is None else here)

    def _layers(self, top: str) -> tuple[Layer, ...]:
        """What the options say, in the order in which they decide."""
        if top not in self._options:
            request = self._selection
            layers = (
                Layer(Rules(HISTORIES), "", "", "never walked", numbered=False),
                self._layer(request.extend_exclude, request.extend_exclude_from, "extend-exclude", top),
                self._layer(tuple(f"!{pattern}" for pattern in request.include), request.include_from, "include", top),
                self._layer(request.exclude, request.exclude_from, "exclude", top),
            )
            self._options[top] = tuple(layer for layer in layers if layer.rules.rules)
        return self._options[top]

    def _layer(self, patterns: tuple[str, ...], settings: str | None, option: str, top: str) -> Layer:
        base = os.path.realpath(os.path.dirname(settings) if settings else os.curdir)
        said = f"`{option}` in {settings}" if settings else f"--{option}"
        said = BY_DEFAULT if patterns[: len(EXCLUDED)] == EXCLUDED else said
        lead, inner = below(top, base), below(base, top)
        if lead is None:  # the folder of the patterns is not above the top, but below it or somewhere else
            lead = "../" if inner is None else ""
        rules = Rules(patterns, lambda _, trouble: self._ignored(said, trouble))
        return Layer(rules, lead, inner or "", f"excluded by {said}", numbered=False)

    def _with_list(self, place: Place, path: str) -> Place:
        if path not in self._read:
            self._read[path] = self._rules(path)
        rules = self._read[path]
        if rules is None:
            return place
        layer = Layer(rules, "", place.inner, f"ignored by {shortest(path)}", numbered=True)
        return place._replace(ignores=(layer, *place.ignores))

    def _rules(self, path: str) -> Rules | None:
        lines = ignoring.read(path)
        if isinstance(lines, str):
            self._ignored(shortest(path), lines)
        if not lines or isinstance(lines, str):
            return None
        rules = Rules(
            lines,
            lambda line, trouble: self._ignored(f"{shortest(path)}:{line}", trouble),
            min(self._globs, ignoring.MAX_GLOBS),
        )
        self._globs -= rules.globs
        return rules


def repository(folder: str) -> str | None:
    """The nearest folder at or above `folder` that holds a `.git`, without links."""
    here = os.path.realpath(folder)
    while not os.path.lexists(os.path.join(here, ".git")):
        if here == (above := os.path.dirname(here)):
            return None
        here = above
    return here


def below(path: str, folder: str) -> str | None:
    """The way from a folder down to a path, both absolute and without links; `None` where there is none.

    >>> below("/a/b/c", "/a"), below("/a", "/a"), below("/ab", "/a")
    ('b/c/', '', None)
    """
    head = folder if folder.endswith(os.sep) else folder + os.sep
    if path == folder:
        return ""
    return path[len(head) :].replace(os.sep, "/") + "/" if path.startswith(head) else None


def shortest(path: str) -> str:
    """A path for a message: from the current folder where it lies below, as it is elsewhere."""
    inner = below(path, os.path.realpath(os.curdir))
    return inner.removesuffix("/") if inner else path
