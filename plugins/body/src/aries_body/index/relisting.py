"""The list of files after a few of them were touched, without listing the tree again."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path

from aries_body.tree.git import GitRefused, belongs
from aries_body.tree.limits import Limits
from aries_body.tree.listing import Listing, Signature, is_ignore_file
from aries_body.tree.vendored import Strangers
from aries_kernel.atomic import is_temporary

__all__ = ["relisted"]

_SIZE = attrgetter("size")


def relisted(root: Path, before: Listing, paths: Iterable[str], limits: Limits) -> Listing | None:
    """`before` with `paths` as they are now; None where that may concern more than these files."""
    files = dict(before.files)
    new: dict[str, Signature] = {}
    folders = tuple(path for path in before.skipped if path.endswith("/"))
    for path in paths:
        if is_ignore_file(path) or path in before.skipped or path.startswith(folders):
            return None
        try:
            status = os.lstat(root / path)
        except (OSError, ValueError):
            if path not in files and any(other.startswith(f"{path}/") for other in files):
                return None
            files.pop(path, None)
            continue
        is_plain = stat.S_ISREG(status.st_mode) and status.st_size <= limits.max_file_bytes
        if not is_plain:
            return None
        signature = Signature(status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if path in files:
            files[path] = signature
        elif not is_temporary(path.rpartition("/")[2]):
            new[path] = signature
    if new:
        found = _of_the_project(root, list(new), limits)
        if found is None or len(files) + len(found) > limits.max_files:
            return None
        files = dict(sorted({**files, **{path: new[path] for path in found}}.items()))
    if sum(map(_SIZE, files.values())) > limits.max_bytes:
        return None
    return Listing(files, before.skipped, before.notes, before.links)


def _of_the_project(root: Path, paths: list[str], limits: Limits) -> list[str] | None:
    """Those that no rule leaves out; None where that cannot be said of single files."""
    strangers = Strangers({})
    if any(strangers.folder_of(path) is not None for path in paths):
        return None
    try:
        found = belongs(root, paths, limits.seconds)
    except GitRefused:
        return None
    return sorted(found)
