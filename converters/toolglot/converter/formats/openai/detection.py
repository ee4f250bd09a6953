"""What tells the function definitions of OpenAI from other documents."""

from __future__ import annotations

from typing import Any

from toolglot.converter.formats import LookAlike, Marks
from toolglot.converter.formats.gemini.detection import is_declaration
from toolglot.converter.formats.kit.definition_containers import first_definition, holds_text

# The shapes that have the function in a key of its own, as Chat Completions does.
WRAPPERS = {"wrapped": "function", "custom": "custom"}
_OF_A_FUNCTION = frozenset({"parameters", "description", "strict"})  # contracts have a type `function` too
_FOREIGN = frozenset({"inputSchema", "input_schema"})


def shape_of(data: dict[str, Any]) -> str:
    """The shape of a definition.

    >>> shape_of({"type": "function", "function": {}}), shape_of({"type": "function"}), shape_of({"name": "ls"})
    ('wrapped', 'flat', 'bare')
    """
    if isinstance(data.get("function"), dict):
        return "wrapped"
    if data.get("type") is None:
        return "bare"
    if data["type"] == "custom" and isinstance(data.get("custom"), dict):
        return "custom"
    if data["type"] == "function":
        return "flat"
    return "hosted"


def _sniff(data: Any, body: str | None, file_name: str) -> bool:
    if body is not None:
        return False
    record = first_definition(data)
    if is_declaration(record):
        return False
    node = record.data
    shape = shape_of(node)
    if shape == "bare":
        own = isinstance(node.get("parameters"), dict) and not _FOREIGN & node.keys()
        return isinstance(node.get("name"), str) and (own or record.pointer.startswith("/functions/"))
    return shape in WRAPPERS or (shape == "flat" and bool(_OF_A_FUNCTION & node.keys()))


MARKS = Marks(
    aliases=("gpt", "chatgpt"),
    patterns=("*.openai.json",),
    sniff=_sniff,
    look_alikes=(
        LookAlike(
            "a row whose tools are a text that holds JSON",
            holds_text,
            "write them as JSON, such as by `jq -c '.tools |= fromjson'`",
        ),
    ),
)
