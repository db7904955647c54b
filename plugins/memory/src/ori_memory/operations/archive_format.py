"""What a backup holds: a zip of files, a copy of the learned store, and a manifest that tells all of them."""

from __future__ import annotations

import datetime
import json
import re
import zipfile
from collections.abc import Iterable
from typing import Any

from attrs import frozen
from cattrs import BaseValidationError

from aries_kernel.errors import UserError
from aries_kernel.structuring import problems_of, strict_converter

__all__ = ["LEARNED", "MANIFEST", "BadBackup", "Entry", "Manifest", "is_kept", "read_manifest", "refuse_hostile"]

FORMAT = "ori-backup"
VERSION = 1
MANIFEST = "ori-manifest.json"
LEARNED = ".ori/learned.db"
RULE_FILES = (".gitignore", ".oriignore")
STATE_FILES = (".ori/vault.json", ".ori/.gitignore")

_LARGEST_MANIFEST = 256 << 20
_GREATEST_RATIO = 200
_ALWAYS_FINE = 64 << 20
"""Bytes that are unpacked whatever they were packed to."""
_DRIVE = re.compile(r"[A-Za-z]:")


class BadBackup(UserError):
    """The archive is no backup of ori, is damaged, or would write where it must not. Nothing was restored."""


@frozen
class Entry:
    """One file of the vault."""

    path: str
    size: int
    sha256: str
    mtime_ns: int


@frozen
class Manifest:
    """All that the archive must hold, and nothing else."""

    format: str
    version: int
    vault: str
    """The vault's id."""
    created: str
    files: tuple[Entry, ...]
    learned: Entry | None = None


def is_kept(path: str) -> bool:
    """Whether a path belongs into a backup: nothing hidden but notes, the vault's marker and rules for leaving out."""
    if path in STATE_FILES:
        return True
    *folders, name = path.split("/")
    if any(part.startswith(".") for part in folders):
        return False
    return not name.startswith(".") or name in RULE_FILES or is_hidden_note(name)


def is_hidden_note(name: str) -> bool:
    """Whether a name with a dot in front is a note's all the same, as the index sees it."""
    return name[-3:].lower() == ".md" and name[:2] not in (".#", "._")


def new_manifest(vault_id: str, created: datetime.datetime, files: Iterable[Entry], learned: Entry | None) -> Manifest:
    """The manifest of a backup that was just written."""
    return Manifest(FORMAT, VERSION, vault_id, created.isoformat(timespec="seconds"), tuple(files), learned)


def read_manifest(archive: zipfile.ZipFile) -> Manifest:
    """The manifest, checked by itself and against what the archive holds.

    Raises: BadBackup.
    """
    manifest = _parsed(archive)
    told = {entry.path: entry for entry in (*manifest.files, *([manifest.learned] if manifest.learned else []))}
    names = [info.filename for info in archive.infolist()]
    if len(told) != len(manifest.files) + (manifest.learned is not None) or len(set(names)) != len(names):
        raise BadBackup("The backup names a file twice. Nothing was restored.")
    for entry in manifest.files:
        refuse_hostile(entry.path)
    if manifest.learned is not None and manifest.learned.path != LEARNED:
        raise BadBackup(f"The backup has its learned store at {manifest.learned.path!r}. Nothing was restored.")
    strangers = set(names) - set(told) - {MANIFEST}
    missing = set(told) - set(names)
    if strangers or missing:
        what = f"holds {min(strangers)!r}, which its manifest does not name" if strangers else f"lacks {min(missing)!r}"
        raise BadBackup(f"The backup {what}. Nothing was restored.")
    for info in archive.infolist():
        _check_member(info, told.get(info.filename))
    return manifest


def refuse_hostile(path: str) -> None:
    """Raises: BadBackup for a path that is not plainly one of a note or another file of a vault."""
    parts = path.split("/")
    is_plain = not any(part in ("", ".", "..") for part in parts)
    if not is_plain or "\0" in path or "\\" in path or _DRIVE.match(path) or not is_kept(path):
        raise BadBackup(f"The backup would write to {path!r}, where no file of a vault belongs. Nothing was restored.")


def _parsed(archive: zipfile.ZipFile) -> Manifest:
    try:
        info = archive.getinfo(MANIFEST)
    except KeyError as error:
        raise BadBackup(f"It is no backup of ori: it has no {MANIFEST}.") from error
    if info.file_size > _LARGEST_MANIFEST:
        raise BadBackup("The backup's manifest is too large to be one. Nothing was restored.")
    _check_member(info, None)
    try:
        with archive.open(info) as file:
            document: Any = json.loads(file.read(_LARGEST_MANIFEST))
    except (ValueError, RecursionError) as error:
        raise BadBackup(f"The backup's manifest is damaged: {error}. Nothing was restored.") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadBackup("It is no backup of ori: its manifest does not say so.")
    if document.get("version") != VERSION:
        raise BadBackup(f"The backup has version {document.get('version')}, this ori knows {VERSION}. Update ori.")
    try:
        return strict_converter().structure(document, Manifest)
    except BaseValidationError as error:
        first = "; ".join(f"{'.'.join(where)}: {what}" for where, what in problems_of(error)[:3])
        raise BadBackup(f"The backup's manifest is damaged: {first}. Nothing was restored.") from error


def _check_member(info: zipfile.ZipInfo, entry: Entry | None) -> None:
    kind = (info.external_attr >> 16) & 0o170000
    if info.is_dir() or kind not in (0, 0o100000):
        raise BadBackup(f"The backup holds {info.filename!r}, which is no regular file. Nothing was restored.")
    if info.flag_bits & 1:
        raise BadBackup(f"{info.filename!r} is encrypted; ori makes no such backups. Nothing was restored.")
    if entry is not None and info.file_size != entry.size:
        raise BadBackup(f"{info.filename!r} has another size than its manifest says. Nothing was restored.")
    if info.file_size > _ALWAYS_FINE and info.file_size > _GREATEST_RATIO * max(info.compress_size, 1):
        raise BadBackup(
            f"{info.filename!r} would grow to {info.file_size:,} bytes; that is no note. Nothing was restored."
        )
