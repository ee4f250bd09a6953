"""`serve` as a server of a protocol: what a call does, and over what it comes."""

from __future__ import annotations

from typing import NamedTuple

from toolglot.bridge.session import Runner
from toolglot.cli.commands.argv_call import parse_object
from toolglot.cli.commands.serve_catalogue import ServeOptions, open_catalogue, reloading_catalogue
from toolglot.cli.exit_codes import Exit
from toolglot.cli.source_request import SourceRequest
from toolglot.errors import UsageError
from toolglot.extras import load_package
from toolglot.programs.allow_list import read_allow_list
from toolglot.serving import listening
from toolglot.serving.principals import Principal, new_token, owner
from toolglot.serving.protocol import FORMAT
from toolglot.serving.session_log import SessionLog
from toolglot.text.serialization import DEFAULT_LIMITS


class ProtocolOptions(NamedTuple):
    """What `serve` was asked for about calls."""

    transport: str
    runs: bool
    allow_list: str | None
    policy: str | None
    root: str | None
    isolation: str
    as_root: bool
    log: str | None


def serve_protocol(sources: SourceRequest, options: ServeOptions, calls: ProtocolOptions) -> int:
    """Serve until the client goes, or somebody ends the process; the exit code.

    Raises:
        Error: it cannot be served as asked.
    """
    _check_options(calls)
    for package in (FORMAT, "starlette"):
        load_package(package, FORMAT, "serving the protocol needs")
    import anyio  # with what follows an extra's

    from toolglot.serving.catalogue.gate import Gate
    from toolglot.serving.protocol.carrying_out import ProgramRunner, RunPermission, refuse_call
    from toolglot.serving.protocol.servers import PrincipalServer
    from toolglot.serving.protocol.transports import PATH, make_protocol_application, serve_streams

    policy = parse_object(calls.policy, "POLICY-JSON", DEFAULT_LIMITS) if calls.policy else None
    runner: Runner = refuse_call
    if calls.allow_list is not None:
        permission = RunPermission(read_allow_list(calls.allow_list), policy, calls.root, calls.isolation)
        runner = ProgramRunner(permission, calls.as_root)
    log = SessionLog(calls.log) if calls.log else None
    if calls.transport == "stdio":
        principal = owner(new_token())  # whoever started us, and nobody else has the streams
        catalogue = reloading_catalogue(sources, options, [principal])
        server = PrincipalServer(lambda: catalogue.current, principal, runner, policy, log)
        anyio.run(serve_streams, server, catalogue)
        return Exit.DONE
    catalogue, listener = open_catalogue(sources, options, PATH)

    def make_server(principal: Principal) -> PrincipalServer:
        return PrincipalServer(lambda: catalogue.current, principal, runner, policy, log)

    app = make_protocol_application(catalogue, Gate(options.rate), make_server, listening.is_loopback(options.host))
    listening.make_server(app).run(sockets=[listener])
    return Exit.DONE


def _check_options(calls: ProtocolOptions) -> None:
    """Raise `UsageError` for options that do not go together."""
    for is_wrong, message in (
        (calls.runs and not (calls.allow_list and calls.policy), "--run needs --allow-list FILE and --policy"),
        (
            not calls.runs and bool(calls.allow_list or calls.policy or calls.root or calls.as_root),
            "--allow-list, --policy, --root and --as-root are about --run",
        ),
    ):
        if is_wrong:
            raise UsageError(message, "usage")
