"""The body's end of the pipe: one thread reads, one writes, user code runs on neither."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
from collections.abc import Mapping
from typing import Any

from aries_body.process.frames import BrokenFrame, Frame, encode, read_frame

__all__ = ["HostRefused", "Link"]

_HIGH = 200
"""Descriptors from here on are out of the way of code that counts them or closes the low ones."""


class HostRefused(Exception):
    """The host answered a request with an error; `kind` tells which."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Link:
    """Frames to and from the host. Made before any user code runs, from what standard input and output are then."""

    def __init__(self) -> None:
        self._reading, self._writing = _private(0), _private(1)
        self._outgoing: queue.SimpleQueue[bytes | threading.Event] = queue.SimpleQueue()
        self._incoming: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._waiting: dict[int, queue.SimpleQueue[Frame]] = {}
        self._last_request = 0
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._main = threading.main_thread().ident
        self.execution = 0
        """The number of the execution under way, 0 between two."""

    def start(self) -> None:
        """Begin to read and to write."""
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._abandon)
        for work in (self._read, self._write):
            threading.Thread(target=work, name=f"aries-{work.__name__[1:]}", daemon=True).start()

    @property
    def is_mine(self) -> bool:
        """False in a process that user code forked: it must not speak to the host."""
        return os.getpid() == self._process

    def first(self) -> Frame | None:
        """The frame that configures this process, read before `start`."""
        return read_frame(lambda count: os.read(self._reading, count))

    def next(self) -> Frame:
        """Wait for something to do."""
        return self._incoming.get()

    def send(self, kind: str, number: int, /, **data: Any) -> None:
        """Hand a frame to the writer.

        Raises: BrokenFrame where it is too large, TypeError, ValueError.
        """
        if self.is_mine:
            self._outgoing.put(encode(Frame(kind, number, data)))

    def flush(self) -> None:
        """Wait until everything handed over so far is written."""
        is_written = threading.Event()
        self._outgoing.put(is_written)
        is_written.wait()

    def request(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Ask the host and wait for its answer, however long that takes: limits are the host's.

        Raises: HostRefused; TypeError and ValueError for arguments that are not JSON.
        """
        if not self.is_mine:
            raise HostRefused("forked", "A forked process cannot ask the host; ask in the process that was forked.")
        answers: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        with self._lock:
            self._last_request += 1
            number = self._last_request
            self._waiting[number] = answers
        try:
            self.send("request", number, name=name, arguments=dict(arguments), execution=self.execution)
            answer = answers.get()
        except BrokenFrame as error:
            raise HostRefused("too-large", f"{name}: the arguments are too large: {error}.") from error
        finally:
            self._waiting.pop(number, None)
        if "error" in answer.data:
            raise HostRefused(str(answer.data.get("kind", "failed")), str(answer.data["error"]))
        return answer.data.get("value")

    def _read(self) -> None:
        try:
            while (frame := read_frame(lambda count: os.read(self._reading, count))) is not None:
                self._take(frame)
        except (BrokenFrame, OSError):
            os._exit(70)  # The host speaks no nonsense: user code meddled with the descriptor.
        os._exit(0)  # The host has closed its end or is gone; its guardian ends whatever else there is.

    def _take(self, frame: Frame) -> None:
        if frame.type == "ping":
            self.send("pong", frame.id)
        elif frame.type == "interrupt":
            self._interrupt(frame.id)
        elif frame.type == "answer":
            waiting = self._waiting.get(frame.id)
            if waiting is not None:
                waiting.put(frame)
        else:
            self._incoming.put(frame)

    def _interrupt(self, execution: int) -> None:
        """Reach user code on the main thread, also one that waits within a system call."""
        if execution != self.execution:
            return
        if hasattr(signal, "pthread_kill") and self._main is not None:
            signal.pthread_kill(self._main, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)

    def _write(self) -> None:
        while True:
            data = self._outgoing.get()
            if isinstance(data, threading.Event):
                data.set()
                continue
            try:
                while data:
                    data = data[os.write(self._writing, data) :]
            except OSError:
                os._exit(70)

    def _abandon(self) -> None:
        for descriptor in (self._reading, self._writing):
            with contextlib.suppress(OSError):  # closed by user code
                os.close(descriptor)


def _private(standard: int) -> int:
    """A copy of a standard descriptor, high up and closed in other programs; nothing is left in its place."""
    try:
        from fcntl import F_DUPFD_CLOEXEC, fcntl
    except ImportError:
        copy = os.dup(standard)
    else:
        copy = fcntl(standard, F_DUPFD_CLOEXEC, _HIGH)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, standard)
    os.close(nothing)
    return copy
