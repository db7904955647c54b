"""Windows: a job object ends a process and all it started when the host is gone, and limits their memory."""

from __future__ import annotations

import ctypes
import subprocess
from typing import Any

from aries_body.confinement.plan import Limits

__all__ = ["Job"]

_EXTENDED_LIMITS = 9
_KILL_ON_CLOSE, _ACTIVE_PROCESSES, _JOB_MEMORY = 0x2000, 0x8, 0x200


class _Basic(ctypes.Structure):
    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_set", ctypes.c_size_t),
        ("maximum_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    )


class _Extended(ctypes.Structure):
    _fields_ = (
        ("basic", _Basic),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process", ctypes.c_size_t),
        ("peak_job", ctypes.c_size_t),
    )


class Job:
    """Holds one process. Made right after it was started, before it can start another: it waits for its first frame."""

    def __init__(self, process: subprocess.Popen[bytes], limits: Limits) -> None:
        self._system: Any = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
        for name, result in (("CreateJobObjectW", ctypes.c_void_p), ("CloseHandle", ctypes.c_int)):
            getattr(self._system, name).restype = result
        self._handle = ctypes.c_void_p(self._system.CreateJobObjectW(None, None))
        values = _Extended()
        values.basic.flags = _KILL_ON_CLOSE | _ACTIVE_PROCESSES | _JOB_MEMORY
        values.basic.processes = limits.processes
        values.job_memory = limits.memory * 1024 * 1024
        self._system.SetInformationJobObject(
            self._handle, _EXTENDED_LIMITS, ctypes.byref(values), ctypes.sizeof(values)
        )
        handle = ctypes.c_void_p(int(process._handle))  # type: ignore[attr-defined]
        if not self._system.AssignProcessToJobObject(self._handle, handle):
            process.kill()
            raise OSError("the process could not be put into a job")

    def close(self) -> None:
        """End everything in it."""
        self._system.CloseHandle(self._handle)
