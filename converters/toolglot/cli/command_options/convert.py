"""`toolglot convert`."""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.option_types import WrittenFormat

SAFETY_TIERS = ("pure", "read", "write", "exec")  # as in the schema of the hub, which `--help` need not wait for


# It writes with -o and --report FILE only, and replaces what exists with --force only.
@replaces_files(stdin="optional")
@agent.example("toolglot convert tools/ --to hub -o tools.hub.json")
@options.command("convert")
@options.source_paths("src")
@options.setting(
    ("-t", "--to"),
    "The format to write; `toolglot formats` lists them.",
    "FORMAT[@VERSION]",
    required=True,
    type=WrittenFormat(),
)
@options.source_format(cls=options.Configurable)
@options.output(
    "The file to write. Several sources, or a folder, go to files below this folder, unless it has the name of a "
    "document (.json, .md, ...). A name in .jsonl means JSON Lines."
)
@options.force
@options.flag(
    "--lossless",
    "Keep what the target has no field for in its extension slot, so that converting back restores it. Where "
    "something cannot be kept, the exit code is 1.",
    cls=options.Configurable,
)
@options.fail_on(f"{options.OF_CONVERSIONS} Then nothing is written.")
@options.option(
    "--report",
    (
        "Where the report of differences goes: to stderr as text, as JSON, nowhere, or to a file (a path with a dot "
        "or a slash) as JSON, .md, .html or .sarif. JSON goes to stdout when the result does not."
    ),
    "text|json|none|FILE",
    default="text",
    show_default=True,
    callback=options.take_report,
)
@options.errors
@options.group(
    "Safety",
    options.option(
        "--safety-tier",
        "What a call can do, as you assert it instead of the source. The report says so.",
        type=click.Choice(SAFETY_TIERS, case_sensitive=False),
    ),
    options.assertions,
    options.flag(
        "--trust-methods",
        "Believe that an API keeps to the rules of HTTP: GET changes nothing, and PUT can be repeated. You vouch for "
        "it, and the report says so.",
        default=None,
    ),
)
@options.offering
@options.group(
    "Names and form",
    options.scope,
    options.flag("--bare", "Write an array of records, and nothing around it.", default=None, cls=options.Configurable),
    options.flag(
        "--one-per-tool",
        "Write a file for each tool below --output, also in a format of which one file could hold them all.",
        default=None,
        cls=options.Configurable,
    ),
    options.namespace,
)
@options.choice
@options.jobs
@options.restore
@options.sources
@options.done_by("convert_sources")
def convert() -> None:
    """Convert tool descriptions to another format.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. The result goes to stdout or to --output, and a
    report of all differences to stderr. Several sources, or a folder, become files below a folder, in the same folders
    as the sources. JSON Lines (.jsonl, .ndjson, also with .gz or .zst) become JSON Lines, one record at a time.
    """
