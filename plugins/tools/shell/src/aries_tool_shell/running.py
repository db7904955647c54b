"""Starts a command under the supervisor, reads what it prints, and stops it."""

from __future__ import annotations

import os
import secrets
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from aries_kernel.errors import ToolFailed
from aries_tool_shell.capture import Capture
from aries_tool_shell.remains import MARKER, kill_remains

__all__ = ["Ended", "Run"]

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_STOP_WITHIN = 12.0
"""Seconds after which a supervisor that was told to stop is not waited for."""
_EXIT_WITHIN = 4.0
"""Seconds between its report and its end."""
_CHUNK = 65536


@frozen
class Ended:
    """How a command ended."""

    code: int | None
    """The exit code, negative for a signal; None where it was stopped."""
    seconds: float
    is_timed_out: bool
    left: int
    """Processes it left behind, now gone."""


class Run:
    """One command. `wait` blocks and belongs into a thread; `stop` may be called from anywhere, at any time."""

    def __init__(self, shell: str, command: str, folder: Path, environ: Mapping[str, str], capture: Capture) -> None:
        self._shell, self._command, self._folder, self._capture = shell, command, folder, capture
        self._mark = secrets.token_hex(8)
        self._environ = {**environ, MARKER: self._mark}
        self._lock = threading.Lock()
        self._control: int | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End the command and everything it started; `wait` returns soon after."""
        with self._lock:
            self._is_stopped = True
            if self._control is not None:
                os.close(self._control)
                self._control = None

    def wait(self, seconds: float) -> Ended:
        """Run the command to its end, or to the limit. Raises: ToolFailed where it cannot be started."""
        started = time.monotonic()
        output, status, process = self._start()
        try:
            is_timed_out, report = self._follow(output, status, process, started + seconds)
        finally:
            self.stop()
            self._finish(process, output)
            os.close(output)
            os.close(status)
        code, _, left = report.strip().partition(b" ")
        return Ended(
            int(code) if code and not is_timed_out else None,
            time.monotonic() - started,
            is_timed_out,
            int(left) if left else 0,
        )

    def _start(self) -> tuple[int, int, subprocess.Popen[bytes]]:
        """The descriptors of the output and of the report, and the supervisor."""
        output, output_end = os.pipe()
        status, status_end = os.pipe()
        control, control_end = os.pipe()
        try:
            with self._lock:
                if self._is_stopped:
                    raise ToolFailed("The command was stopped before it started.")
                process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_SUPERVISOR), str(output_end), self._shell, self._command],
                    stdin=control,
                    stdout=status_end,
                    stderr=subprocess.DEVNULL,
                    cwd=self._folder,
                    env=self._environ,
                    pass_fds=(output_end,),
                    start_new_session=True,
                )
                self._control = control_end
        except BaseException as error:
            for descriptor in (output, status, control_end):
                os.close(descriptor)
            if isinstance(error, OSError | ValueError):
                raise ToolFailed(f"The command could not be started in {self._folder}: {error}.") from error
            raise
        finally:
            for descriptor in (output_end, status_end, control):
                os.close(descriptor)
        return output, status, process

    def _follow(
        self, output: int, status: int, process: subprocess.Popen[bytes], deadline: float
    ) -> tuple[bool, bytes]:
        """Read until the supervisor reports; its report, and whether the limit was met."""
        os.set_blocking(output, False)
        poll = select.poll()
        poll.register(output, select.POLLIN)
        poll.register(status, select.POLLIN)
        is_timed_out, give_up = False, None
        while True:
            now = time.monotonic()
            if not is_timed_out and now >= deadline:
                is_timed_out = True
                self.stop()
            if give_up is None and self._is_stopped:
                give_up = now + _STOP_WITHIN
            if give_up is not None and now >= give_up:
                return is_timed_out, b""
            if give_up is not None:
                process.send_signal(signal.SIGCONT)  # the command may have halted its supervisor
            ready = {descriptor for descriptor, _ in poll.poll(self._pause(now, deadline, give_up))}
            if output in ready and not self._take(output):
                poll.unregister(output)
            if status in ready:
                report = os.read(status, 256)
                while self._take(output) is True:
                    continue
                return is_timed_out, report

    def _pause(self, now: float, deadline: float, give_up: float | None) -> int:
        until = deadline if give_up is None else give_up
        return int(max(0.0, min(until - now, 1.0)) * 1000) + 1

    def _take(self, output: int) -> bool | None:
        """True: there was something; None: nothing now; False: the end."""
        try:
            data = os.read(output, _CHUNK)
        except BlockingIOError:
            return None
        if data:
            self._capture.add(data)
        return bool(data)

    def _finish(self, process: subprocess.Popen[bytes], output: int) -> None:
        """See the supervisor off. One that was killed, or hangs, leaves its work to us."""
        try:
            is_well = process.wait(timeout=_EXIT_WITHIN) == 0
        except subprocess.TimeoutExpired:
            is_well = False
            process.kill()
            process.wait(timeout=_STOP_WITHIN)
        if not is_well:
            kill_remains(self._mark, output)
