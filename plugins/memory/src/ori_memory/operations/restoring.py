"""Restoring a backup: everything is checked before anything is written, and no file is lost to it."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field, frozen

from aries_kernel.atomic import create_file, remove_abandoned, replace_bytes
from aries_kernel.errors import AriesError, UserError
from ori_memory.operations.archive_format import BadBackup, Entry, Manifest, read_manifest
from ori_memory.operations.writing import writing
from ori_memory.vault.vault import MARKER, OutsideVault, Vault

__all__ = ["RestoreReport", "restore_backup"]

_CHUNK = 1 << 20
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


@frozen
class Kept:
    """A file that was replaced, and where it is now."""

    path: str
    beside: str


@frozen
class RestoreReport:
    """What was restored, or would be."""

    vault: Path
    restored: tuple[str, ...]
    same: int
    conflicts: tuple[str, ...]
    """Files that differ from those of the backup and were left as they are."""
    kept: tuple[Kept, ...]
    learned: str
    """`restored`, `merged` into what was learned since, or `absent`."""
    is_dry_run: bool


def restore_backup(
    file: Path, folder: Path, *, now: datetime.datetime, is_dry_run: bool = False, is_forced: bool = False
) -> RestoreReport:
    """Restore into `folder`: a vault, an empty folder, or one that is not there yet.

    A file that differs stays as it is; `is_forced`: it is put beside under another name first. What was learned
    since is merged, not replaced. Ended halfway it may be started again.
    Raises: BadBackup, with nothing written; UserError.
    """
    root = folder.resolve()
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = read_manifest(archive)
            _require_place(root, manifest)
            for entry in (*manifest.files, *([manifest.learned] if manifest.learned else [])):
                for _ in _content(archive, entry):
                    pass  # Read for its hash: all of it must be sound before anything is written.
            run = _Run(archive, Vault(root, manifest.vault), now, is_dry_run, is_forced)
            return run.restore(manifest)
    except _DAMAGE as error:
        raise BadBackup(f"{file} is no backup of ori, or a damaged one: {error}. Nothing was restored.") from error
    except FileNotFoundError as error:
        if error.filename == str(file):
            raise UserError(f"{file} is not there.") from error
        raise
    except OSError as error:
        raise UserError(
            f"{error.filename or file}: {error.strerror}. What was restored before is whole; mend it and try again."
        ) from error


def _require_place(root: Path, manifest: Manifest) -> None:
    if root.exists() and not root.is_dir():
        raise UserError(f"{root} is no folder.")
    is_vault = (root / MARKER).is_file()
    if not is_vault and root.is_dir() and any(root.iterdir()):
        raise UserError(
            f"{root} is neither a vault nor empty. Restore into another folder: ori restore FILE --into DIR"
        )
    existing = next(place for place in (root, *root.parents) if place.exists())
    total = sum(entry.size for entry in manifest.files) + (manifest.learned.size if manifest.learned else 0)
    free = shutil.disk_usage(existing).free
    if total > free:
        raise UserError(f"The backup needs {total:,} bytes and {existing} has {free:,} left. Nothing was restored.")


def _content(archive: zipfile.ZipFile, entry: Entry) -> Iterator[bytes]:
    """A file's bytes. Raises: BadBackup at the end where they are not those of the manifest."""
    digest, size = hashlib.sha256(), 0
    with archive.open(entry.path) as member:
        while chunk := member.read(_CHUNK):
            size += len(chunk)
            if size > entry.size:
                break
            digest.update(chunk)
            yield chunk
    if size != entry.size or digest.hexdigest() != entry.sha256:
        raise BadBackup(f"{entry.path!r} is damaged in the backup. Nothing more was restored.")


@define
class _Run:
    archive: zipfile.ZipFile
    vault: Vault
    now: datetime.datetime
    is_dry_run: bool
    is_forced: bool
    restored: list[str] = field(factory=list)
    conflicts: list[str] = field(factory=list)
    kept: list[Kept] = field(factory=list)
    same: int = 0
    _tidied: set[Path] = field(factory=set, init=False)

    def restore(self, manifest: Manifest) -> RestoreReport:
        places = [(entry, self._place(entry)) for entry in manifest.files]
        if not self.is_dry_run:
            self.vault.root.mkdir(parents=True, exist_ok=True)
        # The marker first: a folder that is half restored is a vault, and may be restored into again.
        for entry, place in sorted(places, key=lambda pair: pair[0].path != MARKER):
            self._take(entry, place)
        learned = self._take_learned(manifest.learned) if manifest.learned else "absent"
        return RestoreReport(
            self.vault.root,
            tuple(self.restored),
            self.same,
            tuple(self.conflicts),
            tuple(self.kept),
            learned,
            self.is_dry_run,
        )

    def _place(self, entry: Entry) -> Path:
        try:
            return self.vault.locate(entry.path)
        except OutsideVault as error:
            raise BadBackup(f"{error} Nothing was restored.") from error

    def _take(self, entry: Entry, place: Path) -> None:
        if place.is_file() and _digest(place) == entry.sha256:
            self.same += 1
        elif not os.path.lexists(place):
            if not self.is_dry_run:
                self._create(entry, place)
            self.restored.append(entry.path)
        elif not self.is_forced or not place.is_file() or entry.path == MARKER:
            # Another marker is another vault's: its id names it elsewhere.
            self.conflicts.append(entry.path)
        else:
            self._replace(entry, place)

    def _create(self, entry: Entry, place: Path) -> None:
        with self._writing():
            if place.parent not in self._tidied:
                place.parent.mkdir(parents=True, exist_ok=True)
                remove_abandoned(place.parent)
                self._tidied.add(place.parent)
            create_file(place, _content(self.archive, entry))
            os.utime(place, ns=(entry.mtime_ns, entry.mtime_ns))

    def _replace(self, entry: Entry, place: Path) -> None:
        beside = _free_name(place, self.now)
        if not self.is_dry_run:
            data = b"".join(_content(self.archive, entry))
            with self._writing():
                try:
                    beside.hardlink_to(place)
                except OSError:  # No hard links on this file system.
                    shutil.copy2(place, beside)
                replace_bytes(place, data)
                os.utime(place, ns=(entry.mtime_ns, entry.mtime_ns))
        self.kept.append(Kept(entry.path, self.vault.relative(beside)))
        self.restored.append(entry.path)

    def _writing(self) -> contextlib.AbstractContextManager[None]:
        self.vault.state_folder.mkdir(parents=True, exist_ok=True)
        return writing(self.vault)

    def _take_learned(self, entry: Entry) -> str:
        is_there = self.vault.learned_path.exists()
        if self.is_dry_run:
            return "merged" if is_there else "restored"
        if not is_there:
            self._create(entry, self.vault.learned_path)
            return "restored"
        from ori_memory.learned.exchange import parse_lines
        from ori_memory.learned.store import LearnedStore
        from ori_memory.operations.merging import without_identities

        with tempfile.TemporaryDirectory(prefix="ori-restore-") as scratch:
            copy = Path(scratch) / "learned.db"
            create_file(copy, _content(self.archive, entry))
            try:
                with LearnedStore(copy) as old, LearnedStore(self.vault.learned_path) as store:
                    parsed = parse_lines(old.export().split("\n"))
                    store.merge(without_identities(parsed, store.identities()))
            except AriesError as error:
                raise UserError(f"The notes were restored; what was learned could not be merged: {error}") from error
        return "merged"


def _digest(place: Path) -> str:
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _free_name(place: Path, now: datetime.datetime) -> Path:
    """Beside the file, with an ending that makes it no note."""
    base = f"{place.name[:150]}.before-restore-{now:%Y%m%d-%H%M%S}"
    names = (base if number == 1 else f"{base}-{number}" for number in range(1, 10_000))
    return next(place.with_name(name) for name in names if not os.path.lexists(place.with_name(name)))
