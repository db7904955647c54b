"""Whether a process is there."""

from __future__ import annotations

import os

__all__ = ["is_alive"]


def is_alive(process: int) -> bool:
    """Whether the process with this id runs; True too where that cannot be asked, as on Windows."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # It is somebody else's, or cannot be asked about.
    return True
