"""Where goose keeps extensions and hints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.surface import InstructionBlock, YamlServer

__all__ = ["BRIDGE"]


def _own(name: str) -> Callable[[Setting], Path]:
    def where(setting: Setting) -> Path:
        if setting.platform == "win32":
            folder = Path(setting.environ.get("APPDATA") or setting.home / "AppData" / "Roaming")
            return folder / "Block" / "goose" / "config" / name
        return Path(setting.environ.get("XDG_CONFIG_HOME") or setting.home / ".config") / "goose" / name

    return where


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    # Without a name goose drops the entry and says nothing.
    return {
        "name": "ori",
        "type": "stdio",
        "cmd": words[0],
        "args": list(words[1:]),
        "envs": {},
        "enabled": True,
        "timeout": 60,
    }


BRIDGE = ClientBridge(
    name="goose",
    title="goose",
    default_activation="manual",
    scopes=("global",),
    surfaces=(YamlServer(_own("config.yaml"), ("extensions",), _entry), InstructionBlock(_own(".goosehints"), "goose")),
)
