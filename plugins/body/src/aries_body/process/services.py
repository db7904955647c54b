"""What the host does for user code, while an execution is under way."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Protocol

__all__ = ["NoServices", "ServiceRefused", "Services"]


class ServiceRefused(Exception):
    """The request is not allowed or cannot be done; the text goes to user code."""

    def __init__(self, message: str, kind: str = "refused") -> None:
        super().__init__(message)
        self.kind = kind


class Services(Protocol):
    """Answers requests of user code. Called from a thread of the body; must not block there."""

    def begin(self, execution: int) -> None:
        """A new execution starts: whatever is counted by execution starts anew."""
        ...

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        """Start to do an operation; the result is JSON. It is cancelled when the execution ends.

        The future raises ServiceRefused for what user code is to read.
        """
        ...

    def said(self, text: str) -> None:
        """User code shows the person a text."""
        ...


class NoServices:
    """Refuses everything."""

    def begin(self, execution: int) -> None:
        return

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(ServiceRefused(f"{name} is not available here.", "absent"))
        return future

    def said(self, text: str) -> None:
        return
