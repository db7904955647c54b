"""What a command of `aries` gets as its context object (entry-point group `aries.commands`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from aries_kernel.host import Host

__all__ = ["CommandContext"]


class CommandContext(Protocol):
    """The flags before the command's name, understood."""

    def folder(self) -> Path:
        """The folder to work in.

        Raises: UserError where it does not exist.
        """
        ...

    def open_host(self) -> Host:
        """A host in that folder; its questions go to the person at the terminal, where there is one.

        Raises: UserError and its kinds.
        """
        ...
