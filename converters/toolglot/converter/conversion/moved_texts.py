"""Whether a target has a text in another place than the source, such as guidance that went into the description."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from toolglot.converter.formats.kit.description.guidance import call_of_example
from toolglot.converter.hub.model import ErrorCode, Example, Tool
from toolglot.converter.safety import SAFETY_LABEL, WORDS
from toolglot.converter.text.sequences import common_ends

TEXTS = ("description", "summary", "guidance", "when_to_use", "title")
_TELLING = TEXTS[:-1]  # a title tells nothing but itself
# Field -> the fields whose text it takes over where the target has no other place for them.
_ORIGINS = {
    "guidance": ("when_to_use", "body"),
    "when_to_use": ("guidance",),
    "description": ("summary",),
}
_SHORTEST_PART = 24  # characters; less of a text may stand in another by accident


def action_of_text(name: str, was: Any, now: Any, before: Tool, after: Tool) -> str | None:
    """The action for a text, or for a field that becomes text; `None` where the values of the field decide.

    >>> action_of_text("guidance", "By\\nday.", None, Tool(id="t"), Tool(id="t", description="Feed.\\n\\nBy day."))
    'moved'
    """
    if name in ("description", "flags") and _is_taken_apart(before, after):
        return "moved"
    if was is None:
        return "moved" if _is_moved(name, now, before, after) else None
    if name == "errors" and now is not None and _without_stops(was) == _without_stops(now):
        return "renamed"
    if now is None and name == "examples" and _tells_examples(was, after):
        return "moved"
    if now is None and name == "body" and _is_moved("guidance", after.guidance or "", before, after):
        return "moved"
    if now is not None or name not in TEXTS:
        return None
    kept_count = _count_kept(was, after)
    if kept_count == len(was):
        return "moved"
    return "narrowed" if kept_count else "dropped"


def _is_taken_apart(before: Tool, after: Tool) -> bool:
    """Whether a text that ends in warnings was read back as the text without them, and flags."""
    if before.flags or not (before.description and after.flags):
        return False
    whole, text = before.description.split(), (after.description or "").split()
    if len(whole) == len(text) or whole[: len(text)] != text:
        return False
    rest = " ".join(whole[len(text) :])
    for name in after.flags:
        rest = rest.replace(WORDS[name].words, "")
    return not rest.replace(SAFETY_LABEL.strip(), "").strip(" .;|[]")


def _is_moved(name: str, text: Any, before: Tool, after: Tool) -> bool:
    """Whether a text that is new in a field stands in another field of the source, and only there."""
    for other in _ORIGINS.get(name, ()):
        was = getattr(before, other)
        if was and was.split() == text.split() and getattr(after, other) is None:
            return True
    return False


def _count_kept(text: str, tool: Tool) -> int:
    """How many characters of a text stand in the texts of a tool, whatever its line breaks: all, the first, or none."""
    others = "\n\n".join(filter(None, (getattr(tool, name) for name in _TELLING)))
    whole, target_text = " ".join(text.split()), " ".join(others.split())
    if whole in target_text and (len(whole) >= _SHORTEST_PART or whole in others.split("\n\n")):
        return len(text)
    if len(whole) <= _SHORTEST_PART:
        return 0
    start = target_text.find(whole[:_SHORTEST_PART])
    if start < 0:
        return 0
    return common_ends(whole, target_text[start : start + len(whole)])[0]


def _tells_examples(examples: Iterable[Example], tool: Tool) -> bool:
    """Whether a description tells every example.

    >>> _tells_examples([Example(input={"to": "Zoë"})], Tool(id="pay", description='Pays.\\n- {"to":"Zoë"}'))
    True
    """
    calls = list(map(call_of_example, examples))
    return bool(calls) and all(call and call in (tool.description or "") for call in calls)


def _without_stops(errors: Iterable[ErrorCode]) -> list[tuple[Any, ...]]:
    """The content of errors, without the full stops at the end of their texts."""
    return [(one.code, (one.description or "").removesuffix(".") or None, one.action, one.extensions) for one in errors]
