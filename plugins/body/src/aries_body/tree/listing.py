"""The files of a project: listed by git where it can, otherwise by walking, and judged by what they are."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from attrs import define, field, frozen

from aries_body.tree.git import GitRefused, list_files
from aries_body.tree.limits import Limits
from aries_body.tree.vendored import Strangers
from aries_body.tree.walking import walk
from aries_kernel.atomic import is_temporary

__all__ = ["Listing", "Signature", "is_ignore_file", "list_tree", "signature_of"]

IGNORE_FILES = frozenset({".gitignore", ".ignore", ".gitmodules"})
_LINK = "a link to "


class Signature(NamedTuple):
    """What tells, without reading a file, that it is as it was."""

    size: int
    modified: int
    changed: int
    """The system's own time of change, which no program can set; both in nanoseconds."""


@frozen
class Listing:
    """The tree at one moment."""

    files: dict[str, Signature]
    """Regular files by path, sorted; paths are relative with `/`."""
    skipped: dict[str, str]
    """What is left out and why; folders end with `/`."""
    notes: tuple[str, ...]
    """What a reader of any answer should know: limits, submodules, a git that refused."""
    links: dict[str, str] = field(factory=dict)
    """Links to files and folders of the tree, and where each leads in the end."""


@define
class _Found:
    """What lies where, before it is judged."""

    paths: dict[str, os.stat_result] = field(factory=dict)
    nested: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)


def list_tree(root: Path, limits: Limits, *, with_nested: bool = False) -> Listing:
    """All files that belong to the project below `root`.

    Repositories nested in it are left out, unless `with_nested`; submodules belong to it.
    """
    found = _Found()
    try:
        _list_by_git(found, root, limits, with_nested)
    except GitRefused as error:
        if error.is_worth_saying:
            found.notes.append(f"git could not list the files ({error}), so the folder was walked")
        walked = walk(root, with_nested=with_nested)
        found.nested += walked.nested
        found.notes += walked.notes
        _look_at(found, root, "", walked.paths)
    skipped = {f"{path}/": "a repository of its own" for path in found.nested}
    files: dict[str, Signature] = {}
    links: dict[str, str] = {}
    strangers = Strangers.among(found.paths)
    top = os.fspath(root)
    for path in sorted(found.paths):
        status = found.paths[path]
        stranger = strangers.folder_of(path)
        if stranger is not None:
            skipped.setdefault(*stranger)
        elif not stat.S_ISREG(status.st_mode):
            skipped[path] = _why_not_regular(top, path, status.st_mode)
            if skipped[path].startswith(_LINK):
                links[path] = skipped[path].removeprefix(_LINK)
        elif status.st_size > limits.max_file_bytes:
            skipped[path] = f"larger than {limits.max_file_bytes:,} bytes ({status.st_size:,})"
        else:
            files[path] = Signature(status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    files = _within(files, skipped, limits, found.notes)
    return Listing(files, dict(sorted(skipped.items())), tuple(found.notes), links)


def _list_by_git(found: _Found, root: Path, limits: Limits, with_nested: bool) -> None:
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        try:
            listed = list_files(root / prefix, limits.seconds)
        except GitRefused as error:
            if not prefix:
                raise
            found.notes.append(f"{prefix} could not be listed: {error}")
            continue
        nested = [prefix + path for path in listed.nested]
        if with_nested:
            waiting += [f"{path}/" for path in nested]
        else:
            found.nested += nested
        for folder in _look_at(found, root, prefix, listed.paths):
            if os.path.lexists(f"{root}/{folder}/.git"):
                found.notes.append(f"{folder} is a submodule")
                waiting.append(f"{folder}/")


def _look_at(found: _Found, root: Path, prefix: str, paths: Iterable[str]) -> list[str]:
    """Note what lies at `paths`; gives those that are folders."""
    top, folders = os.fspath(root), []
    for name in paths:
        path = prefix + name
        if is_temporary(path.rpartition("/")[2]):
            continue
        try:
            status = os.lstat(f"{top}/{path}")
        except (OSError, ValueError):
            continue  # Deleted, and git still knows it.
        if stat.S_ISDIR(status.st_mode):
            folders.append(path)
        else:
            found.paths[path] = status
    return folders


def _within(
    files: dict[str, Signature], skipped: dict[str, str], limits: Limits, notes: list[str]
) -> dict[str, Signature]:
    """Files in the order of their paths until a limit is reached."""
    kept: dict[str, Signature] = {}
    size = 0
    for path, signature in files.items():
        size += signature.size
        if len(kept) < limits.max_files and size <= limits.max_bytes:
            kept[path] = signature
        else:
            skipped[path] = "beyond the limit of the whole tree"
    if len(kept) < len(files):
        notes.append(
            f"{len(files) - len(kept):,} files were left out: at most {limits.max_files:,} files and "
            f"{limits.max_bytes:,} bytes are read; choose a smaller folder with --root"
        )
    return kept


def signature_of(root: str, path: str) -> Signature | None:
    """Of one regular file; None where there is none."""
    try:
        found = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return None
    return Signature(found.st_size, found.st_mtime_ns, found.st_ctime_ns) if stat.S_ISREG(found.st_mode) else None


def is_ignore_file(path: str) -> bool:
    """Whether a change of this file changes which files belong to the project."""
    name = path.rpartition("/")[2]
    return name in IGNORE_FILES or name in ("pyvenv.cfg", "CACHEDIR.TAG")


def _why_not_regular(root: str, path: str, mode: int) -> str:
    if not stat.S_ISLNK(mode):
        kinds = ((stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))
        return next((words for is_kind, words in kinds if is_kind(mode)), "a device")
    place = f"{root}/{path}"
    try:
        target = os.path.realpath(place, strict=True)
    except FileNotFoundError:
        return "a link that leads nowhere"
    except OSError:
        return "a link that leads in circles"
    if target == root or not target.startswith(root + os.sep):
        return "a link that leads around in the tree" if _holds(target, place) else "a link that leads out of the tree"
    return f"{_LINK}{os.path.relpath(target, root).replace(os.sep, '/')}"


def _holds(folder: str, place: str) -> bool:
    return place.startswith(folder.rstrip(os.sep) + os.sep)
