"""What tells toolglot's own JSON from other documents."""

from __future__ import annotations

from toolglot.converter.formats import Marks

MARKS = Marks(
    patterns=("*.hub.json",),
    sniff=lambda data, body, file_name: (
        isinstance(data, dict) and "toolglot" in data and isinstance(data.get("tools"), list)
    ),
)
