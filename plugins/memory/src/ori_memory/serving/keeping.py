"""In the background of a server: the first look at all files, the model, and the watch over the vault."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import define, field

from aries_kernel.errors import AriesError

if TYPE_CHECKING:
    from aries_kernel.contracts import Embedder
    from ori_memory.index.report import SyncReport
    from ori_memory.index.watching import Watcher
    from ori_memory.memory import Memory
    from ori_memory.vault.vault import Vault

__all__ = ["Keeper"]

_PATIENCE = 5.0


class _Stopped(Exception):
    """The server leaves; what a first look wrote so far is whole and is gone on with the next time."""


@define(eq=False)
class Keeper:
    """A thread with connections of its own, so that nobody who asks waits for it."""

    vault: Vault
    on_use: Callable[[], object] = lambda: None
    """Told, in a thread of its own, that files were written after notes had been found: there is something to learn."""
    on_model: Callable[[Embedder | str], None] = lambda embedder: None
    """Told the embedder once its model is there, in the keeper's thread."""
    is_synced: threading.Event = field(factory=threading.Event, init=False)
    """The index shows what the files said when the server started."""
    is_warm: threading.Event = field(factory=threading.Event, init=False)
    """The model is loaded, or there is none."""
    problem: str = field(default="", init=False)
    """Why the index could not be brought up to date, in one sentence."""
    progress: tuple[int, int] = field(default=(0, 0), init=False)
    _stop: threading.Event = field(factory=threading.Event, init=False)
    _threads: list[threading.Thread] = field(factory=list, init=False)
    _watcher: Watcher | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin; returns at once."""
        for name, work in (("ori-keeper", self._keep), ("ori-model", self._warm)):
            thread = threading.Thread(target=work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """End; waits for what is in the middle of writing."""
        self._stop.set()
        for thread in self._threads:
            thread.join(_PATIENCE)

    def _keep(self) -> None:
        from ori_memory.index.watching import Watcher
        from ori_memory.memory import Memory

        with Memory.open(self.vault, progress=self._report) as memory:
            try:
                memory.sync()
            except _Stopped:
                return
            except (AriesError, OSError) as error:
                self._tell(f"The index could not be brought up to date: {error}")
            finally:
                self.is_synced.set()
            if memory.teaching.is_waiting:
                memory.teaching.learn()  # What was left by those who were killed.
            memory.teaching.on_due = lambda: self._was_used(memory)
            with Watcher(memory.index, lambda report: self._take_in(memory, report), self._went_wrong):
                self._stop.wait()

    def _warm(self) -> None:
        from ori_memory.vectors.loading import load_embedder

        try:
            embedder = load_embedder(self.vault)
            if not isinstance(embedder, str):
                embedder.embed_query("What do I know?")
            self.on_model(embedder)
        except Exception as error:  # Foreign code; whoever asks is told by the signal that needs the model.
            self.on_model(f"the model could not be loaded: {error}")
            sys.stderr.write(f"ori: the model could not be loaded: {error}\n")
        finally:
            self.is_warm.set()

    def _take_in(self, memory: Memory, report: SyncReport) -> None:
        self.problem = ""
        memory.take_in(report, makes_store=True)
        memory.take_warnings()  # Told by whoever asks: the same look at the files gives them again.

    def _was_used(self, memory: Memory) -> None:
        memory.teaching.write_down()
        self.on_use()

    def _went_wrong(self, error: Exception) -> None:
        self._tell(f"The watch over the vault stumbled and goes on: {error}")

    def _tell(self, problem: str) -> None:
        self.problem = problem
        sys.stderr.write(f"ori: {problem}\n")

    def _report(self, done: int, total: int) -> None:
        self.progress = (done, total)
        if self._stop.is_set():
            raise _Stopped
