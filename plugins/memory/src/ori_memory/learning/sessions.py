"""Which session a command, a connection or a program belongs to."""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["SESSION", "terminal_session"]

SESSION = "ORI_SESSION"
"""Names the session of the commands that are run with it."""
_LONGEST = 120


def terminal_session(environ: Mapping[str, str]) -> str:
    """The one that ORI_SESSION names, otherwise the terminal's: all commands typed there belong together."""
    if named := environ.get(SESSION, "").strip():
        return named[:_LONGEST]
    leader = os.getsid(0) if hasattr(os, "getsid") else os.getppid()
    return f"terminal-{leader}"
