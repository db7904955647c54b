"""Where Hermes Agent keeps servers and plugins, and which memory provider it uses."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from attrs import frozen

from aries_kernel.contracts.bridge import Setting
from aries_kernel.errors import UserError
from ori_memory.bridging.checking import ClientCommand
from ori_memory.bridging.client_bridge import ClientBridge
from ori_memory.bridging.files import Files
from ori_memory.bridging.surface import Found, OwnFile, YamlServer
from ori_memory.bridging.yaml_editing import data_at, drop_yaml, put_yaml

__all__ = ["BRIDGE"]

_NAME = "hermes"
_MARK = "ori-bridge:hermes"
_PROVIDER = ("memory", "provider")
_MANIFEST = f"""# {_MARK}
name: ori
version: "0.1.0"
description: "Memory of ori: markdown notes with links in a folder that belongs to the person"
hooks:
  - on_session_end
"""


def _own(*parts: str) -> Callable[[Setting], Path]:
    def where(setting: Setting) -> Path:
        moved = setting.environ.get("HERMES_HOME")
        return (Path(moved) if moved else setting.home / ".hermes").joinpath(*parts)

    return where


@frozen
class ProviderChoice:
    """Hermes uses one memory provider beside its own; another one that is chosen is not pushed aside."""

    def path(self, setting: Setting) -> Path:
        return _own("config.yaml")(setting)

    def put(self, setting: Setting, files: Files) -> None:
        if setting.activation != "auto":
            self.take(setting, files)
            return
        path, chosen = self.path(setting), self._chosen(setting, files)
        if chosen not in ("", "ori"):
            raise UserError(
                f"{path}: memory.provider is {chosen}, and Hermes has one at a time. Set it to ori, or install with "
                "--activation manual, which leaves it. Nothing was changed."
            )
        files.change(path, lambda text: put_yaml(text, _PROVIDER, "ori"), "memory.provider")

    def take(self, setting: Setting, files: Files) -> None:
        path = self.path(setting)
        if self._chosen(setting, files) == "ori":
            files.change(path, lambda text: drop_yaml(text, _PROVIDER), "memory.provider", remove_if="")

    def found(self, setting: Setting, files: Files) -> Found | None:
        return Found(self.path(setting), activation="auto") if self._chosen(setting, files) == "ori" else None

    def _chosen(self, setting: Setting, files: Files) -> str:
        seen: list[Any] = []

        def look(text: str) -> str:
            seen.append(data_at(text, _PROVIDER))
            return text

        files.change(self.path(setting), look, "")
        return str(seen[0] or "")


def _entry(words: tuple[str, ...]) -> dict[str, Any]:
    return {"command": words[0], "args": list(words[1:]), "timeout": 60, "connect_timeout": 30}


def _provider(setting: Setting) -> str:
    text = (resources(__package__) / "provider.py.txt").read_text(encoding="utf-8")
    vault = ["--vault", str(setting.vault)] if setting.vault else []
    return text.replace('"@COMMAND@"', json.dumps(list(setting.command))).replace('"@VAULT@"', json.dumps(vault))


def _left(setting: Setting) -> tuple[str, ...]:
    return ("Hermes speaks to servers only with its extra: pip install 'hermes-agent[mcp]', in its own environment.",)


BRIDGE = ClientBridge(
    name=_NAME,
    title="Hermes Agent",
    default_activation="auto",
    scopes=("global",),
    surfaces=(
        YamlServer(_own("config.yaml"), ("mcp_servers",), _entry),
        OwnFile(_own("plugins", "ori", "__init__.py"), _provider, _MARK, ("auto",), "auto"),
        OwnFile(_own("plugins", "ori", "plugin.yaml"), lambda setting: _MANIFEST, _MARK, ("auto",)),
        ProviderChoice(),
    ),
    left=_left,
    asks=ClientCommand(("hermes", "mcp", "test", "ori"), r"Connected|Tools discovered", is_ours_alone=True),
)
