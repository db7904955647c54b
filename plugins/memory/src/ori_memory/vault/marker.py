"""What makes a folder a vault, and where one is looked for; for those that only want to know whether there is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

__all__ = ["GLOBAL_NAME", "MARKER", "is_named", "is_vault", "vaults_around"]

GLOBAL_NAME = ".ori-memory"
MARKER = ".ori/vault.json"


def is_vault(folder: Path) -> bool:
    """Whether `folder` bears the marker. A bare `.ori` is not one."""
    return (folder / MARKER).is_file()


def vaults_around(folder: Path, home: Path) -> Iterator[tuple[Path, str]]:
    """Vaults that need no name, the one that is meant first: above `folder`, then the global one."""
    yield from ((above, "project") for above in (folder, *folder.parents) if is_vault(above))
    if is_vault(home / GLOBAL_NAME):
        yield home / GLOBAL_NAME, "global"


def is_named(environ: Mapping[str, str]) -> bool:
    """Whether the environment names a vault, there or not."""
    return bool(environ.get("ORI_VAULT"))
