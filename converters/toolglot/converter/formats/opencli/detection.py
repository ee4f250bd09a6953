"""What tells OpenCLI documents from others."""

from __future__ import annotations

from toolglot.converter.formats import Marks

MARKS = Marks(
    patterns=("*.opencli.json", "*.opencli.yaml"),
    sniff=lambda data, body, file_name: (
        isinstance(data, dict) and body is None and "opencli" in data and "info" in data
    ),
)
