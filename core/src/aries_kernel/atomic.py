"""Writing a file so that it is whole or untouched, whatever happens meanwhile."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from aries_kernel.processes import is_alive

__all__ = ["create_file", "is_temporary", "remove_abandoned", "replace_bytes"]

_TEMPORARY = re.compile(r"\.aries-(\d{1,10})-[0-9a-f]{12}\.tmp\Z")


def is_temporary(name: str) -> bool:
    """Whether a file of this name is a write that has not ended, or was killed; nobody else needs to see it."""
    return bool(_TEMPORARY.match(name))


def replace_bytes(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write `data` to `path` by temporary sibling, fsync and rename.

    Keeps the mode bits of a file that is there, and its owner and extended attributes (access lists) where the system
    allows it; `mode` applies to a new one (None: what the process's umask gives). Siblings that killed writers left in
    the folder are removed.
    `path` must be a real path: a link there would be replaced, not followed. Other hard links keep the old content.
    Raises: OSError, with the old file untouched.
    """
    try:
        old = path.stat()
    except FileNotFoundError:
        old = None
    keep = None if old is None else stat.S_IMODE(old.st_mode)
    remove_abandoned(path.parent)
    # The name says nothing of `path`: a prefix of a long name would not fit, and the process id tells who is dead.
    sibling = path.with_name(f".aries-{os.getpid()}-{os.urandom(6).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    # The bits of the old file from the start: a private file must not be readable while it is written.
    first = keep if keep is not None else 0o666 if mode is None else mode
    with _told_of(path, sibling):
        descriptor = os.open(sibling, flags, first & 0o777)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                if old is not None and keep is not None:
                    _set_owner(file.fileno(), old)
                    _copy_attributes(path, file.fileno())
                    _set_mode(file.fileno(), sibling, keep)
                os.fsync(file.fileno())
            sibling.replace(path)
        except BaseException:
            sibling.unlink(missing_ok=True)
            raise
    _sync_folder(path.parent)


def create_file(path: Path, chunks: Iterable[bytes], *, mode: int | None = None) -> None:
    """Write a new file at `path`, whole from its first moment, never over one that is there.

    Who writes many into a folder calls `remove_abandoned` once, not with each.
    Raises: FileExistsError where the name is taken, by a link too; OSError; what `chunks` raises. Nothing is left then.
    """
    sibling = path.with_name(f".aries-{os.getpid()}-{os.urandom(6).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with _told_of(path, sibling):
        descriptor = os.open(sibling, flags, 0o666 if mode is None else mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(chunks)
                file.flush()
                os.fsync(file.fileno())
            _give_free_name(sibling, path)
        finally:
            sibling.unlink(missing_ok=True)
    _sync_folder(path.parent)


@contextlib.contextmanager
def _told_of(path: Path, sibling: Path) -> Iterator[None]:
    """An error names the file that was meant: a full disk names none, and the sibling is gone by then."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and (error.filename is None or str(error.filename) == str(sibling)):
            error.filename = str(path)
        raise


def _give_free_name(sibling: Path, path: Path) -> None:
    try:
        path.hardlink_to(sibling)
    except FileExistsError:
        raise
    except OSError:
        # No hard links on this file system: claim the name first, then put the content in its place.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        sibling.replace(path)


def _set_mode(descriptor: int, path: Path, mode: int) -> None:
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)
    else:
        path.chmod(mode)


def _set_owner(descriptor: int, old: os.stat_result) -> None:
    if not hasattr(os, "fchown"):
        return
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
        # Only root may give files away; anyone else becomes the owner of what they wrote, as with any editor.
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)


def _copy_attributes(old: Path, descriptor: int) -> None:
    if not hasattr(os, "listxattr"):
        return
    # Some file systems have none, and some attributes only the system may set: the text matters more.
    with contextlib.suppress(OSError):
        for name in os.listxattr(old):
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, name, os.getxattr(old, name))


def remove_abandoned(folder: Path) -> None:
    """Remove what writers that were killed left in `folder`; what cannot be seen or removed stays."""
    if os.name != "posix":
        return  # No safe way to ask whether a process lives.
    # A folder that cannot be listed may still be written to; then what lies there stays there.
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _TEMPORARY.match(entry.name)
            if found and not is_alive(int(found[1])):
                Path(entry.path).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    # The new file is in place by now; some folders cannot be opened and some file systems cannot sync them.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
