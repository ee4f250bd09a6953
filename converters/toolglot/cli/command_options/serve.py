"""`toolglot serve`: over HTTP, or as an MCP server."""

from __future__ import annotations

from typing import Any

import click

from toolglot import agent
from toolglot.cli import options
from toolglot.cli.command_options.ask import ISOLATIONS
from toolglot.cli.commands import carry_out
from toolglot.cli.option_types import NumberRange
from toolglot.extras import load_package
from toolglot.runtime.serving.protocol import FORMAT, TRANSPORTS


# With --run it does what the programs do.
@agent.effects(reads_files=True, writes_files=True, network=True, subprocess=True, stdin="optional")
@agent.example("toolglot serve tools/ --tokens tokens.json")
@options.command("serve")
@options.argument(
    "path", "A file, a folder (walked), or a glob pattern.", nargs=-1, required=True, type=click.Path(readable=False)
)
@options.option("--host", "The address to listen on.", "ADDRESS", default="127.0.0.1", show_default=True)
@options.option(
    "--port",
    "The port to listen on. 0 is any free port.",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
)
@options.group(
    "Access",
    options.file(
        "--tokens", 'A JSON file of who sees what: {"tokens": [{"name": "...", "sha256": "...", "tools": ["*"]}]}.'
    ),
    options.option(
        "--token-env", "One token, which sees every tool: what this variable holds.", "VARIABLE", "token_variable"
    ),
    options.flag(
        "--envelope",
        'Answer with {"tools": [...]}, as the text of RFC 0078 has it, instead of an array.',
        "is_enveloped",
    ),
    options.option(
        "--rate",
        "How many requests a second each token may make.",
        "N",
        type=NumberRange(0.1, 1_000_000),
        default=200.0,
        show_default=True,
    ),
)
@options.option(
    f"--{FORMAT}",
    "Serve the tools as a server of the Model Context Protocol instead: over stdin and stdout, or over HTTP.",
    dest="transport",
    choices=TRANSPORTS,
)
@options.option(
    "--print-entry",
    f"With --{FORMAT}: serve nothing; print what the configuration of this client needs to start or reach it.",
    dest="client",
    choices=("claude", "cursor", "vscode"),
)
@options.group(
    "Calls",
    options.flag(
        "--run",
        "Carry out calls that --policy lets through, by the programs of --allow-list or the servers of --servers.",
        "runs",
    ),
    options.file("--allow-list", 'With --run: the programs, {"NAME": {"path": "/...", "sha256": "..."}}.'),
    options.file(
        "--servers",
        "With --run: a client's configuration; calls go to its servers, whose tools these are (`toolglot pull`).",
    ),
    options.file(
        "--lock", "With --servers: the lock of `toolglot pull`. A server that offers something else is not called."
    ),
    options.flag("--yes", "With --servers: start and reach what that configuration names.", "agrees"),
    options.option(
        "--policy",
        "With --run: what calls may do, as a JSON object (allowDestructive, ...) or as @FILE.",
        "POLICY-JSON",
    ),
    options.option(
        "--root",
        (
            "With --allow-list: the folder in which arguments of programs that are paths have to stay. Calls to "
            "--servers are not held to it."
        ),
        "FOLDER",
    ),
    options.option(
        "--isolation",
        "With --allow-list: how programs are isolated, as in `toolglot program run`.",
        choices=ISOLATIONS,
        default="none",
        show_default=True,
    ),
    options.flag("--as-root", "With --allow-list: run programs although you are root."),
    options.written_file("--log", "Write which tools are called to this file, without arguments and results."),
)
@options.from_format
@options.assertions
@options.scope
@options.namespace
@options.choice
@options.together(
    ("--print-entry", "needs", f"--{FORMAT}"),
    ("--run", "needs", f"--{FORMAT}"),
    ("--log", "needs", f"--{FORMAT}"),
    ("--run", "needs", "--policy"),
    ("--run", "needs", "--allow-list", "--servers"),
    ("--policy", "needs", "--run"),
    ("--allow-list", "needs", "--run"),
    ("--servers", "needs", "--run"),
    ("--servers", "needs", "--lock"),
    ("--lock", "needs", "--servers"),
    ("--yes", "needs", "--servers"),
    ("--root", "needs", "--allow-list"),
    ("--isolation", "needs", "--allow-list"),
    ("--as-root", "needs", "--allow-list"),
    (f"--{FORMAT}", "excludes", "--envelope"),
    (f"--{FORMAT} stdio", "excludes", "--tokens", "--token-env", "--host", "--port", "--rate"),
)
@options.restore
@options.sources
def serve(request: options.SourceRequest, **values: Any) -> int:
    """Serve the tools of many files, of any format, as the catalogue of RFC 0078 over HTTP.

    PATH is a file, a folder (walked), or a glob pattern. What is served is what `catalog --to tool-descriptor` gathers:
    GET /v1/tools and GET /v1/tools/ID for programs, and / for people. What cannot be read is named, and the others are
    served. When files change, the catalogue changes, as a whole; while one that was served cannot be read, it stays as
    it was.

    Every request needs a token. Without --tokens and --token-env, one for this run is printed, and only this machine
    can connect. Nothing is called through the catalogue.

    With --mcp the same tools are offered by a server of that protocol. Arguments are validated. Nothing is carried out
    without --run. A call that needs approval is refused, unless the client can ask its user,
    or --policy allows it by name.
    """
    client = values.pop("client")
    if client is not None:
        return carry_out("print_client_entry", click.get_current_context(), client)
    if values["transport"] is None:
        for package in ("starlette", "uvicorn"):
            load_package(package, "serve", "serve needs")
        return carry_out("serve_catalog", request, **values)
    for package in (FORMAT, "starlette", "uvicorn"):
        load_package(package, FORMAT, "serving the protocol needs")
    return carry_out("serve_protocol", request, **values)
