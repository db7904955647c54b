"""Where opencode keeps servers, plugins and instructions."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.checking import ClientCommand
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.surface import InstructionBlock, JsonServer, OwnFile

__all__ = ["BRIDGE"]

_NAME = "opencode"
_MARK = "ori-bridge:opencode"


def _folder(setting: Setting) -> Path:
    if setting.scope == "project":
        return setting.project
    moved = setting.environ.get("XDG_CONFIG_HOME")
    return (Path(moved) if moved else setting.home / ".config") / "opencode"


def _settings(setting: Setting) -> Path:
    """The file that is there: opencode makes a .jsonc itself, people write either."""
    named = setting.environ.get("OPENCODE_CONFIG")
    if named and setting.scope == "global":
        return Path(named).absolute()
    found = _both(setting)
    return next((path for path in found if path.is_file()), found[1])


def _both(setting: Setting) -> tuple[Path, ...]:
    return tuple(_folder(setting) / f"opencode.{ending}" for ending in ("jsonc", "json"))


def _below(*parts: str) -> Callable[[Setting], Path]:
    def where(setting: Setting) -> Path:
        folder = _folder(setting)
        return (folder / ".opencode" if setting.scope == "project" else folder).joinpath(*parts)

    return where


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "local", "command": list(words), "enabled": True, "timeout": 30_000}


def _plugin(setting: Setting) -> str:
    text = (files(__package__) / "plugin.js").read_text(encoding="utf-8")
    vault = ["--vault", str(setting.vault)] if setting.vault else []
    return text.replace('"@COMMAND@"', json.dumps(list(setting.command))).replace('"@VAULT@"', json.dumps(vault))


BRIDGE = ClientBridge(
    name=_NAME,
    title="opencode",
    default_activation="auto",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(_settings, ("mcp",), _entry, _both),
        OwnFile(_below("plugin", "ori.js"), _plugin, _MARK, ("auto",), "auto"),
        InstructionBlock(lambda setting: _folder(setting) / "AGENTS.md", _NAME),
    ),
    asks=ClientCommand(("opencode", "mcp", "list"), r"connected"),
)
