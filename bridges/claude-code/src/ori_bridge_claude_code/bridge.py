"""Where Claude Code keeps servers, hooks and instructions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.checking import ClientCommand
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.hook_entries import HookEntries, Moment, direct_entry
from ori_memory.bridging.surface import InstructionBlock, JsonServer

__all__ = ["BRIDGE"]

_NAME = "claude-code"


def _own_folder(setting: Setting) -> Path:
    moved = setting.environ.get("CLAUDE_CONFIG_DIR")
    return Path(moved) if moved else setting.home / ".claude"


def _servers(setting: Setting) -> Path:
    if setting.scope == "project":
        return setting.project / ".mcp.json"
    moved = setting.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(moved) if moved else setting.home) / ".claude.json"


def _settings(setting: Setting) -> Path:
    # Commands of this machine do not belong into the file that a team shares.
    if setting.scope == "project":
        return setting.project / ".claude" / "settings.local.json"
    return _own_folder(setting) / "settings.json"


def _instructions(setting: Setting) -> Path:
    """CLAUDE.md; AGENTS.md where a project has that alone, since a CLAUDE.md beside it would hide it."""
    if setting.scope == "global":
        return _own_folder(setting) / "CLAUDE.md"
    own, shared = setting.project / "CLAUDE.md", setting.project / "AGENTS.md"
    return shared if shared.is_file() and not own.is_file() else own


def _other_instructions(setting: Setting) -> tuple[Path, ...]:
    return () if setting.scope == "global" else (setting.project / "CLAUDE.md", setting.project / "AGENTS.md")


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "stdio", "command": words[0], "args": list(words[1:])}


def _left(setting: Setting) -> tuple[str, ...]:
    if setting.scope == "global":
        return ()
    return (
        "Start `claude` in this folder, trust it and approve the server `ori` when it asks; until then the server is "
        "pending and the hooks do not run.",
        ".mcp.json names a program of this machine: keep it out of version control, or use --scope global.",
    )


BRIDGE = ClientBridge(
    name=_NAME,
    title="Claude Code",
    default_activation="auto",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(_servers, ("mcpServers",), _entry),
        HookEntries(
            _settings,
            _NAME,
            (
                Moment("SessionStart", "orient", 10),
                Moment("PostToolUse", "validate", 10, "Write|Edit|MultiEdit", ("auto", "manual")),
                Moment("SessionEnd", "capture", 10),
            ),
            direct_entry,
        ),
        InstructionBlock(_instructions, _NAME, _other_instructions),
    ),
    left=_left,
    asks=ClientCommand(("claude", "mcp", "list"), r"Connected"),
)
