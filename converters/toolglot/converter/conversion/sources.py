"""A source to tools: open it, find its format, read it, and restore what a lossless conversion kept.

The verbs `read`, `read_one` and `detect` are here; `toolglot.__init__` says where the others are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Protocol, TypeVar
from warnings import warn

from toolglot.converter import formats
from toolglot.converter.conversion.reading import Reading, read_records
from toolglot.converter.conversion.slots import apply_slots
from toolglot.converter.file_search import FoundFile, find_files
from toolglot.converter.files.names import portable_path
from toolglot.converter.formats import Format, detection
from toolglot.converter.hub.model import Tool
from toolglot.converter.text import serialization
from toolglot.converter.text.json_reader import blank_comments
from toolglot.errors import DetectionError, Error, LimitError, ParseError, ReadError
from toolglot.option_checks import require_flag


class VendorObject(Protocol):
    """An object of a vendor's package, such as a tool of the Model Context Protocol's: a model of pydantic."""

    def model_dump(self) -> dict[str, Any]:
        """Its fields as plain data."""


Source = str | bytes | os.PathLike[str] | dict[str, Any] | list[Any] | VendorObject

_Fault = TypeVar("_Fault", bound=Error)


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
    """The tools of all files below a folder, and why others are left out.

    Raises:
        ReadError: as `read` does.
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
    yield from _read_unpacked(file.path, serialization.DEFAULT_LIMITS).splitlines(keepends=True)


def _read_unpacked(path: str, limits: serialization.Limits) -> bytes:
    return serialization.unpack(serialization.read_file(path, limits), path, limits)


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
    return detection.format_of(open_document(source)).name


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
    if isinstance(source, os.PathLike):
        document = open_file(os.fsdecode(source), name, limits)
    else:
        document = _open_source(source, name, limits)
    document.restore = restore
    return document


def open_file(
    path: str, name: str | None = None, limits: serialization.Limits = serialization.DEFAULT_LIMITS
) -> serialization.Document:
    """A document from the path of its file."""
    if os.path.isdir(path):
        hint = "toolglot.read reads all files of a folder"
        raise ParseError("a folder; give the path of one file at a time", "not-a-file", source=name, hint=hint)
    document = _open_source(_read_unpacked(path, limits), name or path, limits)
    document.path = path
    return document


def _open_source(source: Source, name: str | None, limits: serialization.Limits) -> serialization.Document:
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

    >>> [_is_like_path(text) for text in ("tools/a", "TOOL.md", "Hello, world", "12")]
    [True, True, False, False]
    """
    return not any(map(str.isspace, text)) and ("/" in portable_path(text) or os.path.splitext(text)[1] != "")


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
    """The file names that formats usually have, as patterns; a format that is named is looked for by all of its own."""
    patterns = [pattern for name in formats.names() for pattern in formats.marks_of(name).searched_patterns]
    if format_name is not None:
        patterns += formats.parse_source(format_name).marks.patterns
    return patterns


def recognise(file: FoundFile, document: serialization.Document, format_name: str | None) -> Format:
    """The format of a file that was found; `format_name` is the one that is asked for.

    Raises:
        ReadError: it has none, or another one; `why_other_file` says whether that matters.
    """
    stated_format = None
    if format_name:
        stated_format = formats.parse_source(format_name)
        if file.is_named or file.has_usual_name:
            return stated_format
    try:
        source_format = detection.format_of(document)
    except ReadError as error:
        own = None
        if error.code == "unknown-format":
            own = detection.detect_by_name(file.path)
        if own is None or not (file.is_named or detection.resembles(document.data, own)):
            raise locate_error(document, error) from None
        return own  # its reader can say what the document lacks
    if stated_format not in (None, source_format):
        raise DetectionError(f"this is {source_format.name}", code="other-format", source=document.name)
    return source_format


OF_OTHER_FILES = frozenset({"empty", "no-front-matter", "unknown-format", "foreign-format", "other-format"})
"""Codes of errors that say no more than that a file is no tool description."""
_YAML = (".yaml", ".yml")


def why_other_file(
    error: Error,
    file: FoundFile,
    format_name: str | None,
    lines: Iterable[bytes],
    limits: serialization.Limits = serialization.DEFAULT_LIMITS,
) -> Error | None:
    """Why a file of a folder is simply something else: a README.md, a package.json, prose about tools; or `None`.

    What cannot be read is not: nobody knows what it holds, and a run that ends well would lose it. JSON is what can be
    read of it, and so is YAML with a merge key or a key twice. A fault in the syntax of YAML or Markdown is mostly that
    of a template, if its name says nothing else.

    Args:
        lines: its content, which is read only where it matters; of what is not JSON Lines also in larger pieces.
    """
    if file.is_named:
        return None
    is_json = file.path.lower().endswith(".json") or serialization.names_lines(file.path)
    is_no_template = file.path.lower().endswith(_YAML) and error.code != "yaml-syntax"
    if isinstance(error, ParseError) and (is_json or is_no_template):
        try:
            recognise(file, _load_readable_part(lines, error, file.path, limits), format_name)
        except Error as part_error:
            if is_json:
                error = part_error
        else:
            return None
    if error.code in OF_OTHER_FILES:
        was_emptied = error.code == "empty" and file.has_usual_name  # what is cut off to nothing has lost its tools
        return None if was_emptied else error
    is_syntax = isinstance(error, ParseError) and not isinstance(error, LimitError) and error.code != "not-utf-8"
    return error if is_syntax and not is_json and not file.has_usual_name else None


def _load_readable_part(
    lines: Iterable[bytes], error: Error, path: str, limits: serialization.Limits
) -> serialization.Document:
    """What can be read of a file of JSON, which shows what it is.

    Of JSON Lines it is the first line that is whole: a bad one says nothing of the thousands around it. Of JSON it is
    all but comments, commas too many, and bytes that are not UTF-8: other programs keep settings with them. Of YAML it
    is all above the line of the fault.

    Args:
        error: why the file cannot be read whole.

    Raises:
        Error: nothing can be.
    """
    if path.lower().endswith(_YAML):
        above = b"".join(lines).splitlines(keepends=True)[: (error.line or 1) - 1]
        return serialization.load(b"".join(above), path, limits)
    if not serialization.names_lines(path):
        return serialization.load(blank_comments(b"".join(lines).decode("utf-8-sig", "replace")), path, limits)
    for line in lines:
        with suppress(ParseError):
            document = serialization.load(line, path, limits)
            if detection.are_documents(document.data):  # a format that has no lists shows in the line alone
                return serialization.load(line, limits=limits)
            return document
    raise error


def locate_error(document: serialization.Document, error: _Fault) -> _Fault:
    """The same error with the source's name and the position of its pointer."""
    position = document.position(error.pointer) if error.line is None else None
    if position is not None:
        error.line, error.column = position
    error.source = error.source or document.name
    return error
