"""What the statements need of a database: SQLite's own connection has it, and so has the one to PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["Connection", "Rows"]


class Rows(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> Sequence[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Statements name their values `:name`, qualify what is ambiguous, and keep to what both databases understand."""

    def execute(self, statement: str, values: Mapping[str, Any] = ..., /) -> Rows: ...
    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> Rows: ...
