"""Where GitHub Copilot CLI keeps servers, hooks and instructions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.checking import ClientCommand
from ori_memory.bridging.client_bridge import ClientBridge, in_home, in_project
from ori_memory.bridging.command_words import shell_text
from ori_memory.bridging.hook_entries import HookEntries, Moment
from ori_memory.bridging.surface import InstructionBlock, JsonServer

__all__ = ["BRIDGE"]

_NAME = "copilot"
_MOMENTS = (
    Moment("sessionStart", "orient", 10),
    Moment("postToolUse", "validate", 10),
    Moment("sessionEnd", "capture", 10),
)


def _servers(setting: Setting) -> Path | None:
    if setting.scope == "project":
        return setting.project / ".github" / "mcp.json"
    return in_home(".copilot", "mcp-config.json", moved_by="COPILOT_HOME")(setting)


def _server(words: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "local", "command": words[0], "args": list(words[1:]), "tools": ["*"]}


def _hook(moment: Moment, words: tuple[str, ...], platform: str) -> dict[str, Any]:
    return {
        "type": "command",
        "bash": shell_text(words, "linux"),
        "powershell": f"& {shell_text(words, 'win32')}",
        "timeoutSec": moment.timeout,
    }


def _left(setting: Setting) -> tuple[str, ...]:
    if setting.scope == "global":
        return ()
    return (
        "Start `copilot` in this folder and trust it; until then it does not read .github/mcp.json.",
        ".github/mcp.json names a program of this machine: keep it out of version control, or use --scope global.",
    )


BRIDGE = ClientBridge(
    name=_NAME,
    title="GitHub Copilot CLI",
    default_activation="manual",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(_servers, ("mcpServers",), _server),
        HookEntries(in_project(".github", "hooks", "ori.json"), _NAME, _MOMENTS, _hook, {"version": 1}),
        HookEntries(in_home(".copilot", "settings.json", moved_by="COPILOT_HOME"), _NAME, _MOMENTS, _hook),
        InstructionBlock(in_project("AGENTS.md"), _NAME),
    ),
    left=_left,
    asks=ClientCommand(("copilot", "mcp", "list"), r"\bori\b", is_health=False),
)
