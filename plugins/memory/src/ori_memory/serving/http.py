"""Serving many clients over HTTP: one vault, one desk, whoever has the token."""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, frozen

from aries_kernel.errors import UserError

if TYPE_CHECKING:
    from ori_memory.serving.desk import Desk
    from ori_memory.serving.opening import Welcome

__all__ = ["PATH", "TOKEN", "Listening", "serve_http"]

PATH = "/mcp"
TOKEN = "ORI_HTTP_TOKEN"
_SHORTEST = 16

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


@frozen
class Listening:
    """Where to listen, and what clients must send."""

    host: str
    port: int
    """0: any that is free."""
    token: str
    """Empty: none, which goes for this machine alone."""

    @classmethod
    def checked(cls, host: str, port: int, token_file: Path | None, environ: Mapping[str, str]) -> Listening:
        """Raises: UserError for an address that others reach without a token, and for a token that is none."""
        token = _from_file(token_file) if token_file is not None else environ.get(TOKEN, "").strip()
        if token and len(token) < _SHORTEST:
            raise UserError(f"The token is too short: {_SHORTEST} characters are the least.")
        if not token and not _is_loopback(host):
            raise UserError(
                f"Others could read and change this memory at {host}. Give a token, with --token-file FILE or {TOKEN}, "
                "or listen at 127.0.0.1."
            )
        return cls(host, port, token)


def serve_http(listening: Listening, welcome: Welcome, desk: Desk) -> int:
    """Serve until the process is told to end."""
    import uvicorn

    from ori_memory.serving.protocol import make_server

    listener = _listener(listening)
    port = listener.getsockname()[1]
    host = f"[{listening.host}]" if ":" in listening.host else listening.host
    # The library raises the signal again when it has ended; without a handler that would end the process at once, with
    # what is being written and the socket still there.
    signal.signal(signal.SIGTERM, _leave)
    desk.start()
    try:
        server = make_server(desk, welcome)
        application = server.streamable_http_app(
            streamable_http_path=PATH, host=listening.host, json_response=True, stateless_http=False
        )
        guarded = _Guarded(application, listening.token) if listening.token else application
        config = uvicorn.Config(guarded, log_level="warning", access_log=False, timeout_graceful_shutdown=10)
        how = "with a token" if listening.token else "to every program of this machine; a token would narrow that"
        sys.stderr.write(f"ori: {desk.vault.root} is served at http://{host}:{port}{PATH} {how}\n")
        sys.stderr.flush()
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        listener.close()
        desk.close()
    return 0


def _leave(number: int, frame: object) -> None:
    raise SystemExit(0)


def _listener(listening: Listening) -> socket.socket:
    try:
        found = socket.getaddrinfo(listening.host, listening.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)  # Whoever connects from now on is answered, if a moment later.
    except OSError as error:
        raise UserError(
            f"Nobody can listen at {listening.host}, port {listening.port}: {error.strerror}. Choose another --port."
        ) from error
    return listener


@define
class _Guarded:
    """Lets nobody through who does not send the token."""

    application: Application
    token: str

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """One request."""
        if scope["type"] != "http" or self._is_known(scope):
            await self.application(scope, receive, send)
            return
        headers = [(b"www-authenticate", b'Bearer realm="ori"'), (b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"This memory asks for a token: Authorization: Bearer ...\n"})

    def _is_known(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if len(given) != 1:
            return False
        scheme, _, token = given[0].partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), self.token.encode("utf-8"))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _from_file(path: Path) -> str:
    try:
        if not path.exists():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(secrets.token_urlsafe(32) + "\n")
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The token file {path} cannot be used: {error}.") from error
    if not token:
        raise UserError(f"The token file {path} is empty.")
    return token
