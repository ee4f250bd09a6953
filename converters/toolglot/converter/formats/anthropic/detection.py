"""What tells the tool definitions of Anthropic from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks
from toolglot.converter.formats.kit.definition_containers import first_definition


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    node = first_definition(data).data if body is None else {}
    has_keys = isinstance(node.get("name"), str) and isinstance(node.get("input_schema"), dict)
    return has_keys and node.keys().isdisjoint(("inputSchema", "output_schema"))


MARKS = Marks(aliases=("claude",), patterns=("*.anthropic.json",), sniff=_sniff)
