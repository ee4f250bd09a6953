"""`argv` of one call: the tool, its arguments, and the vector that carries it out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from toolglot.cli.file_batch import read_tools
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import SourceRequest, refuse_shared_stdin
from toolglot.cli.terminal import list_some, print_result
from toolglot.converter.conversion import offers
from toolglot.converter.hub.model import Leaf
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import suggestion
from toolglot.errors import UsageError
from toolglot.runtime.bridge.command_line.argv import argv
from toolglot.runtime.bridge.naming import exposed


def print_argv(
    request: SourceRequest, tool: str, arguments: str, host: str | None, with_globals: bool, as_line: bool
) -> int:
    """Print the argument vector of a call; the exit code.

    Args:
        tool: the name of a tool, or the words of a command.
        arguments, host: JSON objects, or `@FILE`; the arguments may be `-`.
        with_globals: whether options of the program are taken from the arguments too.
        as_line: whether a line for a shell is printed instead of a JSON list.
    """
    refuse_shared_stdin(request.paths[0], arguments, host)
    tools, code = read_tools(request)
    if code and not tools:
        return code
    leaf = find_leaf(exposed(tools), tool)
    if with_globals:
        leaf = offers.with_globals(leaf)
    values = parse_object(arguments, "ARGS-JSON", request.limits)
    vector = argv(leaf, values, host=parse_object(host, "HOST-JSON", request.limits))
    if as_line:
        print_result(f"{shlex.join(vector)}\n")
    else:
        print_result(dump_json(vector, None))
    return code


def find_leaf(leaves: Mapping[str, Leaf], name: str) -> Leaf:
    """The leaf of a name, or of the words of a command.

    Raises:
        UsageError: there is none, or the words are those of several.
    """
    if name in leaves:
        return leaves[name]
    words = {leaf_name: " ".join(filter(None, leaf.path)) for leaf_name, leaf in leaves.items()}
    matches = [leaf_name for leaf_name, text in words.items() if text == " ".join(name.split())]
    if len(matches) > 1:
        raise UsageError(f"several tools are called {name!r}; choose one of {', '.join(matches)}", "ambiguous-name")
    if not matches:
        some = "there are no tools"
        if leaves:
            some = f"there are {len(leaves)}: {list_some(list(leaves), 5)}"
        hint = suggestion(name[:200], [*leaves, *words.values()], some)
        raise UsageError(f"no tool is called {name!r}", "unknown-tool", hint=hint)
    return leaves[matches[0]]
