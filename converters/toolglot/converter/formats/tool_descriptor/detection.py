"""What tells ToolDescriptors from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import Marks
from toolglot.converter.formats.kit.containers import first_record
from toolglot.converter.formats.tool_descriptor.session_logs import LOOK_ALIKES


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    record = first_record(data)
    return "toolId" in record and ("source" in record or "safetyTier" in record)


MARKS = Marks(
    aliases=("openwop", "tooldescriptor", "descriptor"),
    patterns=("*.tools.json",),
    sniff=_sniff,
    look_alikes=LOOK_ALIKES,
)
