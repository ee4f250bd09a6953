"""Keys of a document that its canonical schema allows and does not know, and that differ from a known one by a slip.

Most formats are open: a reader passes over a key that it does not know, so that nobody hears of `descripton`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolglot.converter.schema.document_fields import FieldSchema, field_at
from toolglot.converter.schema.document_problems import Problem, unknown_key
from toolglot.converter.text.caches import cache_short
from toolglot.converter.text.pointers import escape
from toolglot.converter.text.similar_names import find_slip

_OWN_KEYS = ("x-", "_", "$")  # beginnings of keys that are no slip of one of the format's


def find_misspelt_keys(data: Any, schema: str) -> Iterator[Problem]:
    """Every such key beside which the key that was meant does not stand.

    Args:
        schema: the name of the canonical schema.

    >>> [problem.hint for problem in find_misspelt_keys({"name": "a", "descripton": "A.", "b": 1}, "mcp/2025-11-25")]
    ['did you mean `description`?']
    """
    waiting = [(data, "", "")]
    while waiting:
        value, pointer, kind = waiting.pop()
        if isinstance(value, list):
            waiting += [(item, f"{pointer}/{index}", f"{kind}/0") for index, item in enumerate(value)]
        elif isinstance(value, dict):
            field, known_keys = _field_of_kind(kind, schema)
            for key, inner in value.items():
                step = "/" + escape(key)
                if key in known_keys or field.inner(key).parts:
                    waiting.append((inner, pointer + step, kind + step))
                    continue
                meant = _find_meant_key(key, known_keys)
                if meant is not None and meant not in value:
                    yield unknown_key(pointer, key, (meant,))


def _find_meant_key(key: str, known_keys: tuple[str, ...]) -> str | None:
    return None if key.startswith(_OWN_KEYS) else find_slip(key, known_keys)


@cache_short(1024)  # documents of a format have the same keys
def _field_of_kind(kind: str, schema: str) -> tuple[FieldSchema, tuple[str, ...]]:
    """What a schema says of the entries at a place, and the keys that they may have.

    Args:
        kind: the JSON Pointer of the place; all items of a list are of one kind, that of the first.
    """
    field = field_at(schema, kind)
    return field, field.names
