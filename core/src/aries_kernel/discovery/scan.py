"""Which installed distributions offer entry points of ours. Files are read, nothing is imported.

`importlib.metadata` would do it too, but importing it costs ten times this scan.
"""

# Every command passes here, past a few hundred folders, and paths would take thrice as long as texts.
# ruff: noqa: PTH100, PTH110, PTH116, PTH118, PTH122, PTH123, PTH208

from __future__ import annotations

import errno
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from aries_kernel.discovery.entry import normalised
from aries_kernel.values import frozen

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
        for plain, folder, name, version in _distributions(item):
            if plain not in seen:
                seen.add(plain)
                installed = _read(folder, name, version)
                if installed is not None:
                    found.append(installed)
    return tuple(found)


def _distributions(item: str) -> Iterator[tuple[str, str, str, str]]:
    """Normalised name, folder, name and version of each."""
    try:
        place = os.path.abspath(item)  # An empty item is the working directory, for Python too.
        names = sorted(name for name in os.listdir(place) if name.lower().endswith(_SUFFIXES))
    except (OSError, ValueError):
        return  # Python passes over items it cannot list; nothing can be imported from them.
    matches = ((name, _STEM.fullmatch(os.path.splitext(name)[0])) for name in names)
    found = [(normalised(match["name"]), os.path.join(place, name), match) for name, match in matches if match]
    times = Counter(plain for plain, _, _ in found)
    # An interrupted upgrade may leave an empty folder of the old version beside the new one.
    found.sort(key=lambda one: times[one[0]] > 1 and _is_hollow(one[1]))
    for plain, folder, match in found:
        yield plain, folder, match["name"], match["version"] or ""


def _is_hollow(folder: str) -> bool:
    return not any(os.path.exists(os.path.join(folder, name)) for name in _METADATA[:2])


def _read(folder: str, name: str, version: str) -> Installed | None:
    try:
        entry_points = _content(os.path.join(folder, "entry_points.txt"))
        if not _OURS.search(entry_points):
            return None
        metadata, package_info, requires = (_content(os.path.join(folder, file)) for file in _METADATA)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return Installed(folder, name, version, error=f"{error.filename or folder} cannot be read: {reason}")
    return Installed(folder, name, version, entry_points, metadata or package_info, requires)


def _content(file: str) -> bytes:
    """Empty for a file that is not there, and for one below an egg-info that is a file itself."""
    try:
        status = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", file)  # A pipe would never end.
    with open(file, "rb", buffering=0) as opened:
        return opened.readall()
