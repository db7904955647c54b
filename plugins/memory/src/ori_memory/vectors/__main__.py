"""The process in the background: embeds one vault, quietly and with low priority, and ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from pathlib import Path

from aries_kernel.errors import AriesError, UserError
from ori_memory.vault.finding import open_vault
from ori_memory.vectors.filling import Limits, fill
from ori_memory.vectors.loading import load_embedder
from ori_memory.vectors.working import AlreadyWorking, note_problem

__all__ = ["main"]

_NICE = 10


def main(root: Path) -> int:
    """Embed what is missing in the vault at `root`. What goes wrong is kept in the vault for `ori index status`."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(_NICE)
    try:
        vault = open_vault(root)
    except AriesError:
        return 1  # It was taken away since.
    try:
        embedder = load_embedder(vault)
        if isinstance(embedder, str):
            raise UserError(embedder)
        report = fill(vault, embedder, limits=Limits(should_stop=stop.is_set))
        if report.left and not report.stopped:
            raise UserError(f"{report.left} notes cannot be embedded.")
    except AlreadyWorking:
        return 0
    except Exception as error:  # The embedder is foreign code, and there is nobody to read a traceback.
        note_problem(vault.state_folder, _described(error))
        return 1
    return 0


def _described(error: Exception) -> str:
    """Our errors are sentences; of others the kind matters."""
    return str(error) if isinstance(error, AriesError) else f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
