"""A child process that ends with its call, whatever ends the call."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence

__all__ = ["run_bounded"]


async def run_bounded(
    command: Sequence[str], given: bytes, environ: Mapping[str, str], seconds: float
) -> tuple[int | None, bytes]:
    """Run to the end; exit code and standard output. Its whole group is killed on cancel and when time is up.

    Raises: TimeoutError, OSError where it cannot be started.
    """
    if seconds <= 0:
        raise TimeoutError
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(environ),
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            answer, _ = await process.communicate(given)
    finally:
        await _end(process)
    return process.returncode, answer


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):  # It ended by itself just now.
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    await asyncio.shield(process.wait())
