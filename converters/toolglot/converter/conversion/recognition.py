"""The format of a file that a search found, or why the file is simply something else."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from toolglot.converter import formats
from toolglot.converter.file_search import FoundFile
from toolglot.converter.formats import Format, detection
from toolglot.converter.text import document_reader
from toolglot.converter.text.document_reader import locate_error
from toolglot.converter.text.json_reader import blank_comments
from toolglot.errors import DetectionError, Error, LimitError, ParseError, ReadError


def recognise(file: FoundFile, document: document_reader.Document, format_name: str | None) -> Format:
    """The format of a file that a search found.

    Args:
        format_name: the requested format; `None`: any.

    Raises:
        ReadError: the file has no format, or another one; `why_other_file` says whether that matters.
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
    limits: document_reader.Limits = document_reader.DEFAULT_LIMITS,
) -> Error | None:
    """The error that a file of a folder is simply something else, such as a README.md or a package.json; `None` if not.

    A file that cannot be read is not something else: nobody knows what it holds, and a run that ends well would lose
    it. JSON counts as what can be read of it, and so does YAML with a merge key or a repeated key. A syntax error in
    YAML or Markdown mostly means a template, unless the name of the file says otherwise.

    Args:
        lines: the content of the file, read only where it matters; if it is no JSON Lines, also in larger pieces.
    """
    if file.is_named:
        return None
    is_json = file.path.lower().endswith(".json") or document_reader.names_lines(file.path)
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
    lines: Iterable[bytes], error: Error, path: str, limits: document_reader.Limits
) -> document_reader.Document:
    """The readable part of a broken file, which shows what the file is.

    For JSON Lines this is the first whole line: a bad line says nothing about the thousands around it. For JSON it is
    all but comments, trailing commas and bytes that are not UTF-8, which settings of other programs have. For YAML it
    is everything above the line of the fault.

    Args:
        error: why the file cannot be read as a whole.

    Raises:
        Error: no part can be read.
    """
    if path.lower().endswith(_YAML):
        above = b"".join(lines).splitlines(keepends=True)[: (error.line or 1) - 1]
        return document_reader.load(b"".join(above), path, limits)
    if not document_reader.names_lines(path):
        return document_reader.load(blank_comments(b"".join(lines).decode("utf-8-sig", "replace")), path, limits)
    for line in lines:
        with suppress(ParseError):
            document = document_reader.load(line, path, limits)
            if detection.are_documents(document.data):  # a format that has no lists shows in the line alone
                return document_reader.load(line, limits=limits)
            return document
    raise error
