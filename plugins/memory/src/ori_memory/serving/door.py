"""A server's door for other processes of this machine: a socket in the vault, for whoever owns the vault."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from aries_kernel.atomic import replace_bytes
from ori_memory import __version__
from ori_memory.serving.asking_server import DOOR, SOCKET

if TYPE_CHECKING:
    from ori_memory.serving.desk import Desk

__all__ = ["Door"]

_LOCK = "server.lock"
_LONGEST_PATH = 100
"""Bytes of a socket's path that every system takes."""
_LONGEST_REQUEST = 1 << 20
_AGAIN = 2.0
"""Seconds until a server that found another one at the door looks again."""
_PATIENCE = 5.0


@define(eq=False)
class Door:
    """Open while the server runs. Of several servers of a vault one keeps the door, and another takes over from it."""

    desk: Desk
    is_open: threading.Event = field(factory=threading.Event, init=False)
    """Somebody may ask."""
    _stop: threading.Event = field(factory=threading.Event, init=False)
    _listener: socket.socket | None = field(default=None, init=False)
    _token: str = field(default="", init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin, in a thread, also after a stop; a vault that cannot be written has no door."""
        self._stop.clear()
        self._thread = threading.Thread(target=self._keep, name="ori-door", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close, and leave nothing behind."""
        self._stop.set()
        if self._listener is not None:
            with contextlib.suppress(OSError):
                # Closing alone does not wake who waits for a guest.
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        if self._thread is not None:
            self._thread.join(_PATIENCE)

    @property
    def _folder(self) -> Path:
        return self.desk.vault.state_folder

    def _keep(self) -> None:
        import filelock

        # The lock ends with the process, however that ends: whoever holds it may clear away what another one left.
        lock = filelock.FileLock(self._folder / _LOCK, thread_local=False)
        try:
            while not self._stop.is_set():
                try:
                    lock.acquire(timeout=0)
                except filelock.Timeout:
                    self._stop.wait(_AGAIN)
                    continue
                try:
                    self._serve()
                finally:
                    self.is_open.clear()
                    self._clear()
                    lock.release()
        except OSError as error:
            sys.stderr.write(f"ori: other processes cannot ask this server: {error}\n")

    def _serve(self) -> None:
        self._clear()
        listener = self._listener = self._open()
        if self._stop.is_set():
            listener.close()
        self.is_open.set()
        while not self._stop.is_set():
            try:
                guest, _ = listener.accept()
            except OSError:
                if not self._stop.is_set():
                    raise
                return
            threading.Thread(target=self._answer, args=(guest,), name="ori-guest", daemon=True).start()

    def _open(self) -> socket.socket:
        place = self._folder / SOCKET
        if hasattr(socket, "AF_UNIX") and len(os.fsencode(place)) <= _LONGEST_PATH:
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            listener.bind(str(place))
            place.chmod(0o600)  # Before anybody can connect: that takes `listen`.
            listener.listen(16)
            return listener
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        self._token = secrets.token_urlsafe(32)
        door = {"port": listener.getsockname()[1], "token": self._token}
        replace_bytes(self._folder / DOOR, json.dumps(door).encode(), mode=0o600)
        return listener

    def _clear(self) -> None:
        for name in (SOCKET, DOOR):
            (self._folder / name).unlink(missing_ok=True)

    def _answer(self, guest: socket.socket) -> None:
        with guest, contextlib.suppress(OSError):
            guest.settimeout(_PATIENCE)
            with guest.makefile("rb") as file:
                line = file.readline(_LONGEST_REQUEST)
            guest.settimeout(None)
            guest.sendall(json.dumps(self._reply(line), ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def _reply(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line)
            version, errand, given = request["version"], request["errand"], request["given"]
            token = str(request.get("token", ""))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {"refused": "this is no errand"}
        if version != __version__:
            return {"refused": f"this server is ori {__version__}"}
        if self._token and not hmac.compare_digest(token.encode(), self._token.encode()):
            return {"refused": "the token is wrong"}
        return self.desk.run_errand(str(errand), given)
