"""One vault, resolved once and passed down."""

from __future__ import annotations

import os
from pathlib import Path

from attrs import field

from aries_kernel.errors import ToolFailed, UserError
from aries_kernel.values import frozen
from ori_memory.vault.config import Config
from ori_memory.vault.marker import MARKER

__all__ = ["CONFIG_NAME", "MARKER", "OutsideVault", "Vault"]

CONFIG_NAME = "ori.config.yaml"


class OutsideVault(UserError):
    """A path that leads out of the vault."""


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


@frozen
class Vault:
    """A folder of notes. Every path of ori starts here; the working directory plays no part."""

    root: Path = field(converter=_real)
    id: str
    config: Config = field(factory=Config)
    warnings: tuple[str, ...] = ()
    """What was wrong with the configuration without being an error."""

    @property
    def state_folder(self) -> Path:
        return self.root / ".ori"

    @property
    def index_path(self) -> Path:
        """Derived; may be deleted at any time."""
        return self.state_folder / "index.db"

    @property
    def learned_path(self) -> Path:
        """Learned; may not."""
        return self.state_folder / "learned.db"

    def locate(self, path: str | Path) -> Path:
        """The real place of a path of this vault, links followed.

        Raises: OutsideVault for one that leads out of it, or that no file system takes.
        """
        # Most questions are answered without a look at any file.
        from aries_kernel.broker.workspace import Workspace

        try:
            place = Workspace(self.root).locate(path)
        except ToolFailed as error:
            raise OutsideVault(str(error)) from error
        if not place.is_inside:
            raise OutsideVault(f"{path} leads out of the vault {self.root}.")
        return place.real

    def relative(self, path: Path) -> str:
        """A path of this vault as notes are named: relative, with forward slashes."""
        return path.relative_to(self.root).as_posix()
