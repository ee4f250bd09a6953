"""`serve --print-entry`: what to write into the configuration of a client, so that it starts or reaches this server."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from toolglot.cli.exit_codes import Exit
from toolglot.cli.terminal import print_message, print_result
from toolglot.converter.text.serialization import dump_json
from toolglot.errors import UsageError
from toolglot.runtime.serving.protocol import PATH


class _Client(NamedTuple):
    """A client: its file, the key of its servers there, and how it writes a variable of the environment."""

    file: str
    key: str
    variable: str


_CLIENTS = {
    "claude": _Client(".mcp.json", "mcpServers", "${{{}}}"),
    "cursor": _Client(".cursor/mcp.json", "mcpServers", "${{env:{}}}"),
    "vscode": _Client(".vscode/mcp.json", "servers", "${{env:{}}}"),
}


def print_client_entry(context: click.Context, client_name: str) -> int:
    """Print the entry; the exit code.

    Args:
        context: of `serve`, with what it was asked for.
        client_name: a key of the table of clients.

    Raises:
        UsageError: the server would be reached over HTTP, by a token of this run (code `no-token`).
    """
    client = _CLIENTS[client_name]
    values = context.params
    entry: dict[str, Any]
    if values["transport"] == "stdio":
        # The interpreter that runs now: the client's own PATH may have another version, or none.
        words = ["-m", "toolglot", "serve", *_words(context)]
        entry = {"type": "stdio", "command": sys.executable, "args": words}
    elif values["token_variable"] is None:
        raise UsageError("a client needs a token that stays the same; name its variable with --token-env", "no-token")
    else:
        token = client.variable.format(values["token_variable"])
        url = f"http://{values['host']}:{values['port']}{PATH}"
        entry = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {token}"}}
    print_result(dump_json({client.key: {"toolglot": entry}}))
    if not values["quiet"]:
        print_message(f"this belongs into {client.file}, beside the servers that it has")
    return Exit.DONE


def _words(context: click.Context) -> Iterator[str]:
    """The words of a command line again, but for what asks for the entry, with whole paths wherever it is started."""
    paths: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        if name == "client" or context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[name]
        if isinstance(parameter, click.Argument):
            paths += map(os.path.abspath, value)
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            yield (parameter.opts if value else parameter.secondary_opts)[-1]
        else:
            for item in value if isinstance(value, tuple) else (value,):
                yield parameter.opts[-1]
                yield _with_whole_path(str(item), parameter)
    yield "--"
    yield from paths


def _with_whole_path(value: str, option: click.Parameter) -> str:
    """The value of an option; that of a file, and `@FILE` as `--policy` takes it, with its whole path."""
    if isinstance(option.type, click.Path):
        return os.path.abspath(value)
    return f"@{os.path.abspath(value[1:])}" if value.startswith("@") else value
