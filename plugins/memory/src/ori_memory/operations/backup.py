"""A backup: everything a vault is made of in one file."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import attrs
from attrs import define, field, frozen

from aries_kernel.atomic import create_file, is_temporary, remove_abandoned
from aries_kernel.errors import UserError
from ori_memory.operations.archive_format import LEARNED, MANIFEST, STATE_FILES, Entry, is_kept, new_manifest
from ori_memory.vault.vault import CONFIG_NAME, Vault

__all__ = ["BackupReport", "default_backup_file", "make_backup"]

_CHUNK = 1 << 20
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""What zip knows of time; the manifest has the real one."""


@frozen
class BackupReport:
    """What a backup holds, and what it does not."""

    file: Path
    files: int
    bytes: int
    """Before packing."""
    has_learned: bool
    left_out: tuple[str, ...]
    """Hidden folders, links of the file system, files that cannot be read; attachments where they were not wanted."""


def default_backup_file(vault: Vault, cwd: Path, now: datetime.datetime) -> Path:
    """A name of its own in the working directory, or beside the vault where that lies in it."""
    folder = cwd.resolve()
    if folder == vault.root or vault.root in folder.parents:
        folder = vault.root.parent
    return folder / f"{vault.root.name.lstrip('.') or 'vault'}-{now:%Y%m%d-%H%M%S}.ori.zip"


def make_backup(vault: Vault, file: Path, *, now: datetime.datetime, with_attachments: bool = True) -> BackupReport:
    """Write a backup to `file`, whole from its first moment.

    The notes are those of this moment, each as it was when it was read; of the learned store it has one consistent
    state, though others write to it.
    Raises: UserError where `file` exists, lies in the vault, or cannot be written.
    """
    file = file.resolve()
    if vault.root in file.parents:
        raise UserError(f"{file} lies in the vault; a backup there would be lost with it. Name a place outside.")
    writing = _Writing(vault, now, with_attachments)
    remove_abandoned(file.parent)
    try:
        with tempfile.TemporaryDirectory(prefix="ori-backup-") as scratch:
            create_file(file, writing.chunks(Path(scratch)), mode=0o600)
    except FileExistsError as error:
        raise UserError(f"{file} is there already; a backup is never written over anything. Name another.") from error
    except OSError as error:
        raise UserError(f"{error.filename or file} cannot be written: {error.strerror}. There is no backup.") from error
    total = sum(entry.size for entry in writing.entries)
    return BackupReport(file, len(writing.entries), total, writing.learned is not None, tuple(writing.left_out))


@define
class _Writing:
    vault: Vault
    now: datetime.datetime
    with_attachments: bool
    entries: list[Entry] = field(factory=list)
    learned: Entry | None = None
    left_out: list[str] = field(factory=list)

    def chunks(self, scratch: Path) -> Iterator[bytes]:
        """The archive, as it grows."""
        sink = _Sink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for path in _paths(self.vault.root, self.left_out):
                if self._is_wanted(path):
                    yield from self._add(archive, sink, path)
            yield from self._add_learned(archive, sink, scratch)
            manifest = new_manifest(self.vault.id, self.now, self.entries, self.learned)
            archive.writestr(_info(MANIFEST), json.dumps(attrs.asdict(manifest), ensure_ascii=False, indent=1))
            yield sink.take()
        yield sink.take()

    def _is_wanted(self, path: str) -> bool:
        is_own = path == CONFIG_NAME or path in STATE_FILES or path.rpartition("/")[2].startswith(".")
        if self.with_attachments or is_own or path.lower().endswith((".md", ".markdown")):
            return True
        self.left_out.append(path)
        return False

    def _add(self, archive: zipfile.ZipFile, sink: _Sink, path: str) -> Iterator[bytes]:
        try:
            opened = (self.vault.root / path).open("rb")
        except OSError as error:
            self.left_out.append(f"{path} ({error.strerror})")
            return
        with opened as file:
            digest, size = hashlib.sha256(), 0
            with archive.open(_info(path), "w", force_zip64=True) as member:
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
                    size += len(chunk)
                    member.write(chunk)
                    yield sink.take()
            self.entries.append(Entry(path, size, digest.hexdigest(), os.fstat(file.fileno()).st_mtime_ns))

    def _add_learned(self, archive: zipfile.ZipFile, sink: _Sink, scratch: Path) -> Iterator[bytes]:
        if not self.vault.learned_path.exists():
            return
        from ori_memory.learned.store import LearnedStore

        copy = scratch / "learned.db"
        with LearnedStore(self.vault.learned_path) as store:
            store.backup(copy)
        data = copy.read_bytes()
        self.learned = Entry(LEARNED, len(data), hashlib.sha256(data).hexdigest(), copy.stat().st_mtime_ns)
        archive.writestr(_info(LEARNED), data)
        yield sink.take()


class _Sink:
    """A file that zipfile writes to and that is emptied as it fills."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing is open."""

    def take(self) -> bytes:
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data


def _info(path: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(path, _EARLIEST)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (stat.S_IFREG | 0o600) << 16
    return info


def _paths(root: Path, left_out: list[str]) -> Iterator[str]:
    """Every regular file that belongs into a backup, in the order of paths; no link is followed."""
    yield from (path for path in STATE_FILES if (root / path).is_file())
    waiting = [""]
    while waiting:
        base = waiting.pop()
        try:
            entries = sorted(os.scandir(root / base), key=lambda entry: entry.name)
        except OSError as error:
            left_out.append(f"{base or '.'} ({error.strerror})")
            continue
        for entry in entries:
            path = base + entry.name
            if is_temporary(entry.name) or path == ".ori":
                continue
            problem = _problem(entry, path)
            if problem:
                left_out.append(f"{path.encode('utf-8', 'backslashreplace').decode()} ({problem})")
            elif entry.is_dir(follow_symlinks=False):
                waiting.append(path + "/")
            else:
                yield path


def _problem(entry: os.DirEntry[str], path: str) -> str:
    if entry.is_symlink():
        return "a link of the file system"
    is_folder = entry.is_dir(follow_symlinks=False)
    if not is_kept(path + "/x" if is_folder else path):
        return "hidden"
    if "\\" in path or not _is_text(path):
        return "its name would not be the same on every system"
    return "" if is_folder or entry.is_file(follow_symlinks=False) else "no regular file"


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
