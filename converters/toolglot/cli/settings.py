"""Defaults for the command line, from `toolglot.toml` or the table `[tool.toolglot]` of `pyproject.toml`.

A settings file comes with a repository, which may be anybody's. So it can say what to read and how. It never says where
to write, what to overwrite, what a person vouches for, or what people are told of a loss: only what is declared as an
`options.Configurable`. Keys are the names of options without the dashes in front.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import click
import msgspec

from toolglot.cli.command_options import SUMMARIES, LazyCommands
from toolglot.cli.late_modules import toml_reader
from toolglot.cli.option_types import Assignment, Size, parse_size
from toolglot.cli.options import Configurable, SharedConfigurable, options_by_key
from toolglot.converter.file_search.excluded_folders import STDIN
from toolglot.converter.file_search.repositories import repository
from toolglot.converter.files.names import folders_upward, is_inside, shortest
from toolglot.converter.text import document_reader
from toolglot.converter.text.wording import suggestion
from toolglot.errors import ReadError, UsageError

MAX_BYTES = 1024 * 1024
"""Of a settings file."""

MAX_SIZE = 256 * 1024 * 1024
"""The highest `max-size` that a file may set, in bytes; it is there to protect from what lies in a repository."""

MAX_JOBS = 64

MAX_ENTRIES = 1000
"""Of a list or a table: each pattern is held to every file, and each selector to every rule."""

JOBS = Annotated[int, msgspec.Meta(ge=1, le=MAX_JOBS)]
SIZE = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIZE)]

FILES = ("toolglot.toml", "pyproject.toml")  # in one folder the first wins

KIND_WORDS: dict[Any, str] = {
    str: "a string",
    bool: "true or false",
    list[str]: "a list of strings",
    dict[str, str]: "a table of strings",
    dict[str, list[str]]: "a table of lists of strings",
    JOBS: f"a number from 1 to {MAX_JOBS}",
    SIZE: 'a size of at most 256M, such as "64K"',
}

KINDS_BY_TYPE: dict[type[click.ParamType[Any]], Any] = {
    click.types.BoolParamType: bool,
    click.IntRange: JOBS,
    Assignment: dict[str, str],
    Size: SIZE,
}
"""What an option may hold in a file, by the type of its values; any other holds a string, or a list of them."""

TABLES = ("check", "convert", "migrate", "catalog", "diff")
"""The commands that have a table of their own."""

_COMMANDS = LazyCommands(SUMMARIES)


def settings_in(table: str) -> dict[str, Configurable]:
    """What a table may hold: options by their keys. The empty name is the top, which holds what all commands share."""
    return {
        key: option
        for command in ([table] if table else TABLES)
        for key, option in options_by_key(_COMMANDS[command]).items()
        if isinstance(option, Configurable) and isinstance(option, SharedConfigurable) != bool(table)
    }


def kind_of(option: Configurable) -> Any:
    """What an option may hold in a file."""
    return option.kind or KINDS_BY_TYPE.get(type(option.type), list[str] if option.multiple else str)


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
            allowed = settings_in(command) if table else {}
            for key, value in table.items():
                self._check(command, allowed, key, value)
        return self

    def _check(self, command: str, allowed: dict[str, Configurable], key: str, value: Any) -> None:
        name = f"`{key[:60]}`"
        if command:
            name += f" of `{command}`"
        if key not in allowed:
            raise self._unknown_key_error(command, sorted(allowed), key, name)
        kind = kind_of(allowed[key])
        try:
            msgspec.convert(parse_size(value) if kind is SIZE and isinstance(value, str) else value, kind)
        except msgspec.ValidationError:
            raise self.wrong(key, f"{name} must be {KIND_WORDS[kind]}", command) from None
        if _count_entries(value) > MAX_ENTRIES:
            raise self.wrong(key, f"{name} has more than {MAX_ENTRIES:,} entries", command)

    def _unknown_key_error(self, command: str, allowed: list[str], key: str, name: str) -> UsageError:
        """The error for a key that a table does not hold, with what its writer may have meant."""
        places = ["at the top"] if key in settings_in("") else []
        places += [f"in the table `{table}`" for table in TABLES if key in settings_in(table)]
        if not places and any(key in options_by_key(_COMMANDS[table]) for table in TABLES):
            return self.wrong(key, f"{name} cannot be set in a file; give --{key} on the command line", command)
        names = allowed if command else [*allowed, *TABLES]
        hint = f"it belongs {' or '.join(places)}" if places else f"there are {', '.join(names)}"
        hint = suggestion(key[:100], names, mark="`") or hint
        return self.wrong(key, f"the setting {name} is unknown", command, hint)


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
    try:
        text = document_reader.read_file(path, document_reader.Limits(max_bytes=MAX_BYTES)).decode("utf-8-sig")
        table: Any = toml_reader.parse_toml(text, path)
    except UnicodeDecodeError:
        raise UsageError("not a TOML file in UTF-8", "settings", source=path) from None
    except ReadError as error:
        message = f"settings of more than {MAX_BYTES} bytes" if error.code == "too-large" else error.message
        raise UsageError(message, "settings", source=path, line=error.line, column=error.column) from None
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
    for path in settings_files(sources):
        settings = load_settings(shortest(path))
        if settings is not None:
            return settings
    return None


def settings_files(sources: Sequence[str]) -> Iterator[str]:
    """The files in which settings for sources may be, nearest first."""
    for folder in _folders(sources):
        yield from filter(os.path.isfile, [os.path.join(folder, name) for name in FILES])


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
        top = here if is_inside(folder, here) else folder
    for above in folders_upward(folder):
        yield above
        if above == top:
            return


def _folder(source: str) -> str:
    """The nearest folder to a path, which may be a glob pattern or not exist."""
    real = os.path.realpath(source)
    return next(filter(os.path.isdir, folders_upward(real)), real)  # of a drive that is not there, nothing is one


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
