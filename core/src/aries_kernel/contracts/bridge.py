"""Contract of a bridge (entry-point group `ori.bridges`): puts the memory into one client, and takes it out again."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from attrs import field, frozen

__all__ = ["Activation", "Bridge", "BridgeState", "ClientCheck", "FileEdit", "Plan", "Scope", "Setting"]

Scope = Literal["project", "global"]
Activation = Literal["auto", "manual"]


@frozen
class Setting:
    """What a person asked for, and the machine it is asked on. A bridge looks at nothing else."""

    scope: Scope
    project: Path
    """The folder of a project; absolute."""
    home: Path
    command: tuple[str, ...]
    """The words that run the memory, the first an absolute path: clients start it without the person's PATH."""
    vault: Path | None = None
    """None: the server looks for one where it is started."""
    activation: Activation = "auto"
    """auto: the client tells the memory when a session starts and ends; manual: the agent asks when it wants to."""
    environ: Mapping[str, str] = field(factory=lambda: dict(os.environ))
    platform: str = sys.platform


@frozen
class FileEdit:
    """One file before and after. None: the file is not there."""

    path: Path
    before: bytes | None
    after: bytes | None
    changes: tuple[str, ...] = ()
    """What is put in or taken out, for a person: `mcpServers.ori`."""


@frozen
class Plan:
    """What would be done; the host does it: whole or not at all, with backups."""

    edits: tuple[FileEdit, ...] = ()
    """Only files that change, each once."""
    left_to_user: tuple[str, ...] = ()
    """Steps that only the person can take: to trust a folder, to approve a server."""
    shown: str = ""
    """Text to copy, where a client is configured by hand."""


@frozen
class BridgeState:
    """What is installed at one scope."""

    is_installed: bool
    activation: Activation | None = None
    """None: nothing is installed, or it cannot be seen."""
    vault: str | None = None
    """The vault that is written there; None: none is."""
    command: tuple[str, ...] = ()
    """What the client starts, as it is written there."""
    paths: tuple[Path, ...] = ()
    """Files that hold something of this bridge."""
    problems: tuple[str, ...] = ()
    """Files that cannot be read, and why; entries that are only half there."""
    is_client_here: bool = False
    """The client itself is on this machine, as far as that can be seen: its program, or something it left behind."""


@frozen
class ClientCheck:
    """One thing that was tried. `is_good` None: it could not be tried, and `detail` says why."""

    name: str
    is_good: bool | None
    detail: str = ""


class Bridge(Protocol):
    """Knows where a client keeps its settings, and edits them so that nothing else in them changes.

    Planning reads files and writes none. A file that cannot be understood stops it. Installing again brings what is
    there up to date, and where all is as asked the plan is empty; so is the removal of what is not there.
    """

    @property
    def name(self) -> str:
        """As it is asked for: the name of the entry point."""
        ...

    @property
    def title(self) -> str:
        """The client's own name."""
        ...

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """At which the client can be configured, the usual one first. The host asks for no other."""
        ...

    @property
    def default_activation(self) -> Activation:
        """What is installed where nobody says."""
        ...

    def plan_install(self, setting: Setting) -> Plan:
        """How to put the memory in. Raises: UserError for a file that cannot be edited, naming the place in it."""
        ...

    def plan_uninstall(self, setting: Setting) -> Plan:
        """How to take out what this bridge put in, and nothing else. Raises: as `plan_install`."""
        ...

    def status(self, setting: Setting) -> BridgeState:
        """What is there now. A file that cannot be understood is among the problems."""
        ...

    def verify(self, setting: Setting) -> tuple[ClientCheck, ...]:
        """Ask the client itself, where it has a command for it. Starts it, within a minute each; changes nothing."""
        ...
