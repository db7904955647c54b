"""What a command of the entry-point group `aries.commands` is given as click's `obj`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from aries_kernel.host import Host, Surroundings
    from aries_kernel.settings.loading import Loaded

__all__ = ["CommandContext"]


class CommandContext(Protocol):
    """One run of the command line, its flags understood. Nothing is read before it is asked for."""

    def folder(self) -> Path:
        """The folder to work in.

        Raises: UserError where it does not exist.
        """
        ...

    def surroundings(self) -> Surroundings:
        """This machine, this process.

        Raises: UserError.
        """
        ...

    def settings(self) -> Loaded:
        """The settings that hold here, flags included.

        Raises: ConfigError, UserError.
        """
        ...

    def open_host(self) -> Host:
        """A host in that folder; its questions go to the person at the terminal, where there is one.

        Raises: UserError and its kinds.
        """
        ...
