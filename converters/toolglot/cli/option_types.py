"""Types of options and arguments: what a value may be, and what completes it.

`--help` imports this, so formats and schemas are imported when a value is looked at, not before.
"""

from __future__ import annotations

import codecs
import math
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from toolglot.cli.late_modules import document_reader, formats, pages
from toolglot.converter.schema import canonical
from toolglot.errors import UsageError
from toolglot.option_checks import split_commas

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _ParamType = click.ParamType[Any]
else:
    _ParamType = click.ParamType  # not generic at run time before click 8.4


def parse_size(text: str) -> int | None:
    """A number of bytes as options and settings write it, or `None`.

    >>> parse_size("64K"), parse_size("200000"), parse_size("-1")
    (65536, 200000, None)
    """
    match = re.fullmatch(r"([0-9]{1,15})([kmg]?)(?:i?b)?", text.strip(), re.IGNORECASE | re.ASCII)
    if match is None:
        return None
    return int(match[1]) * _FACTORS[match[2].lower()] or None


_FACTORS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}


class _WordType(_ParamType):
    """What a value of an option may be, and what completes one."""

    def read(self, value: Any) -> Any:
        """The value that is meant; a `ValueError` says what is wrong."""
        return value

    def words(self, incomplete: str) -> list[str]:
        """What the beginning of a value may become."""
        return []

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # what only completion needs

        return [CompletionItem(word) for word in self.words(incomplete) if word.startswith(incomplete)]


class FormatName(_WordType):
    """`FORMAT` or `FORMAT@VERSION` that can be read; the formats are imported when a value is looked at, not before."""

    name = "format"
    is_written = False

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return f"Choose one of {', '.join(self.format_names())}."

    def format_names(self) -> list[str]:
        """What can be named."""
        return [name for name in formats.names() if self._versions(name)]

    def _versions(self, name: str) -> tuple[str, ...]:
        named_format = formats.get(name)
        return named_format.writes if self.is_written else named_format.versions

    def read(self, value: Any) -> Any:
        name, at, version = str(value).partition("@")
        try:
            name = formats.get(name).name
        except UsageError as error:
            near = formats.find_similar(name)
            hint = f'did you mean "{near}"?' if near else f"choose one of {', '.join(self.format_names())}"
            raise ValueError(f"{error.message}; {hint}") from None
        versions = self._versions(name)
        if not versions:
            raise ValueError(f"{name} can be read, not written")
        if at and version not in versions:
            verb = "written" if self.is_written else "read"
            raise ValueError(f"{name} is not {verb} as version {version!r}; choose one of {', '.join(versions)}")
        return name + at + version

    def words(self, incomplete: str) -> list[str]:
        name, at, _ = incomplete.partition("@")
        names = self.format_names()
        if at and name in names:
            names = [f"{name}@{version}" for version in self._versions(name)]
        return names


class WrittenFormat(FormatName):
    """The same of what can be written."""

    is_written = True


class SourceFormat(FormatName):
    """`FORMAT` of sources that are read whatever their version."""

    def read(self, value: Any) -> Any:
        name, at, version = super().read(value).partition("@")
        if at:
            message = f"sources of {name} are read whatever their version; leave out {at + version!r}"
            raise ValueError(f"{message}; `toolglot check --from` holds documents to a version")
        return name


class WrittenFormats(WrittenFormat):
    """Several of `FORMAT[@VERSION]` with commas between them; the value is a tuple."""

    def read(self, value: Any) -> Any:
        names = value
        if not isinstance(value, tuple):
            names = split_commas(value) or (value,)  # commas alone are refused as no format
        return tuple(map(super().read, names))

    def words(self, incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        return [before + comma + word for word in super().words(last)]


class CatalogTarget(WrittenFormat):
    """What a catalogue is written as: a format, or what is made to be looked at."""

    def format_names(self) -> list[str]:
        return [*super().format_names(), *pages.RENDERINGS]

    def _versions(self, name: str) -> tuple[str, ...]:
        return () if name in pages.RENDERINGS else super()._versions(name)

    def read(self, value: Any) -> Any:
        return value if value in pages.RENDERINGS else super().read(value)


ListWords = Callable[[], list[str]]


def fillable_keys() -> list[str]:
    """What `--fill` may name."""
    return sorted({key for each_format in formats.every() for key in each_format.migration.fills})


def driver_kinds() -> list[str]:
    """How the implementation of a tool may run."""
    return list(dict.fromkeys(kind for each_format in formats.every() for kind in each_format.migration.kinds))


class Assignment(_WordType):
    """`NAME=TEXT` on the command line, a table in a settings file; a text that says nothing is none.

    Args:
        names, texts: what the two may be.
    """

    name = "assignment"

    def __init__(self, names: ListWords | None = None, texts: ListWords | None = None) -> None:
        self._words = (names, texts)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        pair = value
        if not isinstance(value, tuple):
            name, _, text = str(value).partition("=")
            pair = (name, text)
        if not all(text.strip() for text in pair):
            form = param.metavar if param else "NAME=TEXT"
            self.fail(f"{'='.join(pair)!r} is no {form}", param, ctx)
        for part, words in zip(pair, self._words, strict=True):
            if words is not None and part not in words():
                self.fail(f"{part!r} is not one of {', '.join(words())}", param, ctx)
        return pair


class DriverKind(Assignment):
    """`PATTERN=KIND` for some files, or `KIND` for all, which has an empty pattern."""

    def __init__(self) -> None:
        super().__init__(texts=driver_kinds)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and "=" not in value:
            _, kind = super().convert(("*", value.lower()), param, ctx)
            return "", kind
        return super().convert(value, param, ctx)

    def words(self, incomplete: str) -> list[str]:
        return driver_kinds()


class SchemaName(_WordType):
    """The name of one of our JSON Schemas, such as `report/1`."""

    name = "schema"

    def words(self, incomplete: str) -> list[str]:
        return list(canonical.names())


class Size(_WordType):
    """A number of bytes: `200000`, `64K`, `200M`, `1G`."""

    name = "size"

    def read(self, value: Any) -> Any:
        size = value if isinstance(value, int) else parse_size(str(value))
        if size is None:
            raise ValueError(f"{value!r} is not a size; write a number of bytes, or one with K, M or G")
        return size


class NumberRange(click.FloatRange):
    """A number between bounds; `nan` is none, and no bound would keep it out."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


# -- JSON objects ------------------------------------------------------------------------------------------------------


def parse_object(text: str | None, label: str) -> Any:
    """A JSON object of the command line: the text itself, `@FILE`, or `-` for stdin. It is read as any document is.

    Args:
        text: `None` where the option was not given, and so is the object.
        label: what messages call it.

    Raises:
        ReadError: it cannot be read, is not JSON, or is too large.
        UsageError: it is not an object.
    """
    if text is None:
        return None
    limits = document_reader.DEFAULT_LIMITS
    if text == "-":
        name, raw = "<stdin>", sys.stdin.buffer.read(limits.max_bytes + 1)
    elif text.startswith("@"):
        name, raw = text[1:], document_reader.read_file(text[1:], limits)
    else:
        name, raw = label, os.fsencode(text)
    if not raw.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):  # anything else could be YAML
        raise UsageError('expected a JSON object such as {"name": "value"}', "not-an-object", source=name)
    return document_reader.load(raw, name, limits).data
