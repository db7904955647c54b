"""Embeddings of a vault, waited for."""

from __future__ import annotations

import time

from aries_kernel.errors import UserError
from ori_memory.evaluation.running import Progress
from ori_memory.memory import Memory

__all__ = ["fill_vectors"]

_LONGEST, _PAUSE = 3_600.0, 2.0
"""Seconds to wait for another process that embeds the vault, and between two looks at it."""


def fill_vectors(memory: Memory, progress: Progress) -> None:
    """Embed what has no vectors yet; without an embedder nothing happens, and answers say so.

    Raises: UserError where the vectors cannot be kept or the model fails.
    """
    from ori_memory.vectors.filling import fill
    from ori_memory.vectors.working import AlreadyWorking

    embedder = memory.embedder
    if isinstance(embedder, str):
        return
    what = f"{memory.vault.root.parent.name}: passages embedded"
    end = time.monotonic() + _LONGEST
    while True:
        try:
            fill(memory.vault, embedder, progress=lambda now: progress(what, now.done, now.total))
            return
        except AlreadyWorking as error:
            if time.monotonic() > end:
                raise UserError(f"{error} It has not ended after an hour.") from error
            time.sleep(_PAUSE)
