"""`toolglot program run`.

Like `ask` it takes no defaults from a settings file.
"""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_options.ask import ISOLATIONS
from toolglot.cli.option_types import NumberRange

LONGEST_SECONDS = 3600.0  # as in `bridge.program_calls`, whose import `--help` need not wait for


# With --yes it does what the program does.
@agent.effects(reads_files=True, writes_files=True, subprocess=True, stdin="optional")
@options.command("run", options.GroupedCommand)
@options.call
@click.option("--program", metavar="PATH", help="The program: its absolute path; PATH is not searched.")
@options.file(
    "--allow-list",
    'Where to look the program up without --program: {"NAME": {"path": "/...", "sha256": "..."}}.',
    exists=True,
)
@options.flag("--yes", "Run what is shown.")
@options.flag("--trust", "With --yes: keep the consent for this program and this document until one of them changes.")
@click.option(
    "--policy", metavar="POLICY-JSON", help="What calls may do, as a JSON object (allowDestructive, ...) or as @FILE."
)
@options.flag(
    "--require-stated", "Refuse a call where the policy asks for a fact that the description does not state.", "strict"
)
@click.option(
    "--root",
    metavar="FOLDER",
    help="The folder in which arguments that are paths have to stay. What only looks like a path is noted; with "
    "--require-stated it is refused where it would leave the folder.",
)
@options.host_arguments
@click.option(
    "--env", "variables", multiple=True, metavar="NAME", help="An environment variable that the program gets."
)
@click.option(
    "--timeout",
    "seconds",
    type=NumberRange(0, LONGEST_SECONDS, min_open=True),
    metavar="SECONDS",
    help="The longest time. The default is what the description says, else 30.",
)
@click.option(
    "--isolation",
    type=click.Choice(ISOLATIONS),
    default="none",
    show_default=True,
    help="What is taken away: by namespaces the network, by bubblewrap also writing outside the current folder.",
)
@options.flag("--any-name", "Accept a program of another name than the description says.")
@options.flag("--as-root", "Run it although you are root.")
@options.from_format
@options.restore_document
@options.together(("--trust", "needs", "--yes"))
@options.quiet
@options.done_by("run_call")
def run() -> None:
    """Run a program for one call, and print the result as JSON.

    SRC is one document, a file or - for stdin. NAME is the name that a model calls the tool by (gh_pr_create), or the
    words of the command. ARGS-JSON is a JSON object, @FILE for one in a file, or - for one on stdin.

    The call is checked, and what would run is shown. It runs only with --yes, or where the program and the document are
    trusted. A call that needs approval is asked about at a terminal, and refused without one,
    unless --policy allows it by name.
    """
