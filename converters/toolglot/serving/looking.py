"""Looking at files again and again, while a server answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from toolglot.serving.reloading import Reloading

_SECONDS_BETWEEN_LOOKS = 1.0
_SHARE = 20  # of the time; a look at thousands of files takes a tenth of a second


async def keep_looking(reloading: Reloading[Any], tell: Callable[[], Awaitable[None]] | None = None) -> None:
    """Look at the files beside the loop, until somebody cancels it; `tell` is called when there is a new value."""
    pause = _SECONDS_BETWEEN_LOOKS
    while True:
        await anyio.sleep(pause)
        started = anyio.current_time()
        is_new = await anyio.to_thread.run_sync(reloading.look)
        pause = max(_SECONDS_BETWEEN_LOOKS, _SHARE * (anyio.current_time() - started))
        if is_new and tell is not None:
            await tell()
