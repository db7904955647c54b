"""Where Windsurf keeps servers and rules."""

from __future__ import annotations

from ori_memory.bridging.client_bridge import ClientBridge, in_home
from ori_memory.bridging.surface import InstructionBlock, JsonServer

__all__ = ["BRIDGE"]

BRIDGE = ClientBridge(
    name="windsurf",
    title="Windsurf",
    default_activation="manual",
    scopes=("global",),
    surfaces=(
        JsonServer(in_home(".codeium", "windsurf", "mcp_config.json"), ("mcpServers",)),
        InstructionBlock(in_home(".codeium", "windsurf", "memories", "global_rules.md"), "windsurf"),
    ),
    left=lambda setting: ("Refresh the list of servers in Windsurf: Settings, Cascade, MCP.",),
)
