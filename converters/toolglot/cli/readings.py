"""What the documents of all sources say, one source after the other in this process."""

from __future__ import annotations

from functools import partial

from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_batch import Outcome, Run
from toolglot.cli.file_search import SourceFile
from toolglot.cli.source_request import SourceRequest
from toolglot.cli.sources import find_sources, no_tools_error, open_source
from toolglot.cli.terminal import print_message
from toolglot.conversion.reading import Reading
from toolglot.conversion.sources import read_document
from toolglot.diagnostics.diagnostic import from_error
from toolglot.hub.model import Tool

READ = "read"


def read_tools(request: SourceRequest) -> tuple[list[Tool], int]:
    """Every tool of the sources, in order, and the exit code so far; what cannot be read is named on stderr."""
    readings, code = read_sources(request)
    return [tool for reading in readings for tool in reading.tools], code


def read_sources(request: SourceRequest) -> tuple[list[Reading], int]:
    """What every source says, in order, and the exit code so far; what cannot be read is named on stderr."""
    run = Run(request)
    readings: list[Reading] = []
    for _, outcome in run.perform(partial(_read_file, request=request), find_sources(request)):
        if outcome.result is not None:
            readings.append(outcome.result)
        run.add(outcome)
    run.finish()
    if run.found_nothing:
        print_message(str(from_error(no_tools_error(request))))
        return readings, Exit.FAILED
    return readings, run.exit_code


def _read_file(file: SourceFile, request: SourceRequest) -> Outcome[Reading]:
    source = open_source(file, request)
    return Outcome(READ, read_document(source.document, source.format.name))
