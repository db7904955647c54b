"""`OLLAMA_HOST`, which is written for the server and in many ways."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

__all__ = ["with_full_address"]

VARIABLE = "OLLAMA_HOST"
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}
"""Where a server listens on all networks, it is asked on this machine."""


def with_full_address(environ: Mapping[str, str]) -> Mapping[str, str]:
    """`environ` with the variable as a whole URL: `:8000`, `gpu`, `0.0.0.0:11434` are all usual."""
    text = environ.get(VARIABLE, "").strip()
    if not text:
        return environ
    url = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return environ  # Whoever reads it next says what is wrong with it.
    host = parts.netloc if port is None else parts.netloc.rpartition(":")[0]
    default = {"http": 11434, "https": 443}.get(parts.scheme)
    if port is None and "://" in text:
        default = {"http": 80, "https": 443}.get(parts.scheme)
    host = _EVERYWHERE.get(host.rstrip(":"), host.rstrip(":")) or "127.0.0.1"
    return {**environ, VARIABLE: f"{parts.scheme}://{host}:{port or default}{parts.path}"}
