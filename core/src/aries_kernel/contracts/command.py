"""What a command of the entry-point group `aries.commands` is given as click's `obj`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from aries_kernel.host import Surroundings
    from aries_kernel.settings.loading import Loaded

__all__ = ["Invocation"]


class Invocation(Protocol):
    """One run of the command line. Nothing is read before it is asked for."""

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
