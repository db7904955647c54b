"""Python's search for cycles, put off for a moment of work that makes none."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

__all__ = ["without_collection"]


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """For one batch: the collector would look through all its values every few hundred, an eighth of a build's time.

    It concerns the whole process, so the stretches are short; where two threads meet, the first to end turns it on
    again and the other is merely slower.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
