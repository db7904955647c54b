"""Where Cursor keeps servers, hooks and rules."""

from __future__ import annotations

from pathlib import Path

from aries_kernel.contracts.bridge import Setting
from ori_memory.bridging.client_bridge import ClientBridge, in_project
from ori_memory.bridging.hook_entries import HookEntries, Moment, flat_entry
from ori_memory.bridging.instruction_text import INSTRUCTIONS
from ori_memory.bridging.surface import JsonServer, OwnFile

__all__ = ["BRIDGE"]

_NAME = "cursor"
_MARK = "ori-bridge:cursor"
_RULE = f"""---
description: Long-term memory through the MCP server ori
alwaysApply: true
---
<!-- {_MARK} written by `ori bridge cursor`; changes are lost with the next run of it -->

{INSTRUCTIONS}
"""


def _folder(setting: Setting) -> Path:
    return (setting.project if setting.scope == "project" else setting.home) / ".cursor"


def _left(setting: Setting) -> tuple[str, ...]:
    steps = ["Switch the server `ori` on in Cursor: Settings, MCP."]
    if setting.scope == "global":
        steps.append("Rules for all projects cannot be written into a file: Settings, Rules, if you want any.")
    return tuple(steps)


BRIDGE = ClientBridge(
    name=_NAME,
    title="Cursor",
    default_activation="manual",
    scopes=("project", "global"),
    surfaces=(
        JsonServer(lambda setting: _folder(setting) / "mcp.json", ("mcpServers",)),
        # Some releases refuse sessionStart, so hooks come only where they are asked for.
        HookEntries(
            lambda setting: _folder(setting) / "hooks.json",
            _NAME,
            (
                Moment("sessionStart", "orient", 10),
                Moment("afterFileEdit", "validate", 10),
                Moment("sessionEnd", "capture", 10),
            ),
            flat_entry,
            {"version": 1},
        ),
        OwnFile(in_project(".cursor", "rules", "ori.mdc"), lambda setting: _RULE, _MARK),
    ),
    left=_left,
)
