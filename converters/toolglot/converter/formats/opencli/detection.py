"""What tells OpenCLI documents from others."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    return isinstance(data, dict) and body is None and "opencli" in data and "info" in data


MARKS = Marks(patterns=("*.opencli.json", "*.opencli.yaml"), sniff=_sniff)
