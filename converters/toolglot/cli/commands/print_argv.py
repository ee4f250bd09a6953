"""`argv` of one call: the tool, its arguments, and the vector that carries it out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from toolglot.cli.file_batch import Run, read_files
from toolglot.cli.opened_sources import SourceFile
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import SourceRequest, refuse_shared_stdin
from toolglot.cli.terminal import print_result
from toolglot.converter.conversion import offers
from toolglot.converter.conversion.reading import Reading
from toolglot.converter.file_search import PathFilter
from toolglot.converter.hub.model import Leaf
from toolglot.converter.text.serialization import dump_json
from toolglot.converter.text.wording import join_first
from toolglot.errors import UsageError
from toolglot.runtime.bridge.command_line.argv import argv
from toolglot.runtime.bridge.naming import exposed
from toolglot.runtime.bridge.unknown_names import unknown_tool


def print_argv(
    src: str,
    tool: str,
    arguments: str,
    *,
    format_name: str | None,
    restore: bool,
    host: str | None,
    with_globals: bool,
    quiet: bool,
    style: str,
) -> int:
    """Print the argument vector of a call; the exit code.

    Args:
        src, format_name, restore, quiet: as `read_document_of_call` takes them.
        tool: the name of a tool, or the words of a command.
        arguments, host: JSON objects, or `@FILE`; the arguments may be `-`.
        with_globals: whether options of the program are taken from the arguments too.
        style: `"json"` for a list, or `"shell"` for a line that a shell takes.
    """
    refuse_shared_stdin(src, arguments, host)
    reading, code = read_document_of_call(src, format_name, restore, quiet)
    if reading is None:
        return code
    leaf = find_leaf(exposed(reading.tools), tool)
    if with_globals:
        leaf = offers.with_globals(leaf)
    values = parse_object(arguments, "ARGS-JSON")
    vector = argv(leaf, values, host=parse_object(host, "HOST-JSON"))
    if style == "shell":
        print_result(f"{shlex.join(vector)}\n")
    else:
        print_result(dump_json(vector, None))
    return code


def read_document_of_call(src: str, format_name: str | None, restore: bool, quiet: bool) -> tuple[Reading | None, int]:
    """The document that says how a call is carried out, where it can be read, and the exit code so far.

    Args:
        src: a file, or `-`.
        format_name: `FORMAT` or `FORMAT@VERSION`; `None` is what its content says.
        restore: whether what `--lossless` kept in it is believed.
    """
    run = Run(SourceRequest((src,), PathFilter(), format_name, quiet=quiet, restore="" if restore else None))
    readings = read_files(run, [SourceFile(src, src, is_named=True, has_usual_name=False, request=run.request)])
    return next(iter(readings), None), run.exit_code


def find_leaf(leaves: Mapping[str, Leaf], name: str) -> Leaf:
    """The leaf of a name, or of the words of a command.

    Raises:
        UsageError: there is none, or the words are those of several.
    """
    if name in leaves:
        return leaves[name]
    words = {leaf_name: leaf.words for leaf_name, leaf in leaves.items()}
    matches = [leaf_name for leaf_name, text in words.items() if text == " ".join(name.split())]
    if len(matches) > 1:
        raise UsageError(f"several tools are called {name!r}; choose one of {', '.join(matches)}", "ambiguous-name")
    if not matches:
        some = "there are no tools"
        if leaves:
            some = f"there are {len(leaves)}: {join_first(list(leaves), 5)}"
        raise unknown_tool(name, [*leaves, *words.values()], some)
    return leaves[matches[0]]
