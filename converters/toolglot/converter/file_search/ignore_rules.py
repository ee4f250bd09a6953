"""Patterns in the language of `.gitignore`: which of them matches a path, in bounded time whatever they say.

A `.gitignore` is as untrusted as the files beside it. Plain names, `*tail` and `head*`, which is nearly everything
that such files hold, are looked up in tables: thousands of them cost what one costs. Only what is left becomes a
regular expression, and `pathspec`, which knows git's rules for that, is imported only then.

`pathspec.GitIgnoreSpec` as a whole is no way around that: with five `**/` in a pattern one path of 60 folders takes it
4.2 s, and each further one sixteen times as long (10 µs here); 5,000 plain names take it 5 ms a path (1 µs here).
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator

import msgspec

from toolglot.converter.text.foreign_patterns import compile_foreign
from toolglot.converter.text.wording import quote_text
from toolglot.errors import system_reason
from toolglot.regexes import compile_later

MAX_BYTES = 1024 * 1024
"""Of one file of patterns; a larger one is passed over as a whole."""

MAX_LENGTH = 1000
"""Characters of one pattern."""

MAX_GLOBS = 1000
"""Patterns of one list that need a regular expression; one of more than `LONG` characters counts as several."""

LONG = 25

_SPECIAL = compile_later(r"[\\*?\[]")
_ANY = "[^/]"  # how pathspec writes a character that is no slash
_UNSAID = "\0"  # stands for `_ANY` while the expression is taken apart at its slashes; no path has one
_STAR = f"{_UNSAID}*"
_ANYWHERE = "^(?:.+/)?"
_BETWEEN = "(?:/.+)?"
# The same, a whole name at a step: letter by letter a long path takes ten times as long.
_NAMES_BEFORE = "^(?:[^/]++/)*?"
_NAMES_BETWEEN = "(?:/[^/]++)*?"
# How pathspec's expressions end, and how one ends that matches the entry itself: what lies below a folder that
# is left out is never asked about, and a folder that the user names is walked even if it is ignored.
_ENDS = (
    ("(?:(?P<ps_d>/)|$)", r"/?\Z"),  # name
    ("(?P<ps_d>/)", r"/\Z"),  # name/
    ("/", "/."),  # name/**
)

PatternNote = Callable[[int, str], None]
"""Called with the number of a line, from 1, and why its pattern is passed over."""


class IgnoreRule(msgspec.Struct, frozen=True):
    """A pattern: its text without the `!`, its line, counted from 1, and whether it takes back what others say."""

    text: str
    line: int
    is_negated: bool


class IgnoreRules:
    """A list of patterns, of which the last that matches decides.

    Args:
        lines: the patterns as a `.gitignore` has them.
        note: is told about patterns that are broken, too long or too many.
        globs: how many regular expressions may be made; long ones count as several.

    >>> rules = IgnoreRules(["*.json", "!keep.json", "/build/"])
    >>> rules.match("a/x.json", folder=False)
    IgnoreRule(text='*.json', line=1, is_negated=False)
    >>> rules.match("a/keep.json", folder=False)
    IgnoreRule(text='keep.json', line=2, is_negated=True)
    >>> rules.match("build", folder=False) is rules.match("a/build", folder=True) is None
    True
    """

    def __init__(self, lines: Iterable[str], note: PatternNote | None = None, globs: int = MAX_GLOBS) -> None:
        self.rules: list[IgnoreRule] = []
        # Patterns that are looked up as they are written, and the index of the last that says each.
        self._of_folders: dict[str, int] = {}
        self._of_files: dict[str, int] = {}
        self._tails: set[int] = set()  # the lengths of what stands behind a star, and before one
        self._heads: set[int] = set()
        self._globs: list[tuple[int, bool, re.Pattern[str]]] = []
        self.globs = 0
        """How many patterns needed a regular expression; long ones count as several."""
        for number, line in enumerate(lines, start=1):
            trouble = self._add(line, number, globs)
            if trouble and note:
                note(number, trouble)
        self._globs.reverse()
        # Nearly always none matches, which one expression finds out several times faster than many.
        self._any_name = _join_patterns(regex for _, by_name, regex in self._globs if by_name)
        self._any_path = _join_patterns(regex for _, by_name, regex in self._globs if not by_name)

    def match(self, path: str, folder: bool) -> IgnoreRule | None:
        """The rule that decides about a path, or `None`.

        Args:
            path: relative to the folder that the patterns are about, with `/`.
            folder: whether a folder is there.
        """
        name = path[path.rfind("/") + 1 :]
        index_of = (self._of_folders if folder else self._of_files).get
        best = max(index_of(name, -1), index_of("/" + path, -1))
        for size in self._tails:
            if size <= len(name):
                best = max(best, index_of("*" + name[len(name) - size :], -1))
        for size in self._heads:
            best = max(best, index_of(name[:size] + "*", -1))
        if self._globs:
            end = "/" if folder else ""
            best = max(best, self._glob(name + end, path + end, best))
        if best < 0:
            return None
        return self.rules[best]

    def match_path(self, path: str) -> Iterator[IgnoreRule]:
        """The rules that decide about the folders above a file, from the top, and about the file.

        >>> [rule.text for rule in IgnoreRules(["build/", "*.json"]).match_path("a/build/x.json")]
        ['build/', '*.json']
        """
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            rule = self.match("/".join(parts[:depth]), folder=depth < len(parts))
            if rule is not None:
                yield rule

    def _glob(self, name: str, path: str, least: int) -> int:
        """The index of the last expression that matches, or -1; at most one after `least` is of interest."""
        if not self._any_path.match(path) and not self._any_name.match(name):
            return -1
        for index, by_name, regex in self._globs:
            if index < least:
                break
            text = name if by_name else path
            if regex.match(text):
                return index
        return -1

    def _add(self, line: str, number: int, globs: int) -> str | None:
        """Take one line in; what is wrong with it."""
        if not line.strip() or line.startswith("#"):
            return None
        if len(line) > MAX_LENGTH or "\0" in line:
            return f"a pattern of more than {MAX_LENGTH} characters, or with a null character"
        is_negated = line.startswith("!")
        text = line[is_negated:]
        if "\\" not in text:
            text = text.rstrip()
        core = text.removesuffix("/")
        is_anchored = "/" in core
        core = core.removeprefix("/")
        if not core:
            return None
        if not self._put(core, is_anchored, folders_only=text.endswith("/")):
            cost = 1 + len(text) // LONG
            if self.globs + cost > globs:
                return "too many patterns with wildcards"
            by_name, regex = _compile_pattern(text)
            if regex is None:
                return f"the pattern {quote_text(text)} is broken"
            self.globs += cost
            self._globs.append((len(self.rules), by_name, regex))
        self.rules.append(IgnoreRule(text, number, is_negated))
        return None

    def _put(self, core: str, is_anchored: bool, folders_only: bool) -> bool:
        """Take in a pattern that has no wildcards, or is a name with a star at one end; whether it is one."""
        if _SPECIAL.search(core):
            if is_anchored:
                return False
            if core[0] == "*" and not _SPECIAL.search(core, 1):
                self._tails.add(len(core) - 1)
            elif core[-1] == "*" and not _SPECIAL.search(core[:-1]):
                self._heads.add(len(core) - 1)
            else:
                return False
        key = "/" + core if is_anchored else core
        self._of_folders[key] = len(self.rules)
        if not folders_only:
            self._of_files[key] = len(self.rules)
        return True


def _join_patterns(regexes: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    """An expression that matches what one of these does."""
    return compile_foreign("|".join(regex.pattern for regex in regexes) or "(?!)", re.DOTALL)


def _compile_pattern(text: str) -> tuple[bool, re.Pattern[str] | None]:
    """Whether only the name of a path matters to a pattern, and the expression that matches it; `None`: broken."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # 13 ms that few patterns pay

    if text.endswith("/**/"):  # the folders below, which pathspec takes for the folder itself
        text += "*/"
    if text.startswith(("#", "!")):
        text = f"\\{text}"
    try:
        regex, _ = GitIgnoreSpecPattern.pattern_to_regex(text)
        if regex is None:
            return False, None
        by_name, regex = _make_linear(regex)
        return by_name, compile_foreign(regex, re.DOTALL)
    except (ValueError, re.error):
        return False, None


def _make_linear(regex: str) -> tuple[bool, str]:
    """pathspec's expression for the entry itself, and without the backtracking that `*a*a*a*a*b` would cost.

    What stands between two stars may as well be found where it comes first, and never be looked for elsewhere; so
    may the names between two `**`. Trying all of them in every possible place takes years for a name of 200 letters.

    >>> _make_linear("^(?:.+/)?a[^/]*b[^/]*c(?:(?P<ps_d>/)|$)")
    (True, '^a(?>[^/]*?b)[^/]*c/?\\\\Z')
    >>> _make_linear("^(?:.+/)?a(?:/.+)?/b(?:(?P<ps_d>/)|$)")
    (False, '(?>^(?:[^/]++/)*?a(?=/))(?:/[^/]++)*?/b/?\\\\Z')
    """
    end, ours = next((pair for pair in _ENDS if regex.endswith(pair[0])), ("", ""))
    names = (regex.removesuffix(end) + ours).replace(_ANY, _UNSAID).split("/")
    regex = "/".join(_one_way(name) for name in names).replace(_UNSAID, _ANY)
    if not regex.startswith("^"):  # `**/`, which is any folder
        regex = f"^.*{regex}"
    if regex.startswith(_ANYWHERE) and len(names) == 3 and ours.endswith("\\Z"):  # nothing between it and the end
        return True, "^" + regex.removeprefix(_ANYWHERE)
    first, *rest = regex.replace(_ANYWHERE, _NAMES_BEFORE, 1).split(_BETWEEN)
    pieces = [first, *(_NAMES_BETWEEN + piece for piece in rest)]
    return False, "".join(f"(?>{piece}(?=/))" for piece in pieces[:-1]) + pieces[-1]


def _one_way(name: str) -> str:
    first, *rest = name.split(_STAR)
    if not rest:
        return first
    return first + "".join(f"(?>{_STAR}?{text})" for text in rest[:-1]) + _STAR + rest[-1]


def read_pattern_lines(path: str) -> list[str] | str | None:
    """The lines of a file of patterns, why it is passed over, or `None` where there is none.

    Links are not followed, as git does not follow them: one could lead to a device that never ends.
    """
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode):
            return "not a regular file"
        if about.st_size > MAX_BYTES:
            return f"larger than {MAX_BYTES} bytes"
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        return system_reason(error)
    # As file names are decoded; git takes a CR before the LF, and a BOM, away.
    text = os.fsdecode(raw.removeprefix(b"\xef\xbb\xbf"))
    return [line.removesuffix("\r") for line in text.split("\n")]
