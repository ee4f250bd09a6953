"""What tells the ATIP metadata of a program from other documents."""

from __future__ import annotations

from toolglot.converter.formats import LookAlike, Marks

MARKS = Marks(
    patterns=("*.atip.json",),
    sniff=lambda data, body, file_name: (
        isinstance(data, dict) and "atip" in data and ("name" in data or "binary" in data or "commands" in data)
    ),
    look_alikes=(
        LookAlike(
            "an ATIP registry manifest",
            lambda data, body, file_name: "atip" in data and ("registry" in data or "endpoints" in data),
            "it lists where programs are, not what they do; convert the programs' own metadata",
        ),
    ),
)
