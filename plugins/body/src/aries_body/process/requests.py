"""Requests of user code to the host: started as they come, cancelled when their execution ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from aries_body.process.frames import BrokenFrame, Frame
from aries_body.process.services import ServiceRefused, Services

__all__ = ["Requests"]

_MOST = 64
"""Requests of one execution at the same time."""
Send = Callable[..., None]


class Requests:
    """Those of one execution. `take` is called on a thread that must not be held up."""

    def __init__(self, execution: int, services: Services, send: Send) -> None:
        self._execution, self._services, self._send = execution, services, send
        self._lock = threading.Lock()
        self._open: dict[int, Future[Any]] = {}
        self._is_over = False

    @property
    def are_open(self) -> bool:
        """Whether user code waits for the host."""
        return bool(self._open)

    def take(self, frame: Frame) -> None:
        """Start what a request asks for, and see to it that it is answered whatever comes of it."""
        if frame.data.get("execution") != self._execution:
            self.refuse(frame, self._send)
            return
        with self._lock:
            if self._is_over or len(self._open) >= _MOST:
                self._fail(frame.id, "too-many", f"More than {_MOST} requests at the same time are not taken.")
                return
            future = self._submit(str(frame.data.get("name")), frame.data.get("arguments"))
            self._open[frame.id] = future
        future.add_done_callback(lambda done: self._answer(frame.id, done))

    def cancel(self) -> None:
        """Stop what is under way."""
        with self._lock:
            waiting = list(self._open.values())
        for future in waiting:
            future.cancel()

    def close(self) -> None:
        """The execution is over: take no more, stop what is under way."""
        with self._lock:
            self._is_over = True
        self.cancel()

    @staticmethod
    def refuse(frame: Frame, send: Send) -> None:
        """Answer a request that belongs to no execution."""
        text = "The host answers only while an execution is under way; this came from a thread that outlived its own."
        send("answer", frame.id, error=text, kind="late")

    def _submit(self, name: str, arguments: Any) -> Future[Any]:
        try:
            return self._services.submit(name, arguments if isinstance(arguments, dict) else {})
        except Exception as error:  # A defect of a service must not leave user code waiting.
            failed: Future[Any] = Future()
            failed.set_exception(error)
            return failed

    def _answer(self, number: int, done: Future[Any]) -> None:
        with self._lock:
            self._open.pop(number, None)
        if done.cancelled():
            self._fail(number, "cancelled", "Cancelled: the execution was stopped.")
            return
        error = done.exception()
        if isinstance(error, ServiceRefused):
            self._fail(number, error.kind, str(error))
        elif error is not None:
            self._fail(number, "failed", f"The host failed inside: {type(error).__name__}: {error}")
        else:
            self._succeed(number, done.result())

    def _succeed(self, number: int, value: Any) -> None:
        try:
            self._send("answer", number, value=value)
        except BrokenFrame as error:
            self._fail(number, "too-large", f"The answer is too large: {error}.")
        except (TypeError, ValueError) as error:
            self._fail(number, "failed", f"The host's answer is not plain data: {error}.")

    def _fail(self, number: int, kind: str, message: str) -> None:
        self._send("answer", number, error=message[:20_000], kind=kind)
