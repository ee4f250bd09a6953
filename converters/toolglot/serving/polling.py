"""Looking at files again and again, while a server answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from toolglot.serving.reloading import Reloading

_SECONDS_BETWEEN_LOOKS, _SECONDS_AT_MOST = 1.0, 5.0
_SHARE = 20  # of the time; a look at thousands of files takes a tenth of a second


async def keep_looking(reloading: Reloading[Any], tell: Callable[[], Awaitable[None]] | None = None) -> None:
    """Look at the files beside the loop, until somebody cancels it; `tell` is called when there is a new value."""
    pause = _SECONDS_BETWEEN_LOOKS
    while True:
        await anyio.sleep(pause)
        start = anyio.current_time()
        is_new = await anyio.to_thread.run_sync(reloading.look)
        took = anyio.current_time() - start
        # Under load a look waits for its turn; without an end the files would be looked at once a minute then.
        pause = min(max(_SECONDS_BETWEEN_LOOKS, _SHARE * took), _SECONDS_AT_MOST)
        if is_new and tell is not None:
            await tell()
