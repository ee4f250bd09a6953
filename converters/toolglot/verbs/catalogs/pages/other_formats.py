"""A tool in every format, with its losses there; or why a format cannot have it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from toolglot.converter import formats
from toolglot.converter.conversion.categories import Category
from toolglot.converter.conversion.report import split_path
from toolglot.converter.conversion.result import Conversion
from toolglot.errors import Error
from toolglot.verbs.catalogs.catalog_entries import CatalogOptions, Entry, convert_entry
from toolglot.verbs.tokens.estimate import estimate_tokens


class DefinitionDifference(NamedTuple):
    """One line of a report: what happened, why, and to which fields."""

    category: Category
    because: str
    fields: str


class ToolDefinition(NamedTuple):
    """One tool in one format.

    Attributes:
        format: the name of the format.
        title: the name of the format for people.
        file: the name of the file with the tool; empty where the format cannot have it.
        differences: the report of the conversion.
        tokens: about how many tokens it costs in every request, in a format that is sent to models; else 0.
        refusal: why the format cannot have the tool; empty where it can.
    """

    format: str
    title: str
    file: str = ""
    text: str = ""
    differences: tuple[DefinitionDifference, ...] = ()
    tokens: int = 0
    refusal: str = ""


def definitions_of(entry: Entry, options: CatalogOptions) -> Iterator[ToolDefinition]:
    """The tool in every format but our own, as `convert` writes it."""
    for target in map(formats.get, formats.targets()):
        if target.holds_everything:
            continue
        definition = ToolDefinition(target.name, target.title)
        try:
            qualifier = entry.qualifier._replace(major=None)  # which only ids of catalogues say
            conversion = convert_entry(entry.reading, target.name, qualifier, options)
            [(name, text)] = conversion.files
        except Error as error:
            yield definition._replace(refusal=error.message)
        else:
            # What a format fixes is kept; a name that is made from the id is not, because the folder has it.
            is_fixed = target.one_per_file and not target.tree
            file = os.path.basename(name) if is_fixed else f"tool{target.suffix}"
            tokens = estimate_tokens(conversion.output.records[0].data) if target.provider.profiles else 0
            yield definition._replace(file=file, text=text, differences=_differences(conversion), tokens=tokens)


def _differences(conversion: Conversion) -> tuple[DefinitionDifference, ...]:
    """The lines of the report, the gravest first; one line for all fields with the same change."""
    fields: dict[tuple[Category, str], dict[str, None]] = defaultdict(dict)
    for change in conversion.report_in_detail("explained").changes:
        if not change.bookkeeping:
            fields[change.category, change.because][change.field or split_path(change.path)[1]] = None
    ordered = sorted(fields.items(), key=lambda item: item[0][0].rank)
    return tuple(DefinitionDifference(*kind, ", ".join(names)) for kind, names in ordered)
