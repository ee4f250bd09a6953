"""`toolglot pull`."""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.option_types import NumberRange
from toolglot.converter.conversion.fail_on import FailOn
from toolglot.runtime.servers.bounds import LONGEST_SECONDS


@options.of_value
def _pairs(values: tuple[str, ...]) -> dict[str, str]:
    """Name -> variable, from the values `NAME=VARIABLE` of an option."""
    pairs = [value.partition("=") for value in values]
    for name, _, variable in pairs:
        if not name or not variable:
            raise click.BadParameter(f"{name!r}: write NAME=VARIABLE; the value itself stands in the variable")
    return {name: variable for name, _, variable in pairs}


# It starts programs of others, and writes with -o, --pin and --trust.
@replaces_files(network=True, subprocess=True, idempotent=False)
@agent.example("toolglot pull --config servers.json --yes --check tools.lock.json")
@options.command("pull", options.GroupedCommand)
@options.argument(
    "target",
    "The URL of a server, or behind -- the program that is one, and its arguments.",
    nargs=-1,
    metavar="[URL | -- COMMAND...]",
)
@options.file(
    "--config",
    "Ask the servers that a client's configuration names: of Claude, VS Code, Cursor, Codex, Gemini CLI, opencode, "
    "Zed or FastMCP, as JSON or TOML.",
    "configuration",
)
@options.group(
    "Reaching servers",
    options.option("--name", "The name of the server of the line. The default is its own name.", "NAME"),
    options.option("--server", "Only this server of the configuration.", "NAME", "names", multiple=True),
    options.flag("--trust", "With --yes: keep the consent for this configuration until it changes."),
    options.option(
        "--header",
        "Send this header to the URL; its value is what the environment variable holds.",
        "NAME=VARIABLE",
        "headers",
        multiple=True,
        callback=_pairs,
    ),
    options.option(
        "--env", "Pass this environment variable on to the command.", "VARIABLE", "passed_on", multiple=True
    ),
    options.option(
        "--input",
        "What the configuration asks people for (${input:ID}) is what the environment variable holds.",
        "ID=VARIABLE",
        "inputs",
        multiple=True,
        callback=_pairs,
    ),
    options.option(
        "--timeout", "The time for each server. The default is 120.", "SECONDS", type=NumberRange(0.1, LONGEST_SECONDS)
    ),
)
@options.flag("--yes", "Agree to start and reach what the configuration names.")
@options.file("--pin", "Write what the servers offer to this file, the lock.")
@options.file(
    "--assert",
    "With --pin: what you vouch for, as in convert. It is kept in the lock, for these texts alone.",
    "assertions",
    exists=True,
)
@options.file("--check", "Write nothing. The exit code is 1 if servers offer something else than this lock holds.")
@options.output_form("The form of the difference of --check.", "text", "json", "markdown")
@options.output("The file or folder to write. The default is stdout.")
@options.force
@options.fail_on(
    f"with --check, instead of all that a model or a client acts on: {options.OF_CONTRACTS}", tuple(FailOn)
)
@options.together(
    ("--name", "excludes", "--config"),
    ("--server", "needs", "--config"),
    ("--yes", "needs", "--config"),
    ("--trust", "needs", "--yes"),
    ("--input", "needs", "--config"),
    ("--check", "excludes", "--pin", "--output", "--assert"),
    ("--assert", "needs", "--pin"),
    ("--fail-on", "needs", "--check"),
    ("--format", "needs", "--check"),
)
@options.without_sources("Print more: every difference, and what else a configuration holds.")
@options.done_by("pull_servers")
def pull() -> None:
    """Ask servers of the Model Context Protocol for their tools.

    \b
    toolglot pull https://host.example/mcp      a server behind a URL
    toolglot pull -- npx -y some-server         a program, started as it stands here
    toolglot pull --config FILE                 the servers that a client's configuration names

    What you name on the line is asked at once. What a configuration names is shown first, and started or reached only
    with --yes, or when --trust was given for exactly this file before. A program gets a handful of variables (PATH,
    HOME, ...), those of --env, and those of its configuration.
    """
