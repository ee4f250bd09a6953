"""Text to plain data: JSON, JSON lines, YAML, and YAML front matter with a body.

Input is untrusted. Whatever it is, `load` returns data or raises `ParseError` with a line and a column;
it does not crash, and its time and memory are bounded by `Limits`.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from collections.abc import Collection
from copy import copy
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from toolglot.converter.text import front_matter_reader, json_reader
from toolglot.converter.text.compression import PACKED, open_unpacked
from toolglot.converter.text.credentials import public_url
from toolglot.converter.text.plain_data import as_json_data, check_plain_data
from toolglot.converter.text.pointers import NOTHING, follow, unescape, with_values
from toolglot.converter.text.source_text import Mark, SourceText, decode
from toolglot.errors import Error, LimitError, ParseError, ReadError
from toolglot.regexes import compile_later

_Fault = TypeVar("_Fault", bound=Error)

_JSON = (".json", ".jsonc", ".json5")
LINED = tuple(f"{ending}{packing}" for packing in ("", *PACKED) for ending in (".jsonl", ".ndjson"))
"""How names of JSON Lines end; those of compressed ones are kept for messages."""


def names_lines(name: str) -> bool:
    """Whether a file of this name is JSON Lines.

    >>> names_lines("a.JSONL"), names_lines("a.ndjson.gz"), names_lines("a.json")
    (True, True, False)
    """
    return name.lower().endswith(LINED)


class Limits(msgspec.Struct, frozen=True):
    """The size, depth and number of values that are read of a document.

    Args:
        max_bytes: size of the text as UTF-8; default 16 MiB.
        max_depth: how many lists and objects may lie inside each other; default 64. For YAML, more than about 1,000
            change nothing where libyaml has a bound of its own, as it has since PyYAML 6.0.4.
        max_nodes: how many values YAML aliases may add, and data given directly may hold; default 1,000,000.

    >>> Limits(max_depth=8).max_bytes
    16777216
    """

    max_bytes: int = 16 * 1024 * 1024
    max_depth: int = 64
    max_nodes: int = 1_000_000


DEFAULT_LIMITS = Limits()

Syntax: TypeAlias = Literal["json", "json-lines", "yaml", "front-matter", "kdl", "data"]


class Document(msgspec.Struct, eq=False):
    """A text that was read: its data, and where each value stands in it.

    Attributes:
        data: the value; it shares nothing with other documents.
        body: what follows the front matter, byte for byte; `None` without front matter.
        syntax: `"json"`, `"json-lines"`, `"yaml"`, `"front-matter"`, `"kdl"`, or `"data"` when there was no text.
        newline: `"\\n"` or `"\\r\\n"`, as the first line ends.
        bom: whether a byte order mark stood before the text.
        name: name of the file, or `None`.
        path: the file itself, where it was read from one whose surroundings matter.
        restore: whether the person who reads it believes what a conversion of ours kept in it.
    """

    data: Any
    body: str | None
    _source: SourceText
    syntax: Syntax
    newline: str = "\n"
    bom: bool = False
    _mark: Mark | None = None  # of JSON only once it is asked for
    name: str | None = None
    path: str | None = None
    restore: bool = False
    _known: dict[str, tuple[Mark, bool]] = {}

    def __repr__(self) -> str:
        return f"Document(syntax={self.syntax!r}, name={self.name!r})"

    @property
    def text(self) -> str:
        """The whole text without its byte order mark."""
        return self._source.text

    def position(self, pointer: str) -> tuple[int, int] | None:
        """Line and column, counted from 1, of the value at a JSON Pointer.

        JSON is read a second time at the first call, because most documents have no faults to place.

        Args:
            pointer: for example `"/inputs/type"`; `""` is the whole document. In JSON lines it starts
                with the index of the record. Where it leads nowhere, the nearest value above counts.

        Returns:
            The position, or `None` when the data was not read from a text.

        >>> load('{"tool": {\\n  "id": 7}}').position("/tool/id")
        (2, 9)
        """
        if self.syntax == "data":
            return None
        # A report asks for many places below the same few values; the way to those is gone once.
        above, slash, last = pointer.rpartition("/")
        mark, is_there = self._known.get(above) or self._walk(above)
        inner = _inside(mark, last) if slash and is_there else None
        return self.where((inner or mark)[0])

    def without(self, pointers: Collection[str]) -> Document:
        """The document as if nothing stood at some JSON Pointers; the rest keeps its lines.

        >>> rest = load("- a\\n- b\\n- c").without(["/1"])
        >>> rest.data, rest.position("/1")
        (['a', 'c'], (3, 3))
        """
        rest = copy(self)
        rest.data = with_values(self.data, dict.fromkeys(pointers, NOTHING))
        rest._known = {}
        if self.syntax != "data":
            ways = {pointer.replace("/", "/1/"): NOTHING for pointer in pointers}  # a mark has those inside it at 1
            rest._mark = with_values(self._walk("")[0], ways)
        return rest

    def encode(self, text: str) -> bytes:
        """The bytes of a file with this text: UTF-8, behind a byte order mark where this document has one.

        >>> load(b"\\xef\\xbb\\xbfid: a").encode("id: b")
        b'\\xef\\xbb\\xbfid: b'
        """
        if self.bom:
            return codecs.BOM_UTF8 + text.encode()
        return text.encode()

    @property
    def file_content(self) -> bytes:
        """The bytes of a file that says what this document does: in UTF-8, of whatever it was parsed."""
        return self.encode(self.text)

    def where(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset in the text.

        >>> load("a: 1\\nb: 2").where(5)
        (2, 1)
        """
        return self._source.where(offset)

    def body_position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset in the body.

        >>> load("---\\nid: a\\n---\\n\\n# A\\n").body_position(1)
        (5, 1)
        """
        return self.where(len(self.text) - len(self.body or "") + offset)

    def _walk(self, pointer: str) -> tuple[Mark, bool]:
        """Where the value at the pointer starts, or the nearest one above, and which of the two it is."""
        if self._mark is None:
            self._mark = json_reader.marks(self._source, self.syntax == "json-lines")
        mark = self._mark
        is_there = True
        for token in pointer.split("/")[1:]:
            inner = _inside(mark, token)
            if inner is None:
                is_there = False
                break
            mark = inner
        self._known[pointer] = mark, is_there
        return mark, is_there


def _inside(mark: Mark, token: str) -> Mark | None:
    """Where the value starts that a token of a JSON Pointer leads to."""
    inner: Mark | None = follow(mark[1], (unescape(token),))
    return inner


# A first word, and then what begins a value in KDL and nothing in YAML. What comments hold is never looked at again.
_BEGINNING_OF_KDL = compile_later(r"(?:\s|//[^\n]*|/-[^\n]*)*+[A-Za-z_][\w-]*[ \t]+(?:\"|#|\{|[\w-]+=)", re.ASCII)


def load(
    content: str | bytes, name: str | None = None, limits: Limits = DEFAULT_LIMITS, first_line: int = 1
) -> Document:
    """Read a text whose syntax its content decides.

    `{` or `[` begins JSON, or one JSON value per line; a first line `---` with a later closing one is front
    matter; the rest is YAML, by the core schema of version 1.2, or KDL where it is none and looks like it. A name
    that ends in `.jsonl` or `.ndjson` means JSON lines, and one in `.kdl` KDL.

    Args:
        content: the text, or its bytes in UTF-8 with or without a byte order mark.
        name: name of the file for messages; default `None`.
        limits: default 16 MiB, 64 levels.
        first_line: the number of the first line, where the text is a part of a file; default 1.

    Raises:
        ParseError: the text is none of these, or ambiguous: a duplicate key, NaN, a YAML tag, ...
        LimitError: too large, too deep, too many aliases, a number too long.

    >>> load("id: greet\\nversion: 1.0.0").data
    {'id': 'greet', 'version': '1.0.0'}
    >>> load("---\\nid: greet\\n---\\n# Greet").body
    '# Greet'
    """
    # Before decoding, which would double the memory of a text that is refused anyway.
    _check_size(len(content), name, limits)
    text, raw, bom = decode(content, name, first_line)
    _check_size(len(raw), name, limits)
    first = text.find("\n")
    newline = "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
    source = SourceText(text, name, first_line, limits.max_depth, limits.max_nodes)
    data, body, syntax, mark = _parse(source, raw)
    return Document(data, body, source, syntax, newline, bom, mark, name)


def _check_size(size: int, name: str | None, limits: Limits) -> None:
    if size > limits.max_bytes:
        message = f"larger than {limits.max_bytes} bytes; split the document, or raise Limits.max_bytes"
        raise LimitError(message, "too-large", source=name)


ParsedText: TypeAlias = "tuple[Any, str | None, Syntax, Mark | None]"


def _parse(source: SourceText, raw: bytes) -> ParsedText:
    """The data, the body, the syntax, and where everything in YAML starts."""
    text = source.text
    start = text[:1] if text[:1] in "{[" else text.lstrip(" \t\r\n")[:1]
    file_name = (source.name or "").lower()
    if not start:
        raise source.wrong("empty", "the document is empty", 0)
    if file_name.endswith(LINED):
        return json_reader.read_lines(source, raw), None, "json-lines", None
    if start in "{[" or (start == "/" and file_name.endswith(_JSON)):  # a comment; elsewhere it may be KDL's
        try:
            return json_reader.read(source, raw), None, "json", None
        except ParseError as error:
            if error.code != "json-extra-data":
                raise
            return _read_unnamed_lines(source, raw, error), None, "json-lines", None
    # libyaml takes a NUL for the end of the text, and nobody else looks at a body.
    source.refuse_controls(raw)
    if file_name.endswith(".kdl"):
        return _read_kdl(source)
    front_matter = front_matter_reader.read(source, must_close=file_name.endswith(".md"))
    if front_matter is None:
        return _read_yaml(source)
    data, body, mark = front_matter
    return data, body, "front-matter", mark


def _read_yaml(source: SourceText) -> ParsedText:
    from toolglot.converter.text import yaml_reader  # 11 ms that reading JSON does not need

    try:
        data, mark = yaml_reader.read(source, 0, len(source.text))
        return data, None, "yaml", mark
    except LimitError:
        raise
    except ParseError as error:
        if not looks_like_kdl(source.text):
            raise
        try:
            return _read_kdl(source)
        except ParseError as kdl_error:
            if kdl_error.code != "kdl-syntax":
                raise
        raise error


def looks_like_kdl(text: str) -> bool:
    """Whether a text that is neither JSON nor YAML begins as KDL does.

    >>> looks_like_kdl('// mine\\nbin "ls"'), looks_like_kdl("Just words.")
    (True, False)
    """
    return _BEGINNING_OF_KDL.match(text) is not None


def _read_kdl(source: SourceText) -> ParsedText:
    from toolglot.converter.text import kdl_reader  # 1 ms that few documents need

    data, mark = kdl_reader.read(source)
    return data, None, "kdl", mark


def _read_unnamed_lines(source: SourceText, raw: bytes, error: ParseError) -> list[Any]:
    """JSON lines that no file name announced; `error` is why they are not one JSON value."""
    try:
        return json_reader.read_lines(source, raw)
    except ParseError as line_error:
        if line_error.code != "json-syntax":
            raise
    why = "one value per line is read too, but here some lines are not a value"
    error.hint = f"{why}; a name in .jsonl (--stdin-filename) lets the others be read"
    raise error from None


def from_data(data: Any, limits: Limits = DEFAULT_LIMITS) -> Document:
    """A document of data that is already parsed. The argument is checked, kept and never modified.

    Args:
        data: dicts with string keys, lists, strings, finite numbers, booleans and `None`; exactly these
            types, because a subclass may print as something else than it is. Objects of vendors' packages in it
            (pydantic models, members of an enumeration) become what they would send.
        limits: depth and number of values; default 64 and 1,000,000.

    Raises:
        ParseError: something that JSON has no form for, with its JSON Pointer; code `"not-json-data"`.
        LimitError: too deep, too many values, an integer too long.

    >>> from_data({"id": "greet"}).syntax
    'data'
    >>> from_data({"tags": ("a",)})
    Traceback (most recent call last):
    toolglot.errors.ParseError: a tuple is not JSON data; use a list at /tags [not-json-data]
    """
    try:
        check_plain_data(data, limits.max_depth, limits.max_nodes)
    except ParseError as error:
        if error.code != "not-json-data":
            raise
        data = as_json_data(data, limits.max_depth)
        check_plain_data(data, limits.max_depth, limits.max_nodes)
    return Document(data, None, SourceText("", None), "data")


# Where the descriptors are that a process was started with. No repository can put a pipe there, to be waited for.
_DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")


def read_file(path: str | os.PathLike[str], limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The bytes of a regular file, or of a pipe that a shell opened for `<(command)`.

    Args:
        path: the file; links are followed.
        limits: default 16 MiB.

    Raises:
        ReadError: the system refuses it: missing, no permission; code `"unreadable"`.
        ParseError: a directory, pipe, socket or device; code `"not-a-file"`.
        LimitError: larger than `limits.max_bytes`.
    """
    name = os.fsdecode(path)
    try:
        # A pipe without a writer would block the plain open for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            is_given = name.startswith(_DESCRIPTORS)
            if is_given:
                os.set_blocking(handle, True)
            return read_handle(handle, name, limits, is_given)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        hint = None
        if "://" in name:
            name, hint = public_url(name), "no address is fetched; pipe its text in, and name it `-`"
        raise ReadError(f"cannot be read: {reason}", "unreadable", source=name, hint=hint) from error


def unpack(raw: bytes, name: str, limits: Limits) -> bytes:
    """What is compressed in bytes, or the bytes themselves where nothing is.

    Raises:
        ParseError: the data is damaged; code `"damaged-gzip"` or `"damaged-zstd"`.
        LimitError: larger than `limits.max_bytes`.
        UsageError: as in `compression.open_unpacked`.
    """
    unpacked = open_unpacked(io.BufferedReader(io.BytesIO(raw)))
    if not unpacked.kind:
        return raw
    try:
        data = unpacked.stream.read(limits.max_bytes + 1)
    except unpacked.faults as error:
        raise ParseError(unpacked.describe(error), f"damaged-{unpacked.kind}", source=name) from error
    _check_size(len(data), name, limits)
    return data


def read_handle(handle: int, name: str, limits: Limits, may_be_pipe: bool = False) -> bytes:
    """`read_file` for a file that is open; it stays open.

    Raises:
        OSError: the system refuses it.
        ParseError, LimitError: as for `read_file`.
    """
    status = os.fstat(handle)
    if not (stat.S_ISREG(status.st_mode) or (may_be_pipe and stat.S_ISFIFO(status.st_mode))):
        message = "a directory, pipe or device; give the path of a regular file"
        raise ParseError(message, "not-a-file", source=name)
    _check_size(status.st_size, name, limits)
    # Files below /proc say 0, and others grow while they are read, so the size counts again.
    chunks = []
    remaining = limits.max_bytes + 1
    while remaining > 0 and (chunk := os.read(handle, min(remaining, 1 << 16))):
        chunks.append(chunk)
        remaining -= len(chunk)
    _check_size(limits.max_bytes + 1 - remaining, name, limits)
    return b"".join(chunks)


def locate_error(document: Document, error: _Fault) -> _Fault:
    """The same error with the source's name and the position of its pointer."""
    position = document.position(error.pointer) if error.line is None else None
    if position is not None:
        error.line, error.column = position
    error.source = error.source or document.name
    return error
