"""`toolglot program argv`."""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects


@effects(stdin="optional")  # what it prints is not run
@agent.example("""toolglot program argv gh.atip.json gh_pr_create '{"title": "Fix"}'""")
@options.command("argv", options.GroupedCommand)
@options.call
@options.output_form("A JSON list for programs, or a line quoted for a POSIX shell.", "json", "shell")
@options.host_arguments
@options.flag("--with-globals", "Take those options from ARGS-JSON too: the model was offered them.")
@options.from_format
@options.restore_document
@options.quiet
@options.done_by("print_argv")
def argv() -> None:
    """Print the argument vector that carries out a call; nothing is run.

    SRC is one document, a file or - for stdin. NAME is the name that a model calls the tool by (gh_pr_create), or the
    words of the command ("gh pr create"). ARGS-JSON is a JSON object, @FILE for one in a file, or - for one on stdin.
    """
