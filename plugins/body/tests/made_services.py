"""Services for tests: one kind answers by a function, the other never."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

__all__ = ["Answers", "Never"]


class Answers:
    """Services that answer by a function, on threads of their own."""

    def __init__(self, answer: Callable[[str, Mapping[str, Any]], Any]) -> None:
        self._answer, self._pool = answer, ThreadPoolExecutor(8)
        self.texts: list[str] = []
        self.futures: list[Future[Any]] = []

    def begin(self, execution: int) -> None:
        return

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        self.futures.append(self._pool.submit(self._answer, name, arguments))
        return self.futures[-1]

    def said(self, text: str) -> None:
        self.texts.append(text)


class Never:
    """Services that never answer."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.futures: list[Future[Any]] = []

    def begin(self, execution: int) -> None:
        return

    def submit(self, name: str, arguments: Mapping[str, Any]) -> Future[Any]:
        self.futures.append(Future())
        self.asked.set()
        return self.futures[-1]

    def said(self, text: str) -> None:
        return
