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
    for _name in (
        "toolglot.cli.line_sources",
        "toolglot.cli.settings",
        "toolglot.converter.file_search",
        "toolglot.converter.formats",
        "toolglot.converter.files.row_files",
        "toolglot.converter.files.writing",
        "toolglot.converter.text.document_reader",
        "toolglot.converter.text.toml_reader",
        "toolglot.verbs.catalogs.pages",
        "toolglot.verbs.streams.line_reader",
        "toolglot.verbs.streams.record_stream",
    ):
        globals()[_name.rpartition(".")[2]] = LateModule(_name)
