"""What tells the function declarations of Gemini from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.formats import Marks
from toolglot.formats.gemini.declarations import is_declaration
from toolglot.formats.kit.definition_containers import first_definition


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    return body is None and is_declaration(first_definition(data))


MARKS = Marks(aliases=("google", "vertex"), patterns=("*.gemini.json",), sniff=_sniff)
