"""The fixes of `check --fix`: only where there is no doubt, and never of a safety fact, a hint or a default."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from toolglot.converter.schema.json_values import unique
from toolglot.converter.text.pointers import NOTHING, value_at, with_values
from toolglot.verbs.diagnostics.diagnostic import Diagnostic
from toolglot.verbs.diagnostics.manipulation.characters import without_hidden

# Code of a fixable rule -> what takes the place of the value that a finding points at; texts before the lists of them.
FIXES: dict[str, Callable[[Any], Any]] = {
    "hidden-character": without_hidden,
    "enum-duplicate": unique,
}


def is_fixable(diagnostic: Diagnostic) -> bool:
    """Whether a finding can be fixed. One about a key cannot: under another name it may state something else.

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
    """The Markdown after front matter without the hidden text that findings are about.

    >>> fix_body("a\u200bb", [Diagnostic(code="hidden-character", severity="warning", message="", body_offset=1)])
    'ab'
    """
    if any(diagnostic.code == "hidden-character" and diagnostic.body_offset is not None for diagnostic in diagnostics):
        return without_hidden(body)
    return body


def fix_data(data: Any, diagnostics: Iterable[Diagnostic]) -> Any:
    """A copy of the data of a document with its fixable findings fixed.

    >>> finding = Diagnostic(code="enum-duplicate", severity="warning", message="", pointer="/enum")
    >>> fix_data({"enum": [1, 2, 1]}, [finding])
    {'enum': [1, 2]}
    """
    fixable = [one for one in diagnostics if is_fixable(one) and one.body_offset is None]
    for code, fix in FIXES.items():
        places = [pointer for one in fixable if one.code == code for pointer in (one.pointer, *(one.also or ()))]
        values = {pointer: value_at(data, pointer, NOTHING) for pointer in places if pointer}
        data = with_values(data, {pointer: fix(value) for pointer, value in values.items() if value is not NOTHING})
    return data
