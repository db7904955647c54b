"""Which vault is meant: the flag, the variable, the folder above, the global one; a wrong one is never passed over."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from aries_kernel.errors import UserError
from aries_kernel.values import frozen
from ori_memory.vault.marker import GLOBAL_NAME, MARKER, is_vault, vaults_around
from ori_memory.vault.reading import read_config
from ori_memory.vault.vault import CONFIG_NAME, Vault

__all__ = ["Found", "NoVault", "find_or_make_vault", "find_vault", "is_vault", "open_vault"]

FORMAT = 1


class NoVault(UserError):
    """There is no vault where one was looked for."""


@frozen
class Found:
    """A vault and why it is this one: flag, environment, project or global."""

    vault: Vault
    origin: str


def find_vault(flag: str | None, environ: Mapping[str, str], cwd: Path, home: Path) -> Found:
    """The vault that is meant, in the fixed order.

    Raises: NoVault, ConfigError. What the flag or ORI_VAULT names must be a vault; nothing is taken in its place.
    """
    for origin, named in (("flag", flag), ("environment", environ.get("ORI_VAULT"))):
        if named:
            folder = cwd / Path(named).expanduser()
            if not is_vault(folder):
                what = "--vault" if origin == "flag" else "ORI_VAULT"
                raise NoVault(
                    f"{what} names {folder}, which is no vault: it has no {MARKER}. Make it one: ori init {named}"
                )
            return Found(open_vault(folder), origin)
    for folder, origin in vaults_around(cwd, home):
        return Found(open_vault(folder), origin)
    raise NoVault(
        f"There is no vault in {cwd} or above it, and none at {home / GLOBAL_NAME}. Make one: ori init DIR, or "
        "name one with --vault or ORI_VAULT."
    )


def find_or_make_vault(flag: str | None, environ: Mapping[str, str], cwd: Path, home: Path) -> tuple[Vault, bool]:
    """For a server, which nobody looks at: the vault that is meant, or a new global one; and whether it is new.

    Raises: as `find_vault` for one that is named or damaged; UserError where none can be made.
    """
    is_named = bool(flag or environ.get("ORI_VAULT"))
    if is_named or any(is_vault(folder) for folder in (cwd, *cwd.parents, home / GLOBAL_NAME)):
        return find_vault(flag, environ, cwd, home).vault, False
    from ori_memory.vault.making import init_vault

    return init_vault(home / GLOBAL_NAME).vault, True


def open_vault(folder: Path) -> Vault:
    """The vault at `folder`.

    Raises: NoVault where the marker is missing or cannot be read, ConfigError for its configuration.
    """
    marker = folder / MARKER
    try:
        data = json.loads(marker.read_text(encoding="utf-8"))
        id, format = data["id"], data["format"]
    except FileNotFoundError as error:
        raise NoVault(f"{folder} is no vault: it has no {MARKER}.") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoVault(f"{marker} cannot be read: {error}. It was left as it is.") from error
    if not isinstance(id, str) or not id or not isinstance(format, int):
        raise NoVault(f"{marker} is damaged: id must be a text and format a number. It was left as it is.")
    if format > FORMAT:
        raise NoVault(f"{folder} is a vault of format {format}; this version knows {FORMAT}. Update ori-memory.")
    config, warnings = read_config(folder / CONFIG_NAME)
    return Vault(folder, id, config, warnings)
