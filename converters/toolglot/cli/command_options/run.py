"""`toolglot program run`.

Like `ask` it takes no defaults from a settings file.
"""

from __future__ import annotations

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_options.ask import ISOLATIONS
from toolglot.cli.option_types import NumberRange

LONGEST_SECONDS = 3600.0  # as in `bridge.program_calls`, whose import `--help` need not wait for


# With --yes it does what the program does.
@agent.effects(reads_files=True, writes_files=True, subprocess=True, stdin="optional")
@options.command("run", options.GroupedCommand)
@options.call
@options.option("--program", "The program: its absolute path; PATH is not searched.", "PATH")
@options.file(
    "--allow-list",
    'Where to look the program up without --program: {"NAME": {"path": "/...", "sha256": "..."}}.',
    exists=True,
)
@options.flag("--yes", "Run what is shown.")
@options.flag("--trust", "With --yes: keep the consent for this program and this document until one of them changes.")
@options.option("--policy", "What calls may do, as a JSON object (allowDestructive, ...) or as @FILE.", "POLICY-JSON")
@options.flag(
    "--require-stated", "Refuse a call where the policy asks for a fact that the description does not state.", "strict"
)
@options.option(
    "--root",
    (
        "The folder in which arguments that are paths have to stay. What only looks like a path is noted; with "
        "--require-stated it is refused where it would leave the folder."
    ),
    "FOLDER",
)
@options.host_arguments
@options.option("--env", "An environment variable that the program gets.", "NAME", "variables", multiple=True)
@options.option(
    "--timeout",
    "The longest time. The default is what the description says, else 30.",
    "SECONDS",
    "seconds",
    type=NumberRange(0, LONGEST_SECONDS, min_open=True),
)
@options.option(
    "--isolation",
    "What is taken away: by namespaces the network, by bubblewrap also writing outside the current folder.",
    choices=ISOLATIONS,
    default="none",
    show_default=True,
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
