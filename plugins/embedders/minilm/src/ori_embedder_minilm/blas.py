"""How many threads numpy's linear algebra may use."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

__all__ = ["BlasLimit"]

_VARIABLE = "OPENBLAS_NUM_THREADS"


class BlasLimit:
    """Holds the linear algebra to `threads` while one of our passes runs; making one imports numpy.

    With the default, a thread for every core, threads that wait for each other turn 20 ms into seconds on a busy
    machine. The setting belongs to the process: the first pass to come sets it, the last one to leave puts it back.
    """

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _inside: ClassVar[int] = 0
    _held: ClassVar[Any] = None

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._controller: Any = None
        is_first = "numpy" not in sys.modules
        _import_numpy(threads)
        if not is_first:
            from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # It has no types.

            self._controller = ThreadpoolController()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Where the passes of the model belong."""
        if self._controller is None:
            yield
            return
        with BlasLimit._lock:
            BlasLimit._inside += 1
            if BlasLimit._held is None:
                BlasLimit._held = self._controller.limit(limits=self._threads, user_api="blas")
        try:
            yield
        finally:
            with BlasLimit._lock:
                BlasLimit._inside -= 1
                if not BlasLimit._inside:
                    BlasLimit._held.restore_original_limits()
                    BlasLimit._held = None


def _import_numpy(threads: int) -> None:
    """Starting numpy without a thread for every core saves 50 ms of processor time; the variable is gone afterwards."""
    given = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(threads)
    try:
        import numpy  # noqa: F401  # Its import reads the variable.
    finally:
        if given is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = given
