"""`toolglot program argv`."""

from __future__ import annotations

from typing import Any

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import effects
from toolglot.cli.commands import carry_out


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
def argv(src: str, tool: str, arguments: str, style: str, **values: Any) -> int:
    """Print the argument vector that carries out a call; nothing is run.

    SRC is one document, a file or - for stdin. NAME is the name that a model calls the tool by (gh_pr_create), or the
    words of the command ("gh pr create"). ARGS-JSON is a JSON object, @FILE for one in a file, or - for one on stdin.
    """
    return carry_out("print_argv", src, tool, arguments, as_line=style == "shell", **values)
