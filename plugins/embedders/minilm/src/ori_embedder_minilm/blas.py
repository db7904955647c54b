"""How many threads numpy's linear algebra may use."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

__all__ = ["BlasLimit"]

_VARIABLE = "OPENBLAS_NUM_THREADS"
_NAMES = tuple(
    f"{prefix}openblas_{{}}_num_threads{suffix}" for prefix in ("scipy_", "") for suffix in ("64_", "", "_64")
)
"""What builds of OpenBLAS call the pair of functions; numpy's own wheels have the first."""


class BlasLimit:
    """Holds the linear algebra to `threads` while one of our passes runs; making one imports numpy.

    With the default, a thread for every core, threads that wait for each other turn 20 ms into seconds on a busy
    machine. The number belongs to the process: the first pass to come sets it, the last one to leave puts it back.
    """

    _lock: ClassVar[threading.Lock] = threading.Lock()
    _inside: ClassVar[int] = 0
    _before: ClassVar[int] = 0

    def __init__(self, threads: int) -> None:
        self._threads = threads
        _import_numpy(threads)
        # Not by threadpoolctl: its later releases do nothing in any thread but the first that asked.
        self._functions = _find_functions()

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Where the passes of the model belong."""
        if self._functions is None:
            yield
            return
        get, set_ = self._functions
        with BlasLimit._lock:
            BlasLimit._inside += 1
            if BlasLimit._inside == 1:
                BlasLimit._before = get()
                set_(self._threads)
        try:
            yield
        finally:
            with BlasLimit._lock:
                BlasLimit._inside -= 1
                if not BlasLimit._inside:
                    set_(BlasLimit._before)


def _import_numpy(threads: int) -> None:
    """Starting numpy without a thread for every core saves 50 ms of processor time; the variable is gone afterwards."""
    given = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = str(threads)
    try:
        import numpy  # noqa: F401  # Its first import reads the variable.
    finally:
        if given is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = given


def _find_functions() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """What reads and what sets the number; None where numpy is built on something else."""
    import ctypes

    import numpy

    cores = ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath")
    core = next((sys.modules[name].__file__ for name in cores if name in sys.modules), None)
    # Asked for a function, an extension answers for the libraries it is linked with too, but on Windows.
    bundled = Path(numpy.__file__).parent.with_name("numpy.libs").glob("*openblas*")
    for path in [core, *bundled]:
        library = ctypes.CDLL(str(path))
        for name in _NAMES:
            if hasattr(library, name.format("set")):
                set_ = getattr(library, name.format("set"))
                set_.argtypes, set_.restype = [ctypes.c_int], None
                return getattr(library, name.format("get")), set_
    return None
