"""Which installed distributions offer entry points of ours. Files are read, nothing is imported.

`importlib.metadata` would do it too, but importing it costs ten times this scan.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

from aries_kernel.discovery.entry import normalised

__all__ = ["Installed", "scan"]

_SUFFIXES = (".dist-info", ".egg-info")
_METADATA = ("METADATA", "PKG-INFO", "requires.txt")
_OURS = re.compile(rb"^(?:\xef\xbb\xbf)?[ \t]*\[(?:aries|ori)\.", re.MULTILINE)
# A folder such as `~ame-1.0.dist-info` is what an interrupted uninstall leaves behind.
_STEM = re.compile(r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._]*[A-Za-z0-9])?)(?:-(?P<version>[^-]+))?(?:-.*)?")


@frozen
class Installed:
    """The files of one distribution, as they are on the disk; `error` says why they could not be read."""

    folder: str
    name: str
    version: str
    """As the folder's name has them; the metadata know better."""
    entry_points: bytes = b""
    metadata: bytes = b""
    requires: bytes = b""
    """`requires.txt`, where older setuptools keeps the requirements of an egg-info."""
    error: str = ""


def scan(search_path: Iterable[str | Path]) -> tuple[Installed, ...]:
    """Distributions with groups of ours; the first folder that holds a distribution counts, as for an import.

    Zip files on the path are not looked into.
    """
    seen: set[str] = set()
    found = []
    for item in dict.fromkeys(str(item) for item in search_path):
        for folder, name, version in _distributions(item):
            if normalised(name) not in seen:
                seen.add(normalised(name))
                installed = _read(folder, name, version)
                if installed is not None:
                    found.append(installed)
    return tuple(found)


def _distributions(item: str) -> Iterator[tuple[Path, str, str]]:
    try:
        # An empty item is the working directory, for Python too.
        listed = (path for path in Path(item).absolute().iterdir() if path.name.lower().endswith(_SUFFIXES))
        folders = sorted(listed, key=lambda path: path.name)
    except (OSError, ValueError):
        return  # Python passes over items it cannot list; nothing can be imported from them.
    found = [(folder, match) for folder in folders if (match := _STEM.fullmatch(folder.stem))]
    times = Counter(normalised(match["name"]) for _, match in found)
    # An interrupted upgrade may leave an empty folder of the old version beside the new one.
    found.sort(key=lambda one: times[normalised(one[1]["name"])] > 1 and _is_hollow(one[0]))
    for folder, match in found:
        yield folder, match["name"], match["version"] or ""


def _is_hollow(folder: Path) -> bool:
    return not any((folder / name).exists() for name in _METADATA[:2])


def _read(folder: Path, name: str, version: str) -> Installed | None:
    try:
        entry_points = _content(folder / "entry_points.txt")
        if not _OURS.search(entry_points):
            return None
        metadata, package_info, requires = (_content(folder / file) for file in _METADATA)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Installed(str(folder), name, version, error=f"{error.filename or folder} cannot be read: {reason}")
    return Installed(str(folder), name, version, entry_points, metadata or package_info, requires)


def _content(file: Path) -> bytes:
    """Empty for a file that is not there, and for one below an egg-info that is a file itself."""
    try:
        status = file.stat()
    except (FileNotFoundError, NotADirectoryError):
        return b""
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(file))  # A pipe would never end.
    return file.read_bytes()
