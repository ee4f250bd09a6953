"""Which way `convert` goes: JSON Lines a record at a time, each source to files of its own, or all to one result."""

from __future__ import annotations

import os
from collections.abc import Sequence

from toolglot.cli.commands.convert_options import ConvertCommandOptions
from toolglot.cli.discovery import is_pattern
from toolglot.cli.discovery.walked_folders import STDIN
from toolglot.cli.source_request import SourceRequest
from toolglot.files.existing import can_be_folder
from toolglot.text.serialization import LINED


def convert_sources(request: SourceRequest, options: ConvertCommandOptions) -> int:
    """Convert, write and report; the exit code."""
    # One import each: who converts one document does not wait for what converts many over several processes.
    if is_stream(request.paths, request.stdin_filename, options.output):
        from toolglot.cli.commands.convert_lines import convert_lines

        return convert_lines(request, options)
    if options.output is not None and _goes_one_by_one(request.paths, options.output):
        from toolglot.cli.commands.convert_each import convert_each

        return convert_each(request, options, options.output)
    from toolglot.cli.commands.convert_together import convert_together

    return convert_together(request, options)


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
    return all(name.lower().endswith(LINED) and not os.path.isdir(name) for name in names)


def _goes_one_by_one(paths: Sequence[str], output: str) -> bool:
    """Whether every source gets files of its own: several, or a folder, to what is not called like a document.

    A folder of tools that goes to `all.json` is one document; one that goes to `out` is a folder of documents.
    """
    are_many = len(paths) > 1 or os.path.isdir(paths[0]) or not os.path.lexists(paths[0])  # a pattern
    return are_many and can_be_folder(output)
