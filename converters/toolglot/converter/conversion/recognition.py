"""Which format a file has that was found, and whether one without any is simply something else."""

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
    limits: document_reader.Limits = document_reader.DEFAULT_LIMITS,
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
