"""A bridge made of places: what differs between clients is data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from attrs import evolve, frozen

from aries_kernel.contracts.bridge import Activation, BridgeState, ClientCheck, Plan, Scope, Setting
from aries_kernel.errors import UserError
from ori_memory.bridging.checking import ClientCommand, checks_of
from ori_memory.bridging.files import Files
from ori_memory.bridging.surface import Found, Surface

__all__ = ["ClientBridge", "in_home", "in_project"]


def in_project(*parts: str) -> Callable[[Setting], Path | None]:
    """A file of the project; none at the global scope."""
    return lambda setting: setting.project.joinpath(*parts) if setting.scope == "project" else None


def in_home(*parts: str, moved_by: str = "") -> Callable[[Setting], Path | None]:
    """A file of the person; none at the scope of a project. `moved_by`: a variable that names the first folder."""

    def where(setting: Setting) -> Path | None:
        if setting.scope != "global":
            return None
        moved = setting.environ.get(moved_by) if moved_by else None
        return Path(moved, *parts[1:]) if moved else setting.home.joinpath(*parts)

    return where


@frozen
class ClientBridge:
    """Puts ours into each place of a client, and takes it out again."""

    name: str
    title: str
    default_activation: Activation
    scopes: tuple[Scope, ...]
    surfaces: tuple[Surface, ...]
    left: Callable[[Setting], tuple[str, ...]] = lambda setting: ()
    """Steps for the person after an installation."""
    asks: ClientCommand | None = None
    """The client's own command that tells whether it sees the server."""

    def plan_install(self, setting: Setting) -> Plan:
        files = Files()
        for surface in self.surfaces:
            surface.put(setting, files)
        return Plan(files.edits(), self.left(setting))

    def plan_uninstall(self, setting: Setting) -> Plan:
        files = Files()
        for surface in self.surfaces:
            surface.take(setting, files)
        return Plan(files.edits())

    def status(self, setting: Setting) -> BridgeState:
        found: list[Found] = []
        problems: list[str] = []
        for surface in self.surfaces:
            try:
                one = surface.found(setting, Files())
            except UserError as error:
                problems.append(str(error))
            else:
                found += [one] if one is not None else []
        return evolve(_state(found, problems), is_client_here=self._is_here(setting))

    def verify(self, setting: Setting) -> tuple[ClientCheck, ...]:
        return checks_of(self.status(setting), setting, self.title, self.asks)

    def _is_here(self, setting: Setting) -> bool:
        """A folder of the client's in the person's home is taken for the client."""
        program = self.asks.words[0] if self.asks is not None else ""
        if program and shutil.which(program, path=setting.environ.get("PATH", "")):
            return True
        places = [surface.path(evolve(setting, scope="global")) for surface in self.surfaces]
        shared = _shared_folders(setting)
        return any(
            place.exists() or (place.parent not in shared and place.parent.is_dir()) for place in places if place
        )


def _shared_folders(setting: Setting) -> set[Path]:
    """Folders that many programs keep their files in: to be there says nothing of any of them."""
    named = (setting.environ.get(name) for name in ("XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"))
    usual = (setting.home, setting.home / ".config", setting.home / "Library" / "Application Support")
    return {*usual, *(Path(one) for one in named if one)}


def _state(found: list[Found], problems: list[str]) -> BridgeState:
    server = next((one for one in found if one.is_server), None)
    if found and server is None and not problems:
        problems = ["There is no entry for the server; install it again, or take out the rest with --uninstall."]
    activation = next((one.activation for one in found if one.activation), "manual" if found else None)
    return BridgeState(
        is_installed=server is not None,
        activation=activation,
        vault=next((one.vault for one in found if one.vault), None),
        command=server.command if server else (),
        paths=tuple(dict.fromkeys(one.path for one in found)),
        problems=tuple(dict.fromkeys(problems)),
    )
