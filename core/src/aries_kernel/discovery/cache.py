"""The index on the disk: one small JSON file for an environment, that spares parsing and the import of `packaging`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import astuple

from aries_kernel import __version__
from aries_kernel.atomic import replace_bytes
from aries_kernel.digests import blake2b
from aries_kernel.discovery.entry import Entry, State
from aries_kernel.discovery.report import Problem
from aries_kernel.discovery.scan import Installed
from aries_kernel.values import frozen

__all__ = ["Snapshot", "key_of", "load", "store"]

_FORMAT = 1
_MOST_FILES = 20
"""Environments come and go; the oldest files make way."""


@frozen
class Snapshot:
    """What was read from the distributions, before anything is switched off."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


def key_of(found: Sequence[Installed]) -> str:
    """A digest of everything a snapshot is made from: the bytes of the files, the kernel, the interpreter.

    Modification times would not do: they miss an edit within one tick of the clock and an upgrade that keeps them.
    """
    digest = blake2b(digest_size=20)
    # The interpreter counts because requirements may have markers.
    for part in (str(_FORMAT), __version__, sys.version, sys.platform, sys.prefix):
        _feed(digest, part.encode("utf-8", errors="surrogatepass"))
    for one in found:
        for value in astuple(one):
            _feed(digest, value if isinstance(value, bytes) else value.encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()


def _feed(digest: blake2b, part: bytes) -> None:
    digest.update(len(part).to_bytes(8, "big") + part)


def load(folder: Path, key: str) -> Snapshot | None:
    """The snapshot that is kept for `key`; None where there is none, or none that can be read."""
    try:
        data = json.loads((folder / _name()).read_bytes())
        if data["key"] != key:
            return None
        entries = tuple(_entry(row) for row in _rows(data["entries"], 7))
        return Snapshot(entries, tuple(Problem(*row) for row in _rows(data["problems"], 5)))
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return None  # Missing, cut, or somebody else's: it is made again from the distributions.


def _entry(row: list[str]) -> Entry:
    group, name, value, distribution, version, state, reason = row
    return Entry(group, name, value, distribution, version, State(state), reason)


def _rows(data: Any, length: int) -> list[list[str]]:
    for row in data:
        if not isinstance(row, list) or len(row) != length or not all(isinstance(cell, str) for cell in row):
            raise ValueError("not a row of texts")
    return list(data)


def store(folder: Path, key: str, snapshot: Snapshot) -> None:
    """Keep `snapshot`. A folder that cannot be written is no reason to stop: the next start reads everything again."""
    data = {
        "key": key,
        "entries": [astuple(entry) for entry in snapshot.entries],
        "problems": [astuple(problem) for problem in snapshot.problems],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_bytes(folder / _name(), json.dumps(data, ensure_ascii=True, indent=1).encode("ascii"))
        files = sorted(folder.glob("plugins*.json"), key=lambda file: file.stat().st_mtime_ns)
        for old in files[:-_MOST_FILES]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def _name() -> str:
    """A file for each environment: two that are used in turn would write one anew each time."""
    return f"plugins-{blake2b(os.fsencode(sys.prefix), digest_size=6).hexdigest()}.json"
