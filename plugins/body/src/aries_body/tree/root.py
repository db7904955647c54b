"""The folder that is taken for the project: never the home folder, the file system, or what holds them."""

from __future__ import annotations

import os
from pathlib import Path

from aries_kernel.errors import UserError

__all__ = ["find_root", "known_home", "real_root"]


def known_home() -> Path | None:
    """The home folder; None where the system does not tell one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def real_root(path: Path, home: Path | None) -> Path:
    """`path` with all links followed. `home` None: not known.

    Raises: UserError for what is no folder, the home folder, a folder that holds it, or the top of a file system.
    """
    try:
        root = path.expanduser().resolve(strict=True)
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such folder.") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"{path}: {error}.") from error
    if not root.is_dir():
        raise UserError(f"{path}: this is no folder.")
    if _is_too_wide(root, home):
        what = "the top of a file system" if root == Path(root.anchor) else "the home folder or holds it"
        raise UserError(f"{root} is {what}, and no project. Go to a project's folder, or name one with --root.")
    return root


def _is_too_wide(root: Path, home: Path | None) -> bool:
    """Whether a folder holds much more than any project."""
    if root == Path(root.anchor):
        return True
    if home is None:
        return False
    real_home = Path(os.path.realpath(home))
    return root == real_home or root in real_home.parents


def find_root(start: Path, home: Path | None) -> Path:
    """The top of the repository that `start` lies in; `start` itself where it lies in none.

    A repository whose top is the home folder (settings kept in git) is none: it would be too wide.
    Raises: UserError as `real_root`.
    """
    here = Path(os.path.realpath(start))
    for folder in (here, *here.parents):
        if _is_too_wide(folder, home):
            break
        if os.path.lexists(folder / ".git"):
            return real_root(folder, home)
    return real_root(start, home)
