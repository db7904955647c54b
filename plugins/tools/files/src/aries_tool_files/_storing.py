"""Changing one file: locked, checked, atomic."""

from __future__ import annotations

import stat
import threading
from collections.abc import Callable

from aries_kernel.atomic import replace_bytes
from aries_kernel.broker.workspace import Located
from aries_kernel.errors import ToolFailed
from aries_tool_files._locking import writing_in
from aries_tool_files._places import failed, read_whole

__all__ = ["store"]


def store(
    located: Located, change: Callable[[bytes | None], bytes], stop: threading.Event
) -> tuple[bytes | None, bytes]:
    """Replace the file by what `change` makes of its bytes (None: there is no file); gives both.

    Missing folders are made, once `change` has agreed. Nothing is written where nothing changes.
    Raises: ToolFailed, with the file untouched.
    """
    try:
        if not located.real.parent.exists():
            change(None)
            located.real.parent.mkdir(parents=True, exist_ok=True)
        with writing_in(located.real.parent, stop):
            return _replace(located, change, stop)
    except OSError as error:
        raise failed(located, error) from error


def _replace(
    located: Located, change: Callable[[bytes | None], bytes], stop: threading.Event
) -> tuple[bytes | None, bytes]:
    old = _bytes_of(located)
    new = change(old)
    if new == old:
        return old, new
    if old is not None:
        _require_writable(located)
    if stop.is_set():
        raise ToolFailed("The call was cancelled before anything was written.")
    # The lock keeps our own writers apart; this look catches an editor that saved meanwhile.
    if _bytes_of(located) != old:
        raise ToolFailed(f"{located.shown} was changed by somebody else just now. Read it again.")
    replace_bytes(located.real, new)
    return old, new


def _bytes_of(located: Located) -> bytes | None:
    try:
        return read_whole(located)
    except FileNotFoundError:
        return None


def _require_writable(located: Located) -> None:
    # A rename needs no write permission on the file; whoever took it away meant the file to stay as it is.
    if not stat.S_IMODE(located.real.stat().st_mode) & 0o222:
        raise ToolFailed(f"{located.shown} is read-only. Change its mode first, if that is wanted.")
