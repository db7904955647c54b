"""Making a folder a vault; nothing that is there is changed."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from attrs import evolve, frozen

from aries_kernel.atomic import replace_bytes
from aries_kernel.errors import UserError
from ori_memory.vault.finding import FORMAT, is_vault, open_vault
from ori_memory.vault.foreign_templates import template_rules
from ori_memory.vault.ignoring import IGNORED
from ori_memory.vault.reading import default_text
from ori_memory.vault.scaffold import FOLDERS, scaffold_files
from ori_memory.vault.vault import CONFIG_NAME, MARKER, Vault

__all__ = ["Made", "adopt_vault", "init_vault", "make_vault", "missing_files", "refuse_place"]


@frozen
class Made:
    """What was made and what was there already; paths relative to the vault."""

    vault: Vault
    created: tuple[str, ...]
    skipped: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    """Templates of another program, which the settings leave out."""


def init_vault(folder: Path) -> Made:
    """A vault with the whole scaffold; files that are there stay as they are.

    Raises: UserError where the folder cannot be written or is no folder.
    """
    return _make(folder, scaffold_files(), FOLDERS)


def adopt_vault(folder: Path) -> Made:
    """Make a folder of notes that somebody already keeps a vault: a marker and the settings, nothing else.

    Raises: UserError where it does not exist.
    """
    if not folder.is_dir():
        raise UserError(f"{folder} is no folder; --adopt takes one that holds notes.")
    rules = template_rules(folder)
    made = _make(folder, {CONFIG_NAME: default_text(rules)}, ())
    return evolve(made, left_out=rules if CONFIG_NAME in made.created else ())


def make_vault(folder: Path) -> Vault:
    """A new vault with the scaffold, opened."""
    return init_vault(folder).vault


def missing_files(folder: Path) -> tuple[str, ...]:
    """What a new vault has and this one does not."""
    return tuple(name for name in scaffold_files() if not (folder / name).exists())


def refuse_place(folder: Path) -> None:
    """Say why `folder` can become no vault, before anything is made.

    Raises: UserError.
    """
    root = folder.resolve()
    for parent in root.parents:
        if is_vault(parent):
            raise UserError(f"{root} lies inside the vault {parent}; a vault in a vault would be read twice.")
    for place in (root, *root.parents):
        if place.exists():
            if not place.is_dir():
                raise UserError(f"{place} is a file; a vault is a folder.")
            break


def _make(folder: Path, files: Mapping[str, str], folders: tuple[str, ...]) -> Made:
    created: list[str] = []
    skipped: list[str] = []
    try:
        refuse_place(folder)
        folder.mkdir(parents=True, exist_ok=True)
        root = folder.resolve()
        for name in folders:
            (root / name).mkdir(parents=True, exist_ok=True)
        marker = {"id": secrets.token_hex(8), "format": FORMAT}
        own = {".ori/.gitignore": IGNORED, MARKER: json.dumps(marker) + "\n"}
        for name, text in {**files, **own}.items():
            (created if _write_new(root / name, text) else skipped).append(name)
    except OSError as error:
        raise UserError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
    return Made(open_vault(root), tuple(created), tuple(skipped))


def _write_new(path: Path, text: str) -> bool:
    if path.exists() or path.is_symlink():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(path, text.encode("utf-8"))
    return True
