"""Catalogues: `catalog_entries.FileEntries`, `identities.settle`, `catalog_document.dump`: one document of many files.

A tool is identified by its namespace, its id and its major version (AIP-14, identity); its name in a catalogue is made
of these alone. Copies are one tool, and so are translations. Of two tools with the same name both are left out and
reported, unless one of them had the name in the catalogue before.

catalog_entries      what one file gives, of whatever format, with where it comes from; what a catalogue is asked for
identities           each tool once, sorted
    copies               of files that say the same, one
    translations         in which language, where files say the same in several
catalog_document     one document of all, and an earlier document as entries again
pages                the same to look at
"""

from __future__ import annotations

from toolglot.converter.conversion.extension_slots import PROVENANCE
from toolglot.verbs.catalogs.catalog_document import (
    Catalog,
    EntriesOfFiles,
    Program,
    check_target,
    dump,
    dump_lines,
    read_earlier,
)
from toolglot.verbs.catalogs.catalog_entries import (
    CatalogOptions,
    Entry,
    FileEntries,
    any_tool_format,
    is_same,
)
from toolglot.verbs.catalogs.identities import SettledEntries, settle, spill_for

__all__ = [
    "PROVENANCE",
    "Catalog",
    "CatalogOptions",
    "EntriesOfFiles",
    "Entry",
    "FileEntries",
    "Program",
    "SettledEntries",
    "any_tool_format",
    "check_target",
    "dump",
    "dump_lines",
    "is_same",
    "read_earlier",
    "settle",
    "spill_for",
]
