"""What `check --fix` changes: only what leaves no doubt, and never a statement about safety, a hint or a default."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from toolglot.converter.schema.json_values import unique
from toolglot.converter.text.pointers import follow, tokens_of
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.manipulation.characters import without_hidden


def _strip(holder: Any, key: Any) -> None:
    if isinstance(holder[key], str):
        holder[key] = without_hidden(holder[key])


def _make_unique(holder: Any, key: Any) -> None:
    if isinstance(holder[key], list):
        holder[key] = unique(holder[key])


# Code of a fixable rule -> what is done to the entry that a finding points at.
FIXES: dict[str, Callable[[Any, Any], None]] = {
    "hidden-character": _strip,
    "enum-duplicate": _make_unique,
}


def is_fixable(diagnostic: Diagnostic) -> bool:
    """Whether a finding is put right: that of a key is not, for under another name it may state something else.

    >>> fields = {"code": "hidden-character", "severity": "warning", "message": ""}
    >>> findings = [Diagnostic(**fields, pointer=key) for key in ("/a", "/b\u200b")]
    >>> list(map(is_fixable, findings))
    [True, False]
    """
    if diagnostic.code not in FIXES:
        return False
    key = diagnostic.pointer.rpartition("/")[2]
    return without_hidden(key) == key


def fix_body(body: str, diagnostics: Iterable[Diagnostic]) -> str:
    """The Markdown after front matter without what findings in it say that it hides.

    >>> fix_body("a\u200bb", [Diagnostic(code="hidden-character", severity="warning", message="", body_offset=1)])
    'ab'
    """
    if any(diagnostic.code == "hidden-character" and diagnostic.body_offset is not None for diagnostic in diagnostics):
        return without_hidden(body)
    return body


def fix_data(data: Any, diagnostics: Iterable[Diagnostic]) -> Any:
    """A copy of the data of a document in which findings are put right, as far as a rule is certain how.

    >>> finding = Diagnostic(code="enum-duplicate", severity="warning", message="", pointer="/enum")
    >>> fix_data({"enum": [1, 2, 1]}, [finding])
    {'enum': [1, 2]}
    """
    data = deepcopy(data)
    fixable = [one for one in diagnostics if is_fixable(one) and one.body_offset is None]
    places = [(one.code, pointer) for one in fixable for pointer in (one.pointer, *(one.also or ()))]
    # What is inside of a list before the list, so that an index holds until it is used.
    for code, pointer in sorted(places, key=lambda place: place[1].count("/"), reverse=True):
        tokens = tokens_of(pointer)
        if not tokens:
            continue
        holder, key = follow(data, tokens[:-1]), tokens[-1]
        if isinstance(holder, list) and key.isdigit() and int(key) < len(holder):
            FIXES[code](holder, int(key))
        elif isinstance(holder, dict) and key in holder:
            FIXES[code](holder, key)
    return data
