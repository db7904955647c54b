"""The code graph as a group of operations: the host holds it, user code asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aries_kernel.contracts.body import Group, Operation, as_rows
from aries_kernel.errors import BadArguments

if TYPE_CHECKING:
    from aries_body.operations.codebase import Codebase

__all__ = ["GraphProvider"]

_LEFT_OUT = {"page"}
"""Operations whose answers are made for a browser."""


class GraphProvider:
    """Opened when it is first asked, on a thread of its own; looks at the files again when they may have changed."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._codebase: Codebase | None = None
        self._is_stale = False
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="aries-graph")
        self._group: Group | None = None

    @property
    def group(self) -> Group:
        """Every operation of the codebase, from its own definitions."""
        if self._group is None:
            self._group = _group()
        return self._group

    def stale(self) -> None:
        """The next question looks at the files first."""
        self._is_stale = True

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Ask. Raises: UserError and its kinds."""
        if operation not in {one.name for one in self.group.operations}:
            raise BadArguments(f"codebase has no operation {operation!r}; help('codebase') lists them.")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._answer, operation, arguments)

    async def close(self) -> None:
        """Keep the index for the next time."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _answer(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        from aries_body.operations.shapes import plain

        codebase = self._current()
        try:
            found = getattr(codebase, operation)(**arguments)
        except (TypeError, ValueError) as error:
            raise BadArguments(f"codebase.{operation}: {error}") from error
        return plain(found, lambda answer, rows: as_rows(rows, answer.total, answer.note))

    def _current(self) -> Codebase:
        if self._codebase is None:
            from aries_body.index.place import cache_folder
            from aries_body.operations.codebase import Codebase
            from aries_body.tree.root import known_home, real_root

            self._codebase = Codebase.open(real_root(self._root, known_home()), cache_folder=cache_folder())
        elif self._is_stale:
            self._codebase.refresh_files()
        self._is_stale = False
        return self._codebase

    def _close(self) -> None:
        if self._codebase is not None:
            self._codebase.close()
            self._codebase = None


def _group() -> Group:
    from aries_body.operations.catalogue import operations_of
    from aries_body.operations.codebase import Codebase
    from aries_body.operations.shapes import shape_of

    operations = tuple(
        Operation(one.name, one.signature, shape_of(getattr(Codebase, one.name)), one.summary)
        for one in operations_of(Codebase)
        if one.name not in _LEFT_OUT
    )
    return Group("codebase", "the repository as a graph of resolved imports and uses", operations)
