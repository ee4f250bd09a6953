"""What people read of an entry: its field, its place, its values, and the line of all."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from toolglot.cli.reports.entries import BINDINGS, name_inside
from toolglot.converter.conversion.categories import ACTIONS, Category
from toolglot.converter.conversion.report import Change, split_path
from toolglot.converter.hub.model import to_json
from toolglot.converter.text.pointers import unescape
from toolglot.converter.text.wording import count_noun, describe_replacement, to_short_json
from toolglot.errors import escape_unseen, location
from toolglot.verbs.diagnostics.diagnostic import Diagnostic

LONGEST_VALUE = 48  # characters of a value

LONGEST_FIELD = 60


def tool_of(change: Change) -> str:
    """The id of the tool, or the words of the command."""
    return change.command or change.tool


def field_of(change: Change) -> str:
    """What the source calls it; of a long way into a schema the two ends."""
    if len(change.field) <= LONGEST_FIELD:
        return change.field
    return f"{change.field[: LONGEST_FIELD // 2]}…{change.field[-LONGEST_FIELD // 2 :]}"


def place_of(change: Change) -> str:
    """The source, and the line where it says so.

    >>> place_of(Change(action="dropped", path="/tags", code="", note="", source="a.json", line=3, column=5))
    'a.json:3'
    """
    return location(change.source, change.line, None).removesuffix(": ")


def name_of(change: Change) -> str:
    """The short name of what it is about: a field, or the part of a tool that holds a place in a schema.

    Beside the tools it is the last key: what stands around it, such as the name of a server, differs in each document.
    """
    if change.action == "unstated":
        return ""
    if not tool_of(change):
        return unescape(change.path.rpartition("/")[2])
    _, name, rest = split_path(change.path)
    if not rest or name == "extensions":
        return field_of(change)
    return change.field.replace("[", ".").partition(".")[0]


def value_of(change: Change, longest: int = LONGEST_VALUE) -> str:
    """The value that matters, as short JSON; both where one became the other; nothing where there is none."""
    name = name_inside(change)
    spelling = None if not name else change.spelled
    if spelling is not None and spelling == change.field:
        return ""  # the name of the field says it already
    before = _value(change.before, name, spelling)
    after = _value(change.after, name, spelling if change.before is None else None)
    if before is None and after is None:
        return ""
    show = partial(short_json, longest=longest)
    if before is None:
        return show(after)
    if after is None or change.category is Category.LOST:
        return show(before)
    return describe_replacement(before, after, show)


def describe_change(change: Change, names_tool: bool = True, show: Callable[[Any], str] = to_short_json) -> str:
    """The line of a change: where it stands, its reason unless every change of its kind has it, and its values.

    Args:
        names_tool: whether nothing around the line says which tool it is about.
        show: what makes JSON of a value.

    >>> about = {"note": "nobody is asked", "code": "approval-relaxed", "tool": "a"}
    >>> describe_change(Change(action="changed", path="/approval", before="always", after="auto", **about))
    'nobody is asked at a /approval: "always" -> "auto"'
    """
    subject = change.tool if names_tool and not change.command else ""
    place = " ".join(filter(None, (subject, change.place)))
    reason = "" if change.note == ACTIONS[change.action].meaning else change.note
    text = location(change.source, change.line, change.column)
    text += " at ".join(filter(None, (reason, place)))
    before, after = to_json(change.before), to_json(change.after)
    if after is not None or (before is not None and change.category is Category.GONE):
        text += f": {describe_replacement(before, after, show)}"
    elif before is not None:
        text += f": {show(before)}"  # what became of it, its kind says
    return escape_unseen(text)


def finding_of(change: Change) -> Diagnostic:
    """The change as services show it beside a line.

    >>> finding_of(Change(action="dropped", path="/tags", before=("a",), code="", note="", field="tags")).message
    'tags: ["a"]: lost'
    """
    message = f"{tool_of(change)} {field_of(change)}".strip()
    value = value_of(change)
    if value:
        message += f": {value}"
    message += f": {change.category}"
    if change.because:
        message += f" ({change.because})"
    return Diagnostic(
        code=change.code,
        severity=change.severity,
        message=message,
        source=change.source,
        line=change.line,
        column=change.column,
    )


def _value(value: Any, name: str, spelling: Any) -> Any:
    """A value as people know it: a word as its format spells it, the parameters of a command line by their names."""
    if value is None:
        return None
    if name in BINDINGS:
        return list(value)
    if name == "global_inputs" and isinstance(value, dict):
        return list(value.get("properties", value))
    is_word = isinstance(spelling, bool | int | str) and isinstance(value, bool | int | str)
    return spelling if is_word else to_json(value)


def short_json(value: Any, longest: int = LONGEST_VALUE) -> str:
    """A value as JSON on one line; how much there is of what is too long.

    >>> short_json("a" * 50)
    '"aaaaaaaaaaaaaaaaaaaaaaaa…" (24 of 50)'
    >>> short_json(["a" * 30, "b" * 30]), short_json({"es": "x" * 30, "pt": {}})
    ('[2 items]', '{"es", "pt"}')
    """
    text = escape_unseen(json.dumps(value, ensure_ascii=False, default=str))
    if len(text) <= longest:
        return text
    if isinstance(value, str):
        half = longest // 2
        return f'{escape_unseen(json.dumps(value[:half], ensure_ascii=False))[:-1]}…" ({half} of {len(value):,})'
    if isinstance(value, dict):
        keys = "{" + escape_unseen(", ".join(json.dumps(key, ensure_ascii=False) for key in value)) + "}"
        if len(keys) <= longest:
            return keys
        return f"{{{count_noun(len(value), 'key')}}}"
    if isinstance(value, list):
        return f"[{count_noun(len(value), 'item')}]"
    return f"{text[:longest]}…"
