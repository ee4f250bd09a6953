"""`convert` over all sources: each for itself, record by record, or all of them into one result."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from toolglot.cli.commands import carry_out
from toolglot.cli.commands.convert_readings import convert_readings
from toolglot.cli.commands.end_conversion import ConvertCommandOptions
from toolglot.cli.file_batch import Run, open_errors, read_sources
from toolglot.cli.opened_sources import load_assertions, scope_for
from toolglot.cli.options import SourceRequest, record_of
from toolglot.converter.file_search import STDIN, is_pattern
from toolglot.converter.files.existing_targets import can_be_folder
from toolglot.converter.text.document_reader import names_lines


def convert_sources(request: SourceRequest, assertions: str | None, **values: Any) -> int:
    """Convert, write and report; the exit code. What cannot be read or written is named and left out.

    Args:
        assertions: the file of what a person vouches for.
        values: the fields of `ConvertCommandOptions`, and those of its options.
    """
    values["assertions"] = load_assertions(assertions) or None
    values["scope"] = scope_for(values["to"], values["scope"])
    options = record_of(ConvertCommandOptions, values, "options")
    with open_errors(options.errors) as write_errors:
        # The other two are carried out late: who converts one document does without the 5 ms that they take to load.
        if is_stream(request.paths, request.stdin_filename, options.output):
            return carry_out("convert_lines", request, options, write_errors)
        if options.output is not None and _goes_one_by_one(request.paths, options.output):
            return carry_out("convert_each", request, options, options.output, write_errors)
        run = Run(request, write_errors=write_errors)
        readings = read_sources(run, (options.output, options.report_file, options.errors))
        return convert_readings(readings, run, options)


def is_stream(paths: Sequence[str], stdin_filename: str | None, output: str | None) -> bool:
    """Whether the only source, which is one file, and the output, if there is one, are called like JSON Lines.

    >>> is_stream(["a.jsonl"], None, "b.ndjson.gz"), is_stream(["a.jsonl"], None, "b.json")
    (True, False)
    """
    if len(paths) != 1 or is_pattern(paths[0]):
        return False
    names = [paths[0]]
    if paths[0] == STDIN:
        names = [stdin_filename or ""]
    if output is not None:
        names.append(output)
    return all(names_lines(name) and not os.path.isdir(name) for name in names)


def _goes_one_by_one(paths: Sequence[str], output: str) -> bool:
    """Whether every source gets files of its own: several, or a folder, to what is not called like a document.

    A folder of tools that goes to `all.json` is one document; one that goes to `out` is a folder of documents.
    """
    are_many = len(paths) > 1 or os.path.isdir(paths[0]) or not os.path.lexists(paths[0])  # a pattern
    return are_many and can_be_folder(output)
