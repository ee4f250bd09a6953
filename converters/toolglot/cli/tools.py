"""From the paths on the command line to tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolglot.cli.exits import Exit
from toolglot.cli.sources import Asked, open_all
from toolglot.cli.terminal import say
from toolglot.errors import Error

if TYPE_CHECKING:
    from toolglot.model import Tool


def read_all(asked: Asked) -> tuple[list[Tool], int]:
    """Every tool of the sources, in order, and the exit code so far; what cannot be read is named on stderr."""
    from toolglot.diagnostics import from_error
    from toolglot.reading import read_document

    tools: list[Tool] = []
    code: int = Exit.DONE
    for item in open_all(asked):
        try:
            if isinstance(item, Error):
                raise item
            tools += read_document(item.document, item.format.name).tools
        except Error as error:
            if error.source is None and not isinstance(item, Error):
                error.source = item.document.name
            say(str(from_error(error)))
            code = Exit.FAILED
    return tools, code
