"""From the path a model wrote to a file that may be opened, and the errors on the way."""

from __future__ import annotations

import asyncio
import difflib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from aries_kernel.broker.secrets import holds_secrets
from aries_kernel.broker.workspace import Located, Workspace, open_regular
from aries_kernel.errors import ToolFailed

__all__ = ["Places", "in_thread", "read_whole", "refuse_secrets"]

_REMEMBERED = 256
_LARGEST = 64 * 1024 * 1024
_Result = TypeVar("_Result")


class Places:
    """Where paths lead, remembered from the moment the policy judged them.

    A person may take minutes to answer a question; a link that was swapped meanwhile must not lead elsewhere.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._judged: OrderedDict[str, Path] = OrderedDict()

    def judge(self, path: str) -> Located:
        """Locate for `effects`. Raises: ToolFailed."""
        if not path.strip():
            raise ToolFailed("The path is empty.")
        located = self._workspace.locate(path)
        self._judged[path] = located.real
        self._judged.move_to_end(path)
        while len(self._judged) > _REMEMBERED:
            self._judged.popitem(last=False)
        return located

    def locate(self, path: str) -> Located:
        """Locate for `run`. Raises: ToolFailed where the path leads elsewhere than when it was judged."""
        judged = self._judged.get(path)
        located = self.judge(path)
        if judged is not None and judged != located.real:
            raise ToolFailed(f"{path} led to {judged} when it was checked and to {located.real} now. Call again.")
        return located


async def in_thread(work: Callable[[threading.Event], _Result]) -> _Result:
    """Run `work` beside the event loop; the event it gets is set when the call is cancelled."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise


def refuse_secrets(path: str, located: Located) -> None:
    """Raises: ToolFailed for a file that is known to hold secrets, by the name given or its real one."""
    if holds_secrets(located.real) or holds_secrets(Path(path)):
        raise ToolFailed(f"{located.shown} is taken for a file that holds secrets, so it is not shown.")


def read_whole(located: Located) -> bytes:
    """All bytes of a file that is to be changed. Raises: ToolFailed; FileNotFoundError where it is missing."""
    try:
        descriptor = open_regular(located.real)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise failed(located, error) from error
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size > _LARGEST:
            raise ToolFailed(f"{located.shown} is larger than 64 MB; change it with a command instead.")
        return file.read()


def failed(located: Located, error: OSError) -> ToolFailed:
    """What the model reads about an error of the system."""
    if isinstance(error, FileNotFoundError):
        return missing(located)
    if isinstance(error, NotADirectoryError):
        return ToolFailed(f"{located.shown}: a part of this path is a file, not a folder.")
    return ToolFailed(f"{located.shown}: {error.strerror or error}.")


def missing(located: Located) -> ToolFailed:
    """There is no such file; names what is near."""
    parent = located.real.parent
    if not parent.is_dir():
        return ToolFailed(f"{located.shown} does not exist, nor does its folder.")
    try:
        names = sorted(entry.name for entry in parent.iterdir())
    except OSError as error:
        return ToolFailed(f"{located.shown} does not exist; its folder cannot be listed ({error.strerror}).")
    lowered = {name.lower(): name for name in reversed(names)}
    near = difflib.get_close_matches(located.real.name.lower(), lowered, n=3, cutoff=0.6)
    hint = f" Near it: {', '.join(lowered[name] for name in near)}." if near else ""
    return ToolFailed(f"{located.shown} does not exist.{hint}")
