"""`toolglot diff`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.converter.conversion.fail_on import FailOn


@effects(subprocess=True, stdin="optional")  # git, for REV:PATH
@agent.example("toolglot diff main:tools tools --check-versions")
@options.command("diff")
@options.argument(
    "old",
    "A file, a folder, - for stdin, or REV:PATH for one of either at a git revision: how it was.",
    type=options.SOURCE,
)
@options.argument("new", "The same: how it is.", type=options.SOURCE)
@options.from_format
@options.flag("--check-versions", "The exit code is 1 if a version is too low for what changed.", "check")
@options.fail_on(f"{options.OF_CONTRACTS} The versions do not matter to it.", tuple(FailOn))
@options.output_form("The form of the difference. markdown is for a pull request.", "text", "json", "markdown")
@options.written_file("--report", "Write the difference to this file too, as JSON, .md, .html or .sarif.")
@options.errors
@options.jobs
@options.restore
@options.sources
@options.done_by("diff_sides")
def diff() -> None:
    """Say what changed between two contracts, and whether it breaks callers.

    OLD and NEW are files, folders, - for stdin (once), or REV:PATH for a file or folder at a git revision; their
    formats may differ. The difference goes to stdout. Exit code 2 means that a side could not be read.
    """
