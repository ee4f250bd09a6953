"""What another package needs to add a format: `docs/internals/write-a-format.md` says how."""

from __future__ import annotations

from toolglot.converter.formats import ExtensionSlot, Format, Marks, Places, Record, Spelling
from toolglot.converter.formats.kit.containers import first_record, listed_records
from toolglot.converter.formats.kit.description.facts_in_description import join_description, split_description
from toolglot.converter.formats.kit.field_tables import Row, Table, echoes, fields_of, places, put, take, text, texts
from toolglot.converter.formats.kit.parameters import NamedParameter, Style, collect, distribute, has_unread
from toolglot.converter.formats.kit.tool_ids import Name, fit_id, function_name, named_parts
from toolglot.converter.hub.model import Binding, Tool

__all__ = [
    "Binding",
    "ExtensionSlot",
    "Format",
    "Marks",
    "Name",
    "NamedParameter",
    "Places",
    "Record",
    "Row",
    "Spelling",
    "Style",
    "Table",
    "Tool",
    "collect",
    "distribute",
    "echoes",
    "fields_of",
    "first_record",
    "fit_id",
    "function_name",
    "has_unread",
    "join_description",
    "listed_records",
    "named_parts",
    "places",
    "put",
    "split_description",
    "take",
    "text",
    "texts",
]
