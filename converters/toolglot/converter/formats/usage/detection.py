"""What tells usage specifications from other documents in KDL."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks
from toolglot.converter.text.pointers import list_at

_NODES = frozenset({"bin", "cmd", "flag", "arg", "min_usage_version"})
_ENDING = ".usage.kdl"


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    if not isinstance(data, dict) or data.keys() != {"nodes"}:
        return False
    nodes = [node for node in list_at(data, "nodes") if isinstance(node, dict)]
    if any(isinstance(node.get("name"), str) and node["name"] in _NODES for node in nodes):
        return True
    return bool(nodes) and file_name.endswith(_ENDING)


MARKS = Marks(patterns=(f"*{_ENDING}",), sniff=_sniff)
