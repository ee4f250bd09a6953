"""The socket, and the web server behind it."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolglot.errors import UsageError, system_reason
from toolglot.extras import load_package

if TYPE_CHECKING:
    import uvicorn

_MOST_WAITING = 1000  # to be accepted
_MOST_HEAD = 16 * 1024  # bytes of a request's line and headers
_IDLE_SECONDS = 5


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "tools.example")]
    [True, True, True, False, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        UsageError: the system refuses that; code `"no-socket"`.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # `socket.create_server` leaves the protocol open. asyncio then does not know that it is TCP and leaves Nagle's
    # algorithm on, by which each answer waits 40 ms for the acknowledgement of its headers.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_MOST_WAITING)
    except OSError as error:
        listener.close()
        raise UsageError(f"cannot listen on {host} port {port}: {system_reason(error)}", "no-socket") from None
    return listener


def url_of(listener: socket.socket) -> str:
    """Where a socket is reached."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_server(app: Callable[..., Any]) -> uvicorn.Server:
    """A web server that answers by an application; `run(sockets=[...])` runs it until somebody ends the process.

    Raises:
        UsageError: the extra `serve` is not installed.
    """
    library = load_package("uvicorn", "serve", "serve needs")
    from toolglot.serving.client_connections import BoundedProtocol, PatientServer  # the extra's

    config = library.Config(
        app,
        http=BoundedProtocol,
        ws="none",  # where a package for WebSockets is installed, a stranger's would be kept for good
        lifespan="on",  # else one that fails is passed over, and files that change are not looked at
        log_level="error",  # a warning each time somebody sends nonsense would let strangers fill a disk
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nobody's address is asked about
        h11_max_incomplete_event_size=_MOST_HEAD,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_IDLE_SECONDS,
    )
    return PatientServer(config)
