"""Defaults for the command line, from `toolglot.toml` or the table `[tool.toolglot]` of `pyproject.toml`.

A settings file comes with a repository, which may be anybody's. So it can say what to read and what to print, and
never where to write, what to overwrite, or what a person vouches for; `SHARED` and `TABLES` are the whole list. Keys
are the names of options without the dashes in front.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec

from toolglot.cli.file_search.excluded_folders import STDIN, repository, shortest
from toolglot.cli.option_types import parse_size
from toolglot.converter.text import serialization
from toolglot.converter.text.wording import suggestion
from toolglot.errors import LimitError, ParseError, ReadError, UsageError

MAX_BYTES = 1024 * 1024
"""Of a settings file."""

MAX_SIZE = 256 * 1024 * 1024
"""The highest `max-size` that a file may set, in bytes; it is there to protect from what lies in a repository."""

MAX_JOBS = 64

MAX_ENTRIES = 1000
"""Of a list or a table: each pattern is held to every file, and each selector to every rule."""

JOBS = Annotated[int, msgspec.Meta(ge=1, le=MAX_JOBS)]
SIZE = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIZE)]
STYLE = Literal["text", "json", "none"]  # not a file: a repository does not say what is written where

FILES = ("toolglot.toml", "pyproject.toml")  # in one folder the first wins


KIND_WORDS: dict[Any, str] = {
    str: "a string",
    bool: "true or false",
    list[str]: "a list of strings",
    dict[str, str]: "a table of strings",
    dict[str, list[str]]: "a table of lists of strings",
    JOBS: f"a number from 1 to {MAX_JOBS}",
    SIZE: 'a size of at most 256M, such as "64K"',
    STYLE: '"text", "json" or "none"',
}


SHARED: dict[str, Any] = {
    "exclude": list[str],
    "include": list[str],
    "extend-exclude": list[str],
    "force-exclude": bool,
    "gitignore": bool,
    "skip-others": bool,
    "max-size": SIZE,
    "jobs": JOBS,
    "quiet": bool,
    "verbose": bool,
}
TABLES: dict[str, dict[str, Any]] = {
    "convert": {
        "from": str,
        "to": str,
        "lossless": bool,
        "fail-on": list[str],
        "strict": bool,
        "profile": str,
        "flatten": str,
        "examples": bool,
        "safety-text": str,
        "scope": str,
        "namespace": str,
        "bare": bool,
        "report": STYLE,
    },
    "check": {
        "from": str,
        "warnings-as-errors": bool,
        "format": str,
        "select": list[str],
        "extend-select": list[str],
        "ignore": list[str],
        "require": list[str],
        "per-file-ignores": dict[str, list[str]],
        "severity": dict[str, str],
        "fail-on": str,
        "baseline": str,
    },
    "migrate": {"to": str, "kind": str, "kinds": dict[str, str], "fill": dict[str, str]},
    "catalog": {
        "to": str,
        "as-program": str,
        "program-version": str,
        "program-description": str,
        "namespace": str,
        "language": str,
        "fail-on": list[str],
        "bare": bool,
        "provenance": bool,
    },
    "diff": {"fail-on": list[str], "format": str},
}
NEVER = frozenset(
    {
        "fix",
        "confirm",
        "restore",
        "update-baseline",
        "output",
        "force",
        "source",
        "safety-tier",
        "assert",
        "trust-methods",
        "stdin-filename",
        "config",
        "isolated",
    }
)
"""Known as options, and refused in a file with a reason of their own."""


class Settings:
    """The settings of one file.

    Attributes:
        path: the file.
        shared_settings: keys and values that every command takes.
        tables: those of one command, by its name.
    """

    def __init__(self, path: str, text: str, table: dict[str, Any]) -> None:
        self.path = path
        self._text = text
        self.shared_settings = {key: value for key, value in table.items() if key not in TABLES}
        self.tables = {key: value for key, value in table.items() if key in TABLES}

    def of(self, command: str) -> dict[str, Any]:
        """The values for a command, its own before the shared ones."""
        return {**self.shared_settings, **self.tables.get(command, {})}

    def wrong(self, key: str, message: str, command: str = "", hint: str | None = None) -> UsageError:
        """The error for a key of a table, or of the shared ones."""
        line = _line_of_key(self._text, key, command)
        return UsageError(message, "settings", source=self.path, line=line, hint=hint)

    def check(self) -> Settings:
        """These settings.

        Raises:
            UsageError: a key is unknown or not for settings, or a value has the wrong type; code `"settings"`.
        """
        for key in self.tables:
            if not isinstance(self.tables[key], dict):
                lead = "tool.toolglot." if os.path.basename(self.path) == "pyproject.toml" else ""
                raise self.wrong(key, f"`{key}` is a table: write [{lead}{key}]")
        for command, table in (("", self.shared_settings), *self.tables.items()):
            kinds = TABLES[command] if command else SHARED
            for key, value in table.items():
                self._check(command, kinds, key, value)
        return self

    def _check(self, command: str, kinds: dict[str, Any], key: str, value: Any) -> None:
        name = f"`{key[:60]}`"
        if command:
            name += f" of `{command}`"
        if key in kinds:
            kind = kinds[key]
            try:
                msgspec.convert(parse_size(value) if kind is SIZE and isinstance(value, str) else value, kind)
            except msgspec.ValidationError:
                raise self.wrong(key, f"{name} must be {KIND_WORDS[kind]}", command) from None
            if _count_entries(value) > MAX_ENTRIES:
                raise self.wrong(key, f"{name} has more than {MAX_ENTRIES:,} entries", command)
        elif key in NEVER:
            raise self.wrong(key, f"{name} cannot be set in a file; give --{key} on the command line", command)
        else:
            raise self.wrong(key, f"the setting {name} is unknown", command, _hint_at_key(key, command))


def _count_entries(value: Any) -> int:
    """How many texts a list or a table holds; a table of lists holds theirs."""
    if isinstance(value, dict):
        return sum(map(_count_entries, value.values())) + len(value)
    return len(value) if isinstance(value, list) else 0


def load_settings(path: str) -> Settings | None:
    """The settings in a file; `None` where it is a `pyproject.toml` that has none.

    Raises:
        UsageError: the file cannot be read, is not TOML, or says what settings cannot say; code `"settings"`.
    """
    from toolglot.converter.text.toml_reader import parse_toml  # 4 ms, where there is no settings file for nothing

    try:
        content = serialization.read_file(path, serialization.Limits(max_bytes=MAX_BYTES))
    except LimitError:
        raise UsageError(f"settings of more than {MAX_BYTES} bytes", "settings", source=path) from None
    except ReadError as error:
        raise UsageError(error.message, "settings", source=path) from None
    try:
        text = content.decode("utf-8-sig")
        table: Any = parse_toml(text, path)
    except UnicodeDecodeError:
        raise UsageError("not a TOML file in UTF-8", "settings", source=path) from None
    except ParseError as error:
        message, line, column = error.message, error.line, error.column
        raise UsageError(message, "settings", source=path, line=line, column=column) from None
    if os.path.basename(path) == "pyproject.toml":
        tools = table.get("tool")
        table = tools.get("toolglot") if isinstance(tools, dict) else None
        if table is None:
            return None
    if not isinstance(table, dict):
        raise UsageError("`tool.toolglot` is a table: write [tool.toolglot]", "settings", source=path)
    return Settings(path, text, table).check()


def find_settings(sources: Sequence[str]) -> Settings | None:
    """The settings for sources: of the nearest file at or above the folder that they share.

    The search ends at the root of the repository; outside of one it ends at that folder, so that what somebody
    else left in `/tmp` counts for nobody.

    Raises:
        UsageError: as for `load_settings`.
    """
    for folder in _folders(sources):
        for name in FILES:
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                continue
            settings = load_settings(shortest(path))
            if settings is not None:
                return settings
    return None


def _folders(sources: Sequence[str]) -> Iterator[str]:
    """Where to look, nearest first."""
    here = os.path.realpath(os.curdir)
    starts = {_folder(source) for source in sources if source != STDIN} or {here}
    try:
        folder = os.path.commonpath(starts)
    except ValueError:  # different drives
        folder = here
    top = repository(folder)
    if top is None:  # without a repository, the current folder is the project
        top = folder
        if os.path.commonpath([here, folder]) == here:
            top = here
    while True:
        yield folder
        if folder == top:
            return
        folder = os.path.dirname(folder)


def _folder(source: str) -> str:
    """The nearest folder to a path, which may be a glob pattern or not exist."""
    real = os.path.realpath(source)
    while not os.path.isdir(real):
        real = os.path.dirname(real)
    return real


def _hint_at_key(key: str, command: str) -> str:
    """What the writer of an unknown key may have meant."""
    names = [*SHARED, *TABLES]
    if command:
        names = list(TABLES[command])
    hint = suggestion(key[:100], names, mark="`")
    if hint is not None:
        return hint
    places = [f"in the table `{name}`" for name, table in TABLES.items() if key in table]
    if key in SHARED:
        places.insert(0, "at the top")
    if places:
        return "it belongs " + " or ".join(places)
    return f"there are {', '.join(names)}"


_KEY = r"""^[ \t]*(?:["']?[\w-]+["']?[ \t]*\.[ \t]*)*["']?{key}["']?[ \t]*(?:=|\.|\])"""


def _line_of_key(text: str, key: str, command: str) -> int | None:
    """The line that says a key: a search, because `tomllib` keeps no positions; `None` where it stands elsewhere."""
    start = 0
    if command:
        header = re.search(rf"^[ \t]*\[[^\]\n]*{re.escape(command)}[\"' \t]*\]", text, re.MULTILINE)
        if header is not None:
            start = header.end()
    match = re.compile(_KEY.replace("{key}", re.escape(key)), re.MULTILINE).search(text, start)
    if match is None:
        return None
    return text.count("\n", 0, match.start()) + 1
