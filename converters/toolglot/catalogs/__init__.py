"""Catalogues: the tools of many files, of whatever formats, as one document, each with where it comes from.

    file -> entries.py (read, convert) -> identities.py (each once, sorted) -> documents.py (one document)

A tool is known by whose it is (its namespace), its id and its major version (AIP-14, identity). Copies are one tool,
and so are translations. Two tools that would have one name get the rest of that into their names; what still meets is
left out and named.
"""

from __future__ import annotations

from toolglot.catalogs.catalogue_document import PROVENANCE, Catalogue, Program, check_target, dump, read_earlier
from toolglot.catalogs.entries import Entry, Gathered, any_tool_format, gather, gather_reading, is_same
from toolglot.catalogs.identities import Settled, settle
from toolglot.catalogs.options import CatalogueOptions

__all__ = [
    "PROVENANCE",
    "Catalogue",
    "CatalogueOptions",
    "Entry",
    "Gathered",
    "Program",
    "Settled",
    "any_tool_format",
    "check_target",
    "dump",
    "gather",
    "gather_reading",
    "is_same",
    "read_earlier",
    "settle",
]
