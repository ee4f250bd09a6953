"""What each verb does with one record of a stream: functions of a document, for `record_stream.outcomes`.

Arguments beside the document are bound by `functools.partial`, which can be pickled; what is returned can be, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolglot.converter import formats
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.conversion.sources import read_document
from toolglot.converter.formats.detection import detect
from toolglot.converter.text.serialization import Document
from toolglot.verbs import catalogs
from toolglot.verbs.catalogs import CatalogOptions, FileEntries
from toolglot.verbs.catalogs.catalog_entries import AS_USUAL
from toolglot.verbs.diagnostics.document_checks import CheckedDocument, check_document
from toolglot.verbs.diagnostics.rule_selection import DEFAULT, RuleSelection
from toolglot.verbs.tokens.costs import CostTally, tally_tokens


def check_record(
    document: Document,
    *,
    format: str | None = None,
    warnings_as_errors: bool = False,
    selection: RuleSelection = DEFAULT,
) -> CheckedDocument:
    """What `check` finds in a record; one that can be parsed and not be read has findings that say so."""
    return check_document(document, format, warnings_as_errors=warnings_as_errors, selection=selection)


def count_record(
    document: Document,
    *,
    format: str | None = None,
    providers: Sequence[str] = (),
    exact: bool = False,
    options: dict[str, Any] | None = None,
) -> list[CostTally]:
    """What the tools of a record cost each provider; `CostTally.merge` adds what those of others do.

    Args:
        providers: `FORMAT[@VERSION]` each; empty stands for every provider.
        options: those of `toolglot.count_tokens`.
    """
    tools = read_document(document, format).tools
    return [tally_tokens(tools, provider, exact=exact, **(options or {})) for provider in providers or all_providers()]


def all_providers() -> list[str]:
    """The formats in which models are offered tools."""
    return [name for name in formats.names() if formats.get(name).provider.profiles]


def gather_record(
    document: Document, *, to: str, file: str, format: str | None = None, options: CatalogOptions = AS_USUAL
) -> FileEntries:
    """What a record gives to a catalogue.

    Args:
        to: `FORMAT[@VERSION]` of the catalogue.
        file: what the file of the record is called in it.
    """
    origin = formats.get(format.partition("@")[0]) if format else detect(document.data, document.body, document.name)
    return catalogs.gather(document, origin, to, file, options)


def read_record_whole(document: Document, *, format: str | None = None) -> Reading:
    """What a record says, for a comparison, which asks for a contract: no slot is part of one."""
    return read_document(document, format, hears_slots=False)
