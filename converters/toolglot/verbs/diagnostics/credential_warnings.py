"""Warnings about credentials in a document, for verbs that copy its content; `check` has rules for the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.text import document_reader
from toolglot.converter.text.credentials import holds_credential
from toolglot.converter.text.pointers import pointer_of_path, walk_texts
from toolglot.verbs.diagnostics.diagnostic import Diagnostic, make_warning, with_position

CREDENTIAL = "this looks like a credential; descriptions name secrets and never hold them"
MOST_CREDENTIALS = 5
"""Of one source that is copied; the first is enough to look at the rest."""


def credentials_in(document: document_reader.Document) -> Iterator[Diagnostic]:
    """A warning for each credential in a document.

    >>> [found.pointer for found in credentials_in(document_reader.load('{"a": ["Bearer abcdefghijklmnop"]}'))]
    ['/a/0']
    """
    if not holds_credential(document.text):  # one look at the whole is faster than one at each part
        return
    for pointer in places_of_credentials(document.data):
        yield with_position(make_warning("credential", CREDENTIAL, pointer), document)


def places_of_credentials(data: Any) -> Iterator[str]:
    """The JSON Pointers of the texts in data that hold credentials.

    >>> list(places_of_credentials({"a": ["Bearer abcdefghijklmnop"], "b": "Bearer TOKEN"}))
    ['/a/0']
    """
    for path, text in walk_texts(data):
        if holds_credential(text):
            yield pointer_of_path(path)
