"""From a source to tools: open it, find its format, read it, and restore what a lossless conversion kept.

The verbs `read`, `read_one` and `detect` are here; `toolglot.__init__` says where the others are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, Protocol
from warnings import warn

from toolglot.converter import formats
from toolglot.converter.conversion.reading import Reading, read_records
from toolglot.converter.conversion.recognition import recognise, why_other_file
from toolglot.converter.conversion.slots import apply_slots
from toolglot.converter.file_search import FoundFile, find_files
from toolglot.converter.files.names import portable_path
from toolglot.converter.formats import detection
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import document_reader
from toolglot.converter.text.document_reader import locate_error
from toolglot.errors import Error, LimitError, ParseError, ReadError
from toolglot.option_checks import require_flag


class VendorObject(Protocol):
    """An object of a vendor's package, such as a tool of the MCP package: a model of pydantic."""

    def model_dump(self) -> dict[str, Any]:
        """The fields as plain data."""


Source = str | bytes | os.PathLike[str] | dict[str, Any] | list[Any] | VendorObject


def read(source: Source, format: str | None = None, *, restore: bool = False, skip_bad: bool = False) -> list[Tool]:
    """Every tool that a source describes.

    Of a folder these are all tools of all files below it, by their paths. Files and folders are left out as commands
    leave them out without options and settings (hidden ones, those of `.gitignore`), and so are files of other kinds.

    Args:
        source: text, the path of a file or a folder, parsed data, or objects of vendors' packages (pydantic models),
            also in lists.
        format: name of its format; by default it is detected from the content.
        restore: take back what a lossless conversion kept in it, if it was not edited since. Only the dangers that it
            states count otherwise, because anybody may have written it.
        skip_bad: leave out a tool or a file that cannot be read, and warn of it, as long as another can be.

    Raises:
        ReadError: the source cannot be parsed, has no known format, or lacks what a reader needs; or no file of a
            folder describes a tool.

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
    require_flag("restore", restore)
    if isinstance(source, os.PathLike) and os.path.isdir(source):
        tools, faults = _read_folder(os.fsdecode(source), format, restore=restore, goes_on=skip_bad)
    else:
        reading = read_document(open_document(source, restore=restore), format, goes_on=skip_bad)
        tools, faults = reading.tools, [*reading.faults]
    warn_left_out(faults, depth=1)
    return tools


def _read_folder(
    folder: str, format_name: str | None, *, restore: bool, goes_on: bool
) -> tuple[list[Tool], list[ReadError]]:
    """The tools of all files below a folder, and the errors of tools and files that were left out.

    Raises:
        ReadError: as `read`.
    """
    tools: list[Tool] = []
    faults: list[ReadError] = []
    for file in find_files([folder], usual_file_names(format_name)):
        try:
            if file.fault is not None:
                raise ReadError(file.fault, "unreadable-folder", source=file.path)
            document = open_file(file.path)
            document.restore = restore
            source_format = recognise(file, document, format_name)
            reading = read_document(document, format_name or source_format.name, goes_on=goes_on)
        except ReadError as error:
            if why_other_file(error, file, format_name, _lines_of(file)) is None:
                faults.append(error)
        else:
            tools += reading.tools
            faults += reading.faults
    if faults and not (goes_on and tools):
        faults[0].hint = faults[0].hint or "skip_bad=True leaves out what cannot be read"
        raise faults[0]
    if not tools:
        raise ReadError("no tool description was found", "no-sources", source=folder)
    return tools, faults


def _lines_of(file: FoundFile) -> Iterator[bytes]:
    yield from _read_unpacked(file.path, document_reader.DEFAULT_LIMITS).splitlines(keepends=True)


def _read_unpacked(path: str, limits: document_reader.Limits) -> bytes:
    return document_reader.unpack(document_reader.read_file(path, limits), path, limits)


def warn_left_out(faults: Iterable[Error], depth: int) -> None:
    """Warn the caller of toolglot about tools that were left out.

    Args:
        faults: the errors of these tools.
        depth: how many of our own calls lie between.
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
    return detection.format_of(open_document(source)).name


def open_document(
    source: Source | document_reader.Document,
    name: str | None = None,
    limits: document_reader.Limits = document_reader.DEFAULT_LIMITS,
    *,
    restore: bool = False,
) -> document_reader.Document:
    """A document from a path, a text, bytes, or parsed data; `restore` as in `read`."""
    if isinstance(source, document_reader.Document):
        return source
    require_flag("restore", restore)
    if isinstance(source, os.PathLike):
        document = open_file(os.fsdecode(source), name, limits)
    else:
        document = _open_source(source, name, limits)
    document.restore = restore
    return document


def open_file(
    path: str, name: str | None = None, limits: document_reader.Limits = document_reader.DEFAULT_LIMITS
) -> document_reader.Document:
    """A document from the path of its file."""
    if os.path.isdir(path):
        hint = "toolglot.read reads all files of a folder"
        raise ParseError("a folder; give the path of one file at a time", "not-a-file", source=name, hint=hint)
    document = _open_source(_read_unpacked(path, limits), name or path, limits)
    document.path = path
    return document


def _open_source(source: Source, name: str | None, limits: document_reader.Limits) -> document_reader.Document:
    if not isinstance(source, str | bytes):
        try:
            return document_reader.from_data(source, limits)
        except ParseError:
            items = source if isinstance(source, list) else [source]
            if any(isinstance(item, Tool) for item in items):
                raise ParseError("a Tool is no document; toolglot.write makes one of it", "not-json-data") from None
            raise
    try:
        return document_reader.load(source, name, limits)
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
    """Whether a text begins with three dashes, in any encoding that editors use.

    >>> [_opens_front_matter("---".encode(name)) for name in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be")]
    [True, True, True, True]
    """
    if isinstance(source, bytes):
        source = source[:16].decode("latin-1").replace("\0", "")
    return source.lstrip(_BYTE_ORDER_MARKS).startswith("---")


def _is_like_path(text: str) -> bool:
    """Whether a text may have been meant as the path of a document.

    >>> [_is_like_path(text) for text in ("tools/a", "TOOL.md", "Hello, world", "12")]
    [True, True, False, False]
    """
    return not any(map(str.isspace, text)) and ("/" in portable_path(text) or os.path.splitext(text)[1] != "")


def read_document(
    document: document_reader.Document,
    format_name: str | None = None,
    *,
    hears_slots: bool = True,
    goes_on: bool = False,
) -> Reading:
    """The tools of a document.

    Args:
        format_name: `FORMAT` or `FORMAT@VERSION`; by default it is detected from the content.
        hears_slots: whether dangers in slots count. A comparison of contracts passes false: a slot is no part of one.
        goes_on: as in `read_records`; the errors of records that are left out are in the reading.

    Raises:
        ReadError: the document has no known format, or another one than the named one, or cannot be read.
    """
    source_format = detection.format_of(document, format_name)
    try:
        reading = read_records(document, source_format, goes_on=goes_on)
        for fault in reading.faults:
            locate_error(document, fault)
        return apply_slots(reading, document.restore) if hears_slots or document.restore else reading
    except ReadError as error:
        raise locate_error(document, error) from None


# -- files that a search found ------------------------------------------------------------------------------------


def usual_file_names(format_name: str | None) -> list[str]:
    """The usual file names of formats, as patterns; for a named format, all of its own."""
    patterns = [pattern for name in formats.names() for pattern in formats.marks_of(name).searched_patterns]
    if format_name is not None:
        patterns += formats.parse_source(format_name).marks.patterns
    return patterns
