"""Looking at files again and again, while a server answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from toolglot.serving.reloading import Reloading

_SECONDS_BETWEEN_LOOKS = 1.0


async def keep_looking(reloading: Reloading[Any], tell: Callable[[], Awaitable[None]] | None = None) -> None:
    """Look at the files beside the loop, until somebody cancels it; `tell` is called when there is a new value."""
    while True:
        await anyio.sleep(_SECONDS_BETWEEN_LOOKS)
        if await anyio.to_thread.run_sync(reloading.look) and tell is not None:
            await tell()
