"""What tells usage specifications from other documents in KDL."""

from __future__ import annotations

from typing import Any

from toolglot.formats import Marks
from toolglot.text.pointers import list_at

_NODES = frozenset({"bin", "cmd", "flag", "arg", "min_usage_version"})
_ENDING = ".usage.kdl"


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    if not isinstance(data, dict) or data.keys() != {"nodes"}:
        return False
    names = {node.get("name") for node in list_at(data, "nodes") if isinstance(node, dict)}
    if names & _NODES:
        return True
    return bool(names) and file_name.endswith(_ENDING)


MARKS = Marks(patterns=(f"*{_ENDING}",), sniff=_sniff)
