"""Which vault a session of aries uses: the one that its settings name, else what `ori` finds from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ori_memory.vault.marker import is_named, is_vault, vaults_around

if TYPE_CHECKING:
    from ori_memory.vault.vault import Vault

__all__ = ["GROUP", "VaultOptions", "connected_vault", "is_connected"]

GROUP = "vault"


@frozen
class VaultOptions:
    """Settings under `body.groups.vault`."""

    path: str = ""
    """The vault; empty: ORI_VAULT, else the nearest folder above the session's that is one, else the global one."""


def is_connected(options: Mapping[str, object], environ: Mapping[str, str], folder: Path, home: Path) -> bool:
    """Whether a vault is named or found; quick, and nothing is said about whether it can be used."""
    return bool(options) or is_named(environ) or next(vaults_around(folder, home), None) is not None


def connected_vault(options: Mapping[str, object], environ: Mapping[str, str], folder: Path, home: Path) -> Vault:
    """The vault.

    Raises: NoVault that says how to get one, ConfigError.
    """
    from aries_kernel.settings.layers import structure_given
    from ori_memory.vault.finding import NoVault, find_vault, open_vault

    where = ("body", "groups", GROUP)
    chosen = structure_given("settings", where, VaultOptions, options) if options else VaultOptions()
    if not chosen.path:
        return find_vault(None, environ, folder, home).vault
    named = Path(chosen.path)
    root = home / Path(*named.parts[1:]) if named.parts[0] == "~" else folder / named
    if not is_vault(root):
        raise NoVault(
            f"body.groups.vault.path in the settings names {root}, which is no vault. Make it one: ori init {root}"
        )
    return open_vault(root)
