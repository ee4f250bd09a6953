"""From the paths on the command line to what the documents say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolglot.cli.exit_codes import Exit
from toolglot.cli.sources import SourceRequest, open_all
from toolglot.cli.terminal import print_message
from toolglot.errors import Error

if TYPE_CHECKING:
    from toolglot.conversion.reading import Reading
    from toolglot.hub.model import Tool


def read_tools(request: SourceRequest) -> tuple[list[Tool], int]:
    """Every tool of the sources, in order, and the exit code so far; what cannot be read is named on stderr."""
    readings, code = read_all(request)
    return [tool for reading in readings for tool in reading.tools], code


def read_all(request: SourceRequest) -> tuple[list[Reading], int]:
    """What every source says, in order, and the exit code so far; what cannot be read is named on stderr."""
    from toolglot.conversion.sources import read_document

    readings: list[Reading] = []
    code: int = Exit.DONE
    for item in open_all(request):
        try:
            if isinstance(item, Error):
                raise item
            readings.append(read_document(item.document, item.format.name))
        except Error as error:
            code = complain(error, None if isinstance(item, Error) else item.document.name)
    return readings, code


def complain(error: Error, source: str | None) -> int:
    """Name what cannot be read or written, and why, on stderr; the exit code."""
    from toolglot.diagnostics.checks import from_error  # 3 ms that only an error pays

    error.source = error.source or source
    print_message(str(from_error(error)))
    return Exit.FAILED
