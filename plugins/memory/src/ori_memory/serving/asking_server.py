"""Asking the server of a vault, where one runs: quicker than to load everything, and the same answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aries_kernel.values import frozen
from ori_memory import __version__

if TYPE_CHECKING:
    import socket

    from ori_memory.vault.vault import Vault

__all__ = ["DOOR", "SOCKET", "Errand", "ask_server"]

SOCKET = "server.sock"
DOOR = "server.json"
"""Where a socket in the vault is not possible: the port and a token, readable by the owner alone."""
_MOST = 64 << 20
_CONNECT_SECONDS = 0.25


@frozen
class Errand:
    """What a server answered."""

    data: Any
    warnings: tuple[str, ...]


def ask_server(vault: Vault, errand: str, given: dict[str, Any], *, seconds: float = 5.0) -> Errand | None:
    """The answer, or None where no server answers in time, is of another version, or says that it cannot.

    Whoever asks then does it by itself, and gives the same answer, or the error that belongs to it.
    """
    folder = vault.state_folder
    if not ((folder / SOCKET).exists() or (folder / DOOR).exists()):
        return None  # As most often; nothing of networks is loaded then.
    request = {"version": __version__, "errand": errand, "given": given}
    try:
        with _connected(folder, request) as connection:
            connection.settimeout(seconds)
            connection.sendall(json.dumps(request).encode("utf-8") + b"\n")
            answer = json.loads(_line(connection))
    except (OSError, ValueError):
        return None
    if not isinstance(answer, dict) or "data" not in answer:
        return None
    return Errand(answer["data"], tuple(answer.get("warnings", ())))


def _connected(folder: Path, request: dict[str, Any]) -> socket.socket:
    """Raises: OSError, ValueError where nobody is there."""
    import socket

    place = folder / SOCKET
    if hasattr(socket, "AF_UNIX") and place.exists():
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        address: Any = str(place)
    else:
        door = json.loads((folder / DOOR).read_text(encoding="utf-8"))
        request["token"] = door["token"] if isinstance(door, dict) and "token" in door else ""
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        address = ("127.0.0.1", int(door["port"]) if isinstance(door, dict) else 0)
    try:
        connection.settimeout(_CONNECT_SECONDS)
        connection.connect(address)
    except BaseException:
        connection.close()
        raise
    return connection


def _line(connection: socket.socket) -> bytes:
    parts: list[bytes] = []
    size = 0
    while not (parts and parts[-1].endswith(b"\n")) and size <= _MOST:
        part = connection.recv(1 << 16)
        if not part:
            break
        parts.append(part)
        size += len(part)
    return b"".join(parts)
