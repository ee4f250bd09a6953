"""What tells toolglot's own JSON from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    return isinstance(data, dict) and "toolglot" in data and isinstance(data.get("tools"), list)


MARKS = Marks(patterns=("*.hub.json",), sniff=_sniff)
