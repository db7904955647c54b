"""An event loop on a thread of its own, for a body without a session around it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["running_loop"]

_END_WITHIN = 10.0


@contextmanager
def running_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """The loop; what still runs on it at the end is cancelled."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="aries-loop", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_finish(), loop).result(_END_WITHIN)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_END_WITHIN)
        if not thread.is_alive():
            loop.close()


async def _finish() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
