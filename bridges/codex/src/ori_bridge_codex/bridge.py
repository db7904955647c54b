"""Where Codex keeps servers, hooks and instructions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.checking import ClientCommand
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.hook_entries import HookEntries, Moment
from ori_memory.bridging.surface import InstructionBlock, TomlServer

__all__ = ["BRIDGE"]

_NAME = "codex"
_PASSED = ["ORI_VAULT", "XDG_CACHE_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"]
"""Codex gives a server few variables; these say where a vault and the caches are."""


def _own(name: str) -> Callable[[Setting], Path]:
    def where(setting: Setting) -> Path:
        if setting.scope == "project":
            return setting.project / ".codex" / name
        moved = setting.environ.get("CODEX_HOME")
        return (Path(moved) if moved else setting.home / ".codex") / name

    return where


def _instructions(setting: Setting) -> Path:
    return setting.project / "AGENTS.md" if setting.scope == "project" else _own("AGENTS.md")(setting)


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"command": words[0], "args": list(words[1:]), "env_vars": _PASSED, "startup_timeout_sec": 20}


def _left(setting: Setting) -> tuple[str, ...]:
    steps = []
    if setting.scope == "project":
        steps.append("Start `codex` in this folder and trust it; until then it does not read .codex/.")
    if setting.activation == "auto":
        steps.append("Trust the hooks of ori in Codex with /hooks; it passes over those that are not trusted.")
    return tuple(steps)


BRIDGE = ClientBridge(
    name=_NAME,
    title="Codex",
    default_activation="manual",
    scopes=("project", "global"),
    surfaces=(
        TomlServer(_own("config.toml"), ("mcp_servers",), _entry),
        HookEntries(
            _own("hooks.json"),
            _NAME,
            (
                Moment("SessionStart", "orient", 10),
                Moment("PostToolUse", "validate", 10, "apply_patch|Write|Edit"),
                Moment("SessionEnd", "capture", 3),
            ),
        ),
        InstructionBlock(_instructions, _NAME),
    ),
    left=_left,
    asks=ClientCommand(("codex", "mcp", "list"), r"^ori\b", is_health=False),
)
