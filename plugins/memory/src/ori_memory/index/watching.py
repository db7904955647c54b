"""Keeping an index in step with its vault for as long as a server runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from attrs import define, field

from ori_memory.index.index import Index
from ori_memory.index.report import SyncReport

__all__ = ["Watcher"]

_DEBOUNCE_MS = 300
_LOOK_MS = 200
"""How often it looks whether it is to stop, or whether the vault is there again."""


@define(eq=False)
class Watcher:
    """A thread that syncs the index after files of the vault changed, a moment after the last change of a burst.

    `on_sync` is called in that thread after each sync that changed anything; `on_error` with what went wrong, after
    which it goes on. A vault that is moved away is waited for. Use it as a context manager, or `start` and `stop`.
    """

    index: Index
    on_sync: Callable[[SyncReport], None] = lambda report: None
    on_error: Callable[[Exception], None] = lambda error: None
    _stop: threading.Event = field(factory=threading.Event, init=False)
    _ready: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def __enter__(self) -> Watcher:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to watch; a second call does nothing. Changes made after it returned are seen."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="ori-watcher", daemon=True)
            self._thread.start()
            self._ready.wait(5)

    def stop(self) -> None:
        """End, and wait until the sync that may be running has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._watch()
            except Exception as error:  # The watcher outlives whatever a file system or a callback does; it is told.
                self._tell(error)
            self._ready.set()
            self._stop.wait(_LOOK_MS / 1000)

    def _watch(self) -> None:
        from watchfiles import watch

        root = self.index.vault.root
        identity = _identity(root)
        if identity is None:
            return  # Moved away or unmounted; asked again in a moment.
        seen = watch(
            root,
            watch_filter=lambda change, path: _matters(root, path),
            debounce=_DEBOUNCE_MS * 4,
            step=_DEBOUNCE_MS,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=False,
        )
        is_first = True
        for changes in seen:
            if _identity(root) != identity:
                return  # Another folder stands here now, or none: watch that one.
            # The first look is for what changed before the watch began.
            if changes or is_first:
                self._sync()
            if is_first:
                is_first = False
                self._ready.set()

    def _sync(self) -> None:
        report = self.index.sync(wait=True)
        if report.has_changes:
            self.on_sync(report)

    def _tell(self, error: Exception) -> None:
        self.on_error(error)


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = (root / ".ori").stat()
        return (status.st_dev, root.stat().st_ino)
    except OSError:
        return None


def _matters(root: Path, path: str) -> bool:
    """Whatever is hidden changes without a note changing: our own index, git, editors' state."""
    try:
        parts = Path(path).relative_to(root).parts
    except ValueError:
        return True
    rules = parts and parts[-1] in (".gitignore", ".oriignore")
    return not any(part.startswith(".") for part in parts[:-1]) and bool(rules or not parts[-1:] or parts[-1] != ".ori")
