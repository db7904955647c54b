"""For every client that has no bridge of its own: what to write where, to copy."""

from __future__ import annotations

import json

from attrs import frozen

from aries_kernel.contracts.bridge import Activation, BridgeState, ClientCheck, Plan, Scope, Setting
from ori_memory.bridging.checking import checks_of
from ori_memory.bridging.command_words import SERVER_NAME, hook_words, server_words, shell_text
from ori_memory.bridging.instruction_text import INSTRUCTIONS

__all__ = ["BRIDGE"]


@frozen
class GenericBridge:
    """Writes nothing."""

    name: str = "generic"
    title: str = "any client of the Model Context Protocol"
    default_activation: Activation = "manual"
    scopes: tuple[Scope, ...] = ("project", "global")

    def plan_install(self, setting: Setting) -> Plan:
        return Plan(shown=_text(setting))

    def plan_uninstall(self, setting: Setting) -> Plan:
        return Plan(
            shown="Remove the server `ori` from the list of servers of your client, the commands `ori hook ...` from "
            "its hooks, and the section Memory from its instructions."
        )

    def status(self, setting: Setting) -> BridgeState:
        return BridgeState(is_installed=False)

    def verify(self, setting: Setting) -> tuple[ClientCheck, ...]:
        words = server_words(setting)
        checks = checks_of(BridgeState(True, command=words), setting, self.title, None)
        return checks[1:]


def _text(setting: Setting) -> str:
    words = server_words(setting)
    entry = {"mcpServers": {SERVER_NAME: {"command": words[0], "args": list(words[1:])}}}
    parts = [
        "Put this into the file in which your client lists its servers (the name above the server differs: "
        "mcpServers, servers, mcp, context_servers):",
        json.dumps(entry, ensure_ascii=False, indent=2),
        "Where the client takes one line, that is:",
        shell_text(words, setting.platform),
    ]
    if setting.activation == "auto":
        hooks = [shell_text(hook_words(setting, one, "generic"), setting.platform) for one in _MOMENTS]
        parts += [
            "Where it runs commands when a session starts, a file was written, and a session ends, in this order:",
            "\n".join(hooks),
        ]
    return "\n\n".join([*parts, "And for its instructions:", INSTRUCTIONS])


_MOMENTS = ("orient", "validate", "capture")

BRIDGE = GenericBridge()
