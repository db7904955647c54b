"""From flags to a host: surroundings, settings, plugins."""

from __future__ import annotations

import datetime
import functools
import importlib.resources
import json
import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from aries_kernel.broker.consent import Nobody, Person
from aries_kernel.discovery.registry import Plugins
from aries_kernel.errors import UserError
from aries_kernel.host import Host, Surroundings
from aries_kernel.model.events import TurnEvent
from aries_kernel.settings.loading import Loaded, load_settings

__all__ = ["Flags", "load", "make_host", "make_plugins", "real_surroundings"]


@functools.cache
def defaults() -> Mapping[str, Any]:
    """What aries adds to the kernel's own defaults."""
    return {
        "models": {"primary": {"model": "openai/gpt-5-mini"}, "shortnames": _data("shortnames.json")},
        "tools": _data("tool_modes.json"),
        "phase": "lean",
        "phases": {"lean": {"tools": ["Read", "Write", "Edit", "Glob", "Grep", "Bash", "VaultAdd", "ProjectSave"]}},
    }


def _data(name: str) -> Any:
    return json.loads(importlib.resources.files("aries_cli").joinpath(name).read_text(encoding="utf-8"))


@frozen
class Flags:
    """The flags of the command line that change settings."""

    cwd: str | None = None
    model: str | None = None
    effort: str | None = None
    phase: str | None = None
    permissions: str | None = None
    allow: Sequence[str] = ()
    deny: Sequence[str] = ()
    max_turns: int | None = None
    max_cost: float | None = None
    max_seconds: float | None = None
    disable: Sequence[str] = ()

    def folder(self) -> Path:
        """The folder to work in.

        Raises: UserError where it does not exist.
        """
        try:
            path = Path(self.cwd or ".").expanduser()
            if path.is_dir():
                return path.resolve()
        except FileNotFoundError as error:
            raise UserError("The current folder was removed. Go to another one, or name one with --cwd.") from error
        except (OSError, ValueError, RuntimeError) as error:
            raise UserError(f"--cwd {self.cwd}: {error}.") from error
        raise UserError(f"--cwd {path}: there is no such folder.")

    def open_host(self) -> Host:
        """A host for commands; what asks is asked at the terminal, and refused where there is none.

        Raises: UserError and its kinds.
        """
        from aries_cli.terminal import TerminalPerson, is_terminal

        return make_host(self, real_surroundings(), person=TerminalPerson() if is_terminal() else Nobody())

    def layer(self) -> dict[str, Any]:
        """As settings; only what was given."""
        data: dict[str, Any] = {}
        budget = {"max_turns": self.max_turns, "max_cost": self.max_cost, "max_seconds": self.max_seconds}
        primary = {"model": self.model, "effort": self.effort}
        if any(primary.values()):
            data["models"] = {"primary": {key: value for key, value in primary.items() if value}}
        if self.phase is not None:
            data["phase"] = self.phase
        permissions = {"mode": self.permissions, "allow": list(self.allow), "deny": list(self.deny)}
        if any(permissions.values()):
            data["permissions"] = {key: value for key, value in permissions.items() if value}
        if any(value is not None for value in budget.values()):
            data["budget"] = {key: value for key, value in budget.items() if value is not None}
        return data

    def surroundings(self) -> Surroundings:
        """This machine, this process.

        Raises: UserError.
        """
        return real_surroundings()

    def settings(self) -> Loaded:
        """The settings that hold in the folder to work in.

        Raises: ConfigError, UserError.
        """
        return load(self, self.folder(), real_surroundings())


def real_surroundings() -> Surroundings:
    """This machine, this process.

    Raises: UserError where nothing says which folder is the person's home.
    """
    import platformdirs

    try:
        home = Path.home()
    except RuntimeError as error:
        raise UserError("The home folder is not known. Set the variable HOME to a folder you may write.") from error
    return Surroundings(
        environ=dict(os.environ),
        home=home,
        state_folder=platformdirs.user_state_path("aries", appauthor=False),
        cache_folder=platformdirs.user_cache_path("aries", appauthor=False),
        now=lambda: datetime.datetime.now().astimezone(),
        clock=time.monotonic,
        chance=random.Random(),
    )


def load(flags: Flags, cwd: Path, surroundings: Surroundings) -> Loaded:
    """The settings of a session in `cwd`.

    Raises: ConfigError.
    """
    user_file = surroundings.home / ".aries" / "config.yaml"
    return load_settings(user_file, _project_file(cwd, user_file), surroundings.environ, flags.layer(), defaults())


def make_plugins(flags: Flags, loaded: Loaded | None, surroundings: Surroundings) -> Plugins:
    """The installed plugins, with what is switched off; `loaded` None: the settings cannot be read."""
    return Plugins.discover(
        cache_folder=surroundings.cache_folder,
        disabled=loaded.settings.plugins.disabled if loaded is not None else (),
        switched_off=flags.disable,
        environ=surroundings.environ,
    )


def make_host(
    flags: Flags,
    surroundings: Surroundings,
    *,
    cwd: Path | None = None,
    person: Person | None = None,
    show: Callable[[TurnEvent], None] = lambda event: None,
) -> Host:
    """A host for sessions in `cwd` (None: the one of the flags).

    Raises: UserError and its kinds.
    """
    folder = cwd or flags.folder()
    loaded = load(flags, folder, surroundings)
    plugins = make_plugins(flags, loaded, surroundings)
    host = Host(surroundings, folder, loaded, plugins, person or Nobody(), show)
    host.warnings += loaded.warnings
    return host


def _project_file(cwd: Path, user_file: Path) -> Path | None:
    """The nearest `.aries/config.yaml` from `cwd` up to the top of its repository; never the person's own."""
    top = next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), cwd)
    for folder in (cwd, *cwd.parents):
        file = folder / ".aries" / "config.yaml"
        # A folder or a device of this name is found too, and named as broken when it is read.
        if file.exists() and file != user_file:
            return file
        if folder == top:
            break
    return None
