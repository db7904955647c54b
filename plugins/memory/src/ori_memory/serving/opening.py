"""The first moments of a connection, answered by heart while the protocol's library is not there yet.

Importing that library takes about a second, and clients ask without waiting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

__all__ = ["HANDSHAKE_VERSIONS", "MODERN_VERSION", "Opening", "Welcome", "is_modern", "retold"]

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Versions that begin with `initialize`; a client that asks for another one is offered the last."""
MODERN_VERSION = "2026-07-28"
"""The version that has no beginning: every request says what it is."""
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_SERVER_KEY = "io.modelcontextprotocol/serverInfo"
_CAPABILITIES = {"resources": {"listChanged": False, "subscribe": False}, "tools": {"listChanged": False}}


@frozen
class Welcome:
    """What a server says of itself."""

    name: str
    version: str
    instructions: str
    tools: Callable[[], list[dict[str, Any]]]
    resources: Callable[[], list[dict[str, Any]]]

    @property
    def server_info(self) -> dict[str, str]:
        return {"name": self.name, "version": self.version}


@define
class Opening:
    """Answers what needs no library: the same, to the letter of the protocol, as the library's answers."""

    welcome: Welcome
    is_initialized: bool = field(default=False, init=False)

    def answer(self, message: Any) -> dict[str, Any] | None:
        """The answer to a request, None where the library must answer, or where there is nothing to answer."""
        if not isinstance(message, dict) or "id" not in message or not isinstance(message["id"], str | int):
            return None
        method, params = message.get("method"), message.get("params")
        if method == "initialize" and not self.is_initialized:
            return self._initialized(message["id"], params)
        if is_modern(params):
            return self._modern(message["id"], method)
        if not self.is_initialized or not (params is None or isinstance(params, dict)):
            return None
        result = {"ping": dict, "tools/list": self._tools, "resources/list": self._resources}.get(str(method))
        return _result(message["id"], result()) if result is not None and not _asks_for_page(params) else None

    def _initialized(self, id: str | int, params: Any) -> dict[str, Any] | None:
        if not isinstance(params, dict) or not _is_whole(params):
            return None  # The library says what is wrong with it.
        wanted = params["protocolVersion"]
        self.is_initialized = True
        return _result(
            id,
            {
                "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
                "capabilities": _CAPABILITIES,
                "serverInfo": self.welcome.server_info,
                "instructions": self.welcome.instructions,
            },
        )

    def _modern(self, id: str | int, method: object) -> dict[str, Any] | None:
        if method != "server/discover":
            return None
        return _result(
            id,
            {
                "supportedVersions": [MODERN_VERSION],
                "capabilities": _CAPABILITIES,
                "instructions": self.welcome.instructions,
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
                "_meta": {_SERVER_KEY: self.welcome.server_info},
            },
        )

    def _tools(self) -> dict[str, Any]:
        return {"tools": self.welcome.tools()}

    def _resources(self) -> dict[str, Any]:
        return {"resources": self.welcome.resources()}


def retold(message: dict[str, Any]) -> dict[str, Any]:
    """A handshake that was answered here, as the library is told it: what this server uses of it, and no more."""
    params = message["params"]
    told = {"protocolVersion": params["protocolVersion"], "capabilities": {}, "clientInfo": _client(params)}
    return {"jsonrpc": "2.0", "id": message["id"], "method": "initialize", "params": told}


def _is_whole(params: dict[str, Any]) -> bool:
    client = _client(params)
    is_named = isinstance(client.get("name"), str) and isinstance(client.get("version"), str)
    return is_named and isinstance(params.get("protocolVersion"), str) and isinstance(params.get("capabilities"), dict)


def _client(params: dict[str, Any]) -> dict[str, Any]:
    info = params.get("clientInfo")
    return {name: info[name] for name in ("name", "version") if name in info} if isinstance(info, dict) else {}


def is_modern(params: Any) -> bool:
    """Whether a request says by itself that it speaks the version without a beginning."""
    meta = params.get("_meta") if isinstance(params, dict) else None
    needed = (_VERSION_KEY, "io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/clientCapabilities")
    return isinstance(meta, dict) and all(name in meta for name in needed) and meta[_VERSION_KEY] == MODERN_VERSION


def _asks_for_page(params: Any) -> bool:
    return isinstance(params, dict) and params.get("cursor") is not None


def _result(id: str | int, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}
