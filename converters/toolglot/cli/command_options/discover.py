"""`toolglot program discover`."""

from __future__ import annotations

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_effects import replaces_files
from toolglot.cli.option_types import WrittenFormat


# It writes with -o and --write-registry only.
@replaces_files()
@agent.example("toolglot program discover --format json")
@options.command("discover", options.GroupedCommand)
@options.argument(
    "location",
    "A file or folder in place of those of this machine: a registry, a cache, shims, an index, ...",
    nargs=-1,
    type=click.Path(readable=False),
    metavar="[PATH]...",
)
@options.output_form("The form of the list; registry is the shape that others share.", "text", "json", "registry")
@options.option(
    ("-t", "--to"),
    "Convert what describes the programs to this format, in place of the list.",
    "FORMAT[@VERSION]",
    type=WrittenFormat(),
)
@options.output("The file to write; with --to also a folder.")
@options.force
@options.flag(
    "--write-registry",
    "Keep the known programs in a file of toolglot, by real path, size, time and hash.",
    "writes_registry",
)
@options.together(("--to", "excludes", "--format"))
@options.without_sources("Print more: every file that was used, and all settings.")
@options.done_by("discover_programs")
def discover() -> None:
    """Say what this machine knows about its programs, from files alone: nothing runs, and nothing is fetched.

    Without PATH these are the folders that tools for agents share (agent-tools below the XDG directories), and what
    programs answered to `ask`. PATH is a file or folder in their place: a registry of programs, its caches, shims by
    name or by hash, overrides, the manifest or index of a registry, a description. PATH of the shell is not scanned.

    The first description of a program counts, and the others only add danger. What is about another program, or
    another file of that name, is left out: the exit code is 1, and 2 where a file cannot be read.

    The servers of MCP that a client's configuration names are asked by `pull --config`.
    """
