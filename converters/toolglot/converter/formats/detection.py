"""Which format a document has, by its content, and by the name of its file where a format asks for that.

Some documents look like tool descriptions, or stand beside them, and describe no tool. A `LookAlike` names each such
kind, so that the error says what to do instead of "unknown format".
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from typing import Any

from toolglot.converter import formats
from toolglot.converter.formats import Format, LookAlike, Manifest, Marks, has_keys
from toolglot.converter.schema import canonical
from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import as_mapping
from toolglot.errors import DetectionError, ReadError


def format_of(document: Document, name: str | None = None) -> Format:
    """The format that `name` states as `FORMAT[@VERSION]`; without a name, the format that `detect` finds.

    Raises:
        DetectionError: as `detect`.
    """
    return formats.parse_source(name) if name else detect(document.data, document.body, document.name)


def detect(data: Any, body: str | None, source: str | None) -> Format:
    """The one format whose `sniff` accepts the document; the order of the formats does not matter.

    Raises:
        DetectionError: no format accepts it, or several do. The message names a known kind that describes no tool.
    """
    file_name = _file_name(source)
    has_text = body is not None and body.strip() != ""
    # A format without Markdown would drop the text, with its warnings.
    fitting_marks = [(name, marks) for name, marks in _marks() if marks.has_body or not has_text]
    candidates = [name for name, marks in fitting_marks if marks.sniff(data, body, file_name)]
    if len(candidates) == 1:
        return formats.get(candidates[0])
    if candidates:
        message = f"the document could be {' and '.join(candidates)}; say which (--from, in Python format=)"
        raise DetectionError(message, code="ambiguous-format", source=source)
    look_alike = find_look_alike(data, body, file_name)
    if look_alike is not None:
        raise DetectionError(f"this is {look_alike.name}; {look_alike.advice}", code="foreign-format", source=source)
    if body is not None:
        keys = ", ".join(list(as_mapping(data))[:5])
        message = f"the front matter ({keys}) is that of no tool format; name the format to see what it lacks"
    elif data == [] or as_mapping(data).get("tools") == []:
        message = "the list of tools is empty, so that nothing shows its format; name the format to have it read"
    else:
        message = "the document has the marks of no tool format; name the format to see what it lacks"
    message += " (--from, in Python format=)"
    raise DetectionError(message, code="unknown-format", source=source)


@cache
def _marks() -> tuple[tuple[str, Marks], ...]:
    return tuple([(name, formats.marks_of(name)) for name in formats.names()])


def are_documents(records: Sequence[Any]) -> bool:
    """Whether the records of a list are separate documents, and not one document that is a list of tools.

    They are separate if two show different formats, if the list as a whole has no format, or if one shows a format and
    another is known to describe no tool.

    >>> tool, descriptor = {"name": "a", "inputSchema": {}}, {"toolId": "b", "source": "mcp"}
    >>> are_documents([tool, {}, tool]), are_documents([tool, {}, descriptor])
    (False, True)
    """
    first_format: Format | None = None
    has_look_alike = False
    for record in records:
        if first_format is not None and first_format.marks.sniff(record, None, ""):
            continue
        try:
            own_format = detect(record, None, None)
        except DetectionError as error:
            has_look_alike |= error.code == "foreign-format"
            continue
        if first_format is not None:
            return True
        first_format = own_format
    if first_format is None:
        return False
    if has_look_alike:
        return True
    try:
        detect(records, None, None)
    except DetectionError:
        return True
    return False


def detect_by_name(source: str) -> Format | None:
    """The one format whose usual file names match; `None` where none or several do, and for a hidden file."""
    name = os.path.basename(source)
    if name.startswith("."):
        return None
    candidates = [
        candidate
        for candidate, marks in _marks()
        if any(fnmatchcase(name, pattern) for pattern in marks.searched_patterns)
    ]
    return formats.get(candidates[0]) if len(candidates) == 1 else None


def resembles(data: Any, document_format: Format) -> bool:
    """Whether a document whose file name is that of a format is of that format, though with faults.

    The schema of the format has to list at least half of the keys of its records. The file name decides where there
    are no records, and where the schema lists no keys.

    >>> [resembles({"tools": [record]}, formats.get("mcp")) for record in ({"name": "a"}, {"b": "a"}, 1)]
    [True, False, False]
    """
    try:
        records = [record.data for record in document_format.records(data)]
    except (ReadError, KeyError, TypeError, AttributeError):
        return False
    properties = canonical.load(f"{document_format.name}/{document_format.versions[-1]}").get("properties")
    if not records or properties is None:
        return True
    if not all(isinstance(record, dict) for record in records):
        return False
    keys = list(chain.from_iterable(records))
    known_keys = [key for key in keys if key in properties]
    return bool(keys) and 2 * len(known_keys) >= len(keys)


def _file_name(source: str | None) -> str:
    """The bare name of a document's file; empty where the document is no file, such as `<stdin>`."""
    if source is None or source.startswith("<"):
        return ""
    return os.path.basename(source)


def manifest(data: Any, body: str | None, source: str | None) -> Manifest | None:
    """How `check` treats a document that describes no tool; `None` for every other document."""
    look_alike = find_look_alike(data, body, _file_name(source))
    if look_alike is None:
        return None
    return look_alike.manifest


# -- documents that describe no tool ---------------------------------------------------------------------------

_MOST_LISTS = 2  # lists, one in the other, that may wrap a document


# Formats declare their own look-alikes (`Marks.look_alikes`); these belong to none.
_LOOK_ALIKES_OF_NO_FORMAT = (
    LookAlike(
        "a JSON Schema",
        lambda data, body, file_name: (
            "$schema" in data and ("properties" in data or "$defs" in data or "definitions" in data)
        ),
        "a schema describes documents; convert a document",
    ),
    LookAlike("an ARDF resource", has_keys("resource_id", "resource_type"), "it describes a resource, not a tool"),
    LookAlike(
        "what one agent tells another",
        lambda data, body, file_name: body is None and bool(data) and data.keys() <= {"delegation", "toolContext"},
        "it says what an agent may call, or what it knows; `toolglot.bridge` has `Delegation` and `ToolContext`",
        Manifest("delegation/1"),
    ),
    LookAlike("a report of toolglot", has_keys("toolglot-report"), "it says what a conversion changed"),
)


def find_look_alike(data: Any, body: str | None, file_name: str = "") -> LookAlike | None:
    """The known kind of a document that describes no tool, also of the first item of a list; `None` for others.

    Args:
        file_name: the bare name of its file; empty if it has none.

    >>> find_look_alike({"toolglot-report": "1"}, None).name
    'a report of toolglot'
    """
    of_formats = [kind for _, marks in _marks() for kind in marks.look_alikes]
    for candidate in _candidates(data):
        for look_alike in (*of_formats, *_LOOK_ALIKES_OF_NO_FORMAT):
            if look_alike.matches(candidate, body, file_name):
                return look_alike
    return None


def _candidates(data: Any) -> Iterator[dict[str, Any]]:
    """The document, and the first item of the list that it is or has under `tools`, at each level."""
    for _ in range(1 + _MOST_LISTS):
        if isinstance(data, dict):
            yield data
            data = data.get("tools")
        if isinstance(data, list):
            data = data[0] if data else None
