"""Whether the process that started this one is still there; a client that is killed cannot say goodbye."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

__all__ = ["when_parent_ends"]

_EVERY = 1.0


def when_parent_ends(then: Callable[[], None]) -> None:
    """Call `then`, in a thread of its own, once the parent process has ended. Without a parent it is never called."""
    wait = _wait_on_windows if sys.platform == "win32" else _wait_elsewhere
    parent = os.getppid()
    if parent <= 1:
        return  # Started by the system itself, or in a container whose first process is the client.

    def watch() -> None:
        wait(parent)
        then()

    threading.Thread(target=watch, name="ori-parent", daemon=True).start()


def _wait_elsewhere(parent: int) -> None:
    # Whoever adopts an orphan, it has another number.
    never = threading.Event()
    while os.getppid() == parent:
        never.wait(_EVERY)


def _wait_on_windows(parent: int) -> None:
    import ctypes

    kernel: object = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]  # Windows only
    synchronize, infinite = 0x00100000, 0xFFFFFFFF
    handle = kernel.OpenProcess(synchronize, False, parent)  # type: ignore[attr-defined]  # found at run time
    if handle:
        kernel.WaitForSingleObject(handle, infinite)  # type: ignore[attr-defined]  # found at run time
