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

        Raises: ToolFailed for a path that no file system takes (NUL, a loop of links).
        """
        text = str(path)
        if "\0" in text:
            raise ToolFailed("The path holds a NUL character.")
        if text.startswith("~"):
            text = str(Path(text).expanduser()) if text in ("~",) or text.startswith(("~/", "~\\")) else text
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
    """Open a located path for reading, without following a link that took its place meanwhile.

    Returns a file descriptor. Raises: ToolFailed for what is not a regular file, OSError otherwise.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(real, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        kind = "a folder" if real.is_dir() else "not a regular file"
        raise ToolFailed(f"{real} is {kind}.")
    return descriptor
