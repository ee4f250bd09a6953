"""Values that a writer made up because its format demands them, and the mark that names them.

The mark is a list of keys in toolglot's own object of a record; dots lead to an inner key. The key of a constant stands
alone. The key of a text has a digest of the text behind it, so that a new text under an old mark counts as the
author's. A marked value that is still the constant states nothing: its field stays absent, and the value stays in the
extensions. Without a mark, the next conversion would take every made-up value for a statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from toolglot.converter.formats.kit.field_tables import Row, Table
from toolglot.converter.formats.kit.parameters import stated_text
from toolglot.converter.formats.kit.unreadable_facts import dangers_elsewhere, doubts
from toolglot.converter.hub.model import Tool
from toolglot.converter.safety import CONSTANTS
from toolglot.converter.text.digests import hex_digest
from toolglot.converter.text.pointers import follow, is_texts, with_value

MARK = "assumed"
_DIGITS = 8  # of a digest


def mark_of_text(key: str, text: str) -> str:
    """The entry of the mark for a text that was made up.

    >>> mark_of_text("description", "Not described.")
    'description:35906d76'
    """
    return f"{key}:{hex_digest(text, _DIGITS)}"


def with_mark(data: dict[str, Any], path: Sequence[str], entries: Iterable[str]) -> dict[str, Any]:
    """A record with more entries in its mark, which stands below the keys of `path`.

    >>> with_mark({"id": "a", "metadata": {"b": 1}}, ("metadata", "toolglot"), ["mutates"])
    {'id': 'a', 'metadata': {'b': 1, 'toolglot': {'assumed': ['mutates']}}}
    """
    own = follow(data, (*path, MARK))
    names = dict.fromkeys((*(own if is_texts(own) else ()), *entries))
    return with_value(data, (*path, MARK), list(names)) if names else data


def without_stated_names(
    data: dict[str, Any], path: Sequence[str], tool: Tool, table: Table, whole: Tool
) -> dict[str, Any]:
    """A written record without the names in its old mark whose values are stated by now.

    An unreadable value is written as the constant; with its name in the mark it would be read as made up.

    Args:
        tool: the tool that was written.
        whole: the tool with what it inherits.

    >>> table = {"risk": Row("risk_level", bool)}
    >>> data = {"risk": 2, "x": {"assumed": ["risk", "other"]}}
    >>> tool = Tool(id="a", risk_level=2)
    >>> without_stated_names(data, ("x",), tool, table, tool)
    {'risk': 2, 'x': {'assumed': ['other']}}
    """
    names = follow(data, (*path, MARK))
    if not is_texts(names):
        return data
    own = tool.assumed or ()
    gone = {key for key, row in _supposed_rows(tool, table, names, whole) if row.field not in own}
    return with_value(data, (*path, MARK), [name for name in names if name not in gone]) if gone else data


def supposed_keys(tool: Tool, table: Table) -> list[str]:
    """The keys of a table whose values in a tool are made up, in the order of the tool.

    >>> supposed_keys(Tool(id="a", assumed=("risk_level",)), {"risk": Row("risk_level", bool)})
    ['risk']
    """
    keys = {row.field: key for key, row in table.items() if isinstance(row, Row)}
    return [keys[field] for field in tool.assumed or () if field in keys]


def without_suppositions(
    tool: Tool, table: Table, format_name: str, path: Sequence[str], whole: Tool | None = None
) -> Tool:
    """A tool without the marked values that still are those that a conversion made up.

    Args:
        tool: the tool that was read from a record or a part of one.
        table: the rows with the values that are made up.
        path: the keys that lead to toolglot's own object in a record.
        whole: the tool with what it inherits, if it inherits anything.

    >>> tool = Tool(id="a", risk_level=2, extensions={"f": {"x": {"assumed": ["risk", "other"]}}})
    >>> table = {"risk": Row("risk_level", bool)}
    >>> tool = without_suppositions(tool, table, "f", ("x",))
    >>> tool.risk_level, tool.assumed, tool.extension("f")["risk"]
    (None, ('risk_level',), 2)
    """
    rest = tool.extension(format_name)
    entries = follow(rest, (*path, MARK))
    if not is_texts(entries):
        return tool
    # What is supposed may follow from what becomes unclear only later, in the whole record.
    unclear = {doubt.field for doubt in doubts(rest, table, ())}
    unclear |= {danger.field for danger in dangers_elsewhere(rest, table)}
    whole = replace(whole or tool, unclear=tuple(unclear) or None)
    rows = dict(_supposed_rows(tool, table, entries, whole))
    if not rows:
        return tool
    for key, row in rows.items():
        rest = with_value(rest, key.split("."), row.dump(getattr(tool, row.field)))
    fields = tuple(row.field for row in rows.values())
    extensions = {**(tool.extensions or {}), format_name: rest}
    return replace(tool, assumed=fields, extensions=extensions, **dict.fromkeys(fields))


def _supposed_rows(tool: Tool, table: Table, entries: Iterable[str], whole: Tool) -> Iterator[tuple[str, Row]]:
    """The keys and rows of the marked values that still are the made-up ones."""
    for entry in entries:
        key, _, digest = entry.partition(":")
        row = follow(table, key.split("."))
        if isinstance(row, Row) and _is_supposed(row, getattr(tool, row.field), digest, whole):
            yield key, row


def _is_supposed(row: Row, value: Any, digest: str, whole: Tool) -> bool:
    if value is None:
        return False
    if digest:
        return isinstance(value, str) and hex_digest(value, _DIGITS) == digest
    constant = CONSTANTS.get(row.field)
    return bool(value == (constant(replace(whole, **{row.field: None})) if constant else row.supposed))


def kept_description(tool: Tool, rest: Mapping[str, Any]) -> str | None:
    """The made-up description of the tool's own document, which is written again.

    >>> tool = Tool(id="a", assumed=("description",))
    >>> kept_description(tool, {"description": "Not described."})
    'Not described.'
    """
    is_kept = "description" in (tool.assumed or ()) and tool.description is None
    return stated_text(rest, "description") if is_kept else None
