"""Modules that are imported when something of them is asked for: what `--help` need not wait for.

Each is declared here once, and then used as if it were imported at the top.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "document_reader",
    "file_search",
    "formats",
    "line_reader",
    "line_sources",
    "pages",
    "record_stream",
    "row_files",
    "settings",
    "toml_reader",
    "writing",
]


class LateModule:
    """A module of ours that is not imported yet.

    >>> LateModule("toolglot.converter.formats").get("atdf").name
    'atdf'
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


if TYPE_CHECKING:
    from toolglot.cli import line_sources, settings
    from toolglot.converter import file_search, formats
    from toolglot.converter.files import row_files, writing
    from toolglot.converter.text import document_reader, toml_reader
    from toolglot.verbs.catalogs import pages
    from toolglot.verbs.streams import line_reader, record_stream
else:
    settings = LateModule("toolglot.cli.settings")
    file_search = LateModule("toolglot.converter.file_search")
    formats = LateModule("toolglot.converter.formats")
    row_files = LateModule("toolglot.converter.files.row_files")
    writing = LateModule("toolglot.converter.files.writing")
    line_sources = LateModule("toolglot.cli.line_sources")
    document_reader = LateModule("toolglot.converter.text.document_reader")
    toml_reader = LateModule("toolglot.converter.text.toml_reader")
    pages = LateModule("toolglot.verbs.catalogs.pages")
    line_reader = LateModule("toolglot.verbs.streams.line_reader")
    record_stream = LateModule("toolglot.verbs.streams.record_stream")
