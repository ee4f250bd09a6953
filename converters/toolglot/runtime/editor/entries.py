"""Which entry of a document a place in its text belongs to, and which one is begun there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolglot.converter.text.document_reader import Document
from toolglot.converter.text.pointers import escape
from toolglot.verbs.migration.edit.syntax_tree import read_tree

_MOST_CHARACTERS = 1_000_000  # of a text that is read again at every question
_BEFORE = re.compile(r"[\"']?[\w.$/-]{0,200}\Z")
_AFTER = re.compile(r"\A[\w.$/-]{0,200}[\"']?")
_BRACKET = re.compile(r'"(?:\\.|[^"\\\n])*"?|([\[{])|([\]}])')  # or a text, in which a bracket is none
NEW = "toolglot-new"
"""What stands for the word that is being written."""
_COMPLETED = ('"{}": 0', '"{}": 0,', ', "{}": 0', '"{}"')  # as JSON and YAML both have keys and words


class WholeText(NamedTuple):
    """A text with a whole key or value at a place: where that begins in it, and what the text before had of it."""

    text: str
    at: int
    written: slice


class EntryAtPlace(NamedTuple):
    """The entry at a place.

    Attributes:
        document: what it is in, read from a text with a whole key or value at the place.
        pointer: its JSON Pointer.
        is_key: whether the place is in its key.
        written: what the text of the editor has of that key or value.
    """

    document: Document
    pointer: str
    is_key: bool
    written: slice


def find_entry(document: Document, whole: WholeText) -> EntryAtPlace | None:
    """The innermost entry whose key or plain value a place is in; `None` between entries, and in Markdown.

    >>> from toolglot.converter.text.document_reader import load
    >>> whole = WholeText("a:\\n  b: [x, y]\\n", 12, slice(12, 12))
    >>> find_entry(load(whole.text), whole).pointer
    '/a/b/1'
    """
    node, pointer = read_tree(document).root, ""
    while node.entries:
        entry = next((entry for entry in node.entries if entry.start <= whole.at <= entry.end), None)
        if entry is None:
            return None
        pointer += f"/{escape(entry.name)}"
        if entry.key is not None and whole.at <= entry.key.end:
            return EntryAtPlace(document, pointer, True, whole.written)
        node = entry.value
    return EntryAtPlace(document, pointer, False, whole.written) if node.start <= whole.at <= node.end else None


def complete_texts(text: str, offset: int, word: str | None) -> Iterator[WholeText]:
    """Texts in which a whole word stands at an offset, where mostly only a part of one does.

    While somebody types, most texts cannot be read. The first of these that can is what they may have in mind; the last
    ones leave out all that follows, where something there is broken too. Of a very long text there are none.

    Args:
        word: the word; `None` is what is there, as far as it is written, and the text itself comes first.

    >>> [whole.text for whole in complete_texts('{"a": 1, "b', 11, None)][2]
    '{"a": 1, "b": 0,'
    """
    if len(text) > _MOST_CHARACTERS:
        return
    if word is None:
        yield WholeText(text, offset, slice(offset, offset))
    line = text.rfind("\n", 0, offset) + 1
    head = text[:line] + _BEFORE.sub("", text[line:offset])
    tail = _AFTER.sub("", text[offset:])
    written = slice(len(head), len(text) - len(tail))
    word = word or text[written].strip("\"'")
    head += " " if head.endswith(":") else ""
    forms = ('"{}"',) if tail.lstrip(" \t").startswith(":") else _COMPLETED
    for ending in (tail, _close(head) + ("\n---\n" if text.startswith("---") else "")):
        for form in forms:
            whole = head + form.format(word) + ending
            yield WholeText(whole, whole.index('"', len(head)) + 1, written)


def _close(text: str) -> str:
    """The brackets that end what is open at the end of a text.

    >>> _close('{"a": [1, {"b]": 1}, {')
    '}]}'
    """
    closing: list[str] = []
    for bracket in _BRACKET.finditer(text):
        if bracket[1]:
            closing.append("]" if bracket[1] == "[" else "}")
        elif bracket[2] and closing:
            closing.pop()
    return "".join(reversed(closing))
