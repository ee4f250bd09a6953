"""A source to tools: open it, find its format, read it, and restore what a lossless conversion kept.

The verbs `read`, `read_one` and `detect` are here; `toolglot.__init__` says where the others are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar
from warnings import warn

from toolglot.converter.conversion.reading import Reading, read_records
from toolglot.converter.conversion.slots import apply_slots
from toolglot.converter.formats.detection import format_of
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import serialization
from toolglot.errors import Error, LimitError, ParseError, ReadError
from toolglot.option_checks import require_flag


class VendorObject(Protocol):
    """An object of a vendor's package, such as a tool of the Model Context Protocol's: a model of pydantic."""

    def model_dump(self) -> dict[str, Any]:
        """Its fields as plain data."""


Source = str | bytes | os.PathLike[str] | dict[str, Any] | list[Any] | VendorObject

_Fault = TypeVar("_Fault", bound=Error)


def read(source: Source, format: str | None = None, *, restore: bool = False, skip_bad: bool = False) -> list[Tool]:
    """Every tool that a source describes.

    Args:
        source: text, a path, parsed data, or objects of vendors' packages (pydantic models), also in lists.
        format: name of its format; by default it is detected from the content.
        restore: take back what a lossless conversion kept in it, if it was not edited since. Only the dangers that it
            states count otherwise, because anybody may have written it.
        skip_bad: leave out a tool that cannot be read, and warn of it, as long as another can be.

    Raises:
        ReadError: the source cannot be parsed, has no known format, or lacks what a reader needs.

    Warns:
        UserWarning: a tool is left out.

    >>> [tool.id for tool in read('[{"toolId": "a", "source": "mcp", "safetyTier": "read"}]')]
    ['a']
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     tools = read({"tools": [{"name": "a", "inputSchema": {}}, {"inputSchema": {}}]}, skip_bad=True)
    >>> [tool.id for tool in tools], str(caught[0].message)
    (['a'], 'a tool is left out: `name` is missing at /tools/1 [schema-required]')
    """
    require_flag("skip_bad", skip_bad)
    reading = read_document(open_document(source, restore=restore), format, goes_on=skip_bad)
    warn_left_out(reading.faults, depth=1)
    return reading.tools


def warn_left_out(faults: Iterable[Error], depth: int) -> None:
    """Warn whoever called us of the tools that are left out.

    Args:
        faults: why they are.
        depth: how many calls of ours lie between.
    """
    for fault in faults:
        warn(f"a tool is left out: {fault}", UserWarning, stacklevel=depth + 2)


def read_one(source: Source, format: str | None = None, *, restore: bool = False) -> Tool:
    """The only tool of a source; arguments as in `read`.

    Raises:
        ReadError: as in `read`, or the source describes no tool or several.

    >>> read_one({"toolId": "a", "source": "mcp", "safetyTier": "read"}).safety_tier
    'read'
    """
    tools = read(source, format, restore=restore)
    if len(tools) != 1:
        raise ReadError(f"expected one tool, found {len(tools)}", code="not-one-tool")
    return tools[0]


def detect(source: Source) -> str:
    """The name of the format that a source has, judged by its content alone.

    Raises:
        ReadError: the source cannot be parsed.
        DetectionError: it has no format that is known, or several.

    >>> detect({"toolId": "a", "source": "mcp", "safetyTier": "read"})
    'tool-descriptor'
    """
    return format_of(open_document(source)).name


def open_document(
    source: Source | serialization.Document,
    name: str | None = None,
    limits: serialization.Limits = serialization.DEFAULT_LIMITS,
    *,
    restore: bool = False,
) -> serialization.Document:
    """A document from a path, from text or bytes, or from data that was parsed already; `restore` as in `read`."""
    if isinstance(source, serialization.Document):
        return source
    require_flag("restore", restore)
    document = _open_source(source, name, limits)
    document.restore = restore
    return document


def _open_source(source: Source, name: str | None, limits: serialization.Limits) -> serialization.Document:
    if isinstance(source, os.PathLike):
        path = os.fsdecode(source)
        if os.path.isdir(path):
            hint = "such as [toolglot.read(path) for path in folder.rglob('*.json')]"
            raise ParseError("a folder; give the path of one file at a time", "not-a-file", source=name, hint=hint)
        document = _open_source(serialization.read_file(source, limits), name or path, limits)
        document.path = path
        return document
    if not isinstance(source, str | bytes):
        try:
            return serialization.from_data(source, limits)
        except ParseError:
            items = source if isinstance(source, list) else [source]
            if any(isinstance(item, Tool) for item in items):
                raise ParseError("a Tool is no document; toolglot.write makes one of it", "not-json-data") from None
            raise
    try:
        return serialization.load(source, name, limits)
    except ParseError as error:
        is_markdown = (name or "").lower().endswith(".md")
        if is_markdown and not _opens_front_matter(source) and not isinstance(error, LimitError):
            message = "this Markdown has no front matter; a tool description opens with a line of three dashes"
            raise ReadError(message, "no-front-matter", "", 1, 1, name) from None
        if error.code == "not-a-document" and isinstance(source, str) and _is_like_path(source):
            error.hint = "a str is the text of a document; for a file give a pathlib.Path"
        raise


_BYTE_ORDER_MARKS = "\ufeff\xef\xbb\xbf\xfe\xff"


def _opens_front_matter(source: str | bytes) -> bool:
    """Whether a text begins with three dashes, in whatever encoding an editor saved it.

    >>> [_opens_front_matter("---".encode(name)) for name in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be")]
    [True, True, True, True]
    """
    if isinstance(source, bytes):
        source = source[:16].decode("latin-1").replace("\0", "")
    return source.lstrip(_BYTE_ORDER_MARKS).startswith("---")


def _is_like_path(text: str) -> bool:
    """Whether a text that is no document may have been meant as the name of one.

    >>> [_is_like_path(text) for text in ("tools/a.json", "TOOL.md", "Hello, world", "12")]
    [True, True, False, False]
    """
    return not any(map(str.isspace, text)) and (os.sep in text or os.path.splitext(text)[1] != "")


def read_document(
    document: serialization.Document, format_name: str | None = None, *, hears_slots: bool = True, goes_on: bool = False
) -> Reading:
    """The tools of a document.

    Args:
        format_name: `FORMAT`, or the `FORMAT@VERSION` that it was written as, which is read like any other version; by
            default it is detected from the content.
        hears_slots: whether the dangers count that a slot states; a comparison asks what a contract says, and a slot is
            no part of one.
        goes_on: as for `read_records`; why a record is left out stands in the reading.

    Raises:
        ReadError: it has no format that is known, or not the one that was named, or breaks what a reader needs.
    """
    source_format = format_of(document, format_name)
    try:
        reading = read_records(document, source_format, goes_on=goes_on)
        for fault in reading.faults:
            locate_error(document, fault)
        return apply_slots(reading, document.restore) if hears_slots or document.restore else reading
    except ReadError as error:
        raise locate_error(document, error) from None


def locate_error(document: serialization.Document, error: _Fault) -> _Fault:
    """The same error with the source's name and the position of its pointer."""
    position = document.position(error.pointer) if error.line is None else None
    if position is not None:
        error.line, error.column = position
    error.source = error.source or document.name
    return error
