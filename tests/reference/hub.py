"""`docs/hub.md`: every field of the hub's records, from their docstrings and from what the formats declare."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from typing import NamedTuple

from toolglot import formats
from toolglot.hub import model

_HEAD = """# The hub

Every format is read into one record, `toolglot.hub.model.Tool`, and written from it. A tool is a tree: a node has
`children`, and a leaf can be called. Every field but `id` may be absent, which means that the source does not say; no
format's default is filled in. This page is generated from the docstrings of the fields and from what each format
declares; `make accept` writes it anew.

`Source` names the specification, and the part of it, that the field comes from. `Where` has the JSON Pointer of the
field in the documents of each format; a field without one is put together from several places, or stands elsewhere.
"""


class Field(NamedTuple):
    """One field of a record of the hub."""

    group: str
    name: str
    type: str
    meaning: str
    source: str


def fields_of(record: type) -> Iterator[Field]:
    """The fields of a record, with the comment above their group and the docstring below each."""
    source = inspect.getsource(record)
    lines = source.splitlines()
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    group = ""
    for statement, following in zip(definition.body, [*definition.body[1:], None], strict=True):
        if not isinstance(statement, ast.AnnAssign):
            continue
        comment = re.fullmatch(r"\s*# (.*)", lines[statement.lineno - 2])
        group = comment[1] if comment else group
        meaning, _, origin = " ".join(_docstring(following).split()).partition(" Source: ")
        yield Field(group, ast.unparse(statement.target), _type(statement.annotation), meaning, origin)


def _docstring(statement: ast.stmt | None) -> str:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""


def _type(annotation: ast.expr) -> str:
    """The type without what says that the field may be absent."""
    return re.sub(r" \| (None|UnsetType)\b", "", ast.unparse(annotation))


def _where(name: str) -> str:
    """Where each format but the hub's own has a field of `Tool`."""
    places: list[str] = []
    for format_name in formats.names():
        pointer = formats.get(format_name).places.get(name)
        if pointer is not None and format_name != "hub":
            places.append(f"{format_name} `{pointer}`")
    return ", ".join(places)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _table(fields: list[Field], is_tool: bool) -> str:
    heads = ["field", "type", "meaning", "source"]
    if is_tool:
        heads.append("where")
    rows = [_row(*heads), _row(*["---"] * len(heads))]
    for field in fields:
        cells = [f"`{field.name}`", f"`{field.type}`", field.meaning, field.source]
        if is_tool:
            cells.append(_where(field.name))
        rows.append(_row(*cells))
    return "\n".join(rows)


def page() -> str:
    """The whole page."""
    parts = [_HEAD, "## Tool\n"]
    fields = list(fields_of(model.Tool))
    for group in dict.fromkeys(field.group for field in fields):
        parts.append(f"### {group[0].upper()}{group[1:]}\n")
        parts.append(_table([field for field in fields if field.group == group], True) + "\n")
    for record in (model.Binding, model.ErrorCode, model.Example, model.AuthMethod):
        parts.append(f"## {record.__name__}\n")
        parts.append((inspect.getdoc(record) or "").partition("\n\n")[0].replace("\n", " ") + "\n")
        parts.append(_table(list(fields_of(record)), False) + "\n")
    return "\n".join(parts)
