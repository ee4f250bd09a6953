"""Catalogues: the tools of many files, of whatever formats, as one document, each with where it comes from.

    file -> entries.py (read, convert) -> identities.py (each once, sorted) -> documents.py (one document)

A tool is known by its id and its major version (AIP-14, identity): two majors are two tools, and two tools of one
identity are an error that names both files, unless they are one tool in several languages.
"""

from __future__ import annotations

from toolglot.cataloguing.documents import PROVENANCE, Catalogue, check_target, dump, earlier
from toolglot.cataloguing.entries import Entry, Gathered, gather, is_same
from toolglot.cataloguing.identities import Settled, settle

__all__ = [
    "PROVENANCE",
    "Catalogue",
    "Entry",
    "Gathered",
    "Settled",
    "check_target",
    "dump",
    "earlier",
    "gather",
    "is_same",
    "settle",
]
