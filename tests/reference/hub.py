"""`docs/reference/hub.md`: every field of the hub's records, from their docstrings."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.converter.hub import model
from toolglot.converter.schema import canonical

_HEAD = """# The record of a tool

Every format is read into one record, `toolglot.Tool`, and written from it. The code calls it the hub. A tool is a tree:
a node has `children`, and a leaf can be called. Every field but `id` may be absent: the source does not say. No
format's default is filled in. This page is generated from the docstrings of the fields. [fields.md](fields.md)
says where each format has them.

`Source` names the specification, and the part of it, that the field comes from.
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


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _table(fields: list[Field]) -> str:
    rows = [_row("field", "type", "meaning", "source"), _row(*["---"] * 4)]
    rows += [_row(f"`{field.name}`", f"`{field.type}`", field.meaning, field.source) for field in fields]
    return "\n".join(rows)


def page() -> str:
    """The whole page."""
    parts = [_HEAD, "## Tool\n"]
    fields = list(fields_of(model.Tool))
    for group in dict.fromkeys(field.group for field in fields):
        parts.append(f"### {group[0].upper()}{group[1:]}\n")
        parts.append(_table([field for field in fields if field.group == group]) + "\n")
    for record in (model.Binding, model.ErrorCode, model.Example, model.AuthMethod):
        parts.append(f"## {record.__name__}\n")
        parts.append((inspect.getdoc(record) or "").partition("\n\n")[0].replace("\n", " ") + "\n")
        parts.append(_table(list(fields_of(record))) + "\n")
    return "\n".join(parts)


_SCHEMA_OF: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "dict[str, Any]": {"type": "object"},
    "JsonSchema": {"type": "object"},
    "tuple[str, ...]": {"type": "array", "items": {"type": "string"}},
}


def schema() -> str:
    """`schemas/hub/1.schema.json`, in which a field that is new has its type and its docstring."""
    hub_schema = canonical.load("hub/1")
    properties = hub_schema["properties"]
    described = {
        field.name: properties.get(field.name) or {**_SCHEMA_OF[field.type], "description": field.meaning}
        for field in fields_of(model.Tool)
    }
    return json.dumps({**hub_schema, "properties": described}, indent=2, ensure_ascii=False) + "\n"
