"""The same as `running` where there is no fork: one process group, ended with its tree by taskkill."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from aries_kernel.errors import ToolFailed
from aries_tool_shell.capture import Capture
from aries_tool_shell.running import Ended

__all__ = ["TreeRun"]

_CHUNK = 65536


class TreeRun:
    """One command; see `Run`."""

    def __init__(self, shell: str, command: str, folder: Path, environ: Mapping[str, str], capture: Capture) -> None:
        self._words, self._folder, self._environ, self._capture = [shell, "-c", command], folder, environ, capture
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End the command and its tree."""
        self._stopped.set()

    def wait(self, seconds: float) -> Ended:
        """Run the command to its end, or to the limit. Raises: ToolFailed where it cannot be started."""
        started = time.monotonic()
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                env=dict(self._environ),
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            raise ToolFailed(f"The command could not be started in {self._folder}: {error}.") from error
        reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        reader.start()
        while process.poll() is None and not self._stopped.is_set() and time.monotonic() - started < seconds:
            try:
                process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue
        is_ended = process.poll() is not None
        is_timed_out = not is_ended and not self._stopped.is_set()
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, timeout=10, check=False)
        code = process.wait(timeout=10)
        reader.join(timeout=1)
        return Ended(code if is_ended else None, time.monotonic() - started, is_timed_out, 0)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        stream = process.stdout
        while stream is not None and (data := getattr(stream, "read1", stream.read)(_CHUNK)):
            self._capture.add(data)
