"""`toolglot migrate`."""

from __future__ import annotations

from typing import Any

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.commands import carry_out
from toolglot.cli.option_types import Assignment, DriverKind, WrittenFormat, fillable_keys


# It removes temporaries that a killed run left.
@replaces_files(deletes_files=True, stdin="optional")
@agent.example("toolglot migrate . --diff")
@options.command("migrate")
@options.source_paths("path")
@options.setting(
    ("-t", "--to"),
    "Migrate only documents of this format, to this version. The default is the newest of each format.",
    "FORMAT[@VERSION]",
    type=WrittenFormat(),
)
@options.setting(
    "--kind",
    (
        "How the tools are run (cli, http, ...), where a new file has to say so: those of all files, or of some, by a "
        "pattern as in a .gitignore. The last pattern that matches counts."
    ),
    "[PATTERN=]KIND",
    "kinds",
    type=DriverKind(),
    kind=dict[str, str],
    multiple=True,
)
@options.setting(
    "--fill",
    "The text for a key that the newest version needs and a document lacks, such as description.",
    "KEY=TEXT",
    type=Assignment(names=fillable_keys),
    multiple=True,
)
@options.flag("--check", "Write nothing. The exit code is 1 if a file would change.", "is_check")
@options.flag("--diff", "Write nothing. Print the changes as a unified diff.", "is_diff")
@options.flag("--intent-to-add", "Mark new files with `git add -N`, so that git shows them.", "marks_new")
@options.written_file("--report", "Write what changes, and why, to this file, as JSON, .md, .html or .sarif.")
@options.jobs
@options.sources
@options.for_hooks
def migrate(request: options.SourceRequest, **values: Any) -> int:
    """Bring tool descriptions to the newest version of their format, in place.

    PATH is a file, a folder (walked), a glob pattern, or - for stdin, whose result goes to stdout. Comments, quoting,
    key order and Markdown stay as they are. A file is replaced as a whole, after the new text was read back and
    compared. A file that lacks a fact which the new version needs is left as it is, and the exit code is 1.
    """
    if values["report"] == "-":  # stdout is for results and diffs
        raise click.BadParameter("give the name of a file", param_hint="'--report'")
    return carry_out("migrate_files", request, **values)
