"""Where questions to a server arrive, from whatever side; each is answered within a budget."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from aries_kernel.errors import AriesError, UserError
from ori_memory.answer import plain
from ori_memory.memory import Memory
from ori_memory.retrieval.showing import tokens_of
from ori_memory.serving.catalog import Needs, ServedTool, tool_named
from ori_memory.serving.door import Door
from ori_memory.serving.errands import ERRANDS
from ori_memory.serving.keeping import Keeper
from ori_memory.serving.lenient import take_arguments
from ori_memory.serving.paging import MOST, page_of, written
from ori_memory.serving.told import Call, Told
from ori_memory.serving.window import Window, stamp
from ori_memory.vault.finding import is_vault, open_vault
from ori_memory.vault.vault import CONFIG_NAME, Vault

if TYPE_CHECKING:
    from aries_kernel.contracts import Embedder

__all__ = ["Desk", "Reply"]

_PATIENCE = 120.0
"""Seconds that what writes waits for the first look at all files."""
_LEAST_TOKENS = 500
"""Below, no note with its path and title fits beside what every answer says."""
_LOADING = "the model is still being loaded"


@frozen
class Reply:
    """What a tool answers."""

    text: str
    is_error: bool


@define(eq=False)
class Desk:
    """A vault that is served. May be asked from several threads; start it first, close it at the end.

    It has two windows: whoever asks something quick waits neither for what is written nor for a look at all notes.
    What writes stays in a line.
    """

    vault: Vault
    environ: Mapping[str, str]
    grace: float = 3.0
    """Seconds after the start in which a question waits for the index and the model; later it takes what is there."""
    most: int = MOST
    keeper: Keeper = field(init=False)
    door: Door = field(init=False)
    _quick: Window = field(init=False)
    _slow: Window = field(init=False)
    _embedder: Embedder | str = field(default=_LOADING, init=False)
    _began: float = field(init=False)
    _settings: object = field(default=None, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    """Held while the settings are read anew."""
    _is_closed: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self._quick = Window("quick", self.environ, self.vault, self._on_due)
        self._slow = Window("slow", self.environ, self.vault, self._on_due)
        self.door = Door(self)
        self._settings = stamp(self.vault.root / CONFIG_NAME)
        self._open()

    def _open(self) -> None:
        self._embedder = _LOADING
        self.keeper = Keeper(self.vault, self._on_due, self._use_embedder)
        self._began = time.monotonic()

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
        self._quick.close()
        self._slow.close()
        self.keeper.stop()

    def answer(self, name: str, arguments: object, call: Call) -> Reply:
        """The answer of a tool; whatever goes wrong is an answer too. Blocks until it is there."""
        try:
            tool = tool_named(name)
            asked = take_arguments(tool.takes, arguments)
            self._wait_for(tool.needs)
            if tool.is_alone:
                return self._answered(self._quick, tool, asked, call)
            window = self._slow if tool.is_slow(asked) and not self._is_private() else self._quick
            return window.submit(self._answered, window, tool, asked, call).result()
        except (AriesError, OSError) as error:
            return self._refused(str(error))

    def run_errand(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """What another process asks through the door: the data, or why it must do that by itself.

        Like a command, it looks at the files first.
        """
        if name not in ERRANDS or not isinstance(given, dict):
            return {"refused": f"there is no errand '{name[:40]}'"}
        if not (self.keeper.is_synced.is_set() and self.keeper.is_warm.is_set()):
            return {"refused": "the server is starting"}
        return self._quick.submit(self._run, name, given).result()

    def _run(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        try:
            self.require_vault()
            memory = self._memory_of(self._quick)
            memory.take_in(memory.index.sync(), makes_store=False)
            self._quick.look_again()
            data = ERRANDS[name](memory, given)
            return {"data": data, "warnings": memory.take_warnings()}
        except Exception as error:  # The one who asked does it by itself, and meets the same error there.
            return {"refused": f"{type(error).__name__}: {error}"}

    def require_vault(self) -> None:
        """A folder that is gone is no empty memory, and nobody there who has yet to say who they are.

        Raises: UserError.
        """
        if not is_vault(self.vault.root):
            raise UserError(
                f"The vault {self.vault.root} is not there any more: it was moved or removed, or its disk is away. "
                "Bring it back, or start the server with the place it has now."
            )

    def _is_private(self) -> bool:
        """A vault that cannot be written has an index in each window; the second one is not worth its making."""
        return self._quick.submit(lambda: self._quick.is_private).result()

    def _on_due(self) -> None:
        """Something was noticed: it is noted down by the quick window, and learned from where nobody waits for it."""
        self._later(self._quick, self._learn)

    def _learn(self) -> None:
        self._quick.memory.teaching.write_down()
        self._later(self._slow, lambda: self._slow.memory.teaching.learn())

    @staticmethod
    def _later(window: Window, work: Callable[[], object]) -> None:
        def told() -> None:
            try:
                work()
            except Exception:  # Nobody asked for this and waits for it: a defect in it is told to whoever looks.
                traceback.print_exc(file=sys.stderr)

        # At its end a window itself keeps what was noticed.
        with contextlib.suppress(RuntimeError):
            window.submit(told)

    def _answered(self, window: Window, tool: ServedTool, asked: Any, call: Call) -> Reply:
        if call.is_given_up():
            return self._refused("Nobody waits for this any more; nothing was done.")
        budget: int = getattr(asked, "budget_tokens", 0)
        try:
            if budget and budget < _LEAST_TOKENS:
                raise UserError(f"budget_tokens must be at least {_LEAST_TOKENS}, not {budget}.")
            self.require_vault()
            if tool.is_alone:
                told = tool.answer()(window.memory, asked, call)
            else:
                memory = self._memory_of(window)
                window.look_again()
                told = tool.answer()(memory, asked, call)
                told = evolve(told, warnings=(*told.warnings, *memory.take_warnings()))
            return self._within(told, str(getattr(asked, "cursor", "")), budget)
        except (AriesError, OSError) as error:
            return self._refused(str(error))
        except Exception as error:  # The top of the loop: a defect ends this answer, not the server.
            traceback.print_exc(file=sys.stderr)
            return self._refused(f"This is a defect of ori: {type(error).__name__}: {error}")

    def _memory_of(self, window: Window) -> Memory:
        """In the window's thread: its memory, with the settings of now and the model as far as it is there."""
        problem = self._read_settings()
        window.use(self.vault)
        window.memory.use_embedder(self._embedder)
        if problem:
            window.memory.notice(problem)
        return window.memory

    def _use_embedder(self, embedder: Embedder | str) -> None:
        self._embedder = embedder

    def _within(self, told: Told, cursor: str, budget: int) -> Reply:
        """An answer of so many tokens at most: how many characters that is depends on their script."""
        data, most = plain(told.data), min(self.most, 4 * budget) if budget else self.most
        while True:
            reply = self._reply(told, data, cursor, most)
            cost = tokens_of(reply.text)
            if not budget or cost <= budget or most <= _LEAST_TOKENS:
                return reply
            most = min(most - 1, most * budget // cost)

    def _reply(self, told: Told, data: Any, cursor: str, most: int) -> Reply:
        warnings = list(dict.fromkeys((*self._state(), *told.warnings)))
        head = {"success": told.is_good, "data": None, "warnings": _shortened(warnings, most // 8)}
        room = most - len(written(head)) - 200
        page = page_of(data, told.lists, cursor, room)
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

    def _read_settings(self) -> str:
        """Settings that were changed hold from the next question on, as they do for commands; gives what is wrong."""
        with self._lock:
            seen = stamp(self.vault.root / CONFIG_NAME)
            if seen == self._settings:
                return ""
            self._settings = seen
            try:
                vault = open_vault(self.vault.root)
            except AriesError as error:
                return f"The settings were changed and cannot be read, so the earlier ones hold: {error}"
            if vault.config != self.vault.config:
                self.keeper.stop()
                self.vault = vault
                self._open()
                self.keeper.start()
                self.keeper.is_synced.wait(self.grace)
            return ""


def _shortened(warnings: list[str], most: int) -> list[str]:
    kept: list[str] = []
    for text in warnings:
        if len(text) > most or sum(map(len, kept)) + len(text) > most:
            kept.append(f"... and {len(warnings) - len(kept)} more warnings: ori health tells what needs care.")
            break
        kept.append(text)
    return kept
