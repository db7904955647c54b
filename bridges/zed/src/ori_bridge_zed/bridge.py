"""Where Zed keeps servers and rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.surface import InstructionBlock, JsonServer

__all__ = ["BRIDGE"]


def _settings(setting: Setting) -> Path:
    if setting.scope == "project":
        return setting.project / ".zed" / "settings.json"
    if setting.platform == "win32":
        return Path(setting.environ.get("APPDATA") or setting.home / "AppData" / "Roaming") / "Zed" / "settings.json"
    # On macOS too.
    moved = setting.environ.get("XDG_CONFIG_HOME") if setting.platform != "darwin" else None
    return (Path(moved) if moved else setting.home / ".config") / "zed" / "settings.json"


def _instructions(setting: Setting) -> Path | None:
    """Zed reads the first that it finds."""
    if setting.scope == "global":
        return None
    rules = setting.project / ".rules"
    return rules if rules.is_file() else setting.project / "AGENTS.md"


def _other_instructions(setting: Setting) -> tuple[Path, ...]:
    return () if setting.scope == "global" else (setting.project / ".rules", setting.project / "AGENTS.md")


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"command": words[0], "args": list(words[1:]), "env": {}}


BRIDGE = ClientBridge(
    name="zed",
    title="Zed",
    default_activation="manual",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(_settings, ("context_servers",), _entry),
        InstructionBlock(_instructions, "zed", _other_instructions),
    ),
)
