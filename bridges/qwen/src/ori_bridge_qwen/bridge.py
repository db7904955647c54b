"""Where Qwen Code keeps servers, hooks and instructions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.checking import ClientCommand
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.hook_entries import HookEntries, Moment
from ori_memory.bridging.surface import InstructionBlock, JsonServer

__all__ = ["BRIDGE"]

_NAME = "qwen"


def _own(name: str) -> Callable[[Setting], Path]:
    def where(setting: Setting) -> Path:
        return (setting.project if setting.scope == "project" else setting.home) / ".qwen" / name

    return where


def _instructions(setting: Setting) -> Path:
    return setting.project / "QWEN.md" if setting.scope == "project" else _own("QWEN.md")(setting)


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    # Plain values: Qwen Code does not expand variables.
    return {"command": words[0], "args": list(words[1:]), "timeout": 60_000}


def _left(setting: Setting) -> tuple[str, ...]:
    return ("Approve the server in this folder: qwen mcp approve ori",) if setting.scope == "project" else ()


BRIDGE = ClientBridge(
    name=_NAME,
    title="Qwen Code",
    default_activation="manual",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(_own("settings.json"), ("mcpServers",), _entry),
        HookEntries(
            _own("settings.json"),
            _NAME,
            # Milliseconds.
            (
                Moment("SessionStart", "orient", 10_000),
                Moment("PostToolUse", "validate", 10_000, "write_file|edit"),
                Moment("SessionEnd", "capture", 10_000),
            ),
        ),
        InstructionBlock(_instructions, _NAME),
    ),
    left=_left,
    asks=ClientCommand(("qwen", "mcp", "list"), r"Connected"),
)
