"""Serving one client over standard input and output, from the first moment to the last answer."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from ori_memory.serving.opening import Opening, Welcome, retold
from ori_memory.serving.parent import when_parent_ends
from ori_memory.serving.wire import LONGEST, Wire

if TYPE_CHECKING:
    from ori_memory.serving.desk import Desk

__all__ = ["serve_stdio"]

_GLANCE = 0.2
"""Seconds after the first question in which its asker may be gone again: somebody who only looks pays for no index."""
_QUIET = 1.0
"""Seconds after the first question in which nobody needs the library: then it is imported all the same."""
_LAST = 90.0
"""Seconds that answers may take after the input has ended; the longest question in SQL takes one minute."""
_GOODBYE = 5.0
_UNPARSABLE, _INVALID = -32700, -32600
_VAGUE = "Invalid request parameters"


def serve_stdio(wire: Wire, welcome: Welcome, make_desk: Callable[[], Desk]) -> int:
    """Serve until the input ends and everything asked is answered. `make_desk` is called after the first answer."""
    closing: list[Callable[[], None]] = []
    when_parent_ends(lambda: _leave(closing))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=_leave, args=(closing,), daemon=True).start())
    line = _Line(wire, Opening(welcome))
    threading.Thread(target=line.read, name="ori-input", daemon=True).start()
    line.first.wait()
    line.needed.wait(_GLANCE)
    if line.is_idle_at_end():
        return 0
    desk = make_desk()
    closing.append(desk.close)
    desk.start()
    line.needed.wait(_QUIET)
    if not line.is_idle_at_end():
        import asyncio  # With the library, and not before the first answer: it takes its time.

        asyncio.run(_serve(line, welcome, desk))
    desk.close()
    return 0


def _leave(closing: Sequence[Callable[[], None]]) -> None:
    """Nobody reads an answer any more, but what is being written is finished, and nothing is left behind."""
    for close in closing:
        thread = threading.Thread(target=close, daemon=True)
        thread.start()
        thread.join(_GOODBYE)
    os._exit(0)


@define(eq=False)
class _Line:
    """The input: answered here as long as the library is not there, handed on to it afterwards."""

    wire: Wire
    opening: Opening
    first: threading.Event = field(factory=threading.Event, init=False)
    """Something came, or the end."""
    needed: threading.Event = field(factory=threading.Event, init=False)
    """Something waits for the library, or the end came."""
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _waiting: list[bytes] = field(factory=list, init=False)
    _open: dict[str, str] = field(factory=dict, init=False)
    """Requests that the library has not answered yet, with what they ask for."""
    _is_greeted: bool = field(default=False, init=False)
    _answered: set[str] = field(factory=set, init=False)
    """Requests that were answered here and are told to the library all the same, which answers them once more."""
    _is_ended: bool = field(default=False, init=False)
    _forward: Callable[[bytes | None], None] | None = field(default=None, init=False)

    def read(self) -> None:
        """The thread that reads."""
        for text in self.wire.lines():
            self._take(text)
            self.first.set()
        with self._lock:
            self._is_ended = True
            self._end_if_done()
        self.first.set()
        self.needed.set()
        timer = threading.Timer(_LAST, self._give_up)
        timer.daemon = True
        timer.start()

    def attach(self, forward: Callable[[bytes | None], None]) -> None:
        """From now on everything goes to `forward`, None after the last answer; first what has been waiting."""
        with self._lock:
            self._forward = forward
            for text in self._waiting:
                forward(text)
            self._waiting.clear()
            self._end_if_done()

    def answered(self, message: dict[str, Any], text: str) -> None:
        """An answer of the library, or another message of it."""
        key = json.dumps(message.get("id")) if "method" not in message else ""
        with self._lock:
            is_told = key in self._answered
            self._answered.discard(key)
            method = self._open.get(key, "")
            text = _clearer(text, method, is_greeted=self._is_greeted)
            self._is_greeted = self._is_greeted or (method == "initialize" and "result" in json.loads(text))
        if not is_told:
            self.wire.send_text(text)
        with self._lock:
            self._open.pop(key, None)
            self._end_if_done()

    def refuse(self, message: dict[str, Any]) -> None:
        """An object that is no message of the protocol; where it asks for an answer, it is told so."""
        if "id" not in message:
            return
        id = message["id"] if isinstance(message["id"], str | int) else None
        problem = {"code": _INVALID, "message": "This is no request of JSON-RPC 2.0."}
        refusal = {"jsonrpc": "2.0", "id": id, "error": problem}
        self.answered({"id": message["id"]}, json.dumps(refusal))

    def is_idle_at_end(self) -> bool:
        """Whether there is nothing to import the library for."""
        with self._lock:
            return self._is_ended and not self._open

    def _take(self, text: bytes | None) -> None:
        if text is None:
            self._refuse_line(f"A line of more than {LONGEST:,} bytes is not read.")
            return
        if not text.strip():
            return
        message = self._parsed(text)
        if message is None:
            return
        if "method" in message and "id" in message and not _is_id(message["id"]):
            # The library would take it for a notification, and who sent it would wait for ever.
            self._refuse_line("The id of a request is a text or a whole number.", _INVALID)
            return
        with self._lock:
            if self._forward is None and (answer := self.opening.answer(message)) is not None:
                self.wire.send(answer)
                if message["method"] == "initialize":
                    self._is_greeted = True
                    self._answered.add(json.dumps(message["id"]))
                    self._waiting.append(json.dumps(retold(message)).encode())
                return
            self._note(message)
            if self._forward is not None:
                self._forward(text)
            else:
                self._waiting.append(text)
        if "id" in message:
            self.needed.set()

    def _parsed(self, text: bytes) -> dict[str, Any] | None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError) as error:
            problem = f"This line is no JSON: {error}"
        else:
            if isinstance(message, dict):
                return message
            problem = "A message must be a JSON object; batches are not part of the protocol any more."
        self._refuse_line(problem)
        return None

    def _refuse_line(self, problem: str, code: int = _UNPARSABLE) -> None:
        self.wire.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": problem}})

    def _note(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            self._open[json.dumps(message["id"])] = str(message["method"])
        elif message.get("method") == "notifications/cancelled" and isinstance(message.get("params"), dict):
            self._open.pop(json.dumps(message["params"].get("requestId")), None)

    def _give_up(self) -> None:
        with self._lock:
            self._open.clear()
            self._end_if_done()

    def _end_if_done(self) -> None:
        if self._is_ended and self._forward is not None and (not self._open or self.wire.is_broken):
            self._forward(None)


def _clearer(text: str, method: str, *, is_greeted: bool) -> str:
    """The answer; where the library says no more than that parameters are wrong, with what is to be done."""
    if _VAGUE not in text or not method:
        return text
    message = json.loads(text)
    error = message.get("error")
    if not isinstance(error, dict) or error.get("message") != _VAGUE or error.get("data"):
        return text
    told = f"The parameters of {method} are not as the protocol has them."
    if not is_greeted and method != "initialize":
        told = f"{method} came before initialize; send that first, or name the protocol's version in the request."
    return json.dumps({**message, "error": {**error, "message": told}})


def _is_id(id: object) -> bool:
    return isinstance(id, str | int) and not isinstance(id, bool)


async def _serve(line: _Line, welcome: Welcome, desk: Desk) -> None:
    import asyncio

    import anyio
    import mcp.types as types
    from mcp.shared.message import SessionMessage

    from ori_memory.serving.protocol import make_server

    server = make_server(desk, welcome)

    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](float("inf"))
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    loop = asyncio.get_running_loop()

    def take(text: bytes | None) -> None:
        if text is None:
            to_server.close()
            return
        try:
            message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValueError:
            line.refuse(json.loads(text))
            return
        to_server.send_nowait(SessionMessage(message))

    def forward(text: bytes | None) -> None:
        loop.call_soon_threadsafe(take, text)

    async def write() -> None:
        async with from_server:
            async for item in from_server:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                line.answered(item.message.model_dump(by_alias=True, include={"id", "method"}), text)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write)
        line.attach(forward)
        await server.run(incoming, outgoing, server.create_initialization_options())
