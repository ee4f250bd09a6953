"""Types of options, and the options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

FLATTEN = ("discrete", "action")

if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType  # not generic at run time before click 8.4

_Command = TypeVar("_Command", bound=Callable[..., Any])


class FormatName(_Type):
    """`FORMAT` or `FORMAT@VERSION`; the formats are imported when a value is looked at, not before."""

    name = "format"

    def __init__(self, written: bool) -> None:
        self.written = written

    def _versions(self, name: str) -> tuple[str, ...]:
        from toolglot import formats

        found = formats.get(name)
        return found.writes if self.written else found.reads

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from toolglot.errors import UsageError

        name, at, version = str(value).partition("@")
        try:
            versions = self._versions(name)
        except UsageError as error:
            self.fail("; ".join(filter(None, [error.message, error.hint])), param, ctx)
        if at and version not in versions:
            verb = "written" if self.written else "read"
            self.fail(f"{name} is not {verb} as version {version!r}; choose one of {', '.join(versions)}", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from toolglot import formats

        name, at, _ = incomplete.partition("@")
        names = formats.names()
        if at and name in names:
            names = [f"{name}@{version}" for version in self._versions(name)]
        return [CompletionItem(found) for found in names if found.startswith(incomplete)]


class HubWord(_Type):
    """A word that a field of the hub may have; its schema, which lists them, is read when a value is looked at."""

    name = "word"

    def __init__(self, field: str) -> None:
        self.field = field

    def words(self) -> list[str]:
        from toolglot import schemas

        return list(schemas.load("hub/1")["properties"][self.field]["enum"])

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return f"[{'|'.join(self.words())}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.words():
            self.fail(f"{value!r} is not one of {', '.join(self.words())}", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(found) for found in self.words() if found.startswith(incomplete)]


class SchemaName(_Type):
    """The name of one of our JSON Schemas, such as `report/1`."""

    name = "schema"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from toolglot import schemas

        return [CompletionItem(found) for found in schemas.names() if found.startswith(incomplete)]


class Size(_Type):
    """A number of bytes: `200000`, `64K`, `200M`, `1G`."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"([0-9]{1,15})([kmg]?)(?:i?b)?", str(value).strip(), re.IGNORECASE | re.ASCII)
        size = int(match[1]) * 1024 ** " kmg".index(match[2].lower() or " ") if match else 0
        if size < 1:
            self.fail(f"{value!r} is not a size; write a number of bytes, or one with K, M or G", param, ctx)
        return size


def from_format(command: _Command) -> _Command:
    """`--from`."""
    option = click.option(
        "--from",
        "format_name",
        type=FormatName(written=False),
        metavar="FORMAT",
        help="The format of the sources; detected from their content without it.",
    )
    return option(command)


def sources(command: _Command) -> _Command:
    """The options that say how sources are read; the order is that of `--help`."""
    for option in reversed(
        (
            click.option(
                "--stdin-filename",
                metavar="NAME",
                help="What stdin (-) is called in messages; NAME.jsonl means JSON lines.",
            ),
            click.option(
                "--max-size",
                type=Size(),
                envvar="TOOLGLOT_MAX_SIZE",
                metavar="SIZE",
                help="Refuse sources larger than this (200000, 64K, 200M); 16M without it.",
            ),
        )
    ):
        command = option(command)
    return command


def loudness(command: _Command) -> _Command:
    """`-q` and `-v`."""
    command = click.option("-v", "--verbose", is_flag=True, help="Name the files that are passed over or written.")(
        command
    )
    return click.option("-q", "--quiet", is_flag=True, help="Say nothing to people but errors.")(command)
