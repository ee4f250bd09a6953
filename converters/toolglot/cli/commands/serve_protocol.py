"""`serve` as a server of a protocol: what a call does, and over what it comes."""

from __future__ import annotations

import warnings
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import Any

import anyio

from toolglot.cli.commands.serve import ProtocolOptions, ServeOptions
from toolglot.cli.commands.serve_catalog import open_catalog, reloading_catalog
from toolglot.cli.exit_codes import Exit
from toolglot.cli.file_search import STDIN
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import SourceRequest
from toolglot.cli.terminal import print_message
from toolglot.converter.text.serialization import DEFAULT_LIMITS
from toolglot.errors import UsageError
from toolglot.runtime.bridge.session import Runner
from toolglot.runtime.programs.allow_list import read_allow_list
from toolglot.runtime.servers.named_servers import UNENCRYPTED
from toolglot.runtime.servers.pull import call_servers
from toolglot.runtime.serving import web_server
from toolglot.runtime.serving.admission import Gate
from toolglot.runtime.serving.principals import Principal, new_token, owner
from toolglot.runtime.serving.protocol.principal_server import PrincipalServer
from toolglot.runtime.serving.protocol.tool_calls import ProgramRunner, RoutedCalls, RunPermission
from toolglot.runtime.serving.protocol.transports import PATH, make_protocol_application, serve_streams
from toolglot.runtime.serving.session_log import SessionLog


def serve_protocol(sources: SourceRequest, options: ServeOptions, calls: ProtocolOptions) -> int:
    """Serve until the client goes, or somebody ends the process; the exit code.

    Raises:
        Error: it cannot be served as asked.
    """
    if calls.transport == "stdio" and STDIN in (calls.policy, *sources.paths):
        raise UsageError("stdin is the client's, who would say what is served and allowed; name a file", "usage")
    policy = parse_object(calls.policy, "POLICY-JSON", DEFAULT_LIMITS)
    if calls.root is not None and calls.servers is not None and not sources.quiet:
        print_message("--root holds for the programs of --allow-list; calls to --servers are not held to it")
    runner: Runner | None = None
    if calls.allow_list is not None:
        permission = RunPermission(read_allow_list(calls.allow_list), policy, calls.root, calls.isolation)
        runner = ProgramRunner(permission, calls.as_root)
    while_serving: AbstractAsyncContextManager[Any] = nullcontext()
    if calls.servers is not None and calls.lock is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said below, with what others write made visible
            servers = call_servers(Path(calls.servers), calls.lock, yes=calls.agrees)
        for entry in servers.entries:
            if entry.sends_unencrypted:
                print_message(f"warning: {entry.line}: {UNENCRYPTED}")
        if not sources.quiet:
            for entry in servers.entries:
                print_message(f"{entry.name}: {entry.what_happens} when it is called first")
        while_serving = servers
        runner = RoutedCalls(servers, runner or servers)
    log = SessionLog(calls.log) if calls.log else None
    if calls.transport == "stdio":
        principal = owner(new_token())  # whoever started us, and nobody else has the streams
        catalog = reloading_catalog(sources, options, [principal])
        server = PrincipalServer(lambda: catalog.current, principal, runner, policy, log)
        anyio.run(serve_streams, server, catalog, while_serving)
        return Exit.DONE
    catalog, listener = open_catalog(sources, options, PATH)

    def make_server(principal: Principal) -> PrincipalServer:
        return PrincipalServer(lambda: catalog.current, principal, runner, policy, log)

    is_local = web_server.is_loopback(options.host)
    app = make_protocol_application(catalog, Gate(options.rate), make_server, is_local, while_serving)
    web_server.make_server(app).run(sockets=[listener])
    return Exit.DONE
