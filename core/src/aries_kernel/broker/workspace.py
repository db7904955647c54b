"""The folders a session works in, and the real place of a path."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from attrs import field, frozen

from aries_kernel.errors import ToolFailed

__all__ = ["Located", "Workspace", "open_regular"]


@frozen
class Located:
    """Where a path really leads."""

    real: Path
    """Absolute; every link followed as far as the path exists."""
    is_inside: bool
    shown: str
    """Relative to the root with forward slashes where inside it, otherwise absolute."""


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _all_real(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(_real(path) for path in paths)


@frozen
class Workspace:
    """`root` is where relative paths start; `also` are further folders the person opened."""

    root: Path = field(converter=_real)
    also: tuple[Path, ...] = field(default=(), converter=_all_real)

    def locate(self, path: str | Path) -> Located:
        """Follow links of the deepest ancestor that exists, then judge.

        Raises: ToolFailed for a path that no file system takes (NUL, a lone surrogate, a loop of links, too long).
        """
        text = str(path)
        if "\0" in text:
            raise ToolFailed("The path holds a NUL character.")
        try:
            os.fsencode(text)
            if text == "~" or text.startswith(("~/", "~\\")):
                text = str(Path(text).expanduser())
        except UnicodeEncodeError as error:
            raise ToolFailed("The path holds a character that no file name can hold.") from error
        except RuntimeError as error:
            raise ToolFailed(f"{path}: the home folder is not known; give a full path.") from error
        try:
            # Not Path.resolve: on Python 3.11 its non-strict mode answers a loop with an unresolved path.
            real = Path(_real_path(self.root / text))
        except OSError as error:
            raise ToolFailed(f"{path}: {os.strerror(error.errno or errno.EINVAL)}.") from error
        is_inside = any(real == folder or folder in real.parents for folder in (self.root, *self.also))
        shown = real.relative_to(self.root).as_posix() if real.is_relative_to(self.root) else str(real)
        return Located(real, is_inside, shown)

    def named(self, path: str | Path) -> Path:
        """The absolute path as it was written, no link followed: what rules by name look at beside the real place."""
        text = str(path)
        expanded = Path(text).expanduser() if text == "~" or text.startswith(("~/", "~\\")) else Path(text)
        return Path(os.path.normpath(self.root / expanded))


def _real_path(path: Path) -> str:
    try:
        return os.path.realpath(path, strict=True)
    except FileNotFoundError:
        real = os.path.realpath(path)
        if Path(real).is_symlink():
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        return real
    except NotADirectoryError:
        return os.path.realpath(path)


def open_regular(real: Path) -> int:
    """Open a located path for reading, without following a link that took the place of any part of it meanwhile.

    Returns a file descriptor. Raises: ToolFailed for what is not a regular file, OSError otherwise.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    folder = _open_folder(real.parent)
    try:
        name = real if folder is None else Path(real.name)
        # Looked at before it is opened: opening alone makes some devices act.
        _require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode, real)
        descriptor = os.open(name, flags, dir_fd=folder)
    finally:
        if folder is not None:
            os.close(folder)
    try:
        _require_regular(os.fstat(descriptor).st_mode, real)
    except ToolFailed:
        os.close(descriptor)
        raise
    return descriptor


def _open_folder(folder: Path) -> int | None:
    """The folder, reached without following any link; None where the system has no means for that."""
    if not hasattr(os, "O_PATH"):
        return None
    flags = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW
    descriptor = os.open(folder.anchor, flags)
    for part in folder.parts[1:]:
        try:
            inner = os.open(part, flags, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def _require_regular(mode: int, real: Path) -> None:
    if stat.S_ISREG(mode):
        return
    kinds = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISLNK, "a link that was put there meanwhile"),
        (stat.S_ISFIFO, "a named pipe, not a regular file"),
        (stat.S_ISSOCK, "a socket, not a regular file"),
    )
    kind = next((words for is_kind, words in kinds if is_kind(mode)), "a device, not a regular file")
    raise ToolFailed(f"{real} is {kind}.")
