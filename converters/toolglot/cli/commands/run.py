"""`toolglot run`.

Like `ask` it takes no defaults from a settings file.
"""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.commands import SUMMARIES
from toolglot.cli.commands.ask import ISOLATIONS
from toolglot.cli.option_types import NumberRange

LONGEST_SECONDS = 3600.0  # as in `toolglot.bridge.program_runs`, whose import `--help` need not wait for


# With --yes it does what the program does.
@agent.effects(reads_files=True, writes_files=True, subprocess=True, stdin="optional")
@agent.arguments(
    src="A file, or - for stdin.",
    tool="The name that a model calls the tool by (gh_pr_create), or the words of the command.",
    arguments="A JSON object, @FILE for one in a file, or - for one on stdin.",
)
@click.command(short_help=SUMMARIES["run"])
@click.argument("src", type=click.Path(allow_dash=True, dir_okay=False, readable=False))
@click.argument("tool", metavar="NAME")
@click.argument("arguments", metavar="ARGS-JSON")
@click.option("--program", metavar="PATH", help="The program: its absolute path; PATH is not searched.")
@click.option(
    "--allow-list",
    type=click.Path(dir_okay=False, exists=True),
    metavar="FILE",
    help='Where to look the program up without --program: {"NAME": {"path": "/...", "sha256": "..."}}.',
)
@click.option("--yes", is_flag=True, help="Run what is shown.")
@click.option(
    "--trust",
    is_flag=True,
    help="With --yes: keep the consent for this program and this document until one of them changes.",
)
@click.option(
    "--policy", metavar="POLICY-JSON", help="What calls may do, as a JSON object (allowDestructive, ...) or as @FILE."
)
@click.option(
    "--strict", is_flag=True, help="Refuse a call where the policy asks for a fact that the description does not state."
)
@click.option("--root", metavar="FOLDER", help="The folder in which arguments that are paths have to stay.")
@options.host_arguments
@click.option(
    "--env", "variables", multiple=True, metavar="NAME", help="An environment variable that the program gets."
)
@click.option(
    "--timeout",
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
@click.option("--any-name", is_flag=True, help="Accept a program of another name than the description says.")
@click.option("--as-root", is_flag=True, help="Run it although you are root.")
@options.from_format
@click.option("--restore", is_flag=True, help="Take back what --lossless kept in SRC, if it was not edited since.")
@click.option("-q", "--quiet", is_flag=True, help="Print no messages but errors.")
def run(
    src: str,
    tool: str,
    arguments: str,
    program: str | None,
    allow_list: str | None,
    yes: bool,
    trust: bool,
    policy: str | None,
    strict: bool,
    root: str | None,
    host: str | None,
    variables: tuple[str, ...],
    timeout: float | None,
    isolation: str,
    any_name: bool,
    as_root: bool,
    format_name: str | None,
    restore: bool,
    quiet: bool,
) -> int:
    """Run a program for one call, and print the result as JSON.

    SRC is one document, a file or - for stdin. NAME is the name that a model calls the tool by (gh_pr_create), or the
    words of the command. ARGS-JSON is a JSON object, @FILE for one in a file, or - for one on stdin.

    The call is checked, and what would run is shown. It runs only with --yes, or where the program and the document are
    trusted. A call that needs approval is asked about at a terminal, and refused without one,
    unless --policy allows it by name.
    """
    from toolglot.cli.commands.run_call import RunOptions, run_call  # what `--help` need not wait for

    run_options = RunOptions(
        program=program,
        allow_list=allow_list,
        yes=yes,
        trust=trust,
        policy=policy,
        strict=strict,
        root=root,
        host=host,
        variables=variables,
        timeout=timeout,
        isolation=isolation,
        any_name=any_name,
        as_root=as_root,
        format_name=format_name,
        restore=restore,
        quiet=quiet,
    )
    return run_call(src, tool, arguments, run_options)
