"""Applications over HTTP, in a thread of the test's process."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator

App = Callable[..., Awaitable[None]]


@contextlib.contextmanager
def serving(app: App) -> Iterator[str]:
    """The address of an application that is served until the block ends."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
