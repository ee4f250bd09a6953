"""Facts about a call for which a target has no field, as labelled paragraphs after its description.

    Delete a repository.

    When to use: Only when asked by name.

    Requires: The repository is archived.

Labels are English. Beside a text in another language the sentences stand without one, and the rest, which are
names, are left out. What only a host needs (scopes, drivers, actions) is said nowhere: a model cannot act on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from operator import attrgetter
from typing import Any

from toolglot.hub.model import Tool
from toolglot.safety import warnings_in
from toolglot.text.language import is_english

_LABELS = {
    "when_to_use": "When to use: ",
    "conditions": "Requires: ",
    "permissions": "Permissions: ",
    "required_tools": "Needs first: ",
    "calls": "Calls: ",
    "deprecated": "Status: ",
}
_SENTENCES = frozenset({"when_to_use", "conditions"})  # what is understood without its label
_LISTS = frozenset({"conditions", "permissions", "required_tools", "calls"})
LABELS = tuple(_LABELS.values())
LABELLED = frozenset(_LABELS)
"""The fields of the hub that a target without a place for them says in a paragraph."""
_values_of = attrgetter(*_LABELS)
_ANY = re.compile("|".join(map(re.escape, _LABELS.values())))
_GAP = "\n\n"


def paragraphs(tool: Tool, holds: Collection[str]) -> dict[str, str]:
    """The paragraph of each field that no field of the target holds.

    >>> paragraphs(Tool(id="t", when_to_use="Never.", calls=("a", "b")), {"when_to_use"})
    {'calls': 'Calls: a; b.'}
    >>> paragraphs(Tool(id="t", description="Busca el nombre de un cliente.", when_to_use="Solo.", calls=("a",)), ())
    {'when_to_use': 'Solo.'}
    """
    texts: dict[str, str] = {}
    for field, value in zip(_LABELS, _values_of(tool), strict=True):
        if value is None or field in holds:
            continue
        words = _format_value(value)
        if words:
            texts[field] = words
    if not texts:
        return {}
    sentences = {field: words for field, words in texts.items() if field in _SENTENCES}
    if not is_english("\n".join([tool.description or "", *sentences.values()])):
        return sentences
    return {field: _LABELS[field] + words + _full_stop(field) for field, words in texts.items()}


def has_label(text: str) -> bool:
    """Whether `take_paragraphs` could find a field in the text: a quick look that spares most texts the whole one."""
    return _ANY.search(text) is not None


def take_paragraphs(text: str, holds: Collection[str]) -> dict[str, Any]:
    """The fields that `paragraphs` would make the end of this text of, and `description`, the text before them.

    A text that would be written differently is ordinary prose and stays whole.

    >>> take_paragraphs("Delete.\\n\\nCalls: a; b.", ())
    {'description': 'Delete.', 'calls': ('a', 'b')}
    >>> take_paragraphs("Calls: a\\n\\nWhen to use: a label in the wrong place", {"when_to_use"})
    {'description': 'Calls: a\\n\\nWhen to use: a label in the wrong place'}
    """
    fields: dict[str, Any] = {}
    head = text
    for field, label in reversed(_LABELS.items()):
        before, gap, words = head.rpartition(_GAP + label)
        if gap and words and field not in holds and not warnings_in(words):  # which would be lost in a list
            head, fields[field] = before, _parse_value(field, words.removesuffix(_full_stop(field)))
    if not (fields and head):
        return {"description": text}
    values = {"description": head, **fields}
    own_paragraphs = paragraphs(Tool(id="", **values), holds)
    if _GAP.join([head, *own_paragraphs.values()]) != text:
        return {"description": text}
    return values


def _full_stop(field: str) -> str:
    """Names are no sentence by themselves; the sentences of a source end as they are."""
    return "" if field in _SENTENCES else "."


def _format_value(value: Any) -> str:
    """A field as words that `_parse_value` reads back; nothing where it cannot be said so."""
    if value is True:
        return "deprecated"
    if isinstance(value, tuple):
        return "; ".join(value)
    if isinstance(value, str):
        return value
    return ""


def _parse_value(field: str, words: str) -> Any:
    if field == "deprecated":
        return words == "deprecated" or None
    if field in _LISTS:
        return tuple(words.split("; "))
    return words
