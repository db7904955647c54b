"""A window of a desk: questions in a line, and a memory of their own to answer them from."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

from attrs import define, field

from ori_memory.memory import Memory
from ori_memory.vault.vault import Vault

__all__ = ["Window", "stamp"]

_TURN = 30.0
"""Seconds."""
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


@define(eq=False)
class Window:
    """One thread. `memory` is used in it alone: nothing of a memory is made for two at a time."""

    name: str
    environ: Mapping[str, str]
    memory: Memory = field(init=False)
    vault: Vault
    on_due: Callable[[], object]
    """Told, in some thread, that it is time to note down what was found and used."""
    _worker: ThreadPoolExecutor = field(init=False)
    _seen: object = field(default=None, init=False)
    _is_private: bool | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, f"ori-{self.name}")
        self._open()

    def submit(self, function: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs) -> Future[Answer]:
        """Have it done when all that was asked before is done."""
        return self._worker.submit(function, *args, **kwargs)

    def close(self) -> None:
        """Finish what was asked, and give the files back."""
        self._worker.submit(lambda: self.memory.close())
        self._worker.shutdown(wait=True)

    def use(self, vault: Vault) -> None:
        """From now on answer from `vault`, whose settings are others."""
        if vault is not self.vault:
            self.memory.close()
            self.vault = vault
            self._open()

    @property
    def is_private(self) -> bool:
        """The index is this window's own, since the vault cannot be written: nobody else keeps it up to date."""
        if self._is_private is None:
            self._is_private = self.memory.index.status().is_temporary
        return self._is_private

    def look_again(self) -> None:
        """Figures that are kept from one question to the next hold as long as nobody else wrote."""
        if self.is_private:
            self.memory.sync()
        version = self.memory.index.read(lambda asked: asked.execute("PRAGMA data_version").fetchone()[0])
        learned = self.vault.learned_path
        # A server that keeps what was learned does not tell when others wrote: it is asked again now and then.
        turn = time.monotonic() // _TURN if self.memory.learned_url else 0
        seen = version, turn, stamp(learned), stamp(learned.with_name(learned.name + "-wal"))
        if seen != self._seen:
            self.memory.forget_figures()
            self._seen = seen

    def _open(self) -> None:
        from ori_memory.index.index import Index

        # Not synced here: the keeper does that, and nobody waits for it.
        self.memory = Memory(self.vault, environ=self.environ, index=Index(self.vault))
        self.memory.teaching.on_due = self.on_due
        self._seen = self._is_private = None


def stamp(path: Path) -> tuple[int, int]:
    """Changes when somebody writes the file; nothing where it is not there."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size
