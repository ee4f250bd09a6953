"""What was done to a schema on its way to a dialect or to a provider, one entry a keyword."""

from __future__ import annotations

from typing import Any

import msgspec


class Step(msgspec.Struct, frozen=True, gc=False):
    """One change.

    `pointer` is the JSON Pointer of the node in the source schema, `keyword` what was changed there (empty: the node).
    `action` is one of

    - `renamed`: another spelling that accepts the same values,
    - `described`: what people and models are told moved into the description; the same values are accepted,
    - `encoded`: the value travels in another form, and the codec takes it there and back,
    - `narrowed`: fewer values can be said than the source accepts,
    - `widened`: more values are accepted than the source accepts; the description says the rest in words,
    - `dropped`: an annotation that nobody is told.
    """

    pointer: str
    keyword: str
    action: str
    before: Any = None
    after: Any = None
    note: str = ""

    @property
    def place(self) -> str:
        """The JSON Pointer of what was changed."""
        return f"{self.pointer}/{self.keyword}" if self.keyword else self.pointer
