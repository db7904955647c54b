"""Where questions to a server arrive, from whatever side: one after the other, each answered within a budget."""

from __future__ import annotations

import contextlib
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from attrs import define, evolve, field, frozen

from aries_kernel.errors import AriesError
from ori_memory.answer import plain
from ori_memory.memory import Memory
from ori_memory.serving.catalog import Needs, ServedTool, tool_named
from ori_memory.serving.door import Door
from ori_memory.serving.errands import ERRANDS
from ori_memory.serving.keeping import Keeper
from ori_memory.serving.lenient import take_arguments
from ori_memory.serving.paging import MOST, page_of, written
from ori_memory.serving.told import Call, Told
from ori_memory.vault.finding import open_vault
from ori_memory.vault.vault import CONFIG_NAME, Vault

__all__ = ["Desk", "Reply"]

_PATIENCE = 120.0
"""Seconds that what writes waits for the first look at all files."""
_TURN = 30.0
_LOADING = "the model is still being loaded"


@frozen
class Reply:
    """What a tool answers."""

    text: str
    is_error: bool


@define(eq=False)
class Desk:
    """A vault that is served. May be asked from several threads; start it first, close it at the end."""

    vault: Vault
    environ: Mapping[str, str]
    grace: float = 3.0
    """Seconds after the start in which a question waits for the index and the model; later it takes what is there."""
    most: int = MOST
    keeper: Keeper = field(init=False)
    door: Door = field(init=False)
    _memory: Memory = field(init=False)
    _worker: ThreadPoolExecutor = field(init=False)
    _began: float = field(init=False)
    _seen: object = field(default=None, init=False)
    _is_private: bool | None = field(default=None, init=False)
    _settings: object = field(default=None, init=False)
    _is_closed: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "ori-desk")
        self.door = Door(self)
        self._settings = _stamp(self.vault.root / CONFIG_NAME)
        self._open()

    def _open(self) -> None:
        from ori_memory.index.index import Index

        # Not synced here: the keeper does that, and nobody waits for it.
        self._memory = Memory(self.vault, environ=self.environ, index=Index(self.vault), embedder=_LOADING)
        self.keeper = Keeper(self.vault, self._on_use, self._memory.use_embedder)
        self._memory.teaching.on_due = self._on_due
        self._began = time.monotonic()
        self._is_private = None

    def start(self) -> None:
        """Begin to look at the files and to load the model, in the background, and open the door."""
        self.keeper.start()
        self.door.start()

    def close(self) -> None:
        """Finish what was asked, and give the files back; a second time, nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self.door.stop()
        self._worker.submit(self._memory.close)
        self._worker.shutdown(wait=True)
        self.keeper.stop()

    def answer(self, name: str, arguments: object, call: Call) -> Reply:
        """The answer of a tool; whatever goes wrong is an answer too. Blocks until it is there."""
        try:
            tool = tool_named(name)
            asked = take_arguments(tool.takes, arguments)
            self._wait_for(tool.needs)
            if tool.is_alone:
                return self._answered(tool, asked, call)
            return self._worker.submit(self._answered, tool, asked, call).result()
        except AriesError as error:
            return self._refused(str(error))

    def run_errand(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """What another process asks through the door: the data, or why it must do that by itself.

        Like a command, it looks at the files first.
        """
        if name not in ERRANDS or not isinstance(given, dict):
            return {"refused": f"there is no errand '{name[:40]}'"}
        if not (self.keeper.is_synced.is_set() and self.keeper.is_warm.is_set()):
            return {"refused": "the server is starting"}
        return self._worker.submit(self._run, name, given).result()

    def _run(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        try:
            self._read_settings()
            self._memory.take_in(self._memory.index.sync(), makes_store=False)
            self._look_again()
            data = ERRANDS[name](self._memory, given)
            return {"data": data, "warnings": self._memory.take_warnings()}
        except Exception as error:  # The one who asked does it by itself, and meets the same error there.
            return {"refused": f"{type(error).__name__}: {error}"}

    def _on_due(self) -> None:
        self._errand(self._memory.teaching.learn)

    def _on_use(self) -> None:
        self._errand(self._memory.teaching.learn)

    def _errand(self, work: Callable[[], object]) -> None:
        # At its end the desk itself keeps what was noticed.
        with contextlib.suppress(RuntimeError):
            self._worker.submit(work)

    def _answered(self, tool: ServedTool, asked: Any, call: Call) -> Reply:
        try:
            if tool.is_alone:
                told = tool.answer()(self._memory, asked, call)
            else:
                self._read_settings()
                self._look_again()
                told = tool.answer()(self._memory, asked, call)
                told = evolve(told, warnings=(*told.warnings, *self._memory.take_warnings()))
            return self._reply(told, str(getattr(asked, "cursor", "")))
        except (AriesError, OSError) as error:
            return self._refused(str(error))
        except Exception as error:  # The top of the loop: a defect ends this answer, not the server.
            traceback.print_exc(file=sys.stderr)
            return self._refused(f"This is a defect of ori: {type(error).__name__}: {error}")

    def _reply(self, told: Told, cursor: str) -> Reply:
        warnings = list(dict.fromkeys((*self._state(), *told.warnings)))
        head = {"success": told.is_good, "data": None, "warnings": _shortened(warnings, self.most // 8)}
        room = self.most - len(written(head)) - 200
        page = page_of(plain(told.data), told.lists, cursor, room)
        document = {**head, "data": page.data, "truncated": bool(page.cursor)}
        if page.cursor:
            document |= {"cursor": page.cursor, "totals": page.totals}
        return Reply(written(document), False)

    def _refused(self, message: str) -> Reply:
        text = message if len(message) <= self.most // 4 else message[: self.most // 4] + "…"
        document = {"success": False, "data": None, "error": text, "warnings": list(self._state())}
        return Reply(written(document), True)

    def _state(self) -> tuple[str, ...]:
        """What every answer has to say of itself while the server is not yet up to date."""
        if self.keeper.problem:
            return (self.keeper.problem,)
        if not self.keeper.is_synced.is_set():
            done, total = self.keeper.progress
            return (f"indexing {done} of {total}: this comes from what is there so far.",)
        return ()

    def _wait_for(self, needs: Needs) -> None:
        if needs is Needs.WHOLE_INDEX:
            self.keeper.is_synced.wait(_PATIENCE)
        elif needs is not Needs.NOTHING:
            self.keeper.is_synced.wait(self._grace_left())
        if needs is Needs.MODEL:
            self.keeper.is_warm.wait(self._grace_left())

    def _grace_left(self) -> float:
        return max(0.0, self._began + self.grace - time.monotonic())

    def _look_again(self) -> None:
        """Figures that are kept from one call to the next hold as long as nobody else wrote.

        The index of a vault that cannot be written is this desk's own: nobody else keeps it up to date.
        """
        if self._is_private is None:
            self._is_private = self._memory.index.status().is_temporary
        if self._is_private:
            self._memory.sync()
        version = self._memory.index.read(lambda asked: asked.execute("PRAGMA data_version").fetchone()[0])
        # A server that keeps what was learned does not tell when others wrote: it is asked again now and then.
        turn = time.monotonic() // _TURN if self._memory.learned_url else 0
        seen = version, turn, *map(_stamp, (self.vault.learned_path, _wal(self.vault)))
        if seen != self._seen:
            self._memory.forget_figures()
            self._seen = seen

    def _read_settings(self) -> None:
        """Settings that were changed hold from the next question on, as they do for commands."""
        seen = _stamp(self.vault.root / CONFIG_NAME)
        if seen == self._settings:
            return
        self._settings = seen
        try:
            vault = open_vault(self.vault.root)
        except AriesError as error:
            self._memory.notice(f"The settings were changed and cannot be read, so the earlier ones hold: {error}")
            return
        if vault.config != self.vault.config:
            self._memory.close()
            self.keeper.stop()
            self.vault = vault
            self._open()
            self.keeper.start()
            self.keeper.is_synced.wait(self.grace)


def _wal(vault: Vault) -> Any:
    return vault.learned_path.with_name(vault.learned_path.name + "-wal")


def _stamp(path: Any) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size


def _shortened(warnings: list[str], most: int) -> list[str]:
    kept: list[str] = []
    for text in warnings:
        if len(text) > most or sum(map(len, kept)) + len(text) > most:
            kept.append(f"... and {len(warnings) - len(kept)} more warnings: ori health tells what needs care.")
            break
        kept.append(text)
    return kept
