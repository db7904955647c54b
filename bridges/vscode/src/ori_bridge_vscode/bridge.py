"""Where VS Code keeps servers and what its agent reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.client_bridge import ClientBridge, in_project
from ori_memory.bridging.surface import InstructionBlock, JsonServer

__all__ = ["BRIDGE"]


def _servers(setting: Setting) -> Path:
    if setting.scope == "project":
        return setting.project / ".vscode" / "mcp.json"
    return _settings_folder(setting) / "Code" / "User" / "mcp.json"


def _settings_folder(setting: Setting) -> Path:
    if setting.platform == "darwin":
        return setting.home / "Library" / "Application Support"
    if setting.platform == "win32":
        return Path(setting.environ.get("APPDATA") or setting.home / "AppData" / "Roaming")
    return Path(setting.environ.get("XDG_CONFIG_HOME") or setting.home / ".config")


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "stdio", "command": words[0], "args": list(words[1:])}


BRIDGE = ClientBridge(
    name="vscode",
    title="VS Code",
    default_activation="manual",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(_servers, ("servers",), _entry),
        InstructionBlock(in_project(".github", "copilot-instructions.md"), "vscode"),
    ),
    left=lambda setting: ("Start the server `ori` in VS Code and trust it: the command MCP: List Servers.",),
)
