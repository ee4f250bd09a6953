"""`serve` as a server of a protocol: what a call does, and over what it comes."""

from __future__ import annotations

import warnings
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from toolglot.cli.commands.serve_catalog import ServedCatalog, ServeOptions, serve_over_http
from toolglot.cli.option_types import parse_object
from toolglot.cli.options import SourceRequest, record_of
from toolglot.cli.terminal import print_message
from toolglot.converter.file_search import STDIN
from toolglot.errors import UsageError
from toolglot.runtime.bridge.policy import Policy
from toolglot.runtime.bridge.runner_and_approve import Runner
from toolglot.runtime.programs.allow_list import read_allow_list
from toolglot.runtime.servers.named_servers import UNENCRYPTED, is_loopback
from toolglot.runtime.servers.pull import call_servers
from toolglot.runtime.serving.admission import Gate
from toolglot.runtime.serving.principals import Principal, new_token, owner
from toolglot.runtime.serving.protocol import PATH
from toolglot.runtime.serving.protocol.principal_server import PrincipalServer
from toolglot.runtime.serving.protocol.runners import ProgramRunner, RoutedCalls, RunPermission
from toolglot.runtime.serving.protocol.transports import make_protocol_application, serve_streams
from toolglot.runtime.serving.session_log import SessionLog


def serve_protocol(sources: SourceRequest, **values: Any) -> int:
    """Serve until the client goes, or somebody ends the process; the exit code.

    Args:
        values: the fields of `ServeOptions`, and those of its choice.

    Raises:
        Error: it cannot be served as asked.
    """
    options = record_of(ServeOptions, values, "choice")
    if options.transport == "stdio" and STDIN in (options.policy, *sources.paths):
        raise UsageError("stdin is the client's, who would say what is served and allowed; name a file", "usage")
    policy = None
    if options.policy is not None:
        policy = Policy.from_json(parse_object(options.policy, "POLICY-JSON"))
    if options.root is not None and options.servers is not None and not sources.quiet:
        print_message("--root holds for the programs of --allow-list; calls to --servers are not held to it")
    runner: Runner | None = None
    if options.allow_list is not None:
        programs = read_allow_list(options.allow_list)
        runner = ProgramRunner(RunPermission(programs, policy, options.root, options.isolation, options.as_root))
    while_serving: AbstractAsyncContextManager[Any] = nullcontext()
    if options.servers is not None and options.lock is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said below, with what others write made visible
            servers = call_servers(Path(options.servers), options.lock, yes=options.agrees)
        for entry in servers.entries:
            if entry.sends_unencrypted:
                print_message(f"warning: {entry.line}: {UNENCRYPTED}")
        if not sources.quiet:
            for entry in servers.entries:
                print_message(f"{entry.name}: {entry.what_happens} when it is called first")
        while_serving = servers
        runner = RoutedCalls(servers, runner or servers)
    if options.log:
        SessionLog(options.log).close()  # one that cannot be written is said now, and not at the first call
    with ExitStack() as logs:

        def make_server(catalog: ServedCatalog, principal: Principal) -> PrincipalServer:
            # Of each its own, so that nobody's calls are in a session of another.
            log = logs.enter_context(SessionLog(options.log)) if options.log else None
            return PrincipalServer(lambda: catalog.current, principal, runner, policy, log)

        if options.transport == "stdio":
            principal = owner(new_token())  # whoever started us, and nobody else has the streams
            catalog = ServedCatalog(sources, options, [principal])
            anyio.run(serve_streams, make_server(catalog, principal), catalog, while_serving)
            return catalog.exit_code

        def make_app(catalog: ServedCatalog, gate: Gate) -> Any:
            is_local = is_loopback(options.host)
            return make_protocol_application(catalog, gate, partial(make_server, catalog), is_local, while_serving)

        return serve_over_http(sources, options, make_app, PATH)
