"""`toolglot argv`."""

from __future__ import annotations

import codecs
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from toolglot.cli import options
from toolglot.cli.terminal import print_result
from toolglot.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolglot.cli.sources import SourceRequest
    from toolglot.hub.model import Leaf
    from toolglot.text.serialization import Limits


@click.command(cls=options.Configured, short_help="Print the argument vector that carries out a call.")
@click.argument("src", type=click.Path(allow_dash=True))
@click.argument("tool", metavar="NAME")
@click.argument("arguments", metavar="ARGS-JSON")
@click.option(
    "--format",
    "style",
    type=click.Choice(["json", "shell"]),
    default="json",
    show_default=True,
    help="A JSON list for programs, or a line quoted for a POSIX shell.",
)
@click.option(
    "--host",
    metavar="HOST-JSON",
    help="Options of the program and of the groups above the command, which only the host decides about, as a JSON "
    "object or as @FILE.",
)
@click.option("--with-globals", is_flag=True, help="Take those options from ARGS-JSON too: the model was offered them.")
@options.from_format
@options.sources
def argv(request: SourceRequest, tool: str, arguments: str, style: str, host: str | None, with_globals: bool) -> int:
    """Print the argument vector that carries out a call; nothing is run.

    SRC is a file, a folder (walked), a glob pattern, or - for stdin. NAME is the name that a model calls the tool by
    (gh_pr_create), or the words of the command ("gh pr create"). ARGS-JSON is a JSON object, @FILE for one in a
    file, or - for one on stdin.
    """
    import shlex

    from toolglot import bridge
    from toolglot.cli.reading import read_tools
    from toolglot.conversion import offers
    from toolglot.text.serialization import dump_json

    if [request.paths[0], arguments, host].count("-") > 1:
        raise UsageError("stdin cannot be both the source and the arguments; give one of them as a file")
    tools, code = read_tools(request)
    if code and not tools:
        return code
    leaf = _find(bridge.exposed(tools), tool)
    leaf = offers.with_globals(leaf) if with_globals else leaf
    given = _parse(arguments, "ARGS-JSON", request.limits)
    vector = bridge.argv(leaf, given, host=_parse(host, "HOST-JSON", request.limits) if host else None)
    print_result(f"{shlex.join(vector)}\n" if style == "shell" else dump_json(vector, None))
    return code


def _find(leaves: Mapping[str, Leaf], name: str) -> Leaf:
    """The leaf of a name, or of the words of a command.

    Raises:
        UsageError: there is none, or the words are those of several.
    """
    from difflib import get_close_matches

    if name in leaves:
        return leaves[name]
    words = {known: " ".join(filter(None, leaf.path)) for known, leaf in leaves.items()}
    found = [known for known, text in words.items() if text == " ".join(name.split())]
    if len(found) > 1:
        raise UsageError(f"several tools are called {name!r}; choose one of {', '.join(found)}", "ambiguous-name")
    if not found:
        near = get_close_matches(name[:200], [*leaves, *words.values()], 1)
        hint = f'did you mean "{near[0]}"?' if near else _first(leaves)
        raise UsageError(f"no tool is called {name!r}", "unknown-tool", hint=hint)
    return leaves[found[0]]


def _first(leaves: Mapping[str, Leaf]) -> str:
    names = ", ".join(list(leaves)[:5])
    return f"there are {len(leaves)}: {names}{', ...' if len(leaves) > 5 else ''}" if names else "there are no tools"


def _parse(arguments: str, what: str, limits: Limits) -> Any:
    """A value of the command line, which messages call `what`, read as strictly as any document.

    Raises:
        ReadError: it cannot be read, is not JSON, or is too large.
        UsageError: it is not an object.
    """
    from toolglot.text import serialization

    if arguments == "-":
        name, raw = "<stdin>", sys.stdin.buffer.read(limits.max_bytes + 1)
    elif arguments.startswith("@"):
        name, raw = arguments[1:], serialization.read_file(arguments[1:], limits)
    else:
        name, raw = what, os.fsencode(arguments)
    if not raw.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"{"):  # anything else could be YAML
        raise UsageError('expected a JSON object such as {"name": "value"}', "not-an-object", source=name)
    return serialization.load(raw, name, limits).data
