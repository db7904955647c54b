"""Where Cline keeps servers."""

from __future__ import annotations

from typing import Any

from ori_memory.bridging.client_bridge import ClientBridge, in_home
from ori_memory.bridging.surface import JsonServer

__all__ = ["BRIDGE"]


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"transport": {"type": "stdio", "command": words[0], "args": list(words[1:])}}


BRIDGE = ClientBridge(
    name="cline",
    title="Cline",
    default_activation="manual",
    scopes=("global",),
    surfaces=(JsonServer(in_home(".cline", "data", "settings", "cline_mcp_settings.json"), ("mcpServers",), _entry),),
)
