"""The host's end of one process: threads that read, write and wait, and what came of them."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any

from aries_body.process import guardian
from aries_body.process.frames import BrokenFrame, Frame, encode, read_frame
from aries_body.process.output import OutputTail
from aries_body.process.starting import Launch, Started, start

__all__ = ["Incarnation"]

_END_WITHIN = 15.0
_CHUNK = 1 << 16


class Incarnation:
    """One process from start to end.

    What it asks and says goes to `take`, on a thread that must not be held up; what it answers goes to `inbox`.
    """

    def __init__(self, launch: Launch, take: Callable[[Frame], None]) -> None:
        self._take = take
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_ended = False
        self.inbox: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self.output = OutputTail(launch.limits.output * 1024)
        self.is_gone = threading.Event()
        self.death = ""
        """Why it is gone, where that is known."""
        self._ready: queue.SimpleQueue[Started | OSError] = queue.SimpleQueue()
        # The system may tie the life of a process to the thread that started it: one that lives as long.
        self._keeper = threading.Thread(target=self._keep, args=(launch,), name="aries-body-keeper", daemon=True)
        self._keeper.start()
        started = self._ready.get()
        if isinstance(started, OSError):
            raise started
        self._started = started
        self._threads = [
            threading.Thread(target=work, name=f"aries-body-{work.__name__[1:]}", daemon=True)
            for work in (self._read, self._write, self._read_output)
        ]
        for thread in self._threads:
            thread.start()
        self.send("hello", 0, **started.hello)

    @property
    def pid(self) -> int:
        """The process that was started; the body is below it."""
        return self._started.process.pid

    def send(self, kind: str, number: int, /, **data: Any) -> None:
        """Hand a frame to the writer.

        Raises: BrokenFrame where it is too large.
        """
        self._outgoing.put(encode(Frame(kind, number, data)))

    def end(self, why: str = "") -> None:
        """End it and all it started; returns when it is gone. May be called from any thread, more than once."""
        with self._lock:
            if not self._is_ended:
                self._is_ended = True
                self.death = self.death or why
                self._started.end()
        self._outgoing.put(None)
        if not self.is_gone.wait(_END_WITHIN):
            self._started.process.kill()
            self.is_gone.wait(_END_WITHIN)
        for thread in (*self._threads, self._keeper):
            if thread is not threading.current_thread():
                thread.join(_END_WITHIN)

    def _keep(self, launch: Launch) -> None:
        try:
            started = start(launch)
        except OSError as error:
            self._ready.put(error)
            return
        self._ready.put(started)
        code = started.process.wait()
        started.clean()
        with self._lock:
            self.death = self.death or _why(code)
        self.is_gone.set()
        self.inbox.put(Frame("gone", 0, {}))
        self._outgoing.put(None)
        with self._lock:
            if not self._is_ended:
                self._is_ended = True
                started.end()

    def _read(self) -> None:
        stream = self._started.process.stdout
        assert stream is not None
        with stream:
            try:
                while (frame := read_frame(stream.read)) is not None:
                    if frame.type in ("request", "say", "pong"):
                        self._take(frame)
                    else:
                        self.inbox.put(frame)
            except (BrokenFrame, OSError, ValueError) as error:
                with self._lock:
                    self.death = self.death or f"It wrote to the pipe that belongs to the host ({error})."
        # Whoever cannot be understood any more is of no use.
        self.inbox.put(Frame("silent", 0, {}))

    def _write(self) -> None:
        stream = self._started.process.stdin
        assert stream is not None
        # What is still buffered for a process that died cannot be written any more.
        with contextlib.suppress(OSError), stream:
            while (data := self._outgoing.get()) is not None:
                while data:
                    data = data[stream.write(data) or 0 :]

    def _read_output(self) -> None:
        stream = self._started.process.stderr
        assert stream is not None
        with stream:
            while data := stream.read(_CHUNK):
                self.output.add(data)
        self.output.add(b"")


def _why(code: int) -> str:
    known = {
        guardian.TOO_MUCH_MEMORY: "It used more memory than it may.",
        guardian.TOO_MANY_PROCESSES: "It started more processes than it may.",
        guardian.NOT_STARTED: "It could not be started.",
        guardian.HOST_ENDED: "It was ended.",
    }
    if code in known:
        return known[code]
    number = code - guardian.KILLED_BY if code > guardian.KILLED_BY else -code
    # bubblewrap adds 128 to the number of the signal.
    number = code - 128 if code > 128 else number
    if 0 < number < 65:
        import signal

        with contextlib.suppress(ValueError):
            return f"It was ended by the signal {signal.Signals(number).name}."
    return f"It ended by itself, with exit code {code}."
