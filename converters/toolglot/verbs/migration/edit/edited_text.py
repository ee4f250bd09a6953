"""The text of a document, changed so that it says other data."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping
from typing import Any

from toolglot.converter.schema.json_values import differing_parts
from toolglot.converter.text.document_reader import Document, Limits, from_data, load
from toolglot.converter.text.pointers import way_to
from toolglot.errors import ParseError, WriteError
from toolglot.verbs.migration.edit import syntax_tree
from toolglot.verbs.migration.edit.changes import Splice, TextChanges, is_same_text

# The data is already in memory; what bounds a hostile file has bounded it when it was read. Nodes are walked
# recursively, a few frames to a level, so the depth stays well below Python's limit.
_LIMITS = Limits(max_bytes=1 << 40, max_depth=128, max_nodes=1 << 40)
_ATTEMPTS = 20  # the last one writes everything anew


def edit(document: Document, data: Any, new_keys: Mapping[str, str] = {}, bare: Collection[str] = ()) -> str:
    """The text of a document, changed so that it says other data, and nowhere else.

    An entry that is gone takes the comments directly above, beside and inside it away. The same key or list item with
    the same value elsewhere is the entry moved, as it was written and with its comments; one in `new_keys` keeps its
    place and its comments. New keys follow the key that precedes them in `data`. Where a value cannot be changed inside
    (an anchor that an alias repeats, a style that cannot hold it), the smallest value around it is written anew.

    Args:
        document: JSON, JSON lines, YAML or front matter as `text.serialization.load` reads it.
        data: what the text is to say; of JSON lines, the list of records.
        new_keys: JSON Pointer in the document's data -> the key that the entry has in `data`. The entry may have
            changed inside as well.
        bare: JSON Pointers in the document's data, of entries that leave their comments behind if they move.

    Returns:
        The text without byte order mark; what is new in it has the line breaks of its first line.

    Raises:
        WriteError: the text cannot be changed so that exactly `data` and the same body are read from it; code
            `"unfaithful-edit"`.
        ParseError: `data` is not JSON data.
        LimitError: nested deeper than 128 levels.

    >>> print(edit(load("# a tool\\nid: greet # kept\\nold: 1\\n"), {"id": "hello", "new": 1}, {"/old": "new"}), end="")
    # a tool
    id: hello # kept
    new: 1
    >>> edit(load('{"id": "a", "tags": ["x"]}'), {"id": "a", "tags": ["x", "y"]})
    '{"id": "a", "tags": ["x", "y"]}'
    """
    if document.syntax == "data":
        raise _unfaithful_error(document, "", "the data was not read from a text")
    from_data(document.data, _LIMITS)
    from_data(data, _LIMITS)
    if is_same_text(document.data, data):
        return document.text
    tree = syntax_tree.read_tree(document)
    whole: set[str] = set()
    one_line, fault = False, ""
    for attempts_left in range(_ATTEMPTS, 0, -1):
        changes = TextChanges(document.text, tree, new_keys, bare, whole, one_line)
        new_text, places = _apply_changes(document, changes.splices(document.data, data))
        place_of_fault = _fault(document, new_text, places, data)
        if place_of_fault is None:
            return new_text
        fault = place_of_fault
        if one_line:
            around = next((place for place in way_to(fault) if place not in whole), None)
            if around is None:
                break
            if attempts_left <= 2:
                around = ""
            whole.add(around)
        one_line = True
    raise _unfaithful_error(document, fault, "no change of the text makes it say this")


def _apply_changes(document: Document, changes: list[Splice]) -> tuple[str, list[tuple[int, str]]]:
    """The text with the changes, and where in it each of them begins, with its pointer."""
    text = document.text
    parts: list[str] = []
    places: list[tuple[int, str]] = []
    at = length = 0
    # Insertions come before what is removed at the same place, in the order in which they were found.
    for start, end, new, pointer in sorted(changes, key=lambda change: (change.start, change.end > change.start)):
        text_between = text[at:start]
        new = new.replace("\n", document.newline)
        parts += text_between, new
        places.append((length + len(text_between), pointer))
        length += len(text_between) + len(new)
        at = max(at, end)
    return "".join((*parts, text[at:])), places


def _fault(document: Document, new_text: str, places: list[tuple[int, str]], data: Any) -> str | None:
    """The place in `data` that the new text does not say as it should; `None` where it says everything."""
    try:
        new_document = load(new_text, document.name, _LIMITS)
    except ParseError as error:
        lines_before = new_text.split("\n")[: (error.line or 1) - 1]
        offset = sum(len(words) + 1 for words in lines_before) + (error.column or 1) - 1
        index = bisect_right([start for start, _ in places], offset)
        _, pointer = places[max(index - 1, 0)]
        return pointer
    if new_document.body == document.body and is_same_text(new_document.data, data):
        return None
    return next((pointer for pointer, _, _ in differing_parts(new_document.data, data)), "")


def _unfaithful_error(document: Document, pointer: str, reason: str) -> WriteError:
    message = f"{reason}; edit the file by hand"
    return WriteError(message, "unfaithful-edit", pointer, source=document.name)
