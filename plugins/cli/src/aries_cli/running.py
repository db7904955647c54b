"""Running an agent in this process: the event loop, interruption by signal, the faces."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from aries_kernel.host import Host
from aries_kernel.loop.agent import Agent
from aries_kernel.model.messages import Image
from aries_kernel.model.session import Outcome

__all__ = ["finished", "interruptible", "run_once"]

T = TypeVar("T")


async def run_once(
    host: Host, prompt: str, images: tuple[Image, ...] = (), *, resume: str | None, fork: bool
) -> tuple[Agent, Outcome]:
    """One prompt in a new or resumed session.

    Raises: UserError and its kinds, PluginError, FatalError.
    """
    try:
        agent = host.open(resume=resume, fork=fork)
        with interruptible(agent):
            return agent, await agent.run(prompt, images)
    finally:
        await host.close()


@contextmanager
def interruptible(agent: Agent) -> Iterator[None]:
    """Ctrl-C and a polite kill end the turn, not the program; the session stays whole."""
    with _on_signals(agent.interrupt):
        yield


async def finished(work: Coroutine[Any, Any, T]) -> T | None:
    """What `work` gives, done beside any turn; None where Ctrl-C or a polite kill stopped it."""
    task = asyncio.ensure_future(work)
    with _on_signals(task.cancel):
        try:
            return await task
        except asyncio.CancelledError:
            if (current := asyncio.current_task()) is not None and current.cancelling():
                raise
            return None


@contextmanager
def _on_signals(stop: Callable[[], object]) -> Iterator[None]:
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    loop = asyncio.get_running_loop()
    old = {name: signal.signal(getattr(signal, name), lambda *_: loop.call_soon_threadsafe(stop)) for name in names}
    try:
        yield
    finally:
        for name, handler in old.items():
            signal.signal(getattr(signal, name), handler)
