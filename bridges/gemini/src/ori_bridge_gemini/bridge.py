"""Where Gemini CLI keeps servers, hooks and instructions."""

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

_NAME = "gemini"


def _own(name: str) -> Callable[[Setting], Path]:
    """Its folder moves with GEMINI_CLI_HOME."""

    def where(setting: Setting) -> Path:
        home = Path(setting.environ.get("GEMINI_CLI_HOME") or setting.home)
        return (setting.project if setting.scope == "project" else home) / ".gemini" / name

    return where


def _instructions(setting: Setting) -> Path:
    return setting.project / "GEMINI.md" if setting.scope == "project" else _own("GEMINI.md")(setting)


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"command": words[0], "args": list(words[1:]), "timeout": 60_000}


def _left(setting: Setting) -> tuple[str, ...]:
    return ("Start `gemini` in the folder you work in and trust it: in others it starts no server and runs no hook.",)


BRIDGE = ClientBridge(
    name=_NAME,
    title="Gemini CLI",
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
                Moment("AfterTool", "validate", 10_000, "write_file|replace"),
                Moment("SessionEnd", "capture", 10_000),
            ),
        ),
        InstructionBlock(_instructions, _NAME),
    ),
    left=_left,
    asks=ClientCommand(("gemini", "mcp", "list"), r"Connected"),
)
